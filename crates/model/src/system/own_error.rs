//! What the analytic model errs by against the simulator, beyond its numbers: measured, by how much of a time is spent at table
//! locks and by whether reads take them.
//!
//! 90th percentiles over the generated sites and the examples of `docs/agreement.md`, whose test holds these bounds. What waits
//! for no lock is solved to within some per cent whatever the release; waits for locks that readers and writers share are not.

use super::prediction::ClassPrediction;

/// Factors on either side of what is solved within which nine of ten simulated values lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OwnError {
    /// Of means.
    pub mean: f64,
    /// Of 95th percentiles.
    pub p95: f64,
}

/// Of a time of which nothing is spent at table locks.
pub const ELSEWHERE: OwnError = OwnError { mean: 1.1, p95: 1.2 };
/// Of one that is all spent at locks, from release 2013.3 on with `db.peeking` 2 or 3: reads lock db.revhx alone or nothing.
const LOCKLESS: OwnError = OwnError { mean: 1.6, p95: 2.5 };
/// The same where reads take locks.
const LOCKED: OwnError = OwnError { mean: 6.0, p95: 3.0 };

/// The 95th percentile of a normal variable: of nine in ten on both sides.
const NINE_IN_TEN: f64 = 1.644_853_626_951_472_2;

impl OwnError {
    /// One-sigma error, as a logarithm, of what lies within such a factor nine times in ten.
    pub fn sigma(factor: f64) -> f64 {
        factor.ln() / NINE_IN_TEN
    }

    /// That of the time of a kind of work: errors, as logarithms, count by the shares of the time.
    pub fn of(class: &ClassPrediction, peeks: bool) -> Self {
        let all: f64 = class.parts.iter().map(|(_, seconds)| seconds).sum();
        let share = if all > 0.0 { 1.0 - class.away_from_locks() / all } else { 0.0 };
        let locks = if peeks { LOCKLESS } else { LOCKED };
        let both = |elsewhere: f64, locks: f64| elsewhere.powf(1.0 - share) * locks.powf(share);
        Self { mean: both(ELSEWHERE.mean, locks.mean), p95: both(ELSEWHERE.p95, locks.p95) }
    }
}

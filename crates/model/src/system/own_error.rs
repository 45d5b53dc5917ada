//! What the analytic model errs by against the simulator, beyond its numbers: measured, by whether reads take locks.
//!
//! 90th percentiles over the generated sites and the examples of `docs/agreement.md`, whose test holds these bounds.

use super::deployment::Deployment;

/// Factors on either side of what is solved within which nine of ten simulated values lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OwnError {
    /// Of means.
    pub mean: f64,
    /// Of 95th percentiles.
    pub p95: f64,
}

/// From release 2013.3 on with `db.peeking` 2 or 3, where reads lock db.revhx alone or nothing.
pub const LOCKLESS: OwnError = OwnError {
    mean: 1.1,
    p95: 1.2,
};
/// Where reads take locks.
pub const LOCKED: OwnError = OwnError {
    mean: 2.35,
    p95: 2.1,
};

/// The 95th percentile of a normal variable: of nine in ten on both sides.
const NINE_IN_TEN: f64 = 1.644_853_626_951_472_2;

impl OwnError {
    /// One-sigma error, as a logarithm, of what lies within such a factor nine times in ten.
    pub fn sigma(factor: f64) -> f64 {
        factor.ln() / NINE_IN_TEN
    }

    /// That of a deployment's class.
    pub fn of(deployment: &Deployment) -> Self {
        if deployment.read_locks.peeks() {
            LOCKLESS
        } else {
            LOCKED
        }
    }
}

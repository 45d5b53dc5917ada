//! One lock: what is asked of it, how long it is waited for, and what stands in for that where it is asked for more than
//! it can do.
//!
//! Knows that a lock of unlimited users saturates; not who they are, nor the formula.

use super::prediction::PredictError;
use crate::queueing::locks::LockError;

/// Share of a lock's capacity up to which its formula is used where some users are unlimited.
const LOCK_FULL: f64 = 0.995;

/// Least likelihood that a lock is waited for, so that no wait becomes infinite on the way.
const LIKELY_LEAST: f64 = 0.05;

/// Sums over the sections of a kind.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    /// How often they come \[1/s\], that times their holds, and times the squares of those.
    pub(super) rate: f64,
    pub(super) work: f64,
    pub(super) square: f64,
    /// The first times by how much longer one is right after another client's.
    pub(super) after_another: f64,
    /// The longest mean hold of one that comes at all \[s\].
    pub(super) hold: f64,
}

/// A contest's locks.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// Share of their capacity in use.
    pub(super) utilization: f64,
    /// The part of it that is for those who can fill them.
    pub(super) asked: f64,
    /// For how long they are shut when they are shut for long \[s\].
    pub(super) shut_for: f64,
    /// How long readers have them between two in line who want them alone, where that is told: the mean \[s\], and the mean
    /// of its square \[s²\].
    pub(super) between: [f64; 2],
    /// By how much waits are longer than at nearly all that it can do, as a stand-in beyond that.
    pub(super) stand_in: f64,
}

impl Found {
    /// For how long they are shut, where they are waited for for so long on average, shut or not \[s\].
    pub(super) fn shut_for_or(&self, wait: f64) -> f64 {
        if self.shut_for > 0.0 {
            self.shut_for
        } else {
            wait / self.utilization.clamp(f64::MIN_POSITIVE, 1.0)
        }
    }

    /// How likely who comes has to wait: as often as they are in use.
    pub(super) fn waited_at_all(&self) -> f64 {
        self.utilization.clamp(LIKELY_LEAST, 1.0)
    }

    /// Of an exponential time of this mean \[s\], begun with the readers between two in line, the part on average that is left
    /// when they are through: E\[e^(−B/m)\], where their time B is nothing or exponential, with its two moments.
    pub(super) fn left_after_readers(&self, mean: f64) -> f64 {
        let [between, square] = self.between;
        if between > 0.0 {
            1.0 - between / (mean + 0.5 * square / between)
        } else {
            1.0
        }
    }
}

/// Finds mean waits of a lock's takers, and the part of them while it is shut for long \[s\], which `solve` gives
/// where its users come so many times as often. Beyond what it can do, these are the waits at nearly all of that, and
/// the second answer is how much it is asked for.
pub(super) fn lock_wait(
    unlimited: bool,
    takers: &mut [(f64, f64)],
    mut solve: impl FnMut(f64, &mut [(f64, f64)]) -> Result<Found, LockError>,
) -> Result<(Found, Option<f64>), PredictError> {
    let mut wait = |times: f64, takers: &mut [(f64, f64)]| match solve(times, takers) {
        Ok(wait) => Ok(Ok(wait)),
        Err(LockError::Saturated { utilization }) => Ok(Err(utilization)),
        Err(error @ LockError::Invalid { .. }) => Err(PredictError::Unsolved(error.to_string())),
    };
    let asked = match wait(1.0, takers)? {
        Ok(found) if found.asked < LOCK_FULL || !unlimited => return Ok((found, None)),
        Ok(found) => found.asked,
        Err(asked) => asked,
    };
    // The share of capacity is proportional to the rates.
    let full = wait(LOCK_FULL / asked, takers)?;
    let mut found = full.map_err(|utilization| PredictError::Saturated {
        resource: "a lock".to_owned(),
        utilization,
    })?;
    // Steep near what it can do, so that it hardly passes that at rest; far beyond, no more than a step.
    let times = asked / LOCK_FULL;
    found.stand_in = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
    found.utilization = asked;
    found.asked = asked;
    Ok((found, (asked >= 1.0).then_some(asked)))
}

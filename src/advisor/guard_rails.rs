//! What a server does at its usual peak and where it gives way: limits and alarms lie between the two.
//!
//! **Somebody waits for a processor.** Linux counts the share of time in which at least one process that could run has no processor
//! (pressure stall information, "some"). With m cores that are busy to ρ it is the probability of more than m in the system, which
//! is C(m, mρ) · ρ (Erlang 1917). At the load that is carried ρ is as many times larger.
//!
//! **Commands at once.** Those in flight are as many as come in the time of one (Little 1961); they come independently of each other, so
//! that their number is Poisson's, and one moment in a thousand has more than its 99.9 % quantile.

use statrs::distribution::{DiscreteCDF, Poisson};

use super::advice::Chosen;
use crate::queueing::closed_forms::erlang_c;
use crate::system::Spot;

/// Of a server at the peak, with what its limits are set by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GuardRails {
    /// Commands that run at once: one moment in a thousand of the peak has more.
    pub running: f64,
    /// Commands of them that wait for a lock: the same.
    pub blocked: f64,
    /// Share of time in which somebody waits for a processor, at the peak.
    pub stalled: f64,
    /// The same at the load that is carried.
    pub stalled_at_limit: f64,
    /// Share of memory that is in use while the largest command does not run.
    pub memory: f64,
    /// Longest hold of a lock by an ordinary command: of the usual mix on average, the largest submit, a branch operation \[s\].
    pub hold: f64,
    /// How many times the peak is carried; below 1 where the peak is not.
    pub carried: f64,
}

/// More of the time than this somebody waits for a processor where that is what a server runs out of first (assumed).
const SHORT: f64 = 0.4;
/// Memory in use beyond which no threshold leaves room below the one at which commands are ended (assumed).
const FULL: f64 = 0.85;

impl GuardRails {
    /// Of a server; a standby has what the commit server has, whose work it takes over.
    pub fn of(chosen: &Chosen, server: usize) -> Self {
        let deployment = &chosen.deployment;
        let server = if deployment.is_standby(server) { 0 } else { server };
        let prediction = &chosen.prediction;
        let flight = prediction.in_flight.get(server).copied().unwrap_or_default();
        let mut resources = prediction.resources.iter();
        let processor = resources.find(|of| of.resource.spot == Spot::Processor && of.resource.server == Some(server));
        let busy = processor.map_or(0.0, |processor| processor.utilization);
        let carried = chosen.headroom.carried().unwrap_or(0.0);
        let memory = chosen.memory.servers.get(server);
        let locks = prediction.locks.iter();
        let own = locks.filter(|of| of.lock.server == Some(server));
        Self {
            running: at_most(flight.running),
            blocked: at_most(flight.blocked),
            stalled: stalled(deployment.cores, busy),
            stalled_at_limit: stalled(deployment.cores, busy * carried.max(1.0)),
            memory: memory.map_or(0.0, |memory| 1.0 - memory.cache() / memory.there),
            hold: own.map(|lock| lock.hold).chain([chosen.largest_commit, chosen.branch_commit]).fold(0.0, f64::max),
            carried,
        }
    }

    /// Whether commands that are paused while processors are short let others through: the peak is far from it, and what is carried ends
    /// there.
    pub fn pausing_helps(&self) -> bool {
        self.carried >= 1.0 && self.stalled_at_limit >= SHORT && self.stalled < SHORT
    }

    /// Whether a threshold for memory lies above the usual peak and clearly below the one at which commands are ended.
    pub fn leaves_memory(&self) -> bool {
        self.memory < FULL
    }

    /// The share of time in which somebody waits for a processor at which new commands are paused: half-way between the peak and what
    /// is carried.
    pub fn pause_at(&self) -> f64 {
        f64::midpoint(self.stalled, self.stalled_at_limit)
    }
}

/// Share of time in which more than as many as there are cores want one.
fn stalled(cores: f64, busy: f64) -> f64 {
    /// More than that is called always.
    const MOST: f64 = 0.999;
    let (cores, busy) = (cores.max(1.0).round() as u32, busy.min(MOST));
    busy * erlang_c(cores, busy * f64::from(cores))
}

/// What a Poisson number of this mean exceeds at one moment in a thousand.
fn at_most(mean: f64) -> f64 {
    let number = Poisson::new(mean);
    number.map_or(0.0, |number| number.inverse_cdf(0.999) as f64)
}

#[cfg(test)]
mod tests {
    use super::{at_most, stalled};

    #[test]
    fn one_core_stalls_whenever_two_are_there() {
        // M/M/1: two or more are there ρ² of the time.
        assert!((stalled(1.0, 0.5) - 0.25).abs() < 1e-12);
        // M/M/2 at 0.5: P(0) = 1/3, P(N > 2) = 1/3 · 2 · 0.5³ ÷ (1 − 0.5).
        assert!((stalled(2.0, 0.5) - 1.0 / 6.0).abs() < 1e-12);
        assert!(stalled(64.0, 0.5) < 1e-3 && stalled(64.0, 0.99) > 0.8);
    }

    #[test]
    fn one_moment_in_a_thousand_has_more() {
        assert!(at_most(0.0) < f64::MIN_POSITIVE);
        // Of a mean of 4: P(N ≤ 10) = 0.99716 and P(N ≤ 11) = 0.99908.
        assert!((at_most(4.0) - 11.0).abs() < 1e-12);
    }
}

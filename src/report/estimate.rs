//! Numbers with their intervals, and how a simulation ended: the same words and keys for all simulations.

use super::json::object;
use crate::sim::{Estimate, ModelError, Outcome, Pile, Stopped};
use crate::units::{Fraction, significant};

/// A time in the unit that leaves a number of at least one, in seconds above.
pub(super) fn time(seconds: f64, digits: i32) -> String {
    // 999.996 ms is 1.0000 s.
    let below = 1.0 - 0.5 * 10f64.powi(-digits);
    let (unit, factor) = match seconds.abs() {
        0.0 => return "0 s".to_owned(),
        x if x < 1e-6 * below => ("ns", 1e-9),
        x if x < 1e-3 * below => ("µs", 1e-6),
        x if x < below => ("ms", 1e-3),
        _ => ("s", 1.0),
    };
    format!("{} {unit}", significant(seconds / factor, digits))
}

/// What is shown of a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shown {
    /// A time.
    Time,
    /// A rate.
    Rate,
    /// A plain number.
    Number,
    /// A share, in percent.
    Share,
}

impl Shown {
    /// With this many digits.
    pub(super) fn plain(self, value: f64, digits: i32) -> String {
        match self {
            Self::Time => time(value, digits),
            Self::Rate => format!("{} /s", significant(value, digits)),
            Self::Number => significant(value, digits),
            Self::Share => format!("{} %", significant(value * 100.0, digits)),
        }
    }
}

/// Digits that the interval of a simulated value allows, two to five; five where it has none.
pub(super) fn known_digits(estimate: Estimate) -> i32 {
    let relative = estimate.relative();
    if relative.is_finite() && relative > 0.0 { (1.0 - relative.log10()).ceil().clamp(2.0, 5.0) as i32 } else { 5 }
}

/// A share with its relative error; of next to nothing only that it is.
pub(super) fn share_with_error(estimate: Estimate) -> String {
    let share = Fraction::new(estimate.value);
    if share.is_next_to_nothing() {
        return share.estimated();
    }
    with_error(share.estimated(), estimate)
}

/// The value as it is shown, with its relative error.
pub(super) fn with_error(shown: String, estimate: Estimate) -> String {
    let relative = estimate.relative();
    if relative.is_finite() && relative > 1.0 {
        format!("{shown} ± > 100 %")
    } else if relative > 0.0 && relative.is_finite() {
        format!("{shown} ± {} %", significant(relative * 100.0, 2))
    } else {
        shown
    }
}

/// How a simulation was run, beside what it found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ran<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) seed: u64,
    pub(super) confidence: f64,
}

/// What is worth knowing of the end of a run; nothing if it is done.
pub(super) fn end(outcome: &Outcome) -> String {
    match (outcome.stopped, &outcome.pile) {
        (Stopped::Done, _) => String::new(),
        (Stopped::Interrupted, _) => "; INTERRUPTED: results so far".to_owned(),
        (Stopped::Events, _) => "; the limit of events was reached before the requested precision".to_owned(),
        (Stopped::Jobs, _) => format!("; {}", ModelError::too_many_jobs()),
        (Stopped::Unsteady, Some(pile)) => {
            format!("; UNSTEADY: does not carry this load: {pile}, so that means grow with the length of the run")
        }
        (Stopped::Unsteady, None) => {
            "; UNSTEADY: work arrives faster than it is completed, so that means grow with the length of the run"
                .to_owned()
        }
    }
}

impl Ran<'_> {
    /// "4 replications".
    pub(super) fn replications(&self) -> String {
        match self.outcome.replications {
            1 => "one replication".to_owned(),
            n => format!("{n} replications"),
        }
    }

    /// "2.3 h in 40 batches after a discarded warm-up of 5 min", by how times are shown.
    pub(super) fn measured(&self, shown: impl Fn(f64) -> String) -> String {
        format!(
            "{} in {} batches after a discarded warm-up of {}",
            shown(self.outcome.time),
            self.outcome.batches,
            shown(self.outcome.warm_up)
        )
    }

    /// "1230000 events, seed 1; ± is the 95 % interval", and how it ended.
    pub(super) fn counted(&self) -> String {
        format!(
            "{} events, seed {}; ± is the {} % interval",
            significant(self.outcome.events as f64, 3),
            self.seed,
            significant(self.confidence * 100.0, 2)
        )
    }
}

object! {
    /// How a simulation was run, and how it ended.
    #[schemars(rename = "Run")]
    RunJson of (ran: Ran<'_>) [
        let outcome = ran.outcome;
        let stopped = match outcome.stopped {
            Stopped::Done => "done",
            Stopped::Interrupted => "interrupted",
            Stopped::Events => "events",
            Stopped::Unsteady => "unsteady",
            Stopped::Jobs => "jobs",
        };
    ] {
        seed: u64 = ran.seed, "Seed of the random numbers.";
        confidence_fraction: f64 = ran.confidence, "Confidence of the intervals.";
        replications: usize = outcome.replications, "Replications.";
        batches: usize = outcome.batches, "Batches of them.";
        time_s: f64 = outcome.time, "Simulated time.";
        warm_up_s: f64 = outcome.warm_up, "Discarded before it.";
        events: u64 = outcome.events, "Arrivals and completed services.";
        stopped: &'static str = stopped, "done, interrupted, events (their limit), unsteady, or jobs (too many at a time).";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] piles_up: Option<PilesUp> = outcome.pile.as_ref().map(PilesUp::of), "Where more jobs come than leave.";
    }

    /// Where more jobs come than leave.
    PilesUp of (pile: &Pile) {
        at: &'static str = pile.spot.word(), "station, lock or pool.";
        name: String = pile.name.clone(), "Which one.";
        jobs_per_s: f64 = pile.per_second, "How many more.";
    }
}

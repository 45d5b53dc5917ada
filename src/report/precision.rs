//! Precision of a simulation: what was requested for each mean, what was reached, and how to get more.

use super::simulation::Simulation;
use crate::sim::{ActivityOutcome, Stopped};
use crate::units::{Fraction, significant};

/// The requested precision of the mean response time of each kind of work, and the limit that ends the simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// Half-width of its 95 % interval over the mean.
    pub precision: f64,
    /// Share of all completions below which a kind of work is rare and does not prolong the simulation.
    pub rare: f64,
    /// Events of one replication at which the simulation ended with what there was.
    pub events_max: u64,
    /// Whether neither a precision nor a number of events was requested.
    pub is_default: bool,
}

/// The precision of the mean of one kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// As well as wanted.
    Yes,
    /// Not as well.
    No,
    /// Not as well, and it is so rare that the simulation did not go on for it.
    Rare,
}

impl Simulation {
    /// The precision of the mean of a kind of work; none where no precision was requested, or where means
    /// grow with the length of the run.
    pub(super) fn reached(&self, found: &ActivityOutcome) -> Option<Reached> {
        let wanted = self.wanted?;
        if self.outcome.stopped == Stopped::Unsteady {
            return None;
        }
        Some(if found.response.relative() <= wanted.precision {
            Reached::Yes
        } else if self.outcome.is_rare(found.completions, wanted.rare) {
            Reached::Rare
        } else {
            Reached::No
        })
    }

    /// Kinds of work that occurred and the precision of their means, in the model's order.
    pub(super) fn precisions(&self) -> Vec<(&str, &ActivityOutcome, Reached)> {
        let outcomes = self.process.activities.iter().zip(&self.outcome.activities);
        let done = outcomes.filter(|(_, found)| found.completions > 0);
        done.filter_map(|(activity, found)| {
            let reached = self.reached(found)?;
            Some((activity.name.as_str(), found, reached))
        })
        .collect()
    }

    /// Which means have the requested precision, which do not and why, and how to get more.
    pub(super) fn precision(&self) -> Option<String> {
        let wanted = self.wanted?;
        let all = self.precisions();
        if all.is_empty() {
            return None;
        }
        let wanted_share = Fraction::new(wanted.precision);
        let of = |which: Reached| {
            let kinds = all.iter().filter(|(_, _, reached)| *reached == which);
            kinds.map(|(name, found, _)| (*name, *found)).collect::<Vec<_>>()
        };
        let (n, missed, rare) = (all.len(), of(Reached::No), of(Reached::Rare));
        let reached = n - missed.len() - rare.len();
        let wanted_of_all = format!("Requested: every mean to ± {wanted_share}.");
        if reached == n {
            return Some(format!("{wanted_of_all} Reached for every kind of work."));
        }
        let mut parts = vec![wanted_of_all, format!("Reached for {reached} of {n} kinds of work.")];
        if !missed.is_empty() {
            parts.push(format!("Not reached: {}.", named(missed, wanted.precision)));
        }
        if !rare.is_empty() {
            parts.push(format!(
                "Rare (less than {} of all commands; they do not prolong the simulation): {}.",
                Fraction::new(wanted.rare),
                named(rare, wanted.precision)
            ));
        }
        parts.push(wanted.more());
        Some(parts.join(" "))
    }
}

impl Reached {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Yes => "reached",
            Self::No => "not reached",
            Self::Rare => "rare",
        }
    }
}

impl Wanted {
    /// That the limit of events ended the simulation.
    pub(super) fn limit(&self) -> String {
        format!("; it ended at its limit of {} events a replication", count(self.events_max))
    }

    /// How to ask for more.
    fn more(&self) -> String {
        let precision = Fraction::new(self.precision).to_string().replace(' ', "");
        if self.is_default {
            format!("`--precision {precision}` simulates longer, for rare kinds of work too.")
        } else if self.rare > 0.0 {
            format!("`--precision {precision}` includes rare kinds of work; a larger `--events` simulates longer.")
        } else {
            "A larger `--events` or more `--replications` make the intervals smaller.".to_owned()
        }
    }
}

/// Kinds of work that a sentence names.
const NAMED_MAX: usize = 4;

/// "30 million", "12345".
fn count(events: u64) -> String {
    const MILLION: u64 = 1_000_000;
    if events >= MILLION && events.is_multiple_of(MILLION) {
        format!("{} million", events / MILLION)
    } else {
        events.to_string()
    }
}

/// "large sync (seen 12 times, ± 30 %)": the least known first, and of many only these.
fn named(mut kinds: Vec<(&str, &ActivityOutcome)>, wanted: f64) -> String {
    let relative = |found: &ActivityOutcome| found.response.relative();
    kinds.sort_by(|(_, a), (_, b)| relative(b).total_cmp(&relative(a)));
    let shown = if kinds.len() > NAMED_MAX + 1 { NAMED_MAX } else { kinds.len() };
    let names = kinds[..shown].iter();
    let names = names.map(|(name, found)| format!("{name} ({})", seen(found, wanted)));
    let all = names.collect::<Vec<_>>().join(", ");
    if shown < kinds.len() {
        let more = kinds.len() - shown;
        return format!("{all}, and {more} more with smaller intervals");
    }
    all
}

/// "seen 12 times, ± 30 %", with as many digits as show that it is more than wanted.
fn seen(found: &ActivityOutcome, wanted: f64) -> String {
    let times = match found.completions {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let relative = found.response.relative();
    if !relative.is_finite() {
        format!("seen {times}, no interval")
    } else if relative > 1.0 {
        format!("seen {times}, ± > 100 %")
    } else {
        let shown = |digits: i32| significant(relative * 100.0, digits);
        let is_above = |digits: &i32| {
            let shown = shown(*digits).parse::<f64>();
            shown.is_ok_and(|shown| shown > wanted * 100.0)
        };
        let digits = (2..5).find(is_above).unwrap_or(5);
        format!("seen {times}, ± {} %", shown(digits))
    }
}

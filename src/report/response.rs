//! One kind of work at the peak as every face shows it: text, JSON, report and window read the same row.

use schemars::JsonSchema;
use serde::Serialize;

use super::peak::{between, kind_word, percent};
use super::prose::capital;
use crate::advisor::{Want, tightest};
use crate::page::{Cell, Tone};
use crate::sim::Estimate;
use crate::site::Site;
use crate::system::{ClassPrediction, Confirmation, Interval, Prediction, Simulated};
use crate::units::{BytesPerSecond, Seconds, grouped, significant, two_digits};
use crate::workload::{Clients, Work};

/// Parts below this share of a time are not named.
const PART_LEAST: f64 = 0.05;
/// How many parts are.
const PARTS_MOST: usize = 3;
/// Below this many completions the number is shown.
const SEEN_RARELY: u64 = 400;

/// A kind of work that people wait for.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Which it is.
    pub work: Work,
    /// "large sync (Montreal), 60 MB/s each".
    pub name: String,
    /// Mean response time.
    pub mean: String,
    /// 95th percentile.
    pub p95: String,
    /// Its 80 % interval, "700 ms to 2.1 s"; nothing where none was made.
    pub interval: String,
    /// "1.37 s ± 4 %": the 95th percentile in a simulation of the same; nothing without one.
    pub simulated: String,
    /// Completions a second.
    pub per_second: String,
    /// The largest parts of its time, "disks 80 %, locks 12 %".
    pub parts: String,
    /// What the site wants of it.
    pub target: Option<Judged>,
}

/// A target and whether it is met.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Judged {
    /// "3.8 s", "11 s (assumed)".
    pub limit: String,
    /// Who states it, or why it is assumed.
    pub origin: String,
    /// Whether the site does not state it.
    #[serde(rename = "assumed")]
    pub is_assumed: bool,
    /// Whether the estimate itself meets it.
    #[serde(rename = "met")]
    pub is_met: bool,
    /// Chance in percent that it is missed, where the 80 % interval crosses it.
    #[serde(rename = "chance_of_missing_percent")]
    pub risk: Option<u32>,
    /// Whether it waits for a resource that is busy all the time: the time is that of a load at the limit, and grows without end
    /// beyond it.
    pub at_limit: bool,
    /// The time over what is wanted: how near it is.
    #[serde(skip)]
    pub share: f64,
}

/// From so much of its time on a resource counts as busy all the time.
const FULL: f64 = 0.99;

impl Judged {
    /// A time of a kind of work beside what is wanted of it.
    pub fn of(want: &Want, time: Interval) -> Self {
        let assumed = if want.is_assumed { " (assumed)" } else { "" };
        Self {
            limit: format!("{}{assumed}", want.limit_shown()),
            origin: want.origin.to_string(),
            is_assumed: want.is_assumed,
            is_met: time.value <= want.limit,
            risk: time.chance_above(want.limit),
            at_limit: false,
            share: time.value / want.limit,
        }
    }

    /// "met" or "missed", or "may miss (30 %)" and "likely missed (57 %)" where the interval crosses the target; "at the limit" where
    /// it would be met but for what is busy all the time.
    pub fn verdict(&self) -> String {
        if self.at_limit {
            return "at the limit".to_owned();
        }
        match (self.risk, self.is_met) {
            (Some(risk), is_met) => crossed(risk, is_met),
            (None, true) => "met".to_owned(),
            (None, false) => "missed".to_owned(),
        }
    }
}

impl Judged {
    /// How it stands out: what the interval crosses is careful, met or not.
    pub fn tone(&self) -> Tone {
        match (self.risk, self.is_met) {
            _ if self.at_limit => Tone::Warning,
            (Some(_), _) => Tone::Warning,
            (None, true) => Tone::Good,
            (None, false) => Tone::Bad,
        }
    }

    /// "3.8 s: met", standing out as it does.
    pub fn cell(&self) -> Cell {
        Cell::plain(format!("{}: {}", self.limit, self.verdict())).toned(self.tone())
    }
}

/// A target that the interval crosses, with the chance of missing it in percent; the estimate meets it or not.
pub fn crossed(risk: u32, is_met: bool) -> String {
    let words = if is_met { "may miss" } else { "likely missed" };
    format!("{words} ({risk} %)")
}

/// Mark of a simulated time that stands in place of the solved one.
pub const SHOWN: &str = "*";

/// The kinds of work that people wait for; judged where a site is given.
pub fn responses(prediction: &Prediction, site: Option<&Site>) -> Vec<Response> {
    let awaited = prediction.classes.iter().filter(|c| c.work.is_awaited());
    awaited.map(|class| response(prediction, class, site)).collect()
}

fn response(prediction: &Prediction, class: &ClassPrediction, site: Option<&Site>) -> Response {
    let shown = |s: f64| Seconds::new(s).estimated();
    let rate = class.rate.filter(|_| class.work.is_large_sync());
    let each = rate.map_or(String::new(), |rate| format!(", {} each", BytesPerSecond::new(rate).estimated()));
    let interval = between(class.p95);
    Response {
        work: class.work.clone(),
        name: format!("{}{each}", class.name),
        mean: shown(class.mean.value),
        p95: shown(class.p95.value),
        interval,
        simulated: class.simulated.map_or(String::new(), simulated),
        per_second: if class.work.is_at_once() { String::new() } else { two_digits(class.throughput) },
        parts: parts(class).into_iter().take(PARTS_MOST).collect::<Vec<_>>().join(", "),
        target: site.and_then(|site| judged(site, prediction, class)),
    }
}

/// The parts of a time that matter, largest first: "disks 80 %".
pub fn parts(class: &ClassPrediction) -> Vec<String> {
    let spent: f64 = class.parts.iter().map(|(_, s)| s).sum();
    let parts = class.parts.iter().filter(|(_, s)| *s > PART_LEAST * spent);
    parts.map(|(kind, s)| format!("{} {}", kind_word(*kind), percent(s / spent))).collect()
}

fn judged(site: &Site, prediction: &Prediction, class: &ClassPrediction) -> Option<Judged> {
    let want = tightest(site, class)?;
    let judged = Judged::of(&want, class.p95);
    let mut full = prediction.busy().filter(|(_, used)| *used >= FULL);
    let spent: f64 = class.parts.iter().map(|(_, seconds)| seconds).sum();
    let waits_there = |kind| {
        let mut parts = class.parts.iter();
        parts.any(|(part, seconds)| *part == kind && *seconds > PART_LEAST * spent)
    };
    let at_limit = judged.is_met && full.any(|(resource, _)| waits_there(resource.kind()));
    Some(Judged { is_met: judged.is_met && !at_limit, at_limit, ..judged })
}

/// "1.37 s ± 4 %", with how often it was seen where that is rarely.
fn simulated(found: Simulated) -> String {
    let time = Seconds::new(found.p95.value);
    let error = off_by(found.p95);
    let seen = if found.seen < SEEN_RARELY {
        match found.seen {
            1 => ", seen once".to_owned(),
            n => format!(", seen {n} times"),
        }
    } else {
        String::new()
    };
    let mark = if found.is_shown { SHOWN } else { "" };
    format!("{time}{error}{seen}{mark}")
}

/// " ± 4 %", " ± over 100 %"; nothing where there is no interval.
fn off_by(found: Estimate) -> String {
    let relative = found.relative();
    match relative.is_finite() {
        true if relative > 1.0 => " ± over 100 %".to_owned(),
        true => format!(" ± {} %", significant(100.0 * relative, 1)),
        false => String::new(),
    }
}

/// How many long holds are shown, how many kinds of work that wait for one, and from which share on.
const HOLDS_SHOWN: usize = 3;
const MET_SHOWN: usize = 3;
const MET_LEAST: f64 = 0.001;
/// From which time on a hold of a long command is named however rare it is: a person notices it \[s\].
const LONG_LEAST: f64 = 1.0;

/// Long holds of table locks, how long and how often, and which commands wait for them: a sentence each, the
/// costliest first.
pub fn long_holds(prediction: &Prediction) -> Vec<String> {
    let sentences = prediction.long_holds.iter().filter_map(|hold| {
        let met = hold.met_by.iter().filter(|(_, share)| *share >= MET_LEAST);
        let met: Vec<String> = met
            .take(MET_SHOWN)
            .map(|(work, share)| format!("{} of {work}", percent(*share)))
            .collect();
        let times = hold.rate * 3600.0;
        let often = if times >= 1.05 {
            format!("{} times an hour", two_digits(times))
        } else {
            format!("once in {}", Seconds::new(1.0 / hold.rate).estimated())
        };
        let time = Seconds::new(hold.hold).estimated();
        let lock = &hold.lock;
        // Rare as they are, everybody who comes meanwhile waits.
        match hold.holder.clients {
            _ if hold.hold < LONG_LEAST => {}
            Clients::LiveCheckpoints => {
                return Some(format!(
                    "A {} holds all tables for {time}, {often}: commands that write wait for its end, and so do commands that lock a table behind them.",
                    hold.holder.what()
                ));
            }
            Clients::LongCommands => {
                let what = capital(hold.holder.what());
                let files = grouped(hold.files);
                return Some(format!(
                    "{what} of {files} files holds the lock {lock} for {time}, {often} at the peak: all commands that need the lock meanwhile wait for its end."
                ));
            }
            _ => {}
        }
        (!met.is_empty()).then(|| {
            let what = capital(&hold.holder.to_string());
            let met = met.join(", ");
            format!(
                "{what} holds the lock {lock} for {time}, {often}; commands that need the lock wait for that: {met}."
            )
        })
    });
    sentences.take(HOLDS_SHOWN).collect()
}

/// The simulation that confirms a prediction, in sentences; nothing where it was not requested.
pub fn confirmation(prediction: &Prediction) -> Option<String> {
    let how_much = |events: u64, time: f64| {
        format!("{} million events, {} of the peak", significant(events as f64 / 1e6, 2), Seconds::new(time))
    };
    Some(match prediction.confirmed.as_ref()? {
        Confirmation::Steady(found) => {
            let shown = prediction.classes.iter();
            let shown = shown.filter(|c| c.simulated.is_some_and(|s| s.is_shown));
            let names: Vec<&str> = shown.map(|c| c.name.as_str()).collect();
            let marked = if names.is_empty() {
                "Analytic and simulated times agree within the errors of both.".to_owned()
            } else {
                format!(
                    "{SHOWN} Where analytic and simulated times differ by more than both errors ({}), the simulated times \
                     are shown and judged.",
                    names.join(", ")
                )
            };
            format!(
                "Simulated: {}; ± is the 95 % interval of the simulation's randomness alone. {marked}",
                how_much(found.events, found.time)
            )
        }
        Confirmation::Failed(reason) => format!("Not confirmed by simulation: {reason}."),
    })
}

#[cfg(test)]
mod tests {
    use super::Judged;

    #[test]
    fn a_verdict_is_met_missed_or_a_chance() {
        let verdict = |risk, is_met| {
            let limit = String::new();
            Judged { origin: String::new(), is_assumed: false, limit, is_met, risk, at_limit: false, share: 0.0 }
                .verdict()
        };
        assert_eq!(verdict(None, true), "met");
        assert_eq!(verdict(None, false), "missed");
        assert_eq!(verdict(Some(30), true), "may miss (30 %)");
        assert_eq!(verdict(Some(57), false), "likely missed (57 %)");
    }
}

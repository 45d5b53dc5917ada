//! The load as a whole times a number, and what a change of people alone leaves as it is.
//!
//! `load=1.5` among the overrides, which `--load 1.5` and the window's slider of people write, takes so much more of every answer
//! in [`LOAD`]: people with their offices and connections, commands, submits, syncs, large syncs. What follows from people
//! (data, memory, cores) stays that of the people of the file: the same system under more load. Answers that are set after it
//! are taken as they are.

use crate::diag::{Diagnostic, Diagnostics, Place, SourceId};
use crate::document::edit;
use crate::units::{DAY, grouped, two_digits};

use super::answer::Answer;
use super::answerable::Answerable;
use super::fields::{Kind, field};
use super::observed::split;
use super::sections::{People, Workload};

/// The key of the override.
pub const LOAD_KEY: &str = "load";
/// The answers that are the load.
const LOAD: [&str; 9] = [
    "people.developers",
    "people.connections_at_peak",
    "people.site.developers",
    "workload.commands_per_day",
    "workload.submits_per_day",
    "workload.syncs_per_day",
    "workload.large_syncs_per_day",
    "workload.concurrent_syncs",
    "workload.long_commands_per_day",
];
/// What may be asked for.
const RANGE: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

/// Every `load=` of the overrides.
#[derive(Debug, Default)]
pub(super) struct Times(Vec<(SourceId, f64)>);

impl Times {
    /// Takes an override, if it is one of the load; reports one that is no number.
    pub(super) fn take(&mut self, text: &str, diagnostics: &mut Diagnostics) -> bool {
        let Some((_, raw)) = text.split_once('=').filter(|(key, _)| key.trim() == LOAD_KEY) else {
            return false;
        };
        let source = diagnostics.add_source("--load", text);
        match raw.trim().parse() {
            Ok(times) if RANGE.contains(&times) => self.0.push((source, times)),
            _ => diagnostics.push(
                Diagnostic::error("SIT020", "the load is taken 0.01 to 1000 times")
                    .at(source, 0..text.len(), "not such a number")
                    .help("write --load 1.5 for half as much again"),
            ),
        }
        true
    }

    /// How many times an answer at a place is taken; 1 of what is no load, or was set after it.
    pub(super) fn of(&self, path: &str, place: &Place) -> f64 {
        let later = self.0.iter().filter(|(source, _)| *source > place.source);
        let later = later.filter(|_| LOAD.contains(&path));
        later.map(|(_, times)| times).product()
    }

    /// All of them together.
    pub(super) fn all(&self) -> f64 {
        self.0.iter().map(|(_, times)| times).product()
    }
}

/// The load in a sentence, where it is taken some times; what a change of people alone leaves, where `before` people were in the
/// file and nothing else of the load was set.
pub(super) fn notes(
    times: &Times,
    before: Option<f64>,
    overrides: &[String],
    people: &People,
    workload: &Workload,
) -> Vec<String> {
    let mut notes = Vec::new();
    let all = times.all();
    let now = people.developers.value;
    let rate = &workload.large_syncs_per_day;
    let large = format!("{} large syncs a day", daily(rate.value.get()));
    if all != 1.0 {
        notes.push(format!(
            "Load: {} times that of the site file: {} people with {} connections, {} commands, {} submits and {} syncs a day, {large}.",
            two_digits(all),
            grouped(now),
            grouped(people.connections_at_peak.value),
            daily(workload.commands_per_day.value.get()),
            daily(workload.submits_per_day.value.get()),
            daily(workload.syncs_per_day.value.get()),
        ));
    }
    let set = |path: &str| {
        let mut keys = overrides.iter().filter_map(|text| text.split_once('='));
        keys.any(|(key, _)| key.trim() == path)
    };
    let others = LOAD.iter().filter(|path| **path != "people.developers");
    let alone = all == 1.0 && set("people.developers") && !others.into_iter().any(|path| set(path));
    if let Some(before) = before.filter(|before| alone && *before > 0.0 && *before != now) {
        let rates = [
            ("commands", &workload.commands_per_day),
            ("submits", &workload.submits_per_day),
            ("syncs", &workload.syncs_per_day),
        ];
        let (stay, follow): (Vec<_>, Vec<_>) = rates.into_iter().partition(|(_, r)| r.is_stated());
        let stay = stay.into_iter().map(|(what, rate)| {
            let a_day = rate.value.get() * DAY;
            format!(
                "{what} stay {} a day: {} for each person, {} before",
                grouped(a_day.round()),
                two_digits(a_day / now),
                two_digits(a_day / before)
            )
        });
        let mut said: Vec<String> = stay.collect();
        let of = |answer: &Answer<f64>, what: &'static str, said: &mut Vec<String>| {
            if answer.is_stated() {
                said.push(format!("{what} stay {}", answer.value.shown(Kind::Count)));
            } else {
                return Some(what);
            }
            None
        };
        let mut following: Vec<&str> = follow.into_iter().map(|(what, _)| what).collect();
        following.extend(of(&people.connections_at_peak, "connections", &mut said));
        // What was counted in flight is what clients want, however many people there are now.
        if rate.is_stated() || workload.concurrent_syncs.is_some() {
            said.push(format!("large syncs stay {} a day", daily(rate.value.get())));
        } else {
            following.push("large syncs");
        }
        if !following.is_empty() {
            said.push(format!("what is not stated follows the people: {}", following.join(", ")));
        }
        notes.push(format!(
            "People: {} in place of {}; {}. `--load {}` takes all of the load as many times.",
            grouped(now),
            grouped(before),
            said.join("; "),
            two_digits(now / before)
        ));
    }
    notes
}

fn daily(rate: f64) -> String {
    grouped((rate * DAY).round())
}

/// The answers of a text that are the load, each so many times as large: the field and its value as `--set` takes it.
pub fn taken(text: &str, times: f64) -> Vec<(String, String)> {
    let is_load = |path: &str| field(path).is_some_and(|field| LOAD.contains(&field.path));
    let values = edit::values(text).into_iter();
    let load = values.filter(|(path, ..)| is_load(path));
    let taken = load.filter_map(|(path, spelling, _)| {
        let (number, unit) = split(spelling.trim_matches('"'))?;
        let number = number * times;
        let is_rate = path.ends_with("_per_day");
        let number = if is_rate { (number * 1e6).round() / 1e6 } else { number.round() };
        Some((path, format!("{number}{unit}")))
    });
    taken.collect()
}

//! Pollers: the same user, address, program, function and pattern of arguments at regular intervals.

use std::collections::BTreeMap;

use super::ranking::{Cost, Ranking};
use super::{Tally, pattern};
use crate::serverlog::record::{Command, Moment};

/// Series that are watched at once.
const KEPT: usize = 4096;
/// Fewest calls of a poller.
const CALLS: u64 = 8;
/// Steps of intervals an octave: two neighbours span ± 26 %.
const STEPS: f64 = 3.0;
/// Steps from 1 s to two days.
const BUCKETS: usize = 54;
/// Longest interval of a poller \[s\]: what comes less often is a timetable.
const LONGEST_S: f64 = 600.0;
/// Share of the intervals that must lie in two neighbouring steps.
const REGULAR: f64 = 0.6;

/// One series of calls.
#[derive(Debug, Clone)]
struct Series {
    user: String,
    program: String,
    function: String,
    pattern: String,
    tally: Tally,
    first: Moment,
    last: Moment,
    /// Intervals by their length: how many, and their sum \[s\].
    intervals: [(u32, f32); BUCKETS],
}

impl Cost for Series {
    fn merge(&mut self, other: &Self) {
        self.tally.add(&other.tally);
    }

    fn weight(&self) -> f64 {
        self.tally.weight()
    }
}

/// Watches for pollers.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    series: Ranking<Series>,
    key: String,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            series: Ranking::new(KEPT),
            key: String::new(),
        }
    }
}

/// A poller: one user's program that calls the same again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Poller {
    /// The user.
    pub user: String,
    /// The program.
    pub program: String,
    /// The function.
    pub function: String,
    /// The pattern of its arguments.
    pub pattern: String,
    /// Addresses that it comes from.
    pub addresses: u64,
    /// The usual time between two calls from one address \[s\]: the mean of those that are regular.
    pub interval_s: f64,
    /// What its calls cost in this log.
    pub tally: Tally,
    /// From its first call to its last \[s\].
    pub span_s: f64,
}

impl Poller {
    /// What its calls cost a day, at the rate of the time in which it ran.
    pub fn per_day(&self, amount: f64) -> f64 {
        amount * 86_400.0 / (self.span_s + self.interval_s).max(1.0)
    }
}

impl Watch {
    /// A command that a person or script called.
    pub(super) fn add(&mut self, command: &Command, tally: &Tally, shape: &str) {
        self.key.clear();
        let parts = [
            &command.user,
            &command.address,
            &command.program,
            &command.function,
            shape,
        ];
        for part in parts {
            self.key.push_str(part);
            self.key.push('\n');
        }
        let series = self.series.entry(&self.key, || Series {
            user: command.user.clone(),
            program: command.program.clone(),
            function: command.function.clone(),
            pattern: shape.to_owned(),
            tally: Tally::default(),
            first: command.start,
            last: command.start,
            intervals: [(0, 0.0); BUCKETS],
        });
        if series.tally.commands > 0 {
            let apart = command.start.seconds_since(series.last);
            if apart >= 1.0 {
                let bucket = ((apart.log2() * STEPS).floor() as usize).min(BUCKETS - 1);
                let (count, sum) = &mut series.intervals[bucket];
                *count = count.saturating_add(1);
                *sum += apart as f32;
            }
        }
        series.first = series.first.min(command.start);
        series.last = series.last.max(command.start);
        series.tally.add(tally);
    }

    /// The pollers, those that cost most first.
    pub(super) fn found(&self) -> Vec<Poller> {
        let mut by_name: BTreeMap<[&str; 4], (Poller, Moment, Moment)> = BTreeMap::new();
        for (_, series) in self.series.all() {
            let Some(interval_s) = regular(series) else {
                continue;
            };
            let key = [
                series.user.as_str(),
                &series.program,
                &series.function,
                &series.pattern,
            ];
            let (poller, first, last) = by_name.entry(key).or_insert_with(|| {
                let poller = Poller {
                    user: series.user.clone(),
                    program: series.program.clone(),
                    function: series.function.clone(),
                    pattern: series.pattern.clone(),
                    addresses: 0,
                    interval_s,
                    tally: Tally::default(),
                    span_s: 0.0,
                };
                (poller, series.first, series.last)
            });
            poller.addresses += 1;
            poller.tally.add(&series.tally);
            poller.interval_s = poller.interval_s.min(interval_s);
            *first = (*first).min(series.first);
            *last = (*last).max(series.last);
        }
        let pollers = by_name.into_values().map(|(poller, first, last)| Poller {
            span_s: last.seconds_since(first),
            ..poller
        });
        let mut pollers: Vec<Poller> = pollers.collect();
        let commands = |p: &Poller| p.tally.commands;
        pollers.sort_by(|a, b| {
            let by_cost = b.tally.weight().total_cmp(&a.tally.weight());
            by_cost
                .then_with(|| commands(b).cmp(&commands(a)))
                .then_with(|| a.user.cmp(&b.user))
        });
        pollers
    }
}

/// The usual interval of a series that is regular.
fn regular(series: &Series) -> Option<f64> {
    let seen: u32 = series.intervals.iter().map(|(count, _)| count).sum();
    if series.tally.commands < CALLS || u64::from(seen) + 1 < CALLS {
        return None;
    }
    // Most of its calls must be so far apart: a burst of files each second is no poller.
    if u64::from(seen) * 2 < series.tally.commands {
        return None;
    }
    let both = |i: usize| {
        let (count, sum) = series.intervals[i];
        let (more, rest) = series.intervals.get(i + 1).copied().unwrap_or_default();
        (count + more, f64::from(sum) + f64::from(rest))
    };
    let pair = |i: usize| both(i).0;
    let best = (0..BUCKETS).fold(0, |best, i| if pair(i) > pair(best) { i } else { best });
    if f64::from(pair(best)) < REGULAR * f64::from(seen) {
        return None;
    }
    let (count, sum) = both(best);
    let mean = sum / f64::from(count);
    (mean <= LONGEST_S).then_some(mean)
}

/// The pattern of a command, with its function.
pub(super) fn shape(command: &Command) -> String {
    pattern(&command.arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(watch: &mut Watch, user: &str, seconds: impl Iterator<Item = i64>) {
        for second in seconds {
            let command = Command {
                user: user.to_owned(),
                program: "SWARM/2019.3".to_owned(),
                function: "user-changes".to_owned(),
                start: Moment {
                    micros: second * 1_000_000,
                },
                lapse_s: Some(0.1),
                ..Command::default()
            };
            watch.add(&command, &Tally::of(&command), "-m#");
        }
    }

    #[test]
    fn only_what_is_regular_is_a_poller() {
        let mut watch = Watch::default();
        feed(&mut watch, "regular", (0..100).map(|i| i * 30 + i % 2));
        feed(&mut watch, "fast", (0..100).map(|i| i * 2));
        feed(
            &mut watch,
            "person",
            (0..100).map(|i| i * i * i % 40_000 + i),
        );
        feed(&mut watch, "rare", (0..5).map(|i| i * 30));
        feed(&mut watch, "burst", (0..100).map(|i| i / 20));
        feed(&mut watch, "nightly", (0..100).map(|i| i * 3600));
        let found = watch.found();
        let users: Vec<&str> = found.iter().map(|p| p.user.as_str()).collect();
        assert_eq!(users, ["fast", "regular"]);
        let interval = found[1].interval_s;
        assert!((interval - 30.0).abs() < 0.2, "{interval}");
        assert_eq!(found[0].interval_s, 2.0);
        // Every two seconds is 43,200 times a day.
        let calls = found[0].per_day(found[0].tally.commands as f64);
        assert!((calls - 43_200.0).abs() < 1.0, "{calls}");
    }
}

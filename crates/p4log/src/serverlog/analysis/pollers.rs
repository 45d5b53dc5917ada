//! Pollers: the same question of one user, address and program, by function and pattern of arguments, at regular intervals.

use std::collections::BTreeMap;

use super::kinds::is_query;
use super::ranking::{Cost, Ranking};
use super::{Tally, pattern};
use crate::serverlog::record::{Command, Moment};

/// Series that are watched at once.
const KEPT: usize = 4096;
/// Fewest calls of a poller.
const CALLS: u64 = 8;
/// Time after which every poller has been seen, however rarely it asks: eight calls, ten minutes apart \[s\].
pub const SEEN_S: f64 = CALLS as f64 * LONGEST_S;
/// Steps of intervals an octave: two neighbours span ± 26 %.
const STEPS: f64 = 3.0;
/// Steps from 1 s to two days.
const BUCKETS: usize = 54;
/// Longest interval of a poller \[s\]: what comes less often is a timetable.
const LONGEST_S: f64 = 600.0;
/// Share of the intervals that must lie in two neighbouring steps, beyond the first seven, of which all must: of calls that
/// come at random one in six does, so that one series in a hundred thousand is taken for a poller.
const REGULAR: f64 = 0.6;

/// One series of calls.
#[derive(Debug, Clone)]
struct Series {
    user: String,
    program: String,
    function: String,
    pattern: String,
    tally: Tally,
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

/// What may be pollers, by how often they call.
#[derive(Debug, Clone)]
pub(super) struct PollerSearch {
    series: Ranking<Series>,
    key: String,
}

impl Default for PollerSearch {
    fn default() -> Self {
        Self { series: Ranking::new(KEPT), key: String::new() }
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
}

impl Poller {
    /// Calls in 24 hours in which it asks at its interval from each address.
    pub fn calls_per_day(&self) -> f64 {
        86_400.0 * self.addresses as f64 / self.interval_s.max(1.0)
    }

    /// What these calls cost, where those of this log cost `amount`.
    pub fn per_day(&self, amount: f64) -> f64 {
        amount / self.tally.commands.max(1) as f64 * self.calls_per_day()
    }
}

impl PollerSearch {
    /// A command that a person or script called.
    pub(super) fn add(&mut self, command: &Command, tally: &Tally, shape: &str) {
        if command.start.known().is_none() || !is_query(command) {
            return;
        }
        self.key.clear();
        let parts = [&command.user, &command.address, &command.program, &command.function, shape];
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
        series.last = series.last.max(command.start);
        series.tally.add(tally);
    }

    /// The pollers, those that cost most first.
    pub(super) fn found(&self) -> Vec<Poller> {
        // With the calls a second of all its addresses.
        let mut by_name: BTreeMap<[&str; 4], (Poller, f64)> = BTreeMap::new();
        for (_, series) in self.series.all() {
            let Some(interval_s) = regular(series) else {
                continue;
            };
            let key = [series.user.as_str(), &series.program, &series.function, &series.pattern];
            let (poller, rate) = by_name.entry(key).or_insert_with(|| {
                let poller = Poller {
                    user: series.user.clone(),
                    program: series.program.clone(),
                    function: series.function.clone(),
                    pattern: series.pattern.clone(),
                    addresses: 0,
                    interval_s,
                    tally: Tally::default(),
                };
                (poller, 0.0)
            });
            poller.addresses += 1;
            poller.tally.add(&series.tally);
            *rate += 1.0 / interval_s;
        }
        let pollers =
            by_name.into_values().map(|(poller, rate)| Poller { interval_s: poller.addresses as f64 / rate, ..poller });
        let mut pollers: Vec<Poller> = pollers.collect();
        let commands = |p: &Poller| p.tally.commands;
        pollers.sort_by(|a, b| {
            let by_cost = b.tally.weight().total_cmp(&a.tally.weight());
            by_cost.then_with(|| commands(b).cmp(&commands(a))).then_with(|| a.user.cmp(&b.user))
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
    let (count, sum) = both(best);
    let first = (CALLS - 1) as f64;
    if f64::from(count) < first + REGULAR * (f64::from(seen) - first) {
        return None;
    }
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

    fn feed(watch: &mut PollerSearch, user: &str, seconds: impl Iterator<Item = i64>) {
        for second in seconds {
            let command = Command {
                user: user.to_owned(),
                program: "SWARM/2019.3".to_owned(),
                function: "user-changes".to_owned(),
                start: Moment { micros: (86_400 + second) * 1_000_000 },
                lapse_s: Some(0.1),
                ..Command::default()
            };
            watch.add(&command, &Tally::of(&command), "-m#");
        }
    }

    #[test]
    fn only_what_is_regular_is_a_poller() {
        let mut watch = PollerSearch::default();
        feed(&mut watch, "regular", (0..100).map(|i| i * 30 + i % 2));
        feed(&mut watch, "fast", (0..100).map(|i| i * 2));
        feed(&mut watch, "person", (0..100).map(|i| i * i * i % 40_000 + i));
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
        let calls = found[0].calls_per_day();
        assert!((calls - 43_200.0).abs() < 1.0, "{calls}");
        assert!((found[0].per_day(10.0) - 4320.0).abs() < 0.1);
    }

    #[test]
    fn eight_calls_at_random_are_no_poller() {
        // Five of seven intervals are alike.
        let mut watch = PollerSearch::default();
        let at = [0, 60, 125, 187, 190, 250, 420, 481];
        feed(&mut watch, "person", at.into_iter());
        feed(&mut watch, "poller", (0..8).map(|i| i * 60));
        let found = watch.found();
        let users: Vec<&str> = found.iter().map(|p| p.user.as_str()).collect();
        assert_eq!(users, ["poller"]);
    }
}

//! What can be seen of a rehearsal while it runs: what goes on, and commands with their time, by kind of work.
//!
//! A command that ends adds to two counters of its kind, without a lock; the window reads them now and then.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How far a rehearsal is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// What goes on.
    pub doing: &'a str,
    /// The share of it that is done.
    pub done: f64,
    /// The load, while it is driven.
    pub live: Option<Live<'a>>,
}

/// A load that is being driven.
#[derive(Debug, Clone, Copy)]
pub struct Live<'a> {
    /// Since it began.
    pub past: Duration,
    /// The mean response that the model predicts for each kind of work \[s\], in the order of [`super::Plan::kinds`]; none where it
    /// predicts none.
    pub predicted: &'a [Option<f64>],
    pub(super) counters: &'a Counters,
}

impl Live<'_> {
    /// Commands since the begin, by kind of work. None of clients on another host, which sends them at the end.
    pub fn counts(&self) -> Vec<Count> {
        self.counters.0.iter().map(Counter::read).collect()
    }
}

/// Commands of a kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Count {
    /// How many ended.
    pub commands: u64,
    /// All their responses together \[s\].
    pub response_s: f64,
}

/// A counter for each kind of work.
#[derive(Debug, Default)]
pub(super) struct Counters(Vec<Counter>);

#[derive(Debug, Default)]
struct Counter {
    commands: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Counter {
    /// The two are read one after the other: a command that ends in between counts with its time at the next reading.
    fn read(&self) -> Count {
        Count {
            commands: self.commands.load(Ordering::Relaxed),
            response_s: self.nanoseconds.load(Ordering::Relaxed) as f64 * 1e-9,
        }
    }
}

impl Counters {
    pub(super) fn of(kinds: usize) -> Self {
        Self((0..kinds).map(|_| Counter::default()).collect())
    }

    /// Counts a command that ended.
    pub(super) fn count(&self, kind: usize, response: f64) {
        if let Some(counter) = self.0.get(kind) {
            counter.commands.fetch_add(1, Ordering::Relaxed);
            let nanoseconds = (response * 1e9) as u64;
            counter
                .nanoseconds
                .fetch_add(nanoseconds, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_counted_by_kind() {
        let counters = Counters::of(2);
        counters.count(0, 0.5);
        counters.count(0, 0.25);
        counters.count(7, 1.0);
        let live = Live {
            past: Duration::ZERO,
            predicted: &[],
            counters: &counters,
        };
        let counts = live.counts();
        assert_eq!(counts[0].commands, 2);
        assert!((counts[0].response_s - 0.75).abs() < 1e-9);
        assert_eq!(counts[1], Count::default());
    }
}

//! How long each part of an operation takes, counted by the thread that does it.

use std::time::{Duration, Instant};

use crate::stats::Histogram;

/// A part of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All of it, from its start; in the open loop from when it was due.
    Whole,
    /// Handing bytes to the system.
    Write,
    /// Until the system says that they are safe.
    Commit,
    /// Getting bytes.
    Read,
    /// Waiting for a lock; where there are readers, a shared one.
    Lock,
    /// Waiting for an exclusive lock among readers.
    Exclusive,
    /// Giving locks back.
    Unlock,
    /// Creating and writing a small file.
    Create,
    /// Opening and closing it.
    Open,
    /// Asking for its attributes.
    Stat,
    /// Renaming it.
    Rename,
    /// Removing it.
    Unlink,
    /// Done at once after the one before.
    AtOnce,
    /// Done after a pause in which nothing was.
    After300us,
    /// The same.
    After1ms,
    /// The same.
    After3ms,
    /// The same.
    After10ms,
    /// The same.
    After100ms,
}

impl Part {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 18] = [
        Self::Whole,
        Self::Write,
        Self::Commit,
        Self::Read,
        Self::Lock,
        Self::Exclusive,
        Self::Unlock,
        Self::Create,
        Self::Open,
        Self::Stat,
        Self::Rename,
        Self::Unlink,
        Self::AtOnce,
        Self::After300us,
        Self::After1ms,
        Self::After3ms,
        Self::After10ms,
        Self::After100ms,
    ];

    /// As result files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Write => "write",
            Self::Commit => "commit",
            Self::Read => "read",
            Self::Lock => "lock",
            Self::Exclusive => "exclusive",
            Self::Unlock => "unlock",
            Self::Create => "create",
            Self::Open => "open",
            Self::Stat => "stat",
            Self::Rename => "rename",
            Self::Unlink => "unlink",
            Self::AtOnce => "at-once",
            Self::After300us => "after-300us",
            Self::After1ms => "after-1ms",
            Self::After3ms => "after-3ms",
            Self::After10ms => "after-10ms",
            Self::After100ms => "after-100ms",
        }
    }
}

/// What a thread saw: a histogram for each part, and the longest of each.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// By the number of the part; made when the first value comes.
    parts: Vec<Option<(Histogram, f64)>>,
}

impl Default for Seen {
    fn default() -> Self {
        Self { parts: vec![None; Part::ALL.len()] }
    }
}

impl Seen {
    #[inline]
    fn record(&mut self, part: Part, seconds: f64) {
        let (histogram, longest) = self.parts[part as usize].get_or_insert_with(|| (Histogram::new(), 0.0));
        histogram.record(seconds);
        *longest = longest.max(seconds);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (ours, theirs) in self.parts.iter_mut().zip(&other.parts) {
            let Some((histogram, longest)) = theirs else {
                continue;
            };
            let (sum, most) = ours.get_or_insert_with(|| (Histogram::new(), 0.0));
            sum.merge(histogram);
            *most = most.max(*longest);
        }
    }

    /// Histogram and longest \[s\] of a part that was seen.
    pub(super) fn part(&self, part: Part) -> Option<&(Histogram, f64)> {
        self.parts[part as usize].as_ref()
    }

    /// Operations.
    pub(super) fn operations(&self) -> u64 {
        self.part(Part::Whole).map_or(0, |(h, _)| h.count())
    }
}

/// A thread's watch: one reading of the clock for each mark.
#[derive(Debug)]
pub(super) struct Stopwatch {
    begun: Instant,
    last: Instant,
    pub(super) seen: Seen,
}

/// Benchmarks alone read the clock.
#[expect(clippy::disallowed_methods, reason = "time is what is measured")]
#[inline]
pub fn now() -> Instant {
    Instant::now()
}

impl Stopwatch {
    pub(super) fn new() -> Self {
        let begun = now();
        Self { begun, last: begun, seen: Seen::default() }
    }

    /// An operation begins where the last one ended.
    #[inline]
    pub(super) fn begin_at_last(&mut self) {
        self.begun = self.last;
    }

    /// An operation begins, and was due at `due` if that is earlier than `start`.
    #[inline]
    pub(super) fn begin(&mut self, start: Instant, due: Instant) {
        self.last = start;
        self.begun = due.min(start);
    }

    /// What lies between two operations is nobody's time.
    #[inline]
    pub(super) fn skip(&mut self) {
        let now = now();
        self.begun += now - self.last;
        self.last = now;
    }

    /// A part ends.
    #[inline]
    pub(super) fn mark(&mut self, part: Part) {
        let now = now();
        self.seen.record(part, (now - self.last).as_secs_f64());
        self.last = now;
    }

    /// A part ends that another watch timed; the rest is nobody's time.
    pub(super) fn note(&mut self, part: Part, time: Duration) {
        let now = now();
        self.seen.record(part, time.as_secs_f64());
        self.begun += (now - self.last).saturating_sub(time);
        self.last = now;
    }

    /// What the operation took so far that is somebody's.
    #[inline]
    pub(super) fn spent(&self) -> Duration {
        self.last - self.begun
    }

    /// The operation ended with its last part.
    #[inline]
    pub(super) fn end(&mut self) -> Instant {
        self.seen.record(Part::Whole, self.spent().as_secs_f64());
        self.last
    }
}

//! What is kept of a run: batches for the intervals, totals for the rest.

use super::engine::lock::{LockAreas, UserCounts};
use super::outcome::Stopped;
use super::piling::Pile;
use super::program::LockUse;
use crate::stats::Histogram;
use crate::stats::batch;

/// A batch: sums over one stretch of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// Its length \[s\].
    pub(super) time: f64,
    /// Of classes, then of activities.
    pub(super) timings: Vec<TimingSums>,
    /// Integral of the number of each class in the system \[s\].
    pub(super) numbers: Vec<f64>,
    pub(super) stations: Vec<StationSums>,
    pub(super) locks: Vec<LockAreas>,
    /// Integrals of what is taken of each pool and of who waits for it \[s\].
    pub(super) pools: Vec<(f64, f64)>,
    /// Hits and references of each cache.
    pub(super) caches: Vec<(u64, u64)>,
}

/// Response times in a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct TimingSums {
    pub(super) count: u64,
    pub(super) sum: f64,
    /// Sum of what was drawn for their sizes, over its mean, less 1.
    pub(super) control: f64,
    pub(super) histogram: Histogram,
}

/// A station in a batch, or a class at one over all batches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StationSums {
    /// Visits that ended.
    pub(super) count: u64,
    /// Integral of the number present \[s\].
    pub(super) area: f64,
    /// Integral of the busy servers \[s\].
    pub(super) busy: f64,
}

/// What needs no interval, over all batches.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    /// By station, then by class.
    pub(super) cells: Vec<StationSums>,
    /// Waited for locks, and the longest response, of classes and then activities \[s\].
    pub(super) timings: Vec<(f64, f64)>,
    /// By lock.
    pub(super) locks: Vec<LockTotals>,
}

/// A lock over all batches.
#[derive(Clone, Debug, Default)]
pub(super) struct LockTotals {
    pub(super) users: Vec<(LockUse, UserCounts)>,
    /// Activities that use it, and the waited time by victim and culprit \[s\].
    pub(super) actors: Vec<Option<usize>>,
    pub(super) blame: Vec<f64>,
}

/// What went on in equal pieces of time; by activity, station or lock, then by piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub(super) piece: f64,
    pub(super) completions: Vec<Vec<u64>>,
    pub(super) response: Vec<Vec<f64>>,
    pub(super) utilization: Vec<Vec<f64>>,
    pub(super) lock_waiting: Vec<Vec<f64>>,
}

/// One run with its own random streams: what [`fold`](super::fold()) makes an outcome of.
#[derive(Clone, Debug, Default)]
pub struct Replication {
    pub(super) batches: Vec<Batch>,
    pub(super) totals: Totals,
    pub(super) pieces: Option<Pieces>,
    pub(super) warm_up: f64,
    pub(super) events: u64,
    pub(super) stopped: Stopped,
    pub(super) pile: Option<Pile>,
}

impl TimingSums {
    /// What the interval of the mean response is made of: the sum, the count, the control.
    pub(super) fn observed(&self) -> [f64; 3] {
        [self.sum, self.count as f64, self.control]
    }
}

impl Replication {
    /// Why it ended.
    pub fn stopped(&self) -> Stopped {
        self.stopped
    }

    /// Warm-up that was left out \[s\].
    pub fn warm_up(&self) -> f64 {
        self.warm_up
    }

    /// Simulated time that was measured \[s\].
    pub fn time(&self) -> f64 {
        self.batches.iter().map(|batch| batch.time).sum()
    }

    /// Events: arrivals from outside and ends of services and of thinking.
    pub fn events(&self) -> u64 {
        self.events
    }
}

impl batch::Batch for Batch {
    fn absorb(&mut self, next: Self) {
        self.time += next.time;
        for (ours, theirs) in self.timings.iter_mut().zip(&next.timings) {
            ours.count += theirs.count;
            ours.sum += theirs.sum;
            ours.control += theirs.control;
            ours.histogram.merge(&theirs.histogram);
        }
        for (ours, theirs) in self.numbers.iter_mut().zip(&next.numbers) {
            *ours += theirs;
        }
        for (ours, theirs) in self.stations.iter_mut().zip(&next.stations) {
            ours.add(theirs);
        }
        for (ours, theirs) in self.locks.iter_mut().zip(&next.locks) {
            ours.exclusive += theirs.exclusive;
            ours.shared += theirs.shared;
            ours.waiting += theirs.waiting;
        }
        for (ours, theirs) in self.pools.iter_mut().zip(&next.pools) {
            *ours = (ours.0 + theirs.0, ours.1 + theirs.1);
        }
        for (ours, theirs) in self.caches.iter_mut().zip(&next.caches) {
            *ours = (ours.0 + theirs.0, ours.1 + theirs.1);
        }
    }
}

impl StationSums {
    pub(super) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.area += other.area;
        self.busy += other.busy;
    }
}

//! Results of a change: response times, curves, how busy everything is, waits at locks.

use crate::advisor::Driver;
use crate::page::Whisker;
use crate::page::{ChartData, Series};
use crate::report::response::Judged;

/// What a change does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// Why there is no steady state with the change.
    pub saturated: Option<String>,
    /// Which server lacks memory with the change.
    pub short: Option<String>,
    /// How much more load it carries, in a sentence.
    pub carries: String,
    /// Response times.
    pub rows: Vec<Row>,
    /// Response times over the load.
    pub charts: Vec<Chart>,
    /// Resources, the busiest with the change first.
    pub busy: Vec<Busy>,
    /// Locks, the longest wait with the change first.
    pub locks: Vec<LockWait>,
    /// How far the simulation is.
    pub simulation: String,
}

/// Whether something became better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    /// Faster.
    Better,
    /// As before.
    Same,
    /// Slower.
    Worse,
}

/// A kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name, and that the mean is shown where it is not the 95th percentile.
    pub name: String,
    /// Without the change; empty where there was none.
    pub before: String,
    /// With it; empty where there is no steady state.
    pub after: String,
    /// The 80 % interval of `after`.
    pub interval: String,
    /// "1.4 × slower".
    pub factor: String,
    /// Which way.
    pub trend: Trend,
    /// The target, met, missed or at risk.
    pub target: Option<Judged>,
    /// "± 4 %" where `after` is simulated: its 95 % interval of chance alone. Nothing where it is solved.
    pub simulated: String,
    /// What it depends on most.
    pub driver: Option<Driver>,
}

/// A chart with the lines of before and what was simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// With the change.
    pub data: ChartData,
    /// Without it; nothing where nothing was changed.
    pub before: Vec<Series>,
    /// Simulated at the peak.
    pub whiskers: Vec<Whisker>,
}

/// How busy a resource is.
#[derive(Debug, Clone, PartialEq)]
pub struct Busy {
    /// Its name.
    pub name: String,
    /// Busy fraction before; `None` where there was no such thing.
    pub before: Option<f64>,
    /// Busy fraction with the change.
    pub after: Option<f64>,
    /// What it depends on most.
    pub driver: Option<Driver>,
}

/// Waiting at a lock.
#[derive(Debug, Clone, PartialEq)]
pub struct LockWait {
    /// Table and server.
    pub name: String,
    /// Mean wait of writers before.
    pub before: String,
    /// Mean wait of writers with the change.
    pub after: String,
    /// Mean wait of readers with the change.
    pub readers: String,
    /// Which way the wait of writers went.
    pub trend: Trend,
    /// What it depends on most.
    pub driver: Option<Driver>,
}

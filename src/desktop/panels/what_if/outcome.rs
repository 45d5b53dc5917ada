//! Results of a change: response times, curves, how busy everything is, waits at locks.

use crate::page::{ChartData, Series, Table, Whisker};

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
    pub times: Table,
    /// Response times over the load.
    pub charts: Vec<Chart>,
    /// Resources, the busiest with the change first.
    pub busy: Table,
    /// Locks, the longest wait with the change first.
    pub locks: Table,
    /// How far the simulation is.
    pub simulation: String,
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

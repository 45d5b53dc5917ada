//! How long to simulate, and who may stop it.

/// How a simulation is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Seed of all random streams: the same for alternatives that are compared (common random numbers).
    pub seed: u64,
    /// How long.
    pub span: Span,
    /// Confidence of the intervals, such as 0.95.
    pub confidence: f64,
    /// Most events of one replication; a run that reaches it says so.
    pub events_max: u64,
}

/// How long.
#[derive(Clone, Debug, PartialEq)]
pub enum Span {
    /// Until the means are known: a warm-up that is found, then batches until every class' mean response
    /// time has a relative half-width of `precision`.
    Steady {
        /// Relative half-width of the intervals, such as 0.05.
        precision: f64,
    },
    /// A steady state over a given time: the warm-up is found, the rest measured.
    SteadyFor {
        /// Simulated time, warm-up included \[s\].
        time: f64,
    },
    /// From an empty system to a given time, such as a day: nothing is left out.
    Until {
        /// Simulated time \[s\].
        time: f64,
        /// Length of a piece of the time series \[s\].
        piece: f64,
    },
}

/// How far a replication is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Events so far.
    pub events: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Worst relative half-width so far; none while there is no interval.
    pub precision: Option<f64>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            seed: 1,
            span: Span::Steady { precision: 0.05 },
            confidence: 0.95,
            events_max: 2_000_000_000,
        }
    }
}

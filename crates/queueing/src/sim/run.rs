//! How long to simulate, and who may stop it.

use super::validate::{Checked, check};

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
    /// Of what the means must be known before a steady state ends.
    pub means: Means,
    /// What has a smaller share of all completions is rare: a steady state is not simulated on until its
    /// mean is known too.
    pub rare: f64,
}

/// Of what the means must be known before a steady state ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Means {
    /// Classes and activities.
    All,
    /// Activities alone: the mean of a class that does many unlike things is of no use, and takes longer.
    Activities,
}

/// How long.
#[derive(Clone, Debug, PartialEq)]
pub enum Span {
    /// Until the means are known: a warm-up that is found, then batches until the mean response time of
    /// each class and activity that is not rare has a relative half-width of `precision`.
    Steady {
        /// Relative half-width of the intervals, such as 0.05.
        precision: f64,
    },
    /// A steady state over a given time: the warm-up is found, the rest measured.
    SteadyFor {
        /// Simulated time, warm-up included \[s\].
        time: f64,
    },
    /// A steady state over a given stretch: alternatives that are compared are measured at the same time.
    Window {
        /// When the measurement begins; what was before is left out \[s\].
        from: f64,
        /// When it ends \[s\].
        until: f64,
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
            means: Means::All,
            rare: 0.01,
        }
    }
}

impl Run {
    /// Whether it can be run; the error names what is wrong.
    pub fn validate(&self) -> Checked {
        let (confidence, is_length) = (self.confidence, |t: f64| t.is_finite() && t > 0.0);
        check(0.0 < confidence && confidence < 1.0, || {
            format!("the confidence is {confidence}; it must lie between 0 and 1")
        })?;
        match self.span {
            Span::Steady { precision } => {
                check(is_length(precision), || format!("the precision is {precision}; it must be above 0"))
            }
            Span::SteadyFor { time } => {
                check(is_length(time), || format!("the time to simulate is {time} s; it must be above 0"))
            }
            Span::Window { from, until } => check(from >= 0.0 && until.is_finite() && from < until, || {
                format!("the measurement is from {from} s to {until} s; it must begin at 0 or later and end after that")
            }),
            Span::Until { time, piece } => check(is_length(time) && is_length(piece), || {
                format!("the time to simulate is {time} s in pieces of {piece} s; both must be above 0")
            }),
        }
    }
}

//! Distributions of times, by mean and shape.

/// How a random time is distributed; means in seconds, all of them finite and not negative.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same.
    Constant(f64),
    /// Exponential: c² = 1.
    Exponential {
        /// Mean \[s\].
        mean: f64,
    },
    /// Sum of `phases` exponentials: c² = 1/phases.
    Erlang {
        /// Mean \[s\].
        mean: f64,
        /// Phases, k, at least 1.
        phases: u32,
    },
    /// One of two exponentials with balanced means (Allen 1990): c² ≥ 1.
    Hyperexponential {
        /// Mean \[s\].
        mean: f64,
        /// Squared coefficient of variation, c², at least 1.
        scv: f64,
    },
    /// Exponential phases one after the other; after each one the next follows with the given
    /// probability.
    Coxian {
        /// Mean of each phase \[s\].
        phases: Vec<f64>,
        /// Probability that the next phase follows; one entry fewer than phases.
        continues: Vec<f64>,
    },
    /// Evenly between two bounds.
    Uniform {
        /// Least \[s\].
        low: f64,
        /// Greatest \[s\].
        high: f64,
    },
    /// Logarithm normal: sizes of files and of changelists.
    Lognormal {
        /// Mean \[s\].
        mean: f64,
        /// Squared coefficient of variation, c².
        scv: f64,
    },
}

impl Distribution {
    /// The usual choice for a mean and a squared coefficient of variation c²: constant at 0,
    /// exponential at 1, Erlang below where 1/c² is whole, hyperexponential above, else lognormal.
    ///
    /// ```
    /// use plimsoll_queueing::sim::Distribution;
    /// assert_eq!(Distribution::of(2.0, 0.25), Distribution::Erlang { mean: 2.0, phases: 4 });
    /// assert_eq!(Distribution::of(2.0, 1.0), Distribution::Exponential { mean: 2.0 });
    /// ```
    pub fn of(mean: f64, scv: f64) -> Self {
        if scv == 0.0 || mean == 0.0 {
            Self::Constant(mean)
        } else if scv == 1.0 {
            Self::Exponential { mean }
        } else if scv > 1.0 {
            Self::Hyperexponential { mean, scv }
        } else if (1.0 / scv).fract() < 1e-9 && scv > 1e-3 {
            let phases = (1.0 / scv).round() as u32;
            Self::Erlang { mean, phases }
        } else {
            Self::Lognormal { mean, scv }
        }
    }

    /// Mean \[s\].
    pub fn mean(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Exponential { mean }
            | Self::Erlang { mean, .. }
            | Self::Hyperexponential { mean, .. }
            | Self::Lognormal { mean, .. } => *mean,
            Self::Coxian { phases, continues } => {
                let (mut reached, mut sum) = (1.0, 0.0);
                for (idx, phase) in phases.iter().enumerate() {
                    sum += reached * phase;
                    reached *= continues.get(idx).copied().unwrap_or(0.0);
                }
                sum
            }
            Self::Uniform { low, high } => f64::midpoint(*low, *high),
        }
    }

    /// Squared coefficient of variation, c²; 0 where the mean is 0.
    pub fn scv(&self) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Exponential { .. } => 1.0,
            Self::Erlang { phases, .. } => 1.0 / f64::from(*phases),
            Self::Hyperexponential { scv, .. } | Self::Lognormal { scv, .. } => *scv,
            Self::Coxian { phases, continues } => {
                // E[T²] of the rest from phase i on: 2m² + 2m·p·E[rest] + p·E[rest²].
                let (mut first, mut second) = (0.0, 0.0);
                for (idx, mean) in phases.iter().enumerate().rev() {
                    let onwards = continues.get(idx).copied().unwrap_or(0.0);
                    second = 2.0 * mean * mean + onwards * (2.0 * mean * first + second);
                    first = mean + onwards * first;
                }
                if first > 0.0 { second / (first * first) - 1.0 } else { 0.0 }
            }
            Self::Uniform { low, high } => {
                let mean = f64::midpoint(*low, *high);
                if mean > 0.0 { (high - low) * (high - low) / (12.0 * mean * mean) } else { 0.0 }
            }
        }
    }

    /// The same, `factor` times as long.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(value * factor),
            Self::Exponential { mean } => Self::Exponential { mean: mean * factor },
            Self::Erlang { mean, phases } => Self::Erlang { mean: mean * factor, phases: *phases },
            Self::Hyperexponential { mean, scv } => Self::Hyperexponential { mean: mean * factor, scv: *scv },
            Self::Coxian { phases, continues } => {
                Self::Coxian { phases: phases.iter().map(|mean| mean * factor).collect(), continues: continues.clone() }
            }
            Self::Uniform { low, high } => Self::Uniform { low: low * factor, high: high * factor },
            Self::Lognormal { mean, scv } => Self::Lognormal { mean: mean * factor, scv: *scv },
        }
    }
}

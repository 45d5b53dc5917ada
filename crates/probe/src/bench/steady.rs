//! Whether rounds found a steady state.
//!
//! The criterion is that of SNIA's "Solid State Storage Performance Test Specification" (version 2.0.2, 2020,
//! definition of steady state): over five rounds no value lies further from their mean than the range of 20 %
//! allows, and the line through them moves by no more than 10 % of the mean. Fewer rounds are judged alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the rounds of a test say about each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Within the criterion.
    Steady,
    /// They scatter more than it allows.
    Noisy,
    /// They move in one direction.
    Drifting,
    /// They began fast and fell: a cache that fills, or credits that run out.
    Burst,
    /// A commit came back faster than any device can make it safe.
    NotDurable,
    /// Too few rounds to tell.
    Unknown,
}

impl Verdict {
    /// As people read it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Noisy => "noisy",
            Self::Drifting => "drifting",
            Self::Burst => "burst",
            Self::NotDurable => "not durable",
            Self::Unknown => "unknown",
        }
    }
}

/// Greatest range of the rounds, as a share of their mean.
const RANGE_MAX: f64 = 0.20;
/// Greatest way of the line through them, as a share of their mean.
const DRIFT_MAX: f64 = 0.10;
/// The first round over the last from which on it is a burst.
const BURST: f64 = 1.5;
/// Rounds that a verdict needs.
const ROUNDS_MIN: usize = 3;

/// Judges the rates of rounds in the order in which they ran.
///
/// ```
/// use plimsoll_probe::bench::{Verdict, judge};
/// assert_eq!(judge(&[100.0, 104.0, 99.0, 101.0, 102.0]), Verdict::Steady);
/// assert_eq!(judge(&[300.0, 290.0, 140.0, 100.0, 100.0]), Verdict::Burst);
/// ```
pub fn judge(rates: &[f64]) -> Verdict {
    if rates.len() < ROUNDS_MIN {
        return Verdict::Unknown;
    }
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    if mean <= 0.0 || !mean.is_finite() {
        return Verdict::Unknown;
    }
    let (first, last) = (rates[0], rates[rates.len() - 1]);
    if first >= BURST * last {
        return Verdict::Burst;
    }
    let middle = (n - 1.0) / 2.0;
    let (mut up, mut across) = (0.0, 0.0);
    for (place, rate) in rates.iter().enumerate() {
        let x = place as f64 - middle;
        up += x * rate;
        across += x * x;
    }
    let drift = (up / across * (n - 1.0)).abs() / mean;
    let highest = rates.iter().copied().fold(f64::MIN, f64::max);
    let lowest = rates.iter().copied().fold(f64::MAX, f64::min);
    let range = (highest - lowest) / mean;
    let falls_or_rises = rates.windows(2).all(|w| w[0] <= w[1]) || rates.windows(2).all(|w| w[0] >= w[1]);
    if range <= RANGE_MAX && drift <= DRIFT_MAX {
        Verdict::Steady
    } else if drift > DRIFT_MAX && (falls_or_rises || drift >= 0.8 * range) {
        Verdict::Drifting
    } else {
        Verdict::Noisy
    }
}

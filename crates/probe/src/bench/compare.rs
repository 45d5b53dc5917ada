//! Two result files against each other: which tests differ, by how much, and whether chance could do that.
//!
//! Each test's rounds are independent observations of one rate. The ratio's interval is Welch's for the
//! difference of the means of the logarithms (B. L. Welch, "The generalization of 'Student's' problem when
//! several different population variances are involved", Biometrika 34, 1947), so that a ratio of 1/2 weighs
//! as much as one of 2.

use super::result::{Measured, Tested};
use crate::stats::student_t;

/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;
/// A ratio nearer to 1 than this is of no interest, however certain.
const SAME: f64 = 0.05;

/// What two results say about a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// The second is faster, beyond chance.
    Faster,
    /// The second is slower, beyond chance.
    Slower,
    /// They differ by less than 5 %, and chance is not more than that.
    Same,
    /// Chance could do it.
    Unclear,
}

impl Compared {
    /// As people read it, of the second against the first.
    pub fn title(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Same => "the same",
            Self::Unclear => "cannot be told",
        }
    }
}

/// A test that both have.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Its id.
    pub id: String,
    /// Operations a second in the first and in the second.
    pub iops: [f64; 2],
    /// The second over the first.
    pub ratio: f64,
    /// Ends of its interval; none with fewer than two rounds.
    pub interval: Option<[f64; 2]>,
    /// What that says.
    pub verdict: Compared,
}

/// Every test that both have, in the order of the first.
pub fn compare(first: &Measured, second: &Measured) -> Vec<Comparison> {
    first
        .tests
        .iter()
        .filter(|test| test.iops > 0.0)
        .filter_map(|test| Some(compared(test, second.test(&test.id)?)))
        .collect()
}

/// What differs around the tests, so that a reader may know why they do.
pub fn differences(first: &Measured, second: &Measured) -> Vec<String> {
    let mut all = first.environment.differences(&second.environment);
    if first.settings.file_bytes != second.settings.file_bytes {
        all.push("size of the file".to_owned());
    }
    if first.settings.uncached != second.settings.uncached {
        all.push("how the device was reached".to_owned());
    }
    if first.tool != second.tool {
        all.push("version of the tool".to_owned());
    }
    all
}

fn compared(first: &Tested, second: &Tested) -> Comparison {
    let ratio = second.iops / first.iops;
    let interval = interval(&first.rounds, &second.rounds);
    let verdict = match interval {
        Some([low, _]) if low > 1.0 && ratio > 1.0 + SAME => Compared::Faster,
        Some([_, high]) if high < 1.0 && ratio < 1.0 - SAME => Compared::Slower,
        Some([low, high]) if low > 1.0 - 2.0 * SAME && high < 1.0 + 2.0 * SAME => Compared::Same,
        _ => Compared::Unclear,
    };
    Comparison { id: first.id.clone(), iops: [first.iops, second.iops], ratio, interval, verdict }
}

/// Mean, squared standard error and degrees of freedom of the logarithms.
fn moments(rates: &[f64]) -> Option<(f64, f64, f64)> {
    let logs: Vec<f64> = rates.iter().filter(|r| **r > 0.0).map(|r| r.ln()).collect();
    if logs.len() < 2 {
        return None;
    }
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some((mean, variance / n, n - 1.0))
}

/// Interval of the ratio of the geometric means.
fn interval(first: &[f64], second: &[f64]) -> Option<[f64; 2]> {
    let (mean_a, error_a, free_a) = moments(first)?;
    let (mean_b, error_b, free_b) = moments(second)?;
    let error = error_a + error_b;
    let middle = mean_b - mean_a;
    if error <= 0.0 {
        return Some([middle.exp(); 2]);
    }
    // Welch 1947, the degrees of freedom by Satterthwaite.
    let freedom = error.powi(2) / (error_a.powi(2) / free_a + error_b.powi(2) / free_b);
    let half = student_t(CONFIDENCE, freedom.floor().max(1.0) as usize) * error.sqrt();
    Some([(middle - half).exp(), (middle + half).exp()])
}

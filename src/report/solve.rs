//! What `solve` found, and how its numbers are shown.

use crate::network::{Answer, ClassBounds, File, Method, Unsolved};
use crate::sim::Estimate;
use crate::units::significant;

/// A network that was solved by one method.
#[derive(Debug, Clone, Copy)]
pub struct Solved<'a> {
    /// The network.
    pub file: &'a File,
    /// What was found.
    pub answer: &'a Answer,
    /// Bounds on its classes.
    pub bounds: &'a [ClassBounds],
    /// How a simulation was run.
    pub seed: u64,
    /// Confidence of its intervals.
    pub confidence: f64,
}

/// One point of a sweep.
#[derive(Debug, Clone)]
pub struct Point {
    /// The value that was swept over.
    pub value: f64,
    /// What was found there.
    pub outcome: Result<Answer, Unsolved>,
}

/// A sweep over one number of a file.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The number, `class.users.population`.
    pub key: String,
    /// Its points in their order.
    pub points: Vec<Point>,
}

/// A method that was compared, with what it found.
pub type Compared = (Method, Result<Answer, Unsolved>);

/// Digits that a value deserves: five if it is exact, four if it is approximate, and as many as its
/// interval allows if it was simulated.
pub(super) fn digits(answer: &Answer, estimate: Estimate) -> i32 {
    let relative = estimate.relative();
    if answer.method == Method::Sim && relative.is_finite() && relative > 0.0 {
        (1.0 - relative.log10()).ceil().clamp(2.0, 5.0) as i32
    } else if answer.approximate {
        4
    } else {
        5
    }
}

/// A time in the unit that leaves a number of at least one, in seconds above.
pub(super) fn time(seconds: f64, digits: i32) -> String {
    // 999.996 ms is 1.0000 s.
    let below = 1.0 - 0.5 * 10f64.powi(-digits);
    let (unit, factor) = match seconds.abs() {
        0.0 => return "0 s".to_owned(),
        x if x < 1e-6 * below => ("ns", 1e-9),
        x if x < 1e-3 * below => ("µs", 1e-6),
        x if x < below => ("ms", 1e-3),
        _ => ("s", 1.0),
    };
    format!("{} {unit}", significant(seconds / factor, digits))
}

/// What is shown of a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shown {
    /// A time.
    Time,
    /// A rate.
    Rate,
    /// A plain number.
    Number,
    /// A share, in percent.
    Share,
}

impl Shown {
    /// With this many digits.
    pub(super) fn plain(self, value: f64, digits: i32) -> String {
        match self {
            Self::Time => time(value, digits),
            Self::Rate => format!("{} /s", significant(value, digits)),
            Self::Number => significant(value, digits),
            Self::Share => format!("{} %", significant(value * 100.0, digits)),
        }
    }

    /// With as many digits as it deserves, and its interval.
    pub(super) fn estimate(self, answer: &Answer, estimate: Estimate) -> String {
        let shown = self.plain(estimate.value, digits(answer, estimate));
        super::simulation::with_error(shown, estimate)
    }
}

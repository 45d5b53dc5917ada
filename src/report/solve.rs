//! What `solve` found, and how its numbers are shown.

use super::estimate::{Ran, Shown, known_digits, with_error};
use crate::network::{Answer, ClassBounds, File, Method, Unsolved};
use crate::sim::{Estimate, Outcome};

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

impl<'a> Solved<'a> {
    /// How a simulation was run.
    pub(super) fn ran(&self, outcome: &'a Outcome) -> Ran<'a> {
        Ran { outcome, seed: self.seed, confidence: self.confidence }
    }
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
    if answer.method == Method::Sim {
        known_digits(estimate)
    } else if answer.approximate {
        4
    } else {
        5
    }
}

impl Shown {
    /// With as many digits as it deserves, and its interval.
    pub(super) fn estimate(self, answer: &Answer, estimate: Estimate) -> String {
        with_error(self.plain(estimate.value, digits(answer, estimate)), estimate)
    }
}

//! Grades of the criteria that no queueing model computes, on the scale of N13 table 6.

use crate::document::Reader;
use crate::origin::Sourced;

/// The words of the scale, worst first.
pub(super) const WORDS: [&str; 6] = ["no", "poor", "fair", "good", "excellent", "yes"];

/// A grade as a score in \[0, 1\]: poor ¼, fair ½, good ¾, excellent 1; no ¼, yes 1.
///
/// A "no" is not nought: the criterion weighs, it does not forbid. What is forbidden is a constraint.
pub fn score(word: &str) -> f64 {
    match word {
        "yes" | "excellent" => 1.0,
        "good" => 0.75,
        "fair" => 0.5,
        _ => 0.25,
    }
}

/// The nearest word for a mean of scores.
///
/// ```
/// use plimsoll_model::catalog::grade;
/// assert_eq!(grade::word((grade::score("fair") + grade::score("excellent")) / 2.0), "good");
/// ```
pub fn word(score: f64) -> &'static str {
    match score {
        s if s >= 0.875 => "excellent",
        s if s >= 0.625 => "good",
        s if s >= 0.375 => "fair",
        _ => "poor",
    }
}

record! {
    /// One protocol's grades.
    struct Grades {
        /// Can clients of other systems read the files in place.
        direct_file_access: Sourced<&'static str> = grade,
        /// How simple it is to run.
        manageability: Sourced<&'static str> = grade,
        /// Excellent is cheap.
        cost: Sourced<&'static str> = grade,
        /// Granularity and ease of backup and recovery.
        backup: Sourced<&'static str> = grade,
    }
}

fn grade(r: &Reader<'_>, key: &'static str) -> Option<Sourced<&'static str>> {
    r.require(&[key]);
    r.sourced_word(key, "grade", &WORDS)
}

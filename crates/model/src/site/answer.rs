//! An answer with its origin and range, and the assumption that stands in for a missing one.

use crate::origin::Origin;
use crate::units::two_digits;

/// The answer to one question: stated, or assumed with a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// What is reckoned with.
    pub value: T,
    /// Who says so, and why.
    pub origin: Origin,
    /// The low end of what it may be in truth (80 % interval); the value itself where it is stated.
    pub low: T,
    /// The high end. For words and switches, low and high are the two alternatives worth trying.
    pub high: T,
}

impl<T: Clone> Answer<T> {
    /// An answer of the user.
    pub fn stated(value: T, place: impl Into<String>) -> Self {
        Self { low: value.clone(), high: value.clone(), value, origin: Origin::Stated { place: place.into() } }
    }
}

impl<T: Clone> Answer<T> {
    /// Stands in for a required answer that is missing or wrong, which was reported.
    pub(super) fn missing(value: T) -> Self {
        Self { origin: Origin::Assumed { why: "missing".to_owned() }, ..Self::stated(value, "") }
    }
}

impl<T> Answer<T> {
    /// Says that a stated answer was taken so many times.
    pub(super) fn taken(mut self, times: f64) -> Self {
        if let Origin::Stated { place } = &mut self.origin {
            *place = format!("{place}, {} times (--load)", two_digits(times));
        }
        self
    }

    /// Whether the site file gives it: the user, or a log of his server.
    pub fn is_stated(&self) -> bool {
        matches!(self.origin, Origin::Stated { .. } | Origin::Measured { .. })
    }
}

/// What was reckoned with where the user gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// The field, as `--set` takes it: `data.db_growth`, `people.site.0.round_trip`.
    pub field: String,
    /// The value with its unit, for a person.
    pub value: String,
    /// The low end with its unit, for a person.
    pub low: String,
    /// The high end with its unit, for a person.
    pub high: String,
    /// Why.
    pub origin: Origin,
    /// The value, exactly, as the text after `--set field=`.
    pub value_override: String,
    /// The low end, exactly, as the text after `--set field=`.
    pub low_override: String,
    /// The high end, exactly, as the text after `--set field=`.
    pub high_override: String,
}

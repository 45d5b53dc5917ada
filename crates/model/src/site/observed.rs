//! What the system that is there shows of unanswered questions: values that stand in place of assumptions.
//!
//! A [`Moved`] value is laid over the file before its overrides, and only where the file leaves the question open. The answer is
//! *derived*, with the observation behind it, and stays an assumption with a range.

use super::answer::Assumption;
use super::fields::{Kind, field};
use super::next_server::NextServer;
use super::sheet::{parse_again, parse_over};
use super::{Site, Vocabulary};
use crate::diag::Diagnostics;
use crate::document::edit;

/// The name of the layer in origins.
pub(super) const LAYER: &str = "today's system";

/// An assumption that what is there moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The assumption as it was, with the range that is left.
    pub assumption: Assumption,
    /// The value in its place, as `--set` takes it.
    pub value: String,
    /// The observation, as the origin states it.
    pub how: String,
}

/// What the system that is there shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observed {
    /// The assumptions that it moved.
    pub moved: Vec<Moved>,
    /// What it shows, in sentences; empty where the assumptions agree with it.
    pub sentences: Vec<String>,
    /// Whether no answer within the ranges lets it run: what it carries is then not known.
    pub disagrees: bool,
    /// The server that takes the place of its own, where that one misses what is wanted.
    pub next: Option<NextServer>,
}

impl Site {
    /// The same file with a text and overrides, and what its system shows of the questions that these leave open.
    pub fn again(&self, text: &str, overrides: &[String], vocabulary: &Vocabulary) -> Result<Self, Box<Diagnostics>> {
        self.observing(self.observed.clone(), text, overrides, vocabulary)
    }

    /// The same file with other observations.
    pub fn with_observed(&self, observed: Observed, vocabulary: &Vocabulary) -> Option<Self> {
        let (text, overrides) = (&self.text, &self.overrides);
        self.observing(observed, text, overrides, vocabulary).ok()
    }

    fn observing(
        &self,
        observed: Observed,
        text: &str,
        overrides: &[String],
        vocabulary: &Vocabulary,
    ) -> Result<Self, Box<Diagnostics>> {
        let site = if text == self.text {
            parse_again(self, &observed.moved, overrides, vocabulary)?
        } else {
            // Another text may have in it what was laid over this one.
            let moved = (&observed.moved[..], overrides);
            parse_over(&self.file, text, moved, overrides, vocabulary)?
        };
        let site = match &observed.next {
            Some(next) => site.on_next_server(next, vocabulary),
            None => site,
        };
        Ok(Self { observed, ..site })
    }

    /// The amounts that the file states: path, number, and the unit that follows it.
    pub fn stated_amounts(&self) -> Vec<(String, f64, String)> {
        let is_amount = |path: &str| {
            field(path).is_some_and(|field| {
                matches!(
                    field.kind,
                    Kind::Count | Kind::Number | Kind::Size | Kind::Rate | Kind::Bandwidth | Kind::Share
                )
            })
        };
        let values = edit::values(&self.text).into_iter();
        let amounts = values.filter(|(path, ..)| is_amount(path));
        let split = amounts.filter_map(|(path, spelling, _)| {
            let (number, unit) = split(spelling.trim_matches('"'))?;
            Some((path, number, unit.to_owned()))
        });
        split.collect()
    }
}

/// An amount as `--set` takes it: its number, and its unit with the space before it.
pub fn split(amount: &str) -> Option<(f64, &str)> {
    let end = amount.find(|c: char| c != '.' && c != '_' && !c.is_ascii_digit()).unwrap_or(amount.len());
    let (number, unit) = amount.split_at(end);
    Some((number.replace('_', "").parse().ok()?, unit))
}

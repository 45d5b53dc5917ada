//! The system that is there, as a row of the answer.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::prose::{Sentences, about_count};
use super::AnswerSource;
use crate::advisor::{AsItIs, FACTOR_LEAST, people};

/// The system that is there, judged as the others are.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AsItIsRow {
    /// Targets that it misses; of a peak that saturates why it does.
    pub missed: Vec<String>,
    /// Largest multiple of the peak that it carries; nothing where none is small enough, or model and answers disagree about it.
    pub factor: Option<f64>,
    /// Why it is not recommended.
    pub why_not: String,
    /// What changes on the way to the recommended layout.
    pub moves: Vec<String>,
    /// All of it in sentences.
    pub text: Sentences,
}

impl AnswerSource<'_> {
    pub(super) fn as_it_is(&self) -> Option<AsItIsRow> {
        let there = self.advice.as_it_is.as_ref()?;
        let AsItIs { candidate, missed, carries, moves } = there;
        let moves = moves.iter().map(|one| one.in_words(self.catalog));
        let moves: Vec<String> = moves.collect();
        let factor = carries.as_ref().map(|(factor, _)| *factor);
        let factor = factor.filter(|factor| *factor > FACTOR_LEAST);
        let carried = factor.map(|factor| {
            let carried = factor * self.site.people.developers.value;
            let load = self.site.peak.load(factor);
            format!("about {} ({load})", people(&about_count(carried)))
        });
        let what = match (missed.as_slice(), carried) {
            ([], Some(carried)) => {
                format!("Meets {} up to {carried}", self.site.targets.every())
            }
            ([], None) => format!("Meets {}", self.site.targets.every()),
            ([first, more @ ..], carried) => {
                let more = match more.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let carried = carried
                    .map_or(String::new(), |carried| format!("; {} is met for {carried}", self.site.targets.every()));
                format!("Misses: {first}{more}{carried}")
            }
        };
        let way = (!moves.is_empty())
            .then(|| format!("What changes: {} (step by step: plimsoll advise --from-today).", moves.join("; ")));
        // What it misses is reason enough.
        let head = if missed.is_empty() {
            format!("{what}; not recommended: {}.", candidate.why_not)
        } else {
            format!("{what}.")
        };
        Some(AsItIsRow {
            missed: missed.clone(),
            factor,
            why_not: candidate.why_not.clone(),
            moves,
            text: [head].into_iter().chain(way).collect(),
        })
    }
}

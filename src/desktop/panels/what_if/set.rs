//! What one control changes.

use crate::advisor::what_if::{CacheTier, Change};
use crate::catalog::scenario::Part;

/// One thing set, or given back to the recommendation.
#[derive(Debug, Clone, PartialEq)]
pub enum Set {
    /// An answer, as `--set` takes it.
    Answer(&'static str, Option<String>),
    /// Several answers at once.
    Answers(Vec<(&'static str, Option<String>)>),
    /// Years of growth.
    Years(f64),
    /// A layout.
    Layout(Option<String>),
    /// Edges.
    Edges(Option<u32>),
    /// Array and protocol of LUNs.
    Block(Option<(String, String)>),
    /// Array and protocol of exports.
    File(Option<(String, String)>),
    /// A filesystem.
    Filesystem(Option<String>),
    /// A cache.
    Cache(Option<CacheTier>),
    /// Mount options that need a single client.
    TunedMounts(Option<bool>),
    /// What failed.
    Failure(Option<Part>),
}

impl Set {
    /// Changes it.
    pub fn apply(&self, change: &mut Change) {
        match self.clone() {
            Self::Answer(field, value) => set(change, field, value),
            Self::Answers(all) => {
                for (field, value) in all {
                    set(change, field, value);
                }
            }
            Self::Years(years) => change.years = years,
            Self::Layout(layout) => change.layout = layout,
            Self::Edges(edges) => change.edges = edges,
            Self::Block(block) => change.block = block,
            Self::File(file) => change.file = file,
            Self::Filesystem(filesystem) => change.filesystem = filesystem,
            Self::Cache(cache) => change.cache = cache,
            Self::TunedMounts(tuned) => change.tuned_mounts = tuned,
            Self::Failure(failure) => change.failure = failure,
        }
    }
}

fn set(change: &mut Change, field: &str, value: Option<String>) {
    match value {
        Some(value) => {
            change.answers.insert(field.to_owned(), value);
        }
        None => {
            change.answers.remove(field);
        }
    }
}

//! A site file in which required answers are still open.

use super::fields::{FIELDS, Field, Kind};
use super::{Site, Vocabulary, parse};
use crate::diag::Diagnostics;
use crate::document::edit;

/// The questions without whose answers a file is refused, in the order of asking.
pub fn required() -> impl Iterator<Item = &'static Field> {
    let below_a_list =
        |f: &Field| FIELDS.iter().any(|l| l.kind == Kind::Tables && f.path.starts_with(&format!("{}.", l.path)));
    FIELDS.iter().filter(move |f| f.required && f.path != "schema" && !below_a_list(f))
}

/// The required questions that a text does not answer, in the order of asking.
pub fn still_required(text: &str) -> Vec<&'static Field> {
    let known = edit::values(text);
    required().filter(|f| !known.iter().any(|(path, ..)| path == f.path)).collect()
}

/// Reads a text; where something required is still open, as if it had been answered.
///
/// # Errors
///
/// What is wrong with the answers that are there.
pub fn parse_unfinished(file: &str, text: &str, vocabulary: &Vocabulary) -> Result<Site, Box<Diagnostics>> {
    let overrides: Vec<String> = still_required(text)
        .into_iter()
        .map(|f| match f.kind {
            Kind::Text => format!("{}=\"New site\"", f.path),
            _ => format!("{}=100000", f.path),
        })
        .collect();
    parse(file, text, &overrides, vocabulary)
}

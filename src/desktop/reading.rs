//! The questionnaire as it stands in the text: the site, or what is wrong with it, field by field.

use std::sync::Arc;

use super::engine::Engine;
use crate::diag::{Diagnostics, Severity};
use crate::document::edit;
use crate::site::{self, Site};

/// What the text says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The site, as long as nothing is wrong with it.
    pub site: Option<Arc<Site>>,
    /// The last site that was right: what the other panels go on showing.
    pub last: Option<Arc<Site>>,
    /// Path and spelling of every answer in the text.
    pub answers: Vec<(String, String)>,
    /// How many tables each of the lists of tables has: path and number.
    pub tables: Vec<(&'static str, usize)>,
    /// Why the text is no TOML, if it is none: then no answer can be changed.
    pub syntax: Option<String>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
}

/// Something that is wrong with the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field that it is about, if it stands at one.
    pub field: Option<String>,
    /// The line in the text, from 1.
    pub line: Option<usize>,
    /// The path of the key that is missing, as messages spell it, where one is.
    pub missing: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What was found there.
    pub found: String,
    /// What helps.
    pub help: Vec<String>,
    /// Whether the file can be used all the same.
    pub is_warning: bool,
}

impl Reading {
    /// Reads a text. What was right `before` stays as the last that was right.
    pub fn of(name: &str, text: &str, engine: &Engine, before: &Self) -> Self {
        let values = edit::values(text);
        let parsed = site::parse(name, text, &[], &engine.vocabulary);
        let (site, problems) = match parsed {
            Ok(site) => (Some(Arc::new(site)), Vec::new()),
            Err(diagnostics) => (None, problems(&diagnostics, text, &values)),
        };
        Self {
            last: site.clone().or_else(|| before.last.clone()),
            site,
            answers: values.into_iter().map(|(path, spelling, _)| (path, spelling)).collect(),
            tables: LISTS.map(|path| (path, edit::count_tables(text, path))).to_vec(),
            syntax: edit::check(text).err().map(|error| error.to_string()),
            problems,
        }
    }

    /// How many tables a list of tables has.
    pub fn count(&self, path: &str) -> usize {
        let mut tables = self.tables.iter();
        tables.find(|(known, _)| *known == path).map_or(0, |(_, n)| *n)
    }

    /// How an answer is spelt in the text, without the quotes.
    pub fn answer(&self, field: &str) -> Option<String> {
        let (_, spelling) = self.answers.iter().find(|(path, _)| path == field)?;
        Some(as_typed(spelling))
    }

    /// What is wrong with one field.
    pub fn problem(&self, field: &str) -> Option<&Problem> {
        // What is missing stands nowhere; it is told at the table where it should.
        let spelled = indexed(field);
        let at = |p: &&Problem| match &p.missing {
            Some(missing) => *missing == spelled,
            None => p.field.as_deref() == Some(field),
        };
        self.problems.iter().find(at)
    }
}

/// A path as messages spell it: `people.site[0].name` for `people.site.0.name`.
fn indexed(path: &str) -> String {
    let mut spelled = String::new();
    for part in path.split('.') {
        let is_number = part.bytes().all(|b| b.is_ascii_digit());
        let (before, after) = match (is_number, spelled.is_empty()) {
            (true, _) => ("[", "]"),
            (false, true) => ("", ""),
            (false, false) => (".", ""),
        };
        spelled.extend([before, part, after]);
    }
    spelled
}

/// The lists of tables that a site has.
const LISTS: [&str; 4] = ["people.site", "equipment", "today.volume", "price"];

/// A TOML value as a person would type it: without quotes, lists with commas.
pub fn as_typed(spelling: &str) -> String {
    let value = format!("v = {spelling}").parse::<toml::Table>().ok();
    let typed = value.and_then(|table| match table.get("v") {
        Some(toml::Value::String(text)) => Some(text.clone()),
        Some(toml::Value::Array(items)) => {
            let words: Vec<&str> = items.iter().filter_map(toml::Value::as_str).collect();
            Some(words.join(", "))
        }
        _ => None,
    });
    typed.unwrap_or_else(|| spelling.replace('_', ""))
}

fn problems(
    diagnostics: &Diagnostics,
    text: &str,
    values: &[(String, String, std::ops::Range<usize>)],
) -> Vec<Problem> {
    let sorted = diagnostics.sorted();
    sorted
        .into_iter()
        .map(|d| {
            let place = d.label.as_ref().map(|(place, _)| place);
            // An answer is named by where it stands; its key stands before it on the same line.
            let field = place.and_then(|place| {
                let rest = text.get(place.span.end..).unwrap_or_default();
                let line_end = rest.find('\n').map_or(text.len(), |n| place.span.end + n);
                let mut at = values.iter();
                at.find(|(.., span)| {
                    span.start < place.span.end.max(place.span.start + 1) && place.span.start < span.end
                        || (span.start >= place.span.end && span.start < line_end)
                })
                .map(|(path, ..)| path.clone())
            });
            Problem {
                field,
                line: place.map(|place| diagnostics.line_column(place).0),
                missing: d.missing.clone(),
                message: d.message.clone(),
                found: d.label.map(|(_, text)| text).unwrap_or_default(),
                help: d.help.clone(),
                is_warning: d.severity == Severity::Warning,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_told_at_its_field() {
        let engine = Engine::embedded();
        let text = "schema = 1\nname = \"A\"\n[people]\ndevelopers = 10\n[data]\ndb_size = \"3 apples\"\n";
        let reading = Reading::of("a.toml", text, &engine, &Reading::default());
        assert!(reading.site.is_none());
        let problem = reading.problem("data.db_size");
        assert!(problem.is_some(), "{:?}", reading.problems);
        assert_eq!(reading.answer("data.db_size").as_deref(), Some("3 apples"));
        assert_eq!(reading.answer("people.developers").as_deref(), Some("10"));

        let right = text.replace("3 apples", "3 GiB");
        let right = Reading::of("a.toml", &right, &engine, &reading);
        assert!(right.site.is_some());
        let wrong = Reading::of("a.toml", text, &engine, &right);
        assert!(wrong.last.is_some(), "the last that was right stays");
    }
}

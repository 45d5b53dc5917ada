//! How a question is answered: a line, a mark, words with what the catalogue says of them.

use super::question::Assumed;
use crate::catalog::{Catalog, Entry, EntryKind};
use crate::desktop::engine::Engine;
use crate::site::{BOUGHT, Field, Kind, SIGNS, Words};

/// How a question is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Control {
    /// In words or with an amount; what stands in the empty field.
    Line(String),
    /// With a mark from 0 to 10.
    Weight {
        /// The mark, stated or assumed.
        mark: f64,
        /// Its share of all marks.
        share: String,
    },
    /// With one of few words, side by side.
    One(Vec<Word>),
    /// With one of many words, in a menu.
    Menu(Vec<Word>),
    /// With any of some words; whether with none of them too.
    Many(Vec<Word>, bool),
}

/// A word that an answer may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As the file has it.
    pub spelled: String,
    /// What it is, where the catalogue says it.
    pub title: String,
    /// More about it.
    pub about: String,
    /// Whether it is in the answer.
    pub picked: Picked,
}

/// Whether a word is in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picked {
    /// It is not.
    No,
    /// It is.
    Yes,
    /// Nobody answered, and it is assumed.
    Assumed,
    /// It is, and cannot be.
    Wrong,
}

/// Words beside each other up to this many; more go into a menu.
const SIDE_BY_SIDE: usize = 6;

/// How a field is answered.
pub(super) fn control(field: &Field, answer: Option<&str>, assumed: Option<&Assumed>, engine: &Engine) -> Control {
    let picked = |answer: Option<&str>| {
        let answer = answer.map(split);
        let assumed = assumed.map(|a| split(&a.value)).unwrap_or_default();
        move |word: &str| match &answer {
            Some(answer) if answer.iter().any(|w| w == word) => Picked::Yes,
            None if assumed.iter().any(|w| w == word) => Picked::Assumed,
            _ => Picked::No,
        }
    };
    match field.kind {
        Kind::YesNo => {
            let answer = match answer {
                Some("true") => Some("yes"),
                Some("false") => Some("no"),
                other => other,
            };
            Control::One(words(&["yes", "no"], &[], answer, &picked(answer)))
        }
        Kind::Word(kind) => {
            let known = engine.vocabulary.words(kind);
            let entries = entries(kind, &engine.catalog);
            let words = words(&known, &entries, answer, &picked(answer));
            if known.len() <= SIDE_BY_SIDE { Control::One(words) } else { Control::Menu(words) }
        }
        Kind::List(kind) => {
            let known = engine.vocabulary.words(kind);
            let entries = entries(kind, &engine.catalog);
            // That there is no cache is an answer; that there is no storage is none.
            let may_be_none = matches!(kind, Words::Ids(EntryKind::Cache | EntryKind::Tool) | Words::These(SIGNS));
            Control::Many(words(&known, &entries, answer, &picked(answer)), may_be_none)
        }
        _ => Control::Line(hint(field, assumed)),
    }
}

fn split(list: &str) -> Vec<String> {
    let items = list.split(',').map(str::trim);
    items.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// What stands in the empty field: the assumption, or an example.
fn hint(field: &Field, assumed: Option<&Assumed>) -> String {
    if let Some(assumed) = assumed {
        return assumed.value.clone();
    }
    let example = field.unit.split('"').nth(1);
    example.map_or_else(String::new, |example| format!("such as {example}"))
}

/// The words with their entries of the catalogue, then those of the answer that are unknown.
fn words(known: &[&str], entries: &[&Entry], answer: Option<&str>, picked: &dyn Fn(&str) -> Picked) -> Vec<Word> {
    let mut words: Vec<Word> = known
        .iter()
        .map(|word| {
            let entry = entries.iter().find(|entry| entry.id == *word);
            Word {
                spelled: (*word).to_owned(),
                title: entry.map_or_else(String::new, |e| e.title.clone()),
                about: entry.map_or_else(String::new, |e| e.summary.clone()),
                picked: picked(word),
            }
        })
        .collect();
    for word in answer.map(split).unwrap_or_default() {
        if !known.contains(&&*word) {
            words.push(Word {
                spelled: word,
                title: String::new(),
                about: "not a word that this answer can take".to_owned(),
                picked: Picked::Wrong,
            });
        }
    }
    words
}

/// What the catalogue says of the words.
fn entries(words: Words, catalog: &Catalog) -> Vec<&Entry> {
    let kinds = match words {
        Words::These(_) => Vec::new(),
        Words::Ids(kind) => vec![kind],
        Words::ServerMedia => vec![EntryKind::Medium],
        Words::Anything => BOUGHT.to_vec(),
    };
    kinds.into_iter().flat_map(|kind| catalog.entries(kind)).collect()
}

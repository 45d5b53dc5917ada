//! Words of the answers and of customers, in plain English: `models/glossary.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Explanation, Known};
use crate::page::Block;

/// The file, as embedded.
const GLOSSARY: &str = include_str!("../../../models/glossary.toml");

/// What a word means, with the data that measured it, or whose other name it is.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Alias { see: String },
    Measured { text: String, data: Vec<String> },
}

#[derive(Deserialize)]
struct Glossary {
    #[serde(rename = "schema")]
    _schema: u8,
    #[serde(flatten)]
    words: BTreeMap<String, Entry>,
}

static WORDS: LazyLock<BTreeMap<String, Entry>> = LazyLock::new(|| {
    let glossary: Glossary = toml::from_str(GLOSSARY).expect("models/glossary.toml is a glossary");
    glossary.words
});

/// What a word means, however it is typed: "commit section", "Commit-Section".
pub(super) fn word(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let key = id.to_lowercase().replace([' ', '_'], "-");
    let entry = match WORDS.get(&key)? {
        Entry::Alias { see } => WORDS.get(see)?,
        entry => entry,
    };
    let found = Explanation::new(id, "word", "");
    match entry {
        Entry::Text(text) => Some(found.text(text)),
        Entry::Alias { .. } => None,
        Entry::Measured { text, data } => {
            let data = data.iter().filter_map(|id| known.calibration.datum(id));
            let said = data.clone().map(|d| {
                let statement = d.statement.trim();
                format!("{}: {statement} [{}]", d.title, d.id)
            });
            let measured = [Block::Heading("What the sources measured".to_owned()), Block::points(said)];
            Some(found.text(text).with(measured).link(data.map(|d| &d.id)))
        }
    }
}

/// All words.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.keys().map(String::as_str)
}

//! Words of the answers and of customers, in plain English: `models/glossary.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Explanation;

/// The file, as embedded.
const GLOSSARY: &str = include_str!("../../../models/glossary.toml");

/// What a word means, or whose other name it is.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Alias { see: String },
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
pub(super) fn word(id: &str) -> Option<Explanation> {
    let key = id.to_lowercase().replace([' ', '_'], "-");
    let text = match WORDS.get(&key)? {
        Entry::Text(text) => text,
        Entry::Alias { see } => match WORDS.get(see)? {
            Entry::Text(text) => text,
            Entry::Alias { .. } => return None,
        },
    };
    Some(Explanation::new(id, "word", "").text(text))
}

/// All words.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.keys().map(String::as_str)
}

//! Words of the answers, in plain English: `models/glossary.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Explanation;

/// The file, as embedded.
const GLOSSARY: &str = include_str!("../../../models/glossary.toml");

static WORDS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let table: toml::Table = GLOSSARY.parse().expect("models/glossary.toml is TOML");
    let words = table.into_iter();
    let words = words.filter_map(|(word, text)| Some((word, text.as_str()?.to_owned())));
    words.collect()
});

/// A word, however it is typed: "commit section", "Commit-Section".
pub(super) fn word(id: &str) -> Option<Explanation> {
    let key = id.to_lowercase().replace([' ', '_'], "-");
    let text = WORDS.get(&key)?;
    Some(Explanation::new(id, "word", "").text(text))
}

/// All words.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.keys().map(String::as_str)
}

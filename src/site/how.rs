//! How a person finds the answer to a question: `models/questions.toml`.

use std::sync::LazyLock;

/// The texts, by field.
pub const QUESTIONS: &str = include_str!("../../models/questions.toml");

/// What to run or whom to ask for the answer to a field; nothing where its question says enough.
///
/// ```
/// use plimsoll::site::how_to_find;
/// assert!(how_to_find("data.db_size").unwrap().contains("du -s"));
/// assert!(how_to_find("people.site.0.round_trip").unwrap().contains("ping"));
/// assert!(how_to_find("name").is_none());
/// ```
pub fn how_to_find(path: &str) -> Option<&'static str> {
    static TEXTS: LazyLock<toml::Table> =
        LazyLock::new(|| QUESTIONS.parse().expect("models/questions.toml is TOML"));
    let parts = path
        .split('.')
        .filter(|part| part.parse::<usize>().is_err());
    let mut table = &*TEXTS;
    for part in parts {
        match table.get(part)? {
            toml::Value::Table(below) => table = below,
            toml::Value::String(text) => return Some(text),
            _ => return None,
        }
    }
    None
}

//! Changes a TOML text in place: what is not changed keeps its comments, order and spelling.
//!
//! Knows paths such as `people.site.0.round_trip`. Must not know what a key means.

use std::ops::Range;

use toml_edit::{ArrayOfTables, Document, DocumentMut, Item, Table, Value};

/// A text that cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It is no TOML.
    #[error("the text is not TOML: {0}")]
    Syntax(String),
    /// The path runs through something that has no keys, or past the end of a list of tables.
    #[error("{path:?} cannot be reached: {part:?} is no table of this file")]
    Path {
        /// The whole path.
        path: String,
        /// The part that is wrong.
        part: String,
    },
    /// The value is no TOML.
    #[error("{0:?} is not a TOML value")]
    Value(String),
}

/// The text with a value at a path, in TOML's spelling (`"34 GiB"` with its quotes, `350`); tables that are
/// not there are made.
///
/// ```
/// use plimsoll_ground::document::edit;
/// let text = "# ours\n[people]\ndevelopers = 350 # all\n";
/// let more = edit::set(text, "people.developers", "400").unwrap();
/// assert_eq!(more, "# ours\n[people]\ndevelopers = 400 # all\n");
/// assert_eq!(edit::unset(&more, "people.developers").unwrap(), "# ours\n[people]\n");
/// ```
pub fn set(text: &str, path: &str, value: &str) -> Result<String, EditError> {
    let mut new: Value = value.parse().map_err(|_not_toml| EditError::Value(value.to_owned()))?;
    let mut document = parse(text)?;
    let (tables, key) = split(path);
    let table = walk(document.as_table_mut(), path, &tables, true)?;
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            // What stands around the old value, such as a comment, stays.
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        _ => {
            table.insert(key, Item::Value(new));
        }
    }
    Ok(document.to_string())
}

/// The text without the value at a path; the same text where there is none.
pub fn unset(text: &str, path: &str) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let (tables, key) = split(path);
    if let Ok(table) = walk(document.as_table_mut(), path, &tables, false) {
        table.remove(key);
    }
    Ok(document.to_string())
}

/// The text with one more table at the end of a list of tables, and the values in it.
///
/// ```
/// use plimsoll_ground::document::edit;
/// let text = edit::push_table("", "people.site", &[("name", "\"Lyon\"")]).unwrap();
/// assert_eq!(text, "[[people.site]]\nname = \"Lyon\"\n");
/// assert_eq!(edit::remove_table(&text, "people.site", 0).unwrap(), "");
/// ```
pub fn push_table(text: &str, path: &str, values: &[(&str, &str)]) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let (tables, key) = split(path);
    let parent = walk(document.as_table_mut(), path, &tables, true)?;
    let mut table = Table::new();
    for (key, value) in values {
        let value: Value = value.parse().map_err(|_not_toml| EditError::Value((*value).to_owned()))?;
        table.insert(key, Item::Value(value));
    }
    let list = parent.entry(key).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match list {
        Item::ArrayOfTables(list) => list.push(table),
        _ => return Err(no_table(path, key)),
    }
    Ok(document.to_string())
}

/// The text without one table of a list of tables.
pub fn remove_table(text: &str, path: &str, index: usize) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let (tables, key) = split(path);
    let parent = walk(document.as_table_mut(), path, &tables, false)?;
    match parent.get_mut(key) {
        Some(Item::ArrayOfTables(list)) if index < list.len() => {
            list.remove(index);
            if list.is_empty() {
                parent.remove(key);
            }
        }
        _ => return Err(no_table(path, &index.to_string())),
    }
    Ok(document.to_string())
}

/// How many tables a list of tables has; none where there is no such list.
pub fn count_tables(text: &str, path: &str) -> usize {
    let Ok(document) = Document::parse(text) else {
        return 0;
    };
    let mut item = Some(document.as_item());
    for part in path.split('.') {
        item = item.and_then(|item| item.get(part));
    }
    item.and_then(Item::as_array_of_tables).map_or(0, ArrayOfTables::len)
}

/// Whether a text can be changed at all; why not.
pub fn check(text: &str) -> Result<(), EditError> {
    parse(text).map(drop)
}

/// Every value of a text: its path, its spelling, and the bytes where it stands. Nothing where the text is
/// not TOML.
pub fn values(text: &str) -> Vec<(String, String, Range<usize>)> {
    let mut found = Vec::new();
    if let Ok(document) = Document::parse(text) {
        collect(document.as_item(), "", text, &mut found);
    }
    found
}

fn collect(item: &Item, path: &str, text: &str, found: &mut Vec<(String, String, Range<usize>)>) {
    let below = |key: &str| {
        if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
    };
    match item {
        Item::Table(table) => {
            for (key, item) in table {
                collect(item, &below(key), text, found);
            }
        }
        Item::ArrayOfTables(list) => {
            for (i, table) in list.iter().enumerate() {
                for (key, item) in table {
                    collect(item, &below(&format!("{i}.{key}")), text, found);
                }
            }
        }
        Item::Value(value) => {
            if let Some(span) = value.span() {
                let spelling = text.get(span.clone()).unwrap_or_default().to_owned();
                found.push((path.to_owned(), spelling, span));
            }
        }
        Item::None => {}
    }
}

fn parse(text: &str) -> Result<DocumentMut, EditError> {
    text.parse().map_err(|error: toml_edit::TomlError| EditError::Syntax(error.message().to_owned()))
}

fn no_table(path: &str, part: &str) -> EditError {
    EditError::Path { path: path.to_owned(), part: part.to_owned() }
}

/// The tables on the way, and the key in the last of them.
fn split(path: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = path.split('.').collect();
    let key = parts.pop().unwrap_or_default();
    (parts, key)
}

fn walk<'t>(table: &'t mut Table, path: &str, parts: &[&str], make: bool) -> Result<&'t mut Table, EditError> {
    let Some((part, rest)) = parts.split_first() else {
        return Ok(table);
    };
    if !table.contains_key(part) && !make {
        return Err(no_table(path, part));
    }
    let item = table.entry(part).or_insert_with(|| {
        let mut new = Table::new();
        // A table that holds nothing but tables needs no line of its own.
        new.set_implicit(true);
        Item::Table(new)
    });
    match (item, rest) {
        (Item::Table(next), _) => walk(next, path, rest, make),
        (Item::ArrayOfTables(list), [index, rest @ ..]) => {
            let table = index.parse().ok().and_then(|i: usize| list.get_mut(i));
            walk(table.ok_or_else(|| no_table(path, index))?, path, rest, make)
        }
        _ => Err(no_table(path, part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_not_there_is_made() {
        let text = set("schema = 1\n", "targets.submit", "\"3 s\"").unwrap_or_default();
        assert_eq!(text, "schema = 1\n\n[targets]\nsubmit = \"3 s\"\n");
    }

    #[test]
    fn a_list_of_tables_is_reached_by_number() {
        let text = "[[people.site]]\nname = \"A\"\n\n[[people.site]]\nname = \"B\" # far\n";
        let text = set(text, "people.site.1.name", "\"C\"").unwrap_or_default();
        assert!(text.ends_with("name = \"C\" # far\n"), "{text}");
        assert!(matches!(set(&text, "people.site.2.name", "\"D\""), Err(EditError::Path { .. })));
    }

    #[test]
    fn values_know_where_they_stand() {
        let text = "[people]\ndevelopers = 350\n[[people.site]]\nname = \"A\"\n";
        let found = values(text);
        assert_eq!(found[0].0, "people.developers");
        assert_eq!(&text[found[0].2.clone()], "350");
        assert_eq!(found[1].0, "people.site.0.name");
        assert!(values("[").is_empty());
    }

    #[test]
    fn a_value_that_is_none_is_refused() {
        assert!(matches!(set("", "a.b", "34 GiB"), Err(EditError::Value(_))));
        assert!(matches!(set("[", "a", "1"), Err(EditError::Syntax(_))));
    }
}

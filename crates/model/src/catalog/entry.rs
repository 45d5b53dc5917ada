//! What every catalogue file has: an id, a title, a summary, and its facts with their origins.

use std::collections::BTreeMap;
use std::fmt;

use crate::document::{Kind, Reader, Value};
use crate::origin::Origin;

/// One number, word or statement of a file, as it stands there.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Where in the file: `cost.lock_round_trips`.
    pub path: String,
    /// The value as written, with its unit.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// The head of a catalogue file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entry {
    /// The file's name without `.toml`.
    pub id: String,
    /// A noun phrase.
    pub title: String,
    /// What a sentence calls it: the title, where the file states no shorter `name`.
    pub name: String,
    /// A sentence or two.
    pub summary: String,
    /// Every fact with its origin, in the file's order of keys.
    pub facts: Vec<Fact>,
}

/// An entry as a part of a sentence: the id finds it, the name is for people.
#[derive(Debug, Clone, Default, Eq)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// What the catalogue does not have, such as an office: its name is its id.
impl From<String> for Named {
    fn from(name: String) -> Self {
        Self { id: name.clone(), name }
    }
}

impl Named {
    /// It with the same words behind id and name.
    #[must_use]
    pub fn followed_by(mut self, words: &str) -> Self {
        self.id.push_str(words);
        self.name.push_str(words);
        self
    }
}

/// By the id alone: two entries may have one name.
impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// The name.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Entries of one kind, as sentences call them.
///
/// ```
/// use plimsoll_model::catalog::{Called, Catalog};
/// let catalog = Catalog::embedded();
/// assert_eq!(catalog.raid.called("raid10"), "RAID 10");
/// assert_eq!(catalog.raid.called("raid7"), "raid7");
/// ```
pub trait Called {
    /// The name of an entry; its id if there is no such entry.
    fn called<'a>(&'a self, id: &'a str) -> &'a str;

    /// The entry as a part of a sentence.
    fn named(&self, id: &str) -> Named;
}

impl<T: AsRef<Entry>> Called for BTreeMap<String, T> {
    fn called<'a>(&'a self, id: &'a str) -> &'a str {
        self.get(id).map_or(id, |item| &item.as_ref().name)
    }

    fn named(&self, id: &str) -> Named {
        Named { id: id.to_owned(), name: self.called(id).to_owned() }
    }
}

impl Entry {
    /// It as a part of a sentence.
    pub fn named(&self) -> Named {
        Named { id: self.id.clone(), name: self.name.clone() }
    }

    /// Reads the head and collects the facts. Checks that the id is the file's name.
    pub(super) fn read(reader: &Reader<'_>, root: &Value, expected_id: &str) -> Self {
        reader.require(&["schema", "id", "title", "summary"]);
        if let Some(schema) = reader.number("schema")
            && schema.value != 1.0
        {
            let found = format!("found {}", schema.value);
            reader.report("MOD002", "schema must be 1", &schema.place, found);
        }
        let id = reader.text("id");
        if let Some(id) = &id
            && id.value != expected_id
        {
            let message = format!("the id must be the file's name, {expected_id:?}");
            reader.report("MOD001", message, &id.place, format!("found {:?}", id.value));
        }
        let mut facts = Vec::new();
        collect_facts(root, "", &mut facts);
        let title = reader.text("title").map(|t| t.value).unwrap_or_default();
        let name = reader.text("name").map(|t| t.value);
        Self {
            id: expected_id.to_owned(),
            name: name.unwrap_or_else(|| title.clone()),
            title,
            summary: reader.text("summary").map(|t| t.value).unwrap_or_default(),
            facts,
        }
    }
}

/// Walks a document: each table with an `origin` is a fact. Reports nothing: the typed readers do.
pub fn collect_facts(value: &Value, path: &str, facts: &mut Vec<Fact>) {
    let below = |key: &str| {
        if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
    };
    match &value.kind {
        Kind::Table(entries) => {
            if entries.contains_key("origin") && !path.is_empty() {
                facts.extend(fact(value, path));
            }
            for (key, (_, item)) in entries {
                collect_facts(item, &below(key), facts);
            }
        }
        Kind::List(items) => {
            for (i, item) in items.iter().enumerate() {
                collect_facts(item, &format!("{path}[{i}]"), facts);
            }
        }
        _ => {}
    }
}

fn fact(table: &Value, path: &str) -> Option<Fact> {
    let Kind::Table(entries) = &table.kind else {
        return None;
    };
    let silent = crate::diag::Diagnostics::default();
    let origin = Reader::new(table, &silent).origin()?;
    let shown = ["value", "text", "grade"].iter().find_map(|key| match &entries.get(*key)?.1.kind {
        Kind::Text(text) => Some(text.clone()),
        Kind::Integer(i) => Some(i.to_string()),
        Kind::Float(x) => Some(x.to_string()),
        _ => None,
    });
    Some(Fact { path: path.to_owned(), value: shown.unwrap_or_default(), origin })
}

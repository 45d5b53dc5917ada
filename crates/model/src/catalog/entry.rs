//! What every catalogue file has: an id, a title, a summary, and its facts with their origins.

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
    /// A sentence or two.
    pub summary: String,
    /// Every fact with its origin, in the file's order of keys.
    pub facts: Vec<Fact>,
}

impl Entry {
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
            reader.report(
                "MOD001",
                message,
                &id.place,
                format!("found {:?}", id.value),
            );
        }
        let mut facts = Vec::new();
        collect_facts(root, "", &mut facts);
        Self {
            id: expected_id.to_owned(),
            title: reader.text("title").map(|t| t.value).unwrap_or_default(),
            summary: reader.text("summary").map(|t| t.value).unwrap_or_default(),
            facts,
        }
    }
}

/// Walks a document: each table with an `origin` is a fact. Reports nothing: the typed readers do.
pub fn collect_facts(value: &Value, path: &str, facts: &mut Vec<Fact>) {
    let below = |key: &str| {
        if path.is_empty() {
            key.to_owned()
        } else {
            format!("{path}.{key}")
        }
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
    let shown =
        ["value", "text", "grade"]
            .iter()
            .find_map(|key| match &entries.get(*key)?.1.kind {
                Kind::Text(text) => Some(text.clone()),
                Kind::Integer(i) => Some(i.to_string()),
                Kind::Float(x) => Some(x.to_string()),
                _ => None,
            });
    Some(Fact {
        path: path.to_owned(),
        value: shown.unwrap_or_default(),
        origin,
    })
}

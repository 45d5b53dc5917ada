//! Which answers were measured: the `[measured]` table of a site file.
//!
//! ```toml
//! [measured.workload]
//! commands_per_day = { value = "150000 /day", from = "log of 2024/06/19", low = "120000 /day", high = "160000 /day" }
//! ```
//!
//! The entry names the answer that was measured. Where somebody has changed the answer since, the two differ and the
//! answer is stated again.

use std::collections::BTreeMap;

use crate::document::{Kind, Reader, Value};

use super::fields::FIELDS;

/// What was measured, by field.
#[derive(Debug, Default)]
pub(super) struct Measurements<'a>(BTreeMap<&'static str, (&'a Value, String)>);

impl<'a> Measurements<'a> {
    /// Reads `[measured]`; reports what is wrong in it.
    pub(super) fn of(top: &Reader<'a>) -> Self {
        let mut found = BTreeMap::new();
        let table = top.table_or_empty("measured");
        let mut sections: Vec<(&'static str, Reader<'a>)> = Vec::new();
        for field in FIELDS {
            let Some((section, key)) = field.path.split_once('.') else {
                continue;
            };
            // Of lists of tables nothing is measured yet.
            if key.contains('.') {
                continue;
            }
            if !sections.iter().any(|(name, _)| *name == section) {
                sections.push((section, table.table_or_empty(section)));
            }
            let Some((_, reader)) = sections.iter().find(|(name, _)| *name == section) else {
                continue;
            };
            if reader.raw(key).is_none() {
                continue;
            }
            let Some(entry) = reader.table(key) else {
                continue;
            };
            entry.require(&["value", "from"]);
            let from = entry.text("from");
            let value = entry.raw("value");
            // For people: what else the answer may be.
            let _range = ["low", "high"].map(|end| entry.raw(end));
            entry.finish();
            if let (Some(value), Some(from)) = (value, from) {
                found.insert(field.path, (value, from.value));
            }
        }
        for (_, reader) in &sections {
            reader.finish();
        }
        table.finish();
        Self(found)
    }

    /// Where an answer was measured, if it is still the one that was.
    pub(super) fn source(&self, path: &str, answer: Option<&Value>) -> Option<&str> {
        let (value, from) = self.0.get(path)?;
        is_same(&value.kind, &answer?.kind).then_some(from)
    }
}

fn is_same(a: &Kind, b: &Kind) -> bool {
    let number = |kind: &Kind| match kind {
        Kind::Integer(n) => Some(*n as f64),
        Kind::Float(x) => Some(*x),
        _ => None,
    };
    match (a, b) {
        (Kind::Text(a), Kind::Text(b)) => a == b,
        (Kind::Boolean(a), Kind::Boolean(b)) => a == b,
        _ => number(a).is_some() && number(a) == number(b),
    }
}

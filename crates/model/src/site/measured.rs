//! Which answers were measured: the `[measured]` table of a site file.
//!
//! ```toml
//! [measured.workload]
//! commands_per_day = { value = "150000 /day", from = "log of 2024/06/19", low = "120000 /day", high = "160000 /day" }
//! ```
//!
//! An entry comes from a server log (`plimsoll workload --site`, `plimsoll init --log`) or from a server's own outputs
//! (`plimsoll init --from`), and names the answer that was measured. Where somebody has changed the answer since, the two
//! differ and the answer is stated again. `low` and `high` are what else the answer may be (80 % interval).

use std::collections::BTreeMap;

use crate::document::edit::{self, EditError};
use crate::document::{Kind, Reader, Value};

use super::fields::FIELDS;

/// What was measured, by field.
#[derive(Debug, Default)]
pub(super) struct Measurements<'a>(BTreeMap<&'static str, Measurement<'a>>);

/// One entry.
#[derive(Debug)]
pub(super) struct Measurement<'a> {
    value: &'a Value,
    /// Where it was measured.
    pub(super) from: String,
    /// The low and the high end of its range, as `--set` takes them.
    pub(super) range: Option<[String; 2]>,
}

impl<'a> Measurements<'a> {
    /// Reads `[measured]`; reports what is wrong in it.
    pub(super) fn of(top: &Reader<'a>) -> Self {
        let mut found = BTreeMap::new();
        let table = top.table_or_empty("measured");
        let mut sections: Vec<(&'static str, Reader<'a>)> = Vec::new();
        for field in FIELDS.iter() {
            let Some((section, key)) = section_and_key(field.path) else {
                continue;
            };
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
            let ends = ["low", "high"].map(|end| entry.raw(end).and_then(spelt));
            entry.finish();
            if let (Some(value), Some(from)) = (value, from) {
                let range = match ends {
                    [Some(low), Some(high)] if low != high => Some([low, high]),
                    _ => None,
                };
                let measurement = Measurement { value, from: from.value, range };
                found.insert(field.path, measurement);
            }
        }
        for (_, reader) in &sections {
            reader.finish();
        }
        table.finish();
        Self(found)
    }

    /// The entry of an answer, if it is still the one that was measured.
    pub(super) fn of_answer(&self, path: &str, answer: Option<&Value>) -> Option<&Measurement<'a>> {
        let found = self.0.get(path)?;
        is_same(&found.value.kind, &answer?.kind).then_some(found)
    }
}

/// A value as `--set` takes it; nothing where it is no amount.
fn spelt(value: &Value) -> Option<String> {
    match &value.kind {
        Kind::Text(text) => Some(text.clone()),
        Kind::Integer(n) => Some(n.to_string()),
        Kind::Float(x) => Some(x.to_string()),
        _ => None,
    }
}

/// Section and key of an answer that can have an entry: at the top of a file and in lists of tables nothing is measured.
fn section_and_key(path: &str) -> Option<(&str, &str)> {
    path.split_once('.').filter(|(_, key)| !key.contains('.'))
}

/// Whether an answer can have an entry below `[measured]`.
pub fn can_be_measured(path: &str) -> bool {
    section_and_key(path).is_some()
}

/// The text of a site file with an answer, and with its entry below `[measured]` where it can have one: where it comes
/// from, and what else it may be (lowest and highest). The values are in TOML's spelling.
///
/// ```
/// use plimsoll_model::site;
/// let text = site::set_measured("", "server.cores", "32", "`lscpu`, pasted.txt:69", None).unwrap();
/// let entry = "cores = { value = 32, from = \"`lscpu`, pasted.txt:69\" }";
/// assert_eq!(text, format!("[server]\ncores = 32\n\n[measured.server]\n{entry}\n"));
/// ```
pub fn set_measured(
    text: &str,
    path: &str,
    value: &str,
    from: &str,
    range: Option<(&str, &str)>,
) -> Result<String, EditError> {
    let text = edit::set(text, path, value)?;
    if !can_be_measured(path) {
        return Ok(text);
    }
    let from = toml::Value::String(from.to_owned());
    let range = range.map_or(String::new(), |(low, high)| format!(", low = {low}, high = {high}"));
    let entry = format!("{{ value = {value}, from = {from}{range} }}");
    edit::set(&text, &format!("measured.{path}"), &entry)
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
        (Kind::List(a), Kind::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(&a.kind, &b.kind)),
        _ => number(a).is_some() && number(a) == number(b),
    }
}

//! Rows by the names of their columns, which a database may lack.

use rusqlite::types::Value;
use rusqlite::{Connection, Statement};

use crate::serverlog::live::{LONGEST_ARGUMENTS, LONGEST_TEXT};
use crate::serverlog::record::Moment;
use crate::serverlog::reuse::push_text;
use crate::serverlog::scan::{Calendar, LARGEST, LONGEST_S};

/// A row of named columns; those that the table lacks are NULL.
pub(super) struct Columns {
    names: Vec<&'static str>,
    values: Vec<Value>,
}

impl Columns {
    fn value(&self, name: &str) -> &Value {
        let at = self.names.iter().position(|known| *known == name);
        at.and_then(|at| self.values.get(at))
            .unwrap_or(&Value::Null)
    }

    /// Whether it is not NULL.
    pub(super) fn has(&self, name: &str) -> bool {
        !matches!(self.value(name), Value::Null)
    }

    /// A number, bounded as those of a log are.
    pub(super) fn signed(&self, name: &str) -> i64 {
        let found = match self.value(name) {
            Value::Integer(number) => *number,
            Value::Real(number) => *number as i64,
            Value::Text(text) => text.trim().parse().unwrap_or(0),
            Value::Null | Value::Blob(_) => 0,
        };
        let most = LARGEST.cast_signed();
        found.clamp(-most, most)
    }

    pub(super) fn count(&self, name: &str) -> u64 {
        u64::try_from(self.signed(name)).unwrap_or(0)
    }

    fn real(&self, name: &str) -> Option<f64> {
        let found = match self.value(name) {
            Value::Integer(number) => *number as f64,
            Value::Real(number) => *number,
            Value::Text(text) => text.trim().parse().ok()?,
            Value::Null | Value::Blob(_) => return None,
        };
        found.is_finite().then_some(found)
    }

    pub(super) fn seconds(&self, name: &str) -> Option<f64> {
        self.real(name).filter(|s| s.abs() < LONGEST_S)
    }

    /// A text, cut as those of a log are.
    pub(super) fn text(&self, name: &str) -> String {
        let most = if name == "args" {
            LONGEST_ARGUMENTS
        } else {
            LONGEST_TEXT
        };
        let mut out = String::new();
        match self.value(name) {
            Value::Text(text) => push_text(&mut out, text.as_bytes(), most),
            Value::Blob(bytes) => push_text(&mut out, bytes, most),
            Value::Integer(number) => out = number.to_string(),
            Value::Real(_) | Value::Null => {}
        }
        out
    }

    /// Whether one of them says more than nothing: log2sql writes 0 where the log says nothing.
    pub(super) fn says(&self, names: &[&str]) -> bool {
        names
            .iter()
            .any(|name| self.real(name).is_some_and(|x| x != 0.0))
    }

    pub(super) fn moment(&self, name: &str) -> Option<Moment> {
        Calendar::default().written(self.text(name).as_bytes())
    }
}

/// A query for those of the wanted columns that a table has; none where there is no such table.
pub(super) fn select<'c>(
    connection: &'c Connection,
    table: &str,
    wanted: &[&'static str],
    rest: &str,
) -> rusqlite::Result<Option<(Vec<&'static str>, Statement<'c>)>> {
    let mut info = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let found = info.query_map([table], |row| row.get::<_, String>(0))?;
    let found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
    let has = |name: &&'static str| found.iter().any(|f| f.eq_ignore_ascii_case(name));
    let names: Vec<&'static str> = wanted.iter().copied().filter(has).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let columns = names.join(", ");
    let statement = connection.prepare(&format!("SELECT {columns} FROM {table} {rest}"))?;
    Ok(Some((names, statement)))
}

pub(super) fn columns(
    names: &[&'static str],
    row: &rusqlite::Row<'_>,
) -> rusqlite::Result<Columns> {
    let values = (0..names.len()).map(|i| row.get::<_, Value>(i));
    Ok(Columns {
        names: names.to_vec(),
        values: values.collect::<rusqlite::Result<_>>()?,
    })
}

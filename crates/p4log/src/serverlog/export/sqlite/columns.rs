//! Rows by the names of their columns, which a database may lack.

use std::slice::Iter;

use rusqlite::types::Value;
use rusqlite::{Connection, Statement};

use crate::serverlog::counters::{Counted, Unit};
use crate::serverlog::live::{LONGEST_ARGUMENTS, LONGEST_TEXT};
use crate::serverlog::record::{Moment, SectionLines, TableUse};
use crate::serverlog::reuse::push_text;
use crate::serverlog::scan::{Calendar, LARGEST, LONGEST_S};

/// A row: columns that are asked for by name, and counters behind them. What the table lacks is NULL.
pub(super) struct Columns {
    names: &'static [&'static str],
    values: Vec<Value>,
}

impl Columns {
    fn value(&self, name: &str) -> &Value {
        let at = self.names.iter().position(|known| *known == name);
        at.and_then(|at| self.values.get(at)).unwrap_or(&Value::Null)
    }

    pub(super) fn signed(&self, name: &str) -> i64 {
        number(self.value(name))
    }

    pub(super) fn count(&self, name: &str) -> u64 {
        count(self.value(name))
    }

    /// Bytes that are written as whole MiB.
    pub(super) fn mib(&self, name: &str) -> u64 {
        bytes(self.count(name))
    }

    /// The counters, to be read by [`counted`] in the order in which they were asked for.
    pub(super) fn counters(&self) -> Iter<'_, Value> {
        self.values[self.names.len()..].iter()
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
        let most = if name == "args" { LONGEST_ARGUMENTS } else { LONGEST_TEXT };
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
        names.iter().any(|name| self.real(name).is_some_and(|x| x != 0.0))
    }

    pub(super) fn moment(&self, name: &str) -> Option<Moment> {
        Calendar::default().written(self.text(name).as_bytes())
    }
}

/// A number, bounded as those of a log are.
fn number(value: &Value) -> i64 {
    let found = match value {
        Value::Integer(number) => *number,
        Value::Real(number) => *number as i64,
        Value::Text(text) => text.trim().parse().unwrap_or(0),
        Value::Null | Value::Blob(_) => 0,
    };
    let most = LARGEST.cast_signed();
    found.clamp(-most, most)
}

fn count(value: &Value) -> u64 {
    u64::try_from(number(value)).unwrap_or(0)
}

fn bytes(mib: u64) -> u64 {
    mib.saturating_mul(1 << 20).min(LARGEST)
}

/// The next counters of a row; `None` if all are nothing, since log2sql writes 0 where the log says nothing.
pub(super) fn counted<C: Counted>(values: &mut Iter<'_, Value>) -> Option<C> {
    let mut counted = C::default();
    let mut any = false;
    counted.set_counters(|counter| {
        let column = counter.sql.and_then(|_| values.next());
        let value = column.map_or(0, count);
        any |= value > 0;
        match counter.unit {
            Unit::Bytes => bytes(value),
            _ => value,
        }
    });
    any.then_some(counted)
}

/// The lines of a table's section of which a counter is not NULL.
pub(super) fn section_lines(mut values: Iter<'_, Value>) -> SectionLines {
    let mut lines = SectionLines::NONE;
    for counter in TableUse::COUNTERS {
        let column = counter.sql.and_then(|_| values.next());
        if column.is_some_and(|value| *value != Value::Null) {
            lines.add(counter.line);
        }
    }
    lines
}

/// A query for columns of a table; `None` if it has none of them, or lacks one that is needed.
pub(super) fn select<'c>(
    connection: &'c Connection,
    table: &str,
    (columns, needed): (Vec<String>, &[&str]),
    rest: &str,
) -> rusqlite::Result<Option<Statement<'c>>> {
    let mut info = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let found = info.query_map([table], |row| row.get::<_, String>(0))?;
    let found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
    let has = |name: &str| found.iter().any(|f| f.eq_ignore_ascii_case(name));
    if !columns.iter().any(|name| has(name)) || !needed.iter().all(|name| has(name)) {
        return Ok(None);
    }
    let columns = columns.iter().map(|name| if has(name) { name } else { "NULL" });
    let columns = columns.collect::<Vec<_>>().join(", ");
    let statement = connection.prepare(&format!("SELECT {columns} FROM {table} {rest}"))?;
    Ok(Some(statement))
}

/// A row of such a query, whose first columns have these names.
pub(super) fn columns(names: &'static [&'static str], row: &rusqlite::Row<'_>) -> rusqlite::Result<Columns> {
    let values = (0..row.as_ref().column_count()).map(|i| row.get::<_, Value>(i));
    Ok(Columns { names, values: values.collect::<rusqlite::Result<_>>()? })
}

//! What the fields of one row of a structured log say.

use super::super::counters::Counted;
use super::super::live::{LONGEST_ARGUMENTS, LONGEST_TEXT, parent};
use super::super::record::{Command, Estimate, Moment, Place, Rpc, Section, SectionLines, TableUse, Trigger, Usage};
use super::super::reuse::push_text;
use super::super::scan::{LARGEST, Scan};
use super::columns::{Column, Columns, CounterColumns};
use super::rows::Row;

/// A row whose columns are known.
#[derive(Clone, Copy)]
pub(super) struct Fields<'r> {
    pub(super) columns: &'r Columns,
    pub(super) row: &'r Row,
}

impl<'r> Fields<'r> {
    /// A field as it is spelt; empty if the event has no such column.
    pub(super) fn raw(&self, column: Column) -> &'r [u8] {
        self.columns.field(self.row, column)
    }

    /// A whole number; 0 where the field is none.
    pub(super) fn count(&self, column: Column) -> u64 {
        number(self.raw(column))
    }

    /// Milliseconds, perhaps negative.
    fn milliseconds(&self, column: Column) -> i64 {
        let (negative, digits) = match self.raw(column) {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let value = i64::try_from(number(digits)).unwrap_or(0);
        if negative { -value } else { value }
    }

    /// Seconds: `.031`, `1.38s`, `109s`. A whole number without a unit may be anything.
    pub(super) fn seconds(&self, column: Column) -> Option<f64> {
        let field = self.raw(column);
        if field.last() != Some(&b's') && memchr::memchr(b'.', field).is_none() {
            return None;
        }
        let mut text = field.strip_suffix(b"s").unwrap_or(field).to_vec();
        text.push(b's');
        Scan::new(&text).seconds()
    }

    /// A text of at most so many bytes.
    pub(super) fn text(&self, column: Column, most: usize) -> String {
        let mut text = String::new();
        push_text(&mut text, self.raw(column), most);
        text
    }

    /// A command with what each of its rows says.
    pub(super) fn command(&self, place: Place, at: Moment) -> Command {
        let text = |column: Column| self.text(column, LONGEST_TEXT);
        let (mut program, version) = (text(Column::Program), text(Column::Version));
        if !version.is_empty() {
            program.push('/');
            program.push_str(&version);
        }
        let (function, arguments) = (text(Column::Function), self.text(Column::Arguments, LONGEST_ARGUMENTS));
        let parent = (function == "user-transmit").then(|| parent(&arguments)).flatten();
        Command {
            place,
            pid: self.count(Column::Pid),
            start: at,
            user: text(Column::User),
            client: text(Column::Client),
            address: text(Column::Host),
            program,
            function,
            arguments,
            parent,
            ..Command::default()
        }
    }

    /// The counters that have their columns in the row.
    fn counters<C: Counted>(&self, columns: &CounterColumns) -> C {
        let mut values = columns.fields(self.row).map(number);
        let mut counted = C::default();
        counted.set_counters(|counter| counter.csv.and_then(|_| values.next()).unwrap_or(0));
        counted
    }

    pub(super) fn usage(&self) -> Usage {
        self.counters(&self.columns.usage)
    }

    pub(super) fn estimate(&self) -> Estimate {
        self.counters(&self.columns.estimate)
    }

    pub(super) fn rpc(&self) -> Rpc {
        let seconds = |column: Column| self.milliseconds(column) as f64 / 1e3;
        Rpc {
            send_s: seconds(Column::SendTime),
            receive_s: seconds(Column::ReceiveTime),
            ..self.counters(&self.columns.rpc)
        }
    }

    pub(super) fn trigger(&self) -> Trigger {
        Trigger { name: self.text(Column::TriggerName, LONGEST_TEXT), lapse_s: self.seconds(Column::TriggerLapse) }
    }

    /// A table, or a lock file: `clients/ann-ws(W)`.
    pub(super) fn table(&self) -> TableUse {
        let mut name = self.text(Column::Table, LONGEST_TEXT);
        let mode = match name.as_bytes() {
            [.., b'(', mode @ (b'R' | b'W'), b')'] => Some(char::from(*mode)),
            _ => None,
        };
        if mode.is_some() {
            name.truncate(name.len() - 3);
        }
        let is_table = ["db.", "rdb.", "pdb."].iter().any(|begins| name.starts_with(begins));
        TableUse {
            section: if is_table { Section::Table } else { Section::LockFile },
            name,
            mode,
            lines: SectionLines::ALL,
            ..self.counters(&self.columns.table)
        }
    }
}

fn number(field: &[u8]) -> u64 {
    let mut scan = Scan::new(field);
    scan.number().map_or(0, |number| number.min(LARGEST))
}

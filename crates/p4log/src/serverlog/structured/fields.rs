//! What the fields of one row of a structured log say.

use super::super::live::{LONGEST_ARGUMENTS, LONGEST_TEXT, parent};
use super::super::record::{
    Command, LockTimes, Moment, Place, Rpc, Said, Section, TableUse, Trigger, Usage,
};
use super::super::reuse::push_text;
use super::super::scan::{LARGEST, Scan};
use super::columns::{Column, Columns};
use super::rows::Row;

/// A row whose columns are known.
#[derive(Clone, Copy)]
pub(super) struct Fields<'r> {
    pub(super) columns: &'r Columns,
    pub(super) row: &'r Row,
}

impl<'r> Fields<'r> {
    /// A field as it is spelt; nothing where the event has no such column.
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
        let (function, arguments) = (
            text(Column::Function),
            self.text(Column::Arguments, LONGEST_ARGUMENTS),
        );
        let parent = (function == "user-transmit")
            .then(|| parent(&arguments))
            .flatten();
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

    pub(super) fn usage(&self) -> Usage {
        Usage {
            user_ms: self.count(Column::UserTime),
            system_ms: self.count(Column::SystemTime),
            blocks_in: self.count(Column::BlocksIn),
            blocks_out: self.count(Column::BlocksOut),
            resident_kib: self.count(Column::Resident),
            faults: self.count(Column::Faults),
        }
    }

    pub(super) fn rpc(&self) -> Rpc {
        let seconds = |column: Column| self.milliseconds(column) as f64 / 1e3;
        Rpc {
            received: self.count(Column::Received),
            sent: self.count(Column::Sent),
            received_bytes: self.count(Column::ReceivedBytes),
            sent_bytes: self.count(Column::SentBytes),
            himark_forward: self.count(Column::HimarkForward),
            himark_reverse: self.count(Column::HimarkReverse),
            send_s: seconds(Column::SendTime),
            receive_s: seconds(Column::ReceiveTime),
        }
    }

    pub(super) fn trigger(&self) -> Trigger {
        Trigger {
            name: self.text(Column::TriggerName, LONGEST_TEXT),
            lapse_s: self.seconds(Column::TriggerLapse),
        }
    }

    /// A table, or a lock file: `clients/ann-ws(W)`.
    pub(super) fn table(&self) -> TableUse {
        let count = |column: Column| self.count(column);
        let mut name = self.text(Column::Table, LONGEST_TEXT);
        let mode = match name.as_bytes() {
            [.., b'(', mode @ (b'R' | b'W'), b')'] => Some(char::from(*mode)),
            _ => None,
        };
        if mode.is_some() {
            name.truncate(name.len() - 3);
        }
        let is_table = ["db.", "rdb.", "pdb."]
            .iter()
            .any(|begins| name.starts_with(begins));
        TableUse {
            section: if is_table {
                Section::Table
            } else {
                Section::LockFile
            },
            name,
            mode,
            said: Said::ALL,
            pages_in: count(Column::PagesIn),
            pages_out: count(Column::PagesOut),
            pages_cached: count(Column::PagesCached),
            pages_split: count(Column::SplitInternal) + count(Column::SplitLeaf),
            pages_reordered: count(Column::ReorderInternal) + count(Column::ReorderLeaf),
            read_locks: count(Column::ReadLocks),
            write_locks: count(Column::WriteLocks),
            rows_get: count(Column::Gets),
            rows_pos: count(Column::Positions),
            rows_scan: count(Column::Scans),
            rows_put: count(Column::Puts),
            rows_del: count(Column::Deletes),
            total: LockTimes {
                read_wait_ms: count(Column::ReadWait),
                read_held_ms: count(Column::ReadHeld),
                write_wait_ms: count(Column::WriteWait),
                write_held_ms: count(Column::WriteHeld),
            },
            longest: LockTimes {
                read_wait_ms: count(Column::LongestReadWait),
                read_held_ms: count(Column::LongestReadHeld),
                write_wait_ms: count(Column::LongestWriteWait),
                write_held_ms: count(Column::LongestWriteHeld),
            },
            peeks: count(Column::Peeks),
            peek_wait_ms: count(Column::PeekWait),
            peek_held_ms: count(Column::PeekHeld),
            blocked: false,
        }
    }
}

fn number(field: &[u8]) -> u64 {
    let mut scan = Scan::new(field);
    scan.number().map_or(0, |number| number.min(LARGEST))
}

//! Rows of structured logs to commands: beginning, end, and what was tracked of one command become one record.
//!
//! A command is known by its process, its number on the connection, its identifier and its function: the phases of a
//! submit share the first three. Its rows come within seconds of one another; it is given out when the log's time has gone
//! on for [`WAIT_NS`] after its end. What has no beginning in the log (it was rotated, or only `track.csv` is there) begins
//! its lapse before its end.

use std::collections::{BTreeSet, HashMap};

use super::super::live::{LONGEST_ARGUMENTS, LONGEST_TEXT, MOST_TRIGGERS, parent};
use super::super::record::{
    Command, Ending, Event, LockTimes, Moment, Place, Rpc, Section, Sink, TableUse, Trigger, Usage,
    What,
};
use super::super::reuse::push_text;
use super::super::scan::{Calendar, LARGEST, Scan};
use super::rows::Row;
use super::schema::{Column, Columns};

/// So long after its end rows of a command may come \[ns\].
const WAIT_NS: i128 = 10_000_000_000;
/// Commands that are held at a time.
const MOST: usize = 20_000;
/// Tables of a command.
const MOST_TABLES: usize = 400;
/// Longest text kept of an error.
const LONGEST_ERROR: usize = 1 << 10;
/// From this severity on an event is an error, and not a warning.
const ERROR: u64 = 3;

/// What a command is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    pid: u64,
    number: u64,
    ident: Vec<u8>,
    function: Vec<u8>,
}

/// A command of which rows may come.
#[derive(Debug)]
struct Open {
    command: Command,
    /// Times of its rows by the log's clock, in nanoseconds since 1970: of its beginning, its end, and the last.
    began: Option<i128>,
    ended: Option<i128>,
    last: i128,
    /// Lapse as a track row states it, in seconds.
    timer_s: Option<f64>,
    last_at: Moment,
}

impl Open {
    /// From when on it waits for nothing.
    fn due(&self) -> i128 {
        // Locks are tracked while a command runs: that it was tracked is no end, where it began in the log.
        let is_ended = self.ended.is_some() || (self.began.is_none() && self.command.tracked);
        if is_ended {
            self.last + WAIT_NS
        } else {
            i128::MAX
        }
    }

    /// The record, as complete as it will be.
    fn record(mut self, ending: Ending) -> Command {
        let between = |from: i128, to: i128| ((to - from).max(0)) as f64 / 1e9;
        let command = &mut self.command;
        command.lapse_s = match (command.lapse_s, self.began, self.ended) {
            (Some(stated), ..) => Some(stated),
            (None, Some(began), Some(ended)) => Some(between(began, ended)),
            _ => self.timer_s,
        };
        command.ending = match (self.ended, self.timer_s) {
            (Some(_), _) => Ending::Completed,
            (None, Some(_)) => Ending::Tracked,
            (None, None) => ending,
        };
        if self.began.is_none() {
            let lapse_s = command.lapse_s.unwrap_or(0.0);
            command.start = command.start.plus_seconds(-lapse_s);
        }
        if self.ended.is_some() || command.ending == Ending::Tracked {
            command.end = Some(match (self.ended, command.lapse_s) {
                (_, Some(lapse_s)) => command.start.plus_seconds(lapse_s),
                _ => self.last_at,
            });
        }
        self.command
    }
}

/// Commands that are put together.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    open: HashMap<Key, Open>,
    /// When each is due; those that wait for their end are not among them.
    due: BTreeSet<(i128, Key)>,
    calendar: Calendar,
}

impl Assembly {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Takes a row.
    pub(super) fn row(&mut self, columns: &Columns, row: &Row, place: Place, sink: &mut dyn Sink) {
        self.give_due(row.time, sink);
        let at = self.moment(columns.field(row, Column::Date), row.time);
        let (event, _) = row.event;
        if matches!(event, 4 | 5) {
            return self.error(columns, row, place, at, sink);
        }
        let key = Key {
            pid: number(columns.field(row, Column::Pid)),
            number: number(columns.field(row, Column::Number)),
            ident: short(columns.field(row, Column::Ident)),
            function: short(columns.field(row, Column::Function)),
        };
        if event == 0
            && let Some(before) = self.take(&key)
        {
            sink.command(&before.record(Ending::Replaced));
        }
        if self.open.len() >= MOST && !self.open.contains_key(&key) {
            self.give_oldest(sink);
        }
        let open = self.open.entry(key.clone()).or_insert_with(|| Open {
            command: begun(columns, row, key.pid, place, at),
            began: None,
            ended: None,
            last: row.time,
            timer_s: None,
            last_at: at,
        });
        let before = open.due();
        if before != i128::MAX {
            self.due.remove(&(before, key.clone()));
        }
        (open.last, open.last_at) = (row.time, at);
        take_row(open, columns, row, at);
        let due = open.due();
        if due != i128::MAX {
            self.due.insert((due, key));
        }
    }

    /// Gives out what is left.
    pub(super) fn finish(mut self, sink: &mut dyn Sink) {
        let mut rest: Vec<(i128, Key)> = self
            .open
            .iter()
            .map(|(key, open)| (open.last, key.clone()))
            .collect();
        rest.sort();
        for (_, key) in rest {
            if let Some(open) = self.open.remove(&key) {
                sink.command(&open.record(Ending::Pending));
            }
        }
    }

    fn take(&mut self, key: &Key) -> Option<Open> {
        let open = self.open.remove(key)?;
        self.due.remove(&(open.due(), key.clone()));
        Some(open)
    }

    fn give_due(&mut self, now: i128, sink: &mut dyn Sink) {
        while let Some((due, key)) = self.due.first()
            && *due <= now
        {
            let key = key.clone();
            if let Some(open) = self.take(&key) {
                sink.command(&open.record(Ending::Pending));
            }
        }
    }

    /// Too many: those that have ended first, then whatever began first.
    fn give_oldest(&mut self, sink: &mut dyn Sink) {
        let oldest = self.due.first().map(|(_, key)| key.clone()).or_else(|| {
            let all = self.open.iter().map(|(key, open)| (open.last, key));
            all.min().map(|(_, key)| key.clone())
        });
        if let Some(open) = oldest.and_then(|key| self.take(&key)) {
            sink.command(&open.record(Ending::Pending));
        }
    }

    /// A row's time by the server's clock, as its date says; by UTC where the date has no known form.
    fn moment(&mut self, date: &[u8], time: i128) -> Moment {
        let micros = i64::try_from(time / 1000).unwrap_or(i64::MAX);
        let mut text = [0; 19];
        let Some(date) = date.get(..19) else {
            return Moment { micros };
        };
        text.copy_from_slice(date);
        // From 2024.1 on: 2024-05-01T12:00:00+0200.
        for (at, letter) in [(4, b'/'), (7, b'/'), (10, b' ')] {
            text[at] = letter;
        }
        let local = self.calendar.moment(&mut Scan::new(&text));
        local.map_or(Moment { micros }, |local| Moment {
            micros: local.micros + micros.rem_euclid(1_000_000),
        })
    }

    fn error(
        &mut self,
        columns: &Columns,
        row: &Row,
        place: Place,
        at: Moment,
        sink: &mut dyn Sink,
    ) {
        if number(columns.field(row, Column::Severity)) < ERROR {
            return;
        }
        let pid = number(columns.field(row, Column::Pid));
        let mut operation = String::new();
        push_text(
            &mut operation,
            columns.field(row, Column::Function),
            LONGEST_TEXT,
        );
        let mut text = String::new();
        push_text(&mut text, columns.field(row, Column::Text), LONGEST_ERROR);
        let key = Key {
            pid,
            number: number(columns.field(row, Column::Number)),
            ident: short(columns.field(row, Column::Ident)),
            function: short(operation.as_bytes()),
        };
        if let Some(open) = self.open.get_mut(&key) {
            open.command.failed = true;
        }
        sink.event(&Event {
            place,
            at: Some(at),
            what: What::Error {
                pid: Some(pid),
                operation: (!operation.is_empty()).then_some(operation),
                text,
            },
        });
    }
}

/// A command with what each of its rows says.
fn begun(columns: &Columns, row: &Row, pid: u64, place: Place, at: Moment) -> Command {
    let mut command = Command {
        place,
        pid,
        start: at,
        ..Command::default()
    };
    for (text, column, most) in [
        (&mut command.user, Column::User, LONGEST_TEXT),
        (&mut command.client, Column::Client, LONGEST_TEXT),
        (&mut command.address, Column::Host, LONGEST_TEXT),
        (&mut command.program, Column::Program, LONGEST_TEXT),
        (&mut command.function, Column::Function, LONGEST_TEXT),
        (&mut command.arguments, Column::Arguments, LONGEST_ARGUMENTS),
    ] {
        push_text(text, columns.field(row, column), most);
    }
    let version = columns.field(row, Column::Version);
    if !version.is_empty() {
        command.program.push('/');
        push_text(&mut command.program, version, LONGEST_TEXT);
    }
    if command.function == "user-transmit" {
        command.parent = parent(&command.arguments);
    }
    command
}

fn take_row(open: &mut Open, columns: &Columns, row: &Row, at: Moment) {
    let count = |column: Column| number(columns.field(row, column));
    let seconds = |column: Column| seconds(columns.field(row, column));
    match row.event.0 {
        0 => {
            open.began = Some(row.time);
            open.command.start = at;
        }
        1 => {
            let stated = seconds(Column::Lapse);
            let began = open.began;
            let since = || began.map(|began| ((row.time - began).max(0)) as f64 / 1e9);
            open.command.compute_s = stated.or_else(since);
        }
        2 => {
            open.ended = Some(row.time);
            open.command.lapse_s = seconds(Column::Lapse);
            if open.began.is_none() {
                open.command.start = at;
            }
        }
        7 => {
            open.timer_s = seconds(Column::Timer).or(open.timer_s);
            if columns.are_all_known {
                open.command.usage = Some(Usage {
                    user_ms: count(Column::UserTime),
                    system_ms: count(Column::SystemTime),
                    blocks_in: count(Column::BlocksIn),
                    blocks_out: count(Column::BlocksOut),
                    resident_kib: count(Column::Resident),
                    faults: count(Column::Faults),
                });
                open.command.tracked = true;
            }
        }
        8 if columns.are_all_known => {
            open.command.rpc = Some(Rpc {
                received: count(Column::Received),
                sent: count(Column::Sent),
                received_bytes: count(Column::ReceivedBytes),
                sent_bytes: count(Column::SentBytes),
                himark_forward: count(Column::HimarkForward),
                himark_reverse: count(Column::HimarkReverse),
                send_s: milliseconds(columns.field(row, Column::SendTime)) as f64 / 1e3,
                receive_s: milliseconds(columns.field(row, Column::ReceiveTime)) as f64 / 1e3,
            });
            open.command.tracked = true;
        }
        9 if columns.are_all_known && open.command.tables.len() < MOST_TABLES => {
            open.command.tables.push(table(columns, row));
            open.command.tracked = true;
        }
        11 if columns.are_all_known && open.command.triggers.len() < MOST_TRIGGERS => {
            let mut name = String::new();
            push_text(
                &mut name,
                columns.field(row, Column::TriggerName),
                LONGEST_TEXT,
            );
            let lapse_s = seconds(Column::TriggerLapse);
            open.command.triggers.push(Trigger { name, lapse_s });
        }
        14 if columns.are_all_known => {
            let estimate = open.command.estimate.get_or_insert_default();
            for (sum, column) in [
                (&mut estimate.added, Column::Added),
                (&mut estimate.updated, Column::Updated),
                (&mut estimate.deleted, Column::Deleted),
                (&mut estimate.added_bytes, Column::AddedBytes),
                (&mut estimate.updated_bytes, Column::UpdatedBytes),
            ] {
                *sum = sum.saturating_add(count(column)).min(LARGEST);
            }
        }
        _ => {}
    }
}

fn table(columns: &Columns, row: &Row) -> TableUse {
    let count = |column: Column| number(columns.field(row, column));
    let ms = |column: Column| milliseconds(columns.field(row, column));
    let mut name = String::new();
    push_text(&mut name, columns.field(row, Column::Table), LONGEST_TEXT);
    let mode = match name.as_bytes() {
        [.., b'(', mode @ (b'R' | b'W'), b')'] => Some(char::from(*mode)),
        _ => None,
    };
    if mode.is_some() {
        name.truncate(name.len() - 3);
    }
    let is_table = name.starts_with("db.") || name.starts_with("rdb.") || name.starts_with("pdb.");
    TableUse {
        section: if is_table {
            Section::Table
        } else {
            Section::LockFile
        },
        name,
        mode,
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
            read_wait_ms: ms(Column::ReadWait),
            read_held_ms: ms(Column::ReadHeld),
            write_wait_ms: ms(Column::WriteWait),
            write_held_ms: ms(Column::WriteHeld),
        },
        longest: LockTimes {
            read_wait_ms: ms(Column::LongestReadWait),
            read_held_ms: ms(Column::LongestReadHeld),
            write_wait_ms: ms(Column::LongestWriteWait),
            write_held_ms: ms(Column::LongestWriteHeld),
        },
        peeks: count(Column::Peeks),
        peek_wait_ms: ms(Column::PeekWait),
        peek_held_ms: ms(Column::PeekHeld),
        blocked: false,
    }
}

/// A field that is a whole number; 0 where it is none.
fn number(field: &[u8]) -> u64 {
    let mut scan = Scan::new(field);
    scan.number().map_or(0, |number| number.min(LARGEST))
}

/// Milliseconds, perhaps negative.
fn milliseconds(field: &[u8]) -> i64 {
    let (negative, digits) = match field {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let value = i64::try_from(number(digits)).unwrap_or(0);
    if negative { -value } else { value }
}

/// Seconds: `.031`, `1.38s`, `109s`. A whole number without a unit may be anything.
fn seconds(field: &[u8]) -> Option<f64> {
    if field.last() != Some(&b's') && memchr::memchr(b'.', field).is_none() {
        return None;
    }
    let mut text = field.strip_suffix(b"s").unwrap_or(field).to_vec();
    text.push(b's');
    Scan::new(&text).seconds()
}

/// A field as far as a key has it.
fn short(field: &[u8]) -> Vec<u8> {
    const MOST: usize = 128;
    field[..field.len().min(MOST)].to_vec()
}

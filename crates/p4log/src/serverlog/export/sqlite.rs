//! The tables that users of log2sql know (process, tableUse, events), written and read.
//!
//! The schema is that of `log2sql` of go-libp4dlog (rcowham, MIT): its queries run on what is written here. What the log
//! does not say is NULL, where log2sql writes 0. Lock files that log2sql leaves out (`clients/NAME_W`, `meta/commit_W` …)
//! are there too.

mod columns;
mod read;

use std::collections::HashSet;
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::serverlog::Pseudonyms;
use crate::serverlog::pseudonym::siphash;
use crate::serverlog::record::{
    ArchiveKind, Command, Damage, Event, Moment, Said, Section, Sink, TableUse, What,
};

pub use read::{is_database, read};

/// The schema.
const SCHEMA: &str = include_str!("schema.sql");
/// Rows that are written at a time.
const ROWS: usize = 8192;
/// Columns of two tables.
const TABLE_USE: usize = 29;
const EVENTS: usize = 11;
/// Kinds of archive files in the order of the columns.
pub(super) const ARCHIVES: [ArchiveKind; 4] = [
    ArchiveKind::Rcs,
    ArchiveKind::Binary,
    ArchiveKind::Compress,
    ArchiveKind::Uncompress,
];

/// Writes records as they come.
#[derive(Debug)]
pub struct Tables {
    connection: Connection,
    names: Option<Pseudonyms>,
    rows: u64,
    error: Option<rusqlite::Error>,
    /// Rows of process, tableUse and events that are not written yet.
    waiting: [Vec<Vec<Value>>; 3],
}

/// The tables, and what a further row of the same key does: a row of events may tell of several things.
const TABLES: [(&str, &str); 3] = [
    ("process", ""),
    ("tableUse", ""),
    (
        "events",
        "ON CONFLICT (lineNumber) DO UPDATE SET \
         activeThreads = coalesce(excluded.activeThreads, activeThreads), \
         activeThreadsMax = coalesce(excluded.activeThreadsMax, activeThreadsMax), \
         pausedThreads = coalesce(excluded.pausedThreads, pausedThreads), \
         pausedThreadsMax = coalesce(excluded.pausedThreadsMax, pausedThreadsMax), \
         cpuPressureState = coalesce(excluded.cpuPressureState, cpuPressureState), \
         memPressureState = coalesce(excluded.memPressureState, memPressureState)",
    ),
];

impl Tables {
    /// A new database in a file that is empty or not there; under pseudonyms where there are some.
    ///
    /// # Errors
    ///
    /// What `SQLite` says.
    pub fn create(path: &Path, names: Option<Pseudonyms>) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        // Nothing reads it before it is complete, and a broken run leaves nothing.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
        connection.execute_batch(SCHEMA)?;
        Ok(Self {
            connection,
            names,
            rows: 0,
            error: None,
            waiting: [const { Vec::new() }; 3],
        })
    }

    /// Closes it; how many rows there are.
    ///
    /// # Errors
    ///
    /// The first error that `SQLite` reported.
    pub fn finish(mut self) -> rusqlite::Result<u64> {
        self.flush();
        if let Some(error) = self.error {
            return Err(error);
        }
        self.connection.execute_batch("COMMIT;")?;
        self.connection.close().map_err(|(_, error)| error)?;
        Ok(self.rows)
    }

    fn add(&mut self, table: usize, row: Vec<Value>) {
        if self.error.is_some() {
            return;
        }
        self.waiting[table].push(row);
        self.rows += 1;
        if self.waiting[table].len() >= ROWS {
            self.flush();
        }
    }

    /// Writes what waits, in a transaction of its own.
    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let result = write(&self.connection, waiting);
        if self.error.is_none() {
            self.error = result.err();
        }
    }
}

fn write(connection: &Connection, waiting: [Vec<Vec<Value>>; 3]) -> rusqlite::Result<()> {
    for ((table, again), rows) in TABLES.into_iter().zip(waiting) {
        let Some(first) = rows.first() else {
            continue;
        };
        let marks = vec!["?"; first.len()].join(",");
        let sql = format!("INSERT INTO {table} VALUES ({marks}) {again}");
        let mut statement = connection.prepare(&sql)?;
        for row in rows {
            statement.execute(params_from_iter(row))?;
        }
    }
    connection.execute_batch("COMMIT; BEGIN;")
}

impl Sink for Tables {
    fn command(&mut self, command: &Command) {
        let renamed = self.names.map(|names| names.command(command));
        let command = renamed.as_ref().unwrap_or(command);
        let key = key(command);
        self.add(0, process(command, &key));
        let mut seen = HashSet::new();
        for table in &command.tables {
            let name = once(&mut seen, &name_of(table));
            self.add(1, table_use(command, &key, table, name));
        }
        for trigger in &command.triggers {
            let mut row = vec![Value::Null; TABLE_USE];
            let name = once(&mut seen, &format!("trigger_{}", trigger.name));
            row[0] = key.clone().into();
            row[1] = integer(command.place.line);
            row[2] = name.into();
            row[28] = trigger.lapse_s.map_or(Value::Null, Value::Real);
            self.add(1, row);
        }
    }

    fn event(&mut self, event: &Event) {
        let mut row = vec![Value::Null; EVENTS];
        let Some(at) = event.at else {
            return;
        };
        // The key is the line alone: lines of further files follow far behind those of the first.
        row[0] = integer(event.place.line + ((event.place.file as u64) << 40));
        row[1] = at.to_string().into();
        match &event.what {
            What::Active(count) => {
                row[2] = integer(*count);
                row[3] = integer(*count);
            }
            What::Paused(count) => {
                row[4] = integer(*count);
                row[5] = integer(*count);
            }
            What::Pressure { cpu, memory } => {
                row[9] = integer(u64::from(*cpu));
                row[10] = integer(u64::from(*memory));
            }
            // They have no columns.
            What::Started { .. } | What::Error { .. } => return,
        }
        self.add(2, row);
    }

    fn damage(&mut self, _: &Damage) {}
}

/// The name, with a number where a row of the command has it already: name and command are the key.
fn once(seen: &mut HashSet<String>, name: &str) -> String {
    let mut numbered = name.to_owned();
    let mut number = 2;
    while !seen.insert(numbered.clone()) {
        numbered = format!("{name} ({number})");
        number += 1;
    }
    numbered
}

/// The database's numbers have a sign.
fn integer(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn maybe(number: Option<u64>) -> Value {
    number.map_or(Value::Null, integer)
}

fn real(number: Option<f64>) -> Value {
    number.map_or(Value::Null, Value::Real)
}

/// A key of at most 50 characters that no other command has.
fn key(command: &Command) -> String {
    let line = format!(
        "{} {} {} {} {}",
        command.start, command.pid, command.user, command.function, command.arguments
    );
    let hash = siphash((0, 0), line.as_bytes());
    format!("{hash:016x}.{}.{}", command.place.file, command.place.line)
}

/// The name as log2sql writes it.
fn name_of(table: &TableUse) -> String {
    let plain = table.name.strip_prefix("db.").unwrap_or(&table.name);
    match (table.section, table.mode) {
        (Section::LockFile, Some(mode)) => {
            let plain = plain.strip_prefix("storageup/").unwrap_or(plain);
            format!("{plain}_{mode}")
        }
        _ => plain.to_owned(),
    }
}

fn process(command: &Command, key: &str) -> Vec<Value> {
    let usage = command.usage;
    let rpc = command.rpc;
    let files = command.files.or(command.client_files);
    let estimate = command.estimate;
    let start = command.start.known().map(|start| start.to_string());
    let end = command.end.map(|end: Moment| end.to_string());
    let text = |text: &str| Value::Text(text.to_owned());
    let mut row = vec![
        text(key),
        integer(command.place.line),
        integer(command.pid),
        start.map_or(Value::Null, Value::Text),
        end.map_or(Value::Null, Value::Text),
        real(command.compute_s),
        real(command.lapse_s),
        real(command.paused_s),
        text(&command.user),
        text(&command.client),
        text(&command.address),
        text(&command.program),
        text(&command.function),
        text(&command.arguments),
        maybe(usage.map(|u| u.user_ms)),
        maybe(usage.map(|u| u.system_ms)),
        maybe(usage.map(|u| u.blocks_in)),
        maybe(usage.map(|u| u.blocks_out)),
        Value::Null,
        Value::Null,
        maybe(usage.map(|u| u.resident_kib)),
        maybe(usage.map(|u| u.faults)),
        maybe(command.memory_bytes.map(|bytes| bytes >> 20)),
        maybe(command.process_bytes.map(|bytes| bytes >> 20)),
        maybe(rpc.map(|r| r.received)),
        maybe(rpc.map(|r| r.sent)),
        maybe(rpc.map(|r| r.received_bytes >> 20)),
        maybe(rpc.map(|r| r.sent_bytes >> 20)),
        maybe(rpc.map(|r| r.himark_forward)),
        maybe(rpc.map(|r| r.himark_reverse)),
        real(rpc.map(|r| r.send_s)),
        real(rpc.map(|r| r.receive_s)),
        maybe(files.map(|f| f.sent_files)),
        maybe(files.map(|f| f.received_files)),
        maybe(files.map(|f| f.sent_bytes >> 20)),
        maybe(files.map(|f| f.received_bytes >> 20)),
        Value::Null,
        maybe(estimate.map(|e| e.added)),
        maybe(estimate.map(|e| e.updated)),
        maybe(estimate.map(|e| e.deleted)),
        maybe(estimate.map(|e| e.added_bytes)),
        maybe(estimate.map(|e| e.updated_bytes)),
    ];
    for kind in ARCHIVES {
        let used = command.archives.iter().find(|a| a.kind == kind);
        row.extend([
            maybe(used.map(|a| a.opens)),
            maybe(used.map(|a| a.closes)),
            maybe(used.map(|a| a.checkins)),
            maybe(used.map(|a| a.exists)),
            maybe(used.map(|a| a.reads)),
            maybe(used.map(|a| a.read_bytes)),
            maybe(used.map(|a| a.writes)),
            maybe(used.map(|a| a.written_bytes)),
            maybe(used.map(|a| a.digests)),
            Value::Null,
            Value::Null,
            maybe(used.map(|a| a.copies)),
        ]);
    }
    row.push(Value::Text(u8::from(command.failed).to_string()));
    row
}

fn table_use(command: &Command, key: &str, table: &TableUse, name: String) -> Vec<Value> {
    let (total, longest) = (&table.total, &table.longest);
    let count = |line: Said, number: u64| maybe(table.said.of(line, number));
    vec![
        Value::Text(key.to_owned()),
        integer(command.place.line),
        Value::Text(name),
        count(Said::PAGES, table.pages_in),
        count(Said::PAGES, table.pages_out),
        count(Said::PAGES, table.pages_cached),
        Value::Null,
        count(Said::SPLITS, table.pages_split),
        count(Said::ROWS, table.read_locks),
        count(Said::ROWS, table.write_locks),
        count(Said::ROWS, table.rows_get),
        count(Said::ROWS, table.rows_pos),
        count(Said::ROWS, table.rows_scan),
        count(Said::ROWS, table.rows_put),
        count(Said::ROWS, table.rows_del),
        count(Said::TOTAL, total.read_wait_ms),
        count(Said::TOTAL, total.read_held_ms),
        count(Said::TOTAL, total.write_wait_ms),
        count(Said::TOTAL, total.write_held_ms),
        count(Said::LONGEST, longest.read_wait_ms),
        count(Said::LONGEST, longest.read_held_ms),
        count(Said::LONGEST, longest.write_wait_ms),
        count(Said::LONGEST, longest.write_held_ms),
        count(Said::PEEKS, table.peeks),
        count(Said::PEEKS, table.peek_wait_ms),
        count(Said::PEEKS, table.peek_held_ms),
        Value::Null,
        Value::Null,
        Value::Null,
    ]
}

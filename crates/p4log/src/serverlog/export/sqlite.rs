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
use crate::serverlog::counters::{Counted, Unit};
use crate::serverlog::pseudonym::siphash;
use crate::serverlog::record::{
    ArchiveKind, ArchiveUse, Command, Damage, Estimate, Event, FileTotals, Moment, Rpc, Section, SectionLines, Sink,
    TableUse, Usage, What,
};

pub use read::{is_database, read};

/// The schema.
const SCHEMA: &str = include_str!("schema.sql");
/// Rows that are written at a time.
const ROWS: usize = 8192;
/// Columns of the commands, without those of their counters.
const PROCESS: [&str; 19] = [
    "processkey",
    "lineNumber",
    "pid",
    "startTime",
    "endTime",
    "computedLapse",
    "completedLapse",
    "paused",
    "user",
    "workspace",
    "ip",
    "app",
    "cmd",
    "args",
    "memMB",
    "memPeakMB",
    "rpcSnd",
    "rpcRcv",
    "error",
];
/// Columns of what they used, without the counters.
const TABLE_USE: [&str; 4] = ["processkey", "lineNumber", "tableName", "triggerLapse"];
const EVENTS: [&str; 10] = [
    "lineNumber",
    "eventTime",
    "activeThreads",
    "activeThreadsMax",
    "pausedThreads",
    "pausedThreadsMax",
    "cpuPressureState",
    "memPressureState",
    "pauseRateCPU",
    "pauseRateMem",
];
/// Kinds of archive files, with what the names of their columns begin with.
const ARCHIVES: [(ArchiveKind, &str); 4] = [
    (ArchiveKind::Rcs, "lbrRcs"),
    (ArchiveKind::Binary, "lbrBinary"),
    (ArchiveKind::Compress, "lbrCompress"),
    (ArchiveKind::Uncompress, "lbrUncompress"),
];

/// Columns of counters.
fn counter_columns<C: Counted>(prefix: &str) -> impl Iterator<Item = String> {
    let names = C::COUNTERS.iter().filter_map(|counter| counter.sql);
    names.map(move |name| format!("{prefix}{name}"))
}

/// The columns of `process` that are written and read.
fn process_columns() -> Vec<String> {
    let mut names: Vec<String> = PROCESS.map(str::to_owned).into();
    names.extend(counter_columns::<Usage>(""));
    names.extend(counter_columns::<Rpc>(""));
    names.extend(counter_columns::<FileTotals>(""));
    names.extend(counter_columns::<Estimate>(""));
    for (_, prefix) in ARCHIVES {
        names.extend(counter_columns::<ArchiveUse>(prefix));
    }
    names
}

/// The columns of `tableUse` that are written and read.
fn table_use_columns() -> Vec<String> {
    let mut names: Vec<String> = TABLE_USE.map(str::to_owned).into();
    names.extend(counter_columns::<TableUse>(""));
    names
}

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

/// What a further row of the same key does: a row of events may tell of several things.
const FURTHER_EVENT: &str = "ON CONFLICT (lineNumber) DO UPDATE SET \
     activeThreads = coalesce(excluded.activeThreads, activeThreads), \
     activeThreadsMax = coalesce(excluded.activeThreadsMax, activeThreadsMax), \
     pausedThreads = coalesce(excluded.pausedThreads, pausedThreads), \
     pausedThreadsMax = coalesce(excluded.pausedThreadsMax, pausedThreadsMax), \
     cpuPressureState = coalesce(excluded.cpuPressureState, cpuPressureState), \
     memPressureState = coalesce(excluded.memPressureState, memPressureState), \
     pauseRateCPU = coalesce(excluded.pauseRateCPU, pauseRateCPU), \
     pauseRateMem = coalesce(excluded.pauseRateMem, pauseRateMem)";

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
        Ok(Self { connection, names, rows: 0, error: None, waiting: [const { Vec::new() }; 3] })
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
    let tables = [
        ("process", process_columns(), ""),
        ("tableUse", table_use_columns(), ""),
        ("events", EVENTS.map(str::to_owned).into(), FURTHER_EVENT),
    ];
    for ((table, columns, further), rows) in tables.into_iter().zip(waiting) {
        if rows.is_empty() {
            continue;
        }
        let marks = vec!["?"; columns.len()].join(",");
        let columns = columns.join(",");
        let sql = format!("INSERT INTO {table} ({columns}) VALUES ({marks}) {further}");
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
            let mut row = used(command, &key, name, None);
            push(&mut row, Some(table), table.lines);
            self.add(1, row);
        }
        for trigger in &command.triggers {
            let name = once(&mut seen, &format!("trigger_{}", trigger.name));
            let mut row = used(command, &key, name, trigger.lapse_s);
            push::<TableUse>(&mut row, None, SectionLines::NONE);
            self.add(1, row);
        }
    }

    fn event(&mut self, event: &Event) {
        let mut row = vec![Value::Null; EVENTS.len()];
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
            What::Pressure { cpu, memory, pause_rates } => {
                row[6] = integer(u64::from(*cpu));
                row[7] = integer(u64::from(*memory));
                if let Some([cpu, memory]) = pause_rates {
                    row[8] = integer(u64::from(*cpu));
                    row[9] = integer(u64::from(*memory));
                }
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
    let line = format!("{} {} {} {} {}", command.start, command.pid, command.user, command.function, command.arguments);
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

/// Appends counters, NULL where the log does not say them.
fn push<C: Counted>(row: &mut Vec<Value>, counted: Option<&C>, lines: SectionLines) {
    let Some(counted) = counted else {
        row.extend(C::COUNTERS.iter().filter_map(|c| c.sql).map(|_| Value::Null));
        return;
    };
    for (counter, value) in counted.counters() {
        if counter.sql.is_some() {
            let value = match counter.unit {
                Unit::Bytes => value >> 20,
                _ => value,
            };
            row.push(maybe(lines.of(counter.line, value)));
        }
    }
}

fn process(command: &Command, key: &str) -> Vec<Value> {
    let rpc = command.rpc;
    let files = command.files.or(command.client_files);
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
        maybe(command.memory_bytes.map(|bytes| bytes >> 20)),
        maybe(command.process_bytes.map(|bytes| bytes >> 20)),
        real(rpc.map(|r| r.send_s)),
        real(rpc.map(|r| r.receive_s)),
        text(if command.failed { "1" } else { "0" }),
    ];
    let all = SectionLines::ALL;
    push(&mut row, command.usage.as_ref(), all);
    push(&mut row, rpc.as_ref(), all);
    push(&mut row, files.as_ref(), all);
    push(&mut row, command.estimate.as_ref(), all);
    for (kind, _) in ARCHIVES {
        let used = command.archives.iter().find(|used| used.kind == kind);
        push(&mut row, used, all);
    }
    row
}

/// A row of a trigger, or of a table before its counters.
fn used(command: &Command, key: &str, name: String, trigger_s: Option<f64>) -> Vec<Value> {
    vec![Value::Text(key.to_owned()), integer(command.place.line), Value::Text(name), real(trigger_s)]
}

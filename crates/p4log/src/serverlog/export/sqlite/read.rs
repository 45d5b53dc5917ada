//! Such a database as input: what log2sql or this program wrote.

use std::io::Read as _;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::columns::{Columns, columns, counted, section_lines, select};
use super::{ARCHIVES, EVENTS, PROCESS, TABLE_USE, process_columns, table_use_columns};
use crate::serverlog::live::{MOST_TRIGGERS, parent};
use crate::serverlog::record::{
    ArchiveUse, Command, Ending, Event, Moment, Place, Rpc, Section, Sink, TableUse, Trigger, What,
};
use crate::serverlog::track::MOST_TABLES;

/// Whether a file is a database of `SQLite`, by its first bytes.
pub fn is_database(file: &mut std::fs::File) -> std::io::Result<bool> {
    let mut head = [0_u8; 16];
    let mut got = 0;
    while got < head.len() {
        match file.read(&mut head[got..])? {
            0 => break,
            n => got += n,
        }
    }
    Ok(&head == b"SQLite format 3\0")
}

/// Reads a database; gives its records in the order in which they were written. How many there were.
///
/// # Errors
///
/// A sentence: it is no database, or none of these tables.
pub fn read(path: &Path, file: usize, sink: &mut dyn Sink) -> Result<u64, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| e.to_string())?;
    // Nothing that a foreign schema brings along is run.
    let guarded = connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;");
    guarded.map_err(|e| e.to_string())?;
    records(&connection, file, sink).map_err(|e| e.to_string())?.ok_or_else(|| {
        "is an SQLite database without the table \"process\" of log2sql, with the columns startTime and cmd".to_owned()
    })
}

fn records(connection: &Connection, file: usize, sink: &mut dyn Sink) -> rusqlite::Result<Option<u64>> {
    let process = (process_columns(), &["startTime", "cmd"][..]);
    let Some(mut commands) = select(connection, "process", process, "ORDER BY rowid")? else {
        return Ok(None);
    };
    let mut tables = select(
        connection,
        "tableUse",
        (table_use_columns(), &[]),
        "WHERE processkey = ?1 AND lineNumber = ?2 ORDER BY rowid",
    )?;
    let events = (EVENTS.map(str::to_owned).into(), &[][..]);
    let mut waiting = Vec::new();
    if let Some(mut statement) = select(connection, "events", events, "ORDER BY rowid")? {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            waiting.extend(event(&columns(&EVENTS, row)?, file));
        }
    }
    waiting.sort_by_key(|event: &Event| (event.at, event.place.line));
    let mut waiting = waiting.into_iter().peekable();
    let mut count = 0;
    let mut rows = commands.query([])?;
    while let Some(row) = rows.next()? {
        let row = columns(&PROCESS, row)?;
        let Some(mut command) = command(&row, file) else {
            continue;
        };
        if let Some(statement) = &mut tables {
            let key = (row.text("processkey"), row.signed("lineNumber"));
            let mut rows = statement.query(rusqlite::params![key.0, key.1])?;
            while let Some(row) = rows.next()? {
                table(&columns(&TABLE_USE, row)?, &mut command);
            }
        }
        command.tracked |= !command.tables.is_empty();
        let at = command.end.unwrap_or(command.start);
        while let Some(event) = waiting.next_if(|event| event.at <= Some(at)) {
            sink.event(&event);
        }
        sink.command(&command);
        count += 1;
    }
    for event in waiting {
        sink.event(&event);
    }
    Ok(Some(count))
}

fn event(row: &Columns, file: usize) -> Vec<Event> {
    let Some(at) = row.moment("eventTime") else {
        return Vec::new();
    };
    let place = Place { file, line: row.count("lineNumber"), offset: 0 };
    let mut whats = Vec::new();
    let most = |a: &str, b: &str| row.count(a).max(row.count(b));
    if row.says(&["activeThreads", "activeThreadsMax"]) {
        whats.push(What::Active(most("activeThreads", "activeThreadsMax")));
    }
    if row.says(&["pausedThreads", "pausedThreadsMax"]) {
        whats.push(What::Paused(most("pausedThreads", "pausedThreadsMax")));
    }
    if row.says(&["cpuPressureState", "memPressureState"]) {
        let state = |name: &str| u8::try_from(row.count(name)).unwrap_or(2).min(2);
        whats.push(What::Pressure {
            cpu: state("cpuPressureState"),
            memory: state("memPressureState"),
            pause_rates: row.says(&["pauseRateCPU", "pauseRateMem"]).then(|| {
                ["pauseRateCPU", "pauseRateMem"].map(|name| u8::try_from(row.count(name)).unwrap_or(100).min(100))
            }),
        });
    }
    let whats = whats.into_iter();
    whats.map(|what| Event { place, at: Some(at), what }).collect()
}

fn command(row: &Columns, file: usize) -> Option<Command> {
    let start = if row.text("startTime").is_empty() { Moment::default() } else { row.moment("startTime")? };
    let end = row.moment("endTime");
    let lapse_s = row.seconds("completedLapse").map(|s| s.max(0.0));
    // In the order of `process_columns`.
    let mut counters = row.counters();
    let usage = counted(&mut counters);
    let rpc = counted(&mut counters).map(|counted| Rpc {
        send_s: row.seconds("rpcSnd").unwrap_or(0.0),
        receive_s: row.seconds("rpcRcv").unwrap_or(0.0),
        ..counted
    });
    let (files, estimate) = (counted(&mut counters), counted(&mut counters));
    let archives = ARCHIVES.into_iter().filter_map(|(kind, _)| {
        let counted: ArchiveUse = counted(&mut counters)?;
        Some(ArchiveUse { kind, ..counted })
    });
    let memory = |name: &str| row.says(&[name]).then(|| row.mib(name));
    let (function, arguments) = (row.text("cmd"), row.text("args"));
    let parent = (function == "user-transmit").then(|| parent(&arguments)).flatten();
    let failed = !matches!(row.text("error").as_str(), "" | "0" | "false");
    Some(Command {
        place: Place { file, line: row.count("lineNumber"), offset: 0 },
        pid: row.count("pid"),
        start,
        end,
        ending: if end.is_some() || lapse_s.is_some_and(|s| s > 0.0) { Ending::Completed } else { Ending::Pending },
        failed,
        user: row.text("user"),
        client: row.text("workspace"),
        address: row.text("ip"),
        program: row.text("app"),
        tracked: rpc.is_some(),
        function,
        arguments,
        lapse_s,
        compute_s: row.seconds("computedLapse").filter(|s| *s > 0.0),
        paused_s: row.seconds("paused").filter(|s| *s > 0.0),
        usage,
        memory_bytes: memory("memMB"),
        process_bytes: memory("memPeakMB"),
        rpc,
        files,
        estimate,
        archives: archives.collect(),
        parent,
        ..Command::default()
    })
}

fn table(row: &Columns, command: &mut Command) {
    let name = row.text("tableName");
    if let Some(trigger) = name.strip_prefix("trigger_") {
        if command.triggers.len() < MOST_TRIGGERS {
            command.triggers.push(Trigger { name: trigger.to_owned(), lapse_s: row.seconds("triggerLapse") });
        }
        return;
    }
    if command.tables.len() >= MOST_TABLES {
        return;
    }
    let mut used: TableUse = counted(&mut row.counters()).unwrap_or_default();
    used.lines = section_lines(row.counters());
    let mode =
        name.strip_suffix("_R").map(|plain| (plain, 'R')).or_else(|| name.strip_suffix("_W").map(|plain| (plain, 'W')));
    match mode {
        Some((plain, mode)) => {
            used.section = Section::LockFile;
            used.mode = Some(mode);
            used.name = if plain.contains('/') { plain.to_owned() } else { format!("storageup/{plain}") };
        }
        None if name.contains('.') => used.name = name,
        None => used.name = format!("db.{name}"),
    }
    command.tables.push(used);
}

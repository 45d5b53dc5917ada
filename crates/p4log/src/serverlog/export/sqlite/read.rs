//! Such a database as input: what log2sql or this program wrote.

use std::io::Read as _;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::ARCHIVES;
use super::columns::{Columns, columns, select};
use crate::serverlog::live::{MOST_TRIGGERS, parent};
use crate::serverlog::record::{
    ArchiveUse, Command, Ending, Estimate, Event, FileTotals, LockTimes, Moment, Place, Rpc, Said,
    Section, Sink, TableUse, Trigger, Usage, What,
};
use crate::serverlog::scan::LARGEST;
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

const PROCESS: &[&str] = &[
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
    "uCpu",
    "sCpu",
    "diskIn",
    "diskOut",
    "maxRss",
    "pageFaults",
    "memMB",
    "memPeakMB",
    "rpcMsgsIn",
    "rpcMsgsOut",
    "rpcSizeIn",
    "rpcSizeOut",
    "rpcHimarkFwd",
    "rpcHimarkRev",
    "rpcSnd",
    "rpcRcv",
    "fileTotalsSnd",
    "fileTotalsRcv",
    "fileTotalsSndMB",
    "fileTotalsRcvMB",
    "netSyncFilesAdded",
    "netSyncFilesUpdated",
    "netSyncFilesDeleted",
    "netSyncBytesAdded",
    "netSyncBytesUpdated",
    "error",
];

macro_rules! archive {
    ($kind:literal) => {
        [
            concat!("lbr", $kind, "Opens"),
            concat!("lbr", $kind, "Closes"),
            concat!("lbr", $kind, "Checkins"),
            concat!("lbr", $kind, "Exists"),
            concat!("lbr", $kind, "Reads"),
            concat!("lbr", $kind, "ReadBytes"),
            concat!("lbr", $kind, "Writes"),
            concat!("lbr", $kind, "WriteBytes"),
            concat!("lbr", $kind, "Digests"),
            concat!("lbr", $kind, "Copies"),
        ]
    };
}

/// Columns of each kind of archive file, in the order of [`ARCHIVES`].
const ARCHIVE: [[&str; 10]; 4] = [
    archive!("Rcs"),
    archive!("Binary"),
    archive!("Compress"),
    archive!("Uncompress"),
];

const TABLE_USE: &[&str] = &[
    "tableName",
    "pagesIn",
    "pagesOut",
    "pagesCached",
    "pagesSplitInternal",
    "pagesSplitLeaf",
    "readLocks",
    "writeLocks",
    "getRows",
    "posRows",
    "scanRows",
    "putRows",
    "delRows",
    "totalReadWait",
    "totalReadHeld",
    "totalWriteWait",
    "totalWriteHeld",
    "maxReadWait",
    "maxReadHeld",
    "maxWriteWait",
    "maxWriteHeld",
    "peekCount",
    "totalPeekWait",
    "totalPeekHeld",
    "triggerLapse",
];

const EVENTS: &[&str] = &[
    "lineNumber",
    "eventTime",
    "activeThreads",
    "activeThreadsMax",
    "pausedThreads",
    "pausedThreadsMax",
    "cpuPressureState",
    "memPressureState",
];

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
        "is an SQLite database without the table \"process\" of log2sql, with the columns startTime and cmd"
            .to_owned()
    })
}

fn records(
    connection: &Connection,
    file: usize,
    sink: &mut dyn Sink,
) -> rusqlite::Result<Option<u64>> {
    let archive = ARCHIVE.iter().flatten().copied();
    let wanted: Vec<&'static str> = PROCESS.iter().copied().chain(archive).collect();
    let Some((names, mut commands)) = select(connection, "process", &wanted, "ORDER BY rowid")?
    else {
        return Ok(None);
    };
    if !names.contains(&"startTime") || !names.contains(&"cmd") {
        return Ok(None);
    }
    let mut tables = select(
        connection,
        "tableUse",
        TABLE_USE,
        "WHERE processkey = ?1 AND lineNumber = ?2 ORDER BY rowid",
    )?;
    let events = select(connection, "events", EVENTS, "ORDER BY rowid")?;
    let mut waiting = Vec::new();
    if let Some((names, mut statement)) = events {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            waiting.extend(event(&columns(&names, row)?, file));
        }
    }
    waiting.sort_by_key(|event: &Event| (event.at, event.place.line));
    let mut waiting = waiting.into_iter().peekable();
    let mut count = 0;
    let mut rows = commands.query([])?;
    while let Some(row) = rows.next()? {
        let row = columns(&names, row)?;
        let Some(mut command) = command(&row, file) else {
            continue;
        };
        if let Some((names, statement)) = &mut tables {
            let key = (row.text("processkey"), row.signed("lineNumber"));
            let mut rows = statement.query(rusqlite::params![key.0, key.1])?;
            while let Some(row) = rows.next()? {
                table(&columns(names, row)?, &mut command);
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
    let place = Place {
        file,
        line: row.count("lineNumber"),
        offset: 0,
    };
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
        });
    }
    let whats = whats.into_iter();
    whats
        .map(|what| Event {
            place,
            at: Some(at),
            what,
        })
        .collect()
}

#[expect(clippy::too_many_lines, reason = "one column after the other")]
fn command(row: &Columns, file: usize) -> Option<Command> {
    let start = if row.text("startTime").is_empty() {
        Moment::default()
    } else {
        row.moment("startTime")?
    };
    let end = row.moment("endTime");
    let lapse_s = row.seconds("completedLapse").map(|s| s.max(0.0));
    let usage = row
        .says(&["uCpu", "sCpu", "diskIn", "diskOut", "maxRss"])
        .then(|| Usage {
            user_ms: row.count("uCpu"),
            system_ms: row.count("sCpu"),
            blocks_in: row.count("diskIn"),
            blocks_out: row.count("diskOut"),
            resident_kib: row.count("maxRss"),
            faults: row.count("pageFaults"),
        });
    let mib = |name: &str| row.count(name).saturating_mul(1 << 20).min(LARGEST);
    let rpc = row
        .says(&["rpcMsgsIn", "rpcMsgsOut", "rpcHimarkFwd", "rpcHimarkRev"])
        .then(|| Rpc {
            received: row.count("rpcMsgsIn"),
            sent: row.count("rpcMsgsOut"),
            received_bytes: mib("rpcSizeIn"),
            sent_bytes: mib("rpcSizeOut"),
            himark_forward: row.count("rpcHimarkFwd"),
            himark_reverse: row.count("rpcHimarkRev"),
            send_s: row.seconds("rpcSnd").unwrap_or(0.0),
            receive_s: row.seconds("rpcRcv").unwrap_or(0.0),
        });
    let files = row
        .says(&["fileTotalsSnd", "fileTotalsRcv"])
        .then(|| FileTotals {
            sent_files: row.count("fileTotalsSnd"),
            sent_bytes: mib("fileTotalsSndMB"),
            received_files: row.count("fileTotalsRcv"),
            received_bytes: mib("fileTotalsRcvMB"),
        });
    let estimate = row
        .says(&[
            "netSyncFilesAdded",
            "netSyncFilesUpdated",
            "netSyncFilesDeleted",
        ])
        .then(|| Estimate {
            added: row.count("netSyncFilesAdded"),
            updated: row.count("netSyncFilesUpdated"),
            deleted: row.count("netSyncFilesDeleted"),
            added_bytes: row.count("netSyncBytesAdded"),
            updated_bytes: row.count("netSyncBytesUpdated"),
        });
    let kinds = ARCHIVES.into_iter().zip(ARCHIVE);
    let archives = kinds
        .filter(|(_, names)| row.says(names))
        .map(|(kind, names)| {
            let count = |at: usize| row.count(names[at]);
            ArchiveUse {
                kind,
                opens: count(0),
                closes: count(1),
                checkins: count(2),
                exists: count(3),
                reads: count(4),
                read_bytes: count(5),
                writes: count(6),
                written_bytes: count(7),
                digests: count(8),
                copies: count(9),
            }
        });
    let memory = |name: &str| row.says(&[name]).then(|| mib(name));
    let (function, arguments) = (row.text("cmd"), row.text("args"));
    let parent = (function == "user-transmit")
        .then(|| parent(&arguments))
        .flatten();
    let failed = !matches!(row.text("error").as_str(), "" | "0" | "false");
    Some(Command {
        place: Place {
            file,
            line: row.count("lineNumber"),
            offset: 0,
        },
        pid: row.count("pid"),
        start,
        end,
        ending: if end.is_some() || lapse_s.is_some_and(|s| s > 0.0) {
            Ending::Completed
        } else {
            Ending::Pending
        },
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
            command.triggers.push(Trigger {
                name: trigger.to_owned(),
                lapse_s: row.seconds("triggerLapse"),
            });
        }
        return;
    }
    if command.tables.len() >= MOST_TABLES {
        return;
    }
    let mut said = Said::default();
    for (line, column) in [
        (Said::PAGES, "pagesIn"),
        (Said::SPLITS, "pagesSplitLeaf"),
        (Said::ROWS, "readLocks"),
        (Said::TOTAL, "totalReadWait"),
        (Said::LONGEST, "maxReadWait"),
        (Said::PEEKS, "peekCount"),
    ] {
        if row.has(column) {
            said.add(line);
        }
    }
    let mut used = TableUse {
        said,
        pages_in: row.count("pagesIn"),
        pages_out: row.count("pagesOut"),
        pages_cached: row.count("pagesCached"),
        pages_split: row.count("pagesSplitInternal") + row.count("pagesSplitLeaf"),
        read_locks: row.count("readLocks"),
        write_locks: row.count("writeLocks"),
        rows_get: row.count("getRows"),
        rows_pos: row.count("posRows"),
        rows_scan: row.count("scanRows"),
        rows_put: row.count("putRows"),
        rows_del: row.count("delRows"),
        total: LockTimes {
            read_wait_ms: row.count("totalReadWait"),
            read_held_ms: row.count("totalReadHeld"),
            write_wait_ms: row.count("totalWriteWait"),
            write_held_ms: row.count("totalWriteHeld"),
        },
        longest: LockTimes {
            read_wait_ms: row.count("maxReadWait"),
            read_held_ms: row.count("maxReadHeld"),
            write_wait_ms: row.count("maxWriteWait"),
            write_held_ms: row.count("maxWriteHeld"),
        },
        peeks: row.count("peekCount"),
        peek_wait_ms: row.count("totalPeekWait"),
        peek_held_ms: row.count("totalPeekHeld"),
        ..TableUse::default()
    };
    let mode = name
        .strip_suffix("_R")
        .map(|plain| (plain, 'R'))
        .or_else(|| name.strip_suffix("_W").map(|plain| (plain, 'W')));
    match mode {
        Some((plain, mode)) => {
            used.section = Section::LockFile;
            used.mode = Some(mode);
            used.name = if plain.contains('/') {
                plain.to_owned()
            } else {
                format!("storageup/{plain}")
            };
        }
        None if name.contains('.') => used.name = name,
        None => used.name = format!("db.{name}"),
    }
    command.tables.push(used);
}

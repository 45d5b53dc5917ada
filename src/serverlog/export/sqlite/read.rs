//! Such a database as input: what log2sql or this program wrote.

use std::io::Read as _;
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Statement};

use super::ARCHIVES;
use crate::serverlog::record::{
    ArchiveUse, Command, Ending, Estimate, Event, FileTotals, LockTimes, Moment, Place, Rpc,
    Section, Sink, TableUse, Trigger, Usage, What,
};

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

/// A row of named columns; those that the table lacks are NULL.
struct Columns {
    names: Vec<&'static str>,
    values: Vec<Value>,
}

impl Columns {
    fn value(&self, name: &str) -> &Value {
        let at = self.names.iter().position(|known| *known == name);
        at.and_then(|at| self.values.get(at))
            .unwrap_or(&Value::Null)
    }

    fn signed(&self, name: &str) -> i64 {
        match self.value(name) {
            Value::Integer(number) => *number,
            Value::Real(number) => *number as i64,
            Value::Text(text) => text.trim().parse().unwrap_or(0),
            Value::Null | Value::Blob(_) => 0,
        }
    }

    fn count(&self, name: &str) -> u64 {
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

    fn text(&self, name: &str) -> String {
        match self.value(name) {
            Value::Text(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Value::Real(_) | Value::Null => String::new(),
        }
    }

    /// Whether one of them says more than nothing: log2sql writes 0 where the log says nothing.
    fn says(&self, names: &[&str]) -> bool {
        names
            .iter()
            .any(|name| self.real(name).is_some_and(|x| x != 0.0))
    }

    fn moment(&self, name: &str) -> Option<Moment> {
        moment(&self.text(name))
    }
}

/// `2024/06/19 12:25:31`, and with `-` between the parts of the date.
fn moment(text: &str) -> Option<Moment> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days from a civil date (Hinnant 2013, `days_from_civil`).
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    Some(Moment {
        micros: seconds * 1_000_000,
    })
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

/// Columns of each kind of archive file, in the order of [`ARCHIVES`].
const ARCHIVE: [[&str; 10]; 4] = [
    [
        "lbrRcsOpens",
        "lbrRcsCloses",
        "lbrRcsCheckins",
        "lbrRcsExists",
        "lbrRcsReads",
        "lbrRcsReadBytes",
        "lbrRcsWrites",
        "lbrRcsWriteBytes",
        "lbrRcsDigests",
        "lbrRcsCopies",
    ],
    [
        "lbrBinaryOpens",
        "lbrBinaryCloses",
        "lbrBinaryCheckins",
        "lbrBinaryExists",
        "lbrBinaryReads",
        "lbrBinaryReadBytes",
        "lbrBinaryWrites",
        "lbrBinaryWriteBytes",
        "lbrBinaryDigests",
        "lbrBinaryCopies",
    ],
    [
        "lbrCompressOpens",
        "lbrCompressCloses",
        "lbrCompressCheckins",
        "lbrCompressExists",
        "lbrCompressReads",
        "lbrCompressReadBytes",
        "lbrCompressWrites",
        "lbrCompressWriteBytes",
        "lbrCompressDigests",
        "lbrCompressCopies",
    ],
    [
        "lbrUncompressOpens",
        "lbrUncompressCloses",
        "lbrUncompressCheckins",
        "lbrUncompressExists",
        "lbrUncompressReads",
        "lbrUncompressReadBytes",
        "lbrUncompressWrites",
        "lbrUncompressWriteBytes",
        "lbrUncompressDigests",
        "lbrUncompressCopies",
    ],
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

/// A query for those of the wanted columns that a table has; none where there is no such table.
fn select<'c>(
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

fn columns(names: &[&'static str], row: &rusqlite::Row<'_>) -> rusqlite::Result<Columns> {
    let values = (0..names.len()).map(|i| row.get::<_, Value>(i));
    Ok(Columns {
        names: names.to_vec(),
        values: values.collect::<rusqlite::Result<_>>()?,
    })
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
    let start = row.moment("startTime")?;
    let end = row.moment("endTime");
    let lapse_s = row.real("completedLapse").map(|s| s.max(0.0));
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
    let mib = |name: &str| row.count(name).saturating_mul(1 << 20);
    let rpc = row
        .says(&["rpcMsgsIn", "rpcMsgsOut", "rpcHimarkFwd", "rpcHimarkRev"])
        .then(|| Rpc {
            received: row.count("rpcMsgsIn"),
            sent: row.count("rpcMsgsOut"),
            received_bytes: mib("rpcSizeIn"),
            sent_bytes: mib("rpcSizeOut"),
            himark_forward: row.count("rpcHimarkFwd"),
            himark_reverse: row.count("rpcHimarkRev"),
            send_s: row.real("rpcSnd").unwrap_or(0.0),
            receive_s: row.real("rpcRcv").unwrap_or(0.0),
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
        .then(|| {
            let mut words = arguments.split_whitespace();
            words.find_map(|word| word.strip_prefix("-t")?.parse().ok())
        })
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
        compute_s: row.real("computedLapse").filter(|s| *s > 0.0),
        paused_s: row.real("paused").filter(|s| *s > 0.0),
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
        command.triggers.push(Trigger {
            name: trigger.to_owned(),
            lapse_s: row.real("triggerLapse"),
        });
        return;
    }
    let mut used = TableUse {
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
            read_wait_ms: row.signed("totalReadWait"),
            read_held_ms: row.signed("totalReadHeld"),
            write_wait_ms: row.signed("totalWriteWait"),
            write_held_ms: row.signed("totalWriteHeld"),
        },
        longest: LockTimes {
            read_wait_ms: row.signed("maxReadWait"),
            read_held_ms: row.signed("maxReadHeld"),
            write_wait_ms: row.signed("maxWriteWait"),
            write_held_ms: row.signed("maxWriteHeld"),
        },
        peeks: row.count("peekCount"),
        peek_wait_ms: row.signed("totalPeekWait"),
        peek_held_ms: row.signed("totalPeekHeld"),
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

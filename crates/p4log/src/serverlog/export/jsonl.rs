//! Records as JSON Lines: one object a command, event or damaged place, in the order of the log.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::serverlog::Pseudonyms;
use crate::serverlog::record::{
    ArchiveKind, Command, Damage, Ending, Event, FileTotals, LockTimes, Rpc, Said, Sink, TableUse,
    What,
};

/// Writes records as they come.
pub struct Lines<'a> {
    out: &'a mut dyn Write,
    names: Option<Pseudonyms>,
    error: Option<io::Error>,
    written: u64,
}

impl<'a> Lines<'a> {
    /// To `out`, under pseudonyms where there are some.
    pub fn new(out: &'a mut dyn Write, names: Option<Pseudonyms>) -> Self {
        Self {
            out,
            names,
            error: None,
            written: 0,
        }
    }

    /// How many lines were written; the first error where there was one.
    pub fn finish(self) -> io::Result<u64> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.written),
        }
    }

    fn line(&mut self, value: &Value) {
        if self.error.is_some() {
            return;
        }
        match writeln!(self.out, "{value}") {
            Ok(()) => self.written += 1,
            Err(error) => self.error = Some(error),
        }
    }
}

impl Sink for Lines<'_> {
    fn command(&mut self, command: &Command) {
        let value = match self.names {
            Some(names) => command_json(&names.command(command)),
            None => command_json(command),
        };
        self.line(&value);
    }

    fn event(&mut self, event: &Event) {
        let value = match self.names {
            Some(names) => event_json(&names.event(event)),
            None => event_json(event),
        };
        self.line(&value);
    }

    fn damage(&mut self, damage: &Damage) {
        let found = if self.names.is_some() {
            Value::Null
        } else {
            damage.found.as_str().into()
        };
        self.line(&json!({
            "type": "damage", "file": damage.place.file, "line": damage.place.line,
            "offset_bytes": damage.place.offset, "length_bytes": damage.bytes, "found": found,
        }));
    }
}

fn put(map: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    map.insert(key.to_owned(), value.into());
}

fn maybe(map: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        put(map, key, value);
    }
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Completed => "completed",
        Ending::Tracked => "tracked",
        Ending::Unreported => "unreported",
        Ending::Removed => "removed",
        Ending::Restart => "restart",
        Ending::Replaced => "replaced",
        Ending::Pending => "pending",
    }
}

fn rpc(rpc: &Rpc) -> Value {
    json!({
        "received": rpc.received, "sent": rpc.sent,
        "received_bytes": rpc.received_bytes, "sent_bytes": rpc.sent_bytes,
        "himark_forward_bytes": rpc.himark_forward, "himark_reverse_bytes": rpc.himark_reverse,
        "send_s": rpc.send_s, "receive_s": rpc.receive_s,
    })
}

fn files(files: &FileTotals) -> Value {
    json!({
        "sent_files": files.sent_files, "sent_bytes": files.sent_bytes,
        "received_files": files.received_files, "received_bytes": files.received_bytes,
    })
}

fn locks(times: &LockTimes) -> Value {
    let s = |ms: u64| ms as f64 / 1e3;
    json!({
        "read_wait_s": s(times.read_wait_ms), "read_held_s": s(times.read_held_ms),
        "write_wait_s": s(times.write_wait_ms), "write_held_s": s(times.write_held_ms),
    })
}

/// A table; what the log does not say is null.
fn table(table: &TableUse) -> Value {
    let count = |line: Said, number: u64| table.said.of(line, number);
    let times = |line: Said, times: &LockTimes| table.said.of(line, locks(times));
    let peek_s = |ms: u64| table.said.of(Said::PEEKS, ms as f64 / 1e3);
    json!({
        "name": table.name, "mode": table.mode.map(String::from),
        "pages_in": count(Said::PAGES, table.pages_in), "pages_out": count(Said::PAGES, table.pages_out),
        "pages_cached": count(Said::PAGES, table.pages_cached),
        "read_locks": count(Said::ROWS, table.read_locks), "write_locks": count(Said::ROWS, table.write_locks),
        "rows_get": count(Said::ROWS, table.rows_get), "rows_pos": count(Said::ROWS, table.rows_pos),
        "rows_scan": count(Said::ROWS, table.rows_scan), "rows_put": count(Said::ROWS, table.rows_put),
        "rows_del": count(Said::ROWS, table.rows_del),
        "total": times(Said::TOTAL, &table.total), "longest": times(Said::LONGEST, &table.longest),
        "peeks": count(Said::PEEKS, table.peeks), "peek_wait_s": peek_s(table.peek_wait_ms),
        "peek_held_s": peek_s(table.peek_held_ms), "blocked": table.blocked,
    })
}

/// One command; what the log does not say has no key.
fn command_json(command: &Command) -> Value {
    let mut map = Map::new();
    put(&mut map, "type", "command");
    put(&mut map, "file", command.place.file);
    put(&mut map, "line", command.place.line);
    put(&mut map, "offset_bytes", command.place.offset);
    put(&mut map, "pid", command.pid);
    let start = command.start.known();
    maybe(&mut map, "start", start.map(|at| at.to_string()));
    maybe(&mut map, "end", command.end.map(|end| end.to_string()));
    put(&mut map, "ending", ending(command.ending));
    put(&mut map, "failed", command.failed);
    put(&mut map, "user", command.user.as_str());
    put(&mut map, "client", command.client.as_str());
    put(&mut map, "address", command.address.as_str());
    put(&mut map, "program", command.program.as_str());
    put(&mut map, "function", command.function.as_str());
    put(&mut map, "arguments", command.arguments.as_str());
    maybe(&mut map, "lapse_s", command.lapse_s);
    maybe(&mut map, "compute_s", command.compute_s);
    maybe(&mut map, "paused_s", command.paused_s);
    maybe(
        &mut map,
        "usage",
        command.usage.map(|u| {
            json!({
                "user_s": u.user_ms as f64 / 1e3, "system_s": u.system_ms as f64 / 1e3,
                "read_bytes": u.blocks_in.saturating_mul(512), "written_bytes": u.blocks_out.saturating_mul(512),
                "resident_bytes": u.resident_kib.saturating_mul(1024), "faults": u.faults,
            })
        }),
    );
    maybe(&mut map, "memory_bytes", command.memory_bytes);
    maybe(&mut map, "process_bytes", command.process_bytes);
    maybe(&mut map, "rpc", command.rpc.as_ref().map(rpc));
    maybe(&mut map, "upstream", command.upstream.as_ref().map(rpc));
    maybe(&mut map, "files", command.files.as_ref().map(files));
    let client = command.client_files.as_ref();
    maybe(&mut map, "client_files", client.map(files));
    maybe(
        &mut map,
        "estimate",
        command.estimate.map(|e| {
            json!({
                "added": e.added, "updated": e.updated, "deleted": e.deleted,
                "added_bytes": e.added_bytes, "updated_bytes": e.updated_bytes,
            })
        }),
    );
    maybe(
        &mut map,
        "proxy",
        command.proxy.map(|p| {
            json!({
                "server_files": p.server_files, "server_bytes": p.server_bytes,
                "cache_files": p.cache_files, "cache_bytes": p.cache_bytes,
            })
        }),
    );
    if !command.archives.is_empty() {
        let archives = command.archives.iter().map(|a| {
            json!({
                "kind": archive(a.kind), "opens": a.opens, "closes": a.closes, "checkins": a.checkins,
                "exists": a.exists, "reads": a.reads, "read_bytes": a.read_bytes, "writes": a.writes,
                "written_bytes": a.written_bytes, "digests": a.digests, "copies": a.copies,
            })
        });
        put(&mut map, "archives", archives.collect::<Vec<_>>());
    }
    if !command.triggers.is_empty() {
        let triggers = command.triggers.iter();
        let triggers = triggers.map(|t| json!({ "name": t.name, "lapse_s": t.lapse_s }));
        put(&mut map, "triggers", triggers.collect::<Vec<_>>());
    }
    if !command.tables.is_empty() {
        let tables: Vec<Value> = command.tables.iter().map(table).collect();
        put(&mut map, "tables", tables);
    }
    put(&mut map, "tracked", command.tracked);
    maybe(&mut map, "parent", command.parent);
    map.into()
}

fn archive(kind: ArchiveKind) -> &'static str {
    match kind {
        ArchiveKind::Rcs => "rcs",
        ArchiveKind::Binary => "binary",
        ArchiveKind::Compress => "compress",
        ArchiveKind::Uncompress => "uncompress",
    }
}

fn event_json(event: &Event) -> Value {
    let what = match &event.what {
        What::Active(count) => json!({ "active": count }),
        What::Paused(count) => json!({ "paused": count }),
        What::Pressure { cpu, memory } => json!({ "pressure": { "cpu": cpu, "memory": memory } }),
        What::Started { .. } => json!("started"),
        What::Error {
            pid,
            operation,
            text,
        } => json!({ "error": { "pid": pid, "operation": operation, "text": text } }),
    };
    json!({
        "type": "event", "file": event.place.file, "line": event.place.line,
        "offset_bytes": event.place.offset, "at": event.at.map(|at| at.to_string()), "what": what,
    })
}

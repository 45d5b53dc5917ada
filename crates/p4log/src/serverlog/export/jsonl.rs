//! Records as JSON Lines: one object a command, event or damaged place, in the order of the log.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::serverlog::Pseudonyms;
use crate::serverlog::counters::{Counted, Unit};
use crate::serverlog::record::{ArchiveKind, Command, Damage, Ending, Event, Rpc, SectionLines, Sink, TableUse, What};

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
        Self { out, names, error: None, written: 0 }
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
        let found = if self.names.is_some() { Value::Null } else { damage.found.as_str().into() };
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

/// A counter's value in the unit of its key.
fn amount(unit: Unit, value: u64) -> Value {
    match unit {
        Unit::Count | Unit::Bytes => value.into(),
        Unit::Milliseconds => (value as f64 / 1e3).into(),
        Unit::Blocks => value.saturating_mul(512).into(),
        Unit::Kib => value.saturating_mul(1024).into(),
    }
}

/// The counters; null where the log does not have their line.
fn counters(counted: &impl Counted, lines: SectionLines) -> Map<String, Value> {
    let mut map = Map::new();
    for (counter, value) in counted.counters() {
        let value = lines.of(counter.line, amount(counter.unit, value));
        match (counter.json, value) {
            ([], _) => {}
            ([key], value) => put(&mut map, key, value),
            ([object, ..], None) => put(&mut map, object, Value::Null),
            ([object, key, ..], Some(value)) => {
                let object = map.entry(*object).or_insert_with(|| Map::new().into());
                object[*key] = value;
            }
        }
    }
    map
}

/// Counters all of which the log has.
fn all(counted: &impl Counted) -> Map<String, Value> {
    counters(counted, SectionLines::ALL)
}

fn rpc(rpc: &Rpc) -> Value {
    let mut map = all(rpc);
    put(&mut map, "send_s", rpc.send_s);
    put(&mut map, "receive_s", rpc.receive_s);
    map.into()
}

/// A table; what the log does not say is null.
fn table(table: &TableUse) -> Value {
    let mut map = counters(table, table.lines);
    put(&mut map, "name", table.name.as_str());
    put(&mut map, "mode", table.mode.map(String::from));
    put(&mut map, "blocked", table.blocked);
    map.into()
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
    maybe(&mut map, "failure", command.failure);
    put(&mut map, "user", command.user.as_str());
    put(&mut map, "client", command.client.as_str());
    put(&mut map, "address", command.address.as_str());
    put(&mut map, "program", command.program.as_str());
    put(&mut map, "function", command.function.as_str());
    put(&mut map, "arguments", command.arguments.as_str());
    maybe(&mut map, "lapse_s", command.lapse_s);
    maybe(&mut map, "compute_s", command.compute_s);
    maybe(&mut map, "paused_s", command.paused_s);
    maybe(&mut map, "usage", command.usage.as_ref().map(all));
    maybe(&mut map, "memory_bytes", command.memory_bytes);
    maybe(&mut map, "process_bytes", command.process_bytes);
    maybe(&mut map, "rpc", command.rpc.as_ref().map(rpc));
    maybe(&mut map, "upstream", command.upstream.as_ref().map(rpc));
    maybe(&mut map, "files", command.files.as_ref().map(all));
    let client = command.client_files.as_ref();
    maybe(&mut map, "client_files", client.map(all));
    maybe(&mut map, "estimate", command.estimate.as_ref().map(all));
    maybe(&mut map, "proxy", command.proxy.as_ref().map(all));
    if !command.archives.is_empty() {
        let archives = command.archives.iter().map(|used| {
            let mut map = all(used);
            put(&mut map, "kind", archive(used.kind));
            Value::from(map)
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
        What::Pressure { cpu, memory, pause_rates } => {
            let (of_cpu, of_memory) = pause_rates.map(|[cpu, memory]| (cpu, memory)).unzip();
            json!({ "pressure": {
                "cpu": cpu, "memory": memory,
                "cpu_pause_rate_percent": of_cpu, "memory_pause_rate_percent": of_memory,
            } })
        }
        What::Started { .. } => json!("started"),
        What::Error { pid, operation, text } => {
            json!({ "error": { "pid": pid, "operation": operation, "text": text } })
        }
    };
    json!({
        "type": "event", "file": event.place.file, "line": event.place.line,
        "offset_bytes": event.place.offset, "at": event.at.map(|at| at.to_string()), "what": what,
    })
}

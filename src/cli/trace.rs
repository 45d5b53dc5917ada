//! Traces of a simulation: every event, and who held which lock from when to when.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::json;

use crate::report::csv::quoted;
use crate::sim::{self, Event, Mode, Model, Run, What};

/// A file of rows: CSV with a head, or one JSON object a line.
struct Rows {
    file: BufWriter<File>,
    name: String,
    json: bool,
    heads: &'static [&'static str],
    failed: Option<std::io::Error>,
}

impl Rows {
    fn create(path: &Path, heads: &'static [&'static str]) -> Result<Self, String> {
        let name = path.display().to_string();
        // A trace never overwrites what is there.
        let file = File::create_new(path).map_err(|error| cannot_write(&name, &error))?;
        let mut rows = Self {
            file: BufWriter::new(file),
            name,
            json: path.extension().is_some_and(|e| e == "jsonl"),
            heads,
            failed: None,
        };
        if !rows.json {
            rows.line(&heads.join(","));
        }
        Ok(rows)
    }

    fn line(&mut self, line: &str) {
        if self.failed.is_none() {
            self.failed = writeln!(self.file, "{line}").err();
        }
    }

    fn row(&mut self, cells: &[serde_json::Value]) {
        let line = if self.json {
            let pairs = self.heads.iter().map(|h| (*h).to_owned());
            let map: serde_json::Map<_, _> = pairs.zip(cells.iter().cloned()).collect();
            serde_json::Value::Object(map).to_string()
        } else {
            let cells: Vec<String> = cells.iter().map(csv).collect();
            cells.join(",")
        };
        self.line(&line);
    }

    fn finish(mut self) -> Result<(), String> {
        let flushed = self.file.flush().err();
        match self.failed.or(flushed) {
            None => Ok(()),
            Some(error) => Err(cannot_write(&self.name, &error)),
        }
    }
}

fn cannot_write(name: &str, error: &std::io::Error) -> String {
    format!("cannot write the trace {name:?}: {error}")
}

/// A cell of a CSV file: texts in quotes, numbers as they are.
fn csv(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => quoted(text),
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// What an event is called, the name of the station, lock or pool, and the mode or count.
fn words(model: &Model, what: What) -> (&'static str, &str, serde_json::Value) {
    let station = |index: usize| model.stations[index].name.as_str();
    let lock = |index: usize| model.locks[index].name.as_str();
    let pool = |index: usize| model.pools[index].name.as_str();
    match what {
        What::Arrives => ("arrives", "", json!(null)),
        What::Joins { station: s } => ("joins", station(s), json!(null)),
        What::Begins { station: s } => ("begins", station(s), json!(null)),
        What::Pauses { station: s } => ("pauses", station(s), json!(null)),
        What::Ends { station: s } => ("ends", station(s), json!(null)),
        What::Asks { lock: l, mode, .. } => ("asks", lock(l), mode_word(mode).into()),
        What::Granted { lock: l, mode, .. } => ("granted", lock(l), mode_word(mode).into()),
        What::Releases { lock: l, .. } => ("releases", lock(l), json!(null)),
        What::Wants { pool: p, count } => ("wants", pool(p), json!(count)),
        What::Takes { pool: p, count } => ("takes", pool(p), json!(count)),
        What::Gives { pool: p, count } => ("gives", pool(p), json!(count)),
        What::Departs => ("departs", "", json!(null)),
    }
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Shared => "read",
        Mode::Exclusive => "write",
    }
}

/// A lock that a customer has or waits for.
struct Hold {
    mode: Mode,
    asked: f64,
    granted: f64,
}

/// Writes the events of the first replication, and the holds of locks, up to a number of events.
pub(super) fn write(
    model: &Model,
    run: &Run,
    events_max: u64,
    events: Option<&Path>,
    holds: Option<&Path>,
) -> Result<(), String> {
    if events.is_none() && holds.is_none() {
        return Ok(());
    }
    let mut events = events
        .map(|path| Rows::create(path, &["time_s", "customer", "class", "event", "at", "how"]))
        .transpose()?;
    let mut holds = holds
        .map(|path| {
            let heads = &[
                "lock",
                "customer",
                "class",
                "mode",
                "asked_s",
                "granted_s",
                "released_s",
            ];
            Rows::create(path, heads)
        })
        .transpose()?;
    let mut open: BTreeMap<(u64, usize), Hold> = BTreeMap::new();
    let run = Run {
        events_max,
        ..run.clone()
    };
    let mut see = |event: &Event| {
        let class = model.classes[event.class].name.as_str();
        if let Some(rows) = &mut events {
            let (what, at, how) = words(model, event.what);
            rows.row(&[
                json!(event.time),
                json!(event.customer),
                json!(class),
                json!(what),
                json!(at),
                how,
            ]);
        }
        if let Some(rows) = &mut holds {
            hold(model, rows, &mut open, event);
        }
    };
    sim::simulate_traced(model, &run, 0, &mut |_| ControlFlow::Continue(()), &mut see)
        .map_err(|error| error.to_string())?;
    events.into_iter().chain(holds).try_for_each(Rows::finish)
}

fn hold(model: &Model, rows: &mut Rows, open: &mut BTreeMap<(u64, usize), Hold>, event: &Event) {
    match event.what {
        What::Asks { lock, mode, .. } => {
            let hold = Hold {
                mode,
                asked: event.time,
                granted: event.time,
            };
            open.insert((event.customer, lock), hold);
        }
        What::Granted { lock, .. } => {
            if let Some(asked) = open.get_mut(&(event.customer, lock)) {
                asked.granted = event.time;
            }
        }
        What::Releases { lock, .. } => {
            if let Some(asked) = open.remove(&(event.customer, lock)) {
                rows.row(&[
                    json!(model.locks[lock].name),
                    json!(event.customer),
                    json!(model.classes[event.class].name),
                    json!(mode_word(asked.mode)),
                    json!(asked.asked),
                    json!(asked.granted),
                    json!(event.time),
                ]);
            }
        }
        _ => {}
    }
}

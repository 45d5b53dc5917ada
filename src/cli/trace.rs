//! Traces of a simulation: every event, and every hold of a lock.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::json;

use super::failure::Failure;
use super::out::Output;
use super::{places, run};
use crate::files::{Refusal, Written};
use crate::report::csv;
use crate::sim::{self, Event, Mode, Model, Run, What};

/// A file of rows: CSV with a head, or one JSON object a line.
struct Rows<'a> {
    file: Written,
    output: Output<'a>,
    json: bool,
    heads: &'static [&'static str],
    failed: Option<std::io::Error>,
}

impl<'a> Rows<'a> {
    fn create(output: Output<'a>, heads: &'static [&'static str]) -> Result<Self, String> {
        let mut rows = Self {
            file: output.begin().map_err(|reason| cannot_write(&reason))?,
            output,
            json: output.path.extension().is_some_and(|e| e == "jsonl"),
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
        let finished = match self.failed.take() {
            Some(error) => Err(Refusal::Io(error)),
            None => self.file.finish(),
        };
        finished.map_err(|refusal| cannot_write(&self.output.said(&refusal)))
    }
}

fn cannot_write(reason: &str) -> String {
    format!("cannot write the trace: {reason}")
}

/// What is to be traced, and where to.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// What each customer does.
    pub(super) events: Option<&'a Path>,
    /// The site file, which is read.
    pub(super) site: &'a Path,
    /// Who held which lock.
    pub(super) holds: Option<&'a Path>,
    /// Whether any file may be written over: rows have no room for a mark, so that without it none is.
    pub(super) force: bool,
    /// After so many events a trace ends.
    pub(super) events_max: u64,
}

impl Wanted<'_> {
    /// Whether both may be written: asked before the work.
    pub(super) fn check(&self) -> Result<(), String> {
        let paths = [self.events, self.holds].into_iter().flatten();
        places::apart([self.site], paths.clone())?;
        let mut outputs = paths.map(|path| self.output(path));
        outputs
            .try_for_each(|o| o.check())
            .map_err(|reason| cannot_write(&reason))
    }

    fn output<'p>(&self, path: &'p Path) -> Output<'p> {
        Output::new(path, None, self.force)
    }
}

/// A cell of a CSV file: texts in quotes, numbers as they are.
fn csv(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => csv::quoted(text),
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
        What::Starts => ("starts", "", json!(null)),
        What::Sized { factor } => ("sized", "", json!(factor)),
        What::Completes { activity } => {
            let activity = model.activities[activity].as_str();
            ("completes", activity, json!(null))
        }
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
pub(super) fn write(model: &Model, run: &Run, wanted: &Wanted<'_>) -> Result<(), Failure> {
    if wanted.events.is_none() && wanted.holds.is_none() {
        return Ok(());
    }
    // Before there is a file to leave behind.
    run::listen();
    let mut events = wanted
        .events
        .map(|path| {
            let heads = &["time_s", "customer", "class", "event", "at", "how"];
            Rows::create(wanted.output(path), heads)
        })
        .transpose()?;
    let mut holds = wanted
        .holds
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
            Rows::create(wanted.output(path), heads)
        })
        .transpose()?;
    let mut open: BTreeMap<(u64, usize), Hold> = BTreeMap::new();
    let run = Run {
        events_max: wanted.events_max,
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
    let mut watch = |_| {
        if run::is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    sim::simulate_traced(model, &run, 0, &mut watch, &mut see).map_err(Failure::wrong)?;
    if run::is_stopped() {
        let reason = "interrupted: no trace was written";
        return Err(Failure::Interrupted(reason.to_owned()));
    }
    let mut rows = events.into_iter().chain(holds);
    Ok(rows.try_for_each(Rows::finish)?)
}

fn hold(
    model: &Model,
    rows: &mut Rows<'_>,
    open: &mut BTreeMap<(u64, usize), Hold>,
    event: &Event,
) {
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

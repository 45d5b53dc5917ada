//! Traces of a simulation: every event, and every hold of a lock.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::out::Output;
use super::{places, run};
use crate::files::{Refusal, Written};
use crate::report::csv;
use crate::report::json::{object, value};
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

    fn row(&mut self, row: &impl Serialize) {
        let row = value(row);
        let line = if self.json {
            row.to_string()
        } else {
            let cells: Vec<String> = self.heads.iter().map(|head| csv(&row[head])).collect();
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
    /// Most events of a trace, which begins with the run.
    pub(super) events_max: u64,
}

impl Wanted<'_> {
    /// Whether both may be written: asked before the work.
    pub(super) fn check(&self) -> Result<(), String> {
        let paths = [self.events, self.holds].into_iter().flatten();
        places::apart([self.site], paths.clone())?;
        let mut outputs = paths.map(|path| self.output(path));
        outputs.try_for_each(|o| o.check()).map_err(|reason| cannot_write(&reason))
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

object! {
    /// A row of `simulate --trace FILE.jsonl`: an event of the first replication.
    TracedEvent of (model: &Model, event: &Event) [let (what, at, how) = words(model, event.what);] {
        time_s: f64 = event.time, "When it happens.";
        customer: u64 = event.customer, "Number of the customer.";
        class: String = model.classes[event.class].name.clone(), "Its class.";
        event: &'static str = what, "What happens.";
        at: String = at.to_owned(), "The station, lock, pool or activity; else empty.";
        how: Option<How> = how, "Of a lock read or write, of a pool the count, of a size the factor; else null.";
    }

    /// A row of `simulate --trace-locks FILE.jsonl`: a hold of a lock.
    TracedHold of (model: &Model, event: &Event, lock: usize, hold: &Hold) {
        lock: String = model.locks[lock].name.clone(), "The lock.";
        customer: u64 = event.customer, "Number of the customer.";
        class: String = model.classes[event.class].name.clone(), "Its class.";
        mode: &'static str = mode_word(hold.mode), "read or write.";
        asked_s: f64 = hold.asked, "When it asked for the lock.";
        granted_s: f64 = hold.granted, "When it got it.";
        released_s: f64 = event.time, "When it released it.";
    }
}

/// How something happens.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum How {
    /// The mode of a lock.
    Mode(&'static str),
    /// Tokens of a pool.
    Count(u32),
    /// A factor on sizes.
    Factor(f64),
}

/// What an event is called, the name of the station, lock or pool, and the mode or count.
fn words(model: &Model, what: What) -> (&'static str, &str, Option<How>) {
    let station = |index: usize| model.stations[index].name.as_str();
    let lock = |index: usize| model.locks[index].name.as_str();
    let pool = |index: usize| model.pools[index].name.as_str();
    let mode = |mode| Some(How::Mode(mode_word(mode)));
    match what {
        What::Arrives => ("arrives", "", None),
        What::Joins { station: s } => ("joins", station(s), None),
        What::Begins { station: s } => ("begins", station(s), None),
        What::Pauses { station: s } => ("pauses", station(s), None),
        What::Ends { station: s } => ("ends", station(s), None),
        What::Asks { lock: l, mode: m, .. } => ("asks", lock(l), mode(m)),
        What::Granted { lock: l, mode: m, .. } => ("granted", lock(l), mode(m)),
        What::Releases { lock: l, .. } => ("releases", lock(l), None),
        What::Wants { pool: p, count } => ("wants", pool(p), Some(How::Count(count))),
        What::Takes { pool: p, count } => ("takes", pool(p), Some(How::Count(count))),
        What::Gives { pool: p, count } => ("gives", pool(p), Some(How::Count(count))),
        What::Starts => ("starts", "", None),
        What::Sized { factor } => ("sized", "", Some(How::Factor(factor))),
        What::Completes { activity } => ("completes", &model.activities[activity], None),
        What::Departs => ("departs", "", None),
    }
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Shared => "read",
        Mode::Exclusive => "write",
    }
}

/// A lock that a customer has or waits for.
pub(crate) struct Hold {
    mode: Mode,
    asked: f64,
    granted: f64,
}

/// Writes the first events of the first replication, and the holds of locks that end with one of them.
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
            let heads = &["lock", "customer", "class", "mode", "asked_s", "granted_s", "released_s"];
            Rows::create(wanted.output(path), heads)
        })
        .transpose()?;
    let mut open: BTreeMap<(u64, usize), Hold> = BTreeMap::new();
    let left = Cell::new(wanted.events_max);
    let mut see = |event: &Event| {
        let Some(fewer) = left.get().checked_sub(1) else {
            return;
        };
        left.set(fewer);
        if let Some(rows) = &mut events {
            rows.row(&TracedEvent::of(model, event));
        }
        if let Some(rows) = &mut holds {
            hold(model, rows, &mut open, event);
        }
    };
    let mut watch = |_| {
        if run::is_stopped() || left.get() == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    sim::simulate_traced(model, run, 0, &mut watch, &mut see).map_err(Failure::wrong)?;
    if run::is_stopped() {
        let reason = "interrupted: no trace was written";
        return Err(Failure::Interrupted(reason.to_owned()));
    }
    let mut rows = events.into_iter().chain(holds);
    Ok(rows.try_for_each(Rows::finish)?)
}

fn hold(model: &Model, rows: &mut Rows<'_>, open: &mut BTreeMap<(u64, usize), Hold>, event: &Event) {
    match event.what {
        What::Asks { lock, mode, .. } => {
            let hold = Hold { mode, asked: event.time, granted: event.time };
            open.insert((event.customer, lock), hold);
        }
        What::Granted { lock, .. } => {
            if let Some(asked) = open.get_mut(&(event.customer, lock)) {
                asked.granted = event.time;
            }
        }
        What::Releases { lock, .. } => {
            if let Some(asked) = open.remove(&(event.customer, lock)) {
                rows.row(&TracedHold::of(model, event, lock, &asked));
            }
        }
        _ => {}
    }
}

//! A server's own log, replayed: its commands at their times on a described deployment, simulated.
//!
//! Commands of the log become those of the catalogue, each at the moment at which the log has it. How large a call is against
//! the mean of its command, its rows say in steps of a quarter of a power of ten, and without track lines its files; files and
//! bytes are the means of the calls of such a step. Where the log has no count of files, the site's answer is the mean; where
//! it says nothing of the size, the spread is that of all commands. All calls come from beside the server: a log does not say
//! how far away a client is.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::deployment::Deployment;
use super::process::{Process, process};
use super::tables::is_in_db;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::serverlog::arrivals::{Arrivals, Calls, CommandTotals, Size};
use crate::serverlog::record::Moment;
use crate::sim::{self, Distribution, Run, Source, Span, Step};
use crate::workload::{Arrival, Call, Clients, Group, Load};

/// A command of the catalogue in the log and in the simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// Its id in `models/commands`.
    pub command: String,
    /// Calls.
    pub count: u64,
    /// Mean lapse in the log \[s\].
    pub logged: f64,
    /// Mean time in the simulation \[s\].
    pub simulated: f64,
    /// Mean wait for locks of tables in the log \[s\]; none where it has no track lines.
    pub logged_wait: Option<f64>,
    /// The same in the simulation \[s\].
    pub simulated_wait: f64,
}

impl Replayed {
    /// How many times as long the simulated one takes.
    pub fn ratio(&self) -> f64 {
        self.simulated / self.logged
    }
}

/// Waits for a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableWait {
    /// The table.
    pub table: String,
    /// In the log, together \[s\].
    pub logged: f64,
    /// In the simulation, together \[s\].
    pub simulated: f64,
}

/// What a replay found.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// By command, those first that people spent most time with.
    pub commands: Vec<Replayed>,
    /// By table, those first that were waited for longest.
    pub tables: Vec<TableWait>,
    /// Simulated time \[s\].
    pub time: f64,
    /// Whether it ended before the log, at the most events that it may have.
    pub is_cut: bool,
}

/// How large a call of a command is by the site's answers.
pub type Sizes<'a> = &'a dyn Fn(&str) -> Call;

/// Bytes of a mebibyte, in which a log counts.
const MIB: f64 = 1_048_576.0;

/// Clients that send a command of the log.
fn clients(command: &str) -> Clients {
    Clients::Benchmark(command.to_owned())
}

/// How large calls are against the mean of their command, by their rows.
fn factor(size: Size, calls: &Calls, totals: &CommandTotals) -> f64 {
    let count = calls.starts.len().max(1) as f64;
    match size {
        Size::Rows(_) => (calls.rows / count) / (totals.rows / totals.with_rows.max(1) as f64),
        Size::Files(_) | Size::Unsaid => 1.0,
    }
}

/// The mean call, without its factor.
fn mean(command: &str, calls: &Calls, factor: f64, stated: &Call) -> Call {
    if calls.counted == 0 {
        return Call::once(command, stated.files, stated.bytes);
    }
    // Of files whose bytes are fewer than the log counts in, the site's answer.
    let each = stated.bytes / stated.files.max(1.0);
    let small = (calls.small_files * each).min(calls.counted as f64 * MIB);
    let count = calls.counted as f64 * factor;
    Call::once(command, calls.files / count, (calls.bytes + small) / count)
}

/// The load of a log: one stream for each command and size, and their times.
fn load(base: &Load, sizes: Sizes<'_>, arrivals: &Arrivals, time: f64) -> Load {
    let group = |((command, size), calls): (&(String, Size), &Calls)| {
        let count = calls.starts.len().max(1) as f64;
        let factor = factor(*size, calls, &arrivals.totals[command]);
        Group {
            clients: clients(command),
            arrival: Arrival::Open { rate: count / time },
            calls: vec![mean(command, calls, factor, &sizes(command))],
            remote: None,
            threads: 1.0,
            // A log's lapse begins when the connection stands.
            connected: true,
            of_builds: 0.0,
        }
    };
    Load { groups: arrivals.calls.iter().map(group).collect(), ..*base }
}

/// Replays a log on `deployment`; `base` has what a log does not say: memory in use, sizes of database and depots, and `sizes` how
/// large a call of a command is. A sentence if there is nothing to replay.
pub fn replay(
    deployment: &Deployment,
    (base, sizes): (&Load, Sizes<'_>),
    (catalog, calibration): (&Catalog, &Calibration),
    arrivals: &Arrivals,
    run: &Run,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Replay, String> {
    let Some((first, last)) = arrivals.span() else {
        return Err("the log has no commands with an end that the model has a script of".to_owned());
    };
    // A second more, since a log has times to the second.
    let time = last.seconds_since(first) + 1.0;
    let load = load(base, sizes, arrivals, time);
    let mut process = process(deployment, &load, catalog, calibration, None)?;
    schedule(&mut process, arrivals, first, run.seed);
    let model = &process.model;
    let run = Run {
        // What is still running at the last beginning ends, mostly.
        span: Span::Until { time: 1.1 * time, piece: time },
        ..run.clone()
    };
    let one = sim::simulate(model, &run, 0, &mut |_| watch()).map_err(|error| error.to_string())?;
    let outcome = sim::fold(model, &run, &[one]);
    let simulated: BTreeMap<&str, &sim::ActivityOutcome> = process
        .activities
        .iter()
        .zip(&outcome.activities)
        .filter_map(|(activity, found)| match &activity.work.clients {
            Clients::Benchmark(command) => Some((command.as_str(), found)),
            _ => None,
        })
        .collect();
    let mut commands: Vec<Replayed> = arrivals
        .totals
        .iter()
        .filter_map(|(command, totals)| compare(command, totals, simulated.get(command.as_str()).copied()?))
        .collect();
    let weight = |row: &Replayed| row.count as f64 * row.logged.max(row.simulated);
    commands.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut waits: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (table, wait) in &arrivals.waits {
        waits.entry(table.clone()).or_default()[0] = *wait;
    }
    for (lock, (table, _)) in outcome.locks.iter().zip(&process.tables) {
        if is_in_db(table) {
            let users = lock.users.iter();
            let wait: f64 = users.map(|user| user.wait * user.acquisitions as f64).sum();
            waits.entry(table.clone()).or_default()[1] += wait;
        }
    }
    let mut tables: Vec<TableWait> = waits
        .into_iter()
        .filter(|(_, waits)| waits.iter().any(|wait| *wait >= LEAST))
        .map(|(table, [logged, simulated])| TableWait { table, logged, simulated })
        .collect();
    tables.sort_by(|a, b| b.logged.max(b.simulated).total_cmp(&a.logged.max(a.simulated)));
    Ok(Replay { commands, tables, time, is_cut: outcome.time < time })
}

/// Waits for a table below this are as good as none: the clock of a log \[s\].
const LEAST: f64 = 1e-3;

/// Every stream comes when the log has it, and as large.
fn schedule(process: &mut Process, arrivals: &Arrivals, first: Moment, seed: u64) {
    let calls: Vec<_> = arrivals.calls.iter().collect();
    let mut random = sim::Uniform::new(seed);
    for (class, group) in process.model.classes.iter_mut().zip(&process.groups) {
        let ((command, size), calls) = calls[*group];
        // A log does not say when in a second a command came.
        let starts = calls.starts.iter();
        let mut times: Vec<f64> = starts.map(|start| start.seconds_since(first) + random.unit()).collect();
        times.sort_by(f64::total_cmp);
        class.source = Source::Open(sim::Arrivals::At(times));
        if *size != Size::Unsaid {
            resize(&mut class.program, factor(*size, calls, &arrivals.totals[command]));
        }
    }
}

/// Gives calls one size in place of a spread.
fn resize(steps: &mut [Step], size: f64) {
    for step in steps {
        match step {
            Step::Sized { factor, .. } => *factor = Distribution::Constant(size),
            Step::Timed { body, .. } => resize(body, size),
            Step::Choose(choices) => {
                for (_, body) in choices {
                    resize(body, size);
                }
            }
            _ => {}
        }
    }
}

fn compare(command: &str, totals: &CommandTotals, found: &sim::ActivityOutcome) -> Option<Replayed> {
    let count = totals.count as f64;
    (totals.count > 0 && found.completions > 0).then(|| Replayed {
        command: command.to_owned(),
        count: totals.count,
        logged: totals.lapse_s / count,
        simulated: found.response.value,
        logged_wait: (totals.tracked > 0).then(|| totals.lock_wait_s / totals.tracked as f64),
        simulated_wait: found.lock_wait,
    })
}

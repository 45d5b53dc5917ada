//! A simulated deployment, and how its numbers are shown.

use std::collections::BTreeMap;

use super::estimate::{Ran, end, share_with_error, with_error};
use super::peak::{kind_word, led, percent};
use super::precision::Wanted;
use crate::advisor::Driver;
use crate::page::{Block, Cell, Table};
use crate::sim::{Estimate, Outcome, Series, Stopped};
use crate::system::process::Process;
use crate::units::{Seconds, two_digits};
use crate::workload::Work;

/// A deployment that was simulated.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// What was simulated, in the model's words.
    pub process: Process,
    /// What was found.
    pub outcome: Outcome,
    /// Title of the scenario; none for the steady state at the peak.
    pub scenario: Option<String>,
    /// Which server lacks memory at the peak, in words; `None` where none does.
    pub short: Option<String>,
    /// Seed of the random streams.
    pub seed: u64,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// The requested precision of each mean; none for a scenario, which ends at its time.
    pub wanted: Option<Wanted>,
    /// By kind of work: the factor on either side of the 80 % interval that the numbers of the model and the model
    /// itself give its times at the peak.
    pub model_factors: BTreeMap<Work, f64>,
}

/// Waits of one kind of work for a lock that another one holds.
#[derive(Debug, Clone, PartialEq)]
struct LockRow {
    /// The lock.
    pub lock: String,
    /// The kind of work that waited.
    pub victim: String,
    /// The kind of work that held it.
    pub culprit: String,
    /// Mean number of such waiters.
    pub waiting: f64,
}

impl Simulation {
    /// The name of an activity.
    pub(super) fn activity(&self, index: Option<usize>) -> &str {
        index.map_or("background work", |i| self.process.activities[i].name.as_str())
    }

    /// Waits by lock, waiting and holding kind of work, the most waiting first.
    fn lock_rows(&self) -> Vec<LockRow> {
        let mut rows = Vec::new();
        for lock in &self.outcome.locks {
            rows.extend(lock.blame.iter().map(|blame| LockRow {
                lock: lock.name.clone(),
                victim: self.activity(blame.victim).to_owned(),
                culprit: self.activity(blame.culprit).to_owned(),
                waiting: blame.waiting,
            }));
        }
        rows.sort_by(|a, b| {
            let names = (&a.lock, &a.victim, &a.culprit).cmp(&(&b.lock, &b.victim, &b.culprit));
            b.waiting.total_cmp(&a.waiting).then(names)
        });
        rows
    }

    /// The station with the highest utilization, of those that can be full.
    pub(super) fn bottleneck(&self) -> Option<(&str, f64)> {
        let stations = self.outcome.stations.iter();
        stations.map(|s| (s.name.as_str(), s.utilization.value)).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// How it was run and why it ended, in a sentence.
    pub fn how(&self) -> String {
        let ran = self.ran();
        let runs = ran.replications();
        let shown = |seconds: f64| Seconds::new(seconds).to_string();
        let what = match &self.scenario {
            Some(scenario) => format!("{scenario}, {runs}, {} in all", shown(self.outcome.time)),
            None => format!("the steady state at the peak, {runs}, {}", ran.measured(shown)),
        };
        let end = match self.wanted {
            Some(wanted) if self.outcome.stopped == Stopped::Events => wanted.limit(),
            _ => end(&self.outcome),
        };
        format!("simulated: {what}; {}{end}", ran.counted())
    }

    /// How it was run.
    pub(super) fn ran(&self) -> Ran<'_> {
        Ran { outcome: &self.outcome, seed: self.seed, confidence: self.confidence }
    }
}

/// "12.3 ms ± 4 %"; the value alone where there is no interval.
pub(super) fn seconds(estimate: Estimate) -> String {
    with_error(Seconds::new(estimate.value).to_string(), estimate)
}

/// Rows shown of resources and of locks.
const ROWS: usize = 10;

/// Response times with percentiles, resources, locks, and which kind of work waited for which.
pub fn simulation_blocks(simulation: &Simulation) -> Vec<Block> {
    let short = simulation.short.as_ref();
    let short = short.map(|short| Block::Lead(format!("It does not survive the peak: {short}")));
    let tables = [
        Some(simulated_times(simulation, &|_| None)),
        Some(resources(simulation)),
        locks(simulation),
        blame(simulation),
        simulation.outcome.series.as_ref().map(|s| hours(simulation, s)),
    ];
    let tables = tables.into_iter().flatten().map(Block::Table);
    let how = [Some(simulation.how()), simulation.precision()];
    let how = how.into_iter().flatten().map(Block::Text);
    let legend = "± is the 95 % interval of the simulation's randomness alone; a longer run makes it smaller. `model` is the factor on either side of the 80 % interval that the errors of the model and of its numbers give a time, by the analytic solver at the peak.";
    short.into_iter().chain(tables).chain(how).chain([Block::Note(legend.to_owned())]).collect()
}

/// Response times of each kind of work that was completed, in the model's order; `driver` gives what a kind of work depends on most.
pub fn simulated_times(simulation: &Simulation, driver: &dyn Fn(&str) -> Option<Driver>) -> Table {
    let mut heads =
        vec!["kind of work", ">a second", ">mean", ">median", ">p95", ">p99", ">longest", ">for locks", ">model, 80 %"];
    let precisions = simulation.precisions();
    if !precisions.is_empty() {
        heads.insert(1, ">seen");
        heads.push("precision");
    }
    let mut table = Table::new(&heads);
    let activities = simulation.process.activities.iter();
    let outcomes = activities.zip(&simulation.outcome.activities);
    let done = outcomes.filter(|(_, outcome)| outcome.completions > 0);
    for (idx, (activity, outcome)) in done.enumerate() {
        let quantile = |p: f64| {
            let found = outcome.quantiles.iter().find(|(q, _)| *q == p);
            found.map_or(String::new(), |(_, e)| seconds(*e))
        };
        let factor = simulation.model_factors.get(&activity.work);
        let share = outcome.lock_wait / outcome.response.value.max(f64::MIN_POSITIVE);
        let mut cells = vec![
            activity.name.clone(),
            two_digits(outcome.throughput.value),
            seconds(outcome.response),
            quantile(0.5),
            quantile(0.95),
            quantile(0.99),
            Seconds::new(outcome.longest).estimated(),
            percent(share),
            factor.map_or_else(|| "–".to_owned(), |f| format!("×÷ {}", two_digits(*f))),
        ];
        if let Some((_, found, reached)) = precisions.get(idx) {
            cells.insert(1, found.completions.to_string());
            cells.push(reached.words().to_owned());
        }
        let driver = driver(&activity.name);
        let led = |text| led(Cell::plain(text), "", driver.clone());
        table.linked(String::new(), cells.into_iter().map(led).collect());
    }
    table
}

fn resources(simulation: &Simulation) -> Table {
    let stations = simulation.outcome.stations.iter();
    let mut stations: Vec<_> =
        stations.zip(&simulation.process.kinds).filter(|(s, _)| s.utilization.value > 0.0).collect();
    stations.sort_by(|(a, _), (b, _)| {
        let busy = b.utilization.value.total_cmp(&a.utilization.value);
        busy.then(a.name.cmp(&b.name))
    });
    let rows = stations.into_iter().take(ROWS).map(|(station, kind)| {
        let busy = station.utilization;
        vec![
            station.name.clone(),
            kind_word(*kind).to_owned(),
            share_with_error(busy),
            two_digits(station.queue_length.value),
        ]
    });
    Table::new(&["resource", "kind", ">busy", ">commands there"]).with(rows)
}

/// Locks that somebody wrote.
fn locks(simulation: &Simulation) -> Option<Table> {
    let locks = simulation.outcome.locks.iter();
    let mut locks: Vec<_> = locks.filter(|l| l.exclusive.value > 0.0).collect();
    locks.sort_by(|a, b| {
        let waiting = b.waiting.value.total_cmp(&a.waiting.value);
        waiting.then(a.name.cmp(&b.name))
    });
    let rows = locks.iter().take(ROWS).map(|lock| {
        let mut users: Vec<_> = lock.users.iter().collect();
        let share = |u: &crate::sim::LockUseOutcome| u.hold * u.acquisitions as f64;
        users.sort_by(|a, b| share(b).total_cmp(&share(a)));
        let words = users.iter().take(2).map(|user| {
            format!(
                "{} {} it for {} after a wait of {}",
                simulation.activity(user.activity),
                if user.exclusive { "writes" } else { "reads" },
                Seconds::new(user.hold).estimated(),
                Seconds::new(user.wait).estimated(),
            )
        });
        vec![
            lock.name.clone(),
            percent(lock.exclusive.value),
            percent(lock.shared.value),
            two_digits(lock.waiting.value),
            words.collect::<Vec<_>>().join("; "),
        ]
    });
    let heads = ["lock", ">written", ">read", ">waiting for it", "largest holds and waits"];
    (!locks.is_empty()).then(|| Table::new(&heads).with(rows))
}

/// Who waited for whom, where anybody waited.
fn blame(simulation: &Simulation) -> Option<Table> {
    let rows = simulation.lock_rows();
    let all: f64 = rows.iter().map(|row| row.waiting).sum();
    let heads = ["kind of work", "waits for", "held by", ">of all waiting for locks"];
    let rows = rows.into_iter().take(ROWS).map(|row| {
        let share = percent(row.waiting / all);
        vec![row.victim, row.lock, row.culprit, share]
    });
    (all > 0.0).then(|| Table::new(&heads).with(rows))
}

/// Mean response by the hour.
fn hours(simulation: &Simulation, series: &Series) -> Table {
    const HOUR: f64 = 3600.0;
    let pieces = series.completions.first().map_or(0, Vec::len);
    let a_row = ((HOUR / series.piece).round() as usize).max(1);
    let activities = &simulation.process.activities;
    let rows = (0..pieces).step_by(a_row).map(|first| {
        let range = first..(first + a_row).min(pieces);
        let shown = (0..activities.len()).filter(|a| activities[*a].work.is_awaited());
        let words = shown.filter_map(|a| {
            let count: u64 = series.completions[a][range.clone()].iter().sum();
            let times = range.clone();
            let times = times.map(|p| series.response[a][p] * series.completions[a][p] as f64);
            let time: f64 = times.sum();
            (count > 0).then(|| {
                let mean = Seconds::new(time / count as f64).estimated();
                format!("{} {mean} ({count})", activities[a].name)
            })
        });
        let from = Seconds::new(first as f64 * series.piece);
        vec![from.to_string(), words.collect::<Vec<_>>().join(", ")]
    });
    Table::new(&["from", "kind of work: mean (completed)"]).with(rows)
}

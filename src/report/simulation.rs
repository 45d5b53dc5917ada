//! What was simulated, and how its numbers are shown.

use std::collections::BTreeMap;

use super::estimate::{Ran, end, with_error};
use super::prediction_text::{kind_word, percent};
use super::table::Table;
use crate::sim::{ActivityOutcome, Estimate, Outcome, Stopped};
use crate::system::process::Process;
use crate::units::{Seconds, significant};
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
    /// Seed of the random streams.
    pub seed: u64,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// How well each mean was to be known; none through a scenario, which ends at its time.
    pub wanted: Option<Wanted>,
    /// By kind of work: the factor on either side within which the numbers of the model, and the model
    /// itself, leave its times with a chance of 80 %, at the peak.
    pub model_factors: BTreeMap<Work, f64>,
}

/// How well the mean response time of each kind of work was to be known, and what ended the simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// Half-width of its 95 % interval over the mean.
    pub precision: f64,
    /// Share of all completions below which a kind of work is rare and was not waited for.
    pub rare: f64,
    /// Events of one replication at which the simulation ended with what there was.
    pub events_max: u64,
    /// Whether nobody asked for a precision or for a number of events.
    pub is_default: bool,
}

/// How well the mean of one kind of work is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// As well as wanted.
    Yes,
    /// Not as well.
    No,
    /// Not as well, and it is so rare that the simulation did not go on for it.
    Rare,
}

/// What one lock's user waited and held: "submit" in either mode.
#[derive(Debug, Clone, PartialEq)]
pub struct LockRow {
    /// The lock.
    pub lock: String,
    /// Who waited.
    pub victim: String,
    /// Who held it meanwhile.
    pub culprit: String,
    /// Mean number of such waiters.
    pub waiting: f64,
}

/// Heads of what follows the kind of work in a [`ResponseRow`].
pub const RESPONSE_HEADS: [&str; 8] = [
    "a second",
    "mean",
    "median",
    "p95",
    "p99",
    "longest",
    "for locks",
    "model, 80 %",
];

/// Response times of one kind of work, as shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseRow {
    /// The kind of work.
    pub work: String,
    /// Under [`RESPONSE_HEADS`].
    pub cells: [String; 8],
}

impl Simulation {
    /// The name of an activity.
    pub(super) fn activity(&self, index: Option<usize>) -> &str {
        index.map_or("work for later", |i| {
            self.process.activities[i].name.as_str()
        })
    }

    /// Who waited for which lock held by whom, the most waiting first.
    pub fn lock_rows(&self) -> Vec<LockRow> {
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

    /// Response times of each kind of work that was completed, in the model's order.
    pub fn response_rows(&self) -> Vec<ResponseRow> {
        let outcomes = self.process.activities.iter().zip(&self.outcome.activities);
        let done = outcomes.filter(|(_, outcome)| outcome.completions > 0);
        done.map(|(activity, outcome)| {
            let quantile = |p: f64| {
                let found = outcome.quantiles.iter().find(|(q, _)| *q == p);
                found.map_or(String::new(), |(_, e)| seconds(*e))
            };
            let factor = self.model_factors.get(&activity.work);
            let share = outcome.lock_wait / outcome.response.value.max(f64::MIN_POSITIVE);
            ResponseRow {
                work: activity.name.clone(),
                cells: [
                    significant(outcome.throughput.value, 3),
                    seconds(outcome.response),
                    quantile(0.5),
                    quantile(0.95),
                    quantile(0.99),
                    Seconds::new(outcome.longest).to_string(),
                    percent(share),
                    factor.map_or_else(|| "–".to_owned(), |f| format!("×÷ {}", significant(*f, 3))),
                ],
            }
        })
        .collect()
    }

    /// How well the mean of a kind of work is known; none where no precision was wanted, or where means
    /// grow with the length of the run.
    pub(super) fn reached(&self, found: &ActivityOutcome) -> Option<Reached> {
        let wanted = self.wanted?;
        if self.outcome.stopped == Stopped::Unsteady {
            return None;
        }
        Some(if found.response.relative() <= wanted.precision {
            Reached::Yes
        } else if self.outcome.is_rare(found.completions, wanted.rare) {
            Reached::Rare
        } else {
            Reached::No
        })
    }

    /// Kinds of work that occurred and how well their means are known, in the model's order.
    fn precisions(&self) -> Vec<(&str, &ActivityOutcome, Reached)> {
        let outcomes = self.process.activities.iter().zip(&self.outcome.activities);
        let done = outcomes.filter(|(_, found)| found.completions > 0);
        done.filter_map(|(activity, found)| {
            let reached = self.reached(found)?;
            Some((activity.name.as_str(), found, reached))
        })
        .collect()
    }

    /// Which means are known as well as wanted, which are not and why, and how to ask for more.
    pub(super) fn precision(&self) -> Option<String> {
        let wanted = self.wanted?;
        let all = self.precisions();
        if all.is_empty() {
            return None;
        }
        let wanted_share = share(wanted.precision);
        let of = |which: Reached| {
            let kinds = all.iter().filter(|(_, _, reached)| *reached == which);
            kinds
                .map(|(name, found, _)| (*name, *found))
                .collect::<Vec<_>>()
        };
        let (n, missed, rare) = (all.len(), of(Reached::No), of(Reached::Rare));
        let reached = n - missed.len() - rare.len();
        let wanted_of_all = format!("Wanted: every mean to ± {wanted_share}.");
        if reached == n {
            return Some(format!("{wanted_of_all} Reached for every kind of work."));
        }
        let mut parts = vec![
            wanted_of_all,
            format!("Reached for {reached} of {n} kinds of work."),
        ];
        if !missed.is_empty() {
            parts.push(format!("Not reached: {}.", named(missed, wanted.precision)));
        }
        if !rare.is_empty() {
            parts.push(format!(
                "Rare, with less than {} of all commands, and not waited for: {}.",
                share(wanted.rare),
                named(rare, wanted.precision)
            ));
        }
        parts.push(wanted.more());
        Some(parts.join(" "))
    }

    /// The station with the highest utilization, of those that can be full.
    pub(super) fn bottleneck(&self) -> Option<(&str, f64)> {
        let stations = self.outcome.stations.iter();
        stations
            .map(|s| (s.name.as_str(), s.utilization.value))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// How it was run and why it ended, in a sentence.
    pub fn how(&self) -> String {
        let ran = self.ran();
        let runs = ran.replications();
        let shown = |seconds: f64| Seconds::new(seconds).to_string();
        let what = match &self.scenario {
            Some(scenario) => format!("{scenario}, {runs}, {} in all", shown(self.outcome.time)),
            None => format!(
                "the steady state at the peak, {runs}, {}",
                ran.measured(shown)
            ),
        };
        let end = match self.wanted {
            Some(wanted) if self.outcome.stopped == Stopped::Events => wanted.limit(),
            _ => end(&self.outcome),
        };
        format!("simulated: {what}; {}{end}", ran.counted())
    }

    /// How it was run.
    pub(super) fn ran(&self) -> Ran<'_> {
        Ran {
            outcome: &self.outcome,
            seed: self.seed,
            confidence: self.confidence,
        }
    }
}

impl Reached {
    fn words(self) -> &'static str {
        match self {
            Self::Yes => "reached",
            Self::No => "not reached",
            Self::Rare => "rare",
        }
    }
}

impl Wanted {
    /// That the limit of events ended the simulation.
    fn limit(&self) -> String {
        format!(
            "; it ended at its limit of {} events a replication",
            count(self.events_max)
        )
    }

    /// How to ask for more.
    fn more(&self) -> String {
        let precision = share(self.precision).replace(' ', "");
        if self.is_default {
            format!("`--precision {precision}` simulates longer and waits for rare kinds too.")
        } else if self.rare > 0.0 {
            format!(
                "`--precision {precision}` waits for rare kinds too; a larger `--events` simulates longer."
            )
        } else {
            "A larger `--events` or more `--replications` make the intervals smaller.".to_owned()
        }
    }
}

/// Kinds of work that a sentence names.
const NAMED_MAX: usize = 4;

/// "2 %", "0.5 %".
fn share(share: f64) -> String {
    let text = format!("{:.4}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} %")
}

/// "30 million", "12345".
fn count(events: u64) -> String {
    const MILLION: u64 = 1_000_000;
    if events >= MILLION && events.is_multiple_of(MILLION) {
        format!("{} million", events / MILLION)
    } else {
        events.to_string()
    }
}

/// "large sync (seen 12 times, ± 30 %)": the least known first, and of many only these.
fn named(mut kinds: Vec<(&str, &ActivityOutcome)>, wanted: f64) -> String {
    let relative = |found: &ActivityOutcome| found.response.relative();
    kinds.sort_by(|(_, a), (_, b)| relative(b).total_cmp(&relative(a)));
    let shown = if kinds.len() > NAMED_MAX + 1 {
        NAMED_MAX
    } else {
        kinds.len()
    };
    let names = kinds[..shown].iter();
    let names = names.map(|(name, found)| format!("{name} ({})", seen(found, wanted)));
    let all = names.collect::<Vec<_>>().join(", ");
    if shown < kinds.len() {
        let more = kinds.len() - shown;
        return format!("{all}, and {more} more that are known better");
    }
    all
}

/// "seen 12 times, ± 30 %", with as many digits as show that it is more than wanted.
fn seen(found: &ActivityOutcome, wanted: f64) -> String {
    let times = match found.completions {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let relative = found.response.relative();
    if !relative.is_finite() {
        format!("seen {times}, no interval")
    } else if relative > 1.0 {
        format!("seen {times}, ± > 100 %")
    } else {
        let shown = |digits: i32| significant(relative * 100.0, digits);
        let is_above = |digits: &i32| {
            let shown = shown(*digits).parse::<f64>();
            shown.is_ok_and(|shown| shown > wanted * 100.0)
        };
        let digits = (2..5).find(is_above).unwrap_or(5);
        format!("seen {times}, ± {} %", shown(digits))
    }
}

/// "12.3 ms ± 4 %"; the value alone where there is no interval.
pub(super) fn seconds(estimate: Estimate) -> String {
    with_error(Seconds::new(estimate.value).to_string(), estimate)
}

/// Rows shown of resources and of locks.
const ROWS: usize = 10;

/// Responses with percentiles, resources, locks and who waited for whom.
pub fn simulation_text(simulation: &Simulation) -> String {
    let mut out = responses(simulation);
    out.push('\n');
    out.push_str(&resources(simulation));
    out.push_str(&locks(simulation));
    out.push_str(&blame(simulation));
    out.push_str(&hours(simulation));
    out.push('\n');
    out.push_str(&super::table::paragraph(&simulation.how(), 2));
    if let Some(precision) = simulation.precision() {
        out.push_str(&super::table::paragraph(&precision, 2));
    }
    out.push_str(&super::table::paragraph(
        "± is chance alone, which a longer run makes smaller; `model` is the factor within which the numbers behind it and the model itself leave a time with a chance of 80 %, as the analytic solver has it at the peak.",
        2,
    ));
    out
}

fn responses(simulation: &Simulation) -> String {
    let mut heads = vec![
        "kind of work",
        ">a second",
        ">mean",
        ">median",
        ">p95",
        ">p99",
        ">longest",
        ">for locks",
        ">model, 80 %",
    ];
    let precisions = simulation.precisions();
    if !precisions.is_empty() {
        heads.insert(1, ">seen");
        heads.push("precision");
    }
    let mut table = Table::new(&heads);
    for (idx, row) in simulation.response_rows().into_iter().enumerate() {
        let mut cells: Vec<String> = [row.work].into_iter().chain(row.cells).collect();
        if let Some((_, found, reached)) = precisions.get(idx) {
            cells.insert(1, found.completions.to_string());
            cells.push(reached.words().to_owned());
        }
        table.row(cells);
    }
    table.render()
}

fn resources(simulation: &Simulation) -> String {
    let mut table = Table::new(&["resource", "kind", ">busy", ">in it"]);
    let mut stations: Vec<_> = simulation
        .outcome
        .stations
        .iter()
        .zip(&simulation.process.kinds)
        .filter(|(s, _)| s.utilization.value > 0.0)
        .collect();
    stations.sort_by(|(a, _), (b, _)| {
        let busy = b.utilization.value.total_cmp(&a.utilization.value);
        busy.then(a.name.cmp(&b.name))
    });
    for (station, kind) in stations.into_iter().take(ROWS) {
        let busy = station.utilization;
        table.row(vec![
            station.name.clone(),
            kind_word(*kind).to_owned(),
            with_error(percent(busy.value), busy),
            significant(station.queue_length.value, 3),
        ]);
    }
    table.render()
}

fn locks(simulation: &Simulation) -> String {
    let mut locks: Vec<_> = simulation
        .outcome
        .locks
        .iter()
        .filter(|l| l.exclusive.value > 0.0)
        .collect();
    locks.sort_by(|a, b| {
        let waiting = b.waiting.value.total_cmp(&a.waiting.value);
        waiting.then(a.name.cmp(&b.name))
    });
    if locks.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[
        "lock",
        ">written",
        ">read",
        ">waiting for it",
        "longest waits and holds",
    ]);
    for lock in locks.into_iter().take(ROWS) {
        let mut users: Vec<_> = lock.users.iter().collect();
        let share = |u: &crate::sim::LockUseOutcome| u.hold * u.acquisitions as f64;
        users.sort_by(|a, b| share(b).total_cmp(&share(a)));
        let words: Vec<String> = users
            .iter()
            .take(2)
            .map(|user| {
                format!(
                    "{} {} it for {} after {}",
                    simulation.activity(user.activity),
                    if user.exclusive { "writes" } else { "reads" },
                    Seconds::new(user.hold),
                    Seconds::new(user.wait),
                )
            })
            .collect();
        table.row(vec![
            lock.name.clone(),
            percent(lock.exclusive.value),
            percent(lock.shared.value),
            significant(lock.waiting.value, 3),
            words.join("; "),
        ]);
    }
    format!("\n{}", table.render())
}

fn blame(simulation: &Simulation) -> String {
    let rows = simulation.lock_rows();
    let all: f64 = rows.iter().map(|row| row.waiting).sum();
    if all <= 0.0 {
        return String::new();
    }
    let mut table = Table::new(&["who waited", "for", "held by", ">of all waiting for locks"]);
    for row in rows.into_iter().take(ROWS) {
        table.row(vec![
            row.victim,
            row.lock,
            row.culprit,
            percent(row.waiting / all),
        ]);
    }
    format!("\n{}", table.render())
}

/// Mean response by the hour, where there is a time series.
fn hours(simulation: &Simulation) -> String {
    const HOUR: f64 = 3600.0;
    let Some(series) = &simulation.outcome.series else {
        return String::new();
    };
    let pieces = series.completions.first().map_or(0, Vec::len);
    let a_row = ((HOUR / series.piece).round() as usize).max(1);
    let shown: Vec<usize> = (0..simulation.process.activities.len())
        .filter(|a| simulation.process.activities[*a].work.is_awaited())
        .collect();
    let mut table = Table::new(&["from", "kind of work: mean (completed)"]);
    for first in (0..pieces).step_by(a_row) {
        let range = first..(first + a_row).min(pieces);
        let words: Vec<String> = shown
            .iter()
            .filter_map(|a| {
                let count: u64 = series.completions[*a][range.clone()].iter().sum();
                let time: f64 = range
                    .clone()
                    .map(|p| series.response[*a][p] * series.completions[*a][p] as f64)
                    .sum();
                (count > 0).then(|| {
                    let mean = Seconds::new(time / count as f64);
                    let name = &simulation.process.activities[*a].name;
                    format!("{name} {mean} ({count})")
                })
            })
            .collect();
        let from = Seconds::new(first as f64 * series.piece);
        table.row(vec![from.to_string(), words.join(", ")]);
    }
    format!("\n{}", table.render())
}

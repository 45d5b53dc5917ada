//! Deployments side by side, each judged as the candidates of the advice are.
//!
//! Knows the scores, the targets and the words of [`super::advise`]; must not know how columns are shown.

use super::advice::Advice;
use super::bill::Bill;
use super::candidates::Candidate;
use super::headroom::Overload;
use super::over_load::{Closeness, curve};
use super::ranking::{Solved, solve};
use super::score::Timed;
use super::score::{self, Scores};
use super::search::Search;
use super::what_if::{Base, Change, Changed, what_if};
use super::why_not::why_not;
use crate::system::{commit_time, interval};

/// One of several layouts side by side.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its results, or why it cannot be built.
    pub outcome: Result<Changed, String>,
    /// At which load it would still work, where today's overloads it.
    pub carries: Option<Overload>,
    /// Its scores and targets; `None` where it saturates or cannot be built.
    pub judged: Option<Judged>,
    /// The largest multiple of today's peak load that it carries with all targets met; none where it saturates or
    /// cannot be built, infinite where nothing gives way.
    pub headroom: Option<f64>,
    /// Whether no other column is at least as good by every criterion and better by one.
    pub is_on_front: bool,
}

impl Column {
    fn new(name: &str, outcome: Result<Changed, String>) -> Self {
        Self { name: name.to_owned(), outcome, carries: None, judged: None, headroom: None, is_on_front: false }
    }

    /// Why it cannot be built, or is overloaded.
    pub fn problem(&self) -> Option<String> {
        match &self.outcome {
            Err(reason) => Some(reason.clone()),
            Ok(changed) => changed.prediction.as_ref().err().map(ToString::to_string),
        }
    }
}

/// The recommendation, then changes of it by their names; `None` where nothing is recommended.
pub fn columns<'c>(
    base: &Base<'_>,
    advice: &Advice,
    changes: impl IntoIterator<Item = (&'c str, &'c Change)>,
) -> Option<Vec<Column>> {
    let chosen = advice.chosen.as_ref()?;
    let solve = |change: &Change| what_if(base, change).map_err(|error| error.to_string());
    let mut first = solve(&Change::default());
    if let Ok(first) = &mut first {
        // The very figures of the recommendation, with their intervals.
        first.prediction = Ok(chosen.prediction.clone());
    }
    let mut columns = vec![Column::new("Recommended", first)];
    for (name, change) in changes {
        let solved = solve(change).map(|changed| with_intervals(base, changed));
        let carries = |changed: &Changed| changed.carries(base.catalog, base.calibration);
        columns.push(Column { carries: solved.as_ref().ok().and_then(carries), ..Column::new(name, solved) });
    }
    let solved = columns.iter().map(|column| column.outcome.as_ref().ok());
    let solved: Vec<Option<&Changed>> = solved.collect();
    let mut judged = side_by_side(base, &advice.best_times, &solved);
    if let Some(Some(first)) = judged.first_mut() {
        first.scores = chosen.scores.clone();
    }
    let scores: Vec<_> = judged.iter().map(|j| j.as_ref().map(|j| &j.scores)).collect();
    let front = pareto_front(&scores);
    for ((column, judged), is_on_front) in columns.iter_mut().zip(judged).zip(front) {
        column.is_on_front = is_on_front && judged.is_some();
        column.judged = judged;
        column.headroom = headroom(base, column);
    }
    columns[0].headroom = Some(chosen.headroom.factor);
    Some(columns)
}

/// How much more load a column carries.
fn headroom(base: &Base<'_>, column: &Column) -> Option<f64> {
    /// The limit is looked for, not a line to draw.
    const POINTS: usize = 2;
    let changed = column.outcome.as_ref().ok()?;
    let prediction = changed.prediction.as_ref().ok()?;
    let found = curve(
        &changed.site,
        changed.catalog(base.catalog),
        base.calibration,
        &changed.deployment,
        &changed.load,
        Some(prediction),
        POINTS,
        Closeness::Quick,
    );
    Some(found.limit.map_or(f64::INFINITY, |stop| stop.factor))
}

/// Intervals as the recommendation has them.
fn with_intervals(base: &Base<'_>, mut changed: Changed) -> Changed {
    let Ok(prediction) = &mut changed.prediction else {
        return changed;
    };
    let (deployment, load) = (&changed.deployment, &changed.load);
    let catalog = changed.left.as_deref().unwrap_or(base.catalog);
    interval::add_intervals(prediction, deployment, load, catalog, base.calibration);
    changed
}

/// What is said of a deployment beside its prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Its scores.
    pub scores: Scores,
    /// How long the largest submit holds the commit section \[s\].
    pub largest_commit: f64,
    /// Targets that it misses, in words.
    pub missed: Vec<String>,
    /// What speaks against building it whatever its times: no room, no memory, one set of disks, a store that fills before the
    /// horizon, a stated RTO or RPO that is missed.
    pub unsafe_by: Vec<String>,
    /// Why it is not the first of those that it is compared with; nothing for the first itself.
    pub why_not: String,
    /// Whether that is a lack of memory.
    pub lacks_memory: bool,
    /// What it is made of; none where the site has no prices.
    pub bill: Option<Bill>,
}

/// Judges deployments against the first of them; nothing is said of one that saturates. `best` are the times
/// that performance is judged by: [`super::Advice::best_times`].
pub fn side_by_side(base: &Base<'_>, best: &[(Timed, f64)], columns: &[Option<&Changed>]) -> Vec<Option<Judged>> {
    let mut first: Option<(Solved, Scores)> = None;
    let mut all = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        let Some((solved, scores)) = column.and_then(|changed| judge(base, best, changed)) else {
            all.push(None);
            continue;
        };
        let is_first = place == 0;
        all.push(Some(Judged {
            largest_commit: solved.largest_commit,
            missed: solved.missed.clone(),
            unsafe_by: column.map_or(Vec::new(), |_| unsafe_by(&solved)),
            why_not: if is_first { String::new() } else { why_not(base.site, first.as_ref(), &solved, &scores) },
            lacks_memory: first.as_ref().is_some_and(|(first, _)| solved.safety.lacks_memory(&first.safety)),
            scores: scores.clone(),
            bill: solved.bill.clone(),
        }));
        if is_first {
            first = Some((solved, scores));
        }
    }
    all
}

/// What speaks against building it.
fn unsafe_by(solved: &Solved) -> Vec<String> {
    let missed = solved.unkept.promises.iter();
    let missed = missed.map(|promise| format!("{promise} missed"));
    solved.safety.all().into_iter().chain(missed).collect()
}

fn judge(base: &Base<'_>, best: &[(Timed, f64)], changed: &Changed) -> Option<(Solved, Scores)> {
    let candidate = Candidate { deployment: changed.deployment.clone(), choices: changed.choices.clone() };
    let catalog = changed.catalog(base.catalog);
    let prediction = changed.prediction.as_ref().ok()?.clone();
    let files = changed.site.workload.largest_submit_files.value;
    let (deployment, load) = (&changed.deployment, &changed.load);
    let commit = commit_time(deployment, load, files, catalog, base.calibration);
    let known = (&changed.site, catalog, base.calibration);
    let search = Search::of(known, load, &changed.sizes);
    let mut solved = solve(&search, candidate, (prediction, commit));
    if score::price(best).is_some()
        && let Some(total) = solved.bill.as_ref().and_then(Bill::total)
    {
        solved.times.push((Timed::Price, total));
    }
    let scores = search.scores(&solved, best);
    Some((solved, scores))
}

/// Which of several are on the Pareto front: no other is at least as good by every criterion and better by
/// one, to the three digits that are shown. One without scores is not.
pub fn pareto_front(scores: &[Option<&Scores>]) -> Vec<bool> {
    let digits = |scores: &Scores| -> Vec<i64> {
        let values = scores.by_criterion.iter();
        values.map(|score| (score.value * 1e3).round() as i64).collect()
    };
    let all: Vec<Option<Vec<i64>>> = scores.iter().map(|s| s.map(digits)).collect();
    let beats = |a: &[i64], b: &[i64]| a != b && a.iter().zip(b).all(|(a, b)| a >= b);
    all.iter()
        .map(|one| match one {
            None => false,
            Some(one) => !all.iter().flatten().any(|other| beats(other, one)),
        })
        .collect()
}

//! Deployments side by side, each judged as the candidates of the advice are.
//!
//! Knows the scores, the targets and the words of [`super::advise`]; must not know how columns are shown.

use super::bill::Bill;
use super::candidates::Candidate;
use super::ranking::{Solved, solve};
use super::recovery;
use super::score::Timed;
use super::score::{self, CRITERIA, Scores};
use super::standby;
use super::what_if::{Base, Changed};
use super::why_not::why_not;
use crate::system::commit_time;

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
}

/// Judges deployments against the first of them; nothing is said of one that saturates. `best` are the times
/// that performance is judged by: [`super::Advice::best_times`].
pub fn side_by_side(
    base: &Base<'_>,
    best: &[(Timed, f64)],
    columns: &[Option<&Changed>],
) -> Vec<Option<Judged>> {
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
            unsafe_by: column.map_or(Vec::new(), |changed| unsafe_by(base, changed, &solved)),
            why_not: if is_first {
                String::new()
            } else {
                why_not(base.site, first.as_ref(), &solved, &scores)
            },
            scores: scores.clone(),
        }));
        if is_first {
            first = Some((solved, scores));
        }
    }
    all
}

/// What speaks against building it.
fn unsafe_by(base: &Base<'_>, changed: &Changed, solved: &Solved) -> Vec<String> {
    let Changed {
        site,
        deployment,
        load,
        sizes,
        ..
    } = changed;
    let (catalog, calibration) = (changed.catalog(base.catalog), base.calibration);
    let peak = &solved.prediction;
    let whole = standby::with(site, catalog, calibration, deployment, load, peak, sizes);
    let missed = recovery::missed_promises((site, catalog, calibration), &whole, load, peak);
    let missed = missed
        .into_iter()
        .map(|promise| format!("{promise} missed"));
    solved.safety.all().into_iter().chain(missed).collect()
}

fn judge(base: &Base<'_>, best: &[(Timed, f64)], changed: &Changed) -> Option<(Solved, Scores)> {
    let candidate = Candidate {
        deployment: changed.deployment.clone(),
        choices: changed.choices.clone(),
    };
    let catalog = changed.catalog(base.catalog);
    let prediction = changed.prediction.as_ref().ok()?.clone();
    let files = changed.site.workload.largest_submit_files.value;
    let (deployment, load) = (&changed.deployment, &changed.load);
    let commit = commit_time(deployment, load, files, catalog, base.calibration);
    let mut solved = solve(
        &changed.site,
        catalog,
        base.calibration,
        candidate,
        (prediction, commit),
        &changed.load,
        &changed.sizes,
    );
    if score::price(best).is_some()
        && let Some(total) = solved.bill.as_ref().and_then(Bill::total)
    {
        solved.times.push((Timed::Price, total));
    }
    let scores = score::scores(
        &changed.site,
        catalog,
        &changed.deployment,
        &solved.times,
        best,
    );
    Some((solved, scores))
}

/// Which of several are on the Pareto front: no other is at least as good by every criterion and better by
/// one, to the three digits that are shown. One without scores is not.
pub fn pareto_front(scores: &[Option<&Scores>]) -> Vec<bool> {
    let digits = |scores: &Scores| -> Vec<i64> {
        let mut values: Vec<i64> = CRITERIA.iter().map(|_| 0).collect();
        for (value, score) in values.iter_mut().zip(&scores.by_criterion) {
            *value = (score.value * 1e3).round() as i64;
        }
        values
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

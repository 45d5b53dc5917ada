//! Scores of a deployment by criterion, and the one number that ranks it.
//!
//! Performance is computed: for each kind of work the best time among the candidates over this one's,
//! and the same for the commit section of the largest submit, combined by their geometric mean. The
//! other criteria take the grades of the protocols in use (N13 table 6; their mean where there are
//! several) and the factors of `models/criteria.toml`. The ranking takes the weighted geometric mean:
//! a layout that is bad at one thing that counts cannot buy itself out with another.

use std::fmt;

use super::criteria::{Criterion, factor};
use crate::catalog::{Access, Catalog, LOCAL_DISKS, grade};
use crate::site::Site;
use crate::system::{ClassPrediction, Deployment, Mount, Prediction};
use crate::workload::Work;

/// One criterion's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// Which criterion.
    pub criterion: Criterion,
    /// In (0, 1\].
    pub value: f64,
    /// The site's weight over the sum of weights.
    pub weight: f64,
}

impl Score {
    /// The nearest word of the scale.
    pub fn word(&self) -> &'static str {
        if self.criterion == Criterion::DirectFileAccess {
            return if self.value > 0.6 { "yes" } else { "no" };
        }
        grade::word(self.value)
    }
}

/// All criteria of one deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// In the order of [`Criterion::ALL`].
    pub by_criterion: Vec<Score>,
    /// Factor of the findings that another layout does without, in (0, 1\].
    pub findings: f64,
    /// Their rules, the gravest first.
    pub heeded: Vec<&'static str>,
    /// Weighted geometric mean, times that factor.
    pub total: f64,
}

/// Times that performance is judged by: p95 of each kind of work with a target class, and the commit
/// section of the largest submit.
///
/// Of a large sync that is while as many run at once as the site states, where it states a number.
pub(super) fn times(prediction: &Prediction, largest_commit: f64) -> Vec<(Timed, f64)> {
    let is_seen_at_once = |class: &&ClassPrediction| {
        class.work.is_large_sync()
            && !class.work.is_at_once()
            && prediction.class(&Work::at_once(&class.work.clients)).is_some()
    };
    let mut times: Vec<(Timed, f64)> = prediction
        .classes
        .iter()
        .filter(|c| is_judged(c) && !is_seen_at_once(c))
        .map(|c| (Timed::Work(c.work.clone()), c.p95.value))
        .collect();
    times.push((Timed::LargestCommit, largest_commit));
    times
}

/// Whether people wait for this kind of work, so that performance is judged by it.
pub(super) fn is_judged(class: &ClassPrediction) -> bool {
    class.work.target().is_some()
}

/// What performance is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Timed {
    /// The 95th percentile of a kind of work.
    Work(Work),
    /// The commit section of the largest submit.
    LargestCommit,
    /// No time: the price over the horizon, where everything in which the candidates differ has one.
    Price,
}

impl fmt::Display for Timed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work(work) => work.fmt(f),
            Self::LargestCommit => f.write_str("commit section of the largest submit"),
            Self::Price => f.write_str("price"),
        }
    }
}

/// The best of each kind of time among all.
pub(super) fn best_times(all: &[Vec<(Timed, f64)>]) -> Vec<(Timed, f64)> {
    let mut best: Vec<(Timed, f64)> = Vec::new();
    for (name, time) in all.iter().flatten() {
        match best.iter_mut().find(|(n, _)| n == name) {
            Some((_, b)) => *b = b.min(*time),
            None => best.push((name.clone(), *time)),
        }
    }
    best
}

fn performance(times: &[(Timed, f64)], best: &[(Timed, f64)]) -> f64 {
    let logs: Vec<f64> = times
        .iter()
        .filter(|(name, _)| *name != Timed::Price)
        .filter_map(|(name, time)| {
            let best = best.iter().find(|(n, _)| n == name)?.1;
            Some((best / time).min(1.0).ln())
        })
        .collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}

/// The cheapest price over this one; nothing where prices do not compare. Less than one of the currency counts as one.
fn cheapness(times: &[(Timed, f64)], best: &[(Timed, f64)]) -> Option<f64> {
    let (own, cheapest) = (price(times)?, price(best)?);
    Some((cheapest.max(1.0) / own.max(1.0)).min(1.0))
}

/// The price among times; nothing where prices do not compare.
pub(super) fn price(times: &[(Timed, f64)]) -> Option<f64> {
    let found = times.iter().find(|(name, _)| *name == Timed::Price);
    found.map(|(_, price)| *price)
}

/// Scores one deployment against the best times of all; prices among the times count as cost.
pub(super) fn scores(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    times: &[(Timed, f64)],
    best: &[(Timed, f64)],
) -> Scores {
    let weights = Criterion::ALL.map(|criterion| criterion.weight(site));
    let sum: f64 = weights.iter().sum();
    let by_criterion: Vec<Score> = Criterion::ALL
        .into_iter()
        .zip(weights)
        .map(|(criterion, weight)| Score {
            criterion,
            value: match criterion {
                Criterion::Performance => performance(times, best),
                Criterion::Cost => {
                    cheapness(times, best).unwrap_or_else(|| graded(site, catalog, deployment, criterion))
                }
                other => graded(site, catalog, deployment, other),
            },
            weight: weight / sum,
        })
        .collect();
    let total = by_criterion.iter().map(|s| s.weight * s.value.max(1e-9).ln()).sum::<f64>().exp();
    Scores { by_criterion, findings: 1.0, heeded: Vec::new(), total }
}

fn graded(site: &Site, catalog: &Catalog, deployment: &Deployment, criterion: Criterion) -> f64 {
    if criterion == Criterion::DirectFileAccess {
        let depot = deployment.mount("depot").and_then(|m| catalog.protocols.get(&m.protocol));
        let grade = depot.map_or("no", |p| p.grades.direct_file_access.value);
        return grade::score(grade);
    }
    let mut protocols: Vec<&str> = deployment.volumes.iter().map(|m| m.protocol.as_str()).collect();
    protocols.sort_unstable();
    protocols.dedup();
    let grades: Vec<f64> = protocols
        .iter()
        .filter_map(|id| catalog.protocols.get(*id))
        .map(|p| {
            grade::score(match criterion {
                Criterion::Manageability => p.grades.manageability.value,
                Criterion::Cost => p.grades.cost.value,
                _ => p.grades.backup.value,
            })
        })
        .collect();
    let mut score = grades.iter().sum::<f64>() / grades.len().max(1) as f64;
    score *= factor("per_edge", criterion).powi(deployment.edges.cast_signed());
    // Drives that the server has are no system to buy.
    let is_there =
        |device: &&str| criterion == Criterion::Cost && *device == LOCAL_DISKS && site.server.local_disks.is_stated();
    let mut devices = deployment.devices();
    devices.retain(|device| !is_there(device));
    let systems = i32::try_from(devices.len().saturating_sub(1)).unwrap_or(i32::MAX);
    score *= factor("per_extra_system", criterion).powi(systems);
    let rented = |mount: &Mount| {
        let medium = catalog.media.get(&mount.medium)?;
        Some((medium, medium.rented.as_ref()?))
    };
    let mut volumes = deployment.volumes.iter().filter_map(rented);
    if volumes.any(|(_, rented)| rented.operations_included.value.get() == 0.0) {
        score *= factor("provisioned_volumes", criterion);
    }
    let depots = deployment.mount("depot").and_then(rented);
    if depots.is_some_and(|(medium, _)| medium.kind == "flash") {
        score *= factor("flash_depots", criterion);
    }
    let files = deployment.volumes.iter().filter(|mount| mount.access(catalog) == Access::File);
    let mut arrays = files.filter_map(|mount| catalog.arrays.get(&mount.device));
    if arrays.any(|array| array.elastic) {
        score *= factor("rented_files", criterion);
    }
    let proxies = i32::try_from(deployment.proxies.len()).unwrap_or(i32::MAX);
    score *= factor("proxy", criterion).powi(proxies);
    let depot = deployment.mount("depot");
    if depot.is_some_and(|m| catalog.arrays.get(&m.device).is_some_and(|a| !a.snapshots)) {
        score *= factor("no_snapshots", criterion);
    }
    let unsafe_directories = deployment.volumes.iter().any(|m| {
        let local = catalog.protocols.get(&m.protocol).is_some_and(|p| p.access.has_filesystem());
        let fs = m.filesystem.as_ref().and_then(|id| catalog.filesystems.get(id));
        local && fs.is_some_and(|fs| !fs.crash_safe_directories)
    });
    if unsafe_directories {
        score *= factor("unsafe_directories", criterion);
    }
    score.max(0.05)
}

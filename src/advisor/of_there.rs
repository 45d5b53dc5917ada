//! What is found in the system that is there, and in what overloads least where nothing is recommended.

use super::headroom::{self, Overload};
use super::lint;
use super::ranking::Failed;
use super::rules::{Finding, Severity};
use super::sizing::Sizing;
use super::today;
use super::unstated::Unstated;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::capacity::RoleSize;
use crate::workload::Load;

/// How closely the load is known that an overloaded layout carries.
const CLOSELY: f64 = 1.02;

/// What endangers or slows the system that is there, where it was stated, and no longer the recommended one: until the
/// recommendation is built, people work on it.
pub(super) fn only_today(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    recommended: &[Finding],
) -> Vec<Finding> {
    if !is_stated(site) {
        return Vec::new();
    }
    let known = |rule: &str| {
        let mut all = recommended.iter();
        all.any(|f| f.rule == rule || f.also.contains(&rule))
    };
    let found =
        today::system(site, catalog, calibration).map(|system| today::findings(site, catalog, calibration, &system));
    let found = found.unwrap_or_default().into_iter();
    found.filter(|f| f.severity > Severity::Note && !known(f.rule)).map(|finding| finding.of_today(site.peak)).collect()
}

/// Whether the system that is there was stated.
pub(super) fn is_stated(site: &Site) -> bool {
    site.infrastructure.current_layout.is_some() || !site.today.volumes.is_empty()
}

/// Where nothing is recommended, what the rules find in the system that is there, if it was stated or there is no other;
/// else in the layout that is overloaded least.
pub(super) fn of_what_is_there(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    overload: Option<&Overload>,
    load: &Load,
    sizes: &[RoleSize],
) -> Vec<Finding> {
    if let Some(overload) = overload.filter(|_| !is_stated(site)) {
        let subject = lint::Subject {
            deployment: &overload.deployment,
            load,
            sizes,
            stores: Sizing::of(site, catalog, sizes).capacity(&overload.deployment),
            is_there: false,
            unstated: Unstated::default(),
        };
        return lint::lint(site, catalog, calibration, subject);
    }
    today::system(site, catalog, calibration)
        .map(|system| today::findings(site, catalog, calibration, &system))
        .unwrap_or_default()
}

/// Of each layout that today's load overloads the first is looked at, and the first with proxies; the one that carries most is taken,
/// with proxies only where it carries more by [`CLOSELY`].
pub(super) fn least_overloaded(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    failed: &[Failed],
    load: &Load,
    sizes: &[RoleSize],
) -> Option<Overload> {
    let mut seen: Vec<(&str, bool)> = Vec::new();
    let mut best: Option<Overload> = None;
    for (candidate, error) in failed {
        let deployment = &candidate.deployment;
        let key = (deployment.layout.as_str(), deployment.proxies.is_empty());
        if seen.contains(&key) {
            continue;
        }
        let limits = Sizing::of(site, catalog, sizes).capacity(deployment);
        if limits.iter().any(|limit| limit.more_today > 0.0) {
            continue;
        }
        seen.push(key);
        let found = headroom::overload(catalog, calibration, deployment, load, error);
        let least = if deployment.proxies.is_empty() { 1.0 } else { CLOSELY };
        let is_better = |f: &Overload| best.as_ref().is_none_or(|b| f.factor > least * b.factor);
        if let Some(found) = found.filter(is_better) {
            best = Some(found);
        }
    }
    best
}

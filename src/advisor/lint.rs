//! The rules on a system that nobody recommends: the one that is there, or one that today's peak overloads.

use super::headroom::{self, Headroom};
use super::load_limit::LoadLimit;
use super::recovery::recovery;
use super::rules::{self, Facts, Finding};
use super::stores::Limit;
use super::unstated::Unstated;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::capacity::{self, RoleSize};
use crate::system::{Deployment, commit_time, predict};
use crate::workload::Load;

/// What is looked at.
pub(super) struct Subject<'a> {
    pub(super) deployment: &'a Deployment,
    pub(super) load: &'a Load,
    pub(super) sizes: &'a [RoleSize],
    /// Its stores; empty where nobody said how large they are.
    pub(super) stores: Vec<Limit>,
    /// Whether it is the system that is there.
    pub(super) is_there: bool,
    /// What nobody stated of it.
    pub(super) unstated: Unstated,
}

/// What the rules find in a system under its load; of one that today's peak overloads, under the largest load that it
/// carries. Nothing where it carries next to nothing.
pub(super) fn lint(site: &Site, catalog: &Catalog, calibration: &Calibration, subject: Subject<'_>) -> Vec<Finding> {
    let Subject { deployment, load, sizes, stores, is_there, unstated } = subject;
    let (prediction, load, factor, overload) = match predict(deployment, load, catalog, calibration) {
        Ok(prediction) => (prediction, load.clone(), 1.0, None),
        Err(error) => {
            let found = headroom::overload(catalog, calibration, deployment, load, &error);
            let Some(found) = found else {
                return Vec::new();
            };
            let load = load.scaled(found.factor);
            (found.prediction, load, found.factor, Some(error))
        }
    };
    let files = site.workload.largest_submit_files.value;
    let headroom = Headroom {
        factor,
        limit: overload.clone().map_or(LoadLimit::NotFound, LoadLimit::Overload),
        bottleneck: None,
        knee: factor,
        reached_in: None,
        memory: None,
        capacity: stores,
    };
    rules::check(&Facts {
        site,
        catalog,
        calibration,
        deployment,
        sizes,
        memory: &capacity::memory(site, calibration, deployment, &load, prediction.db_hit),
        headroom: &headroom,
        largest_commit: commit_time(deployment, &load, files, catalog, calibration),
        influences: &[],
        recovery: &recovery(site, catalog, calibration, deployment, &load, &prediction),
        is_there,
        unstated: &unstated,
        overload: overload.as_ref(),
        prediction: &prediction,
    })
}

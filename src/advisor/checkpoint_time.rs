//! What a stated time of a checkpoint says of the model.
//!
//! Its ratio to the model's own estimate of today's system carries over to every job of rows elsewhere, as far as the mechanism
//! is the same: what one core works through is the same work on each server; with as many pages to read one
//! by one; what a store limits is so on a database volume of the same device and medium alone.

use super::today;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Backup, Site};
use crate::system::{Deployment, Interval, Job, Mount, Pace, durations};
use crate::units::{Seconds, two_digits};

/// The field of the stated time.
pub(super) const CHECKPOINT_TIME: &str = "today.checkpoint_time";
/// A stated time so many times the estimate, or this part of it, has another reason than the model's error (assumed).
pub(super) const FAR: f64 = 3.0;

/// What a stated time of a checkpoint says.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointTime {
    /// How long it took, as stated \[s\].
    pub stated: f64,
    /// The model's own estimate of it on today's system \[s\].
    pub modelled: Interval,
    /// What the model finds to limit it.
    pub limit: String,
    /// Whether one thread of p4d limits it.
    by_thread: bool,
    /// Device and medium of today's database.
    store: Option<(String, String)>,
}

impl CheckpointTime {
    /// How many times the model's estimate is stated.
    pub fn ratio(&self) -> f64 {
        self.stated / self.modelled.value
    }

    /// Whether the two are far apart.
    pub fn is_far(&self) -> bool {
        let ratio = self.ratio();
        !(1.0 / FAR..=FAR).contains(&ratio)
    }

    /// "29 times the model's estimate, from `today.checkpoint_time` (12 h, stated)", for a job that takes `paced` times the
    /// estimate.
    pub fn origin(&self, paced: f64) -> String {
        format!(
            "{} times the model's estimate, from {CHECKPOINT_TIME} ({}, stated)",
            two_digits(paced),
            Seconds::new(self.stated)
        )
    }
}

/// Whether the answers say that today's checkpoints are of the live database.
pub(super) fn is_live(site: &Site) -> bool {
    let backup = &site.protection.backup;
    site.today.sign("live-checkpoint").is_some()
        || (backup.is_stated() && backup.value == Backup::Checkpoint)
}

fn store(mount: &Mount) -> (String, String) {
    (mount.device.clone(), mount.medium.clone())
}

/// What the stated time of today's checkpoint says; none where none is stated or there is no system to compare it with.
pub(super) fn checkpoint_time(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<CheckpointTime> {
    let stated = site.today.checkpoint_time.as_ref()?.value.get();
    let there = today::system(site, catalog, calibration).ok()?;
    let d = &there.deployment;
    let found = durations(site, d, &there.load, catalog, calibration, Pace::MODEL);
    let job = if is_live(site) {
        Job::CheckpointLive
    } else {
        Job::CheckpointOffline
    };
    let modelled = found.all.into_iter().find(|one| one.job == job)?;
    (stated > 0.0 && modelled.time.value > 0.0).then(|| CheckpointTime {
        stated,
        by_thread: modelled.is_by_thread,
        store: d.mount("db").map(store),
        modelled: modelled.time,
        limit: modelled.limit,
    })
}

/// The pace of jobs of rows in a deployment.
pub(super) fn pace(observed: Option<&CheckpointTime>, deployment: &Deployment) -> Pace {
    let Some(observed) = observed else {
        return Pace::MODEL;
    };
    let ratio = observed.ratio();
    let is_same_store = deployment.mount("db").map(store) == observed.store;
    // What takes less time than the estimate does so in all that works at once.
    let of = |limits: bool| if limits || ratio < 1.0 { ratio } else { 1.0 };
    Pace {
        processor: of(observed.by_thread),
        pages: of(observed.by_thread),
        stations: if is_same_store {
            of(!observed.by_thread)
        } else {
            1.0
        },
    }
}

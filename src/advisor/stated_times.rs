//! What a stated time of a checkpoint says of the model.
//!
//! It is a measurement of today's system, blended into what is known of the model's numbers as those of `calibrate --add` are
//! ([`crate::fit::blend()`]). So it reaches every job and every layout as far as these read the same numbers: what p4d's thread
//! works through and the state of the database everywhere, a kind of drive where it is.
//!
//! A time beyond what chance explains is taken where it is longer than the estimate, since much can slow a checkpoint that no
//! answer says; where it is shorter, the answers contradict each other, and nothing is taken of it.

use super::today;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::{Experiments, Maintenance};
use crate::fit::{Verdict, blend};
use crate::posterior::Posterior;
use crate::site::{Backup, Site};
use crate::system::{Interval, Job, durations};
use crate::units::{Seconds, two_digits};

/// The field of the stated time.
pub(super) const CHECKPOINT_TIME: &str = "today.checkpoint_time";
/// A stated time so many times the estimate, or this part of it, has another reason than the model's error (assumed).
pub(super) const FAR: f64 = 3.0;
/// One-sigma error of a time that people state: they round it, and nights differ (assumed).
const SPREAD: f64 = 0.1;

/// What a stated time of a checkpoint says.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointTime {
    /// How long it took, as stated \[s\].
    pub stated: f64,
    /// The model's own estimate of it on today's system \[s\].
    pub modelled: Interval,
    /// What the model finds to limit it.
    pub limit: String,
    /// Whether it contradicts the other answers: nothing is taken of it.
    pub contradicts: bool,
    /// What it makes of the model's numbers.
    known: Posterior,
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

/// What the stated time of today's checkpoint says; none where none is stated or there is no system to compare it with.
pub(super) fn checkpoint_time(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<CheckpointTime> {
    let stated = site.today.checkpoint_time.as_ref()?.value.get();
    let there = today::system(site, catalog, calibration).ok()?;
    let (deployment, load) = (there.deployment, there.load);
    let published = calibration.posterior.standing();
    let found = durations(site, &deployment, &load, catalog, calibration, &published);
    let job = if is_live(site) {
        Job::CheckpointLive
    } else {
        Job::CheckpointOffline
    };
    let modelled = found.all.into_iter().find(|one| one.job == job)?;
    let timed = Maintenance {
        id: CHECKPOINT_TIME.to_owned(),
        site: site.clone(),
        deployment,
        load,
        job,
        measured: stated,
        spread: SPREAD,
        sigma: 0.0,
    };
    let library = (catalog, calibration);
    let free = timed.free(library, &published);
    let measured = Experiments::of_maintenance(vec![timed]);
    let is_longer = stated > modelled.time.value;
    let blend = blend(library, &measured, &published, &free, is_longer).ok()?;
    Some(CheckpointTime {
        stated,
        modelled: modelled.time,
        limit: modelled.limit,
        contradicts: blend.verdict == Verdict::Contradicts,
        known: blend.after,
    })
}

/// What is known of the model's numbers beside what they stand at.
pub(super) fn known(observed: Option<&CheckpointTime>, calibration: &Calibration) -> Posterior {
    observed.map_or_else(
        || calibration.posterior.standing(),
        |observed| observed.known.clone(),
    )
}

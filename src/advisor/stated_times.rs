//! What stated times of maintenance say of the model: of a checkpoint, of its replay, of a restore.
//!
//! Each is a measurement of today's system, blended into what is known of the model's numbers as those of `calibrate --add` are
//! ([`crate::fit::blend()`]). So it reaches every job and every layout as far as these read the same numbers: what p4d's thread
//! works through and the state of the database everywhere, a kind of drive where it is.
//!
//! A time beyond what chance explains is taken where it is longer than the estimate, since much can slow a job that no
//! answer says; where it is shorter, the answers contradict each other, and nothing is taken of it.

use super::today;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::{Experiments, Maintenance};
use crate::fit::{Verdict, blend};
use crate::posterior::{Free, Posterior};
use crate::site::{Answer, Backup, Site};
use crate::system::{Interval, Job, durations};
use crate::units::{Seconds, list};

/// A stated time so many times the estimate, or this part of it, has another reason than the model's error (assumed).
pub(super) const FAR: f64 = 3.0;
/// One-sigma error of a time that people state: they round it, and nights differ (assumed).
const SPREAD: f64 = 0.1;

/// A stated time.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedTime {
    /// Its field.
    pub field: &'static str,
    /// The job that it is of.
    pub job: Job,
    /// How long it took, as stated \[s\].
    pub stated: f64,
    /// The model's own estimate of it on today's system \[s\].
    pub modelled: Interval,
    /// What the model finds to limit it.
    pub limit: String,
    /// Whether it contradicts the other answers: nothing is taken of it.
    pub contradicts: bool,
}

/// What all of them say.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedTimes {
    /// In the order of the questions.
    pub all: Vec<StatedTime>,
    /// What they make of the model's numbers.
    known: Posterior,
}

impl StatedTime {
    /// How many times the model's estimate is stated.
    pub fn ratio(&self) -> f64 {
        self.stated / self.modelled.value
    }

    /// Whether the two are far apart.
    pub fn is_far(&self) -> bool {
        let ratio = self.ratio();
        !(1.0 / FAR..=FAR).contains(&ratio)
    }
}

impl StatedTimes {
    /// That of today's checkpoint.
    pub fn checkpoint(&self) -> Option<&StatedTime> {
        let is_checkpoint = |job| matches!(job, Job::CheckpointLive | Job::CheckpointOffline);
        self.all.iter().find(|one| is_checkpoint(one.job))
    }

    /// What they say of the model's numbers alone: of a database that is built anew none is a time.
    pub(super) fn of_another_database(mut self) -> Self {
        self.all.clear();
        self
    }

    /// "longer than the model's estimate, as `today.checkpoint_time` (12 h, stated) says", for a job that takes `paced` times the estimate.
    /// How many times it is stands with the stated time alone ([`StatedTime::ratio`]): of each job it is another number.
    pub fn origin(&self, paced: f64) -> String {
        let taken = self.all.iter().filter(|one| !one.contradicts);
        let taken = taken.map(|one| format!("{} ({}, stated)", one.field, Seconds::new(one.stated)));
        let taken: Vec<String> = taken.collect();
        let than = if paced > 1.0 { "longer" } else { "shorter" };
        let s = if taken.len() == 1 { "s" } else { "" };
        format!("{than} than the model's estimate, as {} say{s}", list(&taken))
    }
}

/// Whether the answers say that today's checkpoints are of the live database.
pub(super) fn is_live(site: &Site) -> bool {
    let backup = &site.protection.backup;
    let by_day = site.workload.live_checkpoints_per_day.as_ref();
    by_day.is_some_and(|count| count.value.get() > 0.0)
        || site.today.sign("live-checkpoint").is_some()
        || (backup.is_stated() && backup.value == Backup::Checkpoint)
}

/// What today's checkpoints are.
pub(super) fn checkpoint_of(site: &Site) -> Job {
    if is_live(site) { Job::CheckpointLive } else { Job::CheckpointOffline }
}

/// The times of maintenance that are stated: the field, which job, and how long it took.
pub(super) fn stated(site: &Site) -> impl Iterator<Item = (&'static str, Job, &Answer<Seconds>)> {
    let checkpoint = checkpoint_of(site);
    let today = &site.today;
    let all = [
        ("today.checkpoint_time", checkpoint, &today.checkpoint_time),
        ("today.replay_time", Job::Replay, &today.replay_time),
        ("today.restore_time", Job::RestoreDatabase, &today.restore_time),
    ];
    let all = all.into_iter();
    all.filter_map(|(field, job, time)| Some((field, job, time.as_ref()?)))
}

/// What the stated times of today's maintenance say; none where none is stated or there is no system to compare it with.
pub(super) fn stated_times(site: &Site, catalog: &Catalog, calibration: &Calibration) -> Option<StatedTimes> {
    let stated: Vec<_> = stated(site).collect();
    if stated.is_empty() {
        return None;
    }
    let there = today::system(site, catalog, calibration).ok()?;
    let (deployment, load) = (there.deployment, there.load);
    let published = calibration.posterior.standing();
    let found = durations(site, &deployment, &load, catalog, calibration, &published);
    let library = (catalog, calibration);
    let timed = |one: &StatedTime| Maintenance {
        id: one.field.to_owned(),
        site: site.clone(),
        deployment: deployment.clone(),
        load: load.clone(),
        job: one.job,
        measured: one.stated,
        spread: SPREAD,
        sigma: 0.0,
    };
    let blended = |timed: Vec<Maintenance>, force: bool| {
        let mut free: Vec<Free> = timed.iter().flat_map(|one| one.free(library, &published)).collect();
        free.sort_by(|a, b| a.id.cmp(&b.id));
        free.dedup_by(|a, b| a.id == b.id);
        let measured = Experiments::of_maintenance(timed);
        blend(library, &measured, &published, &free, force).ok()
    };
    let all = stated.into_iter().filter_map(|(field, job, time)| {
        let modelled = found.all.iter().find(|one| one.job == job)?;
        let mut one = StatedTime {
            field,
            job,
            stated: time.value.get(),
            modelled: modelled.time,
            limit: modelled.limit.clone(),
            contradicts: false,
        };
        if one.stated < one.modelled.value {
            let alone = blended(vec![timed(&one)], false)?;
            one.contradicts = alone.verdict == Verdict::Contradicts;
        }
        Some(one)
    });
    let all: Vec<StatedTime> = all.collect();
    let taken: Vec<Maintenance> = all.iter().filter(|one| !one.contradicts).map(timed).collect();
    let known = if taken.is_empty() { published } else { blended(taken, true)?.after };
    (!all.is_empty()).then_some(StatedTimes { all, known })
}

/// What is known of the model's numbers beside what they stand at.
pub(super) fn known(observed: Option<&StatedTimes>, calibration: &Calibration) -> Posterior {
    observed.map_or_else(|| calibration.posterior.standing(), |observed| observed.known.clone())
}

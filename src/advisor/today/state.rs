//! What a system does: the load that it carries, what it misses, the times of the work that people wait for.

use crate::advisor::headroom::{self, Bottleneck};
use crate::advisor::load_limit::LoadLimit;
use crate::advisor::recovery;
use crate::advisor::stated_times::StatedTimes;
use crate::advisor::targets::{Want, first_missed, tightest};
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Database};
use crate::site::Site;
use crate::system::{Lens, PredictError, Prediction, ResourceKind, predict_through};
use crate::units::Seconds;
use crate::workload::Work;

use super::System;
use super::action::Made;
use super::goal::Goal;

/// A time that is not shorter or longer by this ratio is the same.
pub(super) const SHORTER: f64 = 1.1;
/// A time that is longer is told where it is at least so large a part of what is wanted (assumed).
const NOTICED: f64 = 0.25;

/// What a system does.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Largest multiple of today's peak load at which targets hold, nothing saturates and memory suffices.
    pub factor: f64,
    /// What limits it then.
    pub limit: LoadLimit,
    /// When growth gets there; none beyond a century or without growth.
    pub reached_in: Option<Seconds>,
    /// What ends it; none where nothing is solved at that multiple.
    pub bottleneck: Option<Bottleneck>,
    /// Targets that today's peak misses, in words; of a peak that saturates why it does.
    pub missed: Vec<String>,
    /// All that it misses of what the site wants: the same, and what is stated of failures, the night, room.
    pub goals: Vec<Goal>,
    /// Why today's peak cannot be kept up with; `None` where it can.
    pub overload: Option<PredictError>,
    /// 95th percentiles at today's peak \[s\], of the kinds of work that a person waits for; empty where it saturates.
    pub times: Vec<Time>,
}

/// The time of one kind of work at today's peak.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// Which it is.
    pub work: Work,
    /// As printed.
    pub name: String,
    /// 95th percentile \[s\].
    pub p95: f64,
    /// Where the time of one of them goes, on average \[s\].
    pub parts: Vec<(ResourceKind, f64)>,
    /// What the site wants of it.
    pub target: Option<Want>,
}

impl Time {
    pub(super) fn is_met(&self) -> bool {
        self.target.as_ref().is_none_or(Want::is_met)
    }
}

/// A kind of work that takes longer after a change, such as a submit whose drives are taken by reads that no longer wait for locks.
#[derive(Debug, Clone, PartialEq)]
pub struct Slower {
    /// Which it is, as printed.
    pub name: String,
    /// Multiple of today's peak load at which both are.
    pub factor: f64,
    /// 95th percentile before and after \[s\].
    pub p95: [f64; 2],
    /// Where most of the longer time goes.
    pub kind: ResourceKind,
}

impl Time {
    /// What is slower after a change, at a multiple of today's peak load, where it is by [`SHORTER`].
    fn slower(&self, after: &Self, factor: f64) -> Option<Slower> {
        let of = |time: &Self, kind| {
            let mut parts = time.parts.iter();
            parts.find(|(of, _)| *of == kind).map_or(0.0, |(_, s)| *s)
        };
        let longer = after.parts.iter();
        let longer = longer.map(|(kind, s)| (*kind, s - of(self, *kind)));
        let (kind, _) = longer.max_by(|a, b| a.1.total_cmp(&b.1))?;
        // Far below what is wanted of it nobody notices.
        let limit = after.target.as_ref().map_or(0.0, |want| want.limit);
        (after.p95 >= (SHORTER * self.p95).max(NOTICED * limit)).then(|| Slower {
            name: after.name.clone(),
            factor,
            p95: [self.p95, after.p95],
            kind,
        })
    }
}

/// What takes longer at a multiple of today's peak load, those first that take most times as long.
pub(super) fn slower(before: &[Time], after: &[Time], factor: f64) -> Vec<Slower> {
    let slower = after.iter().filter_map(|after| {
        let mut all = before.iter();
        let before = all.find(|time| time.work == after.work)?;
        before.slower(after, factor)
    });
    let mut slower: Vec<Slower> = slower.collect();
    let times = |slower: &Slower| slower.p95[1] / slower.p95[0];
    slower.sort_by(|a, b| times(b).total_cmp(&times(a)));
    slower
}

impl State {
    /// How many targets of response times today's peak meets; none where it saturates.
    pub fn met(&self) -> Option<usize> {
        let wanted = self.times.iter().filter(|time| time.target.is_some());
        let met = wanted.filter(|time| time.is_met()).count();
        self.overload.is_none().then_some(met)
    }

    pub(super) fn is_enough(&self, horizon: f64) -> bool {
        self.goals.is_empty() && self.factor >= horizon
    }
}

/// What is wanted of a system, the same before and after a change.
pub(super) struct Judge<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    /// The system that is there.
    pub(super) system: &'a System,
    /// What stated times of its maintenance say of the model.
    pub(super) observed: Option<StatedTimes>,
    /// Whether it is looked at what a system misses beside the work: not where today's misses nothing of it.
    pub(super) looks_beside: bool,
}

impl Judge<'_> {
    /// The database that a change may have to build anew.
    pub(super) fn database(&self, now: &Made) -> Database {
        let known = (self.site, self.catalog, self.calibration);
        let on_it = (&now.deployment, &now.load);
        Database {
            size: self.site.data.db_size.value,
            release: self.site.server.release.value,
            anew: recovery::built_anew(known, on_it, self.observed.as_ref()),
        }
    }

    pub(super) fn predict(&self, made: &Made, factor: f64) -> Result<Prediction, PredictError> {
        let load = made.load.scaled(factor);
        let lens = Lens::forgetful();
        predict_through(lens, &made.deployment, &load, self.catalog, self.calibration)
    }

    /// What a system does; it is supposed to carry `from` times today's load.
    pub(super) fn state(&self, made: &Made, from: f64) -> State {
        let Made { deployment, load, .. } = made;
        let (catalog, calibration) = (self.catalog, self.calibration);
        let peak = self.predict(made, 1.0);
        let (factor, limit) = headroom::carried(self.site, catalog, calibration, deployment, load, from);
        let carried = self.predict(made, factor).ok();
        let mut goals = self.of_work(made, &peak, factor);
        let missed = goals.iter().map(|goal| goal.words.clone()).collect();
        let shown = peak.as_ref().ok().or(carried.as_ref());
        let beside = shown.filter(|_| self.looks_beside).map(|shown| self.beside(made, shown));
        goals.extend(beside.into_iter().flatten());
        State {
            factor,
            reached_in: headroom::reached_in(factor, self.site.data.db_growth.value),
            bottleneck: self.bottleneck(peak.as_ref().ok(), carried.as_ref(), &limit),
            limit,
            missed,
            goals,
            times: peak.as_ref().map_or(Vec::new(), |p| self.times(p)),
            overload: peak.err(),
        }
    }

    /// What ends a load: the latency of what misses its target at the peak, as it is then.
    fn bottleneck(
        &self,
        peak: Option<&Prediction>,
        carried: Option<&Prediction>,
        limit: &LoadLimit,
    ) -> Option<Bottleneck> {
        let of = |prediction| Bottleneck::of(self.site, prediction, limit);
        let missed = peak.filter(|peak| first_missed(self.site, peak).is_some());
        let is_latency = |found: &Bottleneck| matches!(found, Bottleneck::Latency { .. });
        let now = missed.map(of).filter(is_latency);
        now.or_else(|| carried.map(of))
    }

    pub(super) fn times(&self, prediction: &Prediction) -> Vec<Time> {
        let classes = prediction.classes.iter();
        let judged = classes.filter(|class| class.work.target().is_some());
        let time = judged.map(|class| Time {
            work: class.work.clone(),
            name: class.name.clone(),
            p95: class.p95.value,
            parts: class.parts.clone(),
            target: tightest(self.site, class),
        });
        time.collect()
    }
}

//! A job of maintenance that somebody timed: a checkpoint, its replay.
//!
//! Knows the site, the deployment and the job; must not know who timed it.

use std::collections::BTreeMap;

use super::comparison::Term;
use super::measure::is_measurable;
use super::rows::{Claim, Form, Row};
use crate::calibration::{Calibration, DatumKind, Dimension};
use crate::catalog::Catalog;
use crate::posterior::{Free, NumberId, Posterior};
use crate::site::Site;
use crate::system::{Deployment, Job, JobOf, Numbers};
use crate::workload::Load;

/// Name of its only reading.
const TIME: &str = "time";
/// Numbers whose errors change its time by less are left as they stand.
const CHANGE_LEAST: f64 = 0.01;

/// A job that was timed.
#[derive(Debug, Clone)]
pub struct Maintenance {
    /// Its id, and that of its datum.
    pub id: String,
    /// The database that it is about.
    pub site: Site,
    /// What it ran on.
    pub deployment: Deployment,
    /// What had memory beside it.
    pub load: Load,
    /// Which job.
    pub job: Job,
    /// How long it took \[s\].
    pub measured: f64,
    /// How far repetitions lie from each other: one-sigma relative error.
    pub spread: f64,
    /// What the description leaves open: one-sigma relative error besides.
    pub sigma: f64,
}

impl Maintenance {
    fn of(&self) -> JobOf<'_> {
        JobOf { site: &self.site, deployment: &self.deployment, load: &self.load, job: self.job }
    }

    /// How long it takes with every number times its factor \[s\]; none where it is not done there.
    pub fn time(&self, library: (&Catalog, &Calibration), factors: &BTreeMap<NumberId, f64>) -> Option<f64> {
        self.of().time(library, factors).map(|(time, _)| time)
    }

    /// The numbers that it may rest on.
    pub(crate) fn used(&self, library: (&Catalog, &Calibration)) -> Numbers {
        let found = self.of().time(library, &BTreeMap::new());
        found.map_or_else(Numbers::new, |(_, used)| used)
    }

    /// Its reading, as a run gives them.
    pub(crate) fn readings(
        &self,
        library: (&Catalog, &Calibration),
        factors: &BTreeMap<NumberId, f64>,
    ) -> super::Readings {
        let time = self.time(library, factors);
        time.map(|time| (TIME.to_owned(), time)).into_iter().collect()
    }

    /// The numbers that no parameter of `posterior` scales and whose errors change its time, free with these errors as their
    /// priors.
    pub fn free(&self, library: (&Catalog, &Calibration), posterior: &Posterior) -> Vec<Free> {
        let is_free = |number: &NumberId| posterior.free.iter().any(|free| free.scales.contains(number));
        let Some(time) = self.time(library, &BTreeMap::new()) else {
            return Vec::new();
        };
        let changes = |number: &NumberId, shift: f64| {
            let factors = BTreeMap::from([(number.clone(), shift.exp())]);
            let shifted = self.time(library, &factors);
            shifted.is_none_or(|shifted| (shifted / time).ln().abs() >= CHANGE_LEAST)
        };
        let used = self.used(library).into_iter();
        used.filter(|(number, used)| used.is_uncertain() && !is_free(number))
            .filter(|(number, used)| changes(number, used.spread) || changes(number, -used.spread))
            .map(|(number, used)| Free::own_error(number, used.spread))
            .collect()
    }

    /// The claim that it makes; none where nobody can have measured that.
    pub(super) fn row(&self) -> Option<Row> {
        is_measurable(self.measured).then(|| Row {
            id: self.id.clone(),
            datum: self.id.clone(),
            kind: DatumKind::Value,
            topic: None,
            claim: Claim::Exactly(self.measured),
            dimension: Dimension::Time,
            spread: self.spread,
            sigma: Some(self.sigma),
            restates: Vec::new(),
            no_mechanism: None,
            form: Form::Reading(Term { run: self.id.clone(), measure: TIME.to_owned() }),
        })
    }
}

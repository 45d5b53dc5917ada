//! Predictions of all rows and their derivatives, at any shift of the free parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use nalgebra::DMatrix;

use crate::calibration::{Calibration, DatumKind};
use crate::catalog::Catalog;
use crate::experiment::{Claim, Experiments, Formula, Maintenance, Readings, Row, Run, RunError};
use crate::parallel;
use crate::posterior::{Factors, Free, NumberId, Posterior};
use crate::system::unmeasured::{Errors, Unmeasured, shares_of_run};
use crate::system::{Anchor, Deployment, Numbers, Prediction};

/// Step of the central differences, on the logarithmic scale: well above the 10⁻⁴ to which the lock
/// iteration settles.
const STEP: f64 = 0.02;
/// σ of a value or ratio that states none for its set-up, beside the figure's own.
const SIGMA: f64 = 0.03;
/// The same of an ordering.
const SIGMA_ORDER: f64 = 0.05;
/// Factor by which a fit wants a bound held.
const MARGIN: f64 = 1.02;
/// A prediction below this share of the published figure counts as this share: a saving cannot be negative.
const LEAST: f64 = 1e-3;

/// Which slope of a figure by a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slopes {
    /// At the place itself.
    There,
    /// Over a sigma of the prior on either side together.
    Both,
    /// Over a sigma of the prior, on the side on which the figure changes more.
    Larger,
}

/// Everything that a fit predicts again and again.
pub struct Problem<'a> {
    catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    /// The claims.
    pub rows: &'a [Row],
    /// What may move, at its prior.
    pub prior: Posterior,
    /// Factors of numbers that do not move.
    held: Factors,
    runs: Vec<Prepared<'a>>,
    formulas: &'a [Formula],
    maintenance: Vec<Timed<'a>>,
    /// Shares of each row's time by kind of resource; of a quotient the difference of its runs.
    pub(super) shares: Vec<Errors>,
    unfitted_variance: OnceLock<Vec<f64>>,
    /// The slopes that say how sure the maximum is.
    pub(super) curvature: Slopes,
    /// From where predictions are looked for; from the beginning where there is none.
    anchors: Vec<Option<Anchor>>,
}

/// A number that no free parameter scales.
struct Unfitted {
    number: NumberId,
    /// One-sigma error of its logarithm.
    spread: f64,
    /// By row, what the logarithm grows by.
    changes: Vec<f64>,
}

/// A job that was timed.
struct Timed<'a> {
    job: &'a Maintenance,
    /// The free parameters that scale a number which it may read.
    uses: Vec<usize>,
}

/// A run on its deployment.
struct Prepared<'a> {
    run: &'a Run,
    deployment: Deployment,
    /// The free parameters that scale a number which it reads.
    uses: Vec<usize>,
    /// What is predicted where nothing moved: which numbers are read, and where the time goes.
    prediction: Prediction,
}

impl<'a> Problem<'a> {
    /// Binds every run and sees which free parameters it depends on.
    pub fn new(
        catalog: &'a Catalog,
        calibration: &'a Calibration,
        experiments: &'a Experiments,
    ) -> Result<Self, RunError> {
        let prior = Posterior::of_prior(calibration.posterior.free.clone());
        let held = Factors::default();
        // Priors are orders of magnitude, and the data leave a small part of them.
        Ok(Self { curvature: Slopes::There, ..Self::from_prior(catalog, calibration, experiments, prior, held)? })
    }

    /// The same where more is known beforehand: `prior` has a mean and a covariance, and the numbers of
    /// `held` stay at their factors.
    pub fn from_prior(
        catalog: &'a Catalog,
        calibration: &'a Calibration,
        experiments: &'a Experiments,
        prior: Posterior,
        held: Factors,
    ) -> Result<Self, RunError> {
        let factors = prior.times_at(&prior.shift, &held);
        let uses = |used: &Numbers| {
            let free = prior.free.iter().enumerate();
            free.filter(|(_, f)| f.scales.iter().any(|n| used.contains_key(n))).map(|(i, _)| i).collect()
        };
        let maintenance =
            experiments.maintenance.iter().map(|job| Timed { job, uses: uses(&job.used((catalog, calibration))) });
        let mut runs = Vec::new();
        for run in experiments.runs.values() {
            let deployment = run.deployment(catalog)?;
            let (_, prediction) = run.predict_on(&deployment, catalog, calibration, &factors)?;
            runs.push(Prepared { run, deployment, uses: uses(&prediction.used), prediction });
        }
        let shares = runs.iter().map(|run| (run.run.id.as_str(), shares_of_run(&run.prediction)));
        let shares = by_row(&experiments.rows, &shares.collect());
        Ok(Self {
            shares,
            catalog,
            calibration,
            rows: &experiments.rows,
            runs,
            formulas: &experiments.formulas,
            maintenance: maintenance.collect(),
            prior,
            held,
            unfitted_variance: OnceLock::new(),
            curvature: Slopes::Both,
            anchors: Vec::new(),
        })
    }

    /// Looks for all predictions from here on from where the runs come to rest at a shift: what differs from that by little is
    /// found in two rounds.
    pub fn anchor(&mut self, shift: &[f64]) {
        self.anchors = self.at_rest(&self.factors(shift)).1;
    }

    /// The readings with these factors, and where each run comes to rest.
    fn at_rest(&self, factors: &BTreeMap<NumberId, f64>) -> (BTreeMap<&str, Readings>, Vec<Option<Anchor>>) {
        let (catalog, calibration) = (self.catalog, self.calibration);
        let solved = parallel::map(&self.runs, |run| {
            let on = &run.deployment;
            run.run.anchored(on, catalog, calibration, factors).ok()
        });
        let mut readings: BTreeMap<&str, Readings> = self.direct_readings(factors, |_| true).collect();
        let anchors = self.runs.iter().zip(solved).map(|(run, solved)| {
            let (read, anchor) = solved?;
            readings.insert(&run.run.id, read);
            Some(anchor)
        });
        let anchors = anchors.collect();
        (readings, anchors)
    }

    /// Uncertain numbers that runs read and no free parameter scales, with their errors.
    fn unfitted(&self) -> BTreeMap<&NumberId, f64> {
        let is_free = |number| self.prior.free.iter().any(|f| f.scales.contains(number));
        let used = self.runs.iter().flat_map(|run| &run.prediction.used);
        let unfitted = used.filter(|(number, used)| used.is_uncertain() && !is_free(number));
        unfitted.map(|(number, used)| (number, used.spread)).collect()
    }

    /// The readings where those of the runs that `is_other` picks are read with other factors.
    fn reread<'s>(
        &'s self,
        at: &BTreeMap<&'s str, Readings>,
        factors: &BTreeMap<NumberId, f64>,
        anchors: &[Option<Anchor>],
        is_other: impl Fn(&Prepared<'_>) -> bool,
    ) -> BTreeMap<&'s str, Readings> {
        let mut readings = at.clone();
        for (place, run) in self.runs.iter().enumerate() {
            if is_other(run) {
                match self.read(place, factors, anchors) {
                    Some(new) => readings.insert(&run.run.id, new),
                    None => readings.remove(run.run.id.as_str()),
                };
            }
        }
        readings
    }

    /// By how much the logarithm of each row grows where one of them is larger by its error; NaN where there is no
    /// prediction any more.
    fn unfitted_changes(&self, shift: &[f64]) -> Vec<Unfitted> {
        let factors = self.factors(shift);
        let (at, anchors) = self.at_rest(&factors);
        let before = self.of_rows(&at);
        let changes = |(number, spread): &(&NumberId, f64)| {
            let mut factors = factors.clone();
            *factors.entry((*number).clone()).or_insert(1.0) *= spread.exp();
            let reads = |run: &Prepared<'_>| run.prediction.used.contains_key(number);
            let after = self.of_rows(&self.reread(&at, &factors, &anchors, reads));
            let pairs = before.iter().zip(after);
            pairs.map(|(before, after)| (after / before).ln()).collect()
        };
        let all: Vec<(&NumberId, f64)> = self.unfitted().into_iter().collect();
        let changed = parallel::map(&all, changes);
        let all = all.into_iter().zip(changed);
        all.map(|((number, spread), changes)| Unfitted { number: number.clone(), spread, changes }).collect()
    }

    /// Numbers that no free parameter scales and whose errors change a prediction by a share of at least `least`, as free
    /// parameters with these errors as their priors.
    pub(super) fn further_free(&self, least: f64) -> Vec<Free> {
        let shift = &self.prior.shift;
        let all = self.unfitted_changes(shift);
        let matters = |unfitted: &Unfitted| {
            let mut changes = unfitted.changes.iter();
            changes.any(|change| change.is_nan() || change.abs() >= least)
        };
        all.into_iter().filter(matters).map(|unfitted| Free::own_error(unfitted.number, unfitted.spread)).collect()
    }

    /// Variance of the logarithm of each row that comes from numbers which no free parameter scales: that at the first
    /// `shift` that is asked for, since it hardly depends on it.
    pub(super) fn unfitted_variance(&self, shift: &[f64]) -> &[f64] {
        self.unfitted_variance.get_or_init(|| {
            let mut variance = vec![0.0; self.rows.len()];
            for unfitted in self.unfitted_changes(shift) {
                for (variance, change) in variance.iter_mut().zip(&unfitted.changes) {
                    if change.is_finite() {
                        *variance += change.powi(2);
                    }
                }
            }
            variance
        })
    }

    /// What each row errs by at kinds of resource that no datum behind `posterior` measured: a quotient by the difference
    /// of its runs.
    pub(super) fn unmeasured(&self, posterior: &Posterior) -> Vec<Errors> {
        let runs = self.runs.iter().map(|run| {
            let used = &run.prediction.used;
            let known = (self.calibration, posterior);
            let unmeasured = Unmeasured::of(&run.deployment, used, known);
            (run.run.id.as_str(), unmeasured.of_run(&run.prediction))
        });
        by_row(self.rows, &runs.collect())
    }

    /// Free parameters that no run reads: a fit leaves them at their prior.
    pub fn idle(&self) -> Vec<&str> {
        let numbers = self.formulas.iter().flat_map(Formula::numbers);
        let named: BTreeSet<&NumberId> = numbers.map(|n| &n.id).collect();
        let free = self.prior.free.iter().enumerate();
        let timed = self.maintenance.iter().map(|timed| &timed.uses);
        let uses: Vec<_> = self.runs.iter().map(|run| &run.uses).chain(timed).collect();
        free.filter(|(i, _)| !uses.iter().any(|uses| uses.contains(i)))
            .filter(|(_, free)| !free.scales.iter().any(|n| named.contains(n)))
            .map(|(_, free)| free.id.as_str())
            .collect()
    }

    /// What the formulas give, and the jobs that `is_read` picks, under their ids.
    fn direct_readings(
        &self,
        factors: &BTreeMap<NumberId, f64>,
        is_read: impl Fn(&Timed<'_>) -> bool,
    ) -> impl Iterator<Item = (&str, Readings)> {
        let formulas = self.formulas.iter();
        let formulas = formulas.map(|formula| (formula.id.as_str(), formula.readings(factors)));
        let library = (self.catalog, self.calibration);
        let timed = self.maintenance.iter().filter(move |timed| is_read(timed));
        formulas.chain(timed.map(move |Timed { job, .. }| (job.id.as_str(), job.readings(library, factors))))
    }

    /// The readings of the run at a place, looked for from its anchor.
    fn read(&self, place: usize, factors: &BTreeMap<NumberId, f64>, anchors: &[Option<Anchor>]) -> Option<Readings> {
        let Prepared { run, deployment, .. } = &self.runs[place];
        let (catalog, calibration) = (self.catalog, self.calibration);
        let readings = match anchors.get(place) {
            Some(Some(anchor)) => run.near(anchor, deployment, (catalog, calibration), factors),
            _ => run.predict_on(deployment, catalog, calibration, factors).map(|(readings, _)| readings),
        };
        readings.ok()
    }

    fn factors(&self, shift: &[f64]) -> BTreeMap<NumberId, f64> {
        self.prior.times_at(shift, &self.held)
    }

    fn readings(&self, shift: &[f64]) -> BTreeMap<&str, Readings> {
        let factors = self.factors(shift);
        let direct = self.direct_readings(&factors, |_| true).collect();
        self.reread(&direct, &factors, &self.anchors, |_| true)
    }

    fn of_rows(&self, readings: &BTreeMap<&str, Readings>) -> Vec<f64> {
        let rows = self.rows.iter();
        rows.map(|row| predicted(row, readings)).collect()
    }

    /// The prediction of each row; NaN where a run has none.
    pub fn predict(&self, shift: &[f64]) -> Vec<f64> {
        self.of_rows(&self.readings(shift))
    }

    /// Derivatives of the logarithms of the predictions: a row each, a column a free parameter.
    pub fn derivatives(&self, shift: &[f64]) -> DMatrix<f64> {
        self.slopes(shift, Slopes::There)
    }

    /// Slopes of the logarithms of the predictions: a row each, a column a free parameter; over the other side where one has no
    /// prediction, and 0 where none has.
    pub fn slopes(&self, shift: &[f64], which: Slopes) -> DMatrix<f64> {
        let (at, anchors) = self.at_rest(&self.factors(shift));
        let there = self.of_rows(&at);
        let mut slopes = DMatrix::zeros(self.rows.len(), shift.len());
        let free: Vec<usize> = (0..shift.len()).collect();
        let step_of = |i: usize| match which {
            Slopes::There => STEP,
            Slopes::Both | Slopes::Larger => self.prior.covariance[i][i].max(0.0).sqrt().max(STEP),
        };
        let moved = parallel::map(&free, |&i| {
            let moved = |step: f64| {
                let mut shift = shift.to_vec();
                shift[i] += step;
                let factors = self.factors(&shift);
                let mut at = at.clone();
                at.extend(self.direct_readings(&factors, |timed| timed.uses.contains(&i)));
                let uses = |run: &Prepared<'_>| run.uses.contains(&i);
                self.of_rows(&self.reread(&at, &factors, &anchors, uses))
            };
            [moved(step_of(i)), moved(-step_of(i))]
        });
        for (i, [up, down]) in moved.into_iter().enumerate() {
            for (k, (up, down)) in up.into_iter().zip(down).enumerate() {
                let (up, down) = ((up / there[k]).ln(), (there[k] / down).ln());
                let change = match (up.is_finite(), down.is_finite()) {
                    (true, true) if which == Slopes::Larger && up.abs() > down.abs() => up,
                    (true, true) if which == Slopes::Larger => down,
                    (true, true) => f64::midpoint(up, down),
                    (true, false) => up,
                    (false, true) => down,
                    (false, false) => 0.0,
                };
                slopes[(k, i)] = change / step_of(i);
            }
        }
        slopes
    }

    /// Logarithmic residual of a row. A bound must be held with a margin, since a sum of squares ends a
    /// little outside of what pulls it.
    pub fn residual(row: &Row, predicted: f64) -> f64 {
        match row.claim {
            Claim::Exactly(_) => row.claim.residual(predicted),
            Claim::Between(low, high) => {
                let narrow = MARGIN.min((high / low).sqrt());
                Claim::Between(low * narrow, high / narrow).residual(predicted)
            }
        }
    }

    /// Whether a row says anything where it is predicted so: a bound or an order that holds does not, a value
    /// does even if it is hit.
    pub fn says(row: &Row, predicted: f64) -> bool {
        matches!(row.claim, Claim::Exactly(_)) || Self::residual(row, predicted) != 0.0
    }

    /// One-sigma error of a row before the fit: the figure's and the set-up's.
    pub fn sigma(row: &Row) -> f64 {
        let usual = if row.kind == DatumKind::Ordering { SIGMA_ORDER } else { SIGMA };
        row.spread.hypot(row.sigma.unwrap_or(usual))
    }
}

/// What rows have of each kind of resource, by what their runs have: a quotient the difference.
fn by_row(rows: &[Row], runs: &BTreeMap<&str, Errors>) -> Vec<Errors> {
    let of_run = |id: &str| runs.get(id).cloned().unwrap_or_default();
    let rows = rows.iter();
    rows.map(|row| {
        let (over, under) = row.runs();
        let mut errors = of_run(over);
        for (kind, error) in under.map(of_run).unwrap_or_default() {
            *errors.entry(kind).or_default() -= error;
        }
        errors
    })
    .collect()
}

fn predicted(row: &Row, readings: &BTreeMap<&str, Readings>) -> f64 {
    let value = row.predicted(readings).unwrap_or(f64::NAN);
    match row.claim {
        Claim::Exactly(published) if row.kind == DatumKind::Ratio => value.max(published * LEAST),
        _ => value,
    }
}

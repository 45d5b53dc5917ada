//! Predictions of all rows and their derivatives, at any shift of the free parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use nalgebra::DMatrix;

use crate::calibration::{Calibration, DatumKind};
use crate::catalog::Catalog;
use crate::experiment::{Claim, Experiments, Formula, Readings, Row, Run, RunError};
use crate::parallel;
use crate::posterior::{Factors, Free, NumberId, Posterior};
use crate::system::unmeasured::{Errors, Unmeasured};
use crate::system::{Deployment, Prediction};

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

/// Everything that a fit predicts again and again.
pub struct Problem<'a> {
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    /// The claims.
    pub rows: &'a [Row],
    /// What may move, at its prior.
    pub prior: Posterior,
    /// Factors of numbers that do not move.
    held: Factors,
    runs: Vec<Prepared<'a>>,
    formulas: &'a [Formula],
    unfitted_variance: OnceLock<Vec<f64>>,
}

/// A number that no free parameter scales.
struct Unfitted {
    number: NumberId,
    /// One-sigma error of its logarithm.
    spread: f64,
    /// By row, what the logarithm grows by.
    changes: Vec<f64>,
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
        Self::from_prior(catalog, calibration, experiments, prior, Factors::default())
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
        let factors = prior.factors().times(&held).plain();
        let mut runs = Vec::new();
        for run in experiments.runs.values() {
            let deployment = run.deployment(catalog)?;
            let (_, prediction) = run.predict_on(&deployment, catalog, calibration, &factors)?;
            let free = prior.free.iter().enumerate();
            let uses = free
                .filter(|(_, f)| f.scales.iter().any(|n| prediction.used.contains_key(n)))
                .map(|(i, _)| i)
                .collect();
            runs.push(Prepared {
                run,
                deployment,
                uses,
                prediction,
            });
        }
        Ok(Self {
            catalog,
            calibration,
            rows: &experiments.rows,
            prior,
            held,
            runs,
            formulas: &experiments.formulas,
            unfitted_variance: OnceLock::new(),
        })
    }

    /// Uncertain numbers that runs read and no free parameter scales, with their errors.
    fn unfitted(&self) -> BTreeMap<&NumberId, f64> {
        let is_free = |number| self.prior.free.iter().any(|f| f.scales.contains(number));
        let used = self.runs.iter().flat_map(|run| &run.prediction.used);
        let unfitted = used.filter(|(number, used)| used.is_uncertain() && !is_free(number));
        unfitted
            .map(|(number, used)| (number, used.spread))
            .collect()
    }

    /// By how much the logarithm of each row grows where one of them is larger by its error; NaN where there is no
    /// prediction any more.
    fn unfitted_changes(&self, shift: &[f64], at: &BTreeMap<&str, Readings>) -> Vec<Unfitted> {
        let factors = self.factors(shift);
        let before = self.of_rows(at);
        let changes = |number: &NumberId, spread: f64| {
            let mut factors = factors.clone();
            *factors.entry(number.clone()).or_insert(1.0) *= spread.exp();
            let mut readings = at.clone();
            for run in &self.runs {
                if run.prediction.used.contains_key(number) {
                    match self.read(run, &factors) {
                        Some(new) => readings.insert(&run.run.id, new),
                        None => readings.remove(run.run.id.as_str()),
                    };
                }
            }
            let after = self.of_rows(&readings);
            let pairs = before.iter().zip(after);
            pairs.map(|(before, after)| (after / before).ln()).collect()
        };
        let all = self.unfitted().into_iter();
        all.map(|(number, spread)| Unfitted {
            number: number.clone(),
            spread,
            changes: changes(number, spread),
        })
        .collect()
    }

    /// Numbers that no free parameter scales and whose errors change a prediction by a share of at least `least`, as free
    /// parameters with these errors as their priors.
    pub(super) fn further_free(&self, least: f64) -> Vec<Free> {
        let shift = &self.prior.shift;
        let all = self.unfitted_changes(shift, &self.readings(shift));
        let matters = |unfitted: &Unfitted| {
            let mut changes = unfitted.changes.iter();
            changes.any(|change| change.is_nan() || change.abs() >= least)
        };
        all.into_iter()
            .filter(matters)
            .map(|unfitted| Free {
                id: unfitted.number.to_string(),
                title: unfitted.number.to_string(),
                scales: vec![unfitted.number],
                prior: unfitted.spread,
                why: "the error of the number".to_owned(),
                own: true,
            })
            .collect()
    }

    /// Variance of the logarithm of each row that comes from numbers which no free parameter scales: that at the first
    /// `shift` that is asked for, since it hardly depends on it.
    pub(super) fn unfitted_variance(&self, shift: &[f64]) -> &[f64] {
        self.unfitted_variance.get_or_init(|| {
            let mut variance = vec![0.0; self.rows.len()];
            for unfitted in self.unfitted_changes(shift, &self.readings(shift)) {
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
        let runs: BTreeMap<&str, Errors> = runs.collect();
        let of_run = |id: &str| runs.get(id).cloned().unwrap_or_default();
        let rows = self.rows.iter();
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

    /// Free parameters that no run reads: a fit leaves them at their prior.
    pub fn idle(&self) -> Vec<&str> {
        let numbers = self.formulas.iter().flat_map(Formula::numbers);
        let named: BTreeSet<&NumberId> = numbers.map(|n| &n.id).collect();
        let free = self.prior.free.iter().enumerate();
        free.filter(|(i, _)| !self.runs.iter().any(|run| run.uses.contains(i)))
            .filter(|(_, free)| !free.scales.iter().any(|n| named.contains(n)))
            .map(|(_, free)| free.id.as_str())
            .collect()
    }

    /// What the formulas give, under their ids.
    fn formula_readings(
        &self,
        factors: &BTreeMap<NumberId, f64>,
    ) -> impl Iterator<Item = (&str, Readings)> {
        let formulas = self.formulas.iter();
        formulas.map(|formula| (formula.id.as_str(), formula.readings(factors)))
    }

    fn read(&self, run: &Prepared<'_>, factors: &BTreeMap<NumberId, f64>) -> Option<Readings> {
        let outcome = run
            .run
            .predict_on(&run.deployment, self.catalog, self.calibration, factors);
        outcome.ok().map(|(readings, _)| readings)
    }

    fn factors(&self, shift: &[f64]) -> BTreeMap<NumberId, f64> {
        self.prior.factors_at(shift).times(&self.held).plain()
    }

    fn readings(&self, shift: &[f64]) -> BTreeMap<&str, Readings> {
        let factors = self.factors(shift);
        self.runs
            .iter()
            .filter_map(|run| Some((run.run.id.as_str(), self.read(run, &factors)?)))
            .chain(self.formula_readings(&factors))
            .collect()
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
        let at = self.readings(shift);
        let mut derivatives = DMatrix::zeros(self.rows.len(), shift.len());
        let free: Vec<usize> = (0..shift.len()).collect();
        let moved = parallel::map(&free, |&i| {
            let moved = |step: f64| {
                let mut shift = shift.to_vec();
                shift[i] += step;
                let factors = self.factors(&shift);
                let mut readings = at.clone();
                readings.extend(self.formula_readings(&factors));
                for run in self.runs.iter().filter(|run| run.uses.contains(&i)) {
                    match self.read(run, &factors) {
                        Some(new) => readings.insert(&run.run.id, new),
                        None => readings.remove(run.run.id.as_str()),
                    };
                }
                self.of_rows(&readings)
            };
            [moved(STEP), moved(-STEP)]
        });
        for (i, [up, down]) in moved.into_iter().enumerate() {
            for (k, (up, down)) in up.into_iter().zip(down).enumerate() {
                let slope = (up / down).ln() / (2.0 * STEP);
                derivatives[(k, i)] = if slope.is_finite() { slope } else { 0.0 };
            }
        }
        derivatives
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
        let usual = if row.kind == DatumKind::Ordering {
            SIGMA_ORDER
        } else {
            SIGMA
        };
        row.spread.hypot(row.sigma.unwrap_or(usual))
    }
}

fn predicted(row: &Row, readings: &BTreeMap<&str, Readings>) -> f64 {
    let value = row.predicted(readings).unwrap_or(f64::NAN);
    match row.claim {
        Claim::Exactly(published) if row.kind == DatumKind::Ratio => value.max(published * LEAST),
        _ => value,
    }
}

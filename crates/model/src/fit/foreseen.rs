//! What a measurement is expected to show by what is known before it, and how far it lies from that.
//!
//! Method: the logarithms of what would be measured are normal around the predictions. Their covariance is that of all
//! parameters and numbers, of the measurement, and of what the model errs by at resources that nobody measured
//! ([`crate::system::unmeasured`]). Slopes are those over a whole sigma, in the direction in which the figure changes more:
//! where a limit changes over, the slope at a point says nothing of what an error does (Julier and Uhlmann 1997, "A new
//! extension of the Kalman filter to nonlinear systems"; [`crate::system::interval`]). The square of the data's distance
//! from the predictions, in units of that covariance, is χ² with a degree of freedom a datum (a prior predictive check, Box
//! 1980). [`refused`] says how often data that were drawn from what is known are refused, and data of a number that is wrong
//! (Talts and others 2018, "Validating Bayesian inference algorithms with simulation-based calibration").

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use super::blend::{BlendError, CHANCE, matrix};
use super::problem::{Problem, Slopes};
use super::solve::{FitError, whitening};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::{Claim, Experiments};
use crate::posterior::{Factors, Free, NumberId, Posterior};

/// Numbers whose errors change no figure by such a share are left as they stand.
const CHANGE_LEAST: f64 = 0.01;

/// A measurement before it is blended.
pub(super) struct Foreseen<'a> {
    pub(super) problem: Problem<'a>,
    /// Place of the first number that the measurement's file sets free: those before are what is published, and the numbers
    /// that no published parameter scales.
    pub(super) first_own: usize,
    /// Each row by what is known.
    pub(super) predicted: Vec<f64>,
    /// Over a whole sigma of each parameter.
    pub(super) slopes: DMatrix<f64>,
    /// Covariance of the logarithms of what would be measured.
    pub(super) expected: DMatrix<f64>,
}

/// The measurement's rows with the model's own error.
pub(super) fn with_discrepancy(measurement: &Experiments, discrepancy: f64) -> Experiments {
    let mut measurement = measurement.clone();
    for row in &mut measurement.rows {
        row.sigma = Some(row.sigma.unwrap_or(0.0).hypot(discrepancy));
    }
    measurement
}

impl<'a> Foreseen<'a> {
    /// Of rows that have the model's own error in theirs.
    pub(super) fn of(
        (catalog, calibration): (&'a Catalog, &'a Calibration),
        measurement: &'a Experiments,
        published: &Posterior,
        free: &[Free],
    ) -> Result<Self, BlendError> {
        let problem_of = |prior: Posterior| {
            let held = Factors::default();
            Problem::from_prior(catalog, calibration, measurement, prior, held)
        };
        // Numbers that no free parameter scales stand between what is published and what the file sets free.
        let unfitted = problem_of(beside(published, free))?.further_free(CHANGE_LEAST);
        let first_own = published.free.len() + unfitted.len();
        let problem = problem_of(beside(&beside(published, &unfitted), free))?;
        let before = &problem.prior;
        let predicted = problem.predict(&before.shift);
        let slopes = problem.slopes(&before.shift, Slopes::Larger);
        let expected = expected(&problem, &slopes);
        Ok(Self { problem, first_own, predicted, slopes, expected })
    }

    /// Whether a row says anything: an order that was held by what is known has nothing to add.
    pub(super) fn says(&self, row: usize) -> bool {
        Problem::says(&self.problem.rows[row], self.predicted[row])
    }

    /// Degrees of freedom, χ², and the chance of as much by accident, where the logarithms of the predictions lie so far above
    /// what was measured.
    pub(super) fn judged(&self, away: &[f64]) -> Result<(usize, f64, f64), FitError> {
        let rows: Vec<usize> = (0..away.len()).filter(|k| self.says(*k)).collect();
        let of_rows = DVector::from_iterator(rows.len(), rows.iter().map(|k| away[*k]));
        let covariance = DMatrix::from_fn(rows.len(), rows.len(), |k, l| self.expected[(rows[k], rows[l])]);
        let root = covariance.cholesky().ok_or(FitError::Singular)?;
        let chi_squared = of_rows.dot(&root.solve(&of_rows));
        let law = ChiSquared::new(rows.len().max(1) as f64);
        let p = law.map_or(1.0, |law| law.sf(chi_squared));
        Ok((rows.len(), chi_squared, p))
    }
}

/// The published posterior and further parameters that nothing ties to it.
fn beside(published: &Posterior, free: &[Free]) -> Posterior {
    let mut all = published.clone();
    let own = Posterior::of_prior(free.to_vec());
    let (n, m) = (all.free.len(), own.free.len());
    for row in &mut all.covariance {
        row.resize(n + m, 0.0);
    }
    for row in own.covariance {
        all.covariance.push([vec![0.0; n], row].concat());
    }
    for gain in &mut all.gains {
        gain.moves.resize(n + m, 0.0);
    }
    all.free.extend(own.free);
    all.shift.extend(own.shift);
    all.moved_by.extend(own.moved_by);
    all
}

/// Covariance of the logarithms of what would be measured, by what is known before.
fn expected(problem: &Problem<'_>, slopes: &DMatrix<f64>) -> DMatrix<f64> {
    let before = &problem.prior;
    let mut all = slopes * matrix(&before.covariance) * slopes.transpose();
    let unmeasured = problem.unmeasured(before);
    for k in 0..problem.rows.len() {
        all[(k, k)] += Problem::sigma(&problem.rows[k]).powi(2);
        for l in 0..problem.rows.len() {
            let both = unmeasured[k].iter();
            let both = both.filter_map(|(kind, error)| Some(error * unmeasured[l].get(kind)?));
            all[(k, l)] += both.sum::<f64>();
        }
    }
    all
}

/// In what share of cases a measurement is refused whose figures are drawn from what is known beforehand, where a number is
/// `wrong` by a factor; the runs of `measurement` say what is measured and how exactly.
///
/// `draws` hold a standard normal number for each parameter, each row and each kind of resource; those that are missing are 0.
pub fn refused(
    library: (&Catalog, &Calibration),
    measurement: &Experiments,
    published: &Posterior,
    free: &[Free],
    wrong: Option<(&NumberId, f64)>,
    draws: &[Vec<f64>],
) -> Result<f64, BlendError> {
    let measurement = with_discrepancy(measurement, published.discrepancy);
    let foreseen = Foreseen::of(library, &measurement, published, free)?;
    let problem = &foreseen.problem;
    let before = &problem.prior;
    let white = whitening(&before.covariance).ok_or(FitError::Singular)?;
    let unmeasured = problem.unmeasured(before);
    let mut refused = 0;
    for draw in draws {
        let mut normal = draw.iter().copied().chain(std::iter::repeat(0.0));
        let mut some = |n: usize| DVector::from_iterator(n, normal.by_ref().take(n));
        let away = white.solve_lower_triangular(&some(before.free.len())).ok_or(FitError::Singular)?;
        let mut shift = before.shift.clone();
        for (i, free) in before.free.iter().enumerate() {
            shift[i] += away[i];
            if let Some((number, factor)) = wrong
                && free.scales.contains(number)
            {
                shift[i] += factor.ln();
            }
        }
        let noise = some(problem.rows.len());
        let kinds: Vec<_> = unmeasured.iter().flat_map(|errors| errors.keys()).collect();
        let of_kinds = some(kinds.len());
        let drawn = problem.predict(&shift);
        let away = problem.rows.iter().enumerate().map(|(k, row)| {
            let errors = unmeasured[k].iter().map(|(kind, error)| {
                let place = kinds.iter().position(|one| *one == kind);
                place.map_or(0.0, |place| error * of_kinds[place])
            });
            let more = noise[k] * Problem::sigma(row) + errors.sum::<f64>();
            match row.claim {
                Claim::Exactly(_) => (foreseen.predicted[k] / drawn[k]).ln() - more,
                Claim::Between(..) => 0.0,
            }
        });
        let away: Vec<f64> = away.collect();
        // What overloads the deployment cannot be measured.
        if away.iter().all(|a| a.is_finite()) && foreseen.judged(&away)?.2 < CHANCE {
            refused += 1;
        }
    }
    Ok(f64::from(refused) / draws.len().max(1) as f64)
}

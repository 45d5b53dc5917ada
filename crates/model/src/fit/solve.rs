//! The maximum of the posterior density, and the curvature there.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};

use super::discrepancy::Discrepancy;
use super::problem::Problem;
use crate::posterior::Posterior;
use crate::units::significant;

/// Why there is no fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The method gave up: sums that are no numbers any more.
    #[error("the fit did not converge: the numbers of the data are too large or too small")]
    Stuck,
    /// What is compared with a figure by its ratio is no positive number.
    #[error("the model predicts {predicted} for {id}, and only positive numbers can be compared with a measurement")]
    NotPositive {
        /// The row.
        id: String,
        /// What it predicts, as shown.
        predicted: String,
    },
    /// A prediction is missing where the fit looked.
    #[error("no prediction for {0}")]
    Missing(String),
    /// The curvature is no covariance.
    #[error("the data and the priors do not determine the parameters")]
    Singular,
}

impl FitError {
    /// The row that it is about, if it is about one.
    pub fn row(&self) -> Option<&str> {
        match self {
            Self::NotPositive { id, .. } | Self::Missing(id) => Some(id),
            Self::Stuck | Self::Singular => None,
        }
    }
}

/// How closely a maximum is found: that of the fit, whose shifts are kept to five decimals, and those without some of its data,
/// whose predictions are kept to the tenth of a percent.
const CLOSELY: f64 = 1e-7;
const ROUGHLY: f64 = 1e-5;

/// Free parameters at the maximum, with what the rows look like there.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Shifts and covariance.
    pub posterior: Posterior,
    /// Prediction of each row.
    pub predicted: Vec<f64>,
    /// Derivatives of the logarithms of the predictions.
    pub derivatives: DMatrix<f64>,
    /// The same of the rows that have a residual, in units of errors that are independent ([`Discrepancy`]); 0 of the others.
    pub whitened: DMatrix<f64>,
    /// What the model was taken to err by itself.
    pub discrepancy: Discrepancy,
}

/// The least-squares problem over the rows that `takes_part` marks.
struct Squares<'a> {
    problem: &'a Problem<'a>,
    takes_part: &'a [bool],
    /// The prior's covariance Σ as Σ⁻¹ = `WᵀW`: W(s − mean) are residuals of variance 1.
    whitening: DMatrix<f64>,
    discrepancy: Discrepancy,
    /// The same of the rows' errors.
    of_rows: DMatrix<f64>,
    shift: Vec<f64>,
    predicted: Vec<f64>,
    /// Derivatives of the logarithms of the predictions, where they are followed from a place where they are known; worked out
    /// anew at each step where not.
    followed: Option<DMatrix<f64>>,
}

/// W of a covariance: the inverse of its Cholesky factor.
pub(super) fn whitening(covariance: &[Vec<f64>]) -> Option<DMatrix<f64>> {
    /// What the six decimals of `fitted.toml` resolve to, and how often tenfold as much is tried.
    const RESOLUTION: f64 = 1e-6;
    const TRIES: i32 = 4;
    let n = covariance.len();
    let with = |ridge: f64| DMatrix::from_fn(n, n, |i, j| covariance[i][j] + if i == j { ridge } else { 0.0 });
    // Rounding can cost a covariance of strongly tied parameters its definiteness.
    let ridges = (0..TRIES).map(|k| RESOLUTION * 10f64.powi(k));
    let root = std::iter::once(0.0).chain(ridges).find_map(|ridge| with(ridge).cholesky())?;
    root.l().solve_lower_triangular(&DMatrix::identity(n, n))
}

/// Residuals of the prior at a shift.
pub(super) fn of_prior(prior: &Posterior, whitening: &DMatrix<f64>, shift: &[f64]) -> DVector<f64> {
    let away = shift.iter().zip(&prior.shift).map(|(s, mean)| s - mean);
    whitening * DVector::from_iterator(shift.len(), away)
}

impl Squares<'_> {
    /// Residual of a row; 0 where it takes no part.
    fn residual(&self, k: usize) -> f64 {
        let row = &self.problem.rows[k];
        if self.takes_part[k] && row.is_fitted() { Problem::residual(row, self.predicted[k]) } else { 0.0 }
    }

    /// Whether every row can be compared with what was measured.
    fn check(&self) -> Result<(), FitError> {
        let rows = self.problem.rows.iter().zip(&self.predicted).enumerate();
        for (k, (row, predicted)) in rows {
            if self.residual(k).is_finite() {
                continue;
            }
            return Err(if predicted.is_nan() {
                FitError::Missing(row.id.clone())
            } else {
                FitError::NotPositive { id: row.id.clone(), predicted: significant(*predicted, 3) }
            });
        }
        Ok(())
    }

    /// Whether a row says how far the parameters may move.
    fn is_active(&self, k: usize) -> bool {
        let row = &self.problem.rows[k];
        self.takes_part[k] && row.is_fitted() && Problem::says(row, self.predicted[k])
    }
}

impl Squares<'_> {
    /// Derivatives in units of independent errors; bounds and orders that hold have none.
    fn whitened(&self, derivatives: &DMatrix<f64>) -> DMatrix<f64> {
        let mut active = derivatives.clone();
        for k in (0..active.nrows()).filter(|k| !self.is_active(*k)) {
            active.row_mut(k).fill(0.0);
        }
        &self.of_rows * active
    }

    fn derivatives(&self) -> DMatrix<f64> {
        let followed = self.followed.clone();
        followed.unwrap_or_else(|| self.problem.derivatives(&self.shift))
    }
}

/// Adds to derivatives what a step showed of them: the least change with which they explain it (Broyden 1965, "A class of methods
/// for solving nonlinear simultaneous equations", Mathematics of Computation 19).
fn follow(derivatives: &mut DMatrix<f64>, step: &DVector<f64>, before: &[f64], after: &[f64]) {
    /// Shorter steps say more of how far the iteration over locks settles than of slopes.
    const STEP_LEAST: f64 = 0.02;
    let length = step.norm();
    if length < STEP_LEAST {
        return;
    }
    let direction = step / length;
    let expected = &*derivatives * step;
    for (k, (before, after)) in before.iter().zip(after).enumerate() {
        let unexplained = ((after / before).ln() - expected[k]) / length;
        if unexplained.is_finite() {
            for (i, along) in direction.iter().enumerate() {
                derivatives[(k, i)] += unexplained * along;
            }
        }
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Squares<'_> {
    type ParameterStorage = Owned<f64, Dyn>;
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;

    fn set_params(&mut self, shift: &DVector<f64>) {
        let predicted = self.problem.predict(shift.as_slice());
        if let Some(derivatives) = &mut self.followed {
            let step = shift - DVector::from_column_slice(&self.shift);
            follow(derivatives, &step, &self.predicted, &predicted);
        }
        self.shift = shift.as_slice().to_vec();
        self.predicted = predicted;
    }

    fn params(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.shift)
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let rows = (0..self.predicted.len()).map(|k| self.residual(k));
        let rows = &self.of_rows * DVector::from_iterator(self.predicted.len(), rows);
        let priors = of_prior(&self.problem.prior, &self.whitening, &self.shift);
        let all: Vec<f64> = rows.iter().chain(priors.iter()).copied().collect();
        all.iter().all(|r| r.is_finite()).then(|| DVector::from_vec(all))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let derivatives = self.whitened(&self.derivatives());
        Some(stacked(&self.whitening, &derivatives))
    }
}

/// Derivatives of the residuals: the rows in units of their errors, below them the priors.
fn stacked(whitening: &DMatrix<f64>, derivatives: &DMatrix<f64>) -> DMatrix<f64> {
    let (rows, free) = derivatives.shape();
    let mut all = DMatrix::zeros(rows + free, free);
    all.rows_mut(0, rows).copy_from(derivatives);
    all.rows_mut(rows, free).copy_from(whitening);
    all
}

impl Fit {
    /// Fits all rows, and finds what the model itself errs by; the problem is left at rest there.
    pub fn of_data(problem: &mut Problem<'_>) -> Result<Self, FitError> {
        /// Each fit tells the errors more exactly, and these the fit.
        const ROUNDS: usize = 2;
        let all = vec![true; problem.rows.len()];
        let start = vec![0.0; problem.prior.free.len()];
        let mut fit = Self::from(ROUGHLY, problem, &all, &start, Discrepancy::default())?;
        for round in 1..=ROUNDS {
            problem.anchor(&fit.posterior.shift);
            let discrepancy = Discrepancy::estimated(problem, &fit, &all);
            let tolerance = if round < ROUNDS { ROUGHLY } else { CLOSELY };
            fit = Self::from(tolerance, problem, &all, &fit.posterior.shift, discrepancy)?;
        }
        problem.anchor(&fit.posterior.shift);
        Ok(fit)
    }

    /// Fits the rows that `takes_part` marks, from `start`.
    pub fn new(
        problem: &Problem<'_>,
        takes_part: &[bool],
        start: &[f64],
        discrepancy: Discrepancy,
    ) -> Result<Self, FitError> {
        Self::from(CLOSELY, problem, takes_part, start, discrepancy)
    }

    fn from(
        tolerance: f64,
        problem: &Problem<'_>,
        takes_part: &[bool],
        start: &[f64],
        discrepancy: Discrepancy,
    ) -> Result<Self, FitError> {
        let whitening = whitening(&problem.prior.covariance).ok_or(FitError::Singular)?;
        let of_rows = discrepancy.whitening(problem).ok_or(FitError::Singular)?;
        Self::of(
            tolerance,
            Squares {
                problem,
                takes_part,
                whitening,
                discrepancy,
                of_rows,
                shift: start.to_vec(),
                predicted: problem.predict(start),
                followed: None,
            },
        )
    }

    /// The same from the maximum of a fit to nearly the same rows, whose derivatives are followed from there and not worked out anew;
    /// what the model itself errs by is estimated from the rows that take part.
    pub fn near(problem: &Problem<'_>, takes_part: &[bool], fit: &Self) -> Result<Self, FitError> {
        /// So far from where they are known, derivatives are worked out once more, and the maximum is looked for from there.
        const FAR: f64 = 0.5;
        let whitening = whitening(&problem.prior.covariance).ok_or(FitError::Singular)?;
        let discrepancy = Discrepancy::estimated(problem, fit, takes_part);
        let of_rows = discrepancy.whitening(problem).ok_or(FitError::Singular)?;
        let from = |shift: &[f64], predicted: &[f64], derivatives: DMatrix<f64>| {
            let squares = Squares {
                problem,
                takes_part,
                whitening: whitening.clone(),
                discrepancy,
                of_rows: of_rows.clone(),
                shift: shift.to_vec(),
                predicted: predicted.to_vec(),
                followed: Some(derivatives),
            };
            Self::of(ROUGHLY, squares)
        };
        let begin = &fit.posterior.shift;
        let found = from(begin, &fit.predicted, fit.derivatives.clone())?;
        let shift = &found.posterior.shift;
        let moved = shift.iter().zip(begin).map(|(now, was)| (now - was).powi(2));
        if moved.sum::<f64>().sqrt() < FAR {
            return Ok(found);
        }
        from(shift, &found.predicted, problem.derivatives(shift))
    }

    /// The maximum, where the sum of squares and the parameters change by no more than a share of `tolerance` in a step.
    fn of(tolerance: f64, squares: Squares<'_>) -> Result<Self, FitError> {
        let problem = squares.problem;
        squares.check()?;
        let method = LevenbergMarquardt::new()
            .with_ftol(tolerance)
            .with_xtol(100.0 * tolerance)
            .with_gtol(10.0 * tolerance)
            .with_stepbound(1.0)
            .with_patience(12);
        let (squares, report) = method.minimize(squares);
        let stuck = matches!(
            report.termination,
            levenberg_marquardt::TerminationReason::User(_) | levenberg_marquardt::TerminationReason::Numerical(_)
        );
        if stuck {
            // It may have come to a place where a prediction is none.
            squares.check()?;
            return Err(FitError::Stuck);
        }
        let derivatives = squares.followed.clone().unwrap_or_else(|| problem.slopes(&squares.shift, problem.curvature));
        // Bounds and orderings that hold say nothing about the curvature.
        let whitened = squares.whitened(&derivatives);
        let stacked = stacked(&squares.whitening, &whitened);
        let curvature = stacked.transpose() * &stacked;
        let inverse = curvature.cholesky().ok_or(FitError::Singular)?.inverse();
        let free = problem.prior.free.len();
        let mut posterior = problem.prior.clone();
        posterior.covariance = (0..free).map(|i| (0..free).map(|j| inverse[(i, j)]).collect()).collect();
        posterior.shift.clone_from(&squares.shift);
        Ok(Self { posterior, discrepancy: squares.discrepancy, predicted: squares.predicted, derivatives, whitened })
    }

    /// Variance of the logarithm of row `k`'s prediction that comes from the parameters.
    pub fn variance(&self, k: usize) -> f64 {
        variance(&self.posterior.covariance, &self.derivatives, k)
    }
}

/// Variance of what has the derivatives of row `k`, by the covariance of the parameters.
pub(super) fn variance(covariance: &[Vec<f64>], derivatives: &DMatrix<f64>, k: usize) -> f64 {
    let slope = derivatives.row(k);
    let n = covariance.len();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    pairs.map(|(i, j)| slope[i] * covariance[i][j] * slope[j]).sum::<f64>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitened_errors_have_variance_one_and_no_correlation() {
        let covariance = vec![vec![0.04, 0.018], vec![0.018, 0.01]];
        let white = whitening(&covariance).expect("definite");
        let sigma = DMatrix::from_fn(2, 2, |i, j| covariance[i][j]);
        let product = &white * sigma * white.transpose();
        assert!((product - DMatrix::identity(2, 2)).norm() < 1e-9);
    }

    #[test]
    fn a_covariance_that_rounding_made_indefinite_is_mended() {
        let covariance = vec![vec![0.010_000, 0.010_001], vec![0.010_001, 0.010_000]];
        let white = whitening(&covariance).expect("mended");
        assert!(white.iter().all(|w| w.is_finite()));
        let hopeless = vec![vec![0.01, 0.5], vec![0.5, 0.01]];
        assert!(whitening(&hopeless).is_none());
    }
}

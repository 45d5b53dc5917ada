//! The maximum of the posterior density, and the curvature there.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};

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
    #[error(
        "the model predicts {predicted} for {id}, and only positive numbers can be compared with a measurement"
    )]
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

/// Free parameters at the maximum, with what the rows look like there.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Shifts and covariance.
    pub posterior: Posterior,
    /// Prediction of each row.
    pub predicted: Vec<f64>,
    /// Derivatives of the logarithms of the predictions.
    pub derivatives: DMatrix<f64>,
}

/// The least-squares problem over the rows that `takes_part` marks.
struct Squares<'a> {
    problem: &'a Problem<'a>,
    takes_part: &'a [bool],
    /// The prior's covariance Σ as Σ⁻¹ = `WᵀW`: W(s − mean) are residuals of variance 1.
    whitening: DMatrix<f64>,
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
    let with = |ridge: f64| {
        DMatrix::from_fn(n, n, |i, j| {
            covariance[i][j] + if i == j { ridge } else { 0.0 }
        })
    };
    // Rounding can cost a covariance of strongly tied parameters its definiteness.
    let ridges = (0..TRIES).map(|k| RESOLUTION * 10f64.powi(k));
    let root = std::iter::once(0.0)
        .chain(ridges)
        .find_map(|ridge| with(ridge).cholesky())?;
    root.l().solve_lower_triangular(&DMatrix::identity(n, n))
}

/// Residuals of the prior at a shift.
pub(super) fn of_prior(prior: &Posterior, whitening: &DMatrix<f64>, shift: &[f64]) -> DVector<f64> {
    let away = shift.iter().zip(&prior.shift).map(|(s, mean)| s - mean);
    whitening * DVector::from_iterator(shift.len(), away)
}

impl Squares<'_> {
    /// Residual of a row in units of its σ; 0 where it takes no part.
    fn residual(&self, k: usize) -> f64 {
        let row = &self.problem.rows[k];
        if self.takes_part[k] && row.is_fitted() {
            Problem::residual(row, self.predicted[k]) / Problem::sigma(row)
        } else {
            0.0
        }
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
                FitError::NotPositive {
                    id: row.id.clone(),
                    predicted: significant(*predicted, 3),
                }
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
        let priors = of_prior(&self.problem.prior, &self.whitening, &self.shift);
        let all: Vec<f64> = rows.chain(priors.iter().copied()).collect();
        all.iter()
            .all(|r| r.is_finite())
            .then(|| DVector::from_vec(all))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let derivatives = self.derivatives();
        // What is hit exactly pulls nowhere, and a bound that holds must not.
        let active = |k: usize| self.residual(k) != 0.0;
        Some(stacked(self.problem, &self.whitening, &derivatives, active))
    }
}

/// Derivatives of the residuals: the active rows over their σ, below them the priors.
fn stacked(
    problem: &Problem<'_>,
    whitening: &DMatrix<f64>,
    derivatives: &DMatrix<f64>,
    active: impl Fn(usize) -> bool,
) -> DMatrix<f64> {
    let (rows, free) = derivatives.shape();
    let mut all = DMatrix::zeros(rows + free, free);
    for k in (0..rows).filter(|k| active(*k)) {
        let sigma = Problem::sigma(&problem.rows[k]);
        for i in 0..free {
            all[(k, i)] = derivatives[(k, i)] / sigma;
        }
    }
    all.rows_mut(rows, free).copy_from(whitening);
    all
}

impl Fit {
    /// Fits the rows that `takes_part` marks, from `start`.
    pub fn new(
        problem: &Problem<'_>,
        takes_part: &[bool],
        start: &[f64],
    ) -> Result<Self, FitError> {
        let whitening = whitening(&problem.prior.covariance).ok_or(FitError::Singular)?;
        Self::of(Squares {
            problem,
            takes_part,
            whitening,
            shift: start.to_vec(),
            predicted: problem.predict(start),
            followed: None,
        })
    }

    /// The same from the maximum of a fit to nearly the same rows, whose derivatives are followed from there and not worked out anew.
    pub fn near(problem: &Problem<'_>, takes_part: &[bool], fit: &Self) -> Result<Self, FitError> {
        /// So far from where they are known, derivatives are worked out once more, and the maximum is looked for from there.
        const FAR: f64 = 0.5;
        let whitening = whitening(&problem.prior.covariance).ok_or(FitError::Singular)?;
        let from = |shift: &[f64], predicted: &[f64], derivatives: DMatrix<f64>| {
            Self::of(Squares {
                problem,
                takes_part,
                whitening: whitening.clone(),
                shift: shift.to_vec(),
                predicted: predicted.to_vec(),
                followed: Some(derivatives),
            })
        };
        let begin = &fit.posterior.shift;
        let found = from(begin, &fit.predicted, fit.derivatives.clone())?;
        let shift = &found.posterior.shift;
        let moved = shift
            .iter()
            .zip(begin)
            .map(|(now, was)| (now - was).powi(2));
        if moved.sum::<f64>().sqrt() < FAR {
            return Ok(found);
        }
        from(shift, &found.predicted, problem.derivatives(shift))
    }

    fn of(squares: Squares<'_>) -> Result<Self, FitError> {
        let problem = squares.problem;
        squares.check()?;
        let method = LevenbergMarquardt::new()
            .with_ftol(1e-7)
            .with_xtol(1e-5)
            .with_gtol(1e-6)
            .with_stepbound(1.0)
            .with_patience(12);
        let (squares, report) = method.minimize(squares);
        let stuck = matches!(
            report.termination,
            levenberg_marquardt::TerminationReason::User(_)
                | levenberg_marquardt::TerminationReason::Numerical(_)
        );
        if stuck {
            // It may have come to a place where a prediction is none.
            squares.check()?;
            return Err(FitError::Stuck);
        }
        let derivatives = squares.derivatives();
        // Bounds and orderings that hold say nothing about the curvature.
        let active = |k| squares.is_active(k);
        let stacked = stacked(problem, &squares.whitening, &derivatives, active);
        let curvature = stacked.transpose() * &stacked;
        let inverse = curvature.cholesky().ok_or(FitError::Singular)?.inverse();
        let free = problem.prior.free.len();
        let mut posterior = problem.prior.clone();
        posterior.covariance = (0..free)
            .map(|i| (0..free).map(|j| inverse[(i, j)]).collect())
            .collect();
        posterior.shift.clone_from(&squares.shift);
        Ok(Self {
            posterior,
            predicted: squares.predicted,
            derivatives,
        })
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
    pairs
        .map(|(i, j)| slope[i] * covariance[i][j] * slope[j])
        .sum::<f64>()
        .max(0.0)
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

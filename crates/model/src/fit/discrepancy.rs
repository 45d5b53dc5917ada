//! What the model errs by beyond its parameters, in the likelihood and by kind of resource.
//!
//! A figure is the model's prediction, times what the model itself errs by, times the figure's own error (Kennedy and O'Hagan
//! 2001, "Bayesian calibration of computer models", Journal of the Royal Statistical Society B 63). What is spent at each kind
//! of resource errs by a share of its own in each datum: figures of one datum err together by as much as they share resources,
//! those of two data apart. With the shares w of a figure's time and the errors τ of the kinds, the covariance of the
//! logarithms of two figures k and l of a datum is
//!
//! ```text
//! Σ w_k w_l τ²   and, for k = l, the square of the figure's own error besides
//! ```
//!
//! The τ are those under which the data are most likely, the parameters integrated out (empirical Bayes, type-II maximum
//! likelihood), with a wide prior on each. A fit without some data estimates them without these.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::problem::Problem;
use super::solve::Fit;
use crate::experiment::Claim;
use crate::system::ResourceKind;

/// One-sigma errors of the logarithm of what is spent at a kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Discrepancy {
    /// Processors, and locks that are held while they work.
    pub processor: f64,
    /// Drives, arrays, and the way to them.
    pub storage: f64,
    /// Clients, and the way to them.
    pub network: f64,
}

/// Before any datum each error is a tenth, within a factor of e (one sigma; assumed).
const USUAL: f64 = 0.1;
/// Where they are looked for.
const RANGE: (f64, f64) = (0.003, 1.0);
/// Rounds over the three, and steps of the search for each: far closer than they are known.
const ROUNDS: usize = 4;
const STEPS: usize = 14;

impl Discrepancy {
    fn of(&self, kind: ResourceKind) -> f64 {
        match kind {
            ResourceKind::Processor | ResourceKind::Lock => self.processor,
            ResourceKind::StorageNetwork
            | ResourceKind::Slots
            | ResourceKind::Connections
            | ResourceKind::Disks
            | ResourceKind::Stream
            | ResourceKind::Ports => self.storage,
            ResourceKind::ClientNetwork | ResourceKind::Client | ResourceKind::Wan | ResourceKind::Delay => {
                self.network
            }
        }
    }

    fn with(mut self, place: usize, value: f64) -> Self {
        match place {
            0 => self.processor = value,
            1 => self.storage = value,
            _ => self.network = value,
        }
        self
    }

    /// Those under which the figures that `takes_part` marks are most likely, by the slopes of a fit to all.
    pub(super) fn estimated(problem: &Problem<'_>, fit: &Fit, takes_part: &[bool]) -> Self {
        let rows = problem.rows.iter().enumerate();
        let figures = rows.filter(|(k, row)| {
            takes_part[*k] && is_fitted_figure(problem, *k) && { row.claim.residual(fit.predicted[*k]).is_finite() }
        });
        let figures: Vec<usize> = figures.map(|(k, _)| k).collect();
        let slopes = fit.derivatives.select_rows(&figures);
        let shift = DVector::from_column_slice(&fit.posterior.shift);
        let residuals = figures.iter().map(|k| {
            let row = &problem.rows[*k];
            Problem::residual(row, fit.predicted[*k])
        });
        // As they would be where no parameter had moved.
        let before = DVector::from_iterator(figures.len(), residuals) - &slopes * shift;
        let prior = super::blend::matrix(&problem.prior.covariance);
        let of_parameters = &slopes * prior * slopes.transpose();
        let log_likelihood = |discrepancy: Self| {
            let noise = discrepancy.noise(problem);
            let noise = noise.select_rows(&figures).select_columns(&figures);
            let Some(root) = (&of_parameters + noise).cholesky() else {
                return f64::NEG_INFINITY;
            };
            let log_root: f64 = root.l_dirty().diagonal().iter().map(|d| d.ln()).sum();
            let errors = [discrepancy.processor, discrepancy.storage, discrepancy.network];
            let prior = errors.map(|error| (error / USUAL).ln().powi(2) / 2.0);
            -log_root - before.dot(&root.solve(&before)) / 2.0 - prior.iter().sum::<f64>()
        };
        let mut found = Self { processor: USUAL, storage: USUAL, network: USUAL };
        for place in (0..ROUNDS).flat_map(|_| 0..3) {
            let best = golden_section(RANGE.0.ln(), RANGE.1.ln(), |log| log_likelihood(found.with(place, log.exp())));
            found = found.with(place, best.exp());
        }
        found
    }

    /// Covariance of the errors of all rows.
    pub(super) fn noise(&self, problem: &Problem<'_>) -> DMatrix<f64> {
        let rows = problem.rows.len();
        let mut noise = DMatrix::zeros(rows, rows);
        for k in 0..rows {
            noise[(k, k)] = Problem::sigma(&problem.rows[k]).powi(2);
        }
        if *self == Self::default() {
            return noise;
        }
        let errors: Vec<BTreeMap<ResourceKind, f64>> = (0..rows)
            .map(|k| {
                let shares = problem.shares[k].iter();
                let errors = shares.map(|(kind, share)| (*kind, share * self.of(*kind)));
                errors.collect()
            })
            .collect();
        let is_one = |k: usize, l: usize| problem.rows[k].datum == problem.rows[l].datum;
        let figures = (0..rows).filter(|k| is_fitted_figure(problem, *k));
        let figures: Vec<usize> = figures.collect();
        for &k in &figures {
            for &l in figures.iter().filter(|l| is_one(k, **l)) {
                let both = errors[k].iter();
                let both = both.filter_map(|(kind, error)| Some(error * errors[l].get(kind)?));
                noise[(k, l)] += both.sum::<f64>();
            }
        }
        noise
    }

    /// W of that covariance: W times the rows' residuals have variance 1 and no correlation. Rows of two data do not mix.
    pub(super) fn whitening(&self, problem: &Problem<'_>) -> Option<DMatrix<f64>> {
        let rows = problem.rows.len();
        let root = self.noise(problem).cholesky()?;
        root.l().solve_lower_triangular(&DMatrix::identity(rows, rows))
    }
}

fn is_fitted_figure(problem: &Problem<'_>, row: usize) -> bool {
    let row = &problem.rows[row];
    matches!(row.claim, Claim::Exactly(_)) && row.is_fitted()
}

/// Where a function of one maximum is largest (Kiefer 1953).
fn golden_section(low: f64, high: f64, of: impl Fn(f64) -> f64) -> f64 {
    let golden = f64::midpoint(5.0_f64.sqrt(), -1.0);
    let (mut low, mut high) = (low, high);
    let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
    let (mut of_a, mut of_b) = (of(a), of(b));
    for _ in 0..STEPS {
        if of_a > of_b {
            (high, b, of_b) = (b, a, of_a);
            a = high - golden * (high - low);
            of_a = of(a);
        } else {
            (low, a, of_a) = (a, b, of_b);
            b = low + golden * (high - low);
            of_b = of(b);
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_largest_of_a_parabola_is_found() {
        let found = super::golden_section(-3.0, 5.0, |x| -(x - 1.25).powi(2));
        assert!((found - 1.25).abs() < 0.01, "{found}");
    }
}

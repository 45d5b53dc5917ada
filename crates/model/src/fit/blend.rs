//! A measurement of one's own, blended into what the published data say.
//!
//! The published posterior is the prior: its shifts as the mean, its whole covariance, and beside it
//! the priors of the numbers that the measurement's file sets free. One step of Bayes's rule then; the
//! published data need not be run again (Gelman et al., Bayesian Data Analysis, section 2.1).
//!
//! Numbers that no free parameter scales err too: those that matter are free parameters meanwhile, with
//! their errors as priors, and are left out of the posterior again (marginalised).
//!
//! Whether the measurement agrees is asked before it is blended ([`super::foreseen`]). What the model errs by at resources that
//! nobody measured counts there and does not weigh in the blend itself, which is what measures them.
//!
//! Beyond chance, nothing moves: something differs that the file does not say.
//!
//! Knows rows, priors and posteriors. Must not know files, nor any output format.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};

use super::discrepancy::Discrepancy;
use super::foreseen::{Foreseen, with_discrepancy};
use super::influence::{Mover, pulls, shares};
use super::problem::{Problem, Slopes};
use super::solve::{Fit, FitError, whitening};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::{Claim, Experiments, Row, RunError};
use crate::posterior::{Free, Posterior};

/// Data less likely than this under the published posterior contradict it.
pub const CHANCE: f64 = 0.01;
/// A parameter moved whose mean went by this share of its σ, or whose σ shrank by this share.
const MOVED: f64 = 0.02;

/// Why there is no blend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlendError {
    /// A run has no prediction.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The fit found no maximum.
    #[error(transparent)]
    Fit(#[from] FitError),
}

impl BlendError {
    /// The row or the run that it is about, if it is about one.
    pub fn about(&self) -> Option<&str> {
        match self {
            Self::Fit(error) => error.row(),
            Self::Run(error) => Some(&error.run),
        }
    }
}

/// Whether the measurement agrees with the published data, and what was done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does, and moves all that it knows of.
    Agrees,
    /// It does not: nothing moved.
    Contradicts,
    /// It does not, and was blended nevertheless.
    Forced,
}

/// A figure before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// What was measured.
    pub row: Row,
    /// The measured value, in base units; none of an order.
    pub measured: Option<f64>,
    /// Predicted without it.
    pub before: f64,
    /// One-sigma error of the logarithm of `before` as a prediction of this measurement: parameters, model,
    /// spread of the measurement.
    pub sigma: f64,
    /// Predicted with it.
    pub after: f64,
    /// What alone would explain it, where it contradicts what is known.
    pub explained: Option<Explained>,
}

/// One parameter whose change alone makes a figure what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The parameter, or a number that none scales.
    pub id: String,
    /// It would be so many times as large.
    pub factor: f64,
    /// That is so many of its sigmas.
    pub sigmas: f64,
}

impl Compared {
    /// How many of its σ the measurement lies above the prediction; 0 of an order that holds.
    pub fn standardised(&self) -> f64 {
        self.pulled() / self.sigma
    }

    /// Whether chance alone puts a figure so far away in less than [`CHANCE`] of cases.
    pub fn contradicts(&self) -> bool {
        /// So many sigmas on either side hold 99 % of a normal distribution.
        const SIGMAS: f64 = 2.575_829_3;
        self.standardised().abs() > SIGMAS
    }

    /// The logarithm by which the prediction would have to be larger to agree.
    fn pulled(&self) -> f64 {
        0.0 - self.row.claim.residual(self.before)
    }
}

/// How a free parameter changed, on the logarithmic scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Place among the free parameters.
    pub index: usize,
    /// Mean and σ of the logarithm before.
    pub before: (f64, f64),
    /// The same after.
    pub after: (f64, f64),
    /// The data that moved it, most first.
    pub by: Vec<Mover>,
}

impl Move {
    /// By how many of its former σ.
    pub fn sigmas(&self) -> f64 {
        (self.after.0 - self.before.0) / self.before.1
    }
}

/// What a measurement made of the posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct Blend {
    /// The prior: the published posterior, and what the file sets free.
    pub before: Posterior,
    /// With the measurement.
    pub after: Posterior,
    /// Figure by figure.
    pub data: Vec<Compared>,
    /// Distance of the data from what was known, squared, in units of its covariance.
    pub chi_squared: f64,
    /// Its degrees of freedom: figures, and orders that what was known did not hold.
    pub degrees: usize,
    /// Chance of as much or more by accident.
    pub p: f64,
    /// What was made of it.
    pub verdict: Verdict,
    /// The parameters that moved, and all that the file set free.
    pub moves: Vec<Move>,
}

/// Blends the rows of `measurement` into `published`, with numbers that may move besides.
///
/// `catalog` and `calibration` are as they stand before any fit. `force` blends what contradicts.
pub fn blend(
    (catalog, calibration): (&Catalog, &Calibration),
    measurement: &Experiments,
    published: &Posterior,
    free: &[Free],
    force: bool,
) -> Result<Blend, BlendError> {
    let measurement = with_discrepancy(measurement, published.discrepancy);
    let foreseen = Foreseen::of((catalog, calibration), &measurement, published, free)?;
    let (problem, first_own) = (&foreseen.problem, foreseen.first_own);
    let before = problem.prior.clone();
    let all = vec![true; problem.rows.len()];
    let fit = Fit::new(problem, &all, &before.shift, Discrepancy::default())?;
    let root = whitening(&before.covariance).ok_or(FitError::Singular)?;
    let rows = problem.rows.iter().zip(&foreseen.predicted);
    let away: Vec<f64> = rows.map(|(row, p)| Problem::residual(row, *p)).collect();
    let (degrees, chi_squared, p) = foreseen.judged(&away)?;
    let verdict = match (p < CHANCE, force) {
        (false, _) => Verdict::Agrees,
        (true, true) => Verdict::Forced,
        (true, false) => Verdict::Contradicts,
    };
    let (follows, mut after) = if verdict == Verdict::Contradicts {
        let n = before.free.len();
        (DMatrix::zeros(n, n), before.clone())
    } else {
        let follows = matrix(&fit.posterior.covariance);
        // A change of what was known before passes on.
        let carried = &follows * root.transpose() * &root;
        let mut after = fit.posterior;
        for gain in &mut after.gains {
            let moves = &carried * DVector::from_column_slice(&gain.moves);
            gain.moves = moves.as_slice().to_vec();
        }
        let new = pulls(problem, &follows, &fit.whitened);
        after.gains.extend(new);
        (follows, after)
    };
    // What is kept of the other numbers is nothing, and so the times are shown without them.
    after.shift[published.free.len()..first_own].fill(0.0);
    let predicted_after = problem.predict(&after.shift);
    let data = compared(&foreseen, &predicted_after);
    let slopes = problem.slopes(&after.shift, Slopes::Both);
    let mut blend = Blend { before, after, data, chi_squared, degrees, p, verdict, moves: Vec::new() };
    blend.moves = blend.moves(first_own, &slopes, &follows);
    blend.name_movers();
    blend.leave_out(published.free.len()..first_own);
    Ok(blend)
}

/// Each row before and after.
fn compared(foreseen: &Foreseen<'_>, after: &[f64]) -> Vec<Compared> {
    let rows = foreseen.problem.rows.iter().enumerate();
    rows.map(|(k, row)| {
        let compared = Compared {
            row: row.clone(),
            measured: match row.claim {
                Claim::Exactly(value) => Some(value),
                Claim::Between(..) => None,
            },
            before: foreseen.predicted[k],
            sigma: foreseen.expected[(k, k)].sqrt(),
            after: after[k],
            explained: None,
        };
        let explained = compared.contradicts().then(|| explanation(foreseen, k, compared.pulled()));
        Compared { explained: explained.flatten(), ..compared }
    })
    .collect()
}

/// The parameter whose change alone explains a row by the fewest of its sigmas.
fn explanation(foreseen: &Foreseen<'_>, row: usize, pulled: f64) -> Option<Explained> {
    /// A parameter that would have to change a thousandfold explains nothing.
    const MOST: f64 = 6.9;
    let prior = &foreseen.problem.prior;
    let all = prior.free.iter().enumerate().filter_map(|(i, free)| {
        let change = pulled / foreseen.slopes[(row, i)];
        let sigma = prior.covariance[i][i].max(0.0).sqrt();
        (change.abs() < MOST && sigma > 0.0).then(|| Explained {
            id: free.id.clone(),
            factor: change.exp(),
            sigmas: change / sigma,
        })
    });
    all.min_by(|a, b| a.sigmas.abs().total_cmp(&b.sigmas.abs()))
}

pub(super) fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows.len(), |i, j| rows[i][j])
}

impl Blend {
    /// Names the data behind each move.
    fn name_movers(&mut self) {
        for moved in &self.moves {
            let ids = &mut self.after.moved_by[moved.index];
            ids.extend(moved.by.iter().map(|mover| mover.datum.clone()));
            ids.sort();
            ids.dedup();
        }
    }

    /// Takes free parameters out of all of it.
    fn leave_out(&mut self, places: Range<usize>) {
        self.before.leave_out(places.clone());
        self.after.leave_out(places.clone());
        self.moves.retain(|moved| !places.contains(&moved.index));
        for moved in &mut self.moves {
            if moved.index >= places.end {
                moved.index -= places.len();
            }
        }
    }

    /// The parameters that moved; a datum's part is what it moved of the sum of all parts.
    fn moves(&self, first_own: usize, slopes: &DMatrix<f64>, follows: &DMatrix<f64>) -> Vec<Move> {
        let sd = |posterior: &Posterior, i: usize| posterior.covariance[i][i].max(0.0).sqrt();
        let all = 0..self.before.free.len();
        all.filter_map(|i| {
            let moved = Move {
                index: i,
                before: (self.before.shift[i], sd(&self.before, i)),
                after: (self.after.shift[i], sd(&self.after, i)),
                by: self.movers(&follows.row(i).iter().copied().collect::<Vec<f64>>(), slopes),
            };
            let shrunk = 1.0 - moved.after.1 / moved.before.1;
            let is_moved = moved.sigmas().abs() > MOVED || shrunk > MOVED;
            (is_moved || i >= first_own).then_some(moved)
        })
        .collect()
    }

    fn movers(&self, follows: &[f64], slopes: &DMatrix<f64>) -> Vec<Mover> {
        let data = self.data.iter().enumerate();
        let parts: Vec<(&str, f64)> = data
            .map(|(k, datum)| {
                let follows = follows.iter().enumerate();
                let slope: f64 = follows.map(|(j, c)| c * slopes[(k, j)]).sum();
                let pulled = slope * datum.pulled();
                let part = (pulled / Problem::sigma(&datum.row).powi(2)).abs();
                (datum.row.datum.as_str(), part)
            })
            .collect();
        let all: f64 = parts.iter().map(|(_, part)| part).sum();
        // Where all orders held there is nothing to share.
        shares(parts.into_iter(), all.max(f64::MIN_POSITIVE))
    }
}

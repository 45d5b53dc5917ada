//! A measurement of one's own, blended into what the published data say.
//!
//! The published posterior is the prior: its shifts as the mean, its whole covariance, and beside it
//! the priors of the numbers that the measurement's file sets free. One step of Bayes's rule then; the
//! published data need not be run again (Gelman et al., Bayesian Data Analysis, section 2.1).
//!
//! Numbers that no free parameter scales err too: those that matter are free parameters meanwhile, with
//! their errors as priors, and are left out of the posterior again (marginalised).
//!
//! Whether the measurement agrees is asked before it is blended: the square of the data's distance from
//! their prediction, in units of its covariance, is χ² with a degree of freedom a datum (a prior
//! predictive check, Box 1980). The covariance is that of all parameters and numbers, of the measurement,
//! and of what the model errs by at resources that nobody measured ([`crate::system::unmeasured`]); that last
//! part does not weigh in the blend itself, which is what measures them.
//!
//! Beyond chance, the data move the file's own numbers alone: these follow from the data with the published ones as they stand, whose uncertainty they inherit, and nothing
//! flows back (a cut, Plummer 2015, "Cuts in Bayesian graphical models").
//!
//! Knows rows, priors and posteriors. Must not know files, nor any output format.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use super::influence::{Mover, pulls, shares};
use super::problem::Problem;
use super::solve::{Fit, FitError, whitening};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::{Claim, Experiments, Row, RunError};
use crate::posterior::{Factors, Free, Gain, Posterior};

/// Data less likely than this under the published posterior contradict it.
pub const CHANCE: f64 = 0.01;
/// Numbers whose errors change no figure by such a share are left as they stand.
const CHANGE_LEAST: f64 = 0.01;
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
    /// It does not: only the numbers that its file sets free moved.
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
}

impl Compared {
    /// How many of its σ the measurement lies above the prediction; 0 of an order that holds.
    pub fn standardised(&self) -> f64 {
        self.pulled() / self.sigma
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
    let discrepancy = published.discrepancy;
    let mut measurement = measurement.clone();
    for row in &mut measurement.rows {
        row.sigma = Some(row.sigma.unwrap_or(0.0).hypot(discrepancy));
    }
    let problem_of = |prior: Posterior| {
        Problem::from_prior(
            catalog,
            calibration,
            &measurement,
            prior,
            Factors::default(),
        )
    };
    // Numbers that no free parameter scales stand between what is published and what the file sets free.
    let unfitted = problem_of(beside(published, free))?.further_free(CHANGE_LEAST);
    let before = beside(&beside(published, &unfitted), free);
    let problem = problem_of(before.clone())?;
    let all = vec![true; problem.rows.len()];
    let predicted = problem.predict(&before.shift);
    let slopes = problem.derivatives(&before.shift);
    let fit = Fit::new(&problem, &all, &before.shift)?;
    let root = whitening(&before.covariance).ok_or(FitError::Singular)?;
    // An order that was held by what is known has nothing to add to the sum.
    let says = |k: usize| Problem::says(&problem.rows[k], predicted[k]);
    let degrees = (0..problem.rows.len()).filter(|k| says(*k)).count();
    let expected = expected(&problem, &before, &slopes);
    let chi_squared = chi_squared(&problem, &predicted, &expected, says)?;
    let p = ChiSquared::new(degrees.max(1) as f64).map_or(1.0, |law| law.sf(chi_squared));
    let verdict = match (p < CHANCE, force) {
        (false, _) => Verdict::Agrees,
        (true, true) => Verdict::Forced,
        (true, false) => Verdict::Contradicts,
    };
    let first_own = published.free.len() + unfitted.len();
    let followed = if verdict == Verdict::Contradicts {
        cut((catalog, calibration), &measurement, &problem, first_own)?
    } else {
        let covariance = matrix(&fit.posterior.covariance);
        Followed {
            carried: &covariance * root.transpose() * &root,
            follows: covariance,
            after: fit.posterior,
        }
    };
    let new = pulls(&problem, &followed.follows, &slopes, says);
    let follows = followed.follows.clone();
    let mut after = followed.beside(new);
    // What is kept of the other numbers is nothing, and so the times are shown without them.
    after.shift[published.free.len()..first_own].fill(0.0);
    let predicted_after = problem.predict(&after.shift);
    let data = compared(&problem, (&predicted, &predicted_after), &expected);
    let slopes = problem.derivatives(&after.shift);
    let mut blend = Blend {
        before,
        after,
        data,
        chi_squared,
        degrees,
        p,
        verdict,
        moves: Vec::new(),
    };
    blend.moves = blend.moves(first_own, &slopes, &follows);
    blend.name_movers();
    blend.leave_out(published.free.len()..first_own);
    Ok(blend)
}

/// Each row before and after.
fn compared(
    problem: &Problem<'_>,
    (before, after): (&[f64], &[f64]),
    expected: &DMatrix<f64>,
) -> Vec<Compared> {
    let rows = problem.rows.iter().enumerate();
    rows.map(|(k, row)| Compared {
        row: row.clone(),
        measured: match row.claim {
            Claim::Exactly(value) => Some(value),
            Claim::Between(..) => None,
        },
        before: before[k],
        sigma: expected[(k, k)].sqrt(),
        after: after[k],
    })
    .collect()
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
fn expected(problem: &Problem<'_>, before: &Posterior, slopes: &DMatrix<f64>) -> DMatrix<f64> {
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

/// The square of the distance of the rows that say something from their predictions, in units of the covariance.
fn chi_squared(
    problem: &Problem<'_>,
    predicted: &[f64],
    expected: &DMatrix<f64>,
    says: impl Fn(usize) -> bool,
) -> Result<f64, FitError> {
    let rows: Vec<usize> = (0..problem.rows.len()).filter(|k| says(*k)).collect();
    let away = rows
        .iter()
        .map(|k| Problem::residual(&problem.rows[*k], predicted[*k]));
    let away = DVector::from_iterator(rows.len(), away);
    let covariance = DMatrix::from_fn(rows.len(), rows.len(), |k, l| expected[(rows[k], rows[l])]);
    let root = covariance.cholesky().ok_or(FitError::Singular)?;
    Ok(away.dot(&root.solve(&away)))
}

/// How the parameters follow the data.
struct Followed {
    after: Posterior,
    /// The covariance by which they follow them.
    follows: DMatrix<f64>,
    /// How a change of what was known before passes on.
    carried: DMatrix<f64>,
}

impl Followed {
    /// The posterior, with what the figures before pull passed on and the `new` ones beside them.
    fn beside(self, new: Vec<Gain>) -> Posterior {
        let mut after = self.after;
        for gain in &mut after.gains {
            let moves = &self.carried * DVector::from_column_slice(&gain.moves);
            gain.moves = moves.as_slice().to_vec();
        }
        after.gains.extend(new);
        after
    }
}

/// The parameters from `first_own` on follow the data, the others stay.
fn cut(
    (catalog, calibration): (&Catalog, &Calibration),
    measurement: &Experiments,
    problem: &Problem<'_>,
    first_own: usize,
) -> Result<Followed, BlendError> {
    let mut after = problem.prior.clone();
    let n = after.free.len();
    let mut follows = DMatrix::zeros(n, n);
    let mut carried = DMatrix::identity(n, n);
    if first_own == n {
        return Ok(Followed {
            after,
            follows,
            carried,
        });
    }
    let mut published = after.clone();
    published.free.truncate(first_own);
    let held = published.factors_at(&after.shift[..first_own]);
    let own = Posterior::of_prior(after.free[first_own..].to_vec());
    let start = own.shift.clone();
    let alone = Problem::from_prior(catalog, calibration, measurement, own, held)?;
    let fit = Fit::new(&alone, &vec![true; alone.rows.len()], &start)?;
    after.shift[first_own..].copy_from_slice(&fit.posterior.shift);
    let given = matrix(&fit.posterior.covariance);
    let slopes = problem.derivatives(&after.shift);
    let weights = DMatrix::from_fn(slopes.nrows(), slopes.nrows(), |k, l| {
        if k == l {
            Problem::sigma(&problem.rows[k]).powi(-2)
        } else {
            0.0
        }
    });
    let (others, own) = (
        slopes.columns(0, first_own),
        slopes.columns(first_own, n - first_own),
    );
    // How the own numbers answer to the published ones, the data given.
    let answer = -(&given * own.transpose() * weights * others);
    let published = matrix(&after.covariance);
    let published = published.view((0, 0), (first_own, first_own));
    let across = &answer * published;
    let all = &given + &across * answer.transpose();
    for i in first_own..n {
        for j in 0..n {
            let value = if j < first_own {
                carried[(i, j)] = answer[(i - first_own, j)];
                across[(i - first_own, j)]
            } else {
                carried[(i, j)] = 0.0;
                follows[(i, j)] = given[(i - first_own, j - first_own)];
                all[(i - first_own, j - first_own)]
            };
            after.covariance[i][j] = value;
            after.covariance[j][i] = value;
        }
    }
    Ok(Followed {
        after,
        follows,
        carried,
    })
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
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
                by: self.movers(
                    &follows.row(i).iter().copied().collect::<Vec<f64>>(),
                    slopes,
                ),
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

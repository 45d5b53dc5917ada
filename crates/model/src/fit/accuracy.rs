//! How well the fit predicts: in sample, and each datum, each mechanism, each source from the others.

use std::collections::BTreeSet;

use super::influence::movers;
use super::problem::Problem;
use super::solve::{Fit, FitError};
use crate::calibration::{DatumKind, source_of};
use crate::experiment::Claim;

/// 80 % of a normal distribution lie within so many σ.
const SIGMAS_80: f64 = 1.281_551_565_5;

/// What one row's figure looks like from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// Predicted without the row's datum (or source).
    pub predicted: f64,
    /// Variance of its logarithm: from the parameters, the other numbers, and resources that the rest does not measure.
    pub variance: f64,
    /// The part of it that comes from the parameters: those have taken in what other numbers of the same benchmarks err by.
    pub of_parameters: f64,
}

/// A row with everything that is known of its error.
#[derive(Debug, Clone, PartialEq)]
pub struct RowAccuracy {
    /// Place among the problem's rows.
    pub row: usize,
    /// In sample.
    pub predicted: f64,
    /// Without its datum.
    pub left_out: Option<LeftOut>,
    /// Without what is known of its mechanism.
    pub mechanism_left_out: Option<LeftOut>,
    /// Without its source.
    pub source_left_out: Option<LeftOut>,
}

/// All rows, and what they add up to.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// In the order of the problem.
    pub rows: Vec<RowAccuracy>,
    /// One-sigma error of the model itself.
    pub discrepancy: f64,
    /// The figures by which it is judged.
    pub summary: Summary,
}

/// The figures by which a calibration is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Values and ratios with a figure that the fit goes by.
    pub figures: usize,
    /// Free parameters that some run reads.
    pub parameters: usize,
    /// Median error of the values in sample.
    pub median: f64,
    /// Largest error of a value in sample.
    pub worst: f64,
    /// Median error, each datum from the others.
    pub left_out_median: f64,
    /// 90th percentile of the same.
    pub left_out_90: f64,
    /// Largest factor of a commit rate or sync time, its source from the others.
    pub source_factor: f64,
    /// Orderings, bounds and ranges that hold, and how many there are.
    pub claims_held: (usize, usize),
    /// Share of 80 % intervals that hold the figure, each source from the others, of those that the fit goes by.
    pub coverage: f64,
    /// The same, each mechanism from the others.
    pub mechanism_coverage: f64,
}

/// What is left out together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// All figures of a datum.
    Datum,
    /// All data on one thing that p4d does: commits, syncs, listings, reads and writes of its files.
    Mechanism,
    /// All data of a source.
    Source,
}

impl Apart {
    /// What the rows that are left out together have in common.
    fn key(self, datum: &str) -> String {
        match self {
            Self::Datum => datum.to_owned(),
            Self::Source => source_of(datum).to_owned(),
            Self::Mechanism => match datum.split('-').nth(1).unwrap_or(datum) {
                "submit" | "branchsubmit" | "commit" => "commit".to_owned(),
                "browse" | "mount" => "browse".to_owned(),
                other => other.to_owned(),
            },
        }
    }
}

/// The sets of rows to be left out.
pub fn left_out_sets(problem: &Problem<'_>, apart: Apart) -> Vec<Vec<usize>> {
    let keys = problem.rows.iter().map(|row| apart.key(&row.datum));
    let keys: BTreeSet<String> = keys.collect();
    keys.into_iter()
        .map(|wanted| {
            let rows = problem.rows.iter().enumerate();
            rows.filter(|(_, row)| apart.key(&row.datum) == wanted)
                .map(|(k, _)| k)
                .collect()
        })
        .collect()
}

/// Fits without the rows of `set`, and says what they look like from the rest.
pub fn leave_out(
    problem: &Problem<'_>,
    fit: &Fit,
    set: &[usize],
) -> Result<Vec<(usize, LeftOut)>, FitError> {
    let takes_part: Vec<bool> = (0..problem.rows.len()).map(|k| !set.contains(&k)).collect();
    let mut rest = Fit::near(problem, &takes_part, fit)?;
    let movers = movers(problem, &rest, &takes_part).into_iter();
    rest.posterior.moved_by = movers
        .map(|movers| movers.into_iter().map(|mover| mover.datum).collect())
        .collect();
    let unmeasured = problem.unmeasured(&rest.posterior);
    let unfitted = problem.unfitted_variance(&fit.posterior.shift);
    Ok(set
        .iter()
        .map(|k| {
            let unmeasured = unmeasured[*k].values().map(|error| error.powi(2));
            let of_parameters = rest.variance(*k);
            let left_out = LeftOut {
                predicted: rest.predicted[*k],
                variance: of_parameters + unfitted[*k] + unmeasured.sum::<f64>(),
                of_parameters,
            };
            (*k, left_out)
        })
        .collect())
}

/// Puts the tables together.
pub fn accuracy(
    problem: &Problem<'_>,
    fit: &Fit,
    [left_out, mechanism_left_out, source_left_out]: [&[(usize, LeftOut)]; 3],
) -> Accuracy {
    let find = |list: &[(usize, LeftOut)], row: usize| {
        let found = list.iter().find(|(k, _)| *k == row);
        found.map(|(_, left)| *left)
    };
    let rows: Vec<RowAccuracy> = (0..problem.rows.len())
        .map(|row| RowAccuracy {
            row,
            predicted: fit.predicted[row],
            left_out: find(left_out, row),
            mechanism_left_out: find(mechanism_left_out, row),
            source_left_out: find(source_left_out, row),
        })
        .collect();
    let discrepancy = discrepancy(problem, &rows);
    let summary = summary(problem, &rows, discrepancy);
    Accuracy {
        rows,
        discrepancy,
        summary,
    }
}

/// What the errors of values hold beyond the parameters' and the figures' own, each predicted without its datum: what the
/// model errs by where somebody measured the same host, stores and network.
///
/// Four in five values lie within their 80 % intervals with it (split conformal prediction; Barber et al. 2021,
/// "Predictive inference with the jackknife+", Annals of Statistics 49). Without a whole source or mechanism, resources
/// that the rest does not measure err by more ([`crate::system::unmeasured`]).
fn discrepancy(problem: &Problem<'_>, rows: &[RowAccuracy]) -> f64 {
    const HELD: f64 = 0.8;
    let mut excess: Vec<f64> = rows
        .iter()
        .filter_map(|r| {
            let row = &problem.rows[r.row];
            let left = r.left_out?;
            let is_figure = matches!(row.claim, Claim::Exactly(_)) && row.is_fitted();
            let residual = row.claim.residual(left.predicted);
            let known = left.of_parameters + row.stated_error().powi(2);
            let sigma = residual / SIGMAS_80;
            (is_figure && residual.is_finite()).then(|| sigma.powi(2) - known)
        })
        .collect();
    quantile(&mut excess, HELD).max(0.0).sqrt()
}

/// Half the width of a row's 80 % interval, on the logarithmic scale.
pub fn half_width(spread: f64, variance: f64, discrepancy: f64) -> f64 {
    SIGMAS_80 * (spread.powi(2) + variance + discrepancy.powi(2)).sqrt()
}

fn summary(problem: &Problem<'_>, rows: &[RowAccuracy], discrepancy: f64) -> Summary {
    let error =
        |k: usize, predicted: f64| (problem.rows[k].claim.residual(predicted).exp() - 1.0).abs();
    let is_figure = |k: usize| matches!(problem.rows[k].claim, Claim::Exactly(_));
    let is_value = |k: usize| is_figure(k) && problem.rows[k].kind == DatumKind::Value;
    let mut values: Vec<f64> = rows
        .iter()
        .filter(|r| is_value(r.row))
        .map(|r| error(r.row, r.predicted))
        .collect();
    let mut left: Vec<f64> = rows
        .iter()
        .filter(|r| is_value(r.row))
        .filter_map(|r| Some(error(r.row, r.left_out?.predicted)))
        .collect();
    let coverage = |left_out: fn(&RowAccuracy) -> Option<LeftOut>| {
        let fitted = rows
            .iter()
            .filter(|r| is_figure(r.row) && problem.rows[r.row].is_fitted());
        let covered = fitted.filter_map(|r| {
            let row = &problem.rows[r.row];
            let left = left_out(r)?;
            let width = half_width(row.stated_error(), left.variance, discrepancy);
            Some(row.claim.residual(left.predicted).abs() <= width)
        });
        let covered: Vec<bool> = covered.collect();
        covered.iter().filter(|c| **c).count() as f64 / covered.len().max(1) as f64
    };
    let source_factor = rows
        .iter()
        .filter(|r| is_value(r.row) && problem.rows[r.row].topic.is_some())
        .filter_map(|r| {
            let left = r.source_left_out?;
            Some(
                problem.rows[r.row]
                    .claim
                    .residual(left.predicted)
                    .abs()
                    .exp(),
            )
        })
        .fold(1.0, f64::max);
    let claims = rows.iter().filter(|r| !is_figure(r.row));
    let held = claims
        .clone()
        .filter(|r| problem.rows[r.row].claim.residual(r.predicted) == 0.0);
    Summary {
        figures: rows
            .iter()
            .filter(|r| is_figure(r.row) && problem.rows[r.row].is_fitted())
            .count(),
        parameters: problem.prior.free.len() - problem.idle().len(),
        worst: values.iter().copied().fold(0.0, f64::max),
        median: quantile(&mut values, 0.5),
        left_out_median: quantile(&mut left, 0.5),
        left_out_90: quantile(&mut left, 0.9),
        source_factor,
        claims_held: (held.count(), claims.count()),
        coverage: coverage(|r| r.source_left_out),
        mechanism_coverage: coverage(|r| r.mechanism_left_out),
    }
}

/// The q-quantile, linear between order statistics; 0 of nothing.
fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else {
        return 0.0;
    };
    let place = q * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    values[below] + (values[above] - values[below]) * (place - place.floor())
}

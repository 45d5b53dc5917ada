//! How well the fit predicts: in sample, and each datum, each mechanism, each source from the others.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::influence::movers;
use super::problem::Problem;
use super::solve::{Fit, FitError};
use crate::calibration::{DatumKind, Mechanism, source_of};
use crate::experiment::{Claim, Row};

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
    /// The part of it that comes from kinds of resource that the rest does not measure.
    pub of_unmeasured: f64,
    /// One-sigma error of the model itself, as the rest shows it.
    pub discrepancy: f64,
}

impl LeftOut {
    /// One-sigma error of its logarithm as a prediction of this row's figure.
    fn sigma(&self, row: &Row) -> f64 {
        half_width(row.stated_error(), self.variance, self.discrepancy) / SIGMAS_80
    }
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
    /// Mean score of the 80 % intervals of all figures, each source from the others ([`interval_score`]).
    pub interval_score: f64,
    /// The same of the constant factor that scores best.
    pub constant_score: f64,
    /// Mean square of 1 less the probability of each bound and order, each source from the others (Brier 1950).
    pub brier: f64,
    /// What the time at a kind of resource errs by that the other sources do not measure, by the residuals of all sources
    /// (`unmeasured`); none where they all measure the same.
    pub unmeasured: Option<f64>,
}

/// So many of the figures shall lie within their intervals.
const HELD: f64 = 0.8;

/// What is left out together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// All figures of a datum.
    Datum,
    /// All data on one mechanism.
    Mechanism,
    /// All data of a source.
    Source,
}

/// What the rows that are left out together have in common.
fn key<'r>(problem: &Problem<'_>, apart: Apart, datum: &'r str) -> (Option<Mechanism>, &'r str) {
    match apart {
        Apart::Datum => (None, datum),
        Apart::Source => (None, source_of(datum)),
        Apart::Mechanism => match problem.calibration.datum(datum).and_then(|d| d.mechanism) {
            Some(mechanism) => (Some(mechanism), ""),
            None => (None, datum),
        },
    }
}

/// The sets of rows to be left out.
///
/// A datum without a mechanism stands for itself.
pub fn left_out_sets(problem: &Problem<'_>, apart: Apart) -> Vec<Vec<usize>> {
    let mut sets = BTreeMap::<_, Vec<usize>>::new();
    for (place, row) in problem.rows.iter().enumerate() {
        sets.entry(key(problem, apart, &row.datum)).or_default().push(place);
    }
    sets.into_values().collect()
}

/// Fits without the rows of `set`, and says what they look like from the rest.
pub fn leave_out(problem: &Problem<'_>, fit: &Fit, set: &[usize]) -> Result<Vec<(usize, LeftOut)>, FitError> {
    let takes_part: Vec<bool> = (0..problem.rows.len()).map(|k| !set.contains(&k)).collect();
    let mut rest = Fit::near(problem, &takes_part, fit)?;
    let movers = movers(problem, &rest).into_iter();
    rest.posterior.moved_by = movers.map(|movers| movers.into_iter().map(|mover| mover.datum).collect()).collect();
    let unmeasured = problem.unmeasured(&rest.posterior);
    let unfitted = problem.unfitted_variance(&fit.posterior.shift);
    Ok(set
        .iter()
        .map(|k| {
            let unmeasured = unmeasured[*k].values().map(|error| error.powi(2));
            let of_unmeasured = unmeasured.sum::<f64>();
            let of_parameters = rest.variance(*k);
            let left_out = LeftOut {
                predicted: rest.predicted[*k],
                variance: of_parameters + unfitted[*k] + of_unmeasured,
                of_unmeasured,
                of_parameters,
                // Known when every datum was left out.
                discrepancy: 0.0,
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
    let mut rows: Vec<RowAccuracy> = (0..problem.rows.len())
        .map(|row| RowAccuracy {
            row,
            predicted: fit.predicted[row],
            left_out: find(left_out, row),
            mechanism_left_out: find(mechanism_left_out, row),
            source_left_out: find(source_left_out, row),
        })
        .collect();
    let data = rows.clone();
    let without = |apart: Apart, row: usize| {
        let key = |row: usize| key(problem, apart, &problem.rows[row].datum);
        let rest = data.iter().filter(|other| key(other.row) != key(row));
        discrepancy(problem.rows, rest)
    };
    for r in &mut rows {
        let left_out = [
            (&mut r.left_out, Apart::Datum),
            (&mut r.mechanism_left_out, Apart::Mechanism),
            (&mut r.source_left_out, Apart::Source),
        ];
        for (left, apart) in left_out {
            if let Some(left) = left {
                left.discrepancy = without(apart, r.row);
            }
        }
    }
    let discrepancy = discrepancy(problem.rows, rows.iter());
    let parameters = problem.prior.free.len() - problem.idle().len();
    let assumed = crate::system::unmeasured::sigma(problem.calibration);
    Accuracy::of(problem.rows, parameters, rows, discrepancy, assumed)
}

impl Accuracy {
    /// What the rows add up to.
    pub(super) fn of(
        claimed: &[Row],
        parameters: usize,
        rows: Vec<RowAccuracy>,
        discrepancy: f64,
        assumed: f64,
    ) -> Self {
        Self { summary: summary(claimed, parameters, &rows, assumed), rows, discrepancy }
    }
}

/// What the errors of values hold beyond the parameters' and the figures' own, each predicted without its datum: what the
/// model errs by where somebody measured the same host, stores and network.
///
/// Four in five values lie within their 80 % intervals with it (split conformal prediction; Barber et al. 2021,
/// "Predictive inference with the jackknife+", Annals of Statistics 49). Without a whole source or mechanism, resources
/// that the rest does not measure err by more ([`crate::system::unmeasured`]).
fn discrepancy<'r>(claimed: &[Row], rows: impl Iterator<Item = &'r RowAccuracy>) -> f64 {
    let mut excess: Vec<f64> = rows
        .filter_map(|r| {
            let row = &claimed[r.row];
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

/// The score of an interval of the logarithm that reaches so far on either side of a prediction, where the figure lies so far away: its
/// width, and what lies outside over half the chance of that (Gneiting and Raftery 2007, "Strictly proper scoring rules, prediction,
/// and estimation", section 6.2). Less is better.
pub fn interval_score(half_width: f64, away: f64) -> f64 {
    /// Chance of a figure outside of an 80 % interval.
    const OUTSIDE: f64 = 0.2;
    2.0 * half_width + 2.0 / OUTSIDE * (away.abs() - half_width).max(0.0)
}

/// Mean scores of the intervals of all figures whose source was left out, and of the constant factor that scores best.
fn interval_scores(claimed: &[Row], rows: &[RowAccuracy]) -> (f64, f64) {
    let known = rows.iter().filter_map(|r| {
        let (row, left) = (&claimed[r.row], r.source_left_out?);
        let away = row.claim.residual(left.predicted);
        let is_figure = matches!(row.claim, Claim::Exactly(_)) && away.is_finite();
        is_figure.then(|| (SIGMAS_80 * left.sigma(row), away))
    });
    let known: Vec<(f64, f64)> = known.collect();
    let of = |width: &dyn Fn(f64) -> f64| mean(known.iter().map(|(half, away)| interval_score(width(*half), *away)));
    // The mean score is piecewise linear in the width, and so least at a figure.
    let constants = known.iter().map(|(_, away)| of(&|_| away.abs()));
    (of(&|half| half), constants.fold(f64::INFINITY, f64::min))
}

/// By how much the time at kinds of resource without a measurement errs: as the discrepancy, what holds four in five figures of
/// sources that are left out; `assumed` is with what their intervals were made.
fn unmeasured(claimed: &[Row], rows: &[RowAccuracy], assumed: f64) -> Option<f64> {
    /// Rows of which so little is unmeasured say nothing of it.
    const LEAST: f64 = 1e-3;
    let excess = rows.iter().filter_map(|r| {
        let (row, left) = (&claimed[r.row], r.source_left_out?);
        let away = row.claim.residual(left.predicted) / SIGMAS_80;
        let known = left.sigma(row).powi(2) - left.of_unmeasured;
        let share = left.of_unmeasured / assumed.powi(2);
        let is_figure = matches!(row.claim, Claim::Exactly(_)) && row.is_fitted();
        (is_figure && share > LEAST && away.is_finite()).then(|| (away.powi(2) - known) / share)
    });
    let mut excess: Vec<f64> = excess.collect();
    (!excess.is_empty()).then(|| quantile(&mut excess, HELD).max(0.0).sqrt())
}

/// Mean Brier score of bounds and orders whose source was left out.
fn brier(claimed: &[Row], rows: &[RowAccuracy]) -> f64 {
    let standard = Normal::standard();
    mean(rows.iter().filter_map(|r| {
        let (row, left) = (&claimed[r.row], r.source_left_out?);
        let Claim::Between(low, high) = row.claim else {
            return None;
        };
        let below = |end: f64| standard.cdf((end / left.predicted).ln() / left.sigma(row));
        let chance = below(high) - below(low);
        chance.is_finite().then(|| (1.0 - chance).powi(2))
    }))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn summary(claimed: &[Row], parameters: usize, rows: &[RowAccuracy], assumed: f64) -> Summary {
    let error = |k: usize, predicted: f64| (claimed[k].claim.residual(predicted).exp() - 1.0).abs();
    let is_figure = |k: usize| matches!(claimed[k].claim, Claim::Exactly(_));
    let is_value = |k: usize| is_figure(k) && claimed[k].kind == DatumKind::Value;
    let mut values: Vec<f64> = rows.iter().filter(|r| is_value(r.row)).map(|r| error(r.row, r.predicted)).collect();
    let mut left: Vec<f64> =
        rows.iter().filter(|r| is_value(r.row)).filter_map(|r| Some(error(r.row, r.left_out?.predicted))).collect();
    let coverage = |left_out: fn(&RowAccuracy) -> Option<LeftOut>| {
        let fitted = rows.iter().filter(|r| is_figure(r.row) && claimed[r.row].is_fitted());
        let covered = fitted.filter_map(|r| {
            let row = &claimed[r.row];
            let left = left_out(r)?;
            let width = SIGMAS_80 * left.sigma(row);
            Some(row.claim.residual(left.predicted).abs() <= width)
        });
        let covered: Vec<bool> = covered.collect();
        covered.iter().filter(|c| **c).count() as f64 / covered.len().max(1) as f64
    };
    let source_factor = rows
        .iter()
        .filter(|r| is_value(r.row) && claimed[r.row].topic.is_some())
        .filter_map(|r| {
            let left = r.source_left_out?;
            Some(claimed[r.row].claim.residual(left.predicted).abs().exp())
        })
        .fold(1.0, f64::max);
    let (interval_score, constant_score) = interval_scores(claimed, rows);
    let claims = rows.iter().filter(|r| !is_figure(r.row));
    let held = claims.clone().filter(|r| claimed[r.row].claim.residual(r.predicted) == 0.0);
    Summary {
        figures: rows.iter().filter(|r| is_figure(r.row) && claimed[r.row].is_fitted()).count(),
        parameters,
        worst: values.iter().copied().fold(0.0, f64::max),
        median: quantile(&mut values, 0.5),
        left_out_median: quantile(&mut left, 0.5),
        left_out_90: quantile(&mut left, 0.9),
        source_factor,
        claims_held: (held.count(), claims.count()),
        coverage: coverage(|r| r.source_left_out),
        mechanism_coverage: coverage(|r| r.mechanism_left_out),
        interval_score,
        constant_score,
        brier: brier(claimed, rows),
        unmeasured: unmeasured(claimed, rows, assumed),
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

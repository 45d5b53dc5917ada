//! The calibration as JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::calibration::{Calibrated, Foretold, Judged, Ranged, factor, judged};
use super::json::{Made, list, object};
use crate::experiment::{Claim, Row};
use crate::fit::{Accuracy, LeftOut, Mover, RowAccuracy};
use crate::posterior::NumberId;

/// What was published: a number, or a range.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Published {
    /// A figure.
    Exactly(f64),
    /// A bound, range or order.
    Between {
        /// Lower end; null where open.
        low: Option<f64>,
        /// Upper end; null where open.
        high: Option<f64>,
    },
}

impl Published {
    pub(super) fn of(claim: Claim) -> Self {
        match claim {
            Claim::Exactly(value) => Self::Exactly(value),
            Claim::Between(low, high) => {
                Self::Between { low: (low > 0.0).then_some(low), high: high.is_finite().then_some(high) }
            }
        }
    }
}

object! {
    /// `calibrate`: the fit to the published measurements, and how well it predicts them.
    #[schemars(rename = "Calibrated")]
    CalibratedJson of (calibrated: &Calibrated<'_>) {
        #[serde(flatten)] made: Made<CalibrationInput> = Made::from(CalibrationInput::of(calibrated.calibration.fingerprint));
        data: Vec<DatumJson> = list(&calibrated.accuracy.rows, |row| DatumJson::of(calibrated, row)), "One for each figure, ratio, and pair of neighbours in an order.";
        parameters: Vec<FreeParameter> = list(0..calibrated.posterior.free.len(), |i| FreeParameter::of(calibrated, i)), "The free parameters.";
        summary: Summary = Summary::of(calibrated.accuracy), "How well it predicts.";
    }

    /// What a fit was made from; it reads no site.
    CalibrationInput of (fingerprint: u64) {
        calibration: String = super::hash(fingerprint), "Hash of the calibration data.";
    }

    /// How well the measurements are predicted.
    Summary of (accuracy: &Accuracy) [let s = accuracy.summary;] {
        figures: usize = s.figures, "Figures and ratios.";
        free_parameters: usize = s.parameters, "Free parameters that some run reads.";
        median_error_fraction: f64 = s.median, "Median error of the fit to all data.";
        largest_error_fraction: f64 = s.worst, "Largest error of the fit to all data.";
        leave_one_out_median_fraction: f64 = s.left_out_median, "Median error of a value from a fit without it.";
        leave_one_out_90_fraction: f64 = s.left_out_90, "90th percentile of these.";
        leave_source_out_factor: f64 = s.source_factor, "Largest factor from a fit without the source: of commit rates and times and of average sync times.";
        claims_held: usize = s.claims_held.0, "Bounds and orders that hold.";
        claims: usize = s.claims_held.1, "Bounds and orders.";
        coverage_80_fraction: f64 = s.coverage, "Share of the values that lie in the 80 % interval of a fit without them.";
        mechanism_coverage_80_fraction: f64 = s.mechanism_coverage, "The same of fits without all data on the mechanism.";
        interval_score: f64 = s.interval_score, "Mean score of the 80 % intervals of logarithms, each source from the others; less is better.";
        constant_interval_score: f64 = s.constant_score, "The same of the constant factor that scores best.";
        brier_score: f64 = s.brier, "Of bounds and orders as probabilities, each source from the others; 0.25 is a coin's.";
        unmeasured_fraction: Option<f64> = s.unmeasured, "Error of the time at kinds of resource without a measurement, by figures whose source was left out; null where there are none.";
        discrepancy_fraction: f64 = accuracy.discrepancy, "Error of the model itself.";
        measures: Vec<Judged> = judged(accuracy), "The same against their targets, in words.";
    }

    /// A free parameter: a factor on numbers of the model.
    FreeParameter of (calibrated: &Calibrated<'_>, i: usize) [
        let posterior = calibrated.posterior;
        let free = &posterior.free[i];
        let covariance = &posterior.covariance;
        let others = posterior.free.iter().enumerate().filter(|(j, _)| *j != i);
        let correlations = others.filter_map(|(j, other)| {
            let correlation = covariance[i][j] / (covariance[i][i] * covariance[j][j]).sqrt();
            (correlation.abs() >= 0.3).then(|| (other.id.clone(), correlation))
        });
    ] {
        id: String = free.id.clone();
        title: String = free.title.clone(), "What it is.";
        scales: Vec<String> = list(&free.scales, NumberId::to_string), "The numbers that it multiplies.";
        prior: Ranged = Ranged::of(1.0, free.prior), "The factor before the data.";
        posterior: Ranged = factor(calibrated.posterior, i), "The factor after the data.";
        moved_by: Vec<MovedBy> = list(&calibrated.movers[i], MovedBy::of), "The data that say most about it, most first; only from 5 % on.";
        correlations: BTreeMap<String, f64> = correlations.collect(), "By the id of another parameter, −1 to 1; only from 0.3 on, either sign.";
    }

    /// A datum that says something about a parameter.
    MovedBy of (mover: &Mover) {
        datum: String = mover.datum.clone();
        share_fraction: f64 = mover.share, "Its share of what is known of the parameter.";
    }

    /// A published figure, bound or order, and how it is predicted.
    #[schemars(rename = "Datum")]
    DatumJson of (calibrated: &Calibrated<'_>, r: &RowAccuracy) [
        let row = &calibrated.rows[r.row];
        let left = |left: Option<LeftOut>| left.map(|l| Foretold::of(row, l));
    ] {
        id: String = row.id.clone(), "The datum, then the figure or the pair.";
        datum: String = row.datum.clone(), "The datum.";
        kind: String = format!("{:?}", row.kind).to_lowercase(), "value, ratio or ordering.";
        measures: String = row.dimension.to_string(), "The unit: s, B, 1/s, B/s, or a share from 0 to 1.";
        published: Published = Published::of(row.claim), "A number; for a bound, range or order an object.";
        predicted: f64 = r.predicted, "By the fit to all data.";
        error: f64 = error(row, r.predicted), "Predicted over published less 1; for a bound that holds 0.";
        holds: bool = row.claim.residual(r.predicted) == 0.0, "For bounds and orders; false for a figure unless it is met exactly.";
        restates: Vec<String> = row.restates.clone(), "Data with the same content: such a row is shown and not fitted.";
        no_mechanism: Option<String> = row.no_mechanism.clone(), "Why the model cannot predict it yet, null where it can: such a row is shown and not fitted.";
        leave_one_out: Option<Foretold> = left(r.left_out), "From a fit without this datum; null if there is none.";
        leave_mechanism_out: Option<Foretold> = left(r.mechanism_left_out), "Without all data on its mechanism.";
        leave_source_out: Option<Foretold> = left(r.source_left_out), "Without its whole source.";
    }
}

/// Predicted over published less 1; for a bound that holds 0.
pub(super) fn error(row: &Row, predicted: f64) -> f64 {
    row.claim.residual(predicted).exp() - 1.0
}

//! Intervals of a prediction from the errors of the numbers that it rests on.
//!
//! Method: each number is shifted by one sigma on the logarithmic scale and the prediction made again;
//! the logarithmic changes add up in squares (delta method, independent errors); 80 % of a normal
//! distribution lie within 1.2816 sigma. A later issue replaces independence by the fit's covariance.

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::deployment::Deployment;
use super::lens::Lens;
use super::prediction::{Interval, Prediction};
use super::solve::{Effort, predict_through};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::workload::Load;

/// How many of the most uncertain numbers are shifted; the rest are below a percent each.
const SHIFTED_SPREAD_MIN: f64 = 0.02;

/// Fills the intervals of `prediction`, which `deployment` under `load` gave.
pub fn add_intervals(
    prediction: &mut Prediction,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) {
    // Shifted and unshifted are solved alike, so that only the shift makes the difference.
    let solve =
        |lens| predict_through(lens, deployment, load, catalog, calibration, Effort::Search);
    let Ok(unshifted) = solve(Lens::forgetful(&calibration.factors)) else {
        return;
    };
    let mut squares = vec![0.0; prediction.classes.len()];
    for (name, used) in &prediction.used {
        if used.spread < SHIFTED_SPREAD_MIN || used.value == 0.0 {
            continue;
        }
        let lens = Lens::shifting(&calibration.factors, name, used.spread.exp());
        let Ok(shifted) = solve(lens) else { continue };
        for (square, class) in squares.iter_mut().zip(&prediction.classes) {
            if let (Some(a), Some(b)) = (shifted.class(&class.name), unshifted.class(&class.name)) {
                *square += (a.p95.value / b.p95.value).ln().powi(2);
            }
        }
    }
    let quantile = Normal::standard().inverse_cdf(0.9);
    for (class, square) in prediction.classes.iter_mut().zip(squares) {
        let factor = (quantile * square.sqrt()).exp();
        for interval in [&mut class.mean, &mut class.p95] {
            *interval = Interval {
                value: interval.value,
                low: interval.value / factor,
                high: interval.value * factor,
            };
        }
    }
}

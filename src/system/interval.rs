//! Intervals of a prediction from the errors of the numbers that it rests on.
//!
//! Method (delta method on the logarithmic scale): each free parameter of the fit is shifted by one
//! sigma with all numbers that it scales, and the slopes are combined by the fit's covariance, so that
//! errors which the data tie together are not counted twice; each other uncertain number is shifted
//! alone and its change added in squares; so is what the model itself errs by beyond its parameters:
//! where somebody measured ([`crate::posterior::Posterior::discrepancy`]), where nobody did
//! ([`super::unmeasured`]), and against the simulator ([`super::own_error`]). A shift that overloads the
//! deployment is taken the other way. 80 % of a normal distribution lie within 1.2816 sigma.

use std::collections::BTreeMap;

use super::deployment::Deployment;
use super::lens::Lens;
use super::own_error::OwnError;
use super::prediction::{Interval, PredictError, Prediction};
use super::solve::{predict, predict_through};
use super::sway::Watch;
use super::unmeasured::Unmeasured;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::workload::{Load, Work};

/// By kind of work, the factor on either side within which its p95 lies with a chance of 80 %; none where the
/// analytic solver finds no steady state.
pub fn p95_factors(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) -> BTreeMap<Work, f64> {
    let Ok(mut peak) = predict(deployment, load, catalog, calibration) else {
        return BTreeMap::new();
    };
    add_intervals(&mut peak, deployment, load, catalog, calibration);
    p95_factors_of(&peak)
}

/// The same of a prediction that has its intervals.
pub fn p95_factors_of(peak: &Prediction) -> BTreeMap<Work, f64> {
    let classes = peak.classes.iter();
    classes
        .map(|class| (class.work.clone(), class.p95.high / class.p95.value))
        .collect()
}

/// Fills the intervals of `prediction`, which `deployment` under `load` gave, and what each figure hangs on.
pub fn add_intervals(
    prediction: &mut Prediction,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) {
    let solve = |lens: Lens<'_>| predict_through(lens, deployment, load, catalog, calibration);
    let mut watch = Watch::new(prediction);
    let posterior = &calibration.posterior;
    let changes = |shifted: &Prediction| -> Vec<f64> {
        let classes = prediction.classes.iter();
        classes
            .map(|class| {
                let shifted = shifted.class(&class.work);
                shifted.map_or(0.0, |s| (s.p95.value / class.p95.value).ln())
            })
            .collect()
    };
    let mut squares = vec![posterior.discrepancy.powi(2); prediction.classes.len()];
    // A number that a user replaced is no longer the fit's.
    let is_fitted = |name: &String| {
        let used = prediction.used.get(name);
        used.is_some_and(|used| used.origin.kind() == "fitted")
    };
    // Slopes by free parameter; none where it touches no number of this prediction.
    let slopes: Vec<Option<Vec<f64>>> = (0..posterior.free.len())
        .map(|i| {
            let free = &posterior.free[i];
            let sigma = posterior.covariance[i][i].sqrt();
            let touches = free
                .scales
                .iter()
                .any(|name| prediction.used.contains_key(name));
            if !touches || sigma <= 0.0 {
                return None;
            }
            let numbers: Vec<&str> = free.scales.iter().map(String::as_str).collect();
            let (shifted, sign) = shift(&solve, &numbers, sigma)?;
            if sign > 0.0 {
                watch.see(&free.id, &shifted);
            }
            let changes = changes(&shifted).into_iter();
            Some(changes.map(|change| sign * change / sigma).collect())
        })
        .collect();
    for (i, a) in slopes.iter().enumerate() {
        for (j, b) in slopes.iter().enumerate() {
            let (Some(a), Some(b)) = (a, b) else { continue };
            for (c, square) in squares.iter_mut().enumerate() {
                *square += a[c] * posterior.covariance[i][j] * b[c];
            }
        }
    }
    for (name, used) in &prediction.used {
        if is_fitted(name) || !used.is_uncertain() {
            continue;
        }
        let Some((shifted, sign)) = shift(&solve, &[name], used.spread) else {
            continue;
        };
        if sign > 0.0 {
            watch.see(name, &shifted);
        }
        for (square, change) in squares.iter_mut().zip(changes(&shifted)) {
            *square += change.powi(2);
        }
    }
    prediction.sways = watch.found();
    let own = OwnError::of(deployment);
    let unmeasured = Unmeasured::of(deployment, &prediction.used, (calibration, posterior));
    for (class, square) in prediction.classes.iter_mut().zip(squares) {
        let beyond = unmeasured.variance(class);
        let of_both = [(&mut class.mean, own.mean), (&mut class.p95, own.p95)];
        for (interval, own) in of_both {
            let square = square.max(0.0) + beyond + OwnError::sigma(own).powi(2);
            *interval = Interval::around(interval.value, square.sqrt());
        }
    }
}

/// What is predicted where `numbers` are all larger by `sigma` on the logarithmic scale, and the sign of that; smaller where
/// it is overloaded otherwise, and nothing where it is so either way.
fn shift(
    solve: &impl Fn(Lens<'_>) -> Result<Prediction, PredictError>,
    numbers: &[&str],
    sigma: f64,
) -> Option<(Prediction, f64)> {
    [1.0, -1.0].into_iter().find_map(|sign| {
        let factors = numbers.iter();
        let factors = factors.map(|name| ((*name).to_owned(), (sign * sigma).exp()));
        let factors = factors.collect();
        let shifted = solve(Lens::scaling(&factors)).ok()?;
        Some((shifted, sign))
    })
}

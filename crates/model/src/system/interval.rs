//! Intervals of a prediction from the errors of the numbers that it rests on.
//!
//! Method (delta method on the logarithmic scale): each free parameter of the fit is shifted by one
//! sigma with all numbers that it scales, and the slopes are combined by the fit's covariance, so that
//! errors which the data tie together are not counted twice; each other uncertain number is shifted
//! alone and its change added in squares; so is what the model itself errs by beyond its parameters:
//! where somebody measured ([`crate::posterior::Posterior::discrepancy`]), where nobody did
//! ([`super::unmeasured`]), and against the simulator ([`super::own_error`]). A shift that overloads the
//! deployment is taken the other way. That of a 95th percentile is no shorter than the low end of the mean time away from locks,
//! for a long hold makes it longer and never shorter. The low end is no shorter than what stated round trips and bytes at
//! stated rates take ([`super::prediction::ClassPrediction::least`]). 80 % of a normal distribution lie within 1.2816 sigma.

use std::collections::BTreeMap;

use super::busiest::{Busiest, Busy};
use super::deployment::Deployment;
use super::lens::{Lens, Numbers};
use super::main_driver::{Uncertain, Watch};
use super::own_error::{ELSEWHERE, OwnError};
use super::prediction::{ClassPrediction, Interval, PredictError, Prediction};
use super::rest::Resting;
use super::solve::{predict, predict_through};
use super::unmeasured::Unmeasured;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::posterior::{NumberId, Posterior};
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
    classes.map(|class| (class.work.clone(), class.p95.high / class.p95.value)).collect()
}

/// Fills the intervals of `prediction`, which `deployment` under `load` gave, and what each figure hangs on.
pub fn add_intervals(
    prediction: &mut Prediction,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) {
    let posterior = &calibration.posterior;
    let mut watch = Watch::new(prediction);
    let busy = Busy::most(prediction);
    // Of the 95th percentile of each kind of work, of its time away from locks, then of what each busy resource is asked for.
    let changes = |shifted: &Outcome| -> Option<Vec<f64>> {
        let shifted = shifted.as_ref().ok()?;
        let times = |of: fn(&ClassPrediction) -> f64| {
            prediction.classes.iter().map(move |class| {
                let shifted = shifted.class(&class.work);
                let change = shifted.map(|shifted| (of(shifted) / of(class)).ln());
                change.filter(|change| change.is_finite()).unwrap_or(0.0)
            })
        };
        let classes = times(|class| class.p95.value).chain(times(ClassPrediction::away_from_locks));
        let busy = busy.iter().map(|busy| busy.change(shifted));
        Some(classes.chain(busy).collect())
    };
    let see = |shift: &Uncertain, shifted: &Outcome| {
        if let Ok(shifted) = shifted {
            watch.see(shift, shifted);
        }
    };
    let Ok(resting) = Resting::of(deployment, load, 0.0, catalog, calibration) else {
        return;
    };
    let errors = Errors {
        solve: &|factors| resting.shifted(factors.iter().copied()).map(|(p, _)| p),
        used: &prediction.used,
        posterior,
        larger: false,
    };
    let classes = prediction.classes.len();
    let mut squares = errors.variances(2 * classes + busy.len(), changes, see);
    prediction.main_drivers = watch.found();
    let peeks = deployment.read_locks.peeks();
    let unmeasured = Unmeasured::of(deployment, &prediction.used, (calibration, posterior));
    let of_busy = squares.split_off(2 * classes);
    let away = squares.split_off(classes);
    prediction.busiest = busy
        .into_iter()
        .zip(of_busy)
        .map(|(busy, square)| busy.erring(square, &unmeasured))
        .max_by(|a, b| a.utilization.high.total_cmp(&b.utilization.high));
    for ((class, square), away) in prediction.classes.iter_mut().zip(squares).zip(away) {
        let beyond = unmeasured.variance(class);
        let own = OwnError::of(class, peeks);
        let of_both = [(&mut class.mean, own.mean), (&mut class.p95, own.p95)];
        for (interval, own) in of_both {
            let square = square + beyond + OwnError::sigma(own).powi(2);
            *interval = Interval::around(interval.value, square.sqrt());
        }
        // Where about one in twenty meets a long hold, the 95th percentile may be far longer, and never shorter than what all wait for.
        let square = away + beyond + OwnError::sigma(ELSEWHERE.p95).powi(2);
        let away = Interval::around(class.away_from_locks(), square.sqrt());
        class.p95.low = class.p95.low.max(away.low.min(class.p95.value));
        class.end_at_least();
    }
}

/// What is overloaded where `deployment` does not carry `load`, with the interval of what it is asked for; none where
/// no steady state is known even of a small part of the load.
pub fn overload(
    error: &PredictError,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<Busiest> {
    let PredictError::Saturated { resource, utilization } = error else {
        return None;
    };
    // What a smaller load reads from the numbers is what this one would.
    let smaller = (1..=PARTS).find_map(|halvings| {
        let part = load.scaled(0.5_f64.powi(halvings) / utilization);
        predict(deployment, &part, catalog, calibration).ok()
    })?;
    let busy = Busy::of(resource, *utilization);
    let errors = Errors {
        solve: &|factors| {
            let factors = factors.iter().map(|(number, factor)| ((*number).clone(), *factor));
            let factors = factors.collect();
            predict_through(Lens::scaling(&factors), deployment, load, catalog, calibration)
        },
        used: &smaller.used,
        posterior: &calibration.posterior,
        larger: false,
    };
    let changes = |shifted: &Outcome| match shifted {
        Ok(carried) => Some(vec![busy.change(carried)]),
        Err(PredictError::Saturated { resource: other, utilization: asked }) => {
            Some(vec![if other == resource { (asked / utilization).ln() } else { 0.0 }])
        }
        Err(PredictError::Unsteady { .. } | PredictError::Unsolved(_)) => None,
    };
    let square = errors.variances(1, changes, |_, _| ())[0];
    let unmeasured = Unmeasured::of(deployment, &smaller.used, (calibration, &calibration.posterior));
    Some(busy.erring(square, &unmeasured))
}

/// Halvings of a load that is not carried, until a part of it is.
const PARTS: i32 = 8;

type Outcome = Result<Prediction, PredictError>;

/// What is predicted where numbers are so many times as large.
type Shifted<'a, T> = dyn Fn(&[(&NumberId, f64)]) -> T + 'a;

/// The numbers that a prediction rests on, and how to predict with others.
pub(super) struct Errors<'a, T> {
    pub(super) solve: &'a Shifted<'a, T>,
    pub(super) used: &'a Numbers,
    pub(super) posterior: &'a Posterior,
    /// Whether each figure takes the direction in which it changes more, and not that of larger numbers.
    pub(super) larger: bool,
}

impl<T> Errors<'_, T> {
    /// Variances of the logarithms of so many figures, the fit's discrepancy included. `changes` says how a shift changes them
    /// and has none where it does not apply; `see` watches each number that becomes larger by one sigma.
    pub(super) fn variances(
        &self,
        figures: usize,
        changes: impl Fn(&T) -> Option<Vec<f64>>,
        mut see: impl FnMut(&Uncertain, &T),
    ) -> Vec<f64> {
        let (used, posterior) = (self.used, self.posterior);
        let mut squares = vec![posterior.discrepancy.powi(2); figures];
        // The changes that numbers which are all larger by one sigma make; smaller where they overload it otherwise.
        let mut shifted = |what: &Uncertain, numbers: &[&NumberId], sigma: f64| {
            let factors = numbers.iter().map(|number| (*number, sigma.exp()));
            let shifted = (self.solve)(&factors.collect::<Vec<_>>());
            let changes = changes(&shifted)?;
            if sigma > 0.0 {
                see(what, &shifted);
            }
            Some(changes.into_iter().map(|change| change * sigma.signum()).collect::<Vec<_>>())
        };
        let mut slope = |what: &Uncertain, numbers: &[&NumberId], sigma: f64| {
            let up = shifted(what, numbers, sigma);
            if up.is_some() && !self.larger {
                return up;
            }
            let down = shifted(what, numbers, -sigma);
            let Some((up, down)) = up.as_ref().zip(down.as_ref()) else {
                return up.or(down);
            };
            let pairs = up.iter().zip(down);
            Some(pairs.map(|(u, d)| if u.abs() > d.abs() { *u } else { *d }).collect())
        };
        // In sigmas of each free parameter; none where it touches no number that was used.
        let slopes: Vec<Option<Vec<f64>>> = (0..posterior.free.len())
            .map(|i| {
                let free = &posterior.free[i];
                let sigma = posterior.covariance[i][i].sqrt();
                let touches = free.scales.iter().any(|number| used.contains_key(number));
                if !touches || sigma <= 0.0 {
                    return None;
                }
                let numbers: Vec<&NumberId> = free.scales.iter().collect();
                let changes = slope(&Uncertain::Free(free.id.clone()), &numbers, sigma)?;
                Some(changes.iter().map(|change| change / sigma).collect())
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
        // A number that a user replaced is no longer the fit's.
        let is_free = |number| posterior.free.iter().any(|free| free.scales.contains(number));
        let others = used.iter();
        let others = others.filter(|(number, used)| used.is_uncertain() && !is_free(number));
        for (number, used) in others {
            let what = Uncertain::Number(number.clone());
            let changes = slope(&what, &[number], used.spread).unwrap_or_default();
            for (square, change) in squares.iter_mut().zip(changes) {
                *square += change.powi(2);
            }
        }
        squares.iter().map(|square| square.max(0.0)).collect()
    }
}

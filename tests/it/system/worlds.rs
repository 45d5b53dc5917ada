//! Intervals by the delta method against sampled worlds: every uncertain number drawn from its distribution, together.

use std::collections::BTreeMap;

use super::*;
use plimsoll::posterior::NumberId;
use plimsoll::system::own_error::OwnError;
use plimsoll::system::{Lens, predict_through};
use plimsoll::workload::Work;

/// Worlds that are drawn.
const WORLDS: usize = 200;
/// Of so many samples a 90th percentile is known to about a tenth in the logarithm of the width; the delta method may be off
/// by as much again.
const WIDTHS: (f64, f64) = (0.7, 1.4);

/// Numbers from a seed (Steele, Lea and Flood 2014: `SplitMix64`), two at a time as normal ones (Box and Muller 1958).
struct Draws(u64);

impl Draws {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

/// Factors of all uncertain numbers in one world: those that the fit ties together by its covariance.
fn world(draws: &mut Draws, prediction: &Prediction) -> BTreeMap<NumberId, f64> {
    let posterior = &CALIBRATION.posterior;
    let n = posterior.free.len();
    let covariance =
        nalgebra::DMatrix::from_fn(n, n, |i, j| posterior.covariance[i][j] + if i == j { 1e-6 } else { 0.0 });
    let root = covariance.cholesky().expect("a covariance").l();
    let normal = nalgebra::DVector::from_fn(n, |_, _| draws.normal());
    let shifts = root * normal;
    let mut factors: BTreeMap<NumberId, f64> = BTreeMap::new();
    for (free, shift) in posterior.free.iter().zip(shifts.iter()) {
        for name in &free.scales {
            *factors.entry(name.clone()).or_insert(1.0) *= shift.exp();
        }
    }
    for (name, used) in &prediction.used {
        if used.origin.kind() != "fitted" && used.spread >= 0.02 {
            factors.insert(name.clone(), (used.spread * draws.normal()).exp());
        }
    }
    factors
}

/// By kind of work, the width between the 10th and the 90th percentile of p95 on the logarithmic scale: by the delta
/// method from the numbers alone, and as drawn.
fn widths(deployment: &Deployment, load: &Load) -> Vec<(Work, f64, f64)> {
    // Only what numbers do is drawn: what the model itself errs by is added to both alike.
    let mut calibration = CALIBRATION.clone();
    calibration.posterior.discrepancy = 0.0;
    for id in ["unmeasured", "unmeasured.line"] {
        let unmeasured = calibration.parameters.get_mut(id);
        unmeasured.expect("a parameter").value.value = 0.0;
    }
    let mut prediction = solve(deployment, load).expect("it is steady");
    add_intervals(&mut prediction, deployment, load, &CATALOG, &calibration);
    let own = |class| {
        let own = OwnError::of(class, deployment.read_locks.peeks());
        OwnError::sigma(own.p95)
    };
    let mut draws = Draws(7);
    let mut drawn: BTreeMap<Work, Vec<f64>> = BTreeMap::new();
    for _ in 0..WORLDS {
        let factors = world(&mut draws, &prediction);
        let lens = Lens::scaling(&factors);
        let Ok(other) = predict_through(lens, deployment, load, &CATALOG, &CALIBRATION) else {
            panic!("a world is overloaded");
        };
        for class in other.classes {
            drawn.entry(class.work).or_default().push(class.p95.value);
        }
    }
    let classes = prediction.classes.iter();
    classes
        .map(|class| {
            let all = drawn.get_mut(&class.work).expect("it was drawn");
            all.sort_by(f64::total_cmp);
            let at = |q: f64| all[(q * (all.len() - 1) as f64) as usize];
            let sampled = (at(0.9) / at(0.1)).ln();
            let half = (class.p95.high / class.p95.value).ln();
            let own = own(class) * 1.281_551_565_5;
            let delta = 2.0 * (half.powi(2) - own.powi(2)).max(0.0).sqrt();
            (class.work.clone(), delta, sampled)
        })
        .collect()
}

#[test]
fn the_delta_method_is_as_wide_as_sampled_worlds() {
    for load in [0.3, 1.0] {
        // No world of these overloads anything: what is drawn then has an end.
        let site = Answers { large_syncs: 1, ..ORDINARY }.site();
        let layout = CATALOG.layouts.get("local-all").expect("it is a layout");
        let deployment = bind(&CATALOG, layout, &rich(&site)).expect("it has drives");
        let load = from_site::load(&site).scaled(load);
        for (work, delta, sampled) in widths(&deployment, &load) {
            let ratio = delta / sampled;
            assert!(
                (WIDTHS.0..WIDTHS.1).contains(&ratio),
                "{work:?}: {delta:.3} by the delta method, {sampled:.3} as drawn"
            );
        }
    }
}

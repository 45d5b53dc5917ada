//! What a number does is found from where a deployment is at rest: the same as solving all again.

use std::collections::BTreeMap;

use plimsoll::advisor::today;
use plimsoll::posterior::NumberId;
use plimsoll::site;
use plimsoll::system::{Lens, Prediction, Resting, predict_through};

use crate::agreement::generated;
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

/// Sites, and of each every how many-th number is shifted by its one-sigma error.
const SITES: u64 = 24;
const EVERY: usize = 4;
/// Changes below this part say nothing.
const LEAST: f64 = 1e-3;
/// How closely slopes are found, and how many of them.
const CLOSE: f64 = 0.02;
const MOST: f64 = 0.95;

/// Logarithms of how many times as long each kind of work takes.
fn changes(before: &Prediction, after: &Prediction) -> Vec<f64> {
    let classes = before.classes.iter();
    let changes = classes.map(|class| {
        let after = after.class(&class.work).expect("the same work");
        (after.p95.value / class.p95.value).ln()
    });
    changes.collect()
}

#[test]
fn slopes_are_those_of_solving_again() {
    let (mut all, mut far) = (0, Vec::new());
    for seed in 0..SITES {
        let text = generated::site(seed);
        let name = format!("generated-{seed}.toml");
        let site = site::parse(&name, &text, &[], &VOCABULARY);
        let site = site.unwrap_or_else(|error| panic!("{text}\n{}", error.render()));
        let Ok(there) = today::system(&site, &CATALOG, &CALIBRATION) else {
            continue;
        };
        let (deployment, load) = (&there.deployment, &there.load);
        let Ok(rest) = Resting::of(deployment, load, 0.0, &CATALOG, &CALIBRATION) else {
            continue;
        };
        let solve = |factors: &BTreeMap<NumberId, f64>| {
            let lens = Lens::scaling(factors);
            predict_through(lens, deployment, load, &CATALOG, &CALIBRATION)
        };
        let whole = solve(&BTreeMap::new()).expect("it is at rest");
        let used = rest.used().iter().filter(|(_, used)| used.spread >= 0.02);
        for (number, used) in used.step_by(EVERY) {
            let factor = used.spread.exp();
            let again = solve(&BTreeMap::from([(number.clone(), factor)]));
            let near = rest.shifted([(number, factor)]);
            let (again, near) = match (again, near) {
                (Ok(again), Ok((near, _))) => (again, near),
                (Err(again), Err(near)) => {
                    assert_eq!(again.to_string(), near.to_string(), "{seed}: {number}");
                    continue;
                }
                (again, near) => {
                    let (again, near) = (again.err(), near.err());
                    far.push(format!("{seed}: {number}: {again:?}, from rest {near:?}"));
                    all += 1;
                    continue;
                }
            };
            let slopes = changes(&whole, &again).into_iter();
            for (slope, near) in slopes.zip(changes(rest.prediction(), &near)) {
                if slope.abs() < LEAST {
                    continue;
                }
                all += 1;
                if (near - slope).abs() > CLOSE * slope.abs() {
                    far.push(format!("{seed}: {number}: {slope:.4}, from rest {near:.4}"));
                }
            }
        }
    }
    let share = 1.0 - far.len() as f64 / f64::from(all);
    assert!(all > 1000 && share >= MOST, "{share} of {all}: {far:#?}");
}

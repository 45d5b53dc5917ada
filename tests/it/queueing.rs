//! The solvers of `queueing` against published answers, the operational laws and each other.
//!
//! Rows are named after the table of published answers they come from; [OQ] quotes the tests of
//! octave-queueing 1.2.7, [LV] those of LQNS 6.2, [JX] the example models of JMT.

mod accuracy;
mod beyond;
mod bounds;
mod chain;
mod closed_forms;
mod closed_forms_by_chains;
mod exact;
mod laws;
mod locks;
mod phases;
mod published;
mod servers;

use plimsoll::queueing::{Class, Network, Station};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Properties over the same `cases` in every run.
fn same_cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260_101),
        ..ProptestConfig::default()
    }
}

/// Asserts a value within an absolute tolerance.
#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}

/// Stations with the given servers, 0 for a delay.
fn network(servers: &[u32], classes: Vec<Class>) -> Network {
    let stations = servers
        .iter()
        .enumerate()
        .map(|(station_idx, &servers)| match servers {
            0 => Station::delay(format!("delay {station_idx}")),
            _ => Station::queueing(format!("queue {station_idx}"), servers),
        })
        .collect();
    Network::new(stations, classes)
}

/// Demands from visits and service times.
fn demands(visits: &[f64], service_times: &[f64]) -> Vec<f64> {
    visits.iter().zip(service_times).map(|(visits, time)| visits * time).collect()
}

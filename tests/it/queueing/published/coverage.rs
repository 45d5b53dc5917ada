//! How often the simulator's intervals hold the published answer, and whether it is right on average.

use plimsoll::sim::Estimate;

use super::case::{Case, Subject};
use super::simulated::{Effort, Simulation};
use super::simulated_stations;

/// Runs of each case, with seeds from 0 on.
pub(super) const RUNS: u64 = 400;

/// Events of each run, about.
pub(super) const EVENTS: f64 = 20_000.0;

/// Cases that are run so often: priorities, open and closed classes.
pub(super) const CASES: [&str; 2] = ["R4c", "E24"];

/// One figure, and how many of its intervals at 95 % hold it.
pub(super) struct Coverage {
    pub(super) id: &'static str,
    pub(super) figure: String,
    pub(super) truth: f64,
    pub(super) held: u64,
    /// Mean of all runs, less the truth, over the standard error of that mean.
    pub(super) bias: f64,
}

/// Of every figure of a case.
pub(super) fn coverage(case: &Case) -> Vec<Coverage> {
    let truths = case.answers();
    let network = match &case.subject {
        Subject::Network(network, _) => Some(network),
        Subject::Formulas(_) => None,
    };
    let estimates = |seed: u64| -> Vec<Option<Estimate>> {
        let effort = Effort { seed, events: EVENTS };
        match network {
            Some(network) => {
                let found = Simulation::new(network, effort);
                let figures = case.figures.iter();
                figures.map(|figure| found.of(figure.quantity, network)).collect()
            }
            None => simulated_stations::simulate(case.id, effort).unwrap().into_iter().map(Some).collect(),
        }
    };
    let runs: Vec<Vec<Option<Estimate>>> = (0..RUNS).map(estimates).collect();
    case.figures
        .iter()
        .zip(truths)
        .enumerate()
        .filter_map(|(idx, (figure, truth))| {
            let found: Option<Vec<Estimate>> = runs.iter().map(|run| run[idx]).collect();
            let found = found?;
            let n = found.len() as f64;
            let mean = found.iter().map(|e| e.value).sum::<f64>() / n;
            let spread = found.iter().map(|e| (e.value - mean).powi(2)).sum::<f64>() / (n - 1.0);
            let held = |e: &&Estimate| e.low() <= truth && truth <= e.high();
            Some(Coverage {
                id: case.id,
                figure: figure.quantity.label(network),
                truth,
                held: found.iter().filter(held).count() as u64,
                bias: (mean - truth) / (spread / n).sqrt(),
            })
        })
        .collect()
}

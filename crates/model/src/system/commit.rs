//! How long a commit holds the commit section on an idle server.
//!
//! Knows one commit and nobody else: who waits for it is told by [`super::solve`].

use super::demand::cost;
use super::deployment::Deployment;
use super::lens::Lens;
use super::plant::Plant;
use super::sheet::{Scripts, Sheet};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::workload::{Arrival, Call, Clients, Group, Load};

/// How long a commit of `files` files holds the commit section on an idle server \[s\]: what everybody
/// else waits for.
pub fn commit_time(
    deployment: &Deployment,
    load: &Load,
    files: f64,
    catalog: &Catalog,
    calibration: &Calibration,
) -> f64 {
    let lens = Lens::forgetful();
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    hold(&mut plant, files)
}

/// The same on a plant that is there.
pub(super) fn hold(plant: &mut Plant<'_>, files: f64) -> f64 {
    let alone = Group {
        clients: Clients::Benchmark("submit".to_owned()),
        arrival: Arrival::Closed { population: 1.0, think_time: 0.0 },
        calls: Vec::new(),
        remote: None,
        threads: 1.0,
        connected: false,
        of_builds: 0.0,
    };
    let call = Call::once("branchsubmit-commit", files, 0.0);
    let mut sheet = Sheet::new(Scripts::Dropped);
    let command = &plant.catalog.commands[&call.command];
    let cost = cost(plant, &mut sheet, &alone, (&call, command), 0);
    let commit = cost.sections.iter().filter(|s| s.commit);
    let holds = commit.flat_map(|s| cost.list(&s.inside).iter());
    holds.map(|(_, seconds)| seconds).sum()
}

//! What the model errs by where nobody has measured.
//!
//! The discrepancy that leaving data out shows holds for hosts, arrays and networks that some source measured. Of others
//! the model knows data sheets, and what it leaves out of them no datum shows. Let what is spent at each kind of resource err
//! by a share of its own, independent of the others (the assumption of `advisor` between layouts), and by nothing
//! beyond the fit's discrepancy where a datum moved its numbers: then a time errs by σ √Σ wᵢ², with the shares wᵢ of the time
//! that are spent at kinds nobody measured. σ is `unmeasured` of `calibration/parameters.toml`, and `unmeasured.line`
//! for a line to an office and round trips to it: rate, window and round trip are stated, and only what the protocol adds is not.

use std::collections::{BTreeMap, BTreeSet};

use super::deployment::Deployment;
use super::lens::Numbers;
use super::plant::ResourceKind;
use super::prediction::{ClassPrediction, Prediction};
use crate::calibration::Calibration;
use crate::catalog::host::{self, GENERATIONS};
use crate::posterior::{EntryKind, NumberId, Posterior};

/// σ: what is spent at a kind of resource that nobody measured errs by, on the logarithmic scale.
pub(crate) fn sigma(calibration: &Calibration) -> f64 {
    error(calibration, "unmeasured")
}

fn error(calibration: &Calibration, parameter: &str) -> f64 {
    let parameter = calibration.parameters.get(parameter);
    parameter.map_or(0.0, |parameter| parameter.value.value)
}

/// What judging p4d by clock and instructions per clock errs by: a parameter.
const RATIO: &str = "speed_error.2026";

/// One-sigma errors of a logarithm by the kind of resource that they come from.
pub type Errors = BTreeMap<ResourceKind, f64>;

/// The kinds of resource of a deployment that some datum measured, and the error of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmeasured {
    sigma: f64,
    line: f64,
    measured: BTreeSet<ResourceKind>,
}

impl Unmeasured {
    /// Of a deployment whose prediction read the numbers `used`, by what the data behind `posterior` moved.
    pub fn of(deployment: &Deployment, used: &Numbers, (calibration, posterior): (&Calibration, &Posterior)) -> Self {
        let is_measured = |is_of: &dyn Fn(&NumberId) -> bool| {
            let mut numbers = used.keys().filter(|number| is_of(number));
            numbers.any(|number| moves(posterior, number))
        };
        let is_entry_measured = |kind, id: &str| is_measured(&|number| number.is_of(kind, id));
        let mut measured = BTreeSet::from([
            // What a client takes is an answer, not the model's.
            ResourceKind::Client,
        ]);
        let mut note = |kinds: &[ResourceKind], is: bool| {
            if is {
                measured.extend(kinds);
            }
        };
        // A processor of today has the costs of the measured one times a ratio that is a parameter of its own.
        let ratio = NumberId::parameter(RATIO);
        let rows = costs_of_rows();
        let is_judged = used.contains_key(&ratio);
        note(
            &[ResourceKind::Processor],
            is_measured(&|number| rows.contains(number)) && (!is_judged || moves(posterior, &ratio)),
        );
        let mounts = || deployment.volumes.iter();
        let stores = mounts()
            .all(|m| is_entry_measured(EntryKind::Array, &m.device) || is_entry_measured(EntryKind::Medium, &m.medium));
        note(&[ResourceKind::Disks, ResourceKind::Stream, ResourceKind::Ports], stores);
        let requests = mounts().all(|m| is_entry_measured(EntryKind::Protocol, &m.protocol));
        note(&[ResourceKind::Slots, ResourceKind::Connections], requests);
        let clients = is_entry_measured(EntryKind::Network, &deployment.client_network);
        note(&[ResourceKind::ClientNetwork, ResourceKind::Delay], clients);
        let is_network = |number: &NumberId| number.kind() == Some(EntryKind::Network);
        note(&[ResourceKind::StorageNetwork], is_measured(&is_network) && stores);
        Self { sigma: sigma(calibration), line: error(calibration, "unmeasured.line"), measured }
    }

    /// What the logarithm of a time with these parts errs by, one sigma by kind of resource: the kinds err apart.
    fn errors(&self, parts: impl Iterator<Item = (ResourceKind, f64)> + Clone) -> Errors {
        let all: f64 = parts.clone().map(|(_, seconds)| seconds).sum();
        let mut errors = Errors::new();
        for (kind, seconds) in parts {
            let error = self.error_of(kind);
            if seconds > 0.0 && error > 0.0 {
                *errors.entry(kind).or_default() += error * seconds / all;
            }
        }
        errors
    }

    /// What is spent at a kind of resource errs by.
    fn error_of(&self, kind: ResourceKind) -> f64 {
        match kind {
            kind if self.measured.contains(&kind) => 0.0,
            ResourceKind::Wan => self.line,
            _ => self.sigma,
        }
    }

    /// Variance of the logarithm of the time of a kind of work.
    pub fn variance(&self, class: &ClassPrediction) -> f64 {
        // Round trips of a distant command are those of its line.
        let office = class.work.clients.office();
        let parts = class.parts.iter().map(|(kind, seconds)| match kind {
            ResourceKind::Delay if office.is_some() => (ResourceKind::Wan, *seconds),
            kind => (*kind, *seconds),
        });
        let errors = self.errors(parts);
        errors.values().map(|error| error.powi(2)).sum()
    }

    /// Variance of the logarithm of what one kind of resource is asked for.
    pub fn variance_of(&self, kind: ResourceKind) -> f64 {
        self.error_of(kind).powi(2)
    }

    /// The errors of a benchmark, whose kinds of work count by how much time all their commands take.
    pub fn of_run(&self, prediction: &Prediction) -> Errors {
        self.errors(parts_of_run(prediction))
    }
}

fn parts_of_run(prediction: &Prediction) -> impl Iterator<Item = (ResourceKind, f64)> + Clone {
    prediction.classes.iter().flat_map(|class| {
        let parts = class.parts.iter();
        parts.map(|(kind, seconds)| (*kind, seconds * class.throughput))
    })
}

/// Shares of the time of all commands of a benchmark that are spent at each kind of resource.
pub fn shares_of_run(prediction: &Prediction) -> Errors {
    let one = Unmeasured { sigma: 1.0, line: 1.0, measured: BTreeSet::new() };
    one.of_run(prediction)
}

/// What a row of a table costs the processors of hosts, read or written by each generation, or loaded by any.
fn costs_of_rows() -> Vec<NumberId> {
    let works = ["row_read", "row_write"].into_iter();
    let costs = works.flat_map(|work| GENERATIONS.map(|generation| host::cost(work, generation)));
    let costs = costs.chain(["row_load".to_owned()]);
    costs.map(NumberId::parameter).collect()
}

/// Whether data moved every free parameter that scales a number.
fn moves(posterior: &Posterior, number: &NumberId) -> bool {
    let mut scaling = (0..posterior.free.len()).filter(|i| posterior.free[*i].scales.contains(number)).peekable();
    scaling.peek().is_some() && scaling.all(|i| !posterior.moved_by[i].is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sigma: f64) -> Unmeasured {
        Unmeasured { sigma, line: 0.1, measured: BTreeSet::from([ResourceKind::Processor]) }
    }

    #[test]
    fn what_is_measured_adds_nothing_and_the_rest_adds_by_its_share() {
        use ResourceKind::{Disks, Ports, Processor};
        let unmeasured = of(0.5);
        let variance = |parts: &[(ResourceKind, f64)]| -> f64 {
            let errors = unmeasured.errors(parts.iter().copied());
            errors.values().map(|error| error.powi(2)).sum()
        };
        assert_eq!(variance(&[(Processor, 2.0)]), 0.0);
        assert!((variance(&[(Disks, 3.0)]) - 0.25).abs() < 1e-12);
        assert!((variance(&[(Disks, 1.0), (Processor, 1.0)]) - 0.25 / 4.0).abs() < 1e-12);
        // Two kinds err apart: together by less than one alone.
        assert!((variance(&[(Disks, 1.0), (Ports, 1.0)]) - 0.25 / 2.0).abs() < 1e-12);
        assert_eq!(variance(&[]), 0.0);
        // A line's rate is stated, with any other error.
        assert!((variance(&[(ResourceKind::Wan, 1.0)]) - 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_host_of_2017_is_measured_and_one_of_today_is_not() {
        let posterior = Posterior::embedded();
        let moves = |number| moves(&posterior, &number);
        assert!(moves(NumberId::parameter("row_read.2017")));
        assert!(!moves(NumberId::parameter(RATIO)));
        assert!(!moves(EntryKind::Medium.number("nvme", "random_read")));
    }
}

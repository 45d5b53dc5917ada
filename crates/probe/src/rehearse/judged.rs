//! What the model predicts for the machine, solved and simulated, by kind of work and cause.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::machine::Machine;
use super::plan::Plan;
use crate::sim::{self, Means, Run, Stopped};
use crate::system::process::process;
use crate::system::{PredictError, Prediction, ResourceKind, interval, predict};
use crate::workload::Work;

/// Simulated time over that of the rehearsal, and most events: some seconds.
const LONGER: f64 = 20.0;
const EVENTS_MAX: u64 = 3_000_000;
const REPLICATIONS: u64 = 2;

/// A kind of work as predicted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct OfKind {
    pub(super) mean: Option<(f64, f64, f64)>,
    pub(super) p95: Option<(f64, f64, f64)>,
    pub(super) simulated_mean: Option<(f64, f64)>,
    pub(super) simulated_p95: Option<(f64, f64)>,
    /// Locks, storage, processor, network \[s\].
    pub(super) causes: Option<[f64; 4]>,
}

/// All kinds, and what is overloaded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Judged {
    pub(super) kinds: BTreeMap<Work, OfKind>,
    pub(super) saturated: Option<String>,
    pub(super) busy: Vec<(String, f64)>,
    pub(super) notes: Vec<String>,
}

/// Round trips of a command over the client's network.
fn trips(machine: &Machine) -> f64 {
    let parameter = machine.calibration.parameter("round_trips.command");
    let trip = machine.catalog.networks.get(&machine.deployment.client_network);
    let trip = trip.map_or(0.0, |network| network.round_trip.value.get());
    parameter.map_or(0.0, |p| p.value.value) * trip
}

fn by_cause(parts: &[(ResourceKind, f64)], trips: f64) -> [f64; 4] {
    let [mut locks, mut storage, mut processor, mut network] = [0.0; 4];
    for (kind, seconds) in parts {
        match kind {
            ResourceKind::Lock => locks += seconds,
            ResourceKind::Processor => processor += seconds,
            ResourceKind::ClientNetwork | ResourceKind::Client | ResourceKind::Wan => {
                network += seconds;
            }
            ResourceKind::Delay => {
                // Nobody queues there: round trips of clients, and what a forced write waits for.
                let theirs = trips.min(*seconds);
                network += theirs;
                storage += seconds - theirs;
            }
            ResourceKind::StorageNetwork
            | ResourceKind::Slots
            | ResourceKind::Connections
            | ResourceKind::Disks
            | ResourceKind::Stream
            | ResourceKind::Ports => storage += seconds,
        }
    }
    // What is left of a difference by rounding is nothing.
    [locks, storage, processor, network].map(|seconds| if seconds < 1e-9 { 0.0 } else { seconds })
}

/// Predicts the plan's load on the machine.
pub(super) fn judge(plan: &Plan, machine: &Machine, stop: &AtomicBool) -> Judged {
    let Machine { deployment, catalog, calibration } = machine;
    let mut judged = Judged::default();
    match predict(deployment, &plan.load, catalog, calibration) {
        Ok(mut prediction) => {
            interval::add_intervals(&mut prediction, deployment, &plan.load, catalog, calibration);
            judged.take(&prediction, trips(machine));
        }
        Err(error @ PredictError::Saturated { .. }) => judged.saturated = Some(error.to_string()),
        Err(error) => judged.notes.push(format!("no prediction: {error}")),
    }
    judged.simulate(plan, machine, stop);
    judged
}

impl Judged {
    fn take(&mut self, prediction: &Prediction, trips: f64) {
        for class in &prediction.classes {
            let kind = self.kinds.entry(class.work.clone()).or_default();
            kind.mean = Some((class.mean.value, class.mean.low, class.mean.high));
            kind.p95 = Some((class.p95.value, class.p95.low, class.p95.high));
            kind.causes = Some(by_cause(&class.parts, trips));
        }
        let busy = prediction.busy();
        let busy = busy.filter(|(one, used)| !one.is_lock() || *used > 0.01);
        self.busy = busy.map(|(one, used)| (one.to_string(), used)).collect();
    }

    fn simulate(&mut self, plan: &Plan, machine: &Machine, stop: &AtomicBool) {
        let Machine { deployment, catalog, calibration } = machine;
        let process = match process(deployment, &plan.load, catalog, calibration, None) {
            Ok(process) => process,
            Err(reason) => return self.notes.push(format!("no simulation: {reason}")),
        };
        let time = (plan.settings.warm_up + plan.settings.measure).as_secs_f64();
        let run = Run {
            seed: plan.settings.seed,
            span: sim::Span::SteadyFor { time: time * LONGER },
            confidence: 0.8,
            events_max: EVENTS_MAX,
            means: Means::Activities,
            rare: 0.0,
        };
        let mut replications = Vec::new();
        for number in 0..REPLICATIONS {
            let go_on = &mut |_| {
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            match sim::simulate(&process.model, &run, number, go_on) {
                Ok(replication) => replications.push(replication),
                Err(error) => return self.notes.push(format!("no simulation: {error}")),
            }
        }
        let outcome = sim::fold(&process.model, &run, &replications);
        if outcome.stopped == Stopped::Unsteady {
            self.saturated.get_or_insert_with(|| "in the simulation work comes faster than it is done".to_owned());
        }
        for (activity, found) in process.activities.iter().zip(&outcome.activities) {
            if found.completions == 0 {
                continue;
            }
            let kind = self.kinds.entry(activity.work.clone()).or_default();
            kind.simulated_mean = Some((found.response.value, found.response.half_width));
            let p95 = found.quantiles.iter().find(|(p, _)| *p == 0.95);
            kind.simulated_p95 = p95.map(|(_, p)| (p.value, p.half_width));
        }
    }
}

//! Simulations as JSON.

use serde_json::{Value, json};

use super::Inputs;
use super::estimate::estimate_json;
use super::json::{joined, list};
use super::peak::kind_word;
use super::precision::Reached;
use super::prediction_json::{number, work_json};
use super::simulation::Simulation;
use crate::sim::{ActivityOutcome, LockOutcome, Series};
use crate::system::Deployment;
use crate::system::process::Activity;

/// One simulated deployment under a site's load.
pub fn simulation_json(
    inputs: &Inputs<'_>,
    deployment: &Deployment,
    simulation: &Simulation,
) -> Value {
    joined(inputs.header(), told(deployment, simulation))
}

/// What is told of a simulation, alone and among others.
pub(super) fn told(deployment: &Deployment, simulation: &Simulation) -> Value {
    let (process, outcome) = (&simulation.process, &simulation.outcome);
    let activities = process.activities.iter().zip(&outcome.activities);
    let done = activities.filter(|(_, found)| found.completions > 0);
    let stations = outcome.stations.iter().zip(&process.kinds);
    let busy = stations.filter(|(station, _)| station.utilization.value > 0.0);
    json!({
        "memory_short": simulation.short,
        "layout": deployment.layout,
        "edges": deployment.edges,
        "scenario": simulation.scenario,
        "predictions": list(done, |(activity, found)| response(simulation, activity, found)),
        "resources": list(busy, |(station, kind)| json!({
            "name": station.name,
            "kind": kind_word(*kind),
            "utilization": station.utilization.value,
            "utilization_interval": estimate_json(station.utilization),
            "queue_length": estimate_json(station.queue_length),
            "residence_time_s": estimate_json(station.residence),
        })),
        "locks": list(&outcome.locks, |one| lock(simulation, one)),
        "bottleneck": simulation.bottleneck().map(|(name, utilization)| json!({
            "name": name, "utilization": utilization,
        })),
        "run": run(simulation),
        "series": outcome.series.as_ref().map(|one| series(simulation, one)),
        "numbers": list(&process.used, |(name, used)| {
            number(name, &used.shown, &used.origin, used.spread)
        }),
    })
}

/// How it was run, and how well every mean was to be known.
fn run(simulation: &Simulation) -> Value {
    let wanted = simulation.wanted;
    let wanted = json!({
        "precision_wanted_fraction": wanted.map(|wanted| wanted.precision),
        "rare_fraction": wanted.map(|wanted| wanted.rare),
        "events_max": wanted.map(|wanted| wanted.events_max),
        "precision_sentence": simulation.precision(),
    });
    joined(simulation.ran().json(), wanted)
}

fn response(simulation: &Simulation, activity: &Activity, found: &ActivityOutcome) -> Value {
    let half_width = found.response.half_width;
    let reached = simulation.reached(found);
    let told = json!({
        "response_time_s": estimate_json(found.response),
        "response_time_half_width_s": half_width.is_finite().then_some(half_width),
        "response_time_percentiles": list(&found.quantiles, |(p, e)| json!({
            "percentile": p * 100.0, "time_s": estimate_json(*e),
        })),
        "longest_s": found.longest,
        "lock_wait_s": found.lock_wait,
        "throughput_per_s": found.throughput.value,
        "completions": found.completions,
        "precision_reached": reached.map(|reached| reached == Reached::Yes),
        "model_factor_80": simulation.model_factors.get(&activity.work),
    });
    joined(work_json(&activity.work), told)
}

fn lock(simulation: &Simulation, lock: &LockOutcome) -> Value {
    json!({
        "name": lock.name,
        "exclusive_fraction": estimate_json(lock.exclusive),
        "shared_fraction": estimate_json(lock.shared),
        "waiting": estimate_json(lock.waiting),
        "users": list(&lock.users, |user| json!({
            "class": simulation.activity(user.activity),
            "exclusive": user.exclusive,
            "acquisitions": user.acquisitions,
            "wait_s": user.wait,
            "longest_wait_s": user.longest_wait,
            "hold_s": user.hold,
        })),
        "waited_for": list(&lock.blame, |blame| json!({
            "waiting": simulation.activity(blame.victim),
            "held_by": simulation.activity(blame.culprit),
            "mean_waiters": blame.waiting,
        })),
    })
}

fn series(simulation: &Simulation, series: &Series) -> Value {
    let process = &simulation.process;
    let (stations, locks) = (process.model.stations.iter(), process.model.locks.iter());
    json!({
        "piece_s": series.piece,
        "classes": list(process.activities.iter().enumerate(), |(idx, activity)| json!({
            "class": activity.name,
            "completions": series.completions[idx],
            "response_time_s": series.response[idx],
        })),
        "resources": list(stations.zip(&series.utilization), |(station, busy)| json!({
            "name": station.name, "utilization": busy,
        })),
        "locks": list(locks.zip(&series.lock_waiting), |(lock, waiting)| json!({
            "name": lock.name, "waiting": waiting,
        })),
    })
}

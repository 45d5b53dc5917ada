//! Simulations as JSON.

use serde_json::{Map, Value, json};

use super::Inputs;
use super::estimate::estimate_json;
use super::peak::kind_word;
use super::precision::Reached;
use super::prediction_json::{number, work_json};
use super::simulation::Simulation;
use crate::sim::{ActivityOutcome, LockOutcome, Series};
use crate::system::Deployment;

/// One simulated deployment under a site's load.
pub fn simulation_json(
    inputs: &Inputs<'_>,
    deployment: &Deployment,
    simulation: &Simulation,
) -> Value {
    let mut map = inputs.header();
    insert_simulation(&mut map, deployment, simulation);
    Value::Object(map)
}

/// The keys of a simulation: what one alone and one among others share.
pub(super) fn insert_simulation(
    map: &mut Map<String, Value>,
    deployment: &Deployment,
    simulation: &Simulation,
) {
    let short = simulation.short.clone().map_or(Value::Null, Value::String);
    map.insert("memory_short".to_owned(), short);
    let outcome = &simulation.outcome;
    let activities = simulation.process.activities.iter();
    let predictions: Value = activities
        .zip(&outcome.activities)
        .filter(|(_, found)| found.completions > 0)
        .map(|(activity, found)| {
            let mut value = work_json(&activity.work);
            value.extend(response(found));
            let reached = simulation.reached(found);
            value.insert(
                "precision_reached".to_owned(),
                reached.map(|reached| reached == Reached::Yes).into(),
            );
            let factor = simulation.model_factors.get(&activity.work).copied();
            value.insert("model_factor_80".to_owned(), factor.into());
            Value::Object(value)
        })
        .collect();
    let resources: Value = outcome
        .stations
        .iter()
        .zip(&simulation.process.kinds)
        .filter(|(station, _)| station.utilization.value > 0.0)
        .map(|(station, kind)| {
            json!({
                "name": station.name,
                "kind": kind_word(*kind),
                "utilization": station.utilization.value,
                "utilization_interval": estimate_json(station.utilization),
                "queue_length": estimate_json(station.queue_length),
                "residence_time_s": estimate_json(station.residence),
            })
        })
        .collect();
    let locks: Value = outcome.locks.iter().map(|l| lock(simulation, l)).collect();
    let bottleneck = simulation
        .bottleneck()
        .map(|(name, utilization)| json!({ "name": name, "utilization": utilization }));
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    put("layout", deployment.layout.clone().into());
    put("edges", deployment.edges.into());
    put("scenario", simulation.scenario.clone().into());
    put("predictions", predictions);
    put("resources", resources);
    put("locks", locks);
    put("bottleneck", bottleneck.into());
    put("run", run(simulation));
    put(
        "series",
        outcome
            .series
            .as_ref()
            .map(|s| series(simulation, s))
            .into(),
    );
    let used = simulation.process.used.iter();
    put(
        "numbers",
        used.map(|(name, used)| number(name, &used.shown, &used.origin, used.spread))
            .collect(),
    );
}

/// How it was run, and how well every mean was to be known.
fn run(simulation: &Simulation) -> Value {
    let mut run = simulation.ran().json();
    let wanted = simulation.wanted;
    run["precision_wanted_fraction"] = wanted.map(|wanted| wanted.precision).into();
    run["rare_fraction"] = wanted.map(|wanted| wanted.rare).into();
    run["events_max"] = wanted.map(|wanted| wanted.events_max).into();
    run["precision_sentence"] = simulation.precision().into();
    run
}

fn response(found: &ActivityOutcome) -> Map<String, Value> {
    let percentiles: Value = found
        .quantiles
        .iter()
        .map(|(p, e)| json!({ "percentile": p * 100.0, "time_s": estimate_json(*e) }))
        .collect();
    let half_width = found.response.half_width;
    let half_width = half_width.is_finite().then_some(half_width);
    let fields = [
        ("response_time_s", estimate_json(found.response)),
        ("response_time_half_width_s", half_width.into()),
        ("response_time_percentiles", percentiles),
        ("longest_s", found.longest.into()),
        ("lock_wait_s", found.lock_wait.into()),
        ("throughput_per_s", found.throughput.value.into()),
        ("completions", found.completions.into()),
    ];
    let fields = fields.map(|(key, value)| (key.to_owned(), value));
    fields.into_iter().collect()
}

fn lock(simulation: &Simulation, lock: &LockOutcome) -> Value {
    let users: Value = lock
        .users
        .iter()
        .map(|user| {
            json!({
                "class": simulation.activity(user.activity),
                "exclusive": user.exclusive,
                "acquisitions": user.acquisitions,
                "wait_s": user.wait,
                "longest_wait_s": user.longest_wait,
                "hold_s": user.hold,
            })
        })
        .collect();
    let waited: Value = lock
        .blame
        .iter()
        .map(|blame| {
            json!({
                "waiting": simulation.activity(blame.victim),
                "held_by": simulation.activity(blame.culprit),
                "mean_waiters": blame.waiting,
            })
        })
        .collect();
    json!({
        "name": lock.name,
        "exclusive_fraction": estimate_json(lock.exclusive),
        "shared_fraction": estimate_json(lock.shared),
        "waiting": estimate_json(lock.waiting),
        "users": users,
        "waited_for": waited,
    })
}

fn series(simulation: &Simulation, series: &Series) -> Value {
    let activities = simulation.process.activities.iter().enumerate();
    let classes: Value = activities
        .map(|(a, activity)| {
            json!({
                "class": activity.name,
                "completions": series.completions[a],
                "response_time_s": series.response[a],
            })
        })
        .collect();
    let stations = simulation.process.model.stations.iter();
    let resources: Value = stations
        .zip(&series.utilization)
        .map(|(s, busy)| json!({ "name": s.name, "utilization": busy }))
        .collect();
    let locks = simulation.process.model.locks.iter();
    let locks: Value = locks
        .zip(&series.lock_waiting)
        .map(|(l, waiting)| json!({ "name": l.name, "waiting": waiting }))
        .collect();
    json!({
        "piece_s": series.piece,
        "classes": classes,
        "resources": resources,
        "locks": locks,
    })
}

//! Predictions as JSON.

use serde_json::{Map, Value, json};

use super::advice_json::{assumptions, measured};
use super::estimate::estimate_json;
use super::peak::kind_word;
use super::{Column, Inputs};
use crate::advisor::{LayoutPrediction, NoForecast, criteria};
use crate::origin::Origin;
use crate::site::Target;
use crate::system::{
    Confirmation, Interval, LongHold, PredictError, Prediction, Simulated, Simulation,
};
use crate::workload::Work;
use crate::workload::memory;
use crate::workload::mix::EMBEDDED;

pub(super) fn interval(i: Interval) -> Value {
    json!({ "value": i.value, "low": i.low, "high": i.high })
}

/// Which kind of work an object is about: its name as printed, and what it is for programs.
pub(super) fn work_json(work: &Work) -> Map<String, Value> {
    let office = work.clients.office();
    let fields = [
        ("class", work.to_string().into()),
        ("clients", work.clients.kind().into()),
        ("office", office.into()),
        ("work", work.what().into()),
        ("target", work.target().map_or("none", Target::key).into()),
    ];
    fields
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
}

/// `predictions`, `resources`, `locks`, `bottleneck`: what `advise` and `predict` share.
pub(super) fn insert_prediction(map: &mut Map<String, Value>, prediction: &Prediction) {
    let classes: Vec<Value> = prediction
        .classes
        .iter()
        .map(|c| {
            let times: Value = c
                .parts
                .iter()
                .map(|(kind, s)| json!({ "resource": kind_word(*kind), "time_s": s }))
                .collect();
            let numbers = [
                ("response_time_s", interval(c.mean)),
                ("response_time_p95_s", interval(c.p95)),
                ("throughput_per_s", c.throughput.into()),
                ("rate_bytes_per_s", c.rate.into()),
                ("time_s", times),
                ("simulated", c.simulated.as_ref().map(simulated).into()),
            ];
            let mut value = work_json(&c.work);
            value.extend(numbers.map(|(key, number)| (key.to_owned(), number)));
            Value::Object(value)
        })
        .collect();
    let resources: Vec<Value> = prediction
        .resources
        .iter()
        .map(|r| json!({ "name": r.resource.name, "kind": kind_word(r.resource.kind()), "utilization": r.utilization }))
        .collect();
    let locks: Vec<Value> = prediction
        .locks
        .iter()
        .map(|l| {
            json!({
                "name": l.lock.name,
                "hold_s": l.hold,
                "write_wait_s": l.write_wait,
                "read_wait_s": l.read_wait,
                "utilization": l.utilization,
            })
        })
        .collect();
    let long_holds: Vec<Value> = prediction.long_holds.iter().map(long_hold).collect();
    let (resource, utilization) = prediction.bottleneck();
    map.insert("predictions".to_owned(), classes.into());
    map.insert("resources".to_owned(), resources.into());
    map.insert("locks".to_owned(), locks.into());
    map.insert("long_holds".to_owned(), long_holds.into());
    map.insert(
        "bottleneck".to_owned(),
        json!({ "name": resource.to_string(), "utilization": utilization }),
    );
    let busiest = prediction.busiest.as_ref().map(|busiest| {
        json!({
            "name": busiest.resource.to_string(),
            "offered": interval(busiest.utilization),
            "overload_percent": busiest.overload_chance(),
        })
    });
    map.insert("busiest".to_owned(), busiest.into());
    map.insert(
        "large_syncs".to_owned(),
        json!({ "in_flight": prediction.large_syncs_in_flight() }),
    );
    map.insert(
        "memory".to_owned(),
        json!({ "db_hit_fraction": prediction.db_hit, "archive_hit_fraction": prediction.depot_hit }),
    );
    map.insert("method".to_owned(), prediction.method.clone().into());
    map.insert(
        "simulation".to_owned(),
        prediction.confirmed.as_ref().map(confirmation).into(),
    );
}

/// A hold of a table lock that is far longer than everything else.
fn long_hold(found: &LongHold) -> Value {
    let met = found.met_by.iter();
    let met: Vec<Value> = met
        .map(|(work, share)| json!({ "class": work.to_string(), "fraction": share }))
        .collect();
    json!({
        "holder": found.holder.to_string(),
        "lock": found.lock,
        "hold_s": found.hold,
        "rate_per_s": found.rate,
        "met_by": met,
    })
}

/// A kind of work as it was simulated.
fn simulated(found: &Simulated) -> Value {
    json!({
        "response_time_s": estimate_json(found.mean),
        "response_time_p95_s": estimate_json(found.p95),
        "seen": found.seen,
        "is_shown": found.is_shown,
    })
}

/// What a prediction was confirmed by.
fn confirmation(found: &Confirmation) -> Value {
    match found {
        Confirmation::Steady(Simulation { events, time }) => {
            json!({ "events": events, "time_s": time, "is_steady": true })
        }
        Confirmation::Failed(reason) => json!({ "error": reason }),
    }
}

/// A number that an answer rests on.
pub(super) struct Number<'n> {
    pub(super) name: String,
    /// With its unit.
    pub(super) shown: String,
    pub(super) origin: &'n Origin,
    /// One-sigma relative error.
    pub(super) spread: f64,
}

/// The numbers that an answer rests on: those of the prediction, the mix of commands and the criteria's
/// factors.
pub(super) fn each_number(prediction: &Prediction) -> impl Iterator<Item = Number<'_>> {
    let used = prediction.used.iter().map(|(name, used)| Number {
        name: name.clone(),
        shown: used.shown.clone(),
        origin: &used.origin,
        spread: used.spread,
    });
    let mix = EMBEDDED.numbers().map(|(name, n)| Number {
        name,
        shown: n.value.to_string(),
        origin: &n.origin,
        spread: n.spread,
    });
    let factors = criteria::EMBEDDED
        .iter()
        .map(|((circumstance, criterion), n)| Number {
            name: format!("criteria {circumstance}.{criterion}"),
            shown: n.value.to_string(),
            origin: &n.origin,
            spread: n.spread,
        });
    let memory = memory::EMBEDDED
        .shown()
        .map(|(name, shown, origin, spread)| Number {
            name: format!("memory {name}"),
            shown,
            origin,
            spread,
        });
    used.chain(mix).chain(memory).chain(factors)
}

/// The same for programs, with their origins.
pub(super) fn numbers(prediction: &Prediction) -> Value {
    each_number(prediction)
        .map(|n| number(&n.name, &n.shown, n.origin, n.spread))
        .collect()
}

pub(super) fn number(name: &str, shown: &str, origin: &Origin, spread: f64) -> Value {
    json!({
        "name": name,
        "value": shown,
        "origin": origin.kind(),
        "from": origin.ids(),
        "why": origin.to_string(),
        "spread_fraction": spread,
    })
}

/// One deployment under a site's load.
pub fn prediction_json(inputs: &Inputs<'_>, forecast: &LayoutPrediction) -> Value {
    let mut map = inputs.header();
    let layout = &forecast.deployment.layout;
    map.insert("layout".to_owned(), layout.clone().into());
    insert_forecast(&mut map, inputs, forecast);
    map.insert("numbers".to_owned(), numbers(&forecast.prediction));
    Value::Object(map)
}

/// A layout of which there is no prediction.
pub fn no_prediction_json(inputs: &Inputs<'_>, layout: &str, reason: &NoForecast) -> Value {
    let mut map = inputs.header();
    map.extend(reason_of(layout, reason));
    Value::Object(map)
}

/// Why there is none, and what is saturated by how much.
fn reason_of(layout: &str, reason: &NoForecast) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("layout".to_owned(), layout.into());
    map.insert("error".to_owned(), reason.to_string().into());
    if let NoForecast::Saturated {
        error:
            PredictError::Saturated {
                resource,
                utilization,
            }
            | PredictError::Unsteady {
                resource,
                utilization,
            },
        asked,
    } = reason
    {
        let asked = asked
            .as_ref()
            .map_or(Value::Null, |asked| interval(asked.utilization));
        let saturated =
            json!({ "what": resource.to_string(), "utilization": utilization, "interval": asked });
        map.insert("saturated".to_owned(), saturated);
    }
    map
}

/// Several deployments side by side.
pub fn comparison_json(inputs: &Inputs<'_>, columns: &[Column]) -> Value {
    let layouts: Vec<Value> = columns
        .iter()
        .map(|(name, outcome)| match outcome {
            Err(reason) => Value::Object(reason_of(name, reason)),
            Ok(forecast) => {
                let mut map = Map::new();
                map.insert("layout".to_owned(), name.clone().into());
                insert_forecast(&mut map, inputs, forecast);
                Value::Object(map)
            }
        })
        .collect();
    let mut map = inputs.header();
    map.insert("compare".to_owned(), layouts.into());
    Value::Object(map)
}

fn insert_forecast(map: &mut Map<String, Value>, inputs: &Inputs<'_>, forecast: &LayoutPrediction) {
    map.insert("edges".to_owned(), forecast.deployment.edges.into());
    insert_prediction(map, &forecast.prediction);
    let short = forecast.short.clone().map_or(Value::Null, Value::String);
    map.insert("memory_short".to_owned(), short);
    let assumed = assumptions(inputs.site, &forecast.influences);
    map.insert("assumptions".to_owned(), assumed);
    let measured = measured(inputs.site, &forecast.measured);
    map.insert("measured".to_owned(), measured);
    let times = forecast.open_times().into_iter().map(|open| {
        let mut value = work_json(&open.work);
        value.insert("low_s".to_owned(), open.low.into());
        value.insert("high_s".to_owned(), open.high.into());
        Value::Object(value)
    });
    map.insert("with_open_answers".to_owned(), times.collect());
}

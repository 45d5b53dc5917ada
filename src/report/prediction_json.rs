//! Predictions as JSON.

use serde_json::{Map, Value, json};

use super::Column;
use super::prediction_text::kind_word;
use crate::site::Site;
use crate::system::{Deployment, Interval, Prediction};

pub(super) fn interval(i: Interval) -> Value {
    json!({ "value": i.value, "low": i.low, "high": i.high })
}

/// `predictions`, `resources`, `locks`, `bottleneck`: what `advise` and `predict` share.
pub(super) fn insert_prediction(map: &mut Map<String, Value>, prediction: &Prediction) {
    let classes: Vec<Value> = prediction
        .classes
        .iter()
        .map(|c| {
            json!({
                "class": c.name,
                "target": c.response,
                "response_time_s": interval(c.mean),
                "response_time_p95_s": interval(c.p95),
                "throughput_per_s": c.throughput,
                "rate_bytes_per_s": c.rate,
                "time_s": c.parts.iter().map(|(kind, s)| json!({ "resource": kind_word(*kind), "time_s": s })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let resources: Vec<Value> = prediction
        .resources
        .iter()
        .map(|r| json!({ "name": r.name, "kind": kind_word(r.kind), "utilization": r.utilization }))
        .collect();
    let locks: Vec<Value> = prediction
        .locks
        .iter()
        .map(|l| {
            json!({
                "name": l.name,
                "hold_s": l.hold,
                "write_wait_s": l.write_wait,
                "read_wait_s": l.read_wait,
                "utilization": l.utilization,
            })
        })
        .collect();
    let (name, utilization) = prediction.bottleneck();
    map.insert("predictions".to_owned(), classes.into());
    map.insert("resources".to_owned(), resources.into());
    map.insert("locks".to_owned(), locks.into());
    map.insert(
        "bottleneck".to_owned(),
        json!({ "name": name, "utilization": utilization }),
    );
    map.insert(
        "memory".to_owned(),
        json!({ "db_hit_fraction": prediction.db_hit, "archive_hit_fraction": prediction.depot_hit }),
    );
    map.insert("method".to_owned(), prediction.method.clone().into());
}

/// The numbers that a prediction rests on, with their origins.
pub(super) fn numbers(prediction: &Prediction) -> Value {
    prediction
        .used
        .iter()
        .map(|(name, used)| {
            json!({
                "name": name,
                "value": used.shown,
                "origin": used.origin.kind(),
                "from": used.origin.ids(),
                "why": used.origin.to_string(),
                "spread_fraction": used.spread,
            })
        })
        .collect()
}

/// One deployment under a site's load.
pub fn prediction_json(site: &Site, deployment: &Deployment, prediction: &Prediction) -> Value {
    let mut map = super::header(site);
    map.insert("layout".to_owned(), deployment.layout.clone().into());
    map.insert("edges".to_owned(), deployment.edges.into());
    insert_prediction(&mut map, prediction);
    map.insert("numbers".to_owned(), numbers(prediction));
    Value::Object(map)
}

/// Several deployments side by side.
pub fn comparison_json(site: &Site, columns: &[Column]) -> Value {
    let layouts: Vec<Value> = columns
        .iter()
        .map(|(name, outcome)| match outcome {
            Err(reason) => json!({ "layout": name, "error": reason }),
            Ok((deployment, prediction)) => {
                let mut map = Map::new();
                map.insert("layout".to_owned(), name.clone().into());
                map.insert("edges".to_owned(), deployment.edges.into());
                insert_prediction(&mut map, prediction);
                Value::Object(map)
            }
        })
        .collect();
    let mut map = super::header(site);
    map.insert("compare".to_owned(), layouts.into());
    Value::Object(map)
}

//! Answers of `solve` as JSON.

use serde_json::{Map, Value, json};

use super::estimate::estimate_json;
use super::solve::{Compared, Solved, Sweep};
use crate::document;
use crate::network::{Answer, ClassBounds, File, Unsolved};
use crate::sim::Estimate;

/// What every answer about a network says of itself.
fn header(file: &File) -> Map<String, Value> {
    let texts = [&file.text].into_iter().chain(&file.overrides);
    let hash = document::fingerprint(texts.map(String::as_str));
    let mut map = super::header_of(json!({
        "network": file.name,
        "network_hash": format!("{hash:016x}"),
    }));
    map.insert("title".to_owned(), file.title.clone().into());
    map.insert("source".to_owned(), file.source.clone().into());
    map.insert("warnings".to_owned(), file.warnings.clone().into());
    map
}

/// A number, or one with its interval where it was simulated.
fn number(answer: &Answer, e: Estimate) -> Value {
    if answer.run.is_some() {
        estimate_json(e)
    } else {
        e.value.into()
    }
}

/// One answer.
pub fn solve_json(solved: &Solved<'_>) -> Value {
    let mut map = header(solved.file);
    map.append(&mut answer_json(solved.answer));
    map.insert("bounds".to_owned(), bounds_of(solved.bounds));
    if let Some(outcome) = &solved.answer.run {
        map.insert("run".to_owned(), solved.ran(outcome).json());
    }
    Value::Object(map)
}

fn answer_json(answer: &Answer) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    let value = |e: Estimate| number(answer, e);
    put("method", answer.method.word().into());
    put("solved_by", answer.solved_by.clone().into());
    put("iterations", answer.iterations.into());
    put(
        "classes",
        answer
            .classes
            .iter()
            .map(|class| class_json(answer, class))
            .collect(),
    );
    let stations = answer.stations.iter().enumerate().map(|(idx, station)| {
        let classes: Value = (answer.classes.iter())
            .map(|class| at_station(&class.name, &class.stations[idx]))
            .collect();
        json!({
            "name": station.name,
            "utilization": value(station.utilization),
            "queue_length": value(station.queue_length),
            "residence_time_s": value(station.residence),
            "throughput_per_s": value(station.throughput),
            "classes": classes,
        })
    });
    put("stations", stations.collect());
    let locks = answer.locks.iter().map(|lock| {
        json!({
            "name": lock.name,
            "exclusive_fraction": value(lock.exclusive),
            "waiting": value(lock.waiting),
            "read_wait_s": lock.read_wait,
            "write_wait_s": lock.write_wait,
        })
    });
    put("locks", locks.collect());
    let pools = answer.pools.iter().map(|pool| {
        json!({ "name": pool.name, "taken": value(pool.taken), "waiting": value(pool.waiting) })
    });
    put("pools", pools.collect());
    let caches = answer
        .caches
        .iter()
        .map(|(name, hits)| json!({ "name": name, "hit_fraction": value(*hits) }));
    put("caches", caches.collect());
    let bottleneck = answer.bottleneck();
    let bottleneck = bottleneck.map(|(name, busy)| json!({ "name": name, "utilization": busy }));
    put("bottleneck", bottleneck.into());
    put("notes", answer.notes.clone().into());
    map
}

fn class_json(answer: &Answer, class: &crate::network::ClassAnswer) -> Value {
    let stations: Value = (answer.stations.iter().zip(&class.stations))
        .map(|(station, at)| at_station(&station.name, at))
        .collect();
    let percentiles: Value = (class.quantiles.iter())
        .map(|(p, e)| json!({ "percentile": p * 100.0, "time_s": estimate_json(*e) }))
        .collect();
    json!({
        "name": class.name,
        "throughput_per_s": number(answer, class.throughput),
        "response_time_s": number(answer, class.response),
        "number": number(answer, class.number),
        "knee_population": class.knee,
        "response_time_percentiles": percentiles,
        "stations": stations,
    })
}

fn at_station(name: &str, at: &crate::network::ClassAtStation) -> Value {
    json!({
        "name": name,
        "utilization": at.utilization,
        "queue_length": at.queue_length,
        "residence_time_s": at.residence,
        "throughput_per_s": at.throughput,
    })
}

fn bounds_of(bounds: &[ClassBounds]) -> Value {
    let finite = |x: f64| x.is_finite().then_some(x);
    let each = bounds.iter().map(|class| {
        json!({
            "name": class.name,
            "kind": class.kind,
            "throughput_low_per_s": class.throughput_low,
            "throughput_high_per_s": finite(class.throughput_high),
            "response_time_low_s": class.response_low,
            "response_time_high_s": class.response_high,
            "knee_population": class.knee,
            "limited_by": class.limited_by,
        })
    });
    each.collect()
}

/// Bounds alone.
pub fn bounds_json(file: &File, bounds: &[ClassBounds]) -> Value {
    let mut map = header(file);
    map.insert("method".to_owned(), "bounds".into());
    map.insert("bounds".to_owned(), bounds_of(bounds));
    Value::Object(map)
}

/// Why there is no answer.
fn why(unsolved: &Unsolved) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("error".to_owned(), unsolved.to_string().into());
    if let Unsolved::Saturated { what, utilization } = unsolved {
        map.insert(
            "saturated".to_owned(),
            json!({ "what": what, "utilization": utilization }),
        );
    }
    map
}

/// A network without steady state.
pub fn unsolved_json(file: &File, method: crate::network::Method, unsolved: &Unsolved) -> Value {
    let mut map = header(file);
    map.insert("method".to_owned(), method.word().into());
    map.append(&mut why(unsolved));
    Value::Object(map)
}

/// Methods side by side; each but the first with its differences to the first that has an answer.
pub fn solve_comparison_json(file: &File, compared: &[Compared]) -> Value {
    let first = compared
        .iter()
        .find_map(|(_, outcome)| outcome.as_ref().ok());
    let each = compared.iter().map(|(method, outcome)| {
        let mut map = match outcome {
            Ok(answer) => answer_json(answer),
            Err(unsolved) => why(unsolved),
        };
        map.insert("method".to_owned(), method.word().into());
        if let (Ok(answer), Some(first)) = (outcome, first)
            && !std::ptr::eq(answer, first)
        {
            map.insert("difference".to_owned(), differences(first, answer));
        }
        Value::Object(map)
    });
    let each: Value = each.collect();
    let mut map = header(file);
    map.insert("compare".to_owned(), each);
    Value::Object(map)
}

fn differences(first: &Answer, other: &Answer) -> Value {
    let relative = |a: Estimate, b: Estimate| super::solve_compare::relative(a.value, b.value);
    let classes: Value = (first.classes.iter().zip(&other.classes))
        .map(|(a, b)| {
            json!({
                "name": a.name,
                "throughput_fraction": relative(a.throughput, b.throughput),
                "response_time_fraction": relative(a.response, b.response),
            })
        })
        .collect();
    let stations: Value = (first.stations.iter().zip(&other.stations))
        .map(|(a, b)| {
            json!({
                "name": a.name,
                "utilization_fraction": relative(a.utilization, b.utilization),
                "queue_length_fraction": relative(a.queue_length, b.queue_length),
            })
        })
        .collect();
    json!({ "classes": classes, "stations": stations })
}

/// A sweep: one entry a point, saturated points said.
pub fn sweep_json(file: &File, sweep: &Sweep) -> Value {
    let points: Value = (sweep.points.iter())
        .map(|point| {
            let mut map = match &point.outcome {
                Ok(answer) => answer_json(answer),
                Err(unsolved) => why(unsolved),
            };
            map.insert("value".to_owned(), point.value.into());
            Value::Object(map)
        })
        .collect();
    let mut map = header(file);
    map.insert("sweep".to_owned(), sweep.key.clone().into());
    map.insert("points".to_owned(), points);
    Value::Object(map)
}

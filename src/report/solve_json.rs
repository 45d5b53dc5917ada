//! Answers of `solve` as JSON.

use serde_json::{Value, json};

use super::estimate::estimate_json;
use super::json::{joined, list};
use super::solve::{Compared, Solved, Sweep};
use super::solve_compare::relative;
use crate::document;
use crate::network::{Answer, ClassAnswer, ClassAtStation, ClassBounds, File, Method, Unsolved};
use crate::sim::Estimate;

/// What every answer about a network says of itself.
fn header(file: &File) -> Value {
    let texts = [&file.text].into_iter().chain(&file.overrides);
    let hash = document::fingerprint(texts.map(String::as_str));
    let input = json!({ "network": file.name, "network_hash": format!("{hash:016x}") });
    let of_file = json!({ "title": file.title, "source": file.source, "warnings": file.warnings });
    joined(super::header_of(input), of_file)
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
    let mut told = joined(header(solved.file), answer_json(solved.answer));
    told["bounds"] = bounds_of(solved.bounds);
    if let Some(outcome) = &solved.answer.run {
        told["run"] = solved.ran(outcome).json();
    }
    told
}

fn answer_json(answer: &Answer) -> Value {
    let value = |e: Estimate| number(answer, e);
    json!({
        "method": answer.method.word(),
        "solved_by": answer.solved_by,
        "iterations": answer.iterations,
        "classes": list(&answer.classes, |class| class_json(answer, class)),
        "stations": list(answer.stations.iter().enumerate(), |(idx, station)| json!({
            "name": station.name,
            "utilization": value(station.utilization),
            "queue_length": value(station.queue_length),
            "residence_time_s": value(station.residence),
            "throughput_per_s": value(station.throughput),
            "classes": list(&answer.classes, |class| at_station(&class.name, &class.stations[idx])),
        })),
        "locks": list(&answer.locks, |lock| json!({
            "name": lock.name,
            "exclusive_fraction": value(lock.exclusive),
            "waiting": value(lock.waiting),
            "read_wait_s": lock.read_wait,
            "write_wait_s": lock.write_wait,
        })),
        "pools": list(&answer.pools, |pool| json!({
            "name": pool.name, "taken": value(pool.taken), "waiting": value(pool.waiting),
        })),
        "caches": list(&answer.caches, |(name, hits)| json!({ "name": name, "hit_fraction": value(*hits) })),
        "bottleneck": answer.bottleneck().map(|(name, busy)| json!({ "name": name, "utilization": busy })),
        "notes": answer.notes,
    })
}

fn class_json(answer: &Answer, class: &ClassAnswer) -> Value {
    let stations = answer.stations.iter().zip(&class.stations);
    json!({
        "name": class.name,
        "throughput_per_s": number(answer, class.throughput),
        "response_time_s": number(answer, class.response),
        "number": number(answer, class.number),
        "knee_population": class.knee,
        "response_time_percentiles": list(&class.quantiles, |(p, e)| json!({
            "percentile": p * 100.0, "time_s": estimate_json(*e),
        })),
        "stations": list(stations, |(station, at)| at_station(&station.name, at)),
    })
}

fn at_station(name: &str, at: &ClassAtStation) -> Value {
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
    list(bounds, |class| {
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
    })
}

/// Bounds alone.
pub fn bounds_json(file: &File, bounds: &[ClassBounds]) -> Value {
    let told = json!({ "method": "bounds", "bounds": bounds_of(bounds) });
    joined(header(file), told)
}

/// Why there is no answer.
fn why(unsolved: &Unsolved) -> Value {
    let mut told = json!({ "error": unsolved.to_string() });
    if let Unsolved::Saturated { what, utilization } = unsolved {
        told["saturated"] = json!({ "what": what, "utilization": utilization });
    }
    told
}

/// A network without steady state.
pub fn unsolved_json(file: &File, method: Method, unsolved: &Unsolved) -> Value {
    let told = joined(why(unsolved), json!({ "method": method.word() }));
    joined(header(file), told)
}

/// What was found, or why nothing was.
fn outcome_json(outcome: &Result<Answer, Unsolved>) -> Value {
    outcome.as_ref().map_or_else(why, answer_json)
}

/// Methods side by side; each but the first with its differences to the first that has an answer.
pub fn solve_comparison_json(file: &File, compared: &[Compared]) -> Value {
    let mut answers = compared
        .iter()
        .filter_map(|(_, outcome)| outcome.as_ref().ok());
    let first = answers.next();
    let each = list(compared, |(method, outcome)| {
        let mut told = joined(outcome_json(outcome), json!({ "method": method.word() }));
        if let (Ok(answer), Some(first)) = (outcome, first)
            && !std::ptr::eq(answer, first)
        {
            told["difference"] = differences(first, answer);
        }
        told
    });
    joined(header(file), json!({ "compare": each }))
}

fn differences(first: &Answer, other: &Answer) -> Value {
    let relative = |a: Estimate, b: Estimate| relative(a.value, b.value);
    json!({
        "classes": list(first.classes.iter().zip(&other.classes), |(a, b)| json!({
            "name": a.name,
            "throughput_fraction": relative(a.throughput, b.throughput),
            "response_time_fraction": relative(a.response, b.response),
        })),
        "stations": list(first.stations.iter().zip(&other.stations), |(a, b)| json!({
            "name": a.name,
            "utilization_fraction": relative(a.utilization, b.utilization),
            "queue_length_fraction": relative(a.queue_length, b.queue_length),
        })),
    })
}

/// A sweep: one entry a point, saturated points said.
pub fn sweep_json(file: &File, sweep: &Sweep) -> Value {
    let points = list(&sweep.points, |point| {
        joined(
            outcome_json(&point.outcome),
            json!({ "value": point.value }),
        )
    });
    joined(
        header(file),
        json!({ "sweep": sweep.key, "points": points }),
    )
}

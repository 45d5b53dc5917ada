//! A blended measurement as JSON; see docs/json.md.

use serde_json::{Value, json};

use super::blend::{Blended, blend_verdict, numbers};
use super::header_of;
use crate::experiment::Claim;
use crate::fit::{Blend, Verdict, half_width};

/// Everything that the text shows, for programs.
pub fn blend_json(blended: &Blended<'_>) -> Value {
    let blend = blended.blend;
    let numbers: Vec<Value> = numbers(blended)
        .into_iter()
        .map(|n| json!({ "name": n.name, "before": n.before, "after": n.after }))
        .collect();
    let (head, (file, calibration)) = (blended.head, blended.fingerprints);
    let mut answer = header_of(json!({
        "measurement": blended.file,
        "measurement_hash": format!("{file:016x}"),
        "calibration": format!("{calibration:016x}"),
    }));
    let mut say = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    say(
        "measured",
        json!({
            "title": head.title,
            "who": head.who,
            "when": head.when,
            "where": head.place,
            "hardware": head.hardware,
        }),
    );
    say("taken_as", json!(blended.taken_as));
    say("left_out", json!(blended.left_out));
    say("data", data(blend));
    say(
        "verdict",
        json!({
            "sentence": blend_verdict(blend),
            "agrees": blend.verdict == Verdict::Agrees,
            "shared_parameters_moved": blend.verdict != Verdict::Contradicts,
            "forced": blend.verdict == Verdict::Forced,
            "chi_squared": blend.chi_squared,
            "degrees_of_freedom": blend.degrees,
            "p_fraction": blend.p,
        }),
    );
    say("parameters", parameters(blend));
    say("numbers", numbers.into());
    let advice = blended.advice.map(|advice| {
        json!({
            "site": advice.site,
            "before": advice.before,
            "after": advice.after,
            "changed": advice.before != advice.after,
        })
    });
    say("advice", json!(advice));
    let saved = blended.saved.iter();
    let saved = saved.map(|s| json!({ "file": s.path, "replaced": s.replaced }));
    say("saved", saved.collect());
    answer.into()
}

fn interval(value: f64, sigma: f64) -> Value {
    let width = half_width(0.0, sigma * sigma, 0.0).exp();
    json!({ "value": value, "low": value / width, "high": value * width })
}

fn data(blend: &Blend) -> Value {
    blend
        .data
        .iter()
        .map(|datum| {
            json!({
                "id": datum.row.id,
                "run": datum.row.datum,
                "measures": datum.row.dimension.to_string(),
                "measured": datum.measured,
                "holds": matches!(datum.row.claim, Claim::Between(..)).then(|| datum.row.claim.residual(datum.after) == 0.0),
                "spread_fraction": datum.row.spread,
                "before": interval(datum.before, datum.sigma),
                "standardised_residual": datum.standardised(),
                "after": datum.after,
            })
        })
        .collect()
}

fn parameters(blend: &Blend) -> Value {
    blend
        .moves
        .iter()
        .map(|moved| {
            let free = &blend.before.free[moved.index];
            let factor = |(mean, sigma): (f64, f64)| interval(mean.exp(), sigma);
            let moved_by: Vec<Value> = moved
                .by
                .iter()
                .map(|m| json!({ "datum": m.datum, "share_fraction": m.share }))
                .collect();
            json!({
                "id": free.id,
                "title": free.title,
                "own": free.own,
                "scales": free.scales,
                "before": factor(moved.before),
                "after": factor(moved.after),
                "sigmas": moved.sigmas(),
                "moved_by": moved_by,
            })
        })
        .collect()
}

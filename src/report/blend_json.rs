//! A blended measurement as JSON; see docs/json.md.

use serde_json::{Value, json};

use super::blend::{Blended, blend_verdict, numbers};
use super::calibration::Ranged;
use super::calibration_json::moved_by;
use super::header_of;
use super::json::{joined, list};
use crate::experiment::Claim;
use crate::fit::{Blend, Verdict};

/// Everything that the text shows, for programs.
pub fn blend_json(blended: &Blended<'_>) -> Value {
    let blend = blended.blend;
    let (head, (file, calibration)) = (blended.head, blended.fingerprints);
    let input = json!({
        "measurement": blended.file,
        "measurement_hash": format!("{file:016x}"),
        "calibration": format!("{calibration:016x}"),
    });
    let told = json!({
        "measured": {
            "title": head.title,
            "who": head.who,
            "when": head.when,
            "where": head.place,
            "hardware": head.hardware,
        },
        "taken_as": blended.taken_as,
        "left_out": blended.left_out,
        "data": data(blend),
        "verdict": {
            "sentence": blend_verdict(blend),
            "agrees": blend.verdict == Verdict::Agrees,
            "shared_parameters_moved": blend.verdict != Verdict::Contradicts,
            "forced": blend.verdict == Verdict::Forced,
            "chi_squared": blend.chi_squared,
            "degrees_of_freedom": blend.degrees,
            "p_fraction": blend.p,
        },
        "parameters": parameters(blend),
        "numbers": numbers(blended),
        "advice": blended.advice.map(|advice| json!({
            "site": advice.site,
            "before": advice.before,
            "after": advice.after,
            "changed": advice.before != advice.after,
        })),
        "saved": blended.saved,
    });
    joined(header_of(input), told)
}

fn data(blend: &Blend) -> Value {
    list(&blend.data, |datum| {
        let claim = datum.row.claim;
        let is_order = matches!(claim, Claim::Between(..));
        json!({
            "id": datum.row.id,
            "run": datum.row.datum,
            "measures": datum.row.dimension.to_string(),
            "measured": datum.measured,
            "holds": is_order.then(|| claim.residual(datum.after) == 0.0),
            "spread_fraction": datum.row.spread,
            "before": Ranged::of(datum.before, datum.sigma),
            "standardised_residual": datum.standardised(),
            "after": datum.after,
        })
    })
}

fn parameters(blend: &Blend) -> Value {
    let factor = |(mean, sigma): (f64, f64)| Ranged::of(mean.exp(), sigma);
    list(&blend.moves, |moved| {
        let free = &blend.before.free[moved.index];
        json!({
            "id": free.id,
            "title": free.title,
            "own": free.own,
            "scales": free.scales,
            "before": factor(moved.before),
            "after": factor(moved.after),
            "sigmas": moved.sigmas(),
            "moved_by": moved_by(&moved.by),
        })
    })
}

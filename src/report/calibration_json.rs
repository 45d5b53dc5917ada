//! The calibration as JSON; see docs/json.md.

use serde_json::{Map, Value, json};

use super::calibration::{Calibrated, Foretold, Ranged, judged};
use super::header_of;
use super::json::{joined, list};
use crate::experiment::Claim;
use crate::fit::{LeftOut, Mover};

/// Everything that the text shows, for programs.
pub fn calibration_json(calibrated: &Calibrated<'_>) -> Value {
    let accuracy = calibrated.accuracy;
    let s = accuracy.summary;
    let input = json!({ "calibration": format!("{:016x}", calibrated.calibration.fingerprint) });
    let told = json!({
        "data": data(calibrated),
        "parameters": parameters(calibrated),
        "summary": {
            "figures": s.figures,
            "free_parameters": s.parameters,
            "median_error_fraction": s.median,
            "largest_error_fraction": s.worst,
            "leave_one_out_median_fraction": s.left_out_median,
            "leave_one_out_90_fraction": s.left_out_90,
            "leave_source_out_factor": s.source_factor,
            "claims_held": s.claims_held.0,
            "claims": s.claims_held.1,
            "coverage_80_fraction": s.coverage,
            "mechanism_coverage_80_fraction": s.mechanism_coverage,
            "discrepancy_fraction": accuracy.discrepancy,
            "measures": judged(accuracy),
        },
    });
    joined(header_of(input), told)
}

fn parameters(calibrated: &Calibrated<'_>) -> Value {
    let posterior = &calibrated.fit.posterior;
    list(posterior.free.iter().enumerate(), |(i, free)| {
        let covariance = &posterior.covariance[i];
        let others = posterior.free.iter().enumerate().filter(|(j, _)| *j != i);
        let correlations: Map<String, Value> = others
            .filter_map(|(j, other)| {
                let both = covariance[i] * posterior.covariance[j][j];
                let correlation = covariance[j] / both.sqrt();
                (correlation.abs() >= 0.3).then(|| (other.id.clone(), correlation.into()))
            })
            .collect();
        json!({
            "id": free.id,
            "title": free.title,
            "scales": free.scales,
            "prior": Ranged::of(1.0, free.prior),
            "posterior": calibrated.factor(i),
            "moved_by": moved_by(&calibrated.movers[i]),
            "correlations": correlations,
        })
    })
}

/// The data that say most about a parameter.
pub(super) fn moved_by(movers: &[Mover]) -> Value {
    list(
        movers,
        |m| json!({ "datum": m.datum, "share_fraction": m.share }),
    )
}

fn data(calibrated: &Calibrated<'_>) -> Value {
    let accuracy = calibrated.accuracy;
    list(&accuracy.rows, |r| {
        let row = &calibrated.problem.rows[r.row];
        let left = |left: Option<LeftOut>| left.map(|l| Foretold::of(row, l, accuracy.discrepancy));
        json!({
            "id": row.id,
            "datum": row.datum,
            "kind": format!("{:?}", row.kind).to_lowercase(),
            "measures": row.dimension.to_string(),
            "published": published(row.claim),
            "predicted": r.predicted,
            "error": row.claim.residual(r.predicted).exp() - 1.0,
            "holds": row.claim.residual(r.predicted) == 0.0,
            "restates": row.restates,
            "no_mechanism": row.no_mechanism,
            "leave_one_out": left(r.left_out),
            "leave_mechanism_out": left(r.mechanism_left_out),
            "leave_source_out": left(r.source_left_out),
        })
    })
}

pub(super) fn published(claim: Claim) -> Value {
    match claim {
        Claim::Exactly(value) => json!(value),
        Claim::Between(low, high) => json!({
            "low": (low > 0.0).then_some(low),
            "high": high.is_finite().then_some(high),
        }),
    }
}

//! A published measurement as the model ran it: how the number comes about.

use serde_json::{Map, Value, json};

use super::peak::prediction_text;
use super::prediction_json::insert_prediction;
use crate::experiment::{Claim, Readings, Row, Run};
use crate::page::{Table, paragraph};
use crate::system::{Deployment, Prediction};

/// A run with what it gave.
pub struct Tried<'a> {
    /// The run.
    pub run: &'a Run,
    /// What stood where.
    pub deployment: Deployment,
    /// What was read off.
    pub readings: Readings,
    /// All that was predicted.
    pub prediction: Prediction,
}

/// Runs one after the other, then the claims that they answer.
pub fn experiment_text(tried: &[Tried<'_>], claims: &[(&Row, f64)]) -> String {
    let mut out = String::new();
    for one in tried {
        let (run, lab) = (one.run, &one.run.setup.lab);
        let heading = format!(
            "{}: {} on {} ({}), host {}, p4d {}",
            run.id,
            run.workload.title,
            one.deployment.title,
            one.deployment.layout,
            lab.server,
            lab.release
        );
        out.push_str(&paragraph(&heading, 0));
        for why in [Some(&run.workload.why), Some(&lab.why), run.why.as_ref()] {
            out.push_str(&why.map_or_else(String::new, |why| paragraph(why, 2)));
        }
        out.push('\n');
        out.push_str(&prediction_text(&one.prediction, None, None));
        out.push('\n');
    }
    let mut table = Table::new(&["figure", ">published", ">predicted", ">error", "sigma"]);
    for (row, predicted) in claims {
        table.row(vec![
            row.id.clone(),
            published(row),
            row.dimension.show(*predicted),
            super::calibration::signed(row.claim.residual(*predicted).exp() - 1.0),
            super::peak::percent(row.stated_error()),
        ]);
    }
    if !claims.is_empty() {
        out.push_str(&table.text());
    }
    out
}

fn published(row: &Row) -> String {
    match row.claim {
        Claim::Exactly(value) => row.dimension.show(value),
        Claim::Between(low, high) => super::calibration::range(row.dimension, low, high),
    }
}

/// The same for programs.
pub fn experiment_json(tried: &[Tried<'_>], claims: &[(&Row, f64)]) -> Value {
    let runs: Vec<Value> = tried
        .iter()
        .map(|one| {
            let mut map = Map::new();
            map.insert("id".to_owned(), one.run.id.clone().into());
            map.insert("datum".to_owned(), one.run.datum.clone().into());
            map.insert("layout".to_owned(), one.deployment.layout.clone().into());
            map.insert("readings".to_owned(), json!(one.readings));
            insert_prediction(&mut map, &one.prediction);
            Value::Object(map)
        })
        .collect();
    let claims: Vec<Value> = claims
        .iter()
        .map(|(row, predicted)| {
            json!({
                "id": row.id,
                "measures": row.dimension.to_string(),
                "published": super::calibration_json::published(row.claim),
                "predicted": predicted,
                "error": row.claim.residual(*predicted).exp() - 1.0,
            })
        })
        .collect();
    json!({ "schema": 1, "tool": env!("CARGO_PKG_VERSION"), "runs": runs, "data": claims })
}

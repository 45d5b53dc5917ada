//! A published measurement as the model ran it: how the number comes about.

use serde_json::{Map, Value, json};

use super::calibration::{published, signed};
use super::json::{joined, list};
use super::peak::{percent, prediction_blocks};
use super::prediction_json::insert_prediction;
use crate::experiment::{Readings, Row, Run};
use crate::page::{Block, Page, Section, Table};
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
pub fn experiment_page(id: &str, tried: &[Tried<'_>], claims: &[(&Row, f64)]) -> Page {
    let runs = tried.iter().map(|one| {
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
        let whys = [Some(&run.workload.why), Some(&lab.why), run.why.as_ref()];
        let whys = whys.into_iter().flatten().map(Block::text);
        let found = prediction_blocks(&one.prediction, None);
        let blocks = [Block::Heading(heading)]
            .into_iter()
            .chain(whys)
            .chain(found);
        Section::untitled(blocks)
    });
    let rows = claims.iter().map(|(row, predicted)| {
        vec![
            row.id.clone(),
            published(row),
            row.dimension.show(*predicted),
            signed(row.claim.residual(*predicted).exp() - 1.0),
            percent(row.stated_error()),
        ]
    });
    let table = Table::new(&["figure", ">published", ">predicted", ">error", "sigma"]).with(rows);
    let figures = Section::new("figures", "Published and predicted", table.unless_empty());
    Page::new(
        format!("{id} as the model runs it"),
        runs.chain([figures]).collect(),
    )
}

/// The same for programs.
pub fn experiment_json(tried: &[Tried<'_>], claims: &[(&Row, f64)]) -> Value {
    let runs = list(tried, |one| {
        let mut map = Map::new();
        insert_prediction(&mut map, &one.prediction);
        let run = json!({
            "id": one.run.id,
            "datum": one.run.datum,
            "layout": one.deployment.layout,
            "readings": one.readings,
        });
        joined(map, run)
    });
    let claims = list(claims, |(row, predicted)| {
        json!({
            "id": row.id,
            "measures": row.dimension.to_string(),
            "published": super::calibration_json::published(row.claim),
            "predicted": predicted,
            "error": row.claim.residual(*predicted).exp() - 1.0,
        })
    });
    json!({ "schema": 1, "tool": env!("CARGO_PKG_VERSION"), "runs": runs, "data": claims })
}

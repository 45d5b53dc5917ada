//! A published measurement as the model ran it: how the number comes about.

use super::SCHEMA;
use super::calibration::{published, signed};
use super::calibration_json::{Published, error};
use super::json::{Tool, list, object};
use super::peak::{percent, prediction_blocks};
use super::prediction_json::Prediction as PredictionJson;
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
            run.id, run.workload.title, one.deployment.title, one.deployment.layout, lab.server, lab.release
        );
        let whys = [Some(&run.workload.why), Some(&lab.why), run.why.as_ref()];
        let whys = whys.into_iter().flatten().map(Block::text);
        let found = prediction_blocks(&one.prediction, None);
        let blocks = [Block::Heading(heading)].into_iter().chain(whys).chain(found);
        Section::untitled(blocks)
    });
    let rows = claims.iter().map(|(row, predicted)| {
        vec![
            row.id.clone(),
            published(row),
            row.dimension.show(*predicted),
            signed(error(row, *predicted)),
            percent(row.stated_error()),
        ]
    });
    let table = Table::new(&["figure", ">published", ">predicted", ">error", "sigma"]).with(rows);
    let figures = Section::new("figures", "Published and predicted", table.unless_empty());
    Page::new(format!("{id} as the model runs it"), runs.chain([figures]).collect())
}

object! {
    /// `predict --experiment`: published measurements as the model runs them.
    Experiments of (tried: &[Tried<'_>], claims: &[(&Row, f64)]) {
        #[serde(flatten)] tool: Tool = Tool::of(SCHEMA);
        runs: Vec<RunTried> = list(tried, RunTried::of), "Each run.";
        data: Vec<ClaimTried> = list(claims, ClaimTried::of), "Each claim that these runs answer, as under `calibrate`.";
    }

    /// A run, and what the model predicts of it.
    RunTried of (one: &Tried<'_>) {
        id: String = one.run.id.clone();
        datum: Option<String> = one.run.datum.clone(), "Null for a run that only comparisons read.";
        layout: String = one.deployment.layout.clone(), "The layout.";
        readings: Readings = one.readings.clone(), "By the name of the measure, in base units.";
        #[serde(flatten)] prediction: PredictionJson = PredictionJson::of(&one.prediction);
    }

    /// A published figure that a run answers.
    ClaimTried of ((row, predicted): &(&Row, f64)) {
        id: String = row.id.clone(), "The datum, then the figure.";
        measures: String = row.dimension.to_string(), "The unit.";
        published: Published = Published::of(row.claim), "A number; for a bound, range or order an object.";
        predicted: f64 = *predicted, "By the model.";
        error: f64 = error(row, *predicted), "Predicted over published less 1; for a bound that holds 0.";
    }
}

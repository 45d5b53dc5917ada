//! How well the model predicts what was published: as declared with the calibration, without a new fit.

use super::{Block, Grid, Section, Told};
use crate::fit;
use crate::report::prediction_text::percent;
use crate::units::significant;

pub(super) fn accuracy(told: &Told<'_>) -> Section {
    let declared = fit::declared();
    let calibration = told.inputs.calibration;
    let mut blocks = vec![Block::Text(
        "The model is fitted to published measurements of Perforce servers and held against them: each figure as the \
         fit to all of them predicts it, and each as the fit to all others would. plimsoll calibrate makes these \
         tables anew."
            .to_owned(),
    )];
    let mut measures = Grid::new(&["measure", ">is"]);
    for (what, is) in [
        ("values, median error", percent(declared.median_error)),
        ("values, largest error", percent(declared.largest_error)),
        (
            "each datum from the others, median error",
            percent(declared.left_out_median),
        ),
        (
            "each datum from the others, 90th percentile",
            percent(declared.left_out_90),
        ),
        (
            "commit rates and sync times, each source from the others",
            format!("within {} ×", significant(declared.source_factor, 3)),
        ),
        (
            "80 % intervals that hold the published figure",
            percent(declared.coverage_80),
        ),
        (
            "orderings and bounds that do not hold",
            format!("{:.0}", declared.claims_violated),
        ),
        (
            "error of the model itself (one sigma)",
            percent(calibration.posterior.discrepancy),
        ),
    ] {
        measures.row(vec![what.to_owned(), is]);
    }
    blocks.push(Block::Table(measures));
    let mut sources = Grid::new(&[
        "source",
        "title",
        "published",
        ">figures",
        ">median error",
        ">largest",
    ]);
    for (id, source) in &calibration.sources {
        let own = declared.figures.iter().filter(|(figure, _)| {
            let datum = figure.split('-').next();
            datum == Some(id.as_str())
        });
        let mut errors: Vec<f64> = own.map(|(_, error)| error.abs()).collect();
        errors.sort_by(f64::total_cmp);
        let shown = |error: Option<&f64>| error.map_or("–".to_owned(), |e| percent(*e));
        sources.row(vec![
            id.clone(),
            source.title.clone(),
            source.published.clone(),
            errors.len().to_string(),
            shown(errors.get(errors.len() / 2)),
            shown(errors.last()),
        ]);
    }
    blocks.push(Block::Table(sources));
    Section {
        anchor: "accuracy",
        title: "How well the model predicts",
        blocks,
    }
}

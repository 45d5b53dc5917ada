//! How well the model predicts what was published: as declared with the calibration, without a new fit.

use super::{Block, ReportSource, Section, Table};
use crate::calibration::source_of;
use crate::fit;

/// A share as the tables of accuracy have it: "2.1 %".
fn share(x: f64) -> String {
    format!("{:.1} %", x * 100.0)
}

/// The declared measures of accuracy: what is measured, what is wanted, what it is.
pub fn accuracy_measures() -> Vec<[String; 3]> {
    let declared = fit::declared();
    let rows = [
        (
            "values in sample: median error, largest",
            "3 %, 15 %",
            format!(
                "{}, {}",
                share(declared.median_error),
                share(declared.largest_error)
            ),
        ),
        (
            "each datum from the others: median, 90th percentile",
            "12 %, 35 %",
            format!(
                "{}, {}",
                share(declared.left_out_median),
                share(declared.left_out_90)
            ),
        ),
        (
            "commit rates and sync times, each source from the others",
            "within 1.5 ×",
            format!("{:.2} ×", declared.source_factor),
        ),
        (
            "orderings and bounds violated",
            "none",
            format!("{:.0}", declared.claims_violated),
        ),
        (
            "80 % intervals that hold the figure, each source from the others",
            "75 to 95 %",
            share(declared.coverage_80),
        ),
        (
            "the same, each mechanism from the others",
            "75 to 95 %",
            share(declared.coverage_80_mechanism),
        ),
        (
            "mean score of 80 % intervals, each source from the others; of the best constant factor",
            "the first below the second",
            format!(
                "{:.2}, {:.2}",
                declared.interval_score, declared.interval_score_constant
            ),
        ),
        (
            "bounds and orders as probabilities, each source from the others (Brier)",
            "0.25",
            format!("{:.2}", declared.brier),
        ),
        (
            "figures to a free parameter",
            "2",
            format!("{:.1}", declared.figures_a_parameter),
        ),
    ];
    rows.map(|(what, target, is)| [what.to_owned(), target.to_owned(), is])
        .into()
}

pub(super) fn accuracy(source: &ReportSource<'_>) -> Section {
    let declared = fit::declared();
    let calibration = source.inputs.calibration;
    let mut blocks = vec![Block::Text(
        "The model is fitted to published measurements of Perforce servers. In sample: each figure as the fit to all \
         of them predicts it. From the others: as a fit that has not seen it predicts it. The command plimsoll \
         calibrate repeats both."
            .to_owned(),
    )];
    let mut measures = Table::new(&["measure", ">wanted", ">is"]);
    for row in accuracy_measures() {
        measures.row(row.into());
    }
    measures.row(vec![
        "error of the model itself (one sigma)".to_owned(),
        String::new(),
        share(calibration.posterior.discrepancy),
    ]);
    blocks.push(Block::Table(measures));
    let mut sources = Table::new(&[
        "source",
        "title",
        "published",
        ">figures",
        ">median error",
        ">largest",
    ]);
    for (id, source) in &calibration.sources {
        let figures = declared.figures.iter();
        let own = figures.filter(|(figure, _)| source_of(figure) == id);
        let mut errors: Vec<f64> = own.map(|(_, error)| error.abs()).collect();
        errors.sort_by(f64::total_cmp);
        let shown = |error: Option<&f64>| error.map_or("–".to_owned(), |e| share(*e));
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
    blocks.push(Block::Note(
        "By source: all figures, also ratios and figures that the fit does not use. Above: values that it uses."
            .to_owned(),
    ));
    Section {
        anchor: "accuracy",
        title: "How well the model predicts",
        appendix: true,
        blocks,
    }
}

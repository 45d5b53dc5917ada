//! How well the model predicts what was published: as declared with the calibration, without a new fit.

use super::super::peak::percent;
use super::{Block, ReportSource, Section, Table};
use crate::calibration::source_of;
use crate::fit;

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
    for measure in super::super::accuracy_measures(&declared) {
        measures.row(vec![measure.what.to_owned(), measure.target.to_owned(), measure.is]);
    }
    measures.row(vec![
        "error of the model itself (one sigma)".to_owned(),
        String::new(),
        percent(calibration.posterior.discrepancy),
    ]);
    blocks.push(Block::Table(measures));
    let mut sources = Table::new(&["source", "title", "published", ">figures", ">median error", ">largest"]);
    for (id, source) in &calibration.sources {
        let figures = declared.figures.iter();
        let own = figures.filter(|(figure, _)| source_of(figure) == id);
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
    blocks.push(Block::Note(
        "By source: all figures, also ratios and figures that the fit does not use. Above: values that it uses."
            .to_owned(),
    ));
    Section { anchor: "accuracy", title: "How well the model predicts", appendix: true, blocks }
}

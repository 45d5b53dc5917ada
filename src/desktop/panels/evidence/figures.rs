//! Published figures beside what the model predicts of them.

use crate::desktop::engine::Engine;
use crate::desktop::state::{FigureOrder, State};
use crate::page::Table;
use crate::report::{Figure, figures_summary, figures_table, parity_point};

/// All figures.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// Why there are none yet.
    pub waiting: Option<String>,
    /// The sources that have any.
    pub sources: Vec<String>,
    /// How good the prediction is, in a sentence.
    pub summary: String,
    /// Points of the chart: figures with one published value.
    pub points: Vec<Point>,
    /// The figures, a row each.
    pub table: Table,
}

/// A point of the parity chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The figure.
    pub id: String,
    /// The datum.
    pub datum: String,
    /// Index of its source.
    pub source: usize,
    /// Published and predicted, in the unit that is shown.
    pub at: (f64, f64),
    /// All of it in words.
    pub about: String,
}

impl Figures {
    pub(super) fn of(state: &State, engine: &Engine) -> Self {
        let Some(accuracy) = state.lanes.accuracy.answer() else {
            let problem = state.lanes.accuracy.problem().map(str::to_owned);
            let waiting = "Predicting all published experiments…".to_owned();
            return Self {
                waiting: problem.or(Some(waiting)),
                ..Self::default()
            };
        };
        let source = |figure: &Figure| {
            let datum = engine.calibration.datum(&figure.row.datum);
            datum.map_or("", |datum| datum.source_id.as_str())
        };
        let mut sources: Vec<String> = accuracy
            .figures
            .iter()
            .map(|figure| source(figure).to_owned())
            .collect();
        sources.sort();
        sources.dedup();
        let wanted = state.evidence.source.as_ref();
        let wanted = accuracy
            .figures
            .iter()
            .filter(|figure| wanted.is_none_or(|wanted| source(figure) == *wanted));
        let mut shown: Vec<&Figure> = wanted.collect();
        let points = shown.iter().filter_map(|figure| {
            let place = sources.iter().position(|one| one == source(figure));
            point(figure, place.unwrap_or_default(), engine)
        });
        let points = points.collect();
        match state.evidence.order {
            FigureOrder::Error => shown.sort_by(|a, b| {
                let size = |figure: &Figure| (1.0 + figure.error()).ln().abs();
                size(b).total_cmp(&size(a)).then(a.row.id.cmp(&b.row.id))
            }),
            FigureOrder::Datum => shown.sort_by(|a, b| a.row.id.cmp(&b.row.id)),
            FigureOrder::File => {}
        }
        Self {
            waiting: None,
            summary: figures_summary(&shown),
            points,
            table: figures_table(&shown),
            sources,
        }
    }

    /// The figures of one datum.
    pub(super) fn of_datum(datum: &str, state: &State) -> Table {
        let figures = state.lanes.accuracy.answer().map(|found| &found.figures);
        let figures = figures.into_iter().flatten();
        let own: Vec<&Figure> = figures.filter(|f| f.row.datum == datum).collect();
        figures_table(&own)
    }
}

fn point(figure: &Figure, source: usize, engine: &Engine) -> Option<Point> {
    let Figure { row, predicted } = figure;
    let at = parity_point(row.claim, row.dimension, *predicted)?;
    let datum = engine.calibration.datum(&row.datum);
    let title = datum.map_or("", |datum| datum.title.as_str());
    Some(Point {
        about: format!("{}\n{title}\n{}", row.id, figure.in_words()),
        id: row.id.clone(),
        datum: row.datum.clone(),
        source,
        at,
    })
}

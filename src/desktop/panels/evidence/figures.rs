//! Published figures beside what the model predicts of them.

use crate::desktop::engine::Engine;
use crate::desktop::state::{FigureOrder, State};
use crate::page::Table;
use crate::report::{Figure, figures_summary, figures_table};

/// All figures.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// Why there are none yet.
    pub waiting: Option<String>,
    /// The sources that have any.
    pub sources: Vec<String>,
    /// How good the prediction is, in a sentence.
    pub summary: String,
    /// The figures, a row each.
    pub table: Table,
}

impl Figures {
    pub(super) fn of(state: &State, engine: &Engine) -> Self {
        let Some(accuracy) = state.lanes.accuracy.answer() else {
            let problem = state.lanes.accuracy.problem().map(str::to_owned);
            let waiting = "Predicting all published experiments…".to_owned();
            return Self { waiting: problem.or(Some(waiting)), ..Self::default() };
        };
        let source = |figure: &Figure| {
            let datum = engine.calibration.datum(&figure.row.datum);
            datum.map_or("", |datum| datum.source_id.as_str())
        };
        let mut sources: Vec<String> = accuracy.figures.iter().map(|figure| source(figure).to_owned()).collect();
        sources.sort();
        sources.dedup();
        let wanted = state.evidence.source.as_ref();
        let wanted = accuracy.figures.iter().filter(|figure| wanted.is_none_or(|wanted| source(figure) == *wanted));
        let mut shown: Vec<&Figure> = wanted.collect();
        match state.evidence.order {
            FigureOrder::Error => shown.sort_by(|a, b| {
                let size = |figure: &Figure| (1.0 + figure.error()).ln().abs();
                size(b).total_cmp(&size(a)).then(a.row.id.cmp(&b.row.id))
            }),
            FigureOrder::Datum => shown.sort_by(|a, b| a.row.id.cmp(&b.row.id)),
            FigureOrder::File => {}
        }
        Self { waiting: None, summary: figures_summary(&shown), table: figures_table(&shown), sources }
    }

    /// The figures of one datum.
    pub(super) fn of_datum(datum: &str, state: &State) -> Table {
        let figures = state.lanes.accuracy.answer().map(|found| &found.figures);
        let figures = figures.into_iter().flatten();
        let own: Vec<&Figure> = figures.filter(|f| f.row.datum == datum).collect();
        figures_table(&own)
    }
}

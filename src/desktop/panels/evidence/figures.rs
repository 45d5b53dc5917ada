//! Published figures beside what the model predicts of them.

use crate::desktop::answer::Figure;
use crate::desktop::engine::Engine;
use crate::desktop::state::{FigureOrder, State};
use crate::experiment::Claim;
use crate::page::{Cell, Drawn, Table, Tone};
use crate::report::{BAND, parity_point};

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
    /// Rows of the table.
    pub rows: Vec<FigureRow>,
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

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    /// The figure: the datum and the name of its value.
    pub id: String,
    /// The datum.
    pub datum: String,
    /// What was published.
    pub published: String,
    /// What the model says.
    pub predicted: String,
    /// By how much it errs: predicted over published less 1, or by how much it is outside of a bound; NaN
    /// where the model says nothing.
    pub error: f64,
    /// The same in words.
    pub shown: String,
    /// Whether it is within the band, or holds.
    pub is_right: bool,
    /// Whether the fit saw it.
    pub is_fitted: bool,
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
        let figures = &accuracy.figures;
        let mut sources: Vec<String> = figures.iter().map(|f| source(&f.datum)).collect();
        sources.sort();
        sources.dedup();
        let index = |datum: &str| sources.binary_search(&source(datum)).unwrap_or(0);
        let wanted = state.evidence.source.as_ref();
        let is_wanted = |f: &&Figure| wanted.is_none_or(|wanted| source(&f.datum) == *wanted);
        let points = figures
            .iter()
            .filter(is_wanted)
            .filter_map(|figure| point(figure, index(&figure.datum), engine));
        let rows = figures.iter().filter(is_wanted);
        let mut rows: Vec<FigureRow> = rows.map(row).collect();
        let summary = summary(&rows);
        match state.evidence.order {
            FigureOrder::Error => rows.sort_by(|a, b| {
                let size = |row: &FigureRow| (1.0 + row.error).ln().abs();
                size(b).total_cmp(&size(a)).then(a.id.cmp(&b.id))
            }),
            FigureOrder::Datum => rows.sort_by(|a, b| a.id.cmp(&b.id)),
            FigureOrder::File => {}
        }
        Self {
            waiting: None,
            summary,
            points: points.collect(),
            rows,
            sources,
        }
    }

    /// The rows of one datum.
    pub(super) fn of_datum(datum: &str, state: &State) -> Vec<FigureRow> {
        let Some(accuracy) = state.lanes.accuracy.answer() else {
            return Vec::new();
        };
        let own = accuracy.figures.iter().filter(|f| f.datum == datum);
        own.map(row).collect()
    }
}

/// Figures with the error between what was published and what is predicted; each is about its datum.
pub(super) fn figures_table(rows: &[FigureRow]) -> Table {
    let mut table = Table::new(&["datum", "figure", ">published", ">predicted", "error", ""]);
    for row in rows {
        let name = row.id.strip_prefix(&row.datum).unwrap_or(&row.id).trim();
        let tone = if row.is_right { Tone::Good } else { Tone::Bad };
        let fit = if row.is_fitted { "" } else { "not fitted" };
        let text = |text: &str| Cell::plain(text.to_owned());
        let cells = vec![
            text(&row.datum).about(&row.datum, ""),
            text(name),
            text(&row.published),
            text(&row.predicted),
            text(&row.shown).drawn(Drawn::Off(row.error)).toned(tone),
            text(fit),
        ];
        table.linked(String::new(), cells);
    }
    table
}

/// A datum's id begins with its source's.
fn source(datum: &str) -> String {
    datum.split('-').next().unwrap_or(datum).to_owned()
}

fn point(figure: &Figure, source: usize, engine: &Engine) -> Option<Point> {
    let at = parity_point(figure.claim, figure.dimension, figure.predicted)?;
    let row = row(figure);
    let datum = engine.calibration.datum(&figure.datum);
    let title = datum.map_or("", |datum| datum.title.as_str());
    Some(Point {
        about: format!(
            "{}\n{title}\npublished {}, predicted {}: {}",
            figure.id, row.published, row.predicted, row.shown
        ),
        id: figure.id.clone(),
        datum: figure.datum.clone(),
        source,
        at,
    })
}

fn row(figure: &Figure) -> FigureRow {
    let show = |x: f64| figure.dimension.show(x);
    let published = match figure.claim {
        Claim::Exactly(value) => show(value),
        Claim::Between(low, high) if high.is_infinite() => format!("at least {}", show(low)),
        Claim::Between(low, high) if low <= 0.0 => format!("at most {}", show(high)),
        Claim::Between(low, high) => format!("{} to {}", show(low), show(high)),
    };
    let error = figure.claim.residual(figure.predicted).exp() - 1.0;
    let is_exact = matches!(figure.claim, Claim::Exactly(_));
    let shown = match (is_exact, error) {
        (_, error) if !error.is_finite() => "no answer".to_owned(),
        (false, 0.0) => "holds".to_owned(),
        (_, error) => format!("{:+.1} %", error * 100.0),
    };
    FigureRow {
        id: figure.id.clone(),
        datum: figure.datum.clone(),
        published,
        predicted: if figure.predicted.is_finite() {
            show(figure.predicted)
        } else {
            "–".to_owned()
        },
        is_right: if is_exact {
            error.abs() <= BAND
        } else {
            error == 0.0
        },
        is_fitted: figure.is_fitted,
        error,
        shown,
    }
}

fn summary(rows: &[FigureRow]) -> String {
    let mut errors: Vec<f64> = rows
        .iter()
        .filter(|r| r.is_fitted && r.shown != "holds")
        .map(|r| r.error.abs())
        .collect();
    errors.retain(|error| error.is_finite());
    errors.sort_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    let right = rows.iter().filter(|row| row.is_right).count();
    format!(
        "{right} of {} figures are within ±{:.0} % or their bounds; the fitted ones that are not just bounds err by {:.1} % in the median.",
        rows.len(),
        BAND * 100.0,
        median * 100.0
    )
}

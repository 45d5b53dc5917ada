//! Published figures beside what the model predicts of them, a row each.

use super::calibration::published;
use super::calibration_json::error;
use crate::experiment::{Claim, Row};
use crate::page::{Cell, Drawn, Table, Tone};

/// Within this relative error a prediction is called right.
const BAND: f64 = 0.15;

/// A published figure and its prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What was published.
    pub row: Row,
    /// What the model says, in base units; NaN where it has no answer.
    pub predicted: f64,
}

impl Figure {
    /// Predicted over published less 1, or by how much it is outside of a bound; NaN where the model says nothing.
    pub fn error(&self) -> f64 {
        error(&self.row, self.predicted)
    }

    fn is_value(&self) -> bool {
        matches!(self.row.claim, Claim::Exactly(_))
    }

    /// Whether it lies within 15 % of a value, or in its bounds.
    pub fn is_right(&self) -> bool {
        let band = if self.is_value() { BAND } else { 0.0 };
        self.error().abs() <= band
    }

    fn predicted_in_words(&self) -> String {
        if self.predicted.is_finite() { self.row.dimension.show(self.predicted) } else { "–".to_owned() }
    }

    fn error_in_words(&self) -> String {
        match self.error() {
            error if !error.is_finite() => "no answer".to_owned(),
            0.0 if !self.is_value() => "holds".to_owned(),
            error => format!("{:+.1} %", error * 100.0),
        }
    }
}

/// Figures with the error between what was published and what is predicted; each is about its datum.
pub fn figures_table(figures: &[&Figure]) -> Table {
    let mut table = Table::new(&["figure", ">published", ">predicted", "error", ""]);
    for figure in figures {
        let row = &figure.row;
        let tone = if figure.is_right() { Tone::Good } else { Tone::Bad };
        let fit = if row.is_fitted() { "" } else { "not fitted" };
        let cells = vec![
            Cell::plain(row.id.clone()).about(&row.datum, ""),
            Cell::plain(published(row)),
            Cell::plain(figure.predicted_in_words()),
            Cell::plain(figure.error_in_words()).drawn(Drawn::Off(figure.error())).toned(tone),
            Cell::plain(fit.to_owned()),
        ];
        table.linked(String::new(), cells);
    }
    table
}

/// How many are right, and by how much the fitted values err.
pub fn figures_summary(figures: &[&Figure]) -> String {
    let fitted = figures.iter().filter(|figure| figure.row.is_fitted());
    let errors = fitted.filter(|figure| figure.is_value() || !figure.is_right());
    let errors = errors.map(|figure| figure.error().abs());
    let mut errors: Vec<f64> = errors.filter(|error| error.is_finite()).collect();
    errors.sort_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    let right = figures.iter().filter(|figure| figure.is_right()).count();
    format!(
        "{right} of {} figures are within ±{:.0} % or their bounds; the fitted ones that are not just bounds err by {:.1} % in the median.",
        figures.len(),
        BAND * 100.0,
        median * 100.0
    )
}

//! The number that a figure depends on most: where a click on it leads.
//!
//! Of the numbers of the model ([`Prediction::sways`]) and the unanswered questions, the one whose error moves the
//! figure most. Where nothing is uncertain there is nothing to lead to.

use crate::advisor::Advice;
use crate::desktop::command::Command;
use crate::desktop::widgets::table::Row;
use crate::system::Prediction;
use crate::units::significant;

/// What a figure depends on most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hang {
    /// The id of its origin: a number, a parameter, a field.
    pub id: String,
    /// In a sentence.
    pub words: String,
}

/// Standard deviations between the middle of an interval of 80 % and its ends.
const SIGMAS: f64 = 1.281_6;

impl Hang {
    /// Of a kind of work, a resource or a lock of a prediction; `advice` has the effect of unanswered questions.
    pub fn of(advice: &Advice, prediction: &Prediction, figure: &str) -> Option<Self> {
        let sway = prediction.sways.get(figure);
        let by_number = sway.map_or(0.0, |sway| sway.factor.ln().abs());
        let open = advice.influences.iter().filter_map(|influence| {
            let factors = influence.ends.iter().flat_map(|end| &end.factors);
            let mine = factors.filter(|(work, _)| work.to_string() == figure);
            let (low, high) = mine.fold((1.0_f64, 1.0_f64), |(low, high), (_, factor)| {
                (low.min(*factor), high.max(*factor))
            });
            (low < high).then_some((&influence.field, low, high))
        });
        let reach = |(_, low, high): &(&String, f64, f64)| high.ln().max(-low.ln()) / SIGMAS;
        let widest = open.max_by(|a, b| reach(a).total_cmp(&reach(b)));
        if let Some(asked) = widest.filter(|asked| reach(asked) > by_number) {
            let (field, low, high) = asked;
            return Some(Self {
                id: field.clone(),
                words: format!(
                    "Depends most on {field} (unanswered): {} to {} times this over its range.",
                    significant(low, 2),
                    significant(high, 2)
                ),
            });
        }
        let sway = sway?;
        // The name of a parameter is its id.
        let id = sway.number.strip_prefix("parameter ");
        let id = id.unwrap_or(&sway.number).to_owned();
        let words = format!(
            "Depends most on {id}: one standard deviation more of it gives {} times this.",
            significant(sway.factor, 2)
        );
        Some(Self { id, words })
    }
}

/// What figures depend on, by the prediction that fits best: that of a what-if, where there is one.
pub(super) struct Hangs<'a> {
    pub(super) advice: &'a Advice,
    /// Of a what-if, with its own intervals.
    pub(super) own: Option<&'a Prediction>,
}

impl Hangs<'_> {
    /// Of a kind of work, a resource or a lock; as in the recommendation where the what-if does not say.
    pub(super) fn of(&self, figure: &str) -> Option<Hang> {
        let own = self.own;
        let own = own.filter(|prediction| prediction.sways.contains_key(figure));
        let prediction = own.or_else(|| Some(&self.advice.chosen.as_ref()?.prediction))?;
        Hang::of(self.advice, prediction, figure)
    }
}

/// Goes to what a row of a table depends on, if it was clicked.
pub(super) fn follow(row: &Row, hang: Option<&Hang>, out: &mut Vec<Command>) {
    if let Some(hang) = hang.filter(|_| row.clicked.is_some()) {
        out.push(Command::Explain(hang.id.clone()));
    }
}

/// Goes to what a cell of a row depends on, if it was clicked; `hangs` are those of the cells from `first` on.
pub(super) fn follow_cell(
    row: &Row,
    first: usize,
    hangs: &[Option<&Hang>],
    out: &mut Vec<Command>,
) {
    let clicked = row.clicked.and_then(|cell| cell.checked_sub(first));
    if let Some(hang) = clicked.and_then(|place| *hangs.get(place)?) {
        out.push(Command::Explain(hang.id.clone()));
    }
}

/// Hover text of a figure that leads to its origin: `about` it, and what it depends on.
pub(super) fn hover_text(about: &str, hang: Option<&Hang>) -> String {
    let words = hang.map(|hang| format!("{} Click for what to do and its origin.", hang.words));
    let parts = [Some(about.to_owned()), words];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("\n")
}

//! Figures that lead to what they depend on most.

use crate::advisor::{Advice, Driver};
use crate::desktop::command::Command;
use crate::desktop::widgets::table::Row;
use crate::system::Prediction;

/// What figures depend on, by the prediction that fits best: that of a what-if, where there is one.
pub(super) struct Drivers<'a> {
    pub(super) advice: &'a Advice,
    /// Of a what-if, with its own intervals.
    pub(super) own: Option<&'a Prediction>,
}

impl Drivers<'_> {
    /// Of a kind of work, a resource or a lock; as in the recommendation where the what-if does not say.
    pub(super) fn of(&self, figure: &str) -> Option<Driver> {
        let own = self.own;
        let own = own.filter(|prediction| prediction.main_drivers.contains_key(figure));
        let prediction = own.or_else(|| Some(&self.advice.chosen.as_ref()?.prediction))?;
        Driver::of(self.advice, prediction, figure)
    }
}

/// Goes to what a row of a table depends on, if it was clicked.
pub(super) fn follow(row: &Row, driver: Option<&Driver>, out: &mut Vec<Command>) {
    if let Some(driver) = driver.filter(|_| row.clicked.is_some()) {
        out.push(Command::Explain(driver.id.clone()));
    }
}

/// Hover text of a figure that leads to its origin: `about` it, and what it depends on.
pub(super) fn hover_text(about: &str, driver: Option<&Driver>) -> String {
    let words =
        driver.map(|driver| format!("{} Click for what to do and its origin.", driver.words));
    let parts = [Some(about.to_owned()), words];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("\n")
}

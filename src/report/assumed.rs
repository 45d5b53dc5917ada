//! Unanswered questions with their assumptions, those that matter most first, for all kinds of reports.

use crate::advisor::Influence;
use crate::site::{Assumption, Site};
use crate::units::two_digits;

/// Heads of the table that [`cells`] fills.
pub(super) const HEADS: [&str; 6] = ["field", ">assumed", ">low", ">high", "effect", "origin"];

/// Assumptions, those that matter most first, then by name.
pub(super) fn assumptions(site: &Site, influences: &[Influence]) -> Vec<Assumption> {
    let order = |field: &str| influences.iter().position(|i| i.field == field);
    let mut all = site.assumptions();
    all.sort_by_key(|a| (order(&a.field).unwrap_or(usize::MAX), a.field.clone()));
    all
}

/// A row about one of them.
pub(super) fn cells(assumption: Assumption, influences: &[Influence]) -> [String; 6] {
    let influence = influences.iter().find(|i| i.field == assumption.field);
    let matters = match influence {
        Some(i) if i.saturates => "overload".to_owned(),
        Some(i) => format!("× {}", two_digits(i.ratio)),
        None if assumption.field.starts_with("targets.") => "the limit".to_owned(),
        None => "little".to_owned(),
    };
    let Assumption {
        field,
        value,
        low,
        high,
        origin,
        ..
    } = assumption;
    [field, value, low, high, matters, origin.to_string()]
}

/// The question to ask first and the effect of its answer; nothing where none matters.
pub(super) fn ask_first(influences: &[Influence]) -> Option<String> {
    let first = influences.first()?;
    let what = if first.saturates {
        "one end of its range overloads the deployment".to_owned()
    } else {
        let ratio = two_digits(first.ratio);
        format!(
            "it changes the time of {} by up to × {ratio}",
            first.time_in_words()
        )
    };
    Some(format!("Ask first: {}; {what}.", first.field))
}

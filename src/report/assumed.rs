//! What nobody answered, in the order in which it matters, for all kinds of reports.

use crate::advisor::Influence;
use crate::site::{Assumption, Site};
use crate::units::significant;

/// Heads of the table that [`cells`] fills.
pub(super) const HEADS: [&str; 6] = ["field", ">taken", ">low", ">high", "matters", "origin"];

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
        Some(i) if i.saturates => "saturates".to_owned(),
        Some(i) => format!("× {}", significant(i.ratio, 3)),
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

/// The question worth asking first and what its answer does; nothing where none matters.
pub(super) fn ask_first(influences: &[Influence]) -> Option<String> {
    let first = influences.first()?;
    let what = if first.saturates {
        "an end of its range saturates the deployment".to_owned()
    } else {
        let ratio = significant(first.ratio, 3);
        format!("it changes {} by up to × {ratio}", first.time)
    };
    Some(format!("Ask first: {}; {what}.", first.field))
}

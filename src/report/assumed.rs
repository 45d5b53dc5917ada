//! Unanswered questions with their assumptions, those that matter most first, for all kinds of reports.

use crate::advisor::Influence;
use crate::site::{Assumption, Site};

/// Assumptions, those that matter most first, then by name.
pub(super) fn assumptions(site: &Site, influences: &[Influence]) -> Vec<Assumption> {
    let order = |field: &str| influences.iter().position(|i| i.field == field);
    let mut all = site.assumptions();
    all.sort_by_key(|a| (order(&a.field).unwrap_or(usize::MAX), a.field.clone()));
    all
}

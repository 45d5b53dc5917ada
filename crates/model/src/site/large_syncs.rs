//! The demand for large syncs where it follows from how many were seen in flight: found once, and kept for whatever is tried of
//! the system.

use super::Site;
use super::answerable::Answerable as _;
use super::fields::Kind;
use super::observed::Moved;
use super::resolve::LARGE_SYNCS;
use crate::units::{PerSecond, Seconds};

/// Answers that say other large syncs than the file does.
const ABOUT: [&str; 5] = [
    "workload.concurrent_syncs",
    LARGE_SYNCS,
    "workload.large_syncs_peak_to_mean",
    "workload.peak_to_mean",
    "today.large_sync_time",
];

/// Whether an override is about how many large syncs there are.
pub fn is_about_large_syncs(text: &str) -> bool {
    let field = text.split('=').next();
    field.is_some_and(|field| ABOUT.contains(&field.trim()))
}

/// What the system that is there shows, found with the overrides `known`, with the large syncs of a file as it stands: what is tried
/// of the system with overrides does not change what its clients want.
pub(super) fn held(
    text: &str,
    filed: impl FnOnce() -> Option<Site>,
    (moved, known): (&[Moved], &[String]),
    overrides: &[String],
) -> Vec<Moved> {
    let mut held = moved.to_vec();
    let is_it = |moved: &Moved| moved.assumption.field == LARGE_SYNCS;
    let about = |texts: &[String]| -> Vec<String> {
        let texts = texts.iter().filter(|text| is_about_large_syncs(text));
        texts.cloned().collect()
    };
    let others = about(overrides);
    if others != about(known) {
        held.retain(|moved| !is_it(moved));
    } else if others.is_empty() && !overrides.is_empty() && !held.iter().any(is_it) && text.contains("concurrent_syncs")
    {
        held.extend(filed().and_then(|filed| filed.counted(1.0, None)));
    }
    held
}

impl Site {
    /// Whether how many large syncs there are a day follows from how many are in flight.
    pub fn counts_large_syncs(&self) -> bool {
        let seen = self.workload.concurrent_syncs.as_ref();
        seen.is_some_and(|seen| seen.value > 0.0) && !self.workload.large_syncs_per_day.is_stated()
    }

    /// So many times the large syncs that were counted, each of which takes so long by the model on today's system, and whether that
    /// is assumed; none where they were not counted.
    pub fn counted(&self, times: f64, each: Option<(Seconds, bool)>) -> Option<Moved> {
        if !self.counts_large_syncs() {
            return None;
        }
        let work = &self.workload;
        let mut rows = self.assumptions.iter();
        let mut row = rows.find(|row| row.field == LARGE_SYNCS)?.clone();
        let held = &work.large_syncs_per_day;
        let scaled = |rate: PerSecond| PerSecond::new(rate.get() * times);
        let (low, high) = (scaled(held.low), scaled(held.high));
        row.low = low.shown_assumed(Kind::Rate);
        row.high = high.shown_assumed(Kind::Rate);
        row.low_override = low.written(Kind::Rate);
        row.high_override = high.written(Kind::Rate);
        let seen = work.concurrent_syncs.as_ref()?.value;
        let how = match each {
            Some((each, is_assumed)) => format!(
                "{} in flight at the peak (workload.concurrent_syncs) over the {} that one takes on today's system by the model{}",
                seen.shown(Kind::Count),
                each.estimated(),
                if is_assumed { ", everything on one volume, since nobody states it" } else { "" },
            ),
            None => match &held.origin {
                crate::origin::Origin::Derived { how, .. } => how.clone(),
                other => other.to_string(),
            },
        };
        Some(Moved { assumption: row, value: scaled(held.value).written(Kind::Rate), how })
    }
}

//! What grows with the number of developers: commands, submits and syncs that the site states.
//!
//! Answers that are not stated follow from the number of developers anyway.

use super::scale::Scale;
use super::set::Set;
use crate::site::{Answer, Site};
use crate::units::PerSecond;

const DAY: f64 = 86_400.0;

/// A stated answer that grows with the number of developers.
#[derive(Debug, Clone, PartialEq)]
pub struct Tied {
    /// Its field.
    pub field: &'static str,
    /// How it is spelt.
    pub scale: Scale,
    /// The value at the site's own number of developers.
    pub value: f64,
}

/// The stated answers of a site that grow with its developers.
pub fn tied(site: &Site) -> Vec<Tied> {
    let work = &site.workload;
    let daily = |field, answer: &Answer<PerSecond>| {
        answer.is_stated().then(|| Tied {
            field,
            scale: Scale::PerDay,
            value: answer.value.get() * DAY,
        })
    };
    let large = &work.large_syncs_per_day;
    let is_known = large.is_stated() || work.concurrent_syncs.is_some();
    let large_syncs = is_known.then(|| Tied {
        field: "workload.large_syncs_per_day",
        scale: Scale::PerDay,
        value: large.value.get() * DAY,
    });
    [
        daily("workload.commands_per_day", &work.commands_per_day),
        daily("workload.submits_per_day", &work.submits_per_day),
        daily("workload.syncs_per_day", &work.syncs_per_day),
        // Where how many are in flight is stated, their rate follows from that and not from the number of developers.
        large_syncs,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// So many times as many developers, with their commands and syncs; 1 gives the site's own answers back.
pub fn developers(count: f64, times: f64, tied: &[Tied]) -> Set {
    let is_own = (times - 1.0).abs() < 1e-9;
    let own = Some(Scale::Count.spell(count)).filter(|_| !is_own);
    let tied = tied.iter().map(|tied| {
        let value = tied.scale.spell(tied.scale.snap(tied.value * times));
        (tied.field, Some(value).filter(|_| !is_own))
    });
    Set::Answers(
        [("people.developers", own)]
            .into_iter()
            .chain(tied)
            .collect(),
    )
}

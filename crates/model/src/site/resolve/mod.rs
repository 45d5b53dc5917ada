//! The sections whose missing answers follow from others: the arithmetic behind the assumptions.
//!
//! Each derived answer says its arithmetic with the numbers that went in; the factors and their
//! reasons stand in `models/questions.toml`. Ranges are those of the factor alone: what went in
//! has its own.
//!
//! ```text
//! developers ─┬─► files ─► revisions ─┬─► db_size ◄── workspace_files ◄── files
//!             │     ▲         ▲       └─► depot_size ◄── file_size
//!             │     └─────────┴── db_size, where that is the only answer
//!             └─► commands, submits, syncs a day; connections; concurrent syncs; RAM; cores
//! ```

mod data;
mod infrastructure;
mod large_syncs;
mod machine;
mod targets;
mod workload;

pub use machine::assumed_tcp_window;

use super::answer::Answer;
use super::answerable::grouped;
use super::read::offices;
use super::section::Section;
use super::sections::People;
use crate::origin::Origin;
use crate::units::Fraction;

pub(super) use data::data;
pub(super) use infrastructure::{edges_max, operating_systems, protocols, storage, storage_network};
pub(super) use large_syncs::{Paces, large_syncs};
pub(super) use machine::{edge, proxy, server};
pub(super) use targets::{bytes_moved, targets};
pub(super) use workload::{LARGE_SYNCS, workload};

pub(super) fn people(section: &Section<'_>) -> People {
    let developers = section.stated("people.developers").unwrap_or_else(|| Answer::missing(1.0));
    let at_work: Answer<Fraction> = section.answer("people.at_work");
    let (n, share) = (developers.value, at_work.value);
    let connections_at_peak = section.derived(
        "people.connections_at_peak",
        |each| (n * share.get() * each).ceil(),
        |each| format!("{} developers × {share} at work × {each}", grouped(n)),
    );
    let people = People { developers, at_work, connections_at_peak, sites: offices(section) };
    section.reader.finish();
    people
}

/// Zero of what the release does not have, whatever was stated; `checks` warns.
fn none_yet(section: &Section<'_>, path: &'static str, why: String) -> Answer<f64> {
    match section.stated::<f64>(path) {
        Some(stated) => Answer { value: 0.0, low: 0.0, high: 0.0, ..stated },
        None => section.assume(path, 0.0, 0.0, 0.0, Origin::Assumed { why }),
    }
}

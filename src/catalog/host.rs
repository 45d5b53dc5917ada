//! Servers and networks.

use super::bare;
use super::entry::Entry;
use super::filesystem::SYSTEMS;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, Fraction, Hertz, Seconds};

/// Processor generations with costs of their own in `calibration/parameters.toml`.
pub const GENERATIONS: [&str; 6] = ["2005", "2008", "2009", "2012", "2017", "2026"];

/// A server model.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Processor cores.
    pub cores: Sourced<f64>,
    /// Memory.
    pub memory: Sourced<Bytes>,
    /// Clock.
    pub clock: Sourced<Hertz>,
    /// 32 or 64.
    pub bits: Sourced<f64>,
    /// Disks inside.
    pub internal_disks: Sourced<f64>,
    /// What they are.
    pub internal_medium: String,
    /// Which processor costs apply.
    pub generation: &'static str,
    /// Operating systems that it runs.
    pub systems: Vec<&'static str>,
    /// Requests in flight on one NFS mount of its kernel.
    pub nfs_slots: Sourced<f64>,
    /// Years in which it is bought.
    pub era: String,
}

impl Server {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "cores",
            "memory",
            "clock",
            "bits",
            "internal_disks",
            "internal_medium",
            "generation",
            "systems",
            "nfs_slots",
            "era",
        ]);
        whole!(
            r,
            Self {
                entry;
                cores: r.sourced_number("cores"),
                memory: r.sourced("memory"),
                clock: r.sourced("clock"),
                bits: r.sourced_number("bits"),
                internal_disks: r.sourced_number("internal_disks"),
                internal_medium: bare(r.text("internal_medium")),
                generation: bare(r.word("generation", &GENERATIONS)),
                systems: r.word_list("systems", &SYSTEMS),
                nfs_slots: r.sourced_number("nfs_slots"),
                era: bare(r.text("era")),
            }
        )
    }
}

/// A network or fabric, one link of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// `ethernet` or `fibre-channel`.
    pub kind: &'static str,
    /// Raw rate of one link.
    pub bandwidth: Sourced<BytesPerSecond>,
    /// Payload's share of it.
    pub efficiency: Sourced<Fraction>,
    /// Round trip between two hosts on it, their stacks included.
    pub round_trip: Sourced<Seconds>,
}

impl Network {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&["kind", "bandwidth", "efficiency", "round_trip"]);
        whole!(
            r,
            Self {
                entry;
                kind: bare(r.word("kind", &["ethernet", "fibre-channel"])),
                bandwidth: r.sourced("bandwidth"),
                efficiency: r.sourced("efficiency"),
                round_trip: r.sourced("round_trip"),
            }
        )
    }
}

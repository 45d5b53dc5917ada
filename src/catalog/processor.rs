//! Processor families: how much a core does in a second, for servers whose processors p4d was not measured on.

use super::bare;
use super::entry::Entry;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::Hertz;

/// The family that is assumed where neither a site nor a server's file names one.
pub const USUAL: &str = "sapphire-rapids";

/// A family of server processors.
#[derive(Debug, Clone, PartialEq)]
pub struct Processor {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// The first year in which it was sold.
    pub year: f64,
    /// `x86-64` or `aarch64`.
    pub architecture: &'static str,
    /// Instructions per clock relative to Skylake.
    pub ipc: Sourced<f64>,
    /// The clock that all cores typically run at together.
    pub clock: Sourced<Hertz>,
}

impl Processor {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&["year", "architecture", "ipc", "clock"]);
        whole!(
            r,
            Self {
                entry;
                year: bare(r.count("year")),
                architecture: bare(r.word("architecture", &["x86-64", "aarch64"])),
                ipc: r.sourced_number("ipc"),
                clock: r.sourced("clock"),
            }
        )
    }
}

//! Processor families: how much a core does in a second, for servers whose processors p4d was not measured on.

use super::entry::Entry;
use super::record::{always, count, word};
use super::release::Release;
use super::standby::release;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::Hertz;

/// The family that is assumed where neither a site nor a server's file names one.
pub const USUAL: &str = "sapphire-rapids";

record! {
    /// A family of server processors.
    struct Processor: Entry {
        /// The first year in which it was sold.
        year: f64 = count,
        /// `x86-64` or `aarch64`.
        architecture: &'static str = word(&["x86-64", "aarch64"]),
        /// The first release of p4d that runs on it, where that is a limit.
        since: Option<Release> = always(since),
        /// Instructions per clock relative to Skylake.
        ipc: Sourced<f64>,
        /// The clock that all cores typically run at together.
        clock: Sourced<Hertz>,
    }
}

/// A release, where the file states one.
fn since(reader: &Reader<'_>, key: &'static str) -> Option<Release> {
    reader.raw(key)?;
    release(reader, key)
}

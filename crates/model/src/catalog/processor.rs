//! Processor families: how much a core does in a second, for servers whose processors p4d was not measured on.

use super::entry::Entry;
use super::record::{count, word};
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
        /// Instructions per clock relative to Skylake.
        ipc: Sourced<f64>,
        /// The clock that all cores typically run at together.
        clock: Sourced<Hertz>,
    }
}

//! Processor families: how much a core does in a second, for servers whose processors p4d was not measured on.

use super::entry::Entry;
use super::record::{always, count, word};
use super::release::Release;
use super::standby::release;
use super::storage::sizes;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::{Bytes, Hertz};

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
        /// Channels of a socket to its memory; none of one that is not sold in servers of one's own.
        memory_channels: Option<Sourced<f64>>,
        /// Sizes of modules that its servers take, the smallest first.
        memory_modules: Vec<Bytes> = always(sizes),
    }
}

impl Processor {
    /// The least memory of a server that holds so many bytes, of modules alike that fill its channels evenly, up to two each; none
    /// where no such modules hold them.
    ///
    /// ```
    /// use plimsoll_ground::units::Bytes;
    /// use plimsoll_model::catalog::Catalog;
    /// let eight_channels = &Catalog::embedded().processors["sapphire-rapids"];
    /// let with = |gib: f64| eight_channels.memory_for(Bytes::new(gib * 1_073_741_824.0)).map(|size| size.to_string());
    /// assert_eq!(with(38.0).as_deref(), Some("64 GiB"));
    /// assert_eq!(with(300.0).as_deref(), Some("384 GiB"));
    /// assert_eq!(with(1e6), None);
    /// ```
    pub fn memory_for(&self, bytes: Bytes) -> Option<Bytes> {
        let channels = self.memory_channels.as_ref()?.value;
        let modules = |count: u32| {
            let count = f64::from(count);
            let is_even = channels % count == 0.0 || count == 2.0 * channels;
            is_even.then_some(count)
        };
        let counts = (1..=64).filter_map(modules);
        let sizes = counts.flat_map(|count| self.memory_modules.iter().map(move |size| size.get() * count));
        let holds = sizes.filter(|size| *size >= bytes.get());
        holds.min_by(f64::total_cmp).map(Bytes::new)
    }
}

/// A release, where the file states one.
fn since(reader: &Reader<'_>, key: &'static str) -> Option<Release> {
    reader.raw(key)?;
    release(reader, key)
}

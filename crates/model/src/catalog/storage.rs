//! Media, RAID levels, arrays and cache tiers.

use super::entry::Entry;
use super::record::{always, or, word, words};
use crate::document::{Item, Reader};
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, Fraction, PerSecond, Seconds};

/// The store of volumes on a server's own disks.
pub const LOCAL_DISKS: &str = "local-raid";

record! {
    /// A kind of disk or flash device.
    struct Medium: Entry {
        /// `disk` or `flash`.
        kind: &'static str = word(&["disk", "flash"]),
        /// Time of one random 8 KiB read, queue depth 1.
        random_read: Sourced<Seconds>,
        /// Coefficient of variation of that time, from read to read.
        read_variation: Sourced<f64>,
        /// Time of one random 8 KiB write, queue depth 1.
        random_write: Sourced<Seconds>,
        /// Sequential rate.
        stream: Sourced<BytesPerSecond>,
        /// Requests served at once at that time.
        parallelism: Sourced<f64>,
        /// Time of a cache flush.
        flush: Sourced<Seconds>,
        /// Whether its own cache forgets without power, so that only a flush of all of it makes a write durable; false where the file
        /// does not say.
        volatile_cache: bool = or(false),
        /// Rate at which it takes forced writes, where it makes them durable itself.
        forced_write: Sourced<BytesPerSecond>,
        /// Size of one device.
        capacity: Sourced<Bytes>,
        /// What a volume of a cloud includes and what can be bought; none of drives.
        rented: Option<Rented>,
        /// The entry of another provider whose figures it has where no source gives its own; none where none is borrowed.
        figures_of: Option<String>,
        /// What the variables for Terraform call it; its id where the file does not say.
        terraform: Option<String>,
        /// Sizes in which it is sold, the smallest first; empty where any size can be had.
        sold: Vec<Bytes> = always(sizes),
    }
}

impl Medium {
    /// The smallest size that is sold and holds so many bytes; the largest where none does.
    pub fn sold_for(&self, bytes: f64) -> Bytes {
        // What was sized to a decimal figure is not a byte short of it.
        let holds = |size: &&Bytes| size.get() >= bytes * 0.999;
        let size = self.sold.iter().find(holds).or(self.sold.last());
        size.copied().unwrap_or_else(|| Bytes::new(bytes))
    }
}

record! {
    /// Operations and bandwidth of one volume of a cloud: what is included, and the most that can be bought.
    struct Rented {
        /// Operations that cost nothing.
        operations_included: Sourced<PerSecond>,
        /// The most that a volume takes.
        operations_most: Sourced<PerSecond>,
        /// Bandwidth that costs nothing.
        bandwidth_included: Sourced<BytesPerSecond>,
        /// The most that a volume moves.
        bandwidth_most: Sourced<BytesPerSecond>,
        /// The most that one operation moves: a volume has no more bandwidth than its operations times this.
        operation_most: Sourced<Bytes>,
        /// Whether bandwidth is bought apart; where it is not, it comes with the size, or else with the operations.
        sells_bandwidth: bool = or(true),
        /// The most operations that a GiB of the volume allows to buy, or that come with it; none where size does not matter.
        operations_per_gib: Option<Sourced<PerSecond>>,
        /// Whether operations are bought apart; where they are not, they come with the size.
        sells_operations: bool = or(true),
        /// What a TiB of the volume sustains, beside what is included; none where bandwidth does not come with the size.
        bandwidth_per_tib: Option<Sourced<BytesPerSecond>>,
        /// What a TiB of the volume moves in a burst, as long as its credits last.
        burst_per_tib: Option<Sourced<BytesPerSecond>>,
    }
}

const GIB: f64 = 1_073_741_824.0;
const TIB: f64 = 1024.0 * GIB;

impl Rented {
    /// The most operations of a volume of so many bytes \[1/s\].
    pub fn operations_at(&self, bytes: f64) -> f64 {
        let (included, most) = (self.operations_included.value.get(), self.operations_most.value.get());
        match (&self.operations_per_gib, self.sells_operations) {
            (None, true) => most,
            (None, false) => included.min(most),
            (Some(each), true) => (each.value.get() * bytes / GIB).max(included).min(most),
            (Some(each), false) => (included + each.value.get() * bytes / GIB).min(most),
        }
    }

    /// Whether the bandwidth of a volume comes with its size.
    pub fn is_as_fast_as_large(&self) -> bool {
        self.bandwidth_per_tib.is_some()
    }

    /// The bandwidth that a volume of so many bytes sustains \[B/s\].
    pub fn bandwidth_at(&self, bytes: f64) -> f64 {
        let most = self.bandwidth_most.value.get();
        self.bandwidth_per_tib
            .as_ref()
            .map_or(most, |each| (self.bandwidth_included.value.get() + each.value.get() * bytes / TIB).min(most))
    }

    /// The bandwidth of a volume of so many bytes while its credits last \[B/s\].
    ///
    /// A TiB has a TiB of credits and gains them at the sustained rate, so that a volume which is used no more than it sustains has
    /// them for each transfer, and a full pass over its content does not use them up.
    pub fn burst_at(&self, bytes: f64) -> f64 {
        let sustained = self.bandwidth_at(bytes);
        let burst = self.burst_per_tib.as_ref();
        let burst = burst.map_or(sustained, |each| each.value.get() * bytes / TIB);
        burst.max(sustained).min(self.bandwidth_most.value.get())
    }

    /// The smallest volume that allows so many operations \[1/s\] and sustains so much bandwidth \[B/s\], as far as any does \[B\].
    pub fn size_for(&self, operations: f64, bandwidth: f64) -> f64 {
        let included = self.operations_included.value.get();
        // Where operations are sold, the size allows all of them; where not, those beyond the included ones come with it.
        let free = if self.sells_operations { 0.0 } else { included };
        let of_operations = self
            .operations_per_gib
            .as_ref()
            .map_or(0.0, |each| (operations.min(self.operations_most.value.get()) - free) / each.value.get() * GIB);
        let of_bandwidth = self.bandwidth_per_tib.as_ref().map_or(0.0, |each| {
            let needs = bandwidth.min(self.bandwidth_most.value.get());
            (needs - self.bandwidth_included.value.get()) / each.value.get() * TIB
        });
        let of_operations = if operations > included { of_operations } else { 0.0 };
        of_bandwidth.max(of_operations).max(0.0)
    }
}

record! {
    /// A RAID level.
    struct Raid: Entry {
        /// Device I/Os for one small write.
        write_penalty: Sourced<f64>,
        /// Device bytes for one byte of a full-stripe write.
        full_stripe_penalty: Sourced<f64>,
        /// The fewest disks.
        min_disks: Sourced<f64>,
        /// Disks' worth of parity.
        parity_disks: Sourced<f64>,
        /// Copies of the data.
        copies: Sourced<f64>,
        /// Disks that may fail without loss, in the worst case.
        failures_tolerated: Sourced<f64>,
        /// Device I/Os a read while one disk is lost.
        degraded_read_factor: Sourced<f64>,
        /// Stripe unit, where one is recommended.
        stripe: Option<Sourced<Bytes>>,
    }
}

impl Raid {
    /// Disks' worth of data in a set of `disks`.
    pub fn data_disks(&self, disks: f64) -> f64 {
        ((disks - self.parity_disks.value) / self.copies.value).max(0.0)
    }
}

record! {
    /// A storage array, or what stands for one: a RAID controller, a cloud's block service.
    struct Array: Entry {
        /// Protocols that it serves.
        protocols: Vec<String>,
        /// The entry of another provider whose figures it has where no source gives its own; none where none is borrowed.
        figures_of: Option<String>,
        /// What its devices are.
        medium: String,
        /// How they are protected.
        raid: String,
        /// Devices in one set.
        disks: Sourced<f64>,
        /// Controllers that share the load.
        controllers: Sourced<f64>,
        /// How long requests wait until the other controller has taken over; at once where the file does not say.
        takeover: Option<Sourced<Seconds>>,
        /// Time that the controller adds to a request.
        front_end: Sourced<Seconds>,
        /// Time of a read served by its cache.
        read_hit: Sourced<Seconds>,
        /// Cache memory.
        cache: Sourced<Bytes>,
        /// Time of a write acknowledged from protected memory.
        write_ack: Sourced<Seconds>,
        /// Time of one synchronous NFS write, without the network.
        sync_service: Sourced<Seconds>,
        /// All ports together.
        bandwidth: Sourced<BytesPerSecond>,
        /// Requests that it takes, whatever their size; without a limit of its own where the file does not say.
        operations: Option<Sourced<PerSecond>>,
        /// Rate at which it takes long writes, of all writers together.
        write_bandwidth: Sourced<BytesPerSecond>,
        /// Rate that one writer reaches who forces pages out and waits; `write_bandwidth` where the file does not say.
        forced_write: Option<Sourced<BytesPerSecond>>,
        /// Usable capacity before reduction.
        usable: Sourced<Bytes>,
        /// Logical over physical bytes.
        data_reduction: Sourced<f64>,
        /// Whether it takes snapshots.
        snapshots: bool,
        /// Whether the service keeps snapshots beside its volumes, which then need no reserve; not where the file does not say.
        snapshots_elsewhere: bool = or(false),
        /// Whether it clones volumes within minutes, in no space until they change; not where the file does not say.
        clones: bool = or(false),
        /// Cache tiers that it can have.
        cache_options: Vec<String>,
        /// Years in which it is bought.
        era: String,
        /// What the variables for Terraform call it; its id where the file does not say.
        terraform: Option<String>,
        /// Whether it grows with what is kept there, as a provider's service does: nothing is bought beforehand.
        elastic: bool = or(false),
        /// Whether its usable capacity is all that there is, as of a system that a site describes; no file says so.
        is_fixed: bool = always(|_, _| false),
    }
}

record! {
    /// A cache tier.
    struct Cache: Entry {
        /// `host`, `controller` or `flash`.
        tier: &'static str = word(&["host", "controller", "flash"]),
        /// Time of a hit.
        latency: Sourced<Seconds>,
        /// Size; nought where server or array say it.
        size: Sourced<Bytes>,
        /// Share of a miss stream that it serves when it holds the hot set.
        effective: Sourced<Fraction>,
        /// Ways to run it.
        modes: Vec<String>,
        /// `db`, `depot`.
        applies_to: Vec<&'static str> = words(&["db", "depot"]),
        /// `host`, `array` or `zfs`.
        attach: &'static str = word(&["host", "array", "zfs"]),
        /// When it pays.
        best_for: Sourced<String>,
    }
}

/// A list of sizes, the smallest first; reports what is none.
pub(crate) fn sizes(reader: &Reader<'_>, key: &'static str) -> Vec<Bytes> {
    let list = reader.item(key).and_then(|item| item.list("sizes"));
    let list = list.unwrap_or_default();
    let found = list.iter().filter_map(Item::quantity::<Bytes>);
    let mut sizes: Vec<Bytes> = found.map(|size| size.value).collect();
    sizes.sort_by(|a, b| a.get().total_cmp(&b.get()));
    sizes
}

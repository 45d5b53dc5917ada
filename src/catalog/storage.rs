//! Media, RAID levels, arrays and cache tiers.

use super::bare;
use super::entry::Entry;
use crate::document::{Item, Reader};
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, Fraction, PerSecond, Seconds};

/// The store of volumes on a server's own disks.
pub const LOCAL_DISKS: &str = "local-raid";
/// The store of volumes on disks rented with a cloud's machine.
pub const CLOUD_DISKS: &str = "cloud-block";

/// A kind of disk or flash device.
#[derive(Debug, Clone, PartialEq)]
pub struct Medium {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// `disk` or `flash`.
    pub kind: &'static str,
    /// Time of one random 8 KiB read, queue depth 1.
    pub random_read: Sourced<Seconds>,
    /// Time of one random 8 KiB write, queue depth 1.
    pub random_write: Sourced<Seconds>,
    /// Sequential rate.
    pub stream: Sourced<BytesPerSecond>,
    /// Requests served at once at that time.
    pub parallelism: Sourced<f64>,
    /// Time of a cache flush.
    pub flush: Sourced<Seconds>,
    /// Rate at which it takes forced writes, where it makes them durable itself.
    pub forced_write: Sourced<BytesPerSecond>,
    /// Size of one device.
    pub capacity: Sourced<Bytes>,
    /// What a volume of a cloud includes and what can be bought; none of drives.
    pub rented: Option<Rented>,
    /// Sizes in which it is sold, the smallest first; empty where any size can be had.
    pub sold: Vec<Bytes>,
}

impl Medium {
    /// The smallest size that is sold and holds so many bytes; the largest where none does.
    pub fn sold_for(&self, bytes: f64) -> Bytes {
        // What was sized to a decimal figure is not a byte short of it.
        let holds = |size: &&Bytes| size.get() >= bytes * 0.999;
        let size = self.sold.iter().find(holds).or(self.sold.last());
        size.copied().unwrap_or_else(|| Bytes::new(bytes))
    }

    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "kind",
            "random_read",
            "random_write",
            "stream",
            "parallelism",
            "flush",
            "forced_write",
            "capacity",
        ]);
        let rented = r
            .raw("rented")
            .and_then(|_| Rented::read(&r.table("rented")?));
        let sold = r.item("sold").as_ref().map(sizes).unwrap_or_default();
        whole!(
            r,
            Self {
                entry, rented, sold;
                kind: bare(r.word("kind", &["disk", "flash"])),
                random_read: r.sourced("random_read"),
                random_write: r.sourced("random_write"),
                stream: r.sourced("stream"),
                parallelism: r.sourced_number("parallelism"),
                flush: r.sourced("flush"),
                forced_write: r.sourced("forced_write"),
                capacity: r.sourced("capacity"),
            }
        )
    }
}

/// Operations and bandwidth of one volume of a cloud: what is included, and the most that can be bought.
#[derive(Debug, Clone, PartialEq)]
pub struct Rented {
    /// Operations that cost nothing.
    pub operations_included: Sourced<PerSecond>,
    /// The most that a volume takes.
    pub operations_most: Sourced<PerSecond>,
    /// Bandwidth that costs nothing.
    pub bandwidth_included: Sourced<BytesPerSecond>,
    /// The most that a volume moves.
    pub bandwidth_most: Sourced<BytesPerSecond>,
}

impl Rented {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&[
            "operations_included",
            "operations_most",
            "bandwidth_included",
            "bandwidth_most",
        ]);
        whole!(
            r,
            Self {
                ;
                operations_included: r.sourced("operations_included"),
                operations_most: r.sourced("operations_most"),
                bandwidth_included: r.sourced("bandwidth_included"),
                bandwidth_most: r.sourced("bandwidth_most"),
            }
        )
    }
}

/// A RAID level.
#[derive(Debug, Clone, PartialEq)]
pub struct Raid {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Device I/Os for one small write.
    pub write_penalty: Sourced<f64>,
    /// Device bytes for one byte of a full-stripe write.
    pub full_stripe_penalty: Sourced<f64>,
    /// The fewest disks.
    pub min_disks: Sourced<f64>,
    /// Disks' worth of parity.
    pub parity_disks: Sourced<f64>,
    /// Copies of the data.
    pub copies: Sourced<f64>,
    /// Disks that may fail without loss, in the worst case.
    pub failures_tolerated: Sourced<f64>,
    /// Device I/Os a read while one disk is lost.
    pub degraded_read_factor: Sourced<f64>,
    /// Stripe unit, where one is recommended.
    pub stripe: Option<Sourced<Bytes>>,
}

impl Raid {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "write_penalty",
            "full_stripe_penalty",
            "min_disks",
            "parity_disks",
            "copies",
            "failures_tolerated",
            "degraded_read_factor",
        ]);
        whole!(
            r,
            Self {
                entry;
                write_penalty: r.sourced_number("write_penalty"),
                full_stripe_penalty: r.sourced_number("full_stripe_penalty"),
                min_disks: r.sourced_number("min_disks"),
                parity_disks: r.sourced_number("parity_disks"),
                copies: r.sourced_number("copies"),
                failures_tolerated: r.sourced_number("failures_tolerated"),
                degraded_read_factor: r.sourced_number("degraded_read_factor"),
                stripe: Some(r.sourced("stripe")),
            }
        )
    }

    /// Disks' worth of data in a set of `disks`.
    pub fn data_disks(&self, disks: f64) -> f64 {
        ((disks - self.parity_disks.value) / self.copies.value).max(0.0)
    }
}

/// A storage array, or what stands for one: a RAID controller, a cloud's block service.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked by name"
)]
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Protocols that it serves.
    pub protocols: Vec<String>,
    /// What its devices are.
    pub medium: String,
    /// How they are protected.
    pub raid: String,
    /// Devices in one set.
    pub disks: Sourced<f64>,
    /// Controllers that share the load.
    pub controllers: Sourced<f64>,
    /// How long requests wait until the other controller has taken over; at once where the file does not say.
    pub takeover: Option<Sourced<Seconds>>,
    /// Time that the controller adds to a request.
    pub front_end: Sourced<Seconds>,
    /// Time of a read served by its cache.
    pub read_hit: Sourced<Seconds>,
    /// Cache memory.
    pub cache: Sourced<Bytes>,
    /// Time of a write acknowledged from protected memory.
    pub write_ack: Sourced<Seconds>,
    /// Time of one synchronous NFS write, without the network.
    pub sync_service: Sourced<Seconds>,
    /// All ports together.
    pub bandwidth: Sourced<BytesPerSecond>,
    /// Requests that it takes, whatever their size; without a limit of its own where the file does not say.
    pub operations: Option<Sourced<PerSecond>>,
    /// Rate at which a long burst is destaged.
    pub write_bandwidth: Sourced<BytesPerSecond>,
    /// Usable capacity before reduction.
    pub usable: Sourced<Bytes>,
    /// Logical over physical bytes.
    pub data_reduction: Sourced<f64>,
    /// Whether it takes snapshots.
    pub snapshots: bool,
    /// Whether it clones volumes within minutes, in no space until they change; not where the file does not say.
    pub clones: bool,
    /// Cache tiers that it can have.
    pub cache_options: Vec<String>,
    /// Years in which it is bought.
    pub era: String,
    /// Whether it grows with what is kept there, as a provider's service does: nothing is bought beforehand.
    pub elastic: bool,
    /// Whether its usable capacity is all that there is, as of a system that a site describes; no file says so.
    pub is_fixed: bool,
}

impl Array {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "protocols",
            "medium",
            "raid",
            "disks",
            "controllers",
            "front_end",
            "read_hit",
            "cache",
            "write_ack",
            "sync_service",
            "bandwidth",
            "write_bandwidth",
            "usable",
            "data_reduction",
            "snapshots",
            "cache_options",
            "era",
        ]);
        let clones = r.boolean("clones").is_some_and(|b| b.value);
        let operations = r.sourced("operations");
        let takeover = r.sourced("takeover");
        let elastic = r.boolean("elastic").is_some_and(|b| b.value);
        let is_fixed = false;
        whole!(
            r,
            Self {
                entry, clones, operations, takeover, elastic, is_fixed;
                protocols: ids(r, "protocols"),
                medium: bare(r.text("medium")),
                raid: bare(r.text("raid")),
                disks: r.sourced_number("disks"),
                controllers: r.sourced_number("controllers"),
                front_end: r.sourced("front_end"),
                read_hit: r.sourced("read_hit"),
                cache: r.sourced("cache"),
                write_ack: r.sourced("write_ack"),
                sync_service: r.sourced("sync_service"),
                bandwidth: r.sourced("bandwidth"),
                write_bandwidth: r.sourced("write_bandwidth"),
                usable: r.sourced("usable"),
                data_reduction: r.sourced_number("data_reduction"),
                snapshots: bare(r.boolean("snapshots")),
                cache_options: ids(r, "cache_options"),
                era: bare(r.text("era")),
            }
        )
    }
}

/// A cache tier.
#[derive(Debug, Clone, PartialEq)]
pub struct Cache {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// `host`, `controller` or `flash`.
    pub tier: &'static str,
    /// Time of a hit.
    pub latency: Sourced<Seconds>,
    /// Size; nought where server or array say it.
    pub size: Sourced<Bytes>,
    /// Share of a miss stream that it serves when it holds the hot set.
    pub effective: Sourced<Fraction>,
    /// Ways to run it.
    pub modes: Vec<String>,
    /// `db`, `depot`.
    pub applies_to: Vec<&'static str>,
    /// `host`, `array` or `zfs`.
    pub attach: &'static str,
    /// When it pays.
    pub best_for: Sourced<String>,
}

impl Cache {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "tier",
            "latency",
            "size",
            "effective",
            "modes",
            "applies_to",
            "attach",
            "best_for",
        ]);
        whole!(
            r,
            Self {
                entry;
                tier: bare(r.word("tier", &["host", "controller", "flash"])),
                latency: r.sourced("latency"),
                size: r.sourced("size"),
                effective: r.sourced("effective"),
                modes: ids(r, "modes"),
                applies_to: r.word_list("applies_to", &["db", "depot"]),
                attach: bare(r.word("attach", &["host", "array", "zfs"])),
                best_for: r.statement("best_for"),
            }
        )
    }
}

/// A list of sizes, the smallest first; reports what is none.
fn sizes(item: &Item<'_>) -> Vec<Bytes> {
    let list = item.list("sizes").unwrap_or_default();
    let found = list.iter().filter_map(Item::quantity::<Bytes>);
    let mut sizes: Vec<Bytes> = found.map(|size| size.value).collect();
    sizes.sort_by(|a, b| a.get().total_cmp(&b.get()));
    sizes
}

fn ids(r: &Reader<'_>, key: &'static str) -> Option<Vec<String>> {
    Some(r.texts(key)?.into_iter().map(|id| id.value).collect())
}

//! Storage protocols: what they cache, when they flush, what locks, opens and flushes cost.

use super::bare;
use super::entry::Entry;
use super::filesystem::SYSTEMS;
use super::grade::Grades;
use super::record::words;
use crate::document::{Readable, Reader};
use crate::origin::Sourced;
use crate::units::{Bytes, BytesPerSecond, PerSecond, Seconds};

/// How a server sees the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Disks inside the server.
    Local,
    /// LUNs: the server's own filesystem and page cache lie on top.
    Block,
    /// Exports: the filesystem lies in the array.
    File,
    /// Buckets: p4d gets and puts whole archives, and nothing is mounted.
    Object,
}

impl Access {
    /// Whether a filesystem of the server lies on it.
    pub fn has_filesystem(self) -> bool {
        matches!(self, Self::Local | Self::Block)
    }
}

/// What carries the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// The server's own bus.
    None,
    /// A fibre-channel fabric.
    FibreChannel,
    /// An Ethernet network.
    Ethernet,
}

/// A storage protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Local, block, file or object.
    pub access: Access,
    /// Whether several servers may mount the same data read-write.
    pub shared: bool,
    /// What carries it.
    pub transport: Transport,
    /// The type of an export in fstab: `nfs` or `cifs`; `nfs` where the file does not say.
    pub fstab_type: &'static str,
    /// The version of NFS that it is; none of others.
    pub nfs_version: Option<f64>,
    /// Operating systems whose client p4d can use; all where the file does not say.
    pub systems: Vec<&'static str>,
    /// What is cached where.
    pub page_cache: Sourced<String>,
    /// When dirty pages are flushed.
    pub flush: Sourced<String>,
    /// What a lock costs.
    pub locks: Sourced<String>,
    /// What open and close cost.
    pub open_close: Sourced<String>,
    /// Host and wire protocol work a request, without the round trip.
    pub command_overhead: Sourced<Seconds>,
    /// Round trips for a lock and its unlock.
    pub lock_round_trips: Sourced<f64>,
    /// Round trips for an open and its close.
    pub open_round_trips: Sourced<f64>,
    /// Further round trips a lock cycle, for revalidating and refetching cached data.
    pub other_round_trips: Sourced<f64>,
    /// Synchronous round trips for one forced flush.
    pub sync_round_trips: Sourced<f64>,
    /// Whether dirty pages go out, synchronously, at each unlock.
    pub flushes_on_unlock: bool,
    /// Largest read request on the wire.
    pub request_size: Sourced<Bytes>,
    /// Requests in flight on one mount, or on one of its connections.
    pub slots: Sourced<f64>,
    /// Whether each connection of a mount has so many slots; not where the file does not say.
    pub slots_per_connection: bool,
    /// What one TCP connection carries, as far as it has a limit of its own.
    pub connection_bandwidth: Option<Sourced<BytesPerSecond>>,
    /// Calls that one TCP connection carries, as far as it has a limit of its own.
    pub connection_calls: Option<Sourced<PerSecond>>,
    /// The first generation of hosts that both limits hold for; all where the file does not say.
    pub connection_since: Option<Sourced<f64>>,
    /// What it means for the criteria other than performance.
    pub grades: Grades,
    /// Mount options and their conditions.
    pub mount_options: Vec<MountOption>,
}

record! {
    /// A set of mount options, what it saves, and when it is safe.
    struct MountOption {
        /// As in fstab: `nocto,local_lock=all`.
        options: String,
        /// Further options that only clients from some year on know: `nconnect=8` from 2019.
        newer: Option<(String, f64)> = newer,
        /// Which costs it removes: `lock`, `open`, `other`.
        removes: Vec<&'static str> = words(&["lock", "open", "other"]),
        /// Factor on the other round trips, where it changes them without removing them.
        other_factor: Option<Sourced<f64>>,
        /// Conditions: `single-client`, `nfsv3`, `shared-depot`.
        requires: Vec<&'static str> = words(&["single-client", "nfsv3", "shared-depot"]),
        /// Volume roles that it is for.
        roles: Vec<&'static str> = words(&super::layout::ROLES),
        /// The reason.
        why: Sourced<String>,
    }
}

/// Options and the first year of clients that know them; reports what is incomplete.
#[expect(clippy::option_option, reason = "outside: whether it could be read")]
fn newer(reader: &Reader<'_>, key: &'static str) -> Option<Option<(String, f64)>> {
    let Some(table) = reader.table(key) else {
        return Some(None);
    };
    table.require(&["options", "year"]);
    let found = table.text("options").zip(table.count("year"));
    table.finish();
    found.map(|(options, year)| Some((options.value, year.value)))
}

/// Builds a value of a table's fields once all of them were read, so that every problem in the table is reported
/// before a field that is missing ends it. Those before the semicolon are known already.
macro_rules! whole {
    ($reader:expr, Self { $($known:ident),* ; $($field:ident : $read:expr),+ $(,)? }) => {{
        $(let $field = $read;)+
        $reader.finish();
        Some(Self { $($known,)* $($field: $field?),+ })
    }};
}

impl AsRef<Entry> for Protocol {
    fn as_ref(&self) -> &Entry {
        &self.entry
    }
}

impl Protocol {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&["access", "shared", "transport", "behaviour", "cost", "grades"]);
        let options = r.tables("mount_option");
        let mount_options: Vec<_> = options.iter().filter_map(MountOption::of).collect();
        // A section that is not there was reported; what it lacks besides is no news.
        let (behaviour, cost) = (r.table("behaviour"), r.table("cost"));
        if let Some(b) = &behaviour {
            b.require(&["page_cache", "flush", "locks", "open_close"]);
        }
        if let Some(c) = &cost {
            c.require(&[
                "command_overhead",
                "lock_round_trips",
                "open_round_trips",
                "other_round_trips",
                "sync_round_trips",
                "flushes_on_unlock",
                "request_size",
                "slots",
            ]);
        }
        let (b, c) = (behaviour.as_ref(), cost.as_ref());
        let number = |key| c?.sourced_number(key);
        let connection_bandwidth = c.and_then(|c| c.sourced("connection_bandwidth"));
        let connection_calls = c.and_then(|c| c.sourced("connection_calls"));
        let connection_since = c.and_then(|c| c.sourced_number("connection_since"));
        let slots_per_connection = c.and_then(|c| c.boolean("slots_per_connection"));
        let slots_per_connection = slots_per_connection.is_some_and(|b| b.value);
        let runs_on =
            if r.raw("systems").is_some() { r.word_list("systems", &SYSTEMS) } else { Some(SYSTEMS.to_vec()) };
        let nfs_version = r.number("nfs_version").map(|version| version.value);
        let fstab_type = r.word("fstab_type", &["nfs", "cifs"]);
        let fstab_type = fstab_type.map_or("nfs", |word| word.value);
        whole!(
            r,
            Self {
                entry, mount_options, fstab_type, nfs_version, connection_bandwidth, connection_calls, connection_since,
                slots_per_connection;
                access: r.word("access", &["local", "block", "file", "object"]).map(|word| access(word.value)),
                shared: bare(r.boolean("shared")),
                transport: r.word("transport", &["none", "fibre-channel", "ethernet"]).map(|word| transport(word.value)),
                systems: runs_on,
                page_cache: b.and_then(|b| b.statement("page_cache")),
                flush: b.and_then(|b| b.statement("flush")),
                locks: b.and_then(|b| b.statement("locks")),
                open_close: b.and_then(|b| b.statement("open_close")),
                command_overhead: c.and_then(|c| c.sourced("command_overhead")),
                lock_round_trips: number("lock_round_trips"),
                open_round_trips: number("open_round_trips"),
                other_round_trips: number("other_round_trips"),
                sync_round_trips: number("sync_round_trips"),
                flushes_on_unlock: bare(c.and_then(|c| c.boolean("flushes_on_unlock"))),
                request_size: c.and_then(|c| c.sourced("request_size")),
                slots: number("slots"),
                grades: finished(r, b, c),
            }
        )
    }
}

/// The grades, once the sections before them were read.
fn finished(r: &Reader<'_>, b: Option<&Reader<'_>>, c: Option<&Reader<'_>>) -> Option<Grades> {
    for section in b.into_iter().chain(c) {
        section.finish();
    }
    Grades::read(r, "grades")
}

fn access(word: &str) -> Access {
    match word {
        "local" => Access::Local,
        "block" => Access::Block,
        "object" => Access::Object,
        _ => Access::File,
    }
}

fn transport(word: &str) -> Transport {
    match word {
        "none" => Transport::None,
        "fibre-channel" => Transport::FibreChannel,
        _ => Transport::Ethernet,
    }
}

impl MountOption {
    /// Its options one by one, as far as a client of a year knows them.
    pub fn in_year(&self, year: u16) -> impl Iterator<Item = &str> {
        let newer = self.newer.as_ref().filter(|(_, first)| f64::from(year) >= *first);
        let newer = newer.map(|(options, _)| options.split(','));
        self.options.split(',').chain(newer.into_iter().flatten())
    }
}

//! The stations of a deployment, and what each kind of work costs at them.
//!
//! Every server has a processor, a client NIC, links to its networks and, for exports, the request
//! slots and the TCP connections of its NFS client; every set of disks has its random I/O and its
//! stream, every array its ports and, where it limits them, its operations. Round trips and cache hits
//! on block storage are a delay: nobody queues for them.
//!
//! Assumptions: an array acknowledges writes from protected memory; a page read that misses every
//! cache costs one random read; readahead makes archive reads sequential but for the first block.

mod archives;
mod bulk;
mod demand;
mod distance;
mod ledger;
mod network;
mod pages;
mod prices;
mod stations;
mod things;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::cache::{Popularity, filtered, hit_ratio};
use super::deployment::{Deployment, Mount};
use super::dump::Dumped;
use super::lens::{Known, Lens};
use super::memory::of_servers;
use super::resource::{Resource, Spot};
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Command, Network, Server, host};
use crate::posterior::EntryKind;
use crate::queueing::Station;
use crate::workload::Distance;
use stations::Asked;
use things::{Things, things_of};

pub(super) use archives::{ARCHIVE_BLOCK, Reading};
pub(super) use demand::{Demand, Seconds};
pub(super) use distance::{Crossing, Line};
pub use ledger::Io;
pub(super) use ledger::{Entry, Ledger};
pub(super) use prices::{Price, Work};

/// A db page \[B\].
pub(super) const PAGE: f64 = 8192.0;

/// What a station is, for tables and findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceKind {
    /// Cores of a server.
    Processor,
    /// Network to the clients.
    ClientNetwork,
    /// The client's own port and disk.
    Client,
    /// Network or fabric to the storage.
    StorageNetwork,
    /// Requests in flight of an NFS client.
    Slots,
    /// TCP connections of an NFS client to a filer.
    Connections,
    /// Random I/O of a set of disks.
    Disks,
    /// Sequential transfer of a set of disks.
    Stream,
    /// Ports of an array.
    Ports,
    /// Line to a distant office.
    Wan,
    /// Round trips, cache hits.
    Delay,
    /// A table lock or the commit section.
    Lock,
}

impl ResourceKind {
    /// As a person calls it.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Processor => "the processor",
            Self::ClientNetwork => "the network to the clients",
            Self::Client => "the clients themselves",
            Self::StorageNetwork => "the network to the storage",
            Self::Slots | Self::Connections => "NFS connections",
            Self::Disks | Self::Stream => "the drives",
            Self::Ports => "the array's ports",
            Self::Wan => "the line to the office",
            Self::Delay => "round trips",
            Self::Lock => "table locks",
        }
    }
}

/// All of them, in their order.
pub(super) const RESOURCES: [ResourceKind; 12] = [
    ResourceKind::Processor,
    ResourceKind::ClientNetwork,
    ResourceKind::Client,
    ResourceKind::StorageNetwork,
    ResourceKind::Slots,
    ResourceKind::Connections,
    ResourceKind::Disks,
    ResourceKind::Stream,
    ResourceKind::Ports,
    ResourceKind::Wan,
    ResourceKind::Delay,
    ResourceKind::Lock,
];

/// One random read of a medium, whose time varies from read to read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OneIo {
    /// Its mean \[s\].
    mean: f64,
    /// Its squared coefficient of variation.
    scv: f64,
}

impl OneIo {
    /// Squared coefficient of variation of so many seconds of them: of n alike and independent, that of one over n.
    pub(super) fn scv_of(self, seconds: f64) -> f64 {
        self.scv * (self.mean / seconds).min(1.0)
    }
}

/// Drives that a flush of many commits occupies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arm {
    /// Their station.
    pub(super) disks: usize,
    /// Seconds of one drive for each second of one commit alone.
    pub(super) share: f64,
}

/// The stations of a deployment and the catalogue behind them.
pub(super) struct Plant<'a> {
    pub(super) deployment: &'a Deployment,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    pub(super) lens: &'a Lens<'a>,
    /// The catalogue's entries behind each volume, by the volume's place.
    things: Vec<(usize, Things<'a>)>,
    server: &'a Server,
    client_link: &'a Network,
    /// Parameters, by where their id lies and its length.
    parameters: RefCell<Known<(usize, usize), f64>>,
    pub(super) stations: Vec<(Station, Resource)>,
    /// Stations by where they were asked for.
    known: Known<Asked, usize>,
    /// Servers of the stations that are split after Seidmann.
    split: BTreeMap<usize, f64>,
    /// By station of disks: one random read there.
    ios: BTreeMap<usize, OneIo>,
    /// By station of commits: the drives that a flush occupies, and for how much of a commit's time.
    pub(super) arms: BTreeMap<usize, Arm>,
    /// Delays that are the other part of such a station, with the station.
    parts: BTreeMap<usize, usize>,
    /// What one client takes \[B/s\].
    client_rate: f64,
    /// Revisions of a file, on average.
    pub(super) revisions_a_file: f64,
    /// What a checkpoint of one instance reads.
    pub(in crate::system) dumped: Dumped,
    /// Windows and replication.
    pub(in crate::system) distance: Distance,
    /// Lines to offices with an edge of their own.
    lines: Vec<Line>,
    /// Share of db page reads found in each server's memory.
    pub(super) db_hit: Vec<f64>,
    /// Share of archive bytes found in each server's memory.
    pub(super) depot_hit: Vec<f64>,
    /// Prices of all kinds of work on each server, as far as they were asked for.
    prices: Vec<Option<Price>>,
    /// How each server reads archives, as far as it was asked for.
    readings: Vec<Option<Reading>>,
    /// Whether the volumes of db and journal flush at each unlock, on each server.
    flushing: Vec<(bool, bool)>,
    /// Of the price being worked out: what its user does not wait for.
    background: Demand,
    /// Of the price being worked out: what is busy while its user waits at another station for the
    /// same call, its slot first.
    held: Demand,
    /// Of the price being worked out: what its volume is asked for.
    asked: Option<Entry>,
    /// Share of what misses there that the array's memory or flash tier has, by server and role.
    array_hit: BTreeMap<(usize, &'static str), f64>,
}

impl<'a> Plant<'a> {
    pub(super) fn new(
        deployment: &'a Deployment,
        catalog: &'a Catalog,
        calibration: &'a Calibration,
        lens: &'a Lens<'a>,
        load: &crate::workload::Load,
    ) -> Self {
        let mut plant = Self {
            deployment,
            catalog,
            calibration,
            lens,
            things: things_of(deployment, catalog),
            server: &catalog.servers[&deployment.server],
            client_link: &catalog.networks[&deployment.client_network],
            parameters: RefCell::default(),
            stations: Vec::new(),
            known: Known::default(),
            split: BTreeMap::new(),
            ios: BTreeMap::new(),
            arms: BTreeMap::new(),
            parts: BTreeMap::new(),
            client_rate: load.client_rate,
            revisions_a_file: load.revisions_a_file,
            dumped: Dumped::of(deployment, load, load.db_bytes / load.instances, load.dump),
            distance: load.distance,
            lines: distance::lines(deployment, load),
            db_hit: vec![0.0; deployment.servers()],
            depot_hit: vec![0.0; deployment.servers()],
            prices: Vec::new(),
            readings: vec![None; deployment.servers()],
            flushing: Vec::new(),
            background: Demand::default(),
            held: Demand::default(),
            asked: None,
            array_hit: BTreeMap::new(),
        };
        let servers = deployment.servers();
        plant.prices.resize_with(servers * prices::KINDS, || None);
        let flushes = |role: &str, server: usize| {
            let mount = deployment.mount_on(role, server);
            mount.is_some_and(|mount| plant.protocol(mount).flushes_on_unlock)
        };
        plant.flushing = (0..servers).map(|server| (flushes("db", server), flushes("journal", server))).collect();
        plant.set_hit_ratios(load);
        plant
    }

    pub(super) fn parameter(&self, id: &'static str) -> f64 {
        let key = (id.as_ptr().addr(), id.len());
        if let Some(value) = self.parameters.borrow().get(&key) {
            return *value;
        }
        let value = self.read_parameter(id);
        self.parameters.borrow_mut().insert(key, value);
        value
    }

    /// A processor cost of the server: that of its generation, or that of the latest generation which was measured times
    /// the ratio of the speeds, where a speed is the clock times the instructions per clock relative to Skylake.
    pub(super) fn cost(&self, what: &'static str) -> f64 {
        let stated = self.deployment.processor.as_deref();
        let Some(id) = stated.or_else(|| self.server.processor()) else {
            return self.read_parameter(&host::cost(what, self.server.generation));
        };
        let processor = &self.catalog.processors[id];
        let instructions = self.lens.number(|| EntryKind::Processor.number(id, "ipc"), &processor.ipc);
        let clock = self.deployment.clock.unwrap_or_else(|| {
            let name = || EntryKind::Processor.number(id, "clock");
            self.lens.quantity(name, &processor.clock)
        });
        let ratio = self.parameter("speed.2017") / (clock * instructions);
        self.read_parameter(&host::cost(what, host::MEASURED)) * ratio * self.parameter("speed_error.2026")
    }

    fn read_parameter(&self, id: &str) -> f64 {
        let parameter =
            self.calibration.parameter(id).unwrap_or_else(|| panic!("calibration/parameters.toml has no {id:?}"));
        self.lens.parameter(parameter)
    }

    /// Squared coefficient of variation of a command's size.
    pub(super) fn size_scv(&self, command: &Command) -> f64 {
        match command.kind {
            "transfer" => self.parameter("size.transfer").powi(2),
            // As large as what is there.
            "maintenance" => 0.0,
            _ => self.parameter("size.command").powi(2),
        }
    }

    /// Whether what is done at a station does not go with the size of a command: round trips and commits.
    pub(super) fn is_fixed(&self, station: usize) -> bool {
        let resource = &self.stations[station].1;
        let is_trip = resource.kind() == ResourceKind::Delay && !self.is_part(station);
        is_trip || matches!(resource.spot, Spot::Commits(_))
    }

    /// Of work, what does not go with the size of a command \[s\].
    pub(super) fn fixed(&self, work: Seconds<'_>) -> f64 {
        let own = work.iter().filter(|(k, _)| self.is_fixed(*k));
        own.map(|(_, seconds)| seconds).sum()
    }

    fn set_hit_ratios(&mut self, load: &crate::workload::Load) {
        let pages = |bytes: f64, hot_bytes: f64, to_hot: f64| {
            let class = |bytes: f64, references: f64| Popularity { bytes: bytes.max(0.0), references };
            [class(hot_bytes, to_hot), class(bytes - hot_bytes, 1.0 - to_hot)]
        };
        let to_hot = self.parameter("db.hot_references");
        let db = pages(load.db_bytes, load.db_hot_bytes, to_hot);
        let hot_bytes = load.depot_bytes * self.parameter("depot.hot_share");
        let to_hot = self.parameter("depot.hot_references");
        let depot = pages(load.depot_bytes, hot_bytes, to_hot);
        let process = self.parameter("process.memory");
        for memory in of_servers(self.deployment, load, process) {
            let server = memory.server;
            let free = if load.cold { 0.0 } else { memory.cache() };
            // The db's pages are hotter than archives: these get what is left.
            let (db_hit, db) = filtered(&db, free);
            let (depot_hit, depot) = filtered(&depot, free - load.db_hot_bytes);
            (self.db_hit[server], self.depot_hit[server]) = (db_hit, depot_hit);
            for (role, missed) in [("db", db), ("depot", depot)] {
                if let Some(mount) = self.deployment.mount_on(role, server) {
                    let hit = self.found_below(role, mount, &missed);
                    self.array_hit.insert((server, role), hit);
                }
            }
        }
    }

    /// Share of what misses a server's memory that is found on the way to the role's medium.
    fn found_in_array(&self, server: usize, role: &'static str) -> f64 {
        self.array_hit.get(&(server, role)).copied().unwrap_or(0.0)
    }

    /// Share of what misses a server's memory that the array's memory or its flash tier has. A flash tier takes the
    /// pages that the array's memory evicts, so that both together are one larger LRU cache; `effective` of what the
    /// tier adds is served by it.
    fn found_below(&self, role: &str, mount: &Mount, missed: &[Popularity]) -> f64 {
        let array = self.array(mount);
        let memory = self.lens.quantity(|| EntryKind::Array.number(&mount.device, "cache"), &array.cache);
        let found = hit_ratio(missed, memory);
        let tier = self.deployment.cache.as_ref().map(|id| &self.catalog.caches[id]);
        let Some(tier) = tier.filter(|tier| tier.applies_to.contains(&role)) else {
            return found;
        };
        let id = &tier.entry.id;
        let size = self.lens.quantity(|| EntryKind::Cache.number(id, "size"), &tier.size);
        let effective = self.lens.share(|| EntryKind::Cache.number(id, "effective"), &tier.effective);
        found + effective.min(0.99) * (hit_ratio(missed, memory + size) - found)
    }

    /// Notes what the price being worked out asks of a role's volume.
    fn note(&mut self, role: &'static str, reads: f64, writes: f64, bytes: f64) {
        let io = Io { reads, writes, bytes };
        self.asked = Entry::of(role, io);
    }
}

//! The stations of a deployment, and what each kind of work costs at them.
//!
//! Every server has a processor, a client NIC, links to its networks and, for exports, the request
//! slots of its NFS client; every set of disks has its random I/O and its stream, every array its
//! ports. Round trips and cache hits are a delay: nobody queues for them.
//!
//! Assumptions: an array acknowledges writes from protected memory; a page read that misses every
//! cache costs one random read; readahead makes archive reads sequential but for the first block.

mod archives;
mod network;
mod pages;

use std::collections::{BTreeMap, BTreeSet};

use super::cache::{Popularity, hit_ratio};
use super::deployment::{Deployment, Mount};
use super::lens::Lens;
use crate::calibration::Calibration;
use crate::catalog::{Array, Catalog, Protocol};
use crate::queueing::Station;

/// A db page \[B\].
pub(super) const PAGE: f64 = 8192.0;

/// Demand of one piece of work at each station \[s\]; stations are interned by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Demand(BTreeMap<usize, f64>);

impl Demand {
    pub(super) fn add(&mut self, station: usize, seconds: f64) {
        if seconds > 0.0 {
            *self.0.entry(station).or_default() += seconds;
        }
    }

    pub(super) fn add_all(&mut self, other: &Self, factor: f64) {
        for (station, seconds) in &other.0 {
            self.add(*station, seconds * factor);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.0.iter().map(|(station, seconds)| (*station, *seconds))
    }
}

/// What a volume is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Io {
    /// Read requests.
    pub reads: f64,
    /// Write requests.
    pub writes: f64,
    /// Bytes both ways.
    pub bytes: f64,
}

impl Io {
    pub(super) fn add(&mut self, other: Self, factor: f64) {
        self.reads += other.reads * factor;
        self.writes += other.writes * factor;
        self.bytes += other.bytes * factor;
    }
}

/// What a station is, for tables and findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// The stations of a deployment and the catalogue behind them.
pub(super) struct Plant<'a> {
    pub(super) deployment: &'a Deployment,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    pub(super) lens: &'a Lens,
    pub(super) stations: Vec<(Station, ResourceKind)>,
    names: BTreeMap<String, usize>,
    /// Servers of the stations that are split after Seidmann.
    split: BTreeMap<usize, f64>,
    /// Delays that are the other part of such a station.
    parts: BTreeSet<usize>,
    /// What one client takes \[B/s\].
    client_rate: f64,
    /// Share of db page reads found in the server's memory.
    pub(super) db_hit: f64,
    /// Share of archive bytes found in the server's memory.
    pub(super) depot_hit: f64,
    /// Work of the command being costed that its user does not wait for.
    pub(super) background: Demand,
    /// Requests and bytes of the work being costed, by role.
    pub(super) ledger: BTreeMap<&'static str, Io>,
    /// Share of what misses there that the array's memory or flash tier has, by role.
    array_hit: BTreeMap<&'static str, f64>,
}

impl<'a> Plant<'a> {
    pub(super) fn new(
        deployment: &'a Deployment,
        catalog: &'a Catalog,
        calibration: &'a Calibration,
        lens: &'a Lens,
        load: &crate::workload::Load,
    ) -> Self {
        let mut plant = Self {
            deployment,
            catalog,
            calibration,
            lens,
            stations: Vec::new(),
            names: BTreeMap::new(),
            split: BTreeMap::new(),
            parts: BTreeSet::new(),
            client_rate: load.client_rate,
            db_hit: 0.0,
            depot_hit: 0.0,
            background: Demand::default(),
            ledger: BTreeMap::new(),
            array_hit: BTreeMap::new(),
        };
        plant.set_hit_ratios(load);
        plant
    }

    pub(super) fn parameter(&self, id: &str) -> f64 {
        let parameter = self
            .calibration
            .parameter(id)
            .unwrap_or_else(|| panic!("calibration/parameters.toml has no {id:?}"));
        self.lens.shown(
            &format!("parameter {id}"),
            &parameter.value,
            &parameter.shown,
        )
    }

    /// A processor cost of the server's generation.
    pub(super) fn cost(&self, what: &str) -> f64 {
        let generation = self.server().generation;
        self.parameter(&format!("{what}.{generation}"))
    }

    fn server(&self) -> &'a crate::catalog::Server {
        &self.catalog.servers[&self.deployment.server]
    }

    fn set_hit_ratios(&mut self, load: &crate::workload::Load) {
        let to_hot = self.parameter("db.hot_references");
        let cold = (load.db_bytes - load.db_hot_bytes).max(0.0);
        let db = [
            Popularity {
                bytes: load.db_hot_bytes,
                references: to_hot,
            },
            Popularity {
                bytes: cold,
                references: 1.0 - to_hot,
            },
        ];
        let hot = self.parameter("depot.hot_share");
        let to_hot = self.parameter("depot.hot_references");
        let depot = [
            Popularity {
                bytes: load.depot_bytes * hot,
                references: to_hot,
            },
            Popularity {
                bytes: load.depot_bytes * (1.0 - hot),
                references: 1.0 - to_hot,
            },
        ];
        let clients = load.connections / self.deployment.servers() as f64;
        let free = (self.deployment.memory - clients * self.parameter("process.memory")).max(0.0);
        if !load.cold {
            self.db_hit = hit_ratio(&db, free);
        }
        // The db's pages are hotter than archives: these get what is left.
        self.depot_hit = hit_ratio(&depot, (free - load.db_hot_bytes).max(0.0));
        for (role, pages) in [("db", &db), ("depot", &depot)] {
            let Some(mount) = self.deployment.mount(role) else {
                continue;
            };
            let array = self.array(mount);
            let memory = self
                .lens
                .quantity(&format!("arrays/{}.cache", mount.device), &array.cache);
            let mut hit = hit_ratio(pages, memory);
            if let Some(cache) = self
                .deployment
                .cache
                .as_ref()
                .map(|id| &self.catalog.caches[id])
                && cache.applies_to.contains(&role)
            {
                let id = &cache.entry.id;
                let size = self
                    .lens
                    .quantity(&format!("caches/{id}.size"), &cache.size);
                let share = self
                    .lens
                    .quantity(&format!("caches/{id}.effective"), &cache.effective);
                let hot_bytes = pages[0].bytes.max(1.0);
                hit = 1.0 - (1.0 - hit) * (1.0 - share.min(0.99) * (size / hot_bytes).min(1.0));
            }
            self.array_hit.insert(role, hit);
        }
    }

    pub(super) fn array(&self, mount: &Mount) -> &'a Array {
        &self.catalog.arrays[&mount.device]
    }

    pub(super) fn protocol(&self, mount: &Mount) -> &'a Protocol {
        &self.catalog.protocols[&mount.protocol]
    }

    fn station(&mut self, name: String, servers: f64, kind: ResourceKind) -> usize {
        if let Some(index) = self.names.get(&name) {
            return *index;
        }
        let station = if kind == ResourceKind::Delay {
            Station::delay(name.clone())
        } else {
            let servers = servers.round().max(1.0);
            let split = servers > SERVERS_MAX;
            if split {
                self.split.insert(self.stations.len(), servers);
            }
            let servers = if split { 1 } else { servers as u32 };
            Station::queueing(name.clone(), servers)
        };
        self.stations.push((station, kind));
        self.names.insert(name, self.stations.len() - 1);
        self.stations.len() - 1
    }

    /// Adds time at a station. One with very many servers is a fast single server and a delay
    /// (Seidmann, Schweitzer and Shalev-Oren 1987): D/m queued, D(m − 1)/m not.
    pub(super) fn add(&mut self, d: &mut Demand, station: usize, seconds: f64) {
        match self.split.get(&station).copied() {
            None => d.add(station, seconds),
            Some(m) => {
                d.add(station, seconds / m);
                let (name, kind) = (&self.stations[station].0.name, self.stations[station].1);
                let service = self.service(format!("{name}, in service"), kind);
                self.parts.insert(service);
                d.add(service, seconds * (m - 1.0) / m);
            }
        }
    }

    /// Whether a delay is the other part of a split station.
    pub(super) fn is_part(&self, station: usize) -> bool {
        self.parts.contains(&station)
    }

    /// Servers that a station was split by; 1 where it was not.
    pub(super) fn split_servers(&self, station: usize) -> f64 {
        self.split.get(&station).copied().unwrap_or(1.0)
    }

    /// Servers of a station, split or not; 1 at a delay.
    pub(super) fn servers(&self, station: usize) -> f64 {
        let speed = self.stations[station].0.kind.greatest_speed();
        if speed.is_finite() {
            speed * self.split_servers(station)
        } else {
            1.0
        }
    }

    /// A delay that counts as time at a resource.
    fn service(&mut self, name: String, kind: ResourceKind) -> usize {
        if let Some(index) = self.names.get(&name) {
            return *index;
        }
        self.stations.push((Station::delay(name.clone()), kind));
        self.names.insert(name, self.stations.len() - 1);
        self.stations.len() - 1
    }

    /// "commit server", "edge 2".
    pub(super) fn server_name(server: usize) -> String {
        if server == 0 {
            "commit server".to_owned()
        } else {
            format!("edge {server}")
        }
    }

    fn note(&mut self, role: &'static str, reads: f64, writes: f64, bytes: f64) {
        self.ledger.entry(role).or_default().add(
            Io {
                reads,
                writes,
                bytes,
            },
            1.0,
        );
    }

    pub(super) fn processor(&mut self, server: usize) -> usize {
        let cores = self.deployment.cores;
        self.station(
            format!("processor of {}", Self::server_name(server)),
            cores,
            ResourceKind::Processor,
        )
    }

    pub(super) fn delay(&mut self) -> usize {
        self.station(
            "round trips and cache hits".to_owned(),
            0.0,
            ResourceKind::Delay,
        )
    }

    /// The delay station where a group's lock waits are put.
    pub(super) fn lock_waits(&mut self) -> usize {
        self.station("table locks".to_owned(), 0.0, ResourceKind::Delay)
    }
}

/// Above this a station is split: its exact queue would cost more than it tells.
const SERVERS_MAX: f64 = 32.0;

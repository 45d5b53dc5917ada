//! The stations of a deployment, and what each kind of work costs at them.
//!
//! Every server has a processor, a client NIC, links to its networks and, for exports, the request
//! slots of its NFS client; every set of disks has its random I/O and its stream, every array its
//! ports. Round trips and cache hits are a delay: nobody queues for them.
//!
//! Assumptions: an array acknowledges writes from protected memory; a page read that misses every
//! cache costs one random read; readahead makes archive reads sequential but for the first block.

use std::collections::BTreeMap;

use super::cache::{Popularity, hit_ratio};
use super::deployment::{Deployment, Mount};
use super::lens::Lens;
use crate::calibration::Calibration;
use crate::catalog::{Access, Array, Catalog, Protocol};
use crate::queueing::{Station, StationKind};

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

    pub(super) fn dense(&self, n: usize) -> Vec<f64> {
        (0..n)
            .map(|k| self.0.get(&k).copied().unwrap_or(0.0))
            .collect()
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
            Station {
                name: name.clone(),
                kind: StationKind::Delay,
            }
        } else {
            let servers = servers.round().max(1.0);
            let split = servers > SERVERS_MAX;
            if split {
                self.split.insert(self.stations.len(), servers);
            }
            let servers = if split { 1 } else { servers as u32 };
            Station {
                name: name.clone(),
                kind: StationKind::Queueing { servers },
            }
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
                d.add(service, seconds * (m - 1.0) / m);
            }
        }
    }

    /// A delay that counts as time at a resource.
    fn service(&mut self, name: String, kind: ResourceKind) -> usize {
        if let Some(index) = self.names.get(&name) {
            return *index;
        }
        self.stations.push((
            Station {
                name: name.clone(),
                kind: StationKind::Delay,
            },
            kind,
        ));
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

    /// Bytes over a distant office's line.
    pub(super) fn wan(&mut self, d: &mut Demand, office: &str, bytes: f64, bandwidth: f64) {
        let line = self.station(format!("line to {office}"), 1.0, ResourceKind::Wan);
        d.add(line, bytes / bandwidth);
    }

    /// Bytes between a server and its clients.
    pub(super) fn client_transfer(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let id = &self.deployment.client_network;
        let network = &self.catalog.networks[id];
        let rate = self
            .lens
            .quantity(&format!("networks/{id}.bandwidth"), &network.bandwidth)
            * self
                .lens
                .quantity(&format!("networks/{id}.efficiency"), &network.efficiency)
            * self.deployment.client_links;
        let name = format!("client network of {}", Self::server_name(server));
        let nic = self.station(name, 1.0, ResourceKind::ClientNetwork);
        d.add(nic, bytes / rate);
        // The client drains while the server sends: only what it is slower by comes on top.
        let slower = 1.0 / self.client_rate - 1.0 / rate;
        if slower > 0.0 {
            let client = self.service("the client itself".to_owned(), ResourceKind::Client);
            d.add(client, bytes * slower);
        }
    }

    /// Round trips between a server and a client beside it.
    pub(super) fn client_trips(&mut self, d: &mut Demand, trips: f64) {
        let id = &self.deployment.client_network;
        let name = format!("networks/{id}.round_trip");
        let trip = self
            .lens
            .quantity(&name, &self.catalog.networks[id].round_trip);
        let delay = self.delay();
        d.add(delay, trips * trip);
    }

    /// Round trip of a mount's network plus the protocol's own work \[s\].
    fn request_time(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let own = self.lens.quantity(
            &format!("protocols/{}.command_overhead", mount.protocol),
            &protocol.command_overhead,
        );
        let trip = mount.network.as_ref().map_or(0.0, |id| {
            let network = &self.catalog.networks[id];
            self.lens
                .quantity(&format!("networks/{id}.round_trip"), &network.round_trip)
        });
        own + trip
    }

    /// `count` requests that take `service` seconds each behind the network: at the slots of an NFS
    /// client, else a delay.
    fn requests(&mut self, d: &mut Demand, server: usize, mount: &Mount, count: f64, service: f64) {
        let time = count * (self.request_time(mount) + service);
        let station = if self.protocol(mount).access == Access::File {
            let slots = self.slots(mount);
            let name = format!(
                "NFS requests of {} to {}",
                Self::server_name(server),
                mount.device
            );
            self.station(name, slots, ResourceKind::Slots)
        } else {
            self.delay()
        };
        self.add(d, station, time);
    }

    fn slots(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let wire = self.lens.number(
            &format!("protocols/{}.slots", mount.protocol),
            &protocol.slots,
        );
        let id = &self.deployment.server;
        let host = self
            .lens
            .number(&format!("servers/{id}.nfs_slots"), &self.server().nfs_slots);
        wire.min(host)
    }

    /// Bytes over the storage network and through the array's ports.
    fn storage_transfer(&mut self, d: &mut Demand, server: usize, mount: &Mount, bytes: f64) {
        if let Some(id) = &mount.network {
            let network = &self.catalog.networks[id];
            let rate = self
                .lens
                .quantity(&format!("networks/{id}.bandwidth"), &network.bandwidth)
                * self
                    .lens
                    .quantity(&format!("networks/{id}.efficiency"), &network.efficiency);
            let name = format!("storage link {id} of {}", Self::server_name(server));
            let link = self.station(name, 1.0, ResourceKind::StorageNetwork);
            d.add(link, bytes / rate);
        }
        if mount.device != "local-raid" {
            let array = self.array(mount);
            let name = format!("arrays/{}.bandwidth", mount.device);
            let rate = self.lens.quantity(&name, &array.bandwidth);
            let ports = self.station(
                format!("ports of {}", mount.device),
                1.0,
                ResourceKind::Ports,
            );
            d.add(ports, bytes / rate);
        }
    }

    /// The name of a set of disks: a server's own are its own.
    fn set_name(mount: &Mount, server: usize) -> String {
        match mount.device.as_str() {
            "local-raid" | "cloud-block" => {
                format!("{} ({})", mount.set, Self::server_name(server))
            }
            _ => mount.set.clone(),
        }
    }

    fn disks(&mut self, server: usize, mount: &Mount) -> usize {
        let medium = &self.catalog.media[&mount.medium];
        let parallelism = self.lens.number(
            &format!("media/{}.parallelism", mount.medium),
            &medium.parallelism,
        );
        let name = format!("disks of {}", Self::set_name(mount, server));
        self.station(name, mount.disks * parallelism, ResourceKind::Disks)
    }

    fn stream(&mut self, server: usize, mount: &Mount) -> usize {
        let name = format!("transfer of {}", Self::set_name(mount, server));
        self.station(name, 1.0, ResourceKind::Stream)
    }

    /// Random reads of `pages` db pages that the server's memory does not hold.
    pub(super) fn read_pages(&mut self, d: &mut Demand, server: usize, pages: f64) {
        let Some(mount) = self.deployment.mount_on("db", server) else {
            return;
        };
        let missed = pages * (1.0 - self.db_hit);
        if missed <= 0.0 {
            return;
        }
        let array = self.array(mount);
        let requests = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens.number(
                &format!("filesystems/{}.requests_per_page", fs.entry.id),
                &fs.requests_per_page,
            )
        });
        let efficiency = self.filesystem(mount).map_or(1.0, |fs| {
            let name = format!("filesystems/{}.read_efficiency", fs.entry.id);
            self.lens.quantity(&name, &fs.read_efficiency)
        });
        // Neighbours of a page come along in a large request, unless small blocks scatter the file.
        let missed = if requests > 1.0 {
            missed
        } else {
            let near = self.parameter("page_locality");
            let size = self.request_size(mount);
            missed * (1.0 - near + near * PAGE / size.max(PAGE))
        };
        let front = self.lens.quantity(
            &format!("arrays/{}.front_end", mount.device),
            &array.front_end,
        );
        self.requests(d, server, mount, missed * requests, front);
        let found = self.array_hit.get("db").copied().unwrap_or(0.0);
        let hit_time = self.lens.quantity(
            &format!("arrays/{}.read_hit", mount.device),
            &array.read_hit,
        );
        let delay = self.delay();
        d.add(delay, missed * found * hit_time);
        let medium = &self.catalog.media[&mount.medium];
        let read = self.lens.quantity(
            &format!("media/{}.random_read", mount.medium),
            &medium.random_read,
        );
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        self.add(
            d,
            disks,
            missed * (1.0 - found) * read * others / efficiency,
        );
        self.note("db", missed, 0.0, missed * PAGE);
        self.storage_transfer(d, server, mount, missed * PAGE);
    }

    fn filesystem(&self, mount: &Mount) -> Option<&'a crate::catalog::Filesystem> {
        mount
            .filesystem
            .as_ref()
            .map(|id| &self.catalog.filesystems[id])
    }

    /// Round trips for `cycles` lock-and-unlock cycles and `opens` opens of db files.
    pub(super) fn lock_traffic(&mut self, d: &mut Demand, server: usize, cycles: f64, opens: f64) {
        let Some(mount) = self.deployment.mount_on("db", server) else {
            return;
        };
        let protocol = self.protocol(mount);
        if protocol.access != Access::File {
            return;
        }
        let option = mount.mount_option.map(|i| &protocol.mount_options[i]);
        let removed = |what: &str| option.is_some_and(|o| o.removes.contains(&what));
        let name = |field: &str| format!("protocols/{}.{field}", mount.protocol);
        let mut trips = 0.0;
        if !removed("lock") {
            trips += cycles
                * self
                    .lens
                    .number(&name("lock_round_trips"), &protocol.lock_round_trips);
        }
        if !removed("open") {
            trips += opens
                * self
                    .lens
                    .number(&name("open_round_trips"), &protocol.open_round_trips);
        }
        if !removed("other") {
            let factor = option
                .and_then(|o| o.other_factor.as_ref())
                .map_or(1.0, |f| f.value);
            let other = self
                .lens
                .number(&name("other_round_trips"), &protocol.other_round_trips);
            trips += cycles * other * factor;
        }
        self.requests(d, server, mount, trips, 0.0);
    }

    /// Whether a role's volume flushes dirty pages at each unlock.
    pub(super) fn flushes_on_unlock(&self, role: &str, server: usize) -> bool {
        self.deployment
            .mount_on(role, server)
            .is_some_and(|m| self.protocol(m).flushes_on_unlock)
    }

    /// `count` synchronous writes that the caller waits for, holding its locks.
    pub(super) fn sync_writes(
        &mut self,
        d: &mut Demand,
        server: usize,
        role: &'static str,
        count: f64,
    ) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let (array, protocol) = (self.array(mount), self.protocol(mount));
        let trips = self.lens.number(
            &format!("protocols/{}.sync_round_trips", mount.protocol),
            &protocol.sync_round_trips,
        );
        let name = format!("arrays/{}.sync_service", mount.device);
        let service = self.lens.quantity(&name, &array.sync_service);
        self.note(role, 0.0, count * trips, 0.0);
        self.requests(d, server, mount, count * trips, service);
    }

    /// Forces `files` files with `bytes` of dirty pages to disk: the caller waits, its locks released.
    pub(super) fn flush(
        &mut self,
        d: &mut Demand,
        server: usize,
        role: &'static str,
        files: f64,
        bytes: f64,
    ) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let array = self.array(mount);
        let name = format!("arrays/{}.write_ack", mount.device);
        let ack = self.lens.quantity(&name, &array.write_ack);
        self.requests(d, server, mount, files, ack);
        let factor = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens.number(
                &format!("filesystems/{}.page_write_factor", fs.entry.id),
                &fs.page_write_factor,
            )
        });
        let name = format!("arrays/{}.write_bandwidth", mount.device);
        let rate = self.lens.quantity(&name, &array.write_bandwidth);
        let stream = self.stream(server, mount);
        d.add(stream, bytes * factor / rate);
        self.note(role, 0.0, bytes / PAGE, bytes);
        self.storage_transfer(d, server, mount, bytes);
    }

    /// What destaging `pages` written pages costs the disks later; nobody waits for it.
    pub(super) fn destage(
        &mut self,
        d: &mut Demand,
        server: usize,
        role: &'static str,
        pages: f64,
    ) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let (medium, raid) = (
            &self.catalog.media[&mount.medium],
            &self.catalog.raid[&mount.raid],
        );
        let write = self.lens.quantity(
            &format!("media/{}.random_write", mount.medium),
            &medium.random_write,
        );
        let penalty = self.lens.number(
            &format!("raid/{}.write_penalty", mount.raid),
            &raid.write_penalty,
        );
        let factor = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens.number(
                &format!("filesystems/{}.page_write_factor", fs.entry.id),
                &fs.page_write_factor,
            )
        });
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        self.add(d, disks, pages * write * penalty * factor * others);
    }

    /// Reads `files` archive files with `bytes` in all.
    pub(super) fn read_archive(&mut self, d: &mut Demand, server: usize, files: f64, bytes: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let server = if self.deployment.shared_depot {
            server
        } else {
            server.min(self.deployment.servers() - 1)
        };
        let array = self.array(mount);
        let missed = 1.0 - self.depot_hit;
        let (files, bytes) = (files * missed, bytes * missed);
        let size = self.request_size(mount);
        let front = self.lens.quantity(
            &format!("arrays/{}.front_end", mount.device),
            &array.front_end,
        );
        // Readahead keeps many requests of one file in flight: the reader waits for the first.
        let opens = files * self.open_trips(mount);
        self.requests(
            d,
            server,
            mount,
            files.max(bytes / self.parameter("readahead").max(size)) + opens,
            front,
        );
        let found = self.array_hit.get("depot").copied().unwrap_or(0.0);
        let medium = &self.catalog.media[&mount.medium];
        let read = self.lens.quantity(
            &format!("media/{}.random_read", mount.medium),
            &medium.random_read,
        );
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        self.add(d, disks, files * (1.0 - found) * read * others);
        let (factor, efficiency) = self.filesystem(mount).map_or((1.0, 1.0), |fs| {
            let id = &fs.entry.id;
            (
                self.lens.number(
                    &format!("filesystems/{id}.archive_read_factor"),
                    &fs.archive_read_factor,
                ),
                self.lens.quantity(
                    &format!("filesystems/{id}.read_efficiency"),
                    &fs.read_efficiency,
                ),
            )
        });
        self.transfer(
            d,
            server,
            mount,
            bytes * (1.0 - found) * factor / efficiency,
        );
        self.note("depot", files.max(bytes / size), 0.0, bytes);
        self.storage_transfer(d, server, mount, bytes);
    }

    /// Largest read request on the wire \[B\]: what the mount options say (`rsize=`), else the protocol's.
    fn request_size(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let options = mount
            .mount_option
            .map_or("", |i| protocol.mount_options[i].options.as_str());
        let stated = options
            .split(',')
            .find_map(|o| o.strip_prefix("rsize=")?.parse().ok());
        stated.unwrap_or_else(|| {
            let name = format!("protocols/{}.request_size", mount.protocol);
            self.lens.quantity(&name, &protocol.request_size)
        })
    }

    fn open_trips(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let removed = mount
            .mount_option
            .is_some_and(|i| protocol.mount_options[i].removes.contains(&"open"));
        let name = format!("protocols/{}.open_round_trips", mount.protocol);
        if removed {
            0.0
        } else {
            self.lens.number(&name, &protocol.open_round_trips)
        }
    }

    /// Moves `device_bytes`, parity and copies counted, sequentially between a set of disks and its
    /// controller. On spinning disks a transfer occupies the spindles that random reads need, and finds
    /// its place anew for each window of readahead; flash has a channel to spare.
    fn transfer(&mut self, d: &mut Demand, server: usize, mount: &Mount, device_bytes: f64) {
        let medium = &self.catalog.media[&mount.medium];
        let one = self
            .lens
            .quantity(&format!("media/{}.stream", mount.medium), &medium.stream);
        let others = self.others(mount);
        if medium.kind == "disk" {
            let seek = self.lens.quantity(
                &format!("media/{}.random_read", mount.medium),
                &medium.random_read,
            );
            let disks = self.disks(server, mount);
            let places = device_bytes / self.parameter("readahead");
            let busy = (device_bytes / one + places * seek) * others;
            // A stripe has all disks at work at once: the caller waits for one disk's part, and the
            // others' parts load them as if somebody else sent them.
            self.add(d, disks, busy / mount.disks);
            let mut rest = std::mem::take(&mut self.background);
            self.add(&mut rest, disks, busy * (1.0 - 1.0 / mount.disks));
            self.background = rest;
        } else {
            let stream = self.stream(server, mount);
            d.add(stream, device_bytes / (one * mount.disks) * others);
        }
    }

    /// How much longer everything on a shared array takes because of its other users.
    fn others(&self, mount: &Mount) -> f64 {
        let own = matches!(mount.device.as_str(), "local-raid" | "cloud-block");
        if own || self.deployment.dedicated {
            1.0
        } else {
            1.0 / (1.0 - self.parameter("shared.share"))
        }
    }

    /// Writes `files` archive files with `bytes` in all.
    pub(super) fn write_archive(&mut self, d: &mut Demand, server: usize, files: f64, bytes: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let (array, protocol) = (self.array(mount), self.protocol(mount));
        let fs = self.filesystem(mount);
        let directory = fs.map_or(0.0, |fs| {
            let name = format!("filesystems/{}.synchronous_directory_updates", fs.entry.id);
            self.lens.number(&name, &fs.synchronous_directory_updates)
        });
        if protocol.flushes_on_unlock {
            // Close-to-open consistency: the data is committed when the file is closed.
            self.sync_writes(d, server, "depot", files);
        } else if directory > 0.0 {
            let ack = self.lens.quantity(
                &format!("arrays/{}.write_ack", mount.device),
                &array.write_ack,
            );
            self.requests(d, server, mount, files * directory, ack);
        }
        let factor = fs.map_or(1.0, |fs| {
            let name = format!("filesystems/{}.archive_write_factor", fs.entry.id);
            self.lens.number(&name, &fs.archive_write_factor)
        });
        let raid = &self.catalog.raid[&mount.raid];
        let penalty = self.lens.number(
            &format!("raid/{}.full_stripe_penalty", mount.raid),
            &raid.full_stripe_penalty,
        );
        self.transfer(d, server, mount, bytes * factor * penalty);
        self.note("depot", 0.0, files.max(bytes / ARCHIVE_BLOCK), bytes);
        self.storage_transfer(d, server, mount, bytes);
    }

    /// Bytes appended to a volume without anybody waiting.
    pub(super) fn append(&mut self, d: &mut Demand, server: usize, role: &'static str, bytes: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let raid = &self.catalog.raid[&mount.raid];
        self.transfer(d, server, mount, bytes * raid.full_stripe_penalty.value);
        self.note(role, 0.0, bytes / APPEND, bytes);
        self.storage_transfer(d, server, mount, bytes);
    }
}

/// Above this a station is split: its exact queue would cost more than it tells.
const SERVERS_MAX: f64 = 32.0;
/// Block of an archive write \[B\] (E07 measured archives with 64 KiB).
const ARCHIVE_BLOCK: f64 = 65_536.0;
/// What the page cache gathers of an appended file before it writes \[B\].
const APPEND: f64 = 131_072.0;

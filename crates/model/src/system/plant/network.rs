//! What crosses a network: to the clients, to distant offices, to the storage.

use super::things::place;
use super::{Demand, Plant, ResourceKind};
use crate::catalog::{Access, Called, Protocol};
use crate::posterior::EntryKind;
use crate::system::deployment::Mount;
use crate::system::{Resource, Spot};

impl Plant<'_> {
    /// What the server's network gives to its clients \[B/s\].
    pub(super) fn client_network_rate(&self) -> f64 {
        let id = &self.deployment.client_network;
        let network = self.client_link;
        let links = self.lens.quantity(|| EntryKind::Network.number(id, "bandwidth"), &network.bandwidth)
            * self.lens.share(|| EntryKind::Network.number(id, "efficiency"), &network.efficiency)
            * self.deployment.client_links;
        // An instance of a cloud has what its size gives, whatever the network is called.
        let limit = self.server.network_bandwidth.as_ref().map(|limit| {
            let id = &self.deployment.server;
            let name = || EntryKind::Server.number(id, "network_bandwidth");
            self.lens.quantity(name, limit)
        });
        links.min(limit.unwrap_or(f64::INFINITY))
    }

    /// Bytes between a server and its clients.
    pub(super) fn client_transfer(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let rate = self.client_network_rate();
        let nic = self.client_network(server);
        d.add(nic, bytes / rate);
        // The client drains while the server sends: only what it is slower by comes on top.
        let slower = 1.0 / self.client_rate - 1.0 / rate;
        if slower > 0.0 {
            let client = self.workstation();
            d.add(client, bytes * slower);
        }
    }

    /// Bytes between a server and a client in another town: what they take of the server's own network.
    pub(in crate::system) fn line_transfer(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let rate = self.client_network_rate();
        let nic = self.client_network(server);
        d.add(nic, bytes / rate);
    }

    /// What clients themselves take time for.
    pub(super) fn workstation(&mut self) -> usize {
        self.service(Resource::shared(Spot::Client))
    }

    /// Bytes that a client takes from a proxy beside it: as fast as the client is.
    pub(super) fn proxy_transfer(&mut self, d: &mut Demand, bytes: f64) {
        let client = self.workstation();
        d.add(client, bytes / self.client_rate);
    }

    /// The network between a server and its clients.
    pub(in crate::system) fn client_network(&mut self, server: usize) -> usize {
        self.asked_for((ResourceKind::ClientNetwork, server, 0), 1.0, || {
            Resource::of_server(server, Spot::ClientNetwork)
        })
    }

    /// Links and connections to the stores, and ports of arrays.
    pub(in crate::system) fn links(&self) -> impl Iterator<Item = usize> + '_ {
        let stations = self.stations.iter().enumerate();
        let kinds = [ResourceKind::StorageNetwork, ResourceKind::Connections, ResourceKind::Ports];
        stations.filter(move |(_, (_, resource))| kinds.contains(&resource.kind())).map(|(k, _)| k)
    }

    /// Round trips between a server and a client beside it.
    pub(super) fn client_trips(&mut self, d: &mut Demand, trips: f64) {
        let id = &self.deployment.client_network;
        let name = || EntryKind::Network.number(id, "round_trip");
        let trip = self.lens.quantity(name, &self.client_link.round_trip);
        let delay = self.delay();
        d.add(delay, trips * trip);
    }

    /// What a request takes without the store: the protocol's work on the host, and the round trip of the
    /// mount's network \[s\].
    fn request_time(&self, mount: &Mount) -> (f64, f64) {
        let protocol = self.protocol(mount);
        let own = self
            .lens
            .quantity(|| EntryKind::Protocol.number(&mount.protocol, "command_overhead"), &protocol.command_overhead);
        let trip = self.things(mount).network.map_or(0.0, |network| {
            let name = || EntryKind::Network.number(&network.entry.id, "round_trip");
            self.lens.quantity(name, &network.round_trip)
        });
        (own, trip)
    }

    /// `count` requests that take `service` seconds each behind the network, apart from disks and transfer: at
    /// the slots of an NFS client, else a delay. What limits the number of requests a second, the connections of
    /// the client and the array's operations, is a part of these times.
    pub(super) fn requests(&mut self, d: &mut Demand, server: usize, mount: &Mount, count: f64, service: f64) {
        let (own, trip) = self.request_time(mount);
        let (own, service) = (count * own, count * service);
        let mut limits = Demand::default();
        self.call(&mut limits, server, mount, count, own);
        self.operate(&mut limits, server, mount, count, service);
        let limited = limits.sum();
        d.join(&limits);
        let time = own + count * trip + service - limited;
        let station = self.slots_station(server, mount);
        let station = station.unwrap_or_else(|| self.delay());
        self.add(d, station, time);
        self.hold(server, mount, limited);
    }

    /// The slots of an NFS client; none of block storage.
    fn slots_station(&mut self, server: usize, mount: &Mount) -> Option<usize> {
        if self.protocol(mount).access != Access::File {
            return None;
        }
        let slots = self.slots(mount);
        let asked = (ResourceKind::Slots, server, place(mount));
        let arrays = &self.catalog.arrays;
        Some(self.asked_for(asked, slots, || Resource::of_server(server, Spot::Requests(arrays.named(&mount.device)))))
    }

    /// Calls have their slots for so long while their caller waits at another station of the same call: slots
    /// are busy, and nobody waits for them twice.
    pub(super) fn hold(&mut self, server: usize, mount: &Mount, seconds: f64) {
        if seconds <= 0.0 {
            return;
        }
        if let Some(slots) = self.slots_station(server, mount) {
            self.occupy(slots, seconds);
        }
    }

    /// Keeps a station busy while the caller waits at another one.
    fn occupy(&mut self, station: usize, seconds: f64) {
        let mut held = std::mem::take(&mut self.held);
        self.add(&mut held, station, seconds);
        self.held = held;
    }

    /// Whether something limits the requests of a mount, and not only their bytes.
    pub(super) fn counts_requests(&self, mount: &Mount) -> bool {
        self.protocol(mount).access == Access::File || self.array(mount).operations.is_some()
    }

    /// The requests that move `bytes`, but for so many that are `waited` for: those of readahead and of gathered
    /// writes. They take `service` seconds each and are on their way while the caller waits for their bytes.
    pub(super) fn requests_beside(&mut self, server: usize, mount: &Mount, (bytes, waited): (f64, f64), service: f64) {
        if !self.counts_requests(mount) {
            return;
        }
        let count = (bytes / self.request_size(mount) - waited).max(0.0);
        let mut nothing = Demand::default();
        self.call(&mut nothing, server, mount, count, 0.0);
        self.operate(&mut nothing, server, mount, count, 0.0);
        let (own, trip) = self.request_time(mount);
        self.hold(server, mount, count * (own + trip + service));
    }

    pub(super) fn slots(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let wire = self.lens.number(|| EntryKind::Protocol.number(&mount.protocol, "slots"), &protocol.slots);
        let id = &self.deployment.server;
        let host = self.lens.number(|| EntryKind::Server.number(id, "nfs_slots"), &self.server.nfs_slots);
        let many = if protocol.slots_per_connection { self.connections(mount) } else { 1.0 };
        wire.min(host) * many
    }

    /// TCP connections of a mount: what its options say (`nconnect=`), as far as the server's clients know them.
    fn connections(&self, mount: &Mount) -> f64 {
        let year = self.deployment.release.year();
        // What a system that is there is mounted with holds for it, whatever the catalogue recommends.
        let sets = match mount.stated_options {
            Some(_) => Vec::new(),
            None => mount.option_sets(self.catalog),
        };
        let options = sets.iter().flat_map(|set| set.in_year(year));
        let own = mount.stated_options.iter().flat_map(|text| text.split(','));
        let options = options.chain(own.map(str::trim));
        let stated = options.filter_map(|o| o.strip_prefix("nconnect=")?.parse::<f64>().ok());
        stated.fold(1.0, f64::max)
    }

    /// The protocol, if it limits connections of hosts of the server's generation.
    fn limited_connections<'p>(&self, protocol: &'p Protocol) -> Option<&'p Protocol> {
        let since = protocol.connection_since.as_ref().map_or(0.0, |s| s.value);
        let generation = self.server.generation.parse::<f64>();
        generation.is_ok_and(|g| g >= since).then_some(protocol)
    }

    /// The connections of an NFS client.
    fn connections_station(&mut self, server: usize, mount: &Mount) -> usize {
        let connections = self.connections(mount);
        let asked = (ResourceKind::Connections, server, place(mount));
        let arrays = &self.catalog.arrays;
        self.asked_for(asked, connections, || {
            Resource::of_server(server, Spot::Connections(arrays.named(&mount.device)))
        })
    }

    /// `count` calls at the connections of an NFS client, up to the `own` seconds that the protocol's work on the
    /// host takes: one call after the other on each connection.
    fn call(&mut self, d: &mut Demand, server: usize, mount: &Mount, count: f64, own: f64) {
        let limits = self.limited_connections(self.protocol(mount));
        let Some(calls) = limits.and_then(|p| p.connection_calls.as_ref()) else {
            return;
        };
        let name = || EntryKind::Protocol.number(&mount.protocol, "connection_calls");
        let rate = self.lens.quantity(name, calls);
        let station = self.connections_station(server, mount);
        self.limit(d, station, count / rate, own);
    }

    /// `count` requests at the array's limit of operations, up to the `service` seconds that it has them.
    fn operate(&mut self, d: &mut Demand, server: usize, mount: &Mount, count: f64, service: f64) {
        let Some(operations) = self.array(mount).operations.as_ref() else {
            return;
        };
        let name = || EntryKind::Array.number(&mount.device, "operations");
        let rate = self.lens.quantity(name, operations);
        let station = self.operations(server, mount);
        self.limit(d, station, count / rate, service);
    }

    /// Seconds at a station of a limit: those of a time that the caller waits anyway, the others while it goes on.
    fn limit(&mut self, d: &mut Demand, station: usize, seconds: f64, within: f64) {
        self.add(d, station, seconds.min(within));
        self.occupy(station, (seconds - within).max(0.0));
    }

    /// The ports of a mount's array.
    pub(in crate::system) fn ports(&mut self, server: usize, mount: &Mount) -> usize {
        let arrays = &self.catalog.arrays;
        let whose = if mount.is_own() { server } else { 0 };
        self.asked_for((ResourceKind::Ports, whose, place(mount)), 1.0, || {
            Resource::of_array(server, mount, Spot::Ports(arrays.named(&mount.device)))
        })
    }

    /// What the controllers of a mount's array do: its ports, its requests where it limits them, and the writes that it
    /// takes. A forced write waits for the slowest of these, so that ports alone do not show that a controller is missing.
    pub(in crate::system) fn controllers(&mut self, mount: &Mount) -> Vec<usize> {
        let deployment = self.deployment;
        let mut stations = vec![self.ports(0, mount)];
        if self.array(mount).operations.is_some() {
            stations.push(self.operations(0, mount));
        }
        let same = |other: &&Mount| other.device == mount.device;
        for other in deployment.volumes.iter().filter(same) {
            let transfer = self.stream(0, other);
            if !stations.contains(&transfer) {
                stations.push(transfer);
            }
        }
        stations
    }

    /// The limit of a mount's array on requests.
    fn operations(&mut self, server: usize, mount: &Mount) -> usize {
        let operations = Spot::Operations(self.array(mount).entry.named());
        self.station(Resource::of_array(server, mount, operations), 1.0)
    }

    /// Bytes over the storage network and through the array's ports. Of link and connections, which have the
    /// same bytes at the same time, the slower is waited for.
    pub(super) fn storage_transfer(&mut self, d: &mut Demand, server: usize, mount: &Mount, bytes: f64) {
        if let Some(network) = self.things(mount).network {
            let id = &network.entry.id;
            let rate = self.lens.quantity(|| EntryKind::Network.number(id, "bandwidth"), &network.bandwidth)
                * self.lens.share(|| EntryKind::Network.number(id, "efficiency"), &network.efficiency);
            let asked = (ResourceKind::StorageNetwork, server, place(mount));
            let link =
                self.asked_for(asked, 1.0, || Resource::of_server(server, Spot::StorageLink(network.entry.named())));
            match self.connections_below(server, mount, rate) {
                Some((connections, one)) => {
                    self.add(d, connections, bytes / one);
                    self.occupy(link, bytes / rate);
                }
                None => d.add(link, bytes / rate),
            }
        }
        if mount.bought.is_some() {
            // Volumes that are bought have limits of their own, and share that of their instance.
            self.instance(d, server, bytes);
        } else if !mount.is_local() {
            let array = self.array(mount);
            let name = || EntryKind::Array.number(&mount.device, "bandwidth");
            let rate = self.lens.quantity(name, &array.bandwidth);
            let ports = self.ports(server, mount);
            d.add(ports, bytes / rate);
        }
    }

    /// Bytes between an instance of a cloud and all its volumes, where it has a limit for them.
    fn instance(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let id = &self.deployment.server;
        let machine = self.catalog.servers.get(id);
        let Some(limit) = machine.and_then(|machine| machine.storage_bandwidth.as_ref()) else {
            return;
        };
        let name = || EntryKind::Server.number(id, "storage_bandwidth");
        let rate = self.lens.quantity(name, limit);
        let station = self.station(Resource::of_server(server, Spot::Volumes), 1.0);
        d.add(station, bytes / rate);
    }

    /// The connections of a mount and what one of them carries \[B/s\], if all together carry less than a link: a
    /// slower link is full before they are, whoever else uses it.
    fn connections_below(&mut self, server: usize, mount: &Mount, link: f64) -> Option<(usize, f64)> {
        let one = self.limited_connections(self.protocol(mount))?;
        let one = one.connection_bandwidth.as_ref()?;
        let name = || EntryKind::Protocol.number(&mount.protocol, "connection_bandwidth");
        let one = self.lens.quantity(name, one);
        let below = one * self.connections(mount) < link;
        below.then(|| (self.connections_station(server, mount), one))
    }
}

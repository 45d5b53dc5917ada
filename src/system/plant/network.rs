//! What crosses a network: to the clients, to distant offices, to the storage.

use super::things::place;
use super::{Demand, Plant, ResourceKind};
use crate::catalog::Access;
use crate::system::deployment::Mount;

impl Plant<'_> {
    /// What the server's network gives to its clients \[B/s\].
    pub(super) fn client_network_rate(&self) -> f64 {
        let id = &self.deployment.client_network;
        let network = self.client_link;
        self.lens
            .quantity(format_args!("networks/{id}.bandwidth"), &network.bandwidth)
            * self.lens.quantity(
                format_args!("networks/{id}.efficiency"),
                &network.efficiency,
            )
            * self.deployment.client_links
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
    pub(super) fn line_transfer(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let rate = self.client_network_rate();
        let nic = self.client_network(server);
        d.add(nic, bytes / rate);
    }

    /// What clients themselves take time for.
    pub(super) fn workstation(&mut self) -> usize {
        self.service("client workstation".to_owned(), ResourceKind::Client)
    }

    /// Bytes that a client takes from a proxy beside it: as fast as the client is.
    pub(super) fn proxy_transfer(&mut self, d: &mut Demand, bytes: f64) {
        let client = self.workstation();
        d.add(client, bytes / self.client_rate);
    }

    /// The network between a server and its clients.
    pub(in crate::system) fn client_network(&mut self, server: usize) -> usize {
        self.spot((ResourceKind::ClientNetwork, server, 0), 1.0, || {
            format!("client network of {}", Self::server_name(server))
        })
    }

    /// Links to the stores and ports of arrays.
    pub(in crate::system) fn links(&self) -> impl Iterator<Item = usize> + '_ {
        let stations = self.stations.iter().enumerate();
        let kinds = [ResourceKind::StorageNetwork, ResourceKind::Ports];
        stations
            .filter(move |(_, (_, kind))| kinds.contains(kind))
            .map(|(k, _)| k)
    }

    /// Round trips between a server and a client beside it.
    pub(super) fn client_trips(&mut self, d: &mut Demand, trips: f64) {
        let id = &self.deployment.client_network;
        let name = format_args!("networks/{id}.round_trip");
        let trip = self.lens.quantity(name, &self.client_link.round_trip);
        let delay = self.delay();
        d.add(delay, trips * trip);
    }

    /// Round trip of a mount's network plus the protocol's own work \[s\].
    pub(super) fn request_time(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let own = self.lens.quantity(
            format_args!("protocols/{}.command_overhead", mount.protocol),
            &protocol.command_overhead,
        );
        let trip = self.things(mount).network.map_or(0.0, |network| {
            let name = format_args!("networks/{}.round_trip", network.entry.id);
            self.lens.quantity(name, &network.round_trip)
        });
        own + trip
    }

    /// `count` requests that take `service` seconds each behind the network: at the slots of an NFS
    /// client, else a delay.
    pub(super) fn requests(
        &mut self,
        d: &mut Demand,
        server: usize,
        mount: &Mount,
        count: f64,
        service: f64,
    ) {
        let time = count * (self.request_time(mount) + service);
        let station = if self.protocol(mount).access == Access::File {
            let slots = self.slots(mount);
            self.spot((ResourceKind::Slots, server, place(mount)), slots, || {
                let server = Self::server_name(server);
                format!("NFS requests of {server} to {}", mount.device)
            })
        } else {
            self.delay()
        };
        self.add(d, station, time);
    }

    pub(super) fn slots(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let wire = self.lens.number(
            format_args!("protocols/{}.slots", mount.protocol),
            &protocol.slots,
        );
        let id = &self.deployment.server;
        let host = self.lens.number(
            format_args!("servers/{id}.nfs_slots"),
            &self.server.nfs_slots,
        );
        wire.min(host)
    }

    /// The ports of a mount's array.
    pub(in crate::system) fn ports(&mut self, mount: &Mount) -> usize {
        self.spot((ResourceKind::Ports, 0, place(mount)), 1.0, || {
            format!("ports of {}", mount.device)
        })
    }

    /// Bytes over the storage network and through the array's ports.
    pub(super) fn storage_transfer(
        &mut self,
        d: &mut Demand,
        server: usize,
        mount: &Mount,
        bytes: f64,
    ) {
        if let Some(network) = self.things(mount).network {
            let id = &network.entry.id;
            let rate = self
                .lens
                .quantity(format_args!("networks/{id}.bandwidth"), &network.bandwidth)
                * self.lens.quantity(
                    format_args!("networks/{id}.efficiency"),
                    &network.efficiency,
                );
            let spot = (ResourceKind::StorageNetwork, server, place(mount));
            let link = self.spot(spot, 1.0, || {
                format!("storage link {id} of {}", Self::server_name(server))
            });
            d.add(link, bytes / rate);
        }
        if !mount.is_local() {
            let array = self.array(mount);
            let name = format_args!("arrays/{}.bandwidth", mount.device);
            let rate = self.lens.quantity(name, &array.bandwidth);
            let ports = self.ports(mount);
            d.add(ports, bytes / rate);
        }
    }
}

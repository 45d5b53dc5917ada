//! The stations of a plant: found by name, and by where they were asked for before.

use super::{Demand, Plant, ResourceKind};
use crate::queueing::Station;
use crate::system::Resource;

/// Above this a station is split: its exact queue would cost more than it tells.
const SERVERS_MAX: f64 = 32.0;

/// Where a station is asked for: what it is, of which server, at which volume (by its place) or other
/// thing. Several spots may be one station, known by its name.
pub(super) type Spot = (ResourceKind, usize, usize);

/// Instead of a volume: the part of a split station, by index in place of the server, that nobody queues for.
const IN_SERVICE: usize = 1;

impl Plant<'_> {
    /// The station at a spot; its name is made when it is first asked for there.
    pub(super) fn spot(
        &mut self,
        spot: Spot,
        servers: f64,
        name: impl FnOnce() -> String,
    ) -> usize {
        if let Some(station) = self.known(spot) {
            return station;
        }
        let station = self.station(name(), servers, spot.0);
        self.spots.insert(spot, station);
        station
    }

    fn known(&self, spot: Spot) -> Option<usize> {
        self.spots.get(&spot).copied()
    }

    pub(super) fn station(&mut self, name: String, servers: f64, kind: ResourceKind) -> usize {
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

    /// A station by its name.
    pub(in crate::system) fn resource(&self, name: &str) -> Resource {
        let station = self.names.get(name).map(|index| self.stations[*index].1);
        Resource::new(station.unwrap_or(ResourceKind::Delay), name)
    }

    /// Adds time at a station. One with very many servers is a fast single server and a delay
    /// (Seidmann, Schweitzer and Shalev-Oren 1987): D/m queued, D(m − 1)/m not.
    pub(in crate::system) fn add(&mut self, d: &mut Demand, station: usize, seconds: f64) {
        match self.split.get(&station).copied() {
            None => d.add(station, seconds),
            Some(m) => {
                d.add(station, seconds / m);
                let spot = (self.stations[station].1, station, IN_SERVICE);
                let service = self.known(spot).unwrap_or_else(|| {
                    let name = format!("{}, in service", self.stations[station].0.name);
                    let service = self.service(name, spot.0);
                    self.spots.insert(spot, service);
                    service
                });
                self.parts.insert(service);
                d.add(service, seconds * (m - 1.0) / m);
            }
        }
    }

    /// Whether a delay is the other part of a split station.
    pub(in crate::system) fn is_part(&self, station: usize) -> bool {
        self.parts.contains(&station)
    }

    /// Servers that a station was split by; 1 where it was not.
    pub(in crate::system) fn split_servers(&self, station: usize) -> f64 {
        self.split.get(&station).copied().unwrap_or(1.0)
    }

    /// Servers of a station, split or not; 1 at a delay.
    pub(in crate::system) fn servers(&self, station: usize) -> f64 {
        let speed = self.stations[station].0.kind.greatest_speed();
        if speed.is_finite() {
            speed * self.split_servers(station)
        } else {
            1.0
        }
    }

    /// Whether the threads of a parallel client share its work at a station. Content crosses a link as one
    /// stream, and the client itself takes it at its own rate.
    pub(in crate::system) fn is_shared_by_threads(&self, station: usize) -> bool {
        matches!(
            self.stations[station].1,
            ResourceKind::Delay
                | ResourceKind::Slots
                | ResourceKind::Connections
                | ResourceKind::Disks
                | ResourceKind::Processor
        )
    }

    /// A delay that counts as time at a resource.
    pub(super) fn service(&mut self, name: String, kind: ResourceKind) -> usize {
        if let Some(index) = self.names.get(&name) {
            return *index;
        }
        self.stations.push((Station::delay(name.clone()), kind));
        self.names.insert(name, self.stations.len() - 1);
        self.stations.len() - 1
    }

    /// "commit server", "edge 2".
    pub(in crate::system) fn server_name(server: usize) -> String {
        if server == 0 {
            "commit server".to_owned()
        } else {
            format!("edge {server}")
        }
    }

    pub(in crate::system) fn processor(&mut self, server: usize) -> usize {
        let cores = self.deployment.cores;
        self.spot((ResourceKind::Processor, server, 0), cores, || {
            format!("processor of {}", Self::server_name(server))
        })
    }

    pub(in crate::system) fn delay(&mut self) -> usize {
        self.spot((ResourceKind::Delay, 0, 0), 0.0, || {
            "round trips and cache hits".to_owned()
        })
    }

    /// The delay station where a group's lock waits are put.
    pub(in crate::system) fn lock_waits(&mut self) -> usize {
        self.station("table locks".to_owned(), 0.0, ResourceKind::Delay)
    }
}

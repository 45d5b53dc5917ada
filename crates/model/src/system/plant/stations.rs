//! The stations of a plant: found by what they are, and by where they were asked for before.

use super::{Demand, OneIo, Plant, ResourceKind};
use crate::queueing::Station;
use crate::system::{Resource, Spot};

/// Above this a station is split: its exact queue would cost more than it tells.
const SERVERS_MAX: f64 = 32.0;

/// Commits that wait at once, beyond which a station of commits does no more.
const COMMITS_MOST: u32 = 128;

/// Where a station is asked for: its kind, for which server, at which volume (by its place). Several of these may be one
/// station.
pub(super) type Asked = (ResourceKind, usize, usize);

impl Plant<'_> {
    /// The station that is asked for; what it is, is made when it is first asked for there.
    pub(super) fn asked_for(&mut self, asked: Asked, servers: f64, resource: impl FnOnce() -> Resource) -> usize {
        if let Some(station) = self.known.get(&asked) {
            return *station;
        }
        let station = self.station(resource(), servers);
        self.known.insert(asked, station);
        station
    }

    /// A station where so many are served at once; of what nobody waits for a delay.
    pub(super) fn station(&mut self, resource: Resource, servers: f64) -> usize {
        if resource.kind() == ResourceKind::Delay {
            return self.service(resource);
        }
        if let Some(known) = self.known_as(&resource) {
            return known;
        }
        let servers = servers.round().max(1.0);
        let split = servers > SERVERS_MAX;
        if split {
            self.split.insert(self.stations.len(), servers);
        }
        let servers = if split { 1 } else { servers as u32 };
        let station = Station::queueing(resource.name.clone(), servers);
        self.add_station(station, resource)
    }

    /// A delay that counts as time at a resource.
    pub(super) fn service(&mut self, resource: Resource) -> usize {
        if let Some(known) = self.known_as(&resource) {
            return known;
        }
        let station = Station::delay(resource.name.clone());
        self.add_station(station, resource)
    }

    /// A station of commits: one is under way at a time, and all who came meanwhile are the next (group commit; `DeWitt` and others
    /// 1984, "Implementation techniques for main memory database systems"). Who comes back waits for the end of the one under way, so
    /// that n who are there are served in two: 2a + nb, where one commit takes a and each that joins b. A flow-equivalent server
    /// (Chandy, Herzog and Woo 1975) is n (a + b) / (2a + nb) times as fast as it is for one alone; b/a is `commit.joined`.
    pub(super) fn commits(&mut self, resource: Resource) -> usize {
        if let Some(known) = self.known_as(&resource) {
            return known;
        }
        let joined = self.parameter("commit.joined");
        let speed = |n| n * (1.0 + joined) / (2.0 + n * joined);
        let speeds = (1..=COMMITS_MOST).map(|n| speed(f64::from(n)).max(1.0));
        let station = Station::load_dependent(resource.name.clone(), speeds.collect());
        self.add_station(station, resource)
    }

    fn known_as(&self, resource: &Resource) -> Option<usize> {
        let mut stations = self.stations.iter();
        stations.position(|(_, known)| known.spot == resource.spot && known.server == resource.server)
    }

    fn add_station(&mut self, station: Station, resource: Resource) -> usize {
        self.stations.push((station, resource));
        self.stations.len() - 1
    }

    /// The resource of a station.
    pub(in crate::system) fn resource(&self, station: usize) -> Resource {
        self.stations[station].1.clone()
    }

    pub(in crate::system) fn kind(&self, station: usize) -> ResourceKind {
        self.stations[station].1.kind()
    }

    /// Whether a station is a line to an office, or the network to the clients: they pass bytes at a stated rate.
    pub(in crate::system) fn is_link(&self, station: usize) -> bool {
        let spot = &self.stations[station].1.spot;
        !self.is_part(station) && matches!(spot, Spot::Line(_) | Spot::ClientNetwork)
    }

    /// Adds time at a station. One with very many servers is a fast single server and a delay
    /// (Seidmann, Schweitzer and Shalev-Oren 1987): D/m queued, D(m − 1)/m not.
    pub(in crate::system) fn add(&mut self, d: &mut Demand, station: usize, seconds: f64) {
        match self.split.get(&station).copied() {
            None => d.add(station, seconds),
            Some(m) => {
                d.add(station, seconds / m);
                let service = self.in_service(station);
                d.add(service, seconds * (m - 1.0) / m);
            }
        }
    }

    /// The other part of a split station, that nobody queues for.
    fn in_service(&mut self, station: usize) -> usize {
        let mut parts = self.parts.iter();
        if let Some((part, _)) = parts.find(|(_, whole)| **whole == station) {
            return *part;
        }
        let whole = &self.stations[station].1;
        let resource = Resource { name: format!("{}, in service", whole.name), ..whole.clone() };
        let part = self.add_station(Station::delay(resource.name.clone()), resource);
        self.parts.insert(part, station);
        part
    }

    /// Whether a delay is the other part of a split station.
    pub(in crate::system) fn is_part(&self, station: usize) -> bool {
        self.parts.contains_key(&station)
    }

    /// One random read at a station of disks, or at the other part of one.
    pub(in crate::system) fn one_io(&self, station: usize) -> Option<OneIo> {
        let whole = self.parts.get(&station).unwrap_or(&station);
        self.ios.get(whole).copied()
    }

    /// Servers that a station was split by; 1 where it was not.
    pub(in crate::system) fn split_servers(&self, station: usize) -> f64 {
        self.split.get(&station).copied().unwrap_or(1.0)
    }

    /// Servers of a station, split or not; 1 at a delay.
    pub(in crate::system) fn servers(&self, station: usize) -> f64 {
        let speed = self.stations[station].0.kind.greatest_speed();
        if speed.is_finite() { speed * self.split_servers(station) } else { 1.0 }
    }

    /// Whether the threads of a parallel client share its work at a station. Content crosses a link as one
    /// stream, and the client itself takes it at its own rate.
    pub(in crate::system) fn is_shared_by_threads(&self, station: usize) -> bool {
        matches!(
            self.kind(station),
            ResourceKind::Delay
                | ResourceKind::Slots
                | ResourceKind::Connections
                | ResourceKind::Disks
                | ResourceKind::Processor
        )
    }

    /// "commit server", "edge 2".
    pub(in crate::system) fn server_name(server: usize) -> String {
        if server == 0 { "commit server".to_owned() } else { format!("edge {server}") }
    }

    pub(in crate::system) fn processor(&mut self, server: usize) -> usize {
        let cores = self.deployment.cores;
        self.asked_for((ResourceKind::Processor, server, 0), cores, || Resource::of_server(server, Spot::Processor))
    }

    pub(in crate::system) fn delay(&mut self) -> usize {
        self.asked_for((ResourceKind::Delay, 0, 0), 0.0, || Resource::shared(Spot::Trips))
    }

    /// The delay station where a group's lock waits are put.
    pub(in crate::system) fn lock_waits(&mut self) -> usize {
        self.service(Resource::shared(Spot::LockWaits))
    }
}

//! Maintenance on an idle server: one process reads or writes all of a volume in sequence.
//!
//! Stations are those of the commands; what is busy beside the process (other disks of a stripe, slots of an NFS client)
//! is left out, since nobody else is there.

use super::{Demand, Plant, ResourceKind};
use crate::posterior::EntryKind;
use crate::system::deployment::Mount;
use crate::system::{Resource, Spot};

impl Plant<'_> {
    /// Reads `bytes` of a role's volume in sequence.
    pub(in crate::system) fn read_all(&mut self, d: &mut Demand, server: usize, role: &str, bytes: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        self.transfer(d, server, mount, bytes);
        self.storage_transfer(d, server, mount, bytes);
        self.forget();
    }

    /// Writes `bytes` to a role's volume in sequence; an array takes a long burst as fast as it destages.
    pub(in crate::system) fn write_all(&mut self, d: &mut Demand, server: usize, role: &str, bytes: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let raid = self.things(mount).raid;
        let name = || EntryKind::Raid.number(&mount.raid, "full_stripe_penalty");
        let penalty = self.lens.number(name, &raid.full_stripe_penalty);
        self.transfer(d, server, mount, bytes * penalty);
        self.storage_transfer(d, server, mount, bytes);
        if let Some((station, seconds)) = self.writes(server, mount, bytes) {
            d.add(station, seconds);
        }
        self.forget();
    }

    /// The station where an array takes what is written to it, and how long it takes `bytes` \[s\]; none of a server's own disks.
    pub(super) fn writes(&mut self, server: usize, mount: &Mount, bytes: f64) -> Option<(usize, f64)> {
        if mount.is_private() {
            return None;
        }
        let array = self.array(mount);
        let name = || EntryKind::Array.number(&mount.device, "write_bandwidth");
        let rate = self.lens.quantity(name, &array.write_bandwidth);
        let writes = Spot::Writes(array.entry.named());
        let station = self.station(Resource::of_array(server, mount, writes), 1.0);
        Some((station, bytes / rate * self.others(mount)))
    }

    /// What one process waits for that reads so many pages of a role's volume, each at a place of its own and none in a cache.
    pub(in crate::system) fn wait_for_pages(&mut self, server: usize, role: &str, pages: f64) -> Demand {
        let mut waited = Demand::default();
        if let Some(mount) = self.deployment.mount_on(role, server) {
            self.read_each(&mut waited, server, mount, pages, 0.0);
            self.forget();
        }
        waited
    }

    /// Writes so many pages of a role's volume back, each at a place of its own, on all its disks at once.
    pub(in crate::system) fn write_back(&mut self, d: &mut Demand, server: usize, role: &'static str, pages: f64) {
        let mut written = Demand::default();
        self.destage(&mut written, server, role, pages);
        for (station, seconds) in written.iter() {
            d.add(station, seconds / self.servers(station));
        }
        self.forget();
    }

    /// Opens `files` archive files one after the other and waits for the first block of each.
    pub(in crate::system) fn open_all(&mut self, d: &mut Demand, server: usize, files: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let trips = self.open_trips(mount);
        self.request_archive(d, server, files * (1.0 + trips));
        let medium = self.things(mount).medium;
        let name = || EntryKind::Medium.number(&mount.medium, "random_read");
        let read = self.lens.quantity(name, &medium.random_read);
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        self.add(d, disks, files * read * others);
        self.forget();
    }

    /// Bytes from the store of backups.
    pub(in crate::system) fn restore(&mut self, d: &mut Demand, bytes: f64) {
        let rate = self.parameter("restore.rate");
        let station = self.station(Resource::shared(Spot::Backups), 1.0);
        d.add(station, bytes / rate);
    }

    /// Time of one thread of this server over that of the generation which was measured last.
    pub(in crate::system) fn slower_than_measured(&self) -> f64 {
        self.cost("row_read") / self.parameter("row_read.2017")
    }

    /// What a rebuild puts on a new disk of a volume's set, and the share of the disk's rate that it gets \[B, B/s\].
    pub(in crate::system) fn rebuild(&self, mount: &Mount) -> (f64, f64) {
        let medium = self.things(mount).medium;
        let name = || EntryKind::Medium.number(&mount.medium, "stream");
        let stream = self.lens.quantity(name, &medium.stream);
        (mount.disk_bytes, stream * self.parameter("rebuild.share"))
    }

    /// Where one process that streams is held up: the station that takes longest, and how long \[s\].
    pub(in crate::system) fn slowest(&self, d: &Demand) -> (String, f64) {
        let mut all: Vec<(usize, f64)> = Vec::new();
        for (k, seconds) in d.iter() {
            // Requests of one reader go round all connections of its mount.
            let seconds = match self.kind(k) {
                ResourceKind::Connections => seconds / self.servers(k),
                _ => seconds,
            };
            let whole = self.parts.get(&k).copied().unwrap_or(k);
            match all.iter_mut().find(|(known, _)| *known == whole) {
                Some((_, sum)) => *sum += seconds,
                None => all.push((whole, seconds)),
            }
        }
        let slowest = all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        slowest.map_or((String::new(), 0.0), |(station, seconds)| (self.stations[station].1.name.clone(), seconds))
    }

    /// Drops what is busy beside the one process.
    fn forget(&mut self) {
        self.background = Demand::default();
        self.held = Demand::default();
        self.asked = None;
    }
}

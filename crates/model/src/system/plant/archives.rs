//! Archives and appended files: read, written, moved between disks and controller.

use super::{Demand, Plant};
use crate::posterior::EntryKind;
use crate::system::deployment::Mount;

/// How archives are read on one server.
#[derive(Debug, Clone, Copy)]
pub(in crate::system) struct Reading {
    /// Share that the server's memory does not have.
    pub(in crate::system) missed: f64,
    /// Round trips to open a file.
    pub(in crate::system) opens: f64,
    /// Bytes of one file that are asked for ahead: the reader waits for the first request only.
    pub(in crate::system) window: f64,
    /// Bytes of a request.
    pub(in crate::system) request: f64,
}

impl Plant<'_> {
    /// How a server reads archives; none without a depot.
    pub(in crate::system) fn reading(&mut self, server: usize) -> Option<Reading> {
        if self.readings[server].is_none() {
            let mount = self.deployment.mount_on("depot", server)?;
            let request = self.request_size(mount);
            let ahead = self.read_ahead(mount);
            self.readings[server] = Some(Reading {
                missed: 1.0 - self.depot_hit[server],
                opens: self.open_trips(mount),
                window: ahead.unwrap_or_else(|| self.parameter("readahead").max(request)),
                request,
            });
        }
        self.readings[server]
    }

    /// Asks the store `count` times for content of archives.
    pub(super) fn request_archive(&mut self, d: &mut Demand, server: usize, count: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let array = self.array(mount);
        let front = self.lens.quantity(|| EntryKind::Array.number(&mount.device, "front_end"), &array.front_end);
        self.requests(d, server, mount, count, front);
    }

    /// Finds the beginnings of `files` archive files on the disks.
    pub(super) fn find_archive(&mut self, d: &mut Demand, server: usize, files: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let found = self.found_in_array(server, "depot");
        let medium = self.things(mount).medium;
        let read = self.lens.quantity(|| EntryKind::Medium.number(&mount.medium, "random_read"), &medium.random_read);
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        let seconds = files * (1.0 - found) * read * others;
        self.add(d, disks, seconds);
        self.hold(server, mount, seconds);
    }

    /// Reads `bytes` of archives.
    pub(super) fn read_archive(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let found = self.found_in_array(server, "depot");
        let (factor, efficiency) = self.filesystem(mount).map_or((1.0, 1.0), |fs| {
            let id = &fs.entry.id;
            (
                self.lens.number(|| EntryKind::Filesystem.number(id, "archive_read_factor"), &fs.archive_read_factor),
                self.lens.share(|| EntryKind::Filesystem.number(id, "read_efficiency"), &fs.read_efficiency),
            )
        });
        let moved = bytes * (1.0 - found) * factor / efficiency;
        let mut content = Demand::default();
        let window = if let Some(window) = self.read_ahead(mount) {
            self.transfer_by(&mut content, server, mount, moved, (window, 1.0));
            window
        } else {
            self.transfer(&mut content, server, mount, moved);
            self.parameter("readahead").max(self.request_size(mount))
        };
        self.storage_transfer(&mut content, server, mount, bytes);
        self.hold(server, mount, content.sum());
        d.join(&content);
        let front =
            self.lens.quantity(|| EntryKind::Array.number(&mount.device, "front_end"), &self.array(mount).front_end);
        self.requests_beside(server, mount, (bytes, bytes / window), front);
    }

    /// What a reader has in flight on one disk at a time, where its filesystem reads no further ahead \[B\].
    fn read_ahead(&mut self, mount: &Mount) -> Option<f64> {
        let fs = self.filesystem(mount)?;
        let ahead = fs.read_ahead.as_ref()?;
        let name = || EntryKind::Filesystem.number(&fs.entry.id, "read_ahead");
        Some(self.lens.quantity(name, ahead))
    }

    /// Largest read request on the wire \[B\]: what the mount options say (`rsize=`), else the protocol's.
    pub(super) fn request_size(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let options = mount.mount_option.map_or("", |i| protocol.mount_options[i].options.as_str());
        let mut options = options.split(',');
        let stated = options.find_map(|o| o.strip_prefix("rsize=")?.parse().ok());
        stated.unwrap_or_else(|| {
            let name = || EntryKind::Protocol.number(&mount.protocol, "request_size");
            self.lens.quantity(name, &protocol.request_size)
        })
    }

    pub(super) fn open_trips(&self, mount: &Mount) -> f64 {
        let protocol = self.protocol(mount);
        let removed = mount.mount_option.is_some_and(|i| protocol.mount_options[i].removes.contains(&"open"));
        let name = || EntryKind::Protocol.number(&mount.protocol, "open_round_trips");
        if removed { 0.0 } else { self.lens.number(name, &protocol.open_round_trips) }
    }

    /// Moves `device_bytes`, parity and copies counted, sequentially between a set of disks and its
    /// controller. On spinning disks a transfer occupies the spindles that random reads need, and finds
    /// its place anew for each window of readahead; flash has a channel to spare.
    pub(super) fn transfer(&mut self, d: &mut Demand, server: usize, mount: &Mount, device_bytes: f64) {
        let window = self.parameter("readahead");
        self.transfer_by(d, server, mount, device_bytes, (window, mount.disks));
    }

    /// The same with so much at each place that the arm finds, and as many disks at work for the caller
    /// at once.
    fn transfer_by(
        &mut self,
        d: &mut Demand,
        server: usize,
        mount: &Mount,
        device_bytes: f64,
        (window, at_once): (f64, f64),
    ) {
        let medium = self.things(mount).medium;
        let one = self.lens.quantity(|| EntryKind::Medium.number(&mount.medium, "stream"), &medium.stream);
        let others = self.others(mount);
        let is_disk = medium.kind == "disk";
        let rented = mount.bought.map(|bought| bought.bandwidth);
        let seek = if is_disk {
            let name = || EntryKind::Medium.number(&mount.medium, "random_read");
            device_bytes / window * self.lens.quantity(name, &medium.random_read)
        } else {
            0.0
        };
        if let Some(rate) = rented.or((!is_disk).then_some(one * mount.disks)) {
            // All requests to a volume of a provider share its bandwidth, and what finds its place counts as operations.
            let stream = self.stream(server, mount);
            d.add(stream, device_bytes / rate * others);
            if seek > 0.0 {
                let disks = self.disks(server, mount);
                self.add(d, disks, seek * others);
            }
        } else {
            let disks = self.disks(server, mount);
            let busy = (device_bytes / one + seek) * others;
            // A stripe has its disks at work at once: the caller waits for one disk's part, and the
            // others' parts load them as if somebody else sent them.
            let waited = 1.0 / at_once.min(mount.disks);
            self.add(d, disks, busy * waited);
            let mut rest = std::mem::take(&mut self.background);
            self.add(&mut rest, disks, busy * (1.0 - waited));
            self.background = rest;
        }
    }

    /// How much longer everything on a shared array takes because of its other users.
    pub(super) fn others(&self, mount: &Mount) -> f64 {
        if mount.is_private() || self.deployment.dedicated { 1.0 } else { 1.0 / (1.0 - self.parameter("shared.share")) }
    }

    /// Makes `files` archive files.
    pub(super) fn make_archive(&mut self, d: &mut Demand, server: usize, files: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let directory = self.filesystem(mount).map_or(0.0, |fs| {
            let name = || EntryKind::Filesystem.number(&fs.entry.id, "synchronous_directory_updates");
            self.lens.number(name, &fs.synchronous_directory_updates)
        });
        if self.protocol(mount).flushes_on_unlock {
            // Close-to-open consistency: the data is committed when the file is closed.
            self.sync_writes(d, server, "depot", files);
        } else if directory > 0.0 {
            self.acknowledge(d, server, mount, files * directory);
        }
    }

    /// Writes `bytes` of archives.
    pub(super) fn write_archive(&mut self, d: &mut Demand, server: usize, bytes: f64) {
        let Some(mount) = self.deployment.mount_on("depot", server) else {
            return;
        };
        let factor = self.filesystem(mount).map_or(1.0, |fs| {
            let name = || EntryKind::Filesystem.number(&fs.entry.id, "archive_write_factor");
            self.lens.number(name, &fs.archive_write_factor)
        });
        let raid = self.things(mount).raid;
        let penalty =
            self.lens.number(|| EntryKind::Raid.number(&mount.raid, "full_stripe_penalty"), &raid.full_stripe_penalty);
        self.write(d, server, mount, (bytes * factor * penalty, bytes));
    }

    /// Moves `bytes`, which are `device_bytes` with parity and copies, to a volume in sequence. The array takes them while they
    /// arrive: its writes are waited for only where they take longer than all else.
    fn write(&mut self, d: &mut Demand, server: usize, mount: &Mount, (device_bytes, bytes): (f64, f64)) {
        let mut moved = Demand::default();
        self.transfer(&mut moved, server, mount, device_bytes);
        self.storage_transfer(&mut moved, server, mount, bytes);
        if let Some((station, seconds)) = self.writes(server, mount, bytes) {
            let waited = (seconds - moved.sum()).max(0.0);
            moved.add(station, waited);
            self.background.add(station, seconds - waited);
        }
        d.join(&moved);
        self.write_requests(server, mount, (bytes, 0.0));
    }

    /// The requests that write `bytes` which the operating system gathers, but for those that are waited for.
    pub(super) fn write_requests(&mut self, server: usize, mount: &Mount, (bytes, waited): (f64, f64)) {
        if !self.counts_requests(mount) {
            return;
        }
        let ack =
            self.lens.quantity(|| EntryKind::Array.number(&mount.device, "write_ack"), &self.array(mount).write_ack);
        self.requests_beside(server, mount, (bytes, waited), ack);
    }

    /// Bytes appended to a volume without anybody waiting.
    pub(super) fn append(&mut self, d: &mut Demand, server: usize, role: &'static str, bytes: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let raid = self.things(mount).raid;
        let device_bytes = bytes * raid.full_stripe_penalty.value;
        self.note(role, 0.0, bytes / APPEND, bytes);
        self.write(d, server, mount, (device_bytes, bytes));
    }
}

/// Block of an archive write \[B\] (E07 measured archives with 64 KiB).
pub(in crate::system) const ARCHIVE_BLOCK: f64 = 65_536.0;
/// What the page cache gathers of an appended file before it writes \[B\].
const APPEND: f64 = 131_072.0;

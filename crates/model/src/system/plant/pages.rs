//! Pages of the db: read, locked, flushed, destaged.

use super::things::place;
use super::{Arm, Demand, OneIo, PAGE, Plant, ResourceKind};
use crate::catalog::Access;
use crate::posterior::EntryKind;
use crate::system::deployment::Mount;
use crate::system::{Resource, Spot};

impl Plant<'_> {
    pub(in crate::system) fn disks(&mut self, server: usize, mount: &Mount) -> usize {
        let medium = self.things(mount).medium;
        let parallelism =
            self.lens.number(|| EntryKind::Medium.number(&mount.medium, "parallelism"), &medium.parallelism);
        let asked = (ResourceKind::Disks, server, place(mount));
        // Operations that are bought are as many requests in service as make that rate.
        let parallel = match mount.bought {
            Some(bought) => {
                let name = || EntryKind::Medium.number(&mount.medium, "random_read");
                bought.operations * self.lens.quantity(name, &medium.random_read)
            }
            None => mount.disks * parallelism,
        };
        let catalog = self.catalog;
        let disks = self.asked_for(asked, parallel.max(1.0), || {
            Resource::of_set(catalog, server, mount, Spot::Disks(mount.set.id))
        });
        if !self.ios.contains_key(&disks) {
            let id = &mount.medium;
            let name = || EntryKind::Medium.number(id, "read_variation");
            let variation = self.lens.number(name, &medium.read_variation);
            let name = || EntryKind::Medium.number(id, "random_read");
            let mean = self.lens.quantity(name, &medium.random_read);
            let scv = variation.powi(2);
            self.ios.insert(disks, OneIo { mean, scv });
        }
        disks
    }

    pub(in crate::system) fn stream(&mut self, server: usize, mount: &Mount) -> usize {
        let catalog = self.catalog;
        self.asked_for((ResourceKind::Stream, server, place(mount)), 1.0, || {
            Resource::of_set(catalog, server, mount, Spot::Transfer(mount.set.id))
        })
    }

    /// Random reads of `pages` db pages that the server's memory does not hold.
    pub(super) fn read_pages(&mut self, d: &mut Demand, server: usize, pages: f64) {
        let Some(mount) = self.deployment.mount_on("db", server) else {
            return;
        };
        let missed = pages * (1.0 - self.db_hit[server]);
        if missed <= 0.0 {
            return;
        }
        let requests = self.requests_per_page(mount);
        // Neighbours of a page come along in a large request, unless small blocks scatter the file.
        let missed = if requests > 1.0 {
            missed
        } else {
            let near = self.parameter("page_locality");
            let size = self.request_size(mount);
            missed * (1.0 - near + near * PAGE / size.max(PAGE))
        };
        let found = self.found_in_array(server, "db");
        self.read_each(d, server, mount, missed, found);
    }

    fn requests_per_page(&self, mount: &Mount) -> f64 {
        self.filesystem(mount).map_or(1.0, |fs| {
            self.lens.number(|| EntryKind::Filesystem.number(&fs.entry.id, "requests_per_page"), &fs.requests_per_page)
        })
    }

    /// Reads `missed` db pages of a volume one by one, each at a place of its own; the array has a share of them in its memory.
    pub(super) fn read_each(&mut self, d: &mut Demand, server: usize, mount: &Mount, missed: f64, found: f64) {
        let array = self.array(mount);
        let requests = self.requests_per_page(mount);
        let efficiency = self.filesystem(mount).map_or(1.0, |fs| {
            let name = || EntryKind::Filesystem.number(&fs.entry.id, "read_efficiency");
            self.lens.share(name, &fs.read_efficiency)
        });
        let front = self.lens.quantity(|| EntryKind::Array.number(&mount.device, "front_end"), &array.front_end);
        let hit_time = self.lens.quantity(|| EntryKind::Array.number(&mount.device, "read_hit"), &array.read_hit);
        // Over a file protocol the array's own filesystem is on the way.
        let path = if self.protocol(mount).access == Access::File { self.parameter("file_read") } else { 1.0 };
        let medium = self.things(mount).medium;
        let read = self.lens.quantity(|| EntryKind::Medium.number(&mount.medium, "random_read"), &medium.random_read);
        // The page is found once, however many requests it takes; and what the array's memory has not comes no sooner
        // than what it has, however fast the medium is.
        let in_array = found * hit_time + (1.0 - found) * (hit_time - read).max(0.0);
        let service = path * (front + in_array / requests);
        self.requests(d, server, mount, missed * requests, service);
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        // Its call has a slot until the page is there.
        let mut page = Demand::default();
        self.add(&mut page, disks, missed * (1.0 - found) * read * path * others / efficiency);
        self.note("db", missed, 0.0, missed * PAGE);
        self.storage_transfer(&mut page, server, mount, missed * PAGE);
        self.hold(server, mount, page.sum());
        d.join(&page);
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
        let id = &mount.protocol;
        let mut trips = 0.0;
        if !removed("lock") {
            trips += cycles
                * self.lens.number(|| EntryKind::Protocol.number(id, "lock_round_trips"), &protocol.lock_round_trips);
        }
        if !removed("open") {
            trips += opens
                * self.lens.number(|| EntryKind::Protocol.number(id, "open_round_trips"), &protocol.open_round_trips);
        }
        if !removed("other") {
            let factor = option.and_then(|o| o.other_factor.as_ref()).map_or(1.0, |f| f.value);
            let other =
                self.lens.number(|| EntryKind::Protocol.number(id, "other_round_trips"), &protocol.other_round_trips);
            trips += cycles * other * factor;
        }
        self.requests(d, server, mount, trips, 0.0);
    }

    /// Whether the db's volume flushes dirty pages at each unlock.
    pub(in crate::system) fn flushes_db(&self, server: usize) -> bool {
        self.flushing[server].0
    }

    /// The same of the journal's volume.
    pub(in crate::system) fn flushes_journal(&self, server: usize) -> bool {
        self.flushing[server].1
    }

    /// `count` synchronous writes that the caller waits for, holding its locks.
    pub(super) fn sync_writes(&mut self, d: &mut Demand, server: usize, role: &'static str, count: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let (array, protocol) = (self.array(mount), self.protocol(mount));
        let trips = self
            .lens
            .number(|| EntryKind::Protocol.number(&mount.protocol, "sync_round_trips"), &protocol.sync_round_trips);
        let name = || EntryKind::Array.number(&mount.device, "sync_service");
        let service = self.lens.quantity(name, &array.sync_service);
        self.note(role, 0.0, count * trips, 0.0);
        self.requests(d, server, mount, count * trips, service);
    }

    /// Forces `files` files with `bytes` of dirty pages to disk: the caller waits, its locks released.
    pub(super) fn flush(&mut self, d: &mut Demand, server: usize, role: &'static str, files: f64, bytes: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let factor = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens.number(|| EntryKind::Filesystem.number(&fs.entry.id, "page_write_factor"), &fs.page_write_factor)
        });
        self.force(d, server, role, (files, bytes), factor);
    }

    /// Forces one dirty page to disk, on its own: the operating system gathers nothing, so that the
    /// filesystem's factor on gathered writes does not count.
    pub(super) fn force_page(&mut self, d: &mut Demand, server: usize, role: &'static str) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let writes = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens
                .number(|| EntryKind::Filesystem.number(&fs.entry.id, "forced_page_writes"), &fs.forced_page_writes)
        });
        self.force(d, server, role, (writes, writes * PAGE), 1.0);
    }

    /// Forces the journal's end to disk: the text that was appended, and the file's new length.
    pub(super) fn force_journal(&mut self, d: &mut Demand, server: usize) {
        let Some(mount) = self.deployment.mount_on("journal", server) else {
            return;
        };
        let writes = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens
                .number(|| EntryKind::Filesystem.number(&fs.entry.id, "forced_append_writes"), &fs.forced_append_writes)
        });
        self.force(d, server, "journal", (writes, 0.0), 1.0);
    }

    /// Whether a forced write lies on the medium itself before the caller goes on: a server's own flash, cloud volumes,
    /// and disks without a controller's protected memory. Elsewhere protected memory takes it first.
    pub(super) fn is_written_through(&self, mount: &Mount) -> bool {
        let is_flash = self.things(mount).medium.kind == "flash";
        mount.is_private() && (is_flash || !self.deployment.write_cache)
    }

    /// Makes `count` commits durable, each together with those of others that wait at the same time. Over NFS each goes alone. A flush
    /// may keep a drive from others, once for all who joined it.
    fn commit(&mut self, d: &mut Demand, server: usize, mount: &Mount, count: f64) {
        if self.protocol(mount).access == Access::File {
            self.acknowledge(d, server, mount, count);
            return;
        }
        let commits = self.commits(Resource::commits(self.catalog, server, mount));
        if let Some(log) = self.log_device(mount) {
            let name = || EntryKind::Medium.number(&log.entry.id, "flush");
            d.add(commits, count * self.lens.quantity(name, &log.flush));
            return;
        }
        let mut alone = Demand::default();
        self.acknowledge(&mut alone, server, mount, count);
        let mut time = 0.0;
        for (k, seconds) in alone.iter() {
            if matches!(self.kind(k), ResourceKind::Delay | ResourceKind::Disks) {
                time += seconds;
            } else {
                d.add(k, seconds);
            }
        }
        d.add(commits, time);
        if let Some(flush) = self.flush_on_drive(mount).filter(|_| time > 0.0) {
            let disks = self.disks(server, mount);
            let share = count * flush / time;
            self.arms.insert(commits, Arm { disks, share });
        }
    }

    /// How long a flush keeps a drive from others \[s\]: an arm until the sector has passed, and a rented volume for one of its
    /// operations. A server's own flash serves reads beside it, and where protected memory takes a flush nothing waits for the drive.
    fn flush_on_drive(&self, mount: &Mount) -> Option<f64> {
        let medium = self.things(mount).medium;
        let (key, time) = match medium.kind {
            _ if !self.is_written_through(mount) => return None,
            "disk" => ("flush", &medium.flush),
            _ if medium.rented.is_some() => ("random_write", &medium.random_write),
            _ => return None,
        };
        let name = || EntryKind::Medium.number(&mount.medium, key);
        Some(self.lens.quantity(name, time))
    }

    /// Makes `count` small writes durable: the caller waits for each.
    pub(super) fn acknowledge(&mut self, d: &mut Demand, server: usize, mount: &Mount, count: f64) {
        if !self.is_written_through(mount) {
            let name = || EntryKind::Array.number(&mount.device, "write_ack");
            let ack = self.lens.quantity(name, &self.array(mount).write_ack);
            self.requests(d, server, mount, count, ack);
            return;
        }
        let medium = self.things(mount).medium;
        let name = || EntryKind::Medium.number(&mount.medium, "flush");
        let flush = self.lens.quantity(name, &medium.flush);
        if medium.kind == "flash" {
            // Flushes of several writers are served side by side.
            self.requests(d, server, mount, count, flush);
        } else {
            // The arm waits for the sector to pass: nobody else is served meanwhile.
            self.requests(d, server, mount, count, 0.0);
            let disks = self.disks(server, mount);
            self.add(d, disks, count * flush);
        }
    }

    /// Bytes a second at which a store, or the log before it, takes forced writes.
    fn forced_rate(&mut self, mount: &Mount) -> f64 {
        if let Some(log) = self.log_device(mount) {
            let name = || EntryKind::Medium.number(&log.entry.id, "forced_write");
            return self.lens.quantity(name, &log.forced_write);
        }
        if !self.is_written_through(mount) {
            let (array, id) = (self.array(mount), &mount.device);
            let (key, rate) = (array.forced_write.as_ref())
                .map_or(("write_bandwidth", &array.write_bandwidth), |rate| ("forced_write", rate));
            return self.lens.quantity(|| EntryKind::Array.number(id, key), rate);
        }
        let (medium, raid) = (self.things(mount).medium, self.things(mount).raid);
        let name = || EntryKind::Medium.number(&mount.medium, "forced_write");
        let one = self.lens.quantity(name, &medium.forced_write);
        mount.bought.map_or_else(|| one * raid.data_disks(mount.disks).max(1.0), |bought| bought.bandwidth)
    }

    /// Sends `requests` with `bytes` to what makes them durable, which takes them `factor` times as
    /// long as it takes those of XFS.
    fn force(&mut self, d: &mut Demand, server: usize, role: &'static str, (requests, bytes): (f64, f64), factor: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let flushes_all = self.is_written_through(mount) && self.things(mount).medium.volatile_cache;
        let is_logged = self.filesystem(mount).is_some_and(|fs| fs.intent_log);
        if role == "journal" || flushes_all || is_logged {
            self.commit(d, server, mount, requests);
        } else {
            self.acknowledge(d, server, mount, requests);
        }
        let rate = self.forced_rate(mount);
        let stream = self.stream(server, mount);
        let mut parts = Demand::default();
        parts.add(stream, bytes * factor / rate);
        if let Some((writes, seconds)) = self.writes(server, mount, bytes) {
            parts.add(writes, seconds);
        }
        self.note(role, 0.0, bytes / PAGE, bytes);
        self.storage_transfer(&mut parts, server, mount, bytes);
        self.write_requests(server, mount, (bytes, requests));
        // Pages follow each other through link, ports and controller: the caller waits for the
        // slowest of them, the others are at work meanwhile.
        let slowest = parts.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((slowest, seconds)) = slowest {
            d.add(slowest, seconds);
            for (k, seconds) in parts.iter().filter(|(k, _)| *k != slowest) {
                self.background.add(k, seconds);
            }
        }
    }

    /// What destaging `pages` written pages costs the disks later; nobody waits for it.
    pub(super) fn destage(&mut self, d: &mut Demand, server: usize, role: &'static str, pages: f64) {
        let Some(mount) = self.deployment.mount_on(role, server) else {
            return;
        };
        let (medium, raid) = (self.things(mount).medium, self.things(mount).raid);
        let write =
            self.lens.quantity(|| EntryKind::Medium.number(&mount.medium, "random_write"), &medium.random_write);
        let penalty = self.lens.number(|| EntryKind::Raid.number(&mount.raid, "write_penalty"), &raid.write_penalty);
        let factor = self.filesystem(mount).map_or(1.0, |fs| {
            self.lens.number(|| EntryKind::Filesystem.number(&fs.entry.id, "page_write_factor"), &fs.page_write_factor)
        });
        let disks = self.disks(server, mount);
        let others = self.others(mount);
        self.add(d, disks, pages * write * penalty * factor * others);
    }
}

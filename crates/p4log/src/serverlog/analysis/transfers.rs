//! Syncs: files, bytes and rate of each, with the parallel transfers that belong to it.

use std::collections::BTreeMap;

use super::cache::{Spread, Values};
use super::timeline::Timeline;
use crate::serverlog::merge::add;
use crate::serverlog::record::{ArchiveUse, Command, Moment, Place};

/// Syncs that wait for what still belongs to them, and transfers that wait for their sync.
const OPEN: usize = 4096;
/// How long a sync waits for the client's count \[s\].
const LATE_S: f64 = 600.0;
/// From this size on a sync is large \[B\].
pub const LARGE_BYTES: u64 = 1 << 30;
/// Smallest sync whose rate says something of the client \[B\].
const RATED_BYTES: u64 = 16 << 20;
/// Bytes of a mebibyte, the unit of the histograms.
const MIB: f64 = 1_048_576.0;
/// What p4d cuts off a count at most, which it states in whole MiB \[B\].
pub(super) const CUT_BYTES: u64 = 1 << 20;

/// A sync, or a submit's transfer.
#[derive(Debug, Clone, PartialEq)]
pub struct Transfer {
    /// Where its first line is.
    pub place: Place,
    /// When it began.
    pub start: Moment,
    /// How long it took \[s\].
    pub lapse_s: f64,
    /// The user.
    pub user: String,
    /// The client workspace.
    pub client: String,
    /// The address.
    pub address: String,
    /// Files.
    pub files: u64,
    /// Bytes; where the log states whole MiB, as it states them.
    pub bytes: u64,
    /// Bytes that the log may have cut off.
    pub cut_bytes: u64,
    /// Whether the log counts the files, of which there may be none.
    pub is_counted: bool,
    /// Parallel transfers that belong to it.
    pub threads: u64,
}

impl Transfer {
    /// Bytes over the whole lapse \[B/s\]; 0 where it took no time.
    pub fn rate(&self) -> f64 {
        if self.lapse_s > 0.0 { self.bytes as f64 / self.lapse_s } else { 0.0 }
    }
}

/// Files and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sized {
    /// Files.
    pub files: u64,
    /// Their bytes, as the log states them.
    pub bytes: u64,
    /// Bytes that it may have cut off.
    pub cut_bytes: u64,
}

impl Sized {
    /// Mean bytes of a file, least and most; `None` if there is no file.
    pub fn mean_bytes(&self) -> Option<(f64, f64)> {
        let files = self.files as f64;
        let (least, cut) = (self.bytes as f64, self.cut_bytes as f64);
        (self.files > 0).then(|| (least / files, (least + cut) / files))
    }
}

/// What was found about transfers of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transfers {
    /// How many.
    pub count: u64,
    /// Of these, with files that the log counts, if only as none, or with bytes.
    pub counted: u64,
    /// Of these, large.
    pub large: u64,
    /// Files of all.
    pub files: u64,
    /// Bytes of all.
    pub bytes: u64,
    /// Files and bytes of those that have both, and the bytes that the log may have cut off them: p4d states whole MiB.
    pub sized: Sized,
    /// Files of each of all but the large ones of which they are counted.
    pub ordinary_files: Option<Spread>,
    /// Bytes of the large ones.
    pub large_bytes: u64,
    /// Files of each of which they are counted.
    pub each_files: Option<Spread>,
    /// Bytes of each of these.
    pub each_bytes: Option<Spread>,
    /// Bytes over lapse of those from 16 MiB on \[B/s\].
    pub rate_bytes_per_s: Option<Spread>,
    /// Large ones at once, at most, on average over a minute.
    pub large_at_once: f64,
    /// The largest.
    pub largest: Vec<Transfer>,
}

/// Adds transfers up.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    found: Transfers,
    files: Values,
    ordinary: Values,
    mebibytes: Values,
    rate: Values,
    at_once: Timeline,
    most: usize,
}

impl Sums {
    pub(super) fn new(most: usize) -> Self {
        Self {
            found: Transfers::default(),
            files: Values::default(),
            ordinary: Values::default(),
            mebibytes: Values::default(),
            rate: Values::default(),
            at_once: Timeline::new(60, 16_384),
            most,
        }
    }

    pub(super) fn add(&mut self, transfer: Transfer) {
        let found = &mut self.found;
        found.count += 1;
        add(&mut found.files, transfer.files);
        add(&mut found.bytes, transfer.bytes);
        let is_large = transfer.bytes >= LARGE_BYTES;
        if transfer.is_counted || transfer.bytes > 0 {
            found.counted += 1;
            self.mebibytes.add(transfer.bytes as f64 / MIB);
        }
        if transfer.is_counted {
            self.files.add(transfer.files as f64);
            if !is_large {
                self.ordinary.add(transfer.files as f64);
            }
        }
        if transfer.files > 0 {
            add(&mut found.sized.files, transfer.files);
            add(&mut found.sized.bytes, transfer.bytes);
            add(&mut found.sized.cut_bytes, transfer.cut_bytes);
        }
        if is_large {
            found.large += 1;
            add(&mut found.large_bytes, transfer.bytes);
            self.at_once.add(transfer.start, transfer.lapse_s);
        }
        if transfer.bytes >= RATED_BYTES && transfer.lapse_s > 0.0 {
            self.rate.add(transfer.rate() / MIB);
        }
        let last = found.largest.last().map_or(0, |t| t.bytes);
        if transfer.bytes > 0 && (found.largest.len() < self.most || transfer.bytes > last) {
            let at = found.largest.partition_point(|t| t.bytes >= transfer.bytes);
            found.largest.insert(at, transfer);
            found.largest.truncate(self.most);
        }
    }

    pub(super) fn found(mut self) -> Transfers {
        self.found.each_files = self.files.spread();
        self.found.ordinary_files = self.ordinary.spread();
        self.found.each_bytes = self.mebibytes.spread().map(|s| s.times(MIB));
        self.found.rate_bytes_per_s = self.rate.spread().map(|s| s.times(MIB));
        self.found.large_at_once = self.at_once.busiest().map_or(0.0, |slot| slot.at_once);
        self.found
    }
}

/// Files and bytes that transfers of other processes brought to a sync.
#[derive(Debug, Clone, Copy, Default)]
struct ChildTransfers {
    files: u64,
    bytes: u64,
    cut_bytes: u64,
    is_counted: bool,
    threads: u64,
    end_s: f64,
}

/// Puts syncs together from the command, its parallel transfers and the client's own count.
#[derive(Debug, Clone)]
pub(super) struct Syncs {
    open: BTreeMap<u64, Transfer>,
    early: BTreeMap<u64, ChildTransfers>,
    sums: Sums,
}

/// Whether a sync moves files: not a preview, and not `-k`, which only says that they are there.
pub(super) fn is_sync(command: &Command) -> bool {
    let is_sync = matches!(command.function.as_str(), "user-sync" | "user-update");
    let is_preview = |word: &str| {
        word.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains(['n', 'k']))
            && !word.starts_with("-c")
    };
    is_sync && !command.arguments.split_whitespace().any(is_preview)
}

impl Syncs {
    pub(super) fn new(most: usize) -> Self {
        Self { open: BTreeMap::new(), early: BTreeMap::new(), sums: Sums::new(most) }
    }

    pub(super) fn add(&mut self, command: &Command) {
        let end_s = command.start.micros as f64 / 1e6 + command.lapse_s.unwrap_or(0.0);
        if command.function == "user-transmit" {
            if let Some(parent) = command.parent {
                self.transmitted(parent, command, end_s);
            }
            return;
        }
        if command.function == "client-Stats" {
            if let (Some(open), Some(count)) = (self.open.get_mut(&command.pid), command.client_files) {
                open.files = open.files.max(count.received_files);
                open.is_counted = true;
                if count.received_bytes > open.bytes {
                    open.bytes = count.received_bytes;
                    open.cut_bytes = CUT_BYTES;
                }
            }
            return;
        }
        if let Some(done) = self.open.remove(&command.pid) {
            self.sums.add(done);
        }
        if !is_sync(command) {
            return;
        }
        if self.open.len() >= OPEN {
            self.close_before(end_s - LATE_S);
        }
        let part = self.early.remove(&command.pid).unwrap_or_default();
        let moved = Moved::of(command);
        let of_children = part.bytes > moved.bytes;
        let sync = Transfer {
            place: command.place,
            start: command.start,
            lapse_s: command.lapse_s.unwrap_or(0.0),
            user: command.user.clone(),
            client: command.client.clone(),
            address: command.address.clone(),
            // The parent counts the files, or only those that it sent itself.
            files: moved.files.max(part.files),
            bytes: moved.bytes.max(part.bytes),
            cut_bytes: if of_children { part.cut_bytes } else { moved.cut_bytes },
            is_counted: moved.is_counted || part.is_counted,
            threads: part.threads,
        };
        self.open.insert(command.pid, sync);
    }

    fn transmitted(&mut self, parent: u64, command: &Command, end_s: f64) {
        let moved = Moved::of(command);
        if let Some(open) = self.open.get_mut(&parent) {
            open.threads += 1;
            return;
        }
        if self.early.len() >= OPEN {
            // Their syncs are not coming any more; if all may still come, they are too many to wait for.
            self.early.retain(|_, part| part.end_s >= end_s - LATE_S);
            if self.early.len() >= OPEN {
                self.early.clear();
            }
        }
        let part = self.early.entry(parent).or_default();
        add(&mut part.files, moved.files);
        add(&mut part.bytes, moved.bytes);
        add(&mut part.cut_bytes, moved.cut_bytes);
        part.is_counted |= moved.is_counted;
        part.threads += 1;
        part.end_s = part.end_s.max(end_s);
    }

    /// Closes what ended before a time; all where that is not enough.
    fn close_before(&mut self, end_s: f64) {
        let ended = |t: &Transfer| t.start.micros as f64 / 1e6 + t.lapse_s < end_s;
        let some = self.open.values().filter(|t| ended(t)).count();
        let all = some < OPEN / 8;
        let open = std::mem::take(&mut self.open);
        for (pid, sync) in open {
            if all || ended(&sync) {
                self.sums.add(sync);
            } else {
                self.open.insert(pid, sync);
            }
        }
    }

    pub(super) fn found(mut self) -> Transfers {
        for sync in std::mem::take(&mut self.open).into_values() {
            self.sums.add(sync);
        }
        self.sums.found()
    }
}

/// What a command sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::serverlog) struct Moved {
    pub(in crate::serverlog) files: u64,
    pub(in crate::serverlog) bytes: u64,
    /// Bytes that the log may have cut off.
    pub(in crate::serverlog) cut_bytes: u64,
    /// Whether the log counts the files: where it does and there are none, it was nothing.
    pub(in crate::serverlog) is_counted: bool,
}

impl Moved {
    /// As the server or the client counted them, else as the server estimated before, else from the archive files that it
    /// read, else messages in whole MiB.
    pub(in crate::serverlog) fn of(command: &Command) -> Self {
        let server = command.files.unwrap_or_default();
        let client = command.client_files.unwrap_or_default();
        let estimate = command.estimate.unwrap_or_default();
        let have = command.tables.iter().find(|t| t.name == "db.have");
        let archives = |of: fn(&ArchiveUse) -> u64| {
            let all = command.archives.iter().map(of);
            all.fold(0, u64::saturating_add)
        };
        let files = [
            server.sent_files.max(client.received_files),
            estimate.added.saturating_add(estimate.updated),
            have.map_or(0, |t| t.rows_put),
            archives(|a| a.opens),
        ];
        let bytes = [
            (server.sent_bytes.max(client.received_bytes), CUT_BYTES),
            (estimate.added_bytes.saturating_add(estimate.updated_bytes), 0),
            (archives(|a| a.read_bytes), 0),
            (command.rpc.map_or(0, |rpc| rpc.sent_bytes), CUT_BYTES),
        ];
        let (bytes, cut_bytes) = bytes.into_iter().find(|(bytes, _)| *bytes > 0).unwrap_or((0, CUT_BYTES));
        Self {
            files: files.into_iter().find(|n| *n > 0).unwrap_or(0),
            bytes,
            cut_bytes,
            is_counted: command.files.is_some()
                || command.client_files.is_some()
                || command.estimate.is_some()
                || !command.archives.is_empty()
                || command.has_tables(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::record::FileTotals;

    fn command(pid: u64, function: &str, arguments: &str) -> Command {
        Command {
            pid,
            function: function.to_owned(),
            arguments: arguments.to_owned(),
            start: Moment { micros: 60_000_000 },
            lapse_s: Some(10.0),
            ..Command::default()
        }
    }

    #[test]
    fn previews_are_no_syncs() {
        let is = |arguments| is_sync(&command(1, "user-sync", arguments));
        assert!(is("-f //depot/...") && is("") && is("-c nk -p //a/..."));
        assert!(!is("-n //depot/...") && !is("-fk //depot/..."));
        assert!(is("--parallel=threads=4 //a/..."));
    }

    #[test]
    fn a_sync_that_brings_nothing_counts_where_the_log_says_so() {
        let mut syncs = Syncs::new(10);
        for (pid, files) in [(1, Some(0)), (2, Some(6)), (3, None)] {
            let mut sync = command(pid, "user-sync", "//a/...");
            sync.files = files.map(|sent_files| FileTotals {
                sent_files,
                sent_bytes: sent_files << 19 & !0xf_ffff,
                ..FileTotals::default()
            });
            syncs.add(&sync);
        }
        let found = syncs.found();
        assert_eq!((found.count, found.counted), (3, 2));
        let each = found.each_files.map(|s| (s.count, s.mean));
        assert_eq!(each, Some((2, 3.0)));
        // Three MiB, and up to one that p4d cut off.
        let mean = found.sized.mean_bytes();
        assert_eq!(mean, Some((MIB / 2.0, MIB * 4.0 / 6.0)));
    }

    #[test]
    fn transfers_whose_sync_never_comes_are_forgotten() {
        let mut syncs = Syncs::new(10);
        for parent in 0..3 * OPEN as u64 {
            let mut child = command(50, "user-transmit", "");
            child.parent = Some(parent);
            syncs.add(&child);
            assert!(syncs.early.len() <= OPEN);
        }
    }

    #[test]
    fn parallel_transfers_and_the_clients_count_belong_to_their_sync() {
        let mut syncs = Syncs::new(10);
        for _ in 0..4 {
            let mut child = command(50, "user-transmit", "-t7 -b8");
            child.parent = Some(7);
            child.files = Some(FileTotals { sent_files: 10, sent_bytes: 100 << 20, ..FileTotals::default() });
            syncs.add(&child);
        }
        syncs.add(&command(7, "user-sync", "//a/..."));
        // Another, of which only the client tells.
        syncs.add(&command(8, "user-sync", "//a/..."));
        let mut stats = command(8, "client-Stats", "");
        stats.client_files =
            Some(FileTotals { received_files: 59_194, received_bytes: 5 << 30, ..FileTotals::default() });
        syncs.add(&stats);
        let found = syncs.found();
        assert_eq!((found.count, found.counted, found.large), (2, 2, 1));
        assert_eq!((found.files, found.bytes), (59_234, (5 << 30) + (400 << 20)));
        assert_eq!(found.largest[1].threads, 4);
        let ordinary = found.ordinary_files.map(|s| (s.count, s.mean));
        assert_eq!(ordinary, Some((1, 40.0)));
        assert!((found.large_at_once - 10.0 / 60.0).abs() < 1e-9);
    }
}

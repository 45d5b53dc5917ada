//! Filesystems: how they turn p4d's pages and archive files into requests.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::record::{always, or, words};
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::{Bytes, Fraction};

/// Operating systems that the catalogue knows.
pub const SYSTEMS: [&str; 3] = ["linux", "solaris", "windows"];

record! {
    /// A filesystem.
    struct Filesystem: Entry {
        /// Operating systems that have it.
        systems: Vec<&'static str> = words(&SYSTEMS),
        /// Whether it writes what is overwritten to a new place; false where the file does not say.
        copy_on_write: bool = or(false),
        /// Whether what is forced to disk goes to a log first, which has one commit under way at a time, of pages as of text.
        intent_log: bool = or(false),
        /// What the device of that log is, where it has one of its own: a medium's id.
        log_device: Option<String>,
        /// Year from which a system has it for production, where not from the beginning.
        since: BTreeMap<String, f64> = always(since),
        /// Block requests for one 8 KiB page of a db file.
        requests_per_page: Sourced<f64>,
        /// Time of an 8 KiB page write relative to XFS.
        page_write_factor: Sourced<f64>,
        /// Time of a 64 KiB archive write relative to XFS.
        archive_write_factor: Sourced<f64>,
        /// Time of a 64 KiB archive read relative to XFS.
        archive_read_factor: Sourced<f64>,
        /// Device writes for one file create that the caller waits for.
        synchronous_directory_updates: Sourced<f64>,
        /// Share of the device's streaming rate that reads reach.
        read_efficiency: Sourced<Fraction>,
        /// Device writes for an 8 KiB page that is forced to disk on its own.
        forced_page_writes: Sourced<f64>,
        /// Device writes for text that is appended to a file and forced to disk: the file's new length is forced out with it.
        forced_append_writes: Sourced<f64>,
        /// What one reader of a file has in flight on one disk, where the filesystem reads no further ahead and
        /// so does not keep a whole stripe busy.
        read_ahead: Option<Sourced<Bytes>>,
        /// Record size, where the filesystem has one.
        record_size: Option<Sourced<Bytes>>,
        /// One inode is made for so much of the volume, where their number is fixed when it is made.
        bytes_per_inode: Option<Sourced<Bytes>>,
        /// Whether a directory update survives a crash without being synchronous.
        crash_safe_directories: bool,
        /// The command that makes it, with `{device}`, and `{label}` and `{stripe}` where it takes them.
        mkfs: Sourced<String>,
        /// The same for p4d releases of an earlier year than the one that is named.
        mkfs_before: Option<(f64, Sourced<String>)> = always(mkfs_before),
        /// Its options for a RAID set: `{unit_kib}`, `{unit_blocks}`, `{width_blocks}`, `{data_disks}`.
        stripe: Option<Sourced<String>>,
        /// Where one command makes a pool: the command for each `{mount_point}` in it.
        dataset: Option<Sourced<String>>,
        /// When `fsck` looks at it at boot, as in fstab; never where the file does not say.
        fsck_pass: Option<Sourced<f64>>,
        /// Mount options for p4d.
        mount: Sourced<String>,
    }
}

fn since(reader: &Reader<'_>, key: &'static str) -> BTreeMap<String, f64> {
    let Some(table) = reader.table(key) else {
        return BTreeMap::new();
    };
    let years = SYSTEMS.iter().filter_map(|s| Some(((*s).to_owned(), table.count(s)?.value))).collect();
    table.finish();
    years
}

/// The command of older releases, which stands below `before`.
fn mkfs_before(reader: &Reader<'_>, _: &str) -> Option<(f64, Sourced<String>)> {
    reader.table("before").and_then(|table| {
        table.require(&["year", "mkfs"]);
        let found = table.count("year").zip(table.statement("mkfs"));
        table.finish();
        found.map(|(year, mkfs)| (year.value, mkfs))
    })
}

impl Filesystem {
    /// The command that makes it on a machine as old as a release of p4d of some year.
    pub fn mkfs_in(&self, year: u16) -> &Sourced<String> {
        let before = self.mkfs_before.as_ref();
        let older = before.filter(|(first, _)| f64::from(year) < *first);
        older.map_or(&self.mkfs, |(_, mkfs)| mkfs)
    }

    /// Whether one of `systems` has it in `year`.
    pub fn is_on(&self, systems: &[String], year: u16) -> bool {
        self.systems.iter().any(|s| {
            let since = self.since.get(*s).copied().unwrap_or(0.0);
            systems.iter().any(|have| have == s) && f64::from(year) >= since
        })
    }
}

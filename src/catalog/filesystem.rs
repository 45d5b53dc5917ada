//! Filesystems: how they turn p4d's pages and archive files into requests.

use std::collections::BTreeMap;

use super::bare;
use super::entry::Entry;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::{Bytes, Fraction};

/// Operating systems that the catalogue knows.
pub const SYSTEMS: [&str; 3] = ["linux", "solaris", "windows"];

/// A filesystem.
#[derive(Debug, Clone, PartialEq)]
pub struct Filesystem {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Operating systems that have it.
    pub systems: Vec<&'static str>,
    /// Year from which a system has it for production, where not from the beginning.
    pub since: BTreeMap<String, f64>,
    /// Block requests for one 8 KiB page of a db file.
    pub requests_per_page: Sourced<f64>,
    /// Time of an 8 KiB page write relative to XFS.
    pub page_write_factor: Sourced<f64>,
    /// Time of a 64 KiB archive write relative to XFS.
    pub archive_write_factor: Sourced<f64>,
    /// Time of a 64 KiB archive read relative to XFS.
    pub archive_read_factor: Sourced<f64>,
    /// Device writes for one file create that the caller waits for.
    pub synchronous_directory_updates: Sourced<f64>,
    /// Share of the device's streaming rate that reads reach.
    pub read_efficiency: Sourced<Fraction>,
    /// Device writes for an 8 KiB page that is forced to disk on its own.
    pub forced_page_writes: Sourced<f64>,
    /// Device writes for text that is appended to a file and forced to disk: the file's new length is forced out with it.
    pub forced_append_writes: Sourced<f64>,
    /// What one reader of a file has in flight on one disk, where the filesystem reads no further ahead and
    /// so does not keep a whole stripe busy.
    pub read_ahead: Option<Sourced<Bytes>>,
    /// Record size, where the filesystem has one.
    pub record_size: Option<Sourced<Bytes>>,
    /// Whether a directory update survives a crash without being synchronous.
    pub crash_safe_directories: bool,
    /// The command that makes it, with `{device}`, and `{label}` and `{stripe}` where it takes them.
    pub mkfs: Sourced<String>,
    /// The same for p4d releases of an earlier year than the one that is named.
    pub mkfs_before: Option<(f64, Sourced<String>)>,
    /// Its options for a RAID set: `{unit_kib}`, `{unit_blocks}`, `{width_blocks}`, `{data_disks}`.
    pub stripe: Option<Sourced<String>>,
    /// Where one command makes a pool: the command for each `{mount_point}` in it.
    pub dataset: Option<Sourced<String>>,
    /// When `fsck` looks at it at boot, as in fstab; never where the file does not say.
    pub fsck_pass: Option<Sourced<f64>>,
    /// Mount options for p4d.
    pub mount: Sourced<String>,
}

impl Filesystem {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "systems",
            "requests_per_page",
            "page_write_factor",
            "archive_write_factor",
            "archive_read_factor",
            "synchronous_directory_updates",
            "forced_page_writes",
            "forced_append_writes",
            "read_efficiency",
            "crash_safe_directories",
            "mkfs",
            "mount",
        ]);
        let mkfs_before = r.table("before").and_then(|table| {
            table.require(&["year", "mkfs"]);
            let found = table.count("year").zip(table.statement("mkfs"));
            table.finish();
            found.map(|(year, mkfs)| (year.value, mkfs))
        });
        whole!(
            r,
            Self {
                entry, mkfs_before;
                since: Some(r.table("since").map(|t| since(&t)).unwrap_or_default()),
                systems: r.word_list("systems", &SYSTEMS),
                requests_per_page: r.sourced_number("requests_per_page"),
                page_write_factor: r.sourced_number("page_write_factor"),
                archive_write_factor: r.sourced_number("archive_write_factor"),
                archive_read_factor: r.sourced_number("archive_read_factor"),
                synchronous_directory_updates: r.sourced_number("synchronous_directory_updates"),
                read_efficiency: r.sourced("read_efficiency"),
                forced_page_writes: r.sourced_number("forced_page_writes"),
                forced_append_writes: r.sourced_number("forced_append_writes"),
                read_ahead: Some(r.sourced("read_ahead")),
                record_size: Some(r.sourced("record_size")),
                crash_safe_directories: bare(r.boolean("crash_safe_directories")),
                mkfs: r.statement("mkfs"),
                stripe: Some(r.statement("stripe")),
                dataset: Some(r.statement("dataset")),
                fsck_pass: Some(r.sourced_number("fsck_pass")),
                mount: r.statement("mount"),
            }
        )
    }
}

fn since(r: &Reader<'_>) -> BTreeMap<String, f64> {
    let years = SYSTEMS
        .iter()
        .filter_map(|s| Some(((*s).to_owned(), r.count(s)?.value)))
        .collect();
    r.finish();
    years
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

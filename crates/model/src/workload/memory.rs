//! Memory that commands hold beside the page cache, by the numbers of `models/memory.toml`.
//!
//! A command on a tree holds about 1 KB for each of its files (KB2957, so that "a large query does not page").

use crate::catalog::memory::EMBEDDED;
use crate::site::Site;

/// Memory that is in use at the peak beside page cache and connections \[B\].
///
/// Zero for a published benchmark: its hit ratios were measured with all of it in use.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Beside {
    /// The operating system, on each server.
    pub system: f64,
    /// All large syncs in flight.
    pub syncs: f64,
    /// The largest other command: verify or obliterate of a tree, or the largest submit. On each server.
    pub largest: f64,
}

impl Beside {
    /// Of a site at its peak.
    pub fn of(site: &Site) -> Self {
        let numbers = &*EMBEDDED;
        let a_file = numbers.command_file.value.get();
        let (data, work) = (&site.data, &site.workload);
        let synced = work.concurrent_sync_size.value.get() / data.file_size.value.get();
        let tree = (data.files.value * numbers.largest_tree.value.get())
            .max(data.workspace_files.value)
            .max(work.largest_submit_files.value)
            .max(work.branch_files.value);
        Self {
            system: numbers.system.value.get(),
            syncs: work.large_syncs_at_once * synced.max(1.0) * a_file,
            largest: tree * a_file,
        }
    }

    /// At a multiple of the load: more syncs, the same trees.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { syncs: self.syncs * factor, ..self }
    }

    /// With so many times as many files.
    #[must_use]
    pub fn grown(self, files: f64) -> Self {
        Self { largest: self.largest * files, ..self }
    }
}

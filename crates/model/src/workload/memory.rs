//! Memory that commands hold beside the page cache: the numbers of `models/memory.toml`.
//!
//! A command on a tree holds about 1 KB for each of its files (KB2957, so that "a large query does not page").

use std::sync::LazyLock;

use crate::diag::Diagnostics;
use crate::document::{self, Reader};
use crate::origin::{Origin, Sourced};
use crate::site::Site;
use crate::units::{Bytes, Fraction};

/// The file as embedded.
pub const TEXT: &str = include_str!("../../../../models/memory.toml");

/// The numbers of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The operating system with its daemons.
    pub system: Sourced<Bytes>,
    /// What a command holds for each file of its tree.
    pub command_file: Sourced<Bytes>,
    /// Share of all files in the largest tree that one command names.
    pub largest_tree: Sourced<Fraction>,
    /// Sizes that servers are ordered with, the smallest first.
    pub sold: Vec<Bytes>,
}

impl Numbers {
    /// Each with its name, value with unit, origin and one-sigma relative error.
    pub fn shown(&self) -> impl Iterator<Item = (&'static str, String, &Origin, f64)> {
        let (system, file, tree) = (&self.system, &self.command_file, &self.largest_tree);
        [
            (
                "system",
                system.value.to_string(),
                &system.origin,
                system.spread,
            ),
            (
                "command_file",
                file.value.to_string(),
                &file.origin,
                file.spread,
            ),
            (
                "largest_tree",
                tree.value.to_string(),
                &tree.origin,
                tree.spread,
            ),
        ]
        .into_iter()
    }
}

/// The numbers inside the binary.
pub static EMBEDDED: LazyLock<Numbers> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("models/memory.toml", TEXT);
    let numbers = document::parse(source, &diagnostics)
        .and_then(|root| read(&Reader::new(&root, &diagnostics)));
    match numbers {
        Some(numbers) if !diagnostics.has_errors() => numbers,
        _ => panic!("embedded memory:\n{}", diagnostics.render()),
    }
});

fn read(r: &Reader<'_>) -> Option<Numbers> {
    r.require(&["schema", "system", "command_file", "largest_tree", "sold"]);
    r.number("schema")?;
    let numbers = Numbers {
        system: r.sourced("system")?,
        command_file: r.sourced("command_file")?,
        largest_tree: r.sourced("largest_tree")?,
        sold: crate::catalog::storage::sizes(r, "sold"),
    };
    r.finish();
    Some(numbers)
}

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
        Self {
            syncs: self.syncs * factor,
            ..self
        }
    }

    /// With so many times as many files.
    #[must_use]
    pub fn grown(self, files: f64) -> Self {
        Self {
            largest: self.largest * files,
            ..self
        }
    }
}

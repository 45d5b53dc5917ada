//! The order in which p4d takes the locks of its tables, the same for all commands.

use std::collections::BTreeMap;

use super::cost::{Cost, Section};
use crate::catalog::{Catalog, Step};

/// Whether a table is one of the database, and no lock file.
pub(crate) fn is_in_db(table: &str) -> bool {
    table.starts_with("db.")
}

/// One workspace's commands wait for each other only: no contention between people.
pub fn is_workspace(table: &str) -> bool {
    table.starts_with("clients/")
}

/// Where each table stands: the order of the tables in a checkpoint, which locks them all.
pub struct LockOrder<'a>(BTreeMap<&'a str, usize>);

/// A table in that order: server, rank of the table, its name.
pub(super) type Table<'a> = (usize, usize, &'a str);

impl<'a> LockOrder<'a> {
    /// Of a catalogue.
    pub fn of(catalog: &'a Catalog) -> Self {
        let steps = catalog.commands.get("checkpoint").map(|c| &c.steps);
        let tables = steps.into_iter().flatten().find_map(|step| match step {
            Step::Lock { tables, .. } => Some(tables),
            _ => None,
        });
        let tables = tables.into_iter().flatten().enumerate();
        Self(tables.map(|(rank, table)| (table.as_str(), rank)).collect())
    }

    /// Where a table stands. Lock files such as `meta/commit` come first, tables that the order does not
    /// know last.
    pub fn rank(&self, table: &str) -> usize {
        match self.0.get(table) {
            Some(rank) => rank + 1,
            None if is_in_db(table) => usize::MAX,
            None => 0,
        }
    }

    /// The tables of a section in their order, each once, and whether it is taken alone.
    ///
    /// Lock files of one workspace (`clients/…`) are left out: the rivals there are the same person's
    /// commands.
    pub(super) fn tables<'s>(&self, cost: &Cost<'s>, section: &Section) -> BTreeMap<Table<'s>, bool> {
        let mut tables = BTreeMap::new();
        let takes = cost.takes(section).iter();
        for (table, exclusive) in takes.flat_map(|(t, alone)| t.iter().map(move |t| (t, alone))) {
            if is_workspace(table) {
                continue;
            }
            *tables.entry((section.server, self.rank(table), table.as_str())).or_insert(false) |= exclusive;
        }
        tables
    }
}

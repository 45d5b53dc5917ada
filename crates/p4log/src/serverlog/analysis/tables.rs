//! Locks of each table and lock file: waits, holds, reads without a lock, pages and rows.

use super::ranking::{Cost, Ranked, Ranking};
use crate::serverlog::merge::add;
use crate::serverlog::record::{Section, TableUse};

/// Tables that are kept by name: a p4d has about 120.
const KEPT: usize = 512;

/// A table, summed over all commands.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TableSum {
    /// Whether it is a table or a lock file.
    pub section: Section,
    /// Commands that used it.
    pub commands: u64,
    /// Shared locks taken.
    pub read_locks: u64,
    /// Exclusive locks taken.
    pub write_locks: u64,
    /// Seconds waited for shared locks, and the longest.
    pub read_wait_s: (f64, f64),
    /// Seconds that shared locks were held, and the longest.
    pub read_held_s: (f64, f64),
    /// Seconds waited for exclusive locks, and the longest.
    pub write_wait_s: (f64, f64),
    /// Seconds that exclusive locks were held, and the longest.
    pub write_held_s: (f64, f64),
    /// Reads without a lock.
    pub peeks: u64,
    /// Seconds that these waited and lasted.
    pub peek_s: (f64, f64),
    /// Pages of 8 KiB read from the file, written to it, and found in the process's own cache.
    pub pages: (u64, u64, u64),
    /// Rows scanned.
    pub rows_scanned: u64,
    /// Rows written and deleted.
    pub rows_written: u64,
}

impl TableSum {
    fn of(table: &TableUse) -> Self {
        let seconds = |ms: u64| ms as f64 / 1e3;
        // Where the log has no line of the longest, one lock's total is its longest.
        let longest = |total: u64, longest: u64, locks: u64| {
            let one = if locks <= 1 { total } else { 0 };
            (seconds(total), seconds(longest.max(one)))
        };
        let (total, most) = (&table.total, &table.longest);
        Self {
            section: table.section,
            commands: 1,
            read_locks: table.read_locks,
            write_locks: table.write_locks,
            read_wait_s: longest(total.read_wait_ms, most.read_wait_ms, table.read_locks),
            read_held_s: longest(total.read_held_ms, most.read_held_ms, table.read_locks),
            write_wait_s: longest(total.write_wait_ms, most.write_wait_ms, table.write_locks),
            write_held_s: longest(total.write_held_ms, most.write_held_ms, table.write_locks),
            peeks: table.peeks,
            peek_s: (seconds(table.peek_wait_ms), seconds(table.peek_held_ms)),
            pages: (table.pages_in, table.pages_out, table.pages_cached),
            rows_scanned: table.rows_scan,
            rows_written: table.rows_put.saturating_add(table.rows_del),
        }
    }
}

fn both(a: &mut (f64, f64), b: (f64, f64)) {
    a.0 += b.0;
    a.1 = a.1.max(b.1);
}

impl Cost for TableSum {
    fn merge(&mut self, other: &Self) {
        self.commands += other.commands;
        add(&mut self.read_locks, other.read_locks);
        add(&mut self.write_locks, other.write_locks);
        both(&mut self.read_wait_s, other.read_wait_s);
        both(&mut self.read_held_s, other.read_held_s);
        both(&mut self.write_wait_s, other.write_wait_s);
        both(&mut self.write_held_s, other.write_held_s);
        add(&mut self.peeks, other.peeks);
        self.peek_s.0 += other.peek_s.0;
        self.peek_s.1 += other.peek_s.1;
        add(&mut self.pages.0, other.pages.0);
        add(&mut self.pages.1, other.pages.1);
        add(&mut self.pages.2, other.pages.2);
        add(&mut self.rows_scanned, other.rows_scanned);
        add(&mut self.rows_written, other.rows_written);
    }

    fn weight(&self) -> f64 {
        self.read_wait_s.0
            + self.write_wait_s.0
            + 1e-3 * (self.read_held_s.0 + self.write_held_s.0 + self.peek_s.1)
            + 1e-9 * self.commands as f64
    }
}

/// Sums up all tables.
#[derive(Debug, Clone)]
pub(super) struct Tables(Ranking<TableSum>);

impl Default for Tables {
    fn default() -> Self {
        Self(Ranking::new(KEPT))
    }
}

impl Tables {
    pub(super) fn add(&mut self, table: &TableUse) {
        let sum = TableSum::of(table);
        self.0.entry(class(&table.name), || TableSum { section: table.section, ..TableSum::default() }).merge(&sum);
    }

    pub(super) fn found(self) -> Ranked<TableSum> {
        self.0.ranked(KEPT)
    }
}

/// Lock files that p4d has for each workspace, change, label, stream.
const KINDS: [&str; 6] = ["clientEntity", "clients", "change", "label", "stream", "have.pt"];

/// The name under which a table is summed: lock files of single workspaces, changes, labels and streams together.
pub(super) fn class(name: &str) -> &str {
    match name.split_once('/') {
        Some((kind, _)) if KINDS.contains(&kind) => kind,
        _ => name,
    }
}

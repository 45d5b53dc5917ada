//! The script of a command as operations: the steps of `models/commands`, walked as the model walks them.
//!
//! A section locks all its tables at its begin, in p4d's order, so that no two commands wait for each other in a
//! ring.

use std::collections::BTreeMap;

use crate::catalog::{Catalog, Command, PerFile, ReadLocks, Release, Step};
use crate::origin::Sourced;
use crate::system::{LockOrder, is_workspace};
use crate::units::{Bytes, Quantity as _};
use crate::workload::Call;

/// Content that crosses the server: files from archives to a client, or the other way.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Content {
    /// Bytes that are read from or written to archives, digested, sent or received.
    pub(super) archived: f64,
    pub(super) digested: f64,
    pub(super) moved: f64,
}

/// What a command does next; amounts are those of a command of mean size.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Op {
    /// What a command costs apart from its rows.
    Begin,
    /// Opens and closes table files.
    Open(f64),
    /// Does `body` with the locks; where p4d takes them in batches, `batch` has the rows of each and those in all.
    Section {
        locks: Vec<(usize, bool)>,
        batch: Option<(f64, f64)>,
        body: Vec<Self>,
    },
    ReadRows {
        rows: f64,
        scan: bool,
        tables: Vec<usize>,
    },
    ReadPages(f64),
    WriteRows {
        rows: f64,
        tables: Vec<usize>,
    },
    WritePages {
        pages: f64,
        commits: f64,
    },
    Journal(f64),
    Log(f64),
    Flush(f64),
    Out(Content),
    In(Content),
}

/// One command of a group.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Script {
    pub(super) ops: Vec<Op>,
}

impl Script {
    /// The same without what it reads.
    pub(super) fn without_rows(&self) -> Self {
        let ops = self.ops.iter().filter_map(Op::without_rows);
        Self { ops: ops.collect() }
    }
}

impl Op {
    fn without_rows(&self) -> Option<Self> {
        match self {
            Self::ReadRows { .. } | Self::ReadPages(_) => None,
            Self::Section { locks, batch, body } => Some(Self::Section {
                locks: locks.clone(),
                batch: *batch,
                body: body.iter().filter_map(Self::without_rows).collect(),
            }),
            other => Some(other.clone()),
        }
    }
}

/// Makes scripts; tables get their numbers as they come.
pub(super) struct Scripts<'a> {
    catalog: &'a Catalog,
    release: Release,
    read_locks: ReadLocks,
    revisions_a_file: f64,
    order: LockOrder<'a>,
    tables: BTreeMap<&'a str, usize>,
}

/// The section that is open.
struct Open {
    locks: BTreeMap<(usize, usize), bool>,
    batch: Option<f64>,
    body: Vec<Op>,
}

struct Walk<'s, 'a> {
    scripts: &'s mut Scripts<'a>,
    call: &'s Call,
    reads: ReadLocks,
    /// Whether the rows that are read next come from db.rev in place of db.revhx, which has the head revisions alone.
    beside_heads: bool,
    ops: Vec<Op>,
    open: Option<Open>,
    /// Tables that the steps name, and those of them that are written.
    named: Vec<usize>,
    written: Vec<usize>,
}

impl<'a> Scripts<'a> {
    pub(super) fn new(catalog: &'a Catalog, release: Release, read_locks: ReadLocks, revisions_a_file: f64) -> Self {
        Self { catalog, release, read_locks, revisions_a_file, order: LockOrder::of(catalog), tables: BTreeMap::new() }
    }

    /// Names of all tables, by number.
    pub(super) fn into_tables(self) -> Vec<String> {
        let mut names: Vec<(usize, &str)> = self.tables.into_iter().map(|(n, i)| (i, n)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name.to_owned()).collect()
    }

    fn table(&mut self, name: &'a str) -> usize {
        let next = self.tables.len();
        *self.tables.entry(name).or_insert(next)
    }

    /// What every command does before its own.
    pub(super) fn prologue(&mut self) -> Script {
        self.of(&Call::once("overhead", 0.0, 0.0))
    }

    pub(super) fn of(&mut self, call: &Call) -> Script {
        let catalog = self.catalog;
        let command = &catalog.commands[&call.command];
        let mut walk = Walk {
            scripts: self,
            call,
            reads: ReadLocks::All,
            beside_heads: false,
            ops: vec![Op::Begin],
            open: None,
            named: Vec::new(),
            written: Vec::new(),
        };
        if command.prologue {
            walk.command(&catalog.commands["overhead"]);
        }
        walk.command(command);
        Script { ops: walk.ops }
    }
}

impl<'a> Walk<'_, 'a> {
    fn command(&mut self, command: &'a Command) {
        self.reads = self.scripts.read_locks.of_command(command.lockless);
        for step in &command.steps {
            self.step(step);
        }
        self.leave();
    }

    fn push(&mut self, op: Op) {
        match &mut self.open {
            Some(open) => open.body.push(op),
            None => self.ops.push(op),
        }
    }

    fn amount(&self, per: &PerFile<f64>) -> f64 {
        let value = |x: &Option<Sourced<f64>>| x.as_ref().map_or(0.0, |x| x.value);
        value(&per.per_command) + value(&per.per_file) * self.call.files
    }

    fn bytes(&self, per: &PerFile<Bytes>) -> f64 {
        let value = |x: &Option<Sourced<Bytes>>| x.as_ref().map_or(0.0, |x| x.value.base());
        value(&per.per_command) + value(&per.per_file) * self.call.files
    }

    fn leave(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let locks: Vec<(usize, bool)> = open.locks.iter().map(|((_, table), exclusive)| (*table, *exclusive)).collect();
        let rows = open.body.iter().map(|op| match op {
            Op::ReadRows { rows, .. } | Op::WriteRows { rows, .. } => *rows,
            _ => 0.0,
        });
        let rows = rows.fold(0.0, f64::max);
        if locks.is_empty() {
            self.ops.extend(open.body);
        } else {
            self.ops.push(Op::Section { locks, batch: open.batch.map(|batch| (batch, rows)), body: open.body });
        }
    }

    /// Goes on with these tables, of which some are locked.
    fn lock(&mut self, tables: &'a [String], locked: &[String], exclusive: bool, batch: Option<f64>) {
        let names = tables.iter().filter(|name| !is_workspace(name));
        let ranked: Vec<(usize, usize, bool, bool)> = names
            .map(|name| {
                let rank = self.scripts.order.rank(name);
                let table = self.scripts.table(name);
                (rank, table, name.starts_with("db."), locked.contains(name))
            })
            .collect();
        let is_new = self.open.is_none();
        let open = self.open.get_or_insert_with(|| Open { locks: BTreeMap::new(), batch: None, body: Vec::new() });
        if is_new {
            self.named.clear();
            self.written.clear();
        }
        for (rank, table, is_table, is_locked) in ranked {
            if is_table {
                self.named.push(table);
                if exclusive {
                    self.written.push(table);
                }
            }
            if is_locked {
                *open.locks.entry((rank, table)).or_insert(false) |= exclusive;
            }
        }
        open.batch = batch.or(open.batch);
    }

    /// Content of the last operation, if it goes the same way and under the same locks.
    fn content(&mut self, out: bool) -> &mut Content {
        let ops = match &mut self.open {
            Some(open) => &mut open.body,
            None => &mut self.ops,
        };
        let goes_on = matches!((ops.last(), out), (Some(Op::Out(_)), true) | (Some(Op::In(_)), false));
        if !goes_on {
            let empty = Content::default();
            ops.push(if out { Op::Out(empty) } else { Op::In(empty) });
        }
        match ops.last_mut() {
            Some(Op::Out(content) | Op::In(content)) => content,
            _ => unreachable!("it was pushed above"),
        }
    }

    /// Which way content goes that is digested now: that of the operation before.
    fn goes_in(&self) -> bool {
        let last = match &self.open {
            Some(open) => open.body.last(),
            None => self.ops.last(),
        };
        matches!(last, Some(Op::In(_)))
    }

    fn step(&mut self, step: &'a Step) {
        let (files, content) = (self.call.files, self.call.bytes);
        let value = |x: &Option<Sourced<f64>>| x.as_ref().map_or(0.0, |x| x.value);
        match step {
            Step::Lock { tables, exclusive, kept, batch_rows } => {
                let locked: &[String] = if *exclusive {
                    tables
                } else {
                    self.beside_heads = self.reads == ReadLocks::None && !kept.is_empty();
                    self.reads.tables(tables, kept)
                };
                let batches = *exclusive || self.reads == ReadLocks::Few;
                let batch = batch_rows.as_ref().filter(|_| batches);
                let batch = batch.map(|rows| rows.value.max(1.0));
                self.lock(tables, locked, *exclusive, batch);
            }
            Step::Unlock { since } => {
                if since.is_none_or(|since| self.scripts.release >= since) {
                    self.leave();
                }
            }
            Step::ReadRows { rows, scan } => {
                let (rows, scan, tables) = (self.amount(rows), *scan, self.named.clone());
                self.push(Op::ReadRows { rows, scan, tables });
                if std::mem::take(&mut self.beside_heads) {
                    let more = files * (self.scripts.revisions_a_file - 1.0);
                    let tables = vec![self.scripts.table("db.rev")];
                    self.push(Op::ReadRows { rows: more, scan: true, tables });
                }
            }
            Step::WriteRows(rows) => {
                let rows = self.amount(rows);
                let tables = if self.written.is_empty() { &self.named } else { &self.written };
                let tables = tables.clone();
                self.push(Op::WriteRows { rows, tables });
            }
            Step::ReadPages(pages) => self.push(Op::ReadPages(pages.value)),
            // Checkpoints are not rehearsed.
            Step::Dump => (),
            Step::WritePages { pages, commits } => {
                self.push(Op::WritePages { pages: pages.value, commits: commits.value.min(pages.value) });
            }
            Step::Journal(bytes) => self.push(Op::Journal(self.bytes(bytes))),
            Step::Log(bytes) => self.push(Op::Log(bytes.value.base())),
            Step::Open(count) => self.push(Op::Open(count.value)),
            Step::Flush(count) => self.push(Op::Flush(count.value)),
            // The number of files follows from the size of those that were laid out.
            Step::ReadArchive { per_byte, .. } => {
                self.content(true).archived += value(per_byte) * content;
            }
            Step::WriteArchive { per_byte, .. } => {
                self.content(false).archived += value(per_byte) * content;
            }
            Step::Digest(per_byte) => {
                let out = !self.goes_in();
                self.content(out).digested += per_byte.value * content;
            }
            Step::Send(message) => {
                let bytes = self.bytes(&message.size) + value(&message.per_byte) * content;
                self.content(true).moved += bytes;
            }
            Step::Receive(message) => {
                let bytes = self.bytes(&message.size) + value(&message.per_byte) * content;
                self.content(false).moved += bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVISIONS: f64 = 2.5;

    fn script(command: &str, files: f64, bytes: f64, locks: ReadLocks) -> (Vec<Op>, Vec<String>) {
        let catalog = Catalog::embedded();
        let release: Release = "2024.2".parse().expect("a release");
        let mut scripts = Scripts::new(&catalog, release, locks, REVISIONS);
        let script = scripts.of(&Call::once(command, files, bytes));
        (script.ops, scripts.into_tables())
    }

    fn sections(ops: &[Op]) -> Vec<&Vec<(usize, bool)>> {
        ops.iter()
            .filter_map(|op| match op {
                Op::Section { locks, .. } => Some(locks),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_lockless_listing_takes_no_lock_and_a_locked_one_shares_all_its_tables() {
        let (ops, _) = script("fstat", 100.0, 0.0, ReadLocks::None);
        assert!(sections(&ops).is_empty(), "{ops:?}");
        let (ops, tables) = script("fstat", 100.0, 0.0, ReadLocks::All);
        let last = *sections(&ops).last().expect("a section");
        let names: Vec<&str> = last.iter().map(|(t, _)| tables[*t].as_str()).collect();
        assert_eq!(names.len(), 6, "{names:?}");
        assert!(last.iter().all(|(_, exclusive)| !exclusive));
    }

    #[test]
    fn a_sync_reads_and_writes_in_batches_and_moves_its_content_outside() {
        let (ops, tables) = script("sync", 1000.0, 2e6, ReadLocks::Few);
        let batches = ops.iter().filter_map(|op| match op {
            Op::Section { locks, batch: Some(batch), .. } => Some((locks, *batch)),
            _ => None,
        });
        let batches: Vec<_> = batches
            .map(|(locks, batch)| {
                let locks = locks.iter().map(|(t, x)| (tables[*t].as_str(), *x));
                (locks.collect::<Vec<_>>(), batch)
            })
            .collect();
        // Six rows a file are read, one is written.
        assert_eq!(
            batches,
            [(vec![("db.revhx", false)], (10_000.0, 6000.0)), (vec![("db.have", true)], (100.0, 1000.0))]
        );
        let content = ops.iter().rev().find_map(|op| match op {
            Op::Out(content) => Some(*content),
            _ => None,
        });
        let content = content.expect("content");
        assert_eq!((content.archived, content.digested), (2e6, 2e6));
        assert_eq!(content.moved, 2e6 + 400.0 * 1000.0);
    }

    #[test]
    fn without_db_revhx_a_read_goes_over_the_rows_of_all_revisions() {
        let reads = |locks| {
            let (mut left, tables) = script("sync-n", 100.0, 0.0, locks);
            let mut reads = Vec::new();
            while let Some(op) = left.pop() {
                match op {
                    Op::ReadRows { rows, scan, tables } => reads.push((rows, scan, tables)),
                    Op::Section { body, .. } => left.extend(body),
                    _ => {}
                }
            }
            let of_revisions = |(rows, scan, read): &(f64, bool, Vec<usize>)| {
                let names: Vec<&str> = read.iter().map(|t| tables[*t].as_str()).collect();
                (names == ["db.rev"]).then_some((*rows, *scan))
            };
            reads.iter().find_map(of_revisions)
        };
        assert_eq!(reads(ReadLocks::None), Some((100.0 * (REVISIONS - 1.0), true)));
        assert_eq!([ReadLocks::All, ReadLocks::Few].map(reads), [None, None]);
    }

    #[test]
    fn all_sections_take_their_tables_in_one_order() {
        let catalog = Catalog::embedded();
        let order = LockOrder::of(&catalog);
        for id in catalog.commands.keys() {
            let (ops, tables) = script(id, 10.0, 1e5, ReadLocks::All);
            for locks in sections(&ops) {
                let ranks: Vec<usize> = locks.iter().map(|(t, _)| order.rank(&tables[*t])).collect();
                assert!(ranks.windows(2).all(|w| w[0] <= w[1]), "{id}: {ranks:?}");
            }
        }
    }
}

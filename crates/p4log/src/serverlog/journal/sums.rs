//! What the records of journals add up to.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::analysis::{Marks, Values};
use super::super::pseudonym::siphash;
use super::super::record::{Command, Moment};
use super::content::{Hour, Journal, Table};
use super::records::{Action, Record, content, number, time};

/// Tables that are counted by name; p4d has about a hundred.
pub(super) const TABLES: usize = 400;
/// The name of all others.
pub(super) const OTHERS: &str = "(others)";
/// Hours, and days, that are counted.
const HOURS: usize = 20_000;
/// Changes of which files are counted before they are committed.
const CHANGES: usize = 4096;
/// Processes with a transaction that has not ended.
const PROCESSES: usize = 1000;
/// Users that are counted.
const USERS: usize = 200_000;
/// Tables that are shown of a commit.
const OF_COMMIT: usize = 12;

/// Files of a change.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    files: u64,
    sized: u64,
    sized_bytes: u64,
}

/// Records and their bytes.
#[derive(Debug, Clone, Copy, Default)]
struct RecordSum {
    records: u64,
    bytes: u64,
}

impl RecordSum {
    fn add(&mut self, bytes: u64) {
        self.records += 1;
        self.bytes += bytes;
    }
}

/// What one process wrote and has not ended.
#[derive(Debug, Clone, Default)]
struct Transaction {
    bytes: u64,
    tables: BTreeMap<usize, RecordSum>,
    /// Changes that it committed.
    committed: Vec<u64>,
}

impl Transaction {
    fn join(&mut self, other: Self) {
        self.bytes += other.bytes;
        for (at, part) in other.tables {
            let sum = self.tables.entry(at).or_default();
            sum.records += part.records;
            sum.bytes += part.bytes;
        }
        self.committed.extend(other.committed);
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    journal: Journal,
    index: HashMap<String, usize>,
    hours: BTreeMap<i64, Hour>,
    days: BTreeMap<i64, u64>,
    changes: BTreeMap<u64, Change>,
    /// The latest change that was committed.
    latest: u64,
    untimed: RecordSum,
    /// What was written since the last mark, which says whose it is, and before it by each process.
    written: Transaction,
    open: BTreeMap<u64, Transaction>,
    of_commits: Vec<RecordSum>,
    files: Values,
    bytes: Values,
    /// Bytes and files of commits with files.
    of_files: (u64, u64),
    users: HashSet<u64>,
}

impl Sums {
    /// Takes a record that is complete.
    pub(super) fn add(&mut self, record: &Record) {
        let bytes = record.bytes();
        self.journal.records += 1;
        self.journal.bytes += bytes;
        self.untimed.add(bytes);
        let Some(action) = record.action() else {
            return;
        };
        match action {
            Action::Note => self.timed(record.time()),
            Action::Middle => {
                self.timed(record.time());
                self.paused(record.process());
            }
            Action::End => {
                self.timed(record.time());
                self.journal.transactions += 1;
                self.ended(record.process());
            }
            Action::Put | Action::Replace | Action::Delete | Action::Verify | Action::Other => {
                self.row(record, action);
            }
        }
    }

    fn row(&mut self, record: &Record, action: Action) {
        let (Some(name), bytes) = (record.table(), record.bytes()) else {
            return;
        };
        let at = self.table(name);
        let table = &mut self.journal.tables[at];
        match action {
            Action::Put => table.put += 1,
            Action::Replace => table.replaced += 1,
            Action::Delete => table.deleted += 1,
            _ => {}
        }
        table.bytes += bytes;
        self.written.bytes += bytes;
        self.written.tables.entry(at).or_default().add(bytes);
        match (name, action) {
            ("db.change", Action::Put | Action::Replace) => self.change(record),
            ("db.rev", Action::Put) => self.revision(record),
            ("db.user", Action::Put | Action::Replace) => self.user(record),
            _ => {}
        }
    }

    fn table(&mut self, name: &str) -> usize {
        if let Some(at) = self.index.get(name) {
            return *at;
        }
        let at = self.journal.tables.len();
        if at >= TABLES && name != OTHERS {
            return self.table(OTHERS);
        }
        self.index.insert(name.to_owned(), at);
        self.journal.tables.push(Table { name: name.to_owned(), ..Table::default() });
        self.of_commits.push(RecordSum::default());
        at
    }

    /// `change key client user date status …`: a change that is committed later than all before.
    fn change(&mut self, record: &Record) {
        const COMMITTED: [&[u8]; 2] = [b"1", b"5"];
        let fields = record.fields();
        let (Some(change), Some(date), Some(status)) = (
            fields.first().and_then(|field| number(field)),
            fields.get(4).and_then(|field| time(field)),
            fields.get(5),
        ) else {
            return;
        };
        // A committed change that is edited is written again; numbers of commits grow.
        if !COMMITTED.contains(status) || change <= self.latest {
            return;
        }
        self.latest = change;
        if self.written.committed.len() < CHANGES {
            self.written.committed.push(change);
        }
        self.seen(date);
        self.journal.commits.count += 1;
        if let Some(hour) = self.hour(date) {
            hour.commits += 1;
        }
        let day = date.div_euclid(86_400);
        if self.days.len() < HOURS || self.days.contains_key(&day) {
            *self.days.entry(day).or_default() += 1;
        }
    }

    fn revision(&mut self, record: &Record) {
        let fields = record.fields();
        let Some(change) = fields.get(4).and_then(|field| number(field)) else {
            return;
        };
        if self.changes.len() >= CHANGES && !self.changes.contains_key(&change) {
            self.changes.pop_first();
        }
        let counted = self.changes.entry(change).or_default();
        counted.files += 1;
        if let Some((size, false)) = content(&fields) {
            counted.sized += 1;
            counted.sized_bytes += size;
        }
    }

    fn user(&mut self, record: &Record) {
        let fields = record.fields();
        let Some(name) = fields.first() else { return };
        if self.users.len() >= USERS || !self.users.insert(siphash((0, 0), name)) {
            return;
        }
        self.journal.users.0 += 1;
        self.journal.users.1 += u64::from(is_person(name));
    }

    /// A note or a mark: what came since the last one is counted at its time.
    fn timed(&mut self, seconds: Option<i64>) {
        let Some(seconds) = seconds else { return };
        self.seen(seconds);
        let RecordSum { records, bytes } = self.untimed;
        if let Some(hour) = self.hour(seconds) {
            hour.records += records;
            hour.bytes += bytes;
            self.untimed = RecordSum::default();
        }
    }

    fn seen(&mut self, seconds: i64) {
        let at = moment(seconds);
        let span = self.journal.span.get_or_insert((at, at));
        *span = (span.0.min(at), span.1.max(at));
    }

    fn hour(&mut self, seconds: i64) -> Option<&mut Hour> {
        let hour = seconds.div_euclid(3600);
        if self.hours.len() >= HOURS && !self.hours.contains_key(&hour) {
            return None;
        }
        Some(self.hours.entry(hour).or_insert(Hour { at: moment(hour * 3600), ..Hour::default() }))
    }

    /// A part of a transaction ends: it is kept for the process that wrote it.
    fn paused(&mut self, process: Option<u64>) {
        let written = std::mem::take(&mut self.written);
        let process = process.unwrap_or(0);
        if self.open.len() >= PROCESSES && !self.open.contains_key(&process) {
            self.open.pop_first();
        }
        self.open.entry(process).or_default().join(written);
    }

    /// A transaction ends: what it wrote is that of the changes that it committed.
    fn ended(&mut self, process: Option<u64>) {
        let mut transaction = std::mem::take(&mut self.written);
        if let Some(before) = self.open.remove(&process.unwrap_or(0)) {
            transaction.join(before);
        }
        if transaction.committed.is_empty() {
            return;
        }
        let mut files = 0;
        for change in &transaction.committed {
            let found = self.changes.remove(change).unwrap_or_default();
            if found.files > 0 {
                self.files.add(found.files as f64);
            }
            files += found.files;
            self.journal.commits.sized.0 += found.sized;
            self.journal.commits.sized.1 += found.sized_bytes;
        }
        let bytes = transaction.bytes;
        // The histogram ends at 2³⁰: of KiB.
        let each = bytes as f64 / transaction.committed.len() as f64;
        self.bytes.add(each / 1024.0);
        if files > 0 {
            self.of_files.0 += bytes;
            self.of_files.1 += files;
        }
        for (at, part) in transaction.tables {
            self.of_commits[at].records += part.records;
            self.of_commits[at].bytes += part.bytes;
        }
    }

    /// The sums; `None` if no record was read.
    pub(super) fn found(mut self) -> Option<Journal> {
        if self.journal.records == 0 {
            return None;
        }
        self.journal.untimed_bytes = self.untimed.bytes;
        let names = self.journal.tables.iter().map(|table| table.name.clone());
        let parts = names.zip(&self.of_commits).filter(|(_, part)| part.records > 0);
        let mut tables: Vec<(String, u64, u64)> = parts.map(|(name, part)| (name, part.records, part.bytes)).collect();
        tables.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        tables.truncate(OF_COMMIT);
        let commits = &mut self.journal.commits;
        commits.tables = tables;
        commits.files = self.files.spread();
        commits.bytes = self.bytes.spread().map(|kib| kib.times(1024.0));
        let (bytes, files) = self.of_files;
        commits.bytes_per_file = (files > 0).then(|| bytes as f64 / files as f64);
        commits.days = self.days.into_iter().map(|(day, count)| (moment(day * 86_400), count)).collect();
        self.journal.hours = self.hours.into_values().collect();
        let by_bytes = |a: &Table, b: &Table| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name));
        self.journal.tables.sort_by(by_bytes);
        Some(self.journal)
    }
}

/// Whether a user's name is not one of builds and scripts.
pub(super) fn is_person(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    let marks = Marks::of(&Command { user: name.trim_matches('@').to_owned(), ..Command::default() });
    !marks.user
}

pub(super) fn moment(seconds: i64) -> Moment {
    Moment { micros: seconds.saturating_mul(1_000_000) }
}

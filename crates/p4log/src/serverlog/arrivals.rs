//! The commands of a log as a replay needs them: when each came, how large it was, how long it took.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::analysis::Moved;
use super::commands;
use super::record::{Command, Damage, Ending, Event, Moment, Section, Sink};

/// Commands that are kept, at most: half an hour to a day of a large server. Those after them are counted only.
const KEPT_MOST: usize = 1_000_000;

/// Time that is kept, at most, from the first command on \[s\].
const TIME_MOST: f64 = 86_400.0;

/// Processes whose submit is going on, at most; all are forgotten when there are more, for some submits never end.
const SUBMITS_MOST: usize = 10_000;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// The phases of a submit before its commit.
#[derive(Debug, Clone, Copy)]
struct Submit {
    start: Moment,
    /// Their lapses together \[s\].
    lapse_s: f64,
    files: f64,
    bytes: f64,
}

/// What the log says of the size of a call, in steps of a quarter of a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// Nothing: neither files nor rows.
    Unsaid,
    /// Files, and no rows.
    Files(i32),
    /// Rows of tables, which track lines count.
    Rows(i32),
}

/// Calls of one command of the catalogue of about the same size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Calls {
    /// When each began.
    pub starts: Vec<Moment>,
    /// Rows of tables of all.
    pub rows: f64,
    /// Of how many calls the log states files.
    pub counted: u64,
    /// Files of these.
    pub files: f64,
    /// Their bytes.
    pub bytes: f64,
    /// Those of their files of which the log states no bytes: it has whole MiB, and these are fewer.
    pub small_files: f64,
}

/// What the log says of a command of the catalogue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommandTotals {
    /// Calls that are replayed.
    pub count: u64,
    /// Their lapses together \[s\].
    pub lapse_s: f64,
    /// What they waited for locks of tables, together \[s\].
    pub lock_wait_s: f64,
    /// Of how many of them track lines say that.
    pub tracked: u64,
    /// Rows of tables of those calls that have some.
    pub rows: f64,
    /// How many these are.
    pub with_rows: u64,
}

/// The arrivals of a log.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    /// By command of the catalogue and size.
    pub calls: BTreeMap<(String, Size), Calls>,
    /// By command of the catalogue.
    pub totals: BTreeMap<String, CommandTotals>,
    /// Waits for locks by table \[s\].
    pub waits: BTreeMap<String, f64>,
    /// Commands without an end, so that there is nothing to compare with.
    pub endless: u64,
    /// Commands of replicas and phases that the model has no script of, by function.
    pub unknown: BTreeMap<String, u64>,
    /// Commands after the first million, or after the first day.
    pub later: u64,
    /// Commands that began before are left out: there is nothing to replay of what they met then.
    pub from: Option<Moment>,
    kept: usize,
    known: BTreeSet<String>,
    first: Option<Moment>,
    /// Submits that are going on, by process.
    submits: HashMap<u64, Submit>,
}

impl Arrivals {
    /// Of commands that the catalogue has.
    pub fn of(known: impl IntoIterator<Item = String>) -> Self {
        Self { known: known.into_iter().collect(), ..Self::default() }
    }

    /// First and last beginning.
    pub fn span(&self) -> Option<(Moment, Moment)> {
        let starts = || self.calls.values().flat_map(|calls| calls.starts.iter());
        Some((*starts().min()?, *starts().max()?))
    }
}

/// Rows of tables that a command read and wrote.
fn rows(command: &Command) -> f64 {
    let tables = command.tables.iter();
    let tables = tables.filter(|table| table.section == Section::Table);
    let rows = tables.map(|t| [t.rows_get, t.rows_scan, t.rows_put, t.rows_del]);
    rows.flatten().map(|rows| rows as f64).sum()
}

/// Files and bytes that a command touched, as far as the log says; 0 where it says nothing.
fn size(command: &Command) -> (f64, f64) {
    let counted = command.files.unwrap_or_default();
    let (files, bytes) = if counted.received_files > 0 {
        (counted.received_files, counted.received_bytes)
    } else {
        let moved = Moved::of(command);
        (moved.files, moved.bytes)
    };
    if files > 0 {
        // Whole MiB are cut, by half a one in the mean.
        let cut = if bytes > 0 && bytes % MIB == 0 { MIB / 2 } else { 0 };
        return (files as f64, (bytes + cut) as f64);
    }
    let opened = command.tables.iter().find(|t| t.name == "db.working");
    let opened = opened.map_or(0, |table| table.rows_put);
    // A listing sends a message a file.
    let listed = command.rpc.map_or(0, |rpc| rpc.sent.saturating_sub(2));
    let files = if opened > 0 { opened } else { listed };
    (files as f64, bytes as f64)
}

impl Arrivals {
    /// A phase of a submit before its commit.
    fn phase(&mut self, command: &Command) {
        if self.submits.len() >= SUBMITS_MOST {
            self.submits.clear();
        }
        let (files, bytes) = size(command);
        let begins = || Submit { start: command.start, lapse_s: 0.0, files: 0.0, bytes: 0.0 };
        if command.function == "user-submit" {
            self.submits.insert(command.pid, begins());
        }
        let submit = self.submits.entry(command.pid).or_insert_with(begins);
        // The sum of the phases' lapses, as everywhere: their beginnings are known to the second only.
        submit.lapse_s += command.lapse_s.unwrap_or(0.0);
        submit.files = submit.files.max(files);
        submit.bytes = submit.bytes.max(bytes);
    }
}

impl Sink for Arrivals {
    fn command(&mut self, command: &Command) {
        if self.from.is_some_and(|from| command.start < from) {
            return;
        }
        if matches!(command.function.as_str(), "user-submit" | "dm-SubmitChange") {
            self.phase(command);
            return;
        }
        let is_commit = command.function == "dm-CommitSubmit";
        let id = if is_commit { "submit" } else { commands::id(&command.function, &command.arguments) };
        if !self.known.contains(id) {
            *self.unknown.entry(command.function.clone()).or_default() += 1;
            return;
        }
        let ended = matches!(command.ending, Ending::Completed | Ending::Tracked);
        let (Some(lapse), true) = (command.lapse_s, ended) else {
            self.endless += 1;
            return;
        };
        let (mut start, mut all) = (command.start, lapse);
        let (mut files, mut bytes) = size(command);
        if is_commit && let Some(submit) = self.submits.remove(&command.pid) {
            all += submit.lapse_s;
            start = submit.start;
            (files, bytes) = (files.max(submit.files), bytes.max(submit.bytes));
        }
        let first = *self.first.get_or_insert(start);
        if self.kept >= KEPT_MOST || start.seconds_since(first) >= TIME_MOST {
            self.later += 1;
            return;
        }
        self.kept += 1;
        let step = |amount: f64| (4.0 * amount.log10()).floor() as i32;
        let rows = rows(command);
        let size = if rows > 0.0 {
            Size::Rows(step(rows))
        } else if files > 0.0 {
            Size::Files(step(files))
        } else {
            Size::Unsaid
        };
        let calls = self.calls.entry((id.to_owned(), size)).or_default();
        calls.starts.push(start);
        calls.rows += rows;
        calls.counted += u64::from(files > 0.0);
        calls.files += files;
        calls.bytes += bytes;
        if bytes == 0.0 {
            calls.small_files += files;
        }
        let totals = self.totals.entry(id.to_owned()).or_default();
        totals.rows += rows;
        totals.with_rows += u64::from(rows > 0.0);
        totals.count += 1;
        totals.lapse_s += all;
        totals.tracked += u64::from(command.tracked);
        let waits = command.tables.iter();
        let waits = waits.map(|table| (&table.name, table.total.waited_ms() as f64 / 1e3));
        for (table, wait) in waits.filter(|(table, wait)| *wait > 0.0 && table.starts_with("db.")) {
            totals.lock_wait_s += wait;
            *self.waits.entry(table.clone()).or_default() += wait;
        }
    }

    fn event(&mut self, _event: &Event) {}

    fn damage(&mut self, _damage: &Damage) {}
}

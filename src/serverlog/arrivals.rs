//! The commands of a log as a replay needs them: when each came, how large it was, how long it took.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::analysis::Moved;
use super::commands;
use super::record::{Command, Damage, Ending, Event, Moment, Sink};

/// Commands that are kept, at most: half an hour to a day of a large server. Those after them are counted only.
const KEPT_MOST: usize = 1_000_000;

/// Time that is kept, at most, from the first command on \[s\].
const TIME_MOST: f64 = 86_400.0;

/// Processes whose submit is going on, at most; all are forgotten when there are more, for some submits never end.
const SUBMITS_MOST: usize = 10_000;

/// The phases of a submit before its commit.
#[derive(Debug, Clone, Copy)]
struct Submit {
    start: Moment,
    files: f64,
    bytes: f64,
}

/// Calls of one command of the catalogue that touch about as many files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Calls {
    /// When each began.
    pub starts: Vec<Moment>,
    /// Files of all.
    pub files: f64,
    /// Bytes of all.
    pub bytes: f64,
}

/// What the log says of a command of the catalogue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Calls that are replayed.
    pub count: u64,
    /// Their lapses together \[s\].
    pub lapse_s: f64,
    /// What they waited for locks of tables, together \[s\].
    pub lock_wait_s: f64,
    /// Of how many of them track lines say that.
    pub tracked: u64,
}

/// The arrivals of a log.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    /// By command of the catalogue and power of ten of the files.
    pub calls: BTreeMap<(String, i32), Calls>,
    /// By command of the catalogue.
    pub seen: BTreeMap<String, Seen>,
    /// Waits for locks by table \[s\].
    pub waits: BTreeMap<String, f64>,
    /// Commands without an end, so that there is nothing to compare with.
    pub endless: u64,
    /// Commands of replicas and phases that the model has no script of, by function.
    pub unknown: BTreeMap<String, u64>,
    /// Commands after the first million, or after the first day.
    pub later: u64,
    kept: usize,
    known: BTreeSet<String>,
    first: Option<Moment>,
    /// Submits that are going on, by process.
    submits: HashMap<u64, Submit>,
}

impl Arrivals {
    /// Of commands that the catalogue has.
    pub fn of(known: impl IntoIterator<Item = String>) -> Self {
        Self {
            known: known.into_iter().collect(),
            ..Self::default()
        }
    }

    /// First and last beginning.
    pub fn span(&self) -> Option<(Moment, Moment)> {
        let starts = || self.calls.values().flat_map(|calls| calls.starts.iter());
        Some((*starts().min()?, *starts().max()?))
    }
}

/// Files and bytes that a command touched, as far as the log says.
fn size(command: &Command) -> (f64, f64) {
    let counted = command.files.unwrap_or_default();
    let (files, bytes) = if counted.received_files > 0 {
        (counted.received_files, counted.received_bytes)
    } else {
        let moved = Moved::of(command);
        (moved.files, moved.bytes)
    };
    if files > 0 {
        return (files as f64, bytes as f64);
    }
    let opened = command.tables.iter().find(|t| t.name == "db.working");
    let opened = opened.map_or(0, |table| table.rows_put);
    // A listing sends a message a file.
    let listed = command.rpc.map_or(0, |rpc| rpc.sent.saturating_sub(2));
    let files = if opened > 0 { opened } else { listed };
    (files as f64, bytes as f64)
}

impl Sink for Arrivals {
    fn command(&mut self, command: &Command) {
        if matches!(command.function.as_str(), "user-submit" | "dm-SubmitChange") {
            if self.submits.len() >= SUBMITS_MOST {
                self.submits.clear();
            }
            let (files, bytes) = size(command);
            let submit = self.submits.entry(command.pid).or_insert(Submit {
                start: command.start,
                files: 0.0,
                bytes: 0.0,
            });
            submit.files = submit.files.max(files);
            submit.bytes = submit.bytes.max(bytes);
            return;
        }
        let is_commit = command.function == "dm-CommitSubmit";
        let id = if is_commit {
            "submit"
        } else {
            commands::id(&command.function, &command.arguments)
        };
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
            all += command.start.seconds_since(submit.start).max(0.0);
            start = submit.start;
            (files, bytes) = (files.max(submit.files), bytes.max(submit.bytes));
        }
        let first = *self.first.get_or_insert(start);
        if self.kept >= KEPT_MOST || start.seconds_since(first) >= TIME_MOST {
            self.later += 1;
            return;
        }
        self.kept += 1;
        let decade = files.max(1.0).log10().floor() as i32;
        let calls = self.calls.entry((id.to_owned(), decade)).or_default();
        calls.starts.push(start);
        calls.files += files;
        calls.bytes += bytes;
        let seen = self.seen.entry(id.to_owned()).or_default();
        seen.count += 1;
        seen.lapse_s += all;
        seen.tracked += u64::from(command.tracked);
        for table in &command.tables {
            let wait = (table.total.read_wait_ms + table.total.write_wait_ms).max(0) as f64 / 1e3;
            if wait > 0.0 && table.name.starts_with("db.") {
                seen.lock_wait_s += wait;
                *self.waits.entry(table.name.clone()).or_default() += wait;
            }
        }
    }

    fn event(&mut self, _event: &Event) {}

    fn damage(&mut self, _damage: &Damage) {}
}

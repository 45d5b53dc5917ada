//! The commands of a log as a replay needs them: when each came, how large it was, how long it took.

use std::collections::{BTreeMap, HashMap};

use super::commands;
use super::record::{Command, Damage, Ending, Event, Moment, Sink};

/// Commands that are kept: half an hour to a day of a large server. Those after them are counted only.
const KEPT_MOST: usize = 1_000_000;

/// Processes whose submit is going on, at most.
const SUBMITS_MOST: usize = 10_000;

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
    /// Commands after the first million.
    pub later: u64,
    kept: usize,
    known: Vec<String>,
    /// Where a submit began, by process.
    submits: HashMap<u64, Moment>,
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
    let files = command.files.or(command.client_files);
    if let Some(files) = files {
        let count = files.sent_files + files.received_files;
        let bytes = files.sent_bytes + files.received_bytes;
        return (count as f64, bytes as f64);
    }
    if let Some(estimate) = command.estimate {
        let count = estimate.added + estimate.updated;
        return (
            count as f64,
            (estimate.added_bytes + estimate.updated_bytes) as f64,
        );
    }
    let rows = |name: &str| {
        let table = command.tables.iter().find(|table| table.name == name);
        table.map_or(0, |table| table.rows_put)
    };
    let rows = rows("db.working").max(rows("db.have")).max(rows("db.rev"));
    let rpc = command.rpc.unwrap_or_default();
    let messages = rpc.sent.saturating_sub(2);
    let files = if rows > 0 { rows } else { messages };
    (files as f64, (rpc.sent_bytes + rpc.received_bytes) as f64)
}

impl Sink for Arrivals {
    fn command(&mut self, command: &Command) {
        if command.function == "user-submit" {
            if self.submits.len() < SUBMITS_MOST {
                self.submits.insert(command.pid, command.start);
            }
            return;
        }
        if command.function == "dm-SubmitChange" {
            return;
        }
        let is_commit = command.function == "dm-CommitSubmit";
        let id = if is_commit {
            "submit"
        } else {
            commands::id(&command.function, &command.arguments)
        };
        if !self.known.iter().any(|known| known == id) {
            *self.unknown.entry(command.function.clone()).or_default() += 1;
            return;
        }
        let ended = matches!(command.ending, Ending::Completed | Ending::Tracked);
        let (Some(lapse), true) = (command.lapse_s, ended) else {
            self.endless += 1;
            return;
        };
        if self.kept >= KEPT_MOST {
            self.later += 1;
            return;
        }
        self.kept += 1;
        let mut start = command.start;
        let mut all = lapse;
        if is_commit && let Some(began) = self.submits.remove(&command.pid) {
            all += command.start.seconds_since(began).max(0.0);
            start = began;
        }
        let (files, bytes) = size(command);
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

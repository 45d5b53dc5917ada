//! What runs when the log ends, who stands still, and who probably holds them up.
//!
//! p4d writes track lines when a command ends, so that the log of a jam that is still there has neither waits nor holds of
//! those who are in it. What it has: start lines without an end, what ended last on which table, how long such commands
//! take otherwise, which locks each kind of command takes ([`super::kinds`]), and the few lock lines that p4d prints while
//! a command runs. `p4 monitor show -aeL` and `lslocks`, given beside the log, say the rest.

mod holder;

use std::collections::HashMap;

use super::ARGUMENTS;
use super::cache::Values;
use super::kinds;
use crate::serverlog::Pseudonyms;
use crate::serverlog::beside::{Beside, Mode};
use crate::serverlog::record::{Command, Ending, Moment, Place, TableUse};

/// Commands without an end that are kept.
const KEPT: usize = 10_000;
/// Functions whose lapses are kept, and tables whose last use is.
const FUNCTIONS: usize = 256;
const TABLES: usize = 512;
/// A command has to be this old to stand still \[s\]: assumed, as what follows.
const LONG_S: f64 = 60.0;
/// And so many times as old as 95 % of its kind become.
const BEYOND: f64 = 3.0;
/// Fewest commands of a kind of which a usual time is known.
const FEWEST: u64 = 20;

/// A command that runs when the log ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    /// Where its first line is; none in the log where only `p4 monitor show` has it.
    pub place: Place,
    /// Its process.
    pub pid: u64,
    /// When it began.
    pub start: Moment,
    /// When it ended, where a part of a log is looked at that ends before it did.
    pub end: Option<Moment>,
    /// For how long it runs at the end of the log, or of the part \[s\].
    pub age_s: f64,
    /// The user.
    pub user: String,
    /// The client workspace.
    pub client: String,
    /// The address.
    pub address: String,
    /// The program.
    pub program: String,
    /// The function.
    pub function: String,
    /// Its arguments, cut.
    pub arguments: String,
    /// What 95 % of the commands of this function take \[s\], where enough of them ended.
    pub usual_s: Option<f64>,
    /// Whether it runs for longer than its kind does: it stands still, or does unusually much.
    pub is_overdue: bool,
    /// Locks that it has, by what is said of it.
    pub has: Vec<Lock>,
    /// What it waits for, by outputs beside the log.
    pub waits: Option<(String, Option<u64>)>,
}

/// A lock that a command has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The table or lock file.
    pub name: String,
    /// How.
    pub mode: Mode,
    /// Where that is said.
    pub evidence: Evidence,
}

/// How a holder is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// `lslocks` or `p4 monitor show -L` says it.
    Seen,
    /// A line of the log says that it has a lock that the others need.
    Printed,
    /// Its kind locks what all of them need, and nothing that needs it ended since.
    Kind,
}

/// Who holds others up.
#[derive(Debug, Clone, PartialEq)]
pub struct Holder {
    /// The command.
    pub running: Running,
    /// How that is known.
    pub evidence: Evidence,
    /// Tables and lock files over which others wait.
    pub locks: Vec<String>,
    /// Commands that stand still behind it, and their users.
    pub behind: (u64, u64),
    /// What to do in place of such a command.
    pub instead: Option<&'static str>,
    /// Whether `p4 monitor terminate` ends it.
    pub can_be_ended: bool,
}

/// What stands still.
#[derive(Debug, Clone, PartialEq)]
pub struct Jam {
    /// Commands that run for longer than their kind does, and their users; the holders are not among them.
    pub stuck: u64,
    /// Their users.
    pub users: u64,
    /// When the first of them began.
    pub since: Moment,
    /// Who holds them up, the likeliest first; more than one where several fit; none where nobody does.
    pub holders: Vec<Holder>,
    /// The commands behind the first holder and all that stand still, the oldest first, each with the one right before it
    /// in the queue, if known.
    pub chain: Vec<Behind>,
}

/// A command behind another.
#[derive(Debug, Clone, PartialEq)]
pub struct Behind {
    /// The command.
    pub running: Running,
    /// Whether it stands still: it runs for longer than its kind does, or is seen to wait.
    pub is_stuck: bool,
    /// The process of the one it waits for, and the lock.
    pub waits_for: Option<(u64, String)>,
}

/// What runs when the log ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    /// The end of the log, or of the part that is looked at.
    pub at: Moment,
    /// Whether the log goes on after that.
    pub is_past: bool,
    /// When a command ended last.
    pub last_end: Option<Moment>,
    /// How many run, and for more than a minute.
    pub running: u64,
    /// Of them for more than a minute.
    pub minute: u64,
    /// Their users.
    pub users: u64,
    /// Those that have no end in the log and that `p4 monitor show` beside it does not list: they ended since. `None` without.
    pub ended_since: Option<u64>,
    /// Those that run, the oldest first.
    pub runs: Vec<Running>,
    /// The jam that there is.
    pub jam: Option<Jam>,
}

/// When a table was locked last by a command that ended: shared and exclusively.
#[derive(Debug, Clone, Copy, Default)]
struct Locked {
    shared: Moment,
    exclusive: Moment,
    /// When the last one began that locked it alone.
    begun: Moment,
}

impl Locked {
    fn alone(&mut self, begun: Moment, end: Moment) {
        if end >= self.exclusive {
            (self.begun, self.exclusive) = (begun, end);
        }
    }
}

/// Collects what has no end.
#[derive(Debug, Clone, Default)]
pub(super) struct Collector {
    /// The end of the part of the log that is looked at: what ends later runs then.
    to: Option<Moment>,
    pending: Vec<Running>,
    beyond: u64,
    last_end: Option<Moment>,
    lapses: HashMap<String, Values>,
    locked: HashMap<String, Locked>,
}

impl Collector {
    pub(super) fn until(to: Option<Moment>) -> Self {
        Self { to, ..Self::default() }
    }

    pub(super) fn add(&mut self, command: &Command) {
        let ends_later = self.to.zip(command.end).is_some_and(|(to, end)| end > to);
        match command.ending {
            Ending::Pending => self.pending(command),
            _ if ends_later => self.pending(command),
            Ending::Completed | Ending::Tracked => self.ended(command),
            Ending::Unreported | Ending::Removed | Ending::Restart | Ending::Replaced => {}
        }
    }

    fn pending(&mut self, command: &Command) {
        // What runs for ever, or for a replica, holds nobody up by running.
        let is_background = command.address == "background"
            || kinds::kind(&command.function) == kinds::with_id("replication")
            || command.function == "IDLE"
            || (command.function == "user-pull" && command.arguments.contains("-i"));
        if is_background || command.start.known().is_none() {
            return;
        }
        if self.pending.len() >= KEPT {
            self.beyond += 1;
            return;
        }
        // What it had locked by then cannot be told from what was written at its end.
        let has = match command.ending {
            Ending::Pending => command.tables.iter().filter_map(lock_of).collect(),
            _ => Vec::new(),
        };
        self.pending.push(Running {
            place: command.place,
            pid: command.pid,
            start: command.start,
            end: (command.ending != Ending::Pending).then_some(command.end).flatten(),
            age_s: 0.0,
            user: command.user.clone(),
            client: command.client.clone(),
            address: command.address.clone(),
            program: command.program.clone(),
            function: command.function.clone(),
            arguments: command.arguments.chars().take(ARGUMENTS).collect(),
            usual_s: None,
            is_overdue: false,
            has,
            waits: None,
        });
    }

    fn ended(&mut self, command: &Command) {
        if command.start.known().is_none() {
            return;
        }
        let lapse_s = command.lapse_s.unwrap_or(0.0);
        let end = command.end.unwrap_or_else(|| command.start.plus_seconds(lapse_s));
        self.last_end = self.last_end.max(Some(end));
        if let Some(values) = self.lapses.get_mut(&command.function) {
            values.add(lapse_s);
        } else if self.lapses.len() < FUNCTIONS {
            let mut values = Values::default();
            values.add(lapse_s);
            self.lapses.insert(command.function.clone(), values);
        }
        if command.tables.is_empty()
            && let Some(locks) = kinds::locks(&command.function, &command.arguments)
        {
            for name in &locks.exclusive {
                if let Some(locked) = self.locked(name) {
                    locked.alone(command.start, end);
                }
            }
        }
        for table in &command.tables {
            let exclusive = table.write_locks > 0 || table.total.write_held_ms > 0;
            let shared = table.read_locks > 0 || table.total.read_held_ms > 0;
            if !exclusive && !shared {
                continue;
            }
            if let Some(locked) = self.locked(&table.name) {
                if exclusive {
                    locked.alone(command.start, end);
                }
                if shared {
                    locked.shared = locked.shared.max(end);
                }
            }
        }
    }

    /// When a table was locked last, as far as there is room for one more.
    fn locked(&mut self, name: &str) -> Option<&mut Locked> {
        if !self.locked.contains_key(name) && self.locked.len() < TABLES {
            self.locked.insert(name.to_owned(), Locked::default());
        }
        self.locked.get_mut(name)
    }

    /// What runs at the end of the log, of which a part was read that may begin after the last command that ended; `peeks` is whether reads of this log went without locks.
    pub(super) fn found(
        self,
        (at, ended_before): (Option<Moment>, Option<Moment>),
        peeks: bool,
        beside: Option<&Beside>,
    ) -> Standing {
        let Self { to, mut pending, beyond, last_end, lapses, locked } = self;
        let last_end = last_end.or(ended_before);
        if last_end.is_none() && beside.is_none() {
            // A server that logs beginnings alone (`server=1`) says of none whether it runs.
            return Standing::default();
        }
        // A database has rows of commands and no lines with times of their own.
        let Some(at) = at.or(last_end) else {
            return Standing::default();
        };
        let is_past = to.is_some_and(|to| to < at);
        // What was given beside the log is of its end.
        let (at, beside) = match to {
            Some(to) if is_past => (to, None),
            _ => (at, beside),
        };
        for one in &mut pending {
            one.age_s = at.seconds_since(one.start).max(0.0);
            one.usual_s = lapses
                .get(&one.function)
                .and_then(Values::spread)
                .filter(|spread| spread.count >= FEWEST)
                .map(|spread| spread.p95);
        }
        let ended_since = beside.and_then(|beside| beside.settle(&mut pending, at));
        for one in &mut pending {
            let usual_s = one.usual_s.unwrap_or(0.0);
            one.is_overdue = one.age_s >= LONG_S.max(BEYOND * usual_s);
        }
        pending.sort_by(|a, b| {
            a.start.cmp(&b.start).then_with(|| (a.place.file, a.place.line).cmp(&(b.place.file, b.place.line)))
        });
        let confirmed = ended_since.is_some();
        let jam = holder::jam(&pending, &locked, (peeks, confirmed), last_end);
        Standing {
            at,
            is_past,
            last_end,
            running: pending.len() as u64 + beyond,
            minute: pending.iter().filter(|one| one.age_s >= LONG_S).count() as u64,
            users: users(pending.iter()),
            jam,
            ended_since,
            runs: pending,
        }
    }
}

/// The lock that a line of a running command names.
fn lock_of(table: &TableUse) -> Option<Lock> {
    let total = &table.total;
    let mode = match table.mode {
        Some('W') => Mode::Exclusive,
        Some(_) => Mode::Shared,
        None if table.write_locks > 0 || total.write_held_ms > 0 => Mode::Exclusive,
        None if table.read_locks > 0 || total.read_held_ms > 0 => Mode::Shared,
        None => return None,
    };
    Some(Lock { name: table.name.clone(), mode, evidence: Evidence::Printed })
}

/// How many users some commands have.
fn users<'a>(all: impl Iterator<Item = &'a Running>) -> u64 {
    let mut users: Vec<&str> = all.map(|one| one.user.as_str()).collect();
    users.sort_unstable();
    users.dedup();
    users.len() as u64
}

impl Running {
    fn rename(&mut self, names: &Pseudonyms) {
        self.user = names.user(&self.user);
        self.client = names.client(&self.client);
        self.address = names.address(&self.address);
        self.program = names.program(&self.program);
        self.function = names.function(&self.function);
        self.arguments = names.arguments(&self.arguments);
        for lock in &mut self.has {
            lock.name = names.table(&lock.name);
        }
        if let Some((lock, _)) = &mut self.waits {
            *lock = names.table(lock);
        }
    }
}

impl Standing {
    /// With other names.
    pub(super) fn rename(&mut self, names: &Pseudonyms) {
        for one in &mut self.runs {
            one.rename(names);
        }
        let Some(jam) = &mut self.jam else { return };
        for holder in &mut jam.holders {
            holder.running.rename(names);
            for lock in &mut holder.locks {
                *lock = names.table(lock);
            }
        }
        for behind in &mut jam.chain {
            behind.running.rename(names);
            if let Some((_, lock)) = &mut behind.waits_for {
                *lock = names.table(lock);
            }
        }
    }
}

//! What a replay needs of each command: when it came, what it locked and for how long, what it did besides.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::engine::Played;
use super::select::{Change, Names, NoMatch};
use super::{ROWS, Relieved, TableWaits};
use crate::serverlog::analysis::lock_rank;
use crate::serverlog::pseudonym::siphash;
use crate::serverlog::record::{Command, Damage, Ending, Event, Section, Sink, TableUse};

/// Commands, and uses of locks by them, that are kept.
const CALLS: usize = 2_000_000;
const USES: usize = 8_000_000;
/// Uses that are kept of a command.
const OF_ONE: usize = 64;
/// Holds and lapses agree but for this \[ms\].
const LEAST_MS: f64 = 100.0;
/// Microseconds of a millisecond.
const MS: i64 = 1000;
/// A pause so long is no pause between two commands: its user did something else (assumed) \[µs\].
const PAUSE: i64 = 30 * 60 * 1_000_000;
/// Times of a log are known to the second \[µs\].
const CLOCK: i64 = 1_000_000;

/// How a lock is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Shared,
    Exclusive,
    /// A read without a lock: it waits for one who writes, and for nobody who is queued.
    Peek,
}

/// A lock as one command used it. Times in ms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    pub(super) lock: u32,
    pub(super) mode: Mode,
    pub(super) wait: u32,
    pub(super) held: u32,
    /// The longest of its holds.
    pub(super) longest: u32,
    /// How often it was taken.
    pub(super) times: u32,
}

/// A command that waited for a lock or held one.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// When it began \[µs\], to the second.
    pub(super) start: i64,
    /// Its time \[µs\], waits and all.
    pub(super) lapse: i64,
    pub(super) uses: (u32, u32),
    /// Its user.
    pub(super) user: u32,
    /// User and workspace.
    chain: u32,
    /// The part that still runs after the change.
    pub(super) rest: f32,
    /// The command whose end it follows, if any.
    pub(super) after: Option<u32>,
}

/// Numbers of names.
#[derive(Debug, Clone, Default)]
struct Numbers {
    numbers: HashMap<u64, u32>,
    names: Vec<String>,
}

impl Numbers {
    fn of(&mut self, parts: &[&str]) -> u32 {
        let hash = parts.iter().fold(0, |key, part| siphash((key, 1), part.as_bytes()));
        let next = self.names.len() as u32;
        *self.numbers.entry(hash).or_insert_with(|| {
            self.names.push(parts[0].to_owned());
            next
        })
    }
}

/// What is left out, or cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Changed {
    pub(super) commands: u64,
    pub(super) users: HashSet<u64>,
}

/// The commands of a log, and what is changed of them.
#[derive(Debug, Clone)]
pub struct Trace {
    change: Change,
    seen: Names,
    plan: Plan,
    chains: Numbers,
}

/// What is replayed.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) calls: Vec<Call>,
    pub(super) uses: Vec<Use>,
    pub(super) changed: Changed,
    pub(super) not_kept: u64,
    /// Commands that run when the log ends: it has none of their locks.
    pub(super) endless: u64,
    locks: Numbers,
    ranks: Vec<usize>,
    users: Numbers,
}

impl Trace {
    /// Of a log of which something is changed.
    pub fn of(change: Change) -> Self {
        Self { change, seen: Names::default(), plan: Plan::default(), chains: Numbers::default() }
    }

    /// Whether anything is changed.
    pub(super) fn matched(&self) -> Result<(), NoMatch> {
        if self.plan.changed.commands == 0 {
            return Err(self.seen.no_match(&self.change));
        }
        Ok(())
    }

    /// In the order in which they came, each after the one whose end it follows.
    pub(super) fn ordered(self) -> Plan {
        let mut plan = self.plan;
        plan.calls.sort_by_key(|call| call.start);
        // By user and workspace the commands that have not ended, and of those that have the one that ended last.
        let mut running: HashMap<u32, Vec<(i64, u32)>> = HashMap::new();
        for number in 0..plan.calls.len() {
            let call = &plan.calls[number];
            let (start, end) = (call.start, call.start + call.lapse);
            let others = running.entry(call.chain).or_default();
            let ended = others.iter().filter(|(end, _)| *end <= start + CLOCK);
            let last = ended.max().copied();
            others.retain(|one| one.0 > start + CLOCK || Some(*one) == last);
            others.push((end, number as u32));
            plan.calls[number].after = last.filter(|(ended, _)| start - ended <= PAUSE).map(|(_, before)| before);
        }
        plan
    }
}

impl Sink for Trace {
    fn command(&mut self, command: &Command) {
        self.seen.add(&self.change, command);
        self.plan.endless += u64::from(command.ending == Ending::Pending);
        let rest = self.change.rest(command);
        if rest < 1.0 {
            self.plan.changed.commands += 1;
            let user = siphash((0, 0), command.user.as_bytes());
            self.plan.changed.users.insert(user);
        }
        let is_used = |table: &&TableUse| {
            let held = table.total.read_held_ms.max(table.total.write_held_ms);
            held.max(table.total.waited_ms()).max(table.peek_wait_ms) > 0
        };
        if command.start.known().is_none() || !command.tables.iter().any(|table| is_used(&table)) {
            return;
        }
        if self.plan.calls.len() >= CALLS || self.plan.uses.len() >= USES {
            self.plan.not_kept += 1;
            return;
        }
        let mut uses = Vec::new();
        for table in command.tables.iter().filter(is_used) {
            self.plan.used(table, &mut uses);
        }
        if uses.len() > OF_ONE {
            uses.sort_by_key(|used: &Use| std::cmp::Reverse(used.wait.max(used.held)));
            uses.truncate(OF_ONE);
        }
        uses.sort_by_key(|used| (self.plan.ranks[used.lock as usize], used.lock));
        let longest = uses.iter().map(|used| used.wait.saturating_add(used.held));
        let longest = f64::from(longest.max().unwrap_or(0)) / 1e3;
        let ended = command.end.map(|end| end.seconds_since(command.start));
        let lapse_s = command.lapse_s.or(ended).unwrap_or(0.0).max(longest);
        in_order(&mut uses, lapse_s);
        let from = self.plan.uses.len() as u32;
        self.plan.uses.extend(uses);
        let call = Call {
            start: command.start.micros,
            // A clock that went back makes no time longer than the longest log.
            lapse: (lapse_s.min(1e8) * 1e6) as i64,
            uses: (from, self.plan.uses.len() as u32),
            user: self.plan.users.of(&[&command.user]),
            chain: self.chains.of(&[&command.user, &command.client]),
            rest,
            after: None,
        };
        self.plan.calls.push(call);
    }

    fn event(&mut self, _event: &Event) {}

    fn damage(&mut self, _damage: &Damage) {}
}

/// Uses stand in p4d's order, unless the log has another: a hold that is longer than the command's time without its waits holds
/// one of these, so that its lock was taken before. Locks that are given back together are then taken in the order of their holds.
fn in_order(uses: &mut [Use], lapse_s: f64) {
    let waits: f64 = uses.iter().map(|used| f64::from(used.wait)).sum();
    let own = lapse_s * 1e3 - waits;
    let mut later = waits;
    let fits = uses.iter().all(|used| {
        later -= f64::from(used.wait);
        f64::from(used.longest.max(used.held / used.times)) <= own + later + LEAST_MS
    });
    if !fits {
        uses.sort_by_key(|used| std::cmp::Reverse(used.held));
    }
}

impl Plan {
    /// Uses of a table or lock file.
    fn used(&mut self, table: &TableUse, uses: &mut Vec<Use>) {
        let lock = self.locks.of(&[&table.name]);
        if lock as usize == self.ranks.len() {
            let is_file = table.section == Section::LockFile;
            self.ranks.push(lock_rank(&table.name, is_file));
        }
        let ms = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX);
        let (total, longest) = (table.total, table.longest);
        let locked = [
            (Mode::Shared, total.read_wait_ms, total.read_held_ms, longest.read_held_ms, table.read_locks),
            (Mode::Exclusive, total.write_wait_ms, total.write_held_ms, longest.write_held_ms, table.write_locks),
            (Mode::Peek, table.peek_wait_ms, 0, 0, table.peeks),
        ];
        for (mode, wait, held, longest, times) in locked {
            if wait == 0 && held == 0 {
                continue;
            }
            let is_peek = mode == Mode::Shared && times == 0 && table.peeks > 0;
            uses.push(Use {
                lock,
                mode: if is_peek { Mode::Peek } else { mode },
                wait: ms(wait),
                held: if is_peek { 0 } else { ms(held) },
                longest: ms(longest),
                times: ms(times).max(1),
            });
        }
    }

    /// Locks.
    pub(super) fn locks(&self) -> usize {
        self.locks.names.len()
    }

    /// Users.
    pub(super) fn users(&self) -> usize {
        self.users.names.len()
    }

    pub(super) fn uses(&self, call: &Call) -> &[Use] {
        &self.uses[call.uses.0 as usize..call.uses.1 as usize]
    }

    /// Whether a command is one of the others, neither left out nor cut.
    pub(super) fn is_other(call: &Call) -> bool {
        call.rest >= 1.0
    }

    pub(super) fn locking(&self) -> u64 {
        self.calls.iter().filter(|call| !Self::is_other(call)).count() as u64
    }

    /// What the others waited by the log \[s\].
    pub(super) fn others_waited_s(&self) -> f64 {
        let others = self.calls.iter().filter(|call| Self::is_other(call));
        others.map(|call| self.waited(call)).sum::<i64>() as f64 / 1e6
    }

    /// What a command waited by the log \[µs\].
    pub(super) fn waited(&self, call: &Call) -> i64 {
        let waits = self.uses(call).iter().map(|used| i64::from(used.wait));
        waits.sum::<i64>() * MS
    }

    /// Commands cut in vain: nobody waited for them.
    pub(super) fn in_vain(&self, played: &Played) -> u64 {
        let calls = self.calls.iter().zip(&played.in_the_way);
        let cut = calls.filter(|(call, in_the_way)| !Self::is_other(call) && !**in_the_way);
        // Those without locks are in nobody's way.
        cut.count() as u64 + self.changed.commands.saturating_sub(self.locking())
    }

    /// Waits by table.
    pub(super) fn tables(&self, played: &[[Played; 2]]) -> Vec<TableWaits> {
        let mut by_lock = vec![[0.0; 3]; self.locks()];
        for used in &self.uses {
            by_lock[used.lock as usize][0] += f64::from(used.wait) / 1e3;
        }
        for [with, without] in played {
            for (lock, waits) in by_lock.iter_mut().enumerate() {
                waits[1] += with.by_lock[lock] / played.len() as f64;
                waits[2] += without.by_lock[lock] / played.len() as f64;
            }
        }
        let mut tables: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
        for (lock, waits) in by_lock.iter().enumerate() {
            let name = self.locks.names[lock].as_str();
            // Lock files of a kind are many: one for each workspace or change.
            let kind = match name.split_once('/') {
                Some((kind, _)) if kind != "meta" => kind,
                _ => name,
            };
            for (sum, wait) in tables.entry(kind).or_default().iter_mut().zip(waits) {
                *sum += wait;
            }
        }
        let rows = tables.into_iter().map(|(table, [logged_s, replayed_s, without_s])| TableWaits {
            table: table.to_owned(),
            logged_s,
            replayed_s,
            without_s,
        });
        let most = |row: &TableWaits| row.logged_s.max(row.replayed_s);
        let mut rows: Vec<TableWaits> = rows.filter(|row| most(row) >= 0.1).collect();
        rows.sort_by(|a, b| most(b).total_cmp(&most(a)));
        rows.truncate(ROWS);
        rows
    }

    /// Who waits less, by the log's waiting.
    pub(super) fn relieved(&self, played: &[[Played; 2]], scale: f64) -> Vec<Relieved> {
        let saved = |user: usize| {
            let runs = played.iter();
            let saved = runs.map(|[with, without]| with.by_user[user] - without.by_user[user]);
            scale * saved.sum::<f64>() / played.len() as f64
        };
        let users = self.users.names.iter().enumerate();
        let rows = users.map(|(user, name)| Relieved { user: name.clone(), saved_s: saved(user) });
        let mut rows: Vec<Relieved> = rows.filter(|row| row.saved_s >= 0.5).collect();
        rows.sort_by(|a, b| b.saved_s.total_cmp(&a.saved_s));
        rows.truncate(ROWS);
        rows
    }
}

//! What limits of groups would have cut: `MaxResults`, `MaxScanRows`, `MaxLockTime`, `MaxMemory`.

mod advised;

use std::collections::HashSet;

use super::{kinds, pattern};
use crate::serverlog::Pseudonyms;
use crate::serverlog::groups::{Groups, LIMITS};
use crate::serverlog::pseudonym::siphash;
use crate::serverlog::record::{Command, Section, TableUse};

use advised::Takers;
pub use advised::{Advised, Lifted};

/// Users that are counted apart.
pub const LIMIT_USERS: usize = 100_000;

/// One value of a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The value.
    pub value: u64,
    /// Commands above it.
    pub commands: u64,
    /// Their lapses \[s\].
    pub lapse_s: f64,
    /// Their users; [`LIMIT_USERS`] stand for that many or more.
    pub users: u64,
}

/// The command that a limit would meet most.
#[derive(Debug, Clone, PartialEq)]
pub struct Worst {
    /// How much it took, in the limit's unit.
    pub amount: u64,
    /// The user.
    pub user: String,
    /// The function.
    pub function: String,
    /// The pattern of its arguments.
    pub pattern: String,
}

impl Worst {
    fn rename(&mut self, names: &Pseudonyms) {
        self.user = names.user(&self.user);
        self.function = names.function(&self.function);
        self.pattern = names.arguments(&self.pattern);
    }
}

/// A limit and what its values would have cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// As `p4 group` spells it.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How it is read from the log, in words.
    pub how: &'static str,
    /// Commands of which the log says it.
    pub seen: u64,
    /// By rising value.
    pub cuts: Vec<Cut>,
    /// The command that takes most.
    pub worst: Option<Worst>,
    /// A value that the log carries.
    pub advised: Option<Advised>,
}

impl Limit {
    /// With other names.
    pub(super) fn rename(&mut self, names: &Pseudonyms) {
        if let Some(worst) = &mut self.worst {
            worst.rename(names);
        }
        if let Some(advised) = &mut self.advised {
            advised.rename(names);
        }
    }
}

#[derive(Debug, Clone)]
struct Counting {
    limit: Limit,
    users: Vec<HashSet<u64>>,
    takers: Takers,
}

/// Counts what limits would cut.
#[derive(Debug, Clone)]
pub(super) struct Limits([Counting; 4]);

impl Default for Limits {
    fn default() -> Self {
        let of = |name, unit, how, values: &[u64]| Counting {
            limit: Limit {
                name,
                unit,
                how,
                seen: 0,
                cuts: values.iter().map(|value| Cut { value: *value, commands: 0, lapse_s: 0.0, users: 0 }).collect(),
                worst: None,
                advised: None,
            },
            users: vec![HashSet::new(); values.len()],
            takers: Takers::default(),
        };
        let tried = kinds::tried();
        Self([
            of(
                LIMITS[0],
                "rows",
                "estimate: the files that the command counts, else the messages sent to the client, of which each row of a result is at least one",
                &tried.max_results,
            ),
            of(LIMITS[1], "rows", "rows scanned in the table of which most were", &tried.max_scan_rows),
            of(
                LIMITS[2],
                "ms",
                "the longest time that the command held one lock of a table, which includes waiting for later locks; commands of which the log states only sums of several locks are left out, and reads without a lock do not count (db.peeking.usemaxlock=0)",
                &tried.max_lock_time_ms,
            ),
            of(LIMITS[3], "MB", "memory of the command, which p4d logs from 2022.2 on", &tried.max_memory_mb),
        ])
    }
}

/// What a command takes of each of [`LIMITS`], where the log says it: of commands that people and scripts call, and not of
/// upkeep. Limits are of ordinary users' groups: what administrators alone may run says nothing of them.
pub(in crate::serverlog) fn limited(command: &Command) -> [Option<u64>; 4] {
    let is_upkeep = kinds::kind(&command.function) == kinds::with_id("upkeep");
    if !command.tracked || !kinds::is_called(command) || is_upkeep {
        return [None; 4];
    }
    let tables = command.tables.iter();
    let tables = tables.filter(|t| t.section == Section::Table);
    let rows = tables.map(|t| t.rows_scan).max();
    [results(command), rows, longest_hold_ms(command), command.memory_bytes.map(|bytes| bytes >> 20)]
}

impl Limits {
    /// A command that a person or script called.
    pub(super) fn add(&mut self, command: &Command) {
        for (counting, amount) in self.0.iter_mut().zip(limited(command)) {
            if let Some(amount) = amount {
                counting.add(command, amount);
            }
        }
    }

    pub(super) fn found(self, groups: Option<&Groups>) -> Vec<Limit> {
        let found = self.0.into_iter().map(|counting| {
            let mut limit = counting.limit;
            let place = LIMITS.iter().position(|name| *name == limit.name);
            // Its amounts are an estimate; what its values would cut is shown, and none is advised.
            if limit.name != "MaxResults" {
                let floor = limit.cuts.first().map_or(0, |cut| cut.value);
                limit.advised = counting.takers.advised(limit.seen, floor, groups.zip(place));
            }
            limit
        });
        found.collect()
    }
}

/// Rows of a result: files that the command counts, else messages.
fn results(command: &Command) -> Option<u64> {
    let files = command.files.map(|files| files.sent_files.max(files.received_files));
    let estimate = command.estimate.map(|e| e.added.saturating_add(e.updated).saturating_add(e.deleted));
    let counted = files.max(estimate).filter(|files| *files > 0);
    counted.or(command.rpc.map(|rpc| rpc.sent))
}

/// How long the command held the lock of a table that it held longest; `None` if that cannot be known.
///
/// `MaxLockTime` begins with a command's first lock and includes its waits for later ones. Locks that are taken together are
/// let go together, so that this is the hold of the first of them, the longest.
fn longest_hold_ms(command: &Command) -> Option<u64> {
    let tables = || {
        let tables = command.tables.iter();
        tables.filter(|t| t.section == Section::Table)
    };
    let holds = |t: &TableUse| t.longest_holds_ms();
    let known = tables().flat_map(holds).flatten().max()?;
    // A sum that is no longer than that hides nothing.
    let is_known = |t: &TableUse| {
        let sum = t.total.read_held_ms.max(t.total.write_held_ms);
        holds(t).iter().all(Option::is_some) || sum <= known
    };
    tables().all(is_known).then_some(known)
}

impl Counting {
    fn add(&mut self, command: &Command, amount: u64) {
        self.limit.seen += 1;
        for (cut, users) in self.limit.cuts.iter_mut().zip(&mut self.users) {
            if amount > cut.value {
                cut.commands += 1;
                cut.lapse_s += command.lapse_s.unwrap_or(0.0);
                if users.len() < LIMIT_USERS {
                    users.insert(siphash((0, 0), command.user.as_bytes()));
                }
                cut.users = users.len() as u64;
            }
        }
        let most = self.limit.worst.as_ref().map_or(0, |worst| worst.amount);
        if amount > most {
            self.limit.worst = Some(named(command, amount));
        }
        self.takers.add(command, || named(command, amount), amount);
    }
}

/// A command by what it took.
fn named(command: &Command, amount: u64) -> Worst {
    Worst {
        amount,
        user: command.user.clone(),
        function: command.function.clone(),
        pattern: pattern(&command.arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::record::{FileTotals, LockTimes, Rpc};

    fn held(locks: u64, total_ms: u64, longest_ms: u64) -> TableUse {
        let times = |ms| LockTimes { read_held_ms: ms, ..LockTimes::default() };
        TableUse {
            name: "db.revhx".to_owned(),
            read_locks: locks,
            total: times(total_ms),
            longest: times(longest_ms),
            ..TableUse::default()
        }
    }

    #[test]
    fn the_lock_time_of_a_command_is_its_longest_single_hold() {
        let of = |tables: Vec<TableUse>| longest_hold_ms(&Command { tables, ..Command::default() });
        assert_eq!(of(vec![held(187, 2496, 13)]), Some(13));
        assert_eq!(of(vec![held(1, 2496, 0)]), Some(2496));
        assert_eq!(of(vec![held(187, 2496, 0)]), None);
        // What a sum hides is no longer than the sum.
        assert_eq!(of(vec![held(187, 2496, 0), held(1, 3000, 3000)]), Some(3000));
        assert_eq!(of(vec![held(187, 2496, 0), held(1, 30, 30)]), None);
        assert_eq!(of(Vec::new()), None);
    }

    #[test]
    fn results_are_files_where_the_log_counts_them() {
        let mut command = Command { rpc: Some(Rpc { sent: 29_907, ..Rpc::default() }), ..Command::default() };
        assert_eq!(results(&command), Some(29_907));
        command.files = Some(FileTotals { sent_files: 25, ..FileTotals::default() });
        assert_eq!(results(&command), Some(25));
    }
}

//! What limits of groups would have cut: `MaxResults`, `MaxScanRows`, `MaxLockTime`, `MaxMemory`.

use std::collections::HashSet;

use super::{kinds, pattern};
use crate::serverlog::pseudonym::siphash;
use crate::serverlog::record::{Command, Section};

/// Users that are counted apart.
const USERS: usize = 100_000;

/// One value of a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The value.
    pub value: u64,
    /// Commands above it.
    pub commands: u64,
    /// Their lapses \[s\].
    pub lapse_s: f64,
    /// Their users.
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
}

#[derive(Debug, Clone)]
struct Counting {
    limit: Limit,
    users: Vec<HashSet<u64>>,
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
                cuts: values
                    .iter()
                    .map(|value| Cut {
                        value: *value,
                        commands: 0,
                        lapse_s: 0.0,
                        users: 0,
                    })
                    .collect(),
                worst: None,
            },
            users: vec![HashSet::new(); values.len()],
        };
        let tried = kinds::tried();
        Self([
            of(
                "MaxResults",
                "rows",
                "estimate: messages sent to the client; each row of a result is at least one",
                &tried.max_results,
            ),
            of(
                "MaxScanRows",
                "rows",
                "rows scanned in the table of which most were",
                &tried.max_scan_rows,
            ),
            of(
                "MaxLockTime",
                "ms",
                "the longest hold of a table; reads without a lock do not count (db.peeking.usemaxlock=0)",
                &tried.max_lock_time_ms,
            ),
            of(
                "MaxMemory",
                "MB",
                "memory of the command, which p4d logs from 2022.2 on",
                &tried.max_memory_mb,
            ),
        ])
    }
}

impl Limits {
    /// A command that a person or script called.
    pub(super) fn add(&mut self, command: &Command) {
        if !command.tracked {
            return;
        }
        let tables = || {
            command
                .tables
                .iter()
                .filter(|t| t.section == Section::Table)
        };
        let rows = tables().map(|t| t.rows_scan).max();
        let held = tables()
            .map(|t| t.total.read_held_ms.max(t.total.write_held_ms).max(0) as u64)
            .max();
        let amounts = [
            command.rpc.map(|rpc| rpc.sent),
            rows,
            held,
            command.memory_bytes.map(|bytes| bytes >> 20),
        ];
        for (counting, amount) in self.0.iter_mut().zip(amounts) {
            if let Some(amount) = amount {
                counting.add(command, amount);
            }
        }
    }

    pub(super) fn found(self) -> Vec<Limit> {
        self.0.into_iter().map(|counting| counting.limit).collect()
    }
}

impl Counting {
    fn add(&mut self, command: &Command, amount: u64) {
        self.limit.seen += 1;
        for (cut, users) in self.limit.cuts.iter_mut().zip(&mut self.users) {
            if amount > cut.value {
                cut.commands += 1;
                cut.lapse_s += command.lapse_s.unwrap_or(0.0);
                if users.len() < USERS {
                    users.insert(siphash((0, 0), command.user.as_bytes()));
                }
                cut.users = users.len() as u64;
            }
        }
        let most = self.limit.worst.as_ref().map_or(0, |worst| worst.amount);
        if amount > most {
            self.limit.worst = Some(Worst {
                amount,
                user: command.user.clone(),
                function: command.function.clone(),
                pattern: pattern(&command.arguments),
            });
        }
    }
}

//! On how many commands, users and hours waits rest, and which of them reads without locks would spare.

use std::collections::BTreeSet;

use super::super::kinds;
use super::{Party, Use};
use crate::serverlog::pseudonym::siphash;

/// How widely waits are spread: what rests on one command or one hour is no reason for a setting.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Breadth {
    /// Waits \[s\].
    pub waited_s: f64,
    roots: BTreeSet<usize>,
    users: BTreeSet<u64>,
    hours: BTreeSet<i64>,
}

impl Breadth {
    pub(super) fn add(&mut self, root: usize, victim: &Party, waited_s: f64) {
        self.waited_s += waited_s;
        self.roots.insert(root);
        self.users.insert(siphash((0, 0), victim.user.as_bytes()));
        self.hours.insert(victim.start.micros.div_euclid(3_600_000_000));
    }

    /// Whether several commands kept several users waiting, in more than one hour.
    pub fn is_several(&self) -> bool {
        self.roots.len() >= 3 && self.users.len() >= 3 && self.hours.len() >= 2
    }
}

/// Whether a command would read a table without a lock under `db.peeking`.
pub(super) fn is_peekable(victim: &Party, used: &Use) -> bool {
    used.table.starts_with("db.") && used.read_wait_s >= used.write_wait_s && kinds::peeks(&victim.function)
}

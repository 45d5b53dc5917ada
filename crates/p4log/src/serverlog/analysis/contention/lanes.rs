//! Waits and holds of the tables over which most was waited, command by command: what a timeline shows.

use std::collections::BTreeMap;

use super::{LEAST_S, Party, Use};
use crate::serverlog::Pseudonyms;
use crate::serverlog::analysis::tables::class;
use crate::serverlog::record::{Moment, Place};

/// Tables that have a lane.
const LANES: usize = 12;
/// Waits, and holds, that are kept of each: the longest.
const BARS: usize = 1000;

/// The lock of a table over the time of the log. Lock files of one kind share a lane.
#[derive(Debug, Clone, PartialEq)]
pub struct LockLane {
    /// The table or lock file.
    pub table: String,
    /// What was waited for it, in waits from 50 ms on \[s\].
    pub waited_s: f64,
    /// The longest waits, in the order in which their commands began.
    pub waits: Vec<LockBar>,
    /// The longest holds, in the same order.
    pub holds: Vec<LockBar>,
    /// Shorter waits and holds from 50 ms on, which are left out.
    pub left_out: u64,
}

/// A command that waited for a lock or held it. The log does not say when within its lapse.
#[derive(Debug, Clone, PartialEq)]
pub struct LockBar {
    /// Where its first line is.
    pub place: Place,
    /// When it began.
    pub start: Moment,
    /// How long it took \[s\].
    pub lapse_s: f64,
    /// The user.
    pub user: String,
    /// The program.
    pub program: String,
    /// The function.
    pub function: String,
    /// Its arguments, cut.
    pub arguments: String,
    /// How long it waited for the shared lock, or held it \[s\].
    pub read_s: f64,
    /// How long it waited for the exclusive lock, or held it \[s\].
    pub write_s: f64,
}

impl LockBar {
    fn of(party: &Party, read_s: f64, write_s: f64) -> Self {
        Self {
            place: party.place,
            start: party.start,
            lapse_s: party.lapse_s,
            user: party.user.clone(),
            program: party.program.clone(),
            function: party.function.clone(),
            arguments: party.arguments.clone(),
            read_s,
            write_s,
        }
    }

    /// The longer of the two \[s\].
    pub fn longest_s(&self) -> f64 {
        self.read_s.max(self.write_s)
    }
}

/// The lanes, those over which most was waited first.
pub(super) fn lanes(victims: &[Party], holders: &[Party]) -> Vec<LockLane> {
    let mut waited: BTreeMap<&str, f64> = BTreeMap::new();
    for used in victims.iter().flat_map(|party| &party.uses) {
        if used.wait_s() >= LEAST_S {
            *waited.entry(class(&used.table)).or_default() += used.wait_s();
        }
    }
    let mut tables: Vec<(&str, f64)> = waited.into_iter().collect();
    tables.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    tables.truncate(LANES);
    let lane = |(table, waited_s): (&str, f64)| {
        let waits = bars(victims, table, |used| (used.read_wait_s, used.write_wait_s));
        let holds = bars(holders, table, |used| (used.read_held_s, used.write_held_s));
        LockLane { table: table.to_owned(), waited_s, left_out: waits.1 + holds.1, waits: waits.0, holds: holds.0 }
    };
    tables.into_iter().map(lane).collect()
}

/// The longest waits or holds of a table, and how many are left out.
fn bars(parties: &[Party], table: &str, of: impl Fn(&Use) -> (f64, f64)) -> (Vec<LockBar>, u64) {
    let mut found: Vec<(&Party, f64, f64)> = Vec::new();
    for party in parties {
        let uses = party.uses.iter().filter(|used| class(&used.table) == table);
        let longest = uses.map(&of).fold((0.0_f64, 0.0_f64), |sum, one| (sum.0.max(one.0), sum.1.max(one.1)));
        if longest.0.max(longest.1) >= LEAST_S {
            found.push((party, longest.0, longest.1));
        }
    }
    let order = |p: &Party| (p.start, p.place.file, p.place.line);
    let longest = |(_, read, write): &(&Party, f64, f64)| read.max(*write);
    found.sort_by(|a, b| longest(b).total_cmp(&longest(a)).then_with(|| order(a.0).cmp(&order(b.0))));
    let left_out = found.len().saturating_sub(BARS) as u64;
    found.truncate(BARS);
    found.sort_by_key(|(party, ..)| order(party));
    let bars = found.into_iter();
    let bars = bars.map(|(party, read_s, write_s)| LockBar::of(party, read_s, write_s));
    (bars.collect(), left_out)
}

impl LockLane {
    /// With other names.
    pub(super) fn rename(&mut self, names: &Pseudonyms) {
        self.table = names.table(&self.table);
        for bar in self.waits.iter_mut().chain(&mut self.holds) {
            bar.user = names.user(&bar.user);
            bar.program = names.program(&bar.program);
            bar.function = names.function(&bar.function);
            bar.arguments = names.arguments(&bar.arguments);
        }
    }
}

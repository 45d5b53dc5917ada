//! For whom one command waited, and for whom those waited in turn.

use super::attribution::Holders;
use super::{LEAST_S, Party};
use crate::serverlog::range::Clock;

/// Which command is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The last one of a process.
    Process(u64),
    /// The one that waited longest of those that ran at a time; at a time of day on the last day on which one waited then.
    At(Clock),
}

/// One who kept a command waiting.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Who.
    pub party: Party,
    /// The table or lock file that it held, or was queued for.
    pub table: String,
    /// Whether it was queued for the exclusive lock; else it held the lock.
    pub is_queued: bool,
}

/// A wait of the command that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct WhyWait {
    /// The table or lock file.
    pub table: String,
    /// How long \[s\].
    pub waited_s: f64,
    /// How much of it is put on this chain \[s\].
    pub part_s: f64,
    /// From the one right before it to the root.
    pub steps: Vec<Step>,
}

/// Why a command waited, and who waited for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The command.
    pub party: Party,
    /// What others waited for it, if they did: it waited for none of them.
    pub blocked: Option<Blocked>,
    /// Its waits by those who kept it waiting, the longest first; without steps what no command of the log explains.
    pub waits: Vec<WhyWait>,
}

/// What others waited for a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocked {
    /// The table over which they waited longest.
    pub table: String,
    /// How long \[s\].
    pub waited_s: f64,
    /// How many of them.
    pub commands: u64,
    /// Their users.
    pub users: u64,
}

/// Chains that are told of one wait.
const TOLD: usize = 3;

/// Why the command that is asked for waited; `None` if none that waited, or held others up, is kept.
pub(super) fn why(asked: Asked, victims: &[Party], holders: &Holders<'_>) -> Option<Why> {
    let ran = |party: &&Party, at_s: f64| party.begin_s() <= at_s && at_s <= party.end_s() + 1.0;
    let longest = |party: &&Party| {
        let order = (party.place.file, party.place.line);
        (party.waited_s(), std::cmp::Reverse(order))
    };
    let by_wait = |a: &&Party, b: &&Party| {
        let (a, b) = (longest(a), longest(b));
        a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1))
    };
    let all = victims.iter();
    let party = match asked {
        Asked::Process(pid) => {
            all.chain(holders.parties).filter(|party| party.pid == pid).max_by_key(|party| party.start)?
        }
        Asked::At(Clock::At(at)) => all.filter(|party| ran(party, at.micros as f64 / 1e6)).max_by(by_wait)?,
        Asked::At(Clock::OfDay(second)) => {
            const DAY_S: f64 = 86_400.0;
            let at = |party: &Party| {
                // The first such time at or after its beginning.
                let day = (party.begin_s() / DAY_S).floor() * DAY_S + f64::from(second);
                if day < party.begin_s() { day + DAY_S } else { day }
            };
            let last = victims.iter().filter(|party| ran(party, at(party))).map(at).max_by(f64::total_cmp)?;
            all.filter(|party| ran(party, last)).max_by(by_wait)?
        }
    };
    let mut waits = Vec::new();
    for used in party.uses.iter().filter(|used| used.wait_s() >= LEAST_S) {
        let mut shares = holders.attribute(party, used);
        shares.sort_by(|a, b| b.part_s.total_cmp(&a.part_s));
        let explained: f64 = shares.iter().map(|share| share.part_s).sum();
        for share in shares.iter().take(TOLD) {
            let root = holders.root(share.culprit, &used.table);
            let step = |party: usize, table: &str, is_queued| Step {
                party: holders.parties[party].clone(),
                table: table.to_owned(),
                is_queued,
            };
            let queued = share.behind.map(|writer| step(writer, &used.table, true));
            let between = root.between.iter();
            let between = between.map(|link| step(link.party, &link.table, link.is_queued));
            let steps = queued.into_iter().chain(between).chain([step(root.party, &root.table, false)]);
            waits.push(WhyWait {
                table: used.table.clone(),
                waited_s: used.wait_s(),
                part_s: share.part_s,
                steps: steps.collect(),
            });
        }
        let left_s = used.wait_s() - explained;
        if left_s >= LEAST_S.max(0.1 * used.wait_s()) {
            waits.push(WhyWait {
                table: used.table.clone(),
                waited_s: used.wait_s(),
                part_s: left_s,
                steps: Vec::new(),
            });
        }
    }
    waits.sort_by(|a, b| b.part_s.total_cmp(&a.part_s));
    Some(Why { party: party.clone(), blocked: None, waits })
}

//! Which commands explain a wait, and who is the root behind them.

use std::collections::HashMap;

use super::{CLOCK_S, DEEP, LEAST_S, Party, TRIED, Use};

/// A command that explains less of a wait than this is no culprit of it.
const LEAST_SHARE: f64 = 1e-3;

/// Who is behind a culprit: perhaps nobody but he himself.
pub(super) struct Root {
    pub(super) party: usize,
    /// The table that it held.
    pub(super) table: String,
    /// Those between it and the victim, with the tables that they held.
    pub(super) between: Vec<(usize, String)>,
}

/// Holders by table, by their beginning.
pub(super) struct Holders<'a> {
    pub(super) parties: &'a [Party],
    /// For each table: the holders in order, and the latest end of any up to there.
    by_table: HashMap<&'a str, Vec<(usize, f64)>>,
}

impl<'a> Holders<'a> {
    pub(super) fn of(parties: &'a [Party]) -> Self {
        let mut by_table: HashMap<&str, Vec<(usize, f64)>> = HashMap::new();
        for (i, party) in parties.iter().enumerate() {
            for used in party.uses.iter().filter(|u| u.held_s() >= LEAST_S) {
                let list = by_table.entry(&used.table).or_default();
                let before = list.last().map_or(f64::MIN, |(_, end)| *end);
                list.push((i, before.max(party.end_s())));
            }
        }
        Self { parties, by_table }
    }

    /// The commands that explain a wait, with their shares of it \[s\].
    pub(super) fn blame(&self, victim: &Party, wait: &Use) -> Vec<(usize, f64)> {
        let Some(list) = self.by_table.get(wait.table.as_str()) else {
            return Vec::new();
        };
        let (from, to) = (victim.begin_s(), victim.end_s());
        let end = list.partition_point(|(i, _)| self.parties[*i].begin_s() <= to + CLOCK_S);
        let mut found: Vec<(usize, f64, f64)> = Vec::new();
        for (i, latest) in list[..end].iter().rev().take(TRIED) {
            if *latest < from - CLOCK_S {
                break;
            }
            let holder = &self.parties[*i];
            // Not itself; and the phases of one submit follow each other.
            if holder.place == victim.place
                || (holder.pid == victim.pid && holder.user == victim.user)
            {
                continue;
            }
            let Some(held) = holder.on(&wait.table) else {
                continue;
            };
            // Readers share: only a writer waits for them.
            let held_s = if wait.write_wait_s > wait.read_wait_s {
                held.held_s()
            } else {
                held.write_held_s
            };
            let overlap = to.min(holder.end_s()) - from.max(holder.begin_s()) + CLOCK_S;
            let explains = held_s.min(overlap).min(wait.wait_s());
            if explains >= LEAST_S.max(LEAST_SHARE * wait.wait_s()) {
                found.push((*i, explains, held_s));
            }
        }
        found.sort_by(|a, b| {
            b.1.total_cmp(&a.1)
                .then_with(|| b.2.total_cmp(&a.2))
                .then_with(|| a.0.cmp(&b.0))
        });
        let mut left = wait.wait_s();
        let mut shares = Vec::new();
        for (holder, explains, _) in found {
            if left < 0.01 * wait.wait_s() {
                break;
            }
            let share = explains.min(left);
            left -= share;
            shares.push((holder, share));
        }
        shares
    }

    /// The root behind a culprit who held a table.
    pub(super) fn root(&self, culprit: usize, table: &str) -> Root {
        let (mut at, mut table) = (culprit, table.to_owned());
        let mut between: Vec<(usize, String)> = Vec::new();
        while between.len() < DEEP {
            let party = &self.parties[at];
            let held_s = party.on(&table).map_or(0.0, Use::held_s);
            let waits = party.uses.iter().filter(|u| u.table != table);
            let longest = waits.max_by(|a, b| a.wait_s().total_cmp(&b.wait_s()));
            let Some(wait) = longest.filter(|wait| {
                // So much of the hold must have been spent waiting.
                held_s + wait.wait_s() - party.lapse_s >= 0.5 * held_s
                    && wait.wait_s() >= 0.5 * held_s
            }) else {
                break;
            };
            let Some((next, _)) = self.blame(party, wait).first().copied() else {
                break;
            };
            if next == culprit || between.iter().any(|(seen, _)| *seen == next) {
                break;
            }
            between.push((at, std::mem::replace(&mut table, wait.table.clone())));
            at = next;
        }
        Root {
            party: at,
            table,
            between,
        }
    }
}

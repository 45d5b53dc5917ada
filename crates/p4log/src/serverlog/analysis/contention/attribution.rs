//! Attribution of waits: which commands explain one, and who is the root behind them.

use std::collections::HashMap;

use super::{CLOCK_S, DEEP, LEAST_S, Party, TRIED, Use};

/// A command that explains less of a wait than this is no culprit of it.
const LEAST_SHARE: f64 = 1e-3;

/// Who is at the root of a wait: a culprit who waited for nobody.
pub(super) struct Root {
    pub(super) party: usize,
    /// The table that it held.
    pub(super) table: String,
    /// Those between it and the victim.
    pub(super) between: Vec<Link>,
}

/// A command between a root and a victim.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) party: usize,
    /// The table that it held, or for which it was queued.
    pub(super) table: String,
    pub(super) is_queued: bool,
}

/// A command that explains a part of a wait.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    /// Who held the lock.
    pub(super) culprit: usize,
    /// How much of the wait \[s\].
    pub(super) part_s: f64,
    /// The writer who waited for him, and behind whom the victim, a reader, waited in the queue.
    pub(super) behind: Option<usize>,
}

/// A writer who waits for a lock, and those for whom.
struct Queued {
    writer: usize,
    waits_for: Vec<Share>,
}

/// Commands on a table by their beginning, and the latest end of any up to there.
#[derive(Default)]
struct ByStart(Vec<(usize, f64)>);

impl ByStart {
    fn push(&mut self, at: usize, party: &Party) {
        let before = self.0.last().map_or(f64::MIN, |(_, end)| *end);
        self.0.push((at, before.max(party.end_s())));
    }

    /// Those who ran while a victim did, the latest first, and for how long both did \[s\].
    fn beside<'l>(&'l self, parties: &'l [Party], victim: &'l Party) -> impl Iterator<Item = (usize, f64)> + 'l {
        let (from, to) = (victim.begin_s(), victim.end_s());
        let begun = |(i, _): &(usize, f64)| parties[*i].begin_s() <= to + CLOCK_S;
        let end = self.0.partition_point(begun);
        let near = self.0[..end].iter().rev().take(TRIED);
        near.take_while(move |(_, latest)| *latest >= from - CLOCK_S)
            .map(|(i, _)| (*i, &parties[*i]))
            // Not itself; and the phases of one submit follow each other.
            .filter(|(_, party)| party.place != victim.place && (party.pid != victim.pid || party.user != victim.user))
            .map(move |(i, party)| {
                let both = to.min(party.end_s()) - from.max(party.begin_s()) + CLOCK_S;
                (i, both)
            })
    }
}

/// Holders and queued writers by table.
pub(super) struct Holders<'a> {
    pub(super) parties: &'a [Party],
    by_table: HashMap<&'a str, ByStart>,
    queues: HashMap<&'a str, (ByStart, HashMap<usize, Queued>)>,
}

impl<'a> Holders<'a> {
    pub(super) fn of(parties: &'a [Party]) -> Self {
        let mut by_table: HashMap<&str, ByStart> = HashMap::new();
        for (i, party) in parties.iter().enumerate() {
            for used in party.uses.iter().filter(|u| u.held_s() >= LEAST_S) {
                by_table.entry(&used.table).or_default().push(i, party);
            }
        }
        let mut holders = Self { parties, by_table, queues: HashMap::new() };
        for (writer, party) in parties.iter().enumerate() {
            for used in party.uses.iter().filter(|u| u.write_wait_s >= LEAST_S) {
                let waits_for = holders.held(party, used);
                let (line, queued) = holders.queues.entry(&used.table).or_default();
                line.push(writer, party);
                queued.insert(writer, Queued { writer, waits_for });
            }
        }
        holders
    }

    /// The commands that explain a wait, with their shares of it: those that held the lock, and for a reader those that the
    /// writers before it in the queue waited for. Locks are served first come, first served, so that a reader does not
    /// pass a writer who waits for other readers.
    pub(super) fn attribute(&self, victim: &Party, wait: &Use) -> Vec<Share> {
        let mut shares = self.held(victim, wait);
        if wait.write_wait_s <= wait.read_wait_s {
            let explained: f64 = shares.iter().map(|share| share.part_s).sum();
            shares.extend(self.queued(victim, wait, wait.wait_s() - explained));
        }
        shares
    }

    /// How the writers in the queue explain what is left of a reader's wait.
    fn queued(&self, victim: &Party, wait: &Use, mut left: f64) -> Vec<Share> {
        let Some((line, queued)) = self.queues.get(wait.table.as_str()) else {
            return Vec::new();
        };
        let mut before: Vec<(&Queued, f64)> = line
            .beside(self.parties, victim)
            .filter_map(|(writer, both)| {
                let waited = self.parties[writer].on(&wait.table)?.write_wait_s;
                Some((queued.get(&writer)?, both.min(waited)))
            })
            .collect();
        before.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.writer.cmp(&b.0.writer)));
        let mut shares = Vec::new();
        for (queued, behind_s) in before {
            if left < LEAST_S.max(0.01 * wait.wait_s()) {
                break;
            }
            let behind_s = behind_s.min(left);
            let all: f64 = queued.waits_for.iter().map(|share| share.part_s).sum();
            for share in &queued.waits_for {
                // A reader whom the writer waits for may be the victim itself, which began before.
                if self.parties[share.culprit].place == victim.place {
                    continue;
                }
                let part_s = behind_s * share.part_s / all;
                left -= part_s;
                shares.push(Share { culprit: share.culprit, part_s, behind: Some(queued.writer) });
            }
        }
        shares
    }

    /// The commands that held the lock, with their shares of a wait.
    fn held(&self, victim: &Party, wait: &Use) -> Vec<Share> {
        let Some(line) = self.by_table.get(wait.table.as_str()) else {
            return Vec::new();
        };
        let mut found: Vec<(usize, f64, f64)> = Vec::new();
        for (i, both) in line.beside(self.parties, victim) {
            let Some(held) = self.parties[i].on(&wait.table) else {
                continue;
            };
            // Readers share: only a writer waits for them.
            let held_s = if wait.write_wait_s > wait.read_wait_s { held.held_s() } else { held.write_held_s };
            let explains = held_s.min(both).min(wait.wait_s());
            if explains >= LEAST_S.max(LEAST_SHARE * wait.wait_s()) {
                found.push((i, explains, held_s));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.2.total_cmp(&a.2)).then_with(|| a.0.cmp(&b.0)));
        let mut left = wait.wait_s();
        let mut shares = Vec::new();
        for (holder, explains, _) in found {
            if left < 0.01 * wait.wait_s() {
                break;
            }
            let share = explains.min(left);
            left -= share;
            shares.push(Share { culprit: holder, part_s: share, behind: None });
        }
        shares
    }

    /// The root behind a culprit who held a table.
    pub(super) fn root(&self, culprit: usize, table: &str) -> Root {
        let (mut at, mut table) = (culprit, table.to_owned());
        let mut between: Vec<Link> = Vec::new();
        while between.len() < DEEP {
            let party = &self.parties[at];
            let held_s = party.on(&table).map_or(0.0, Use::held_s);
            let waits = party.uses.iter().filter(|u| u.table != table);
            let longest = waits.max_by(|a, b| a.wait_s().total_cmp(&b.wait_s()));
            let Some(wait) = longest.filter(|wait| {
                // So much of the hold must have been spent waiting.
                held_s + wait.wait_s() - party.lapse_s >= 0.5 * held_s && wait.wait_s() >= 0.5 * held_s
            }) else {
                break;
            };
            let Some(next) = self.attribute(party, wait).first().copied() else {
                break;
            };
            let seen = |party| party == culprit || between.iter().any(|link| link.party == party);
            if seen(next.culprit) || next.behind.is_some_and(seen) {
                break;
            }
            between.push(Link {
                party: at,
                table: std::mem::replace(&mut table, wait.table.clone()),
                is_queued: false,
            });
            between.extend(next.behind.map(|writer| Link {
                party: writer,
                table: wait.table.clone(),
                is_queued: true,
            }));
            at = next.culprit;
        }
        Root { party: at, table, between }
    }
}

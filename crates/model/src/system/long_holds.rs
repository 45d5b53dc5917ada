//! Long holds of table locks as server vacations: who is blocked behind them, at whichever table, and for how long.
//!
//! While a large sync before 2013.3 reads its tables, the first command that requests one of them exclusively waits until it ends, and
//! behind that command everybody who requests what it holds or waits for: a blocking cascade ([`cascade`]). All wait for the same
//! end, and once. So waits for long holds are found for whole commands, by a Markov chain over the blocked tables
//! ([`transient`]); [`super::lock_waits`] has the waits for all shorter holds, lock by lock.
//!
//! A hold counts as long by how often its tables are blocked to all in what is left of one at a random moment, and that of a command
//! on a whole workspace or branch which has a table alone, and that of a live checkpoint, always do: who meets it at one table does not meet it at the next. Where the holder
//! locks more tables at once in its next section, commands released by the first hold that request them wait for that as well.
//!
//! Assumptions: whatever else takes time is short beside a long hold; two long holds do not overlap at one server; released
//! commands do not wait for each other beyond the waits of [`super::lock_waits`].
//!
//! References: Doshi 1986, "Queueing systems with vacations", QUESTA 1 (vacations of a server); Chandy and Sauer 1978 (the
//! states of simultaneously held passive resources). Error against the simulator: `docs/agreement.md`.

mod blocked;
mod cascade;
mod transient;

use std::sync::Arc;

use self::blocked::Blocked;
use self::cascade::{Routes, State, Waiting};
use self::transient::{Arrivals, Length, Transient};
use super::contests::Contests;
use super::lock_waits::Sums;
use super::piece::Piece;
use crate::workload::{Clients, Load};

/// Closures in what is left of a hold at which half of the hold counts as long: assumed; between 3 and 8 no mean of
/// `docs/agreement.md` moves by more than 4 %.
const CLOSURES_HALF: f64 = 5.0;
/// Part below which a hold counts as not long at all, and above whose complement as nothing else.
const PART_LEAST: f64 = 1e-3;
/// Least hold of a live checkpoint or of a command on a whole workspace or branch that counts as long: shorter ones are as those of other commands (assumed)
/// \[s\].
const HOLD_LEAST: f64 = 0.1;
/// Least part of its clients that a group has free, so that rates stay finite during the iteration.
const FREE_LEAST: f64 = 0.05;

/// Kinds of sections that hold the same tables of a server in the same way.
#[derive(Clone)]
struct Holder {
    kinds: Vec<usize>,
    server: usize,
    blocked: Blocked,
    /// Routes whose arrival blocks further tables to all.
    closers: Arc<[usize]>,
    /// The states of its cascade; enumerated when first needed.
    cascade: Option<Arc<[State]>>,
}

/// The wait of commands behind one kind of long holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stall {
    /// How likely a command meets one.
    pub(super) likely: f64,
    /// Mean wait of those that do \[s\].
    pub(super) wait: f64,
    /// Whose sections hold, by kind, where the holds are long.
    pub(super) holder: Option<usize>,
}

/// Holds of one kind of sections that are long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Long {
    pub(super) kind: usize,
    /// How often they come \[1/s\].
    pub(super) rate: f64,
    /// How long one lasts \[s\].
    pub(super) hold: f64,
}

/// What long holds of the same tables need not find again.
#[derive(Clone)]
pub(super) struct KnownHolds {
    routes: Arc<Routes>,
    holders: Vec<Holder>,
    free: Vec<f64>,
}

/// All holds that may be long, and what the last round found.
pub(super) struct LongHolds {
    routes: Arc<Routes>,
    holders: Vec<Holder>,
    group_of: Vec<usize>,
    /// By kind: whether its holds are long however rarely it blocks others.
    always: Vec<bool>,
    /// By route: commands \[1/s\].
    rates: Vec<f64>,
    /// By group: the part of its clients that is free on average.
    free: Vec<f64>,
    /// By route.
    stalls: Vec<Vec<Stall>>,
    /// By taker: seconds a second that commands wait there.
    waited: Vec<f64>,
    /// By kind: the part of its holds that counts as long.
    parts: Vec<f64>,
    /// By contest: the share of time for which long holds block it to all.
    blocked: Vec<f64>,
    long: Vec<Long>,
}

impl LongHolds {
    /// Of pieces' contests with these ranks in the order of tables; what is known of others with the same routes is taken over.
    pub(super) fn of(
        (load, pieces): (&Load, &[Piece<'_>]),
        contests: &Contests<'_>,
        ranks: &[usize],
        known: Option<&KnownHolds>,
    ) -> Self {
        let routes = Routes::of(pieces, contests, ranks);
        if let Some(known) = known.filter(|known| *known.routes == routes) {
            let (routes, holders) = (Arc::clone(&known.routes), known.holders.clone());
            return Self { free: known.free.clone(), ..Self::new(load, contests, routes, holders) };
        }
        let mut holders: Vec<Holder> = Vec::new();
        for kind in 0..contests.kinds.len() {
            let (server, blocked) = routes.held_by(kind);
            let known = holders.iter_mut().find(|holder| (holder.server, holder.blocked) == (server, blocked));
            if let Some(holder) = known {
                holder.kinds.push(kind);
            } else {
                holders.push(Holder {
                    kinds: vec![kind],
                    server,
                    blocked,
                    closers: routes.closers(server, blocked).into(),
                    cascade: None,
                });
            }
        }
        Self::new(load, contests, routes.into(), holders)
    }

    fn new(load: &Load, contests: &Contests<'_>, routes: Arc<Routes>, holders: Vec<Holder>) -> Self {
        let always = contests.kinds.iter().map(|kind| {
            let mut places = contests.places[kind.places.clone()].iter();
            match load.groups[kind.group].clients {
                Clients::LiveCheckpoints => true,
                Clients::LongCommands => places.any(|(_, taker)| contests.takers[*taker].exclusive),
                _ => false,
            }
        });
        Self {
            always: always.collect(),
            holders,
            group_of: contests.kinds.iter().map(|kind| kind.group).collect(),
            rates: vec![0.0; routes.len()],
            free: Vec::new(),
            stalls: vec![Vec::new(); routes.len()],
            waited: vec![0.0; contests.takers.len()],
            parts: vec![0.0; contests.kinds.len()],
            blocked: vec![0.0; contests.all.len()],
            long: Vec::new(),
            routes,
        }
    }

    /// What others with the same routes need not find again.
    pub(super) fn known(&self) -> KnownHolds {
        KnownHolds { routes: Arc::clone(&self.routes), holders: self.holders.clone(), free: self.free.clone() }
    }

    /// Finds the waits where pieces come so often \[1/s\] and groups have so many clients.
    pub(super) fn find(&mut self, rates: impl Iterator<Item = f64>, sums: &[Sums], clients: &[Option<f64>]) {
        self.begin(rates, clients.len());
        let mut away = vec![0.0; clients.len()];
        for holder in &self.holders {
            let closers = holder.closers.iter().map(|route| self.rates[*route]);
            let closures: f64 = closers.sum();
            for kind in &holder.kinds {
                if sums[*kind].work > 0.0 {
                    let is_long = sums[*kind].work >= HOLD_LEAST * sums[*kind].rate;
                    self.parts[*kind] =
                        if self.always[*kind] && is_long { 1.0 } else { part_of(closures * sums[*kind].residual()) };
                }
            }
        }
        for h in 0..self.holders.len() {
            for at in 0..self.holders[h].kinds.len() {
                let kind = self.holders[h].kinds[at];
                if self.parts[kind] > 0.0 {
                    self.add(h, kind, sums, clients, &mut away);
                }
            }
        }
        for (free, away) in self.free.iter_mut().zip(away) {
            *free = (1.0 - away).max(FREE_LEAST);
        }
    }

    fn begin(&mut self, rates: impl Iterator<Item = f64>, groups: usize) {
        self.rates.fill(0.0);
        for (piece, rate) in rates.enumerate() {
            self.rates[self.routes.of_piece(piece)] += rate;
        }
        self.free.resize(groups, 1.0);
        self.stalls.iter_mut().for_each(Vec::clear);
        self.long.clear();
        for sums in [&mut self.waited, &mut self.parts, &mut self.blocked] {
            sums.fill(0.0);
        }
    }

    /// Adds the waits for the long holds of one kind of sections, and to `away` how many clients of each group they block.
    fn add(&mut self, holder: usize, kind: usize, sums: &[Sums], clients: &[Option<f64>], away: &mut [f64]) {
        let held = &mut self.holders[holder];
        let cascade = held.cascade.get_or_insert_with(|| {
            let states = self.routes.cascade(held.server, held.blocked);
            states.into()
        });
        let cascade = Arc::clone(cascade);
        let held = &self.holders[holder];
        let sum = sums[kind];
        let share = (self.parts[kind] * sum.work).min(1.0);
        self.long.push(Long { kind, rate: self.parts[kind] * sum.rate, hold: sum.work / sum.rate });
        let arrivals = Arrivals { routes: &self.routes, rates: &self.rates, clients, free: &self.free };
        let length = Length::of(sum.work / sum.rate, sum.residual());
        let found = Transient::of(&cascade, &arrivals, length);
        for (away, free) in away.iter_mut().zip(&found.free) {
            *away += share * (1.0 - free);
        }
        for (blocked, (server, table)) in self.blocked.iter_mut().zip(self.routes.tables()) {
            if *server == held.server {
                let states = cascade.iter().zip(&found.likely);
                let to_all = states.filter(|(state, _)| state.blocked.is_to_all(*table));
                *blocked += share * to_all.map(|(_, likely)| likely).sum::<f64>();
            }
        }
        let follow_on = self.follow_on(kind, sums);
        // A client does not come while it holds the tables itself.
        let of_others = clients[self.group_of[kind]].map_or(1.0, |n| 1.0 - 1.0 / n.max(1.0));
        for wait in &found.waits {
            let Waiting { route, taker } = wait.waiting;
            let group = self.routes.group(route);
            let own = group == self.group_of[kind];
            let come = if own { of_others } else { 1.0 } / self.free[group];
            let likely = share * wait.likely * come;
            let seconds = share * wait.seconds * come;
            self.waited[taker] += self.rates[route] * seconds;
            let mut stall = seconds;
            for next in &follow_on {
                if let Some(taker) = self.routes.again(wait.waiting, next.server, next.blocked) {
                    let more = likely * next.likely * next.hold;
                    stall += more;
                    self.waited[taker] += self.rates[route] * more;
                    let all = clients[group].unwrap_or(f64::INFINITY);
                    away[group] += self.rates[route] * more / all;
                }
            }
            if likely > 0.0 {
                self.stalls[route].push(Stall { likely, wait: stall / likely, holder: Some(kind) });
            }
        }
    }

    /// What the holders of a kind lock as soon as their hold ends.
    fn follow_on(&self, kind: usize, sums: &[Sums]) -> Vec<FollowOn> {
        let own = self.routes.next(kind);
        let all: f64 = own.iter().map(|(route, _)| self.rates[*route]).sum();
        let next = own.into_iter().filter_map(|(route, next)| {
            let next = next.filter(|next| sums[*next].rate > 0.0)?;
            let (server, blocked) = self.routes.held_by(next);
            Some(FollowOn { server, blocked, likely: self.rates[route] / all, hold: sums[next].work / sums[next].rate })
        });
        next.collect()
    }

    /// Holds that are long, as the last round found them.
    pub(super) fn long(&self) -> &[Long] {
        &self.long
    }

    /// The part of a kind's holds that counts as long.
    pub(super) fn part(&self, kind: usize) -> f64 {
        self.parts[kind]
    }

    /// The waits of a piece's commands behind long holds.
    pub(super) fn stalls(&self, piece: usize) -> &[Stall] {
        &self.stalls[self.routes.of_piece(piece)]
    }

    /// Mean wait of a piece's commands behind long holds \[s\].
    pub(super) fn wait(&self, piece: usize) -> f64 {
        let stalls = self.stalls(piece).iter();
        stalls.map(|stall| stall.likely * stall.wait).sum()
    }

    /// The part of that which is waited as this taker, of whom so many come \[1/s\]: on average \[s\].
    pub(super) fn wait_at(&self, taker: usize, rate: f64) -> f64 {
        if rate > 0.0 { self.waited[taker] / rate } else { 0.0 }
    }

    /// Share of time for which long holds block a contest's lock to all.
    pub(super) fn blocked(&self, contest: usize) -> f64 {
        self.blocked[contest].min(1.0)
    }
}

/// Tables that a holder locks next, how likely, and for how long \[s\].
struct FollowOn {
    server: usize,
    blocked: Blocked,
    likely: f64,
    hold: f64,
}

/// The part of holds that counts as long where tables are blocked to all so often in what is left of one.
fn part_of(closures: f64) -> f64 {
    let part = (closures / CLOSURES_HALF).powi(4);
    let part = part / (1.0 + part) - PART_LEAST;
    (part / (1.0 - 2.0 * PART_LEAST)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{CLOSURES_HALF, part_of};

    #[test]
    fn the_part_that_is_long_rises_from_none_to_all() {
        assert!((part_of(CLOSURES_HALF) - 0.5).abs() < 1e-12);
        assert_eq!(part_of(0.1 * CLOSURES_HALF), 0.0);
        assert_eq!(part_of(10.0 * CLOSURES_HALF), 1.0);
        let parts = (0..200).map(|n| part_of(0.25 * f64::from(n)));
        assert!(parts.collect::<Vec<_>>().is_sorted());
    }
}

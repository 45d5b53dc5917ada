//! Long pauses: what happens while somebody has tables for far longer than it takes until others are stuck behind him.
//!
//! While a large sync reads its tables, the first command that wants one of them alone is stuck until it ends, and with that
//! command whoever wants what it has or stands in line for: tables shut one after the other ([`course`]). Whoever is stuck, at
//! whichever table, waits for the same end, and waits for it once. So pauses are told for whole commands; the formula of one
//! lock ([`super::contention`]) tells what is waited for all shorter holds.
//!
//! Where who made the pause goes on to another section at once, whoever is let go and wants one of its tables in a section of
//! his own finds himself behind that in line, and waits for all of it.
//!
//! At the end all who were stuck are let go and stand in line once more, for each other ([`backlog`]), or behind who has a table
//! alone meanwhile ([`gate`]). If another client makes the next pause, they come to what he shuts, with tables of their own, or
//! stand behind him: such a pause begins with tables shut and with clients stuck, who wait for all of it, and lasts longer where
//! what the one before has left for later is still being done ([`sorts`]).
//!
//! What a throng at the stations stops, which another instance's pause has let go, is told in the same way ([`jams`]).
//!
//! Assumptions: all that takes time besides is short beside a pause; a pause of another client that comes meanwhile begins when
//! this one ends, before all that is stuck has been let through.
//!
//! Knows how likely a command is stuck and for how long, and whom any hold lets go together ([`release`]); not what those do at
//! stations ([`super::released`]).

mod after;
mod backlog;
mod course;
mod gate;
mod jams;
mod moments;
mod of_kind;
mod release;
mod shut;
mod sorts;

use self::course::{Routes, State};
pub(super) use self::jams::{Jam, Jammed};
use self::of_kind::{Clients, Heritage};
pub(super) use self::release::LetGo;
use self::release::Release;
use self::shut::Shut;
use self::sorts::left;
use super::around::Around;
use super::contests::Contests;
use super::lock_wait::Sums;
use super::solve::Piece;

/// Where tables are shut to all so often during what is left of a hold, half of it counts as a pause.
const CLOSURES_HALF: f64 = 5.0;
/// A hold counts as a pause from this part on, and as nothing else where no more than this is left: the thousandth part of an
/// hour's hold among the others would be the longest time for which their tables are shut.
const PART_LEAST: f64 = 1e-3;
/// Least part of its clients that a group has free on average, so that nothing becomes infinite on the way.
const FREE_LEAST: f64 = 0.05;
/// Least share of time that is left for those who are let go, on the way as well.
const SPARE_LEAST: f64 = 0.1;

/// Kinds of sections that have the same tables of a server in the same way.
struct Holder {
    kinds: Vec<usize>,
    begin: (usize, Shut),
    /// Routes that shut further tables to all.
    closers: Vec<usize>,
    /// Routes that are stuck behind them.
    behind: Vec<usize>,
    /// What follows; found when it is first asked for.
    course: Vec<State>,
}

/// All holds that may be pauses, and what the last round found.
pub(super) struct Pauses {
    routes: Routes,
    holders: Vec<Holder>,
    group_of: Vec<usize>,
    /// By route: commands \[1/s\].
    rates: Vec<f64>,
    /// By group: how many of its clients are free on average.
    free: Vec<f64>,
    /// By route and station: what is done there under its tables, by all servers \[s\].
    work: Vec<Vec<f64>>,
    /// By route \[s\].
    waits: Vec<f64>,
    /// By route: how likely somebody who was let go is stuck in the next pause.
    again: Vec<f64>,
    /// By route: how likely it meets those whom a pause let go, in line.
    met: Vec<f64>,
    /// By taker: seconds a second that are waited there.
    waited: Vec<f64>,
    /// By kind: the part of its holds that counts as pauses.
    parts: Vec<f64>,
    /// By contest: the share of time for which it is shut to all by pauses.
    shut: Vec<f64>,
    releases: Vec<Release>,
    /// By kind of holds that are no pauses and route.
    let_go_by_others: Vec<Vec<LetGo>>,
    /// By kind of pauses.
    heritage: Vec<Heritage>,
    /// By kind of pauses, if it has some: the part of each route's commands that is shut out meanwhile.
    shut_out: Vec<Vec<f64>>,
}

impl Pauses {
    /// Of pieces' contests with these ranks in the order of tables.
    pub(super) fn of(
        pieces: &[Piece<'_>],
        contests: &Contests<'_>,
        ranks: &[usize],
        servers: &[f64],
    ) -> Self {
        let routes = Routes::of(pieces, contests, ranks);
        let mut holders: Vec<Holder> = Vec::new();
        for kind in 0..contests.kinds.len() {
            let begin = routes.held_by(kind);
            if let Some(holder) = holders.iter_mut().find(|holder| holder.begin == begin) {
                holder.kinds.push(kind);
            } else {
                let (behind, closers) = routes.behind(begin);
                holders.push(Holder {
                    kinds: vec![kind],
                    begin,
                    closers,
                    behind,
                    course: Vec::new(),
                });
            }
        }
        Self {
            holders,
            group_of: contests.kinds.iter().map(|kind| kind.group).collect(),
            rates: vec![0.0; routes.len()],
            free: Vec::new(),
            waits: vec![0.0; routes.len()],
            again: vec![0.0; routes.len()],
            met: vec![0.0; routes.len()],
            waited: vec![0.0; contests.takers.len()],
            parts: vec![0.0; contests.kinds.len()],
            shut: vec![0.0; contests.all.len()],
            releases: Vec::new(),
            let_go_by_others: Vec::new(),
            heritage: vec![Heritage::default(); contests.kinds.len()],
            shut_out: vec![Vec::new(); contests.kinds.len()],
            work: work(&routes, pieces, servers),
            routes,
        }
    }

    /// Finds what pauses, and throngs, make of all commands, where each piece comes so often \[1/s\] and each group has so many
    /// clients.
    pub(super) fn find(
        &mut self,
        rates: impl Iterator<Item = f64>,
        sums: &[Sums],
        clients: &[Option<f64>],
        around: &Around,
    ) {
        self.rates.fill(0.0);
        for (piece, rate) in rates.enumerate() {
            self.rates[self.routes.of_piece(piece)] += rate;
        }
        if self.free.is_empty() {
            self.free = vec![1.0; clients.len()];
        }
        for sums in [
            &mut self.waits,
            &mut self.again,
            &mut self.met,
            &mut self.waited,
            &mut self.parts,
            &mut self.shut,
        ] {
            sums.fill(0.0);
        }
        self.releases.clear();
        self.shut_out.iter_mut().for_each(Vec::clear);
        let mut clients = Clients {
            most: clients,
            stuck: vec![0.0; clients.len()],
        };
        for h in 0..self.holders.len() {
            let closers = self.holders[h].closers.iter();
            let closures: f64 = closers.map(|route| self.rates[*route]).sum();
            for kind in &self.holders[h].kinds {
                let sum = sums[*kind];
                if sum.work > 0.0 {
                    self.parts[*kind] = part_of(closures * left(sum));
                }
            }
        }
        for h in 0..self.holders.len() {
            for at in 0..self.holders[h].kinds.len() {
                let kind = self.holders[h].kinds[at];
                if self.parts[kind] > 0.0 {
                    self.pause(h, (kind, sums), &mut clients);
                }
            }
        }
        for (free, stuck) in self.free.iter_mut().zip(clients.stuck) {
            *free = (1.0 - stuck).max(FREE_LEAST);
        }
        self.let_through(sums, clients.most, around);
        self.release_by_others(sums, clients.most);
    }

    /// Adds what a route waits on average as a taker \[s\].
    fn wait_as(&mut self, route: usize, taker: usize, wait: f64) {
        self.waits[route] += wait;
        self.waited[taker] += self.rates[route] * wait;
    }

    /// The part of a kind's holds that counts as pauses.
    pub(super) fn part(&self, kind: usize) -> f64 {
        self.parts[kind]
    }

    /// The part of a piece's commands that is shut out while sections of this kind are held.
    pub(super) fn shut_out(&self, kind: usize, piece: usize) -> f64 {
        let routes = &self.shut_out[kind];
        let part = routes.get(self.routes.of_piece(piece));
        part.map_or(0.0, |part| part.clamp(0.0, 1.0))
    }

    /// Mean wait of a piece for pauses \[s\].
    pub(super) fn wait(&self, piece: usize) -> f64 {
        self.waits[self.routes.of_piece(piece)]
    }

    /// How likely a command of a piece is stuck in a pause, or meets those whom it let go.
    pub(super) fn stuck(&self, piece: usize) -> f64 {
        let route = self.routes.of_piece(piece);
        let releases = self.releases.iter();
        let stuck: f64 = releases.map(|release| release.let_go[route].likely).sum();
        stuck - self.again[route] + self.met[route]
    }

    /// The part of that which is waited as this taker, of whom so many come \[1/s\]: on average \[s\].
    pub(super) fn wait_at(&self, taker: usize, rate: f64) -> f64 {
        if rate > 0.0 {
            self.waited[taker] / rate
        } else {
            0.0
        }
    }

    /// Share of time for which a contest's lock is shut to all by pauses.
    pub(super) fn shut(&self, contest: usize) -> f64 {
        self.shut[contest].min(1.0)
    }
}

/// How often a client of each group comes \[1/s\], where so many of them do so often; of an unlimited group never again.
fn add_up(all: impl Iterator<Item = (usize, f64)>, clients: &[Option<f64>]) -> Vec<f64> {
    let mut often = vec![0.0; clients.len()];
    for (group, rate) in all {
        often[group] += clients[group].map_or(0.0, |n| rate / n);
    }
    often
}

/// By route and station: what its pieces do there under their tables on average, by all of so many servers \[s\].
fn work(routes: &Routes, pieces: &[Piece<'_>], servers: &[f64]) -> Vec<Vec<f64>> {
    let mut work = vec![vec![0.0; servers.len()]; routes.len()];
    let mut weights = vec![0.0; routes.len()];
    for (p, piece) in pieces.iter().enumerate() {
        let route = routes.of_piece(p);
        weights[route] += piece.weight;
        for inside in piece.cost.insides() {
            for (k, seconds) in inside.iter() {
                work[route][k] += piece.weight * seconds / servers[k];
            }
        }
    }
    let routes = work.iter_mut().zip(weights);
    for (work, weight) in routes.filter(|(_, weight)| *weight > 0.0) {
        for work in work {
            *work /= weight;
        }
    }
    work
}

/// The part of holds that count as pauses where tables are shut to all so often in what is left of one.
fn part_of(closures: f64) -> f64 {
    let part = (closures / CLOSURES_HALF).powi(4);
    let part = part / (1.0 + part) - PART_LEAST;
    (part / (1.0 - 2.0 * PART_LEAST)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{CLOSURES_HALF, part_of};

    #[test]
    fn what_is_nearly_always_a_pause_is_nothing_else() {
        assert!((part_of(CLOSURES_HALF) - 0.5).abs() < 1e-12);
        assert_eq!(part_of(0.1 * CLOSURES_HALF), 0.0);
        assert_eq!(part_of(10.0 * CLOSURES_HALF), 1.0);
        let parts = (0..200).map(|n| part_of(0.25 * f64::from(n)));
        assert!(parts.collect::<Vec<_>>().is_sorted());
    }
}

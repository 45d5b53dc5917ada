//! Waits at the table locks, given who takes them, how often and for how long.
//!
//! Each lock is a readers–writer lock that serves in order of arrival ([`crate::queueing::locks`]); of the tables that a section
//! locks together a command waits for each other command once, at the one where it waits longest ([`super::wait_attribution`]). Holds that
//! are far longer than everything else are server vacations ([`super::long_holds`]) and are left out of the single locks. Lock files
//! of one workspace (`clients/…`) are left out: only the same person's commands compete for them.
//!
//! Assumption: a hold does not depend on waits for later tables.

use super::contests::{Contest, Contests, User, Users};
use super::long_holds::{KnownHolds, Long, LongHolds, Stall};
use super::percentile;
use super::piece::Piece;
use super::prediction::{LockPrediction, PredictError};
use super::resource::Resource;
use super::tables::LockOrder;
use super::wait_attribution::WaitAttribution;
use crate::queueing::locks::{self, LockAtRest, LockError, LockUser, LockWait};
use crate::workload::{Arrival, Group, Load};

/// Share of a lock's capacity up to which its formula is used where some users are unlimited; beyond it the iteration goes on
/// with the waits found there.
const LOCK_FULL: f64 = 0.995;

/// The hold of a section each time that it takes its locks.
#[derive(Clone, Copy, Default)]
struct Hold {
    /// \[s\].
    mean: f64,
    /// Squared coefficient of variation.
    scv: f64,
}

/// Sums over the sections of a kind.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    /// Σ λ \[1/s\], Σ λ·E\[S\] and Σ λ·E\[S²\] \[s\].
    pub(super) rate: f64,
    pub(super) work: f64,
    square: f64,
    /// The longest mean hold of a section that comes at all \[s\].
    hold: f64,
}

impl Sums {
    /// Mean time that is left of a hold at a random moment of it, E\[S²\]/2E\[S\] \[s\].
    pub(super) fn residual(self) -> f64 {
        0.5 * self.square / self.work
    }

    fn scaled(self, part: f64) -> Self {
        Self { rate: self.rate * part, work: self.work * part, square: self.square * part, hold: self.hold }
    }
}

/// Where locks are at rest, from which those of a deployment that differs by little are soon found.
#[derive(Clone)]
pub(super) struct KnownLocks {
    at_rest: Vec<Option<LockAtRest>>,
    long_holds: KnownHolds,
}

/// The locks of a deployment and who takes them, and what the last round of waits found.
pub(super) struct LockWaits<'f> {
    load: &'f Load,
    pieces: &'f [Piece<'f>],
    contests: Contests<'f>,
    users: Users,
    /// Most clients of each group that take a lock of one instance at a time; none if unlimited.
    populations: Vec<Option<f64>>,
    long_holds: LongHolds,
    attribution: WaitAttribution,
    /// Where each contest's lock was at rest: the next round is near it.
    at_rest: Vec<Option<LockAtRest>>,
    /// Of each section.
    holds: Vec<Hold>,
    /// By kind of sections: without long holds, and how often it comes with them \[1/s\].
    sums: Vec<Sums>,
    rates: Vec<f64>,
    /// By kind of sections: its wait each time that it takes its locks \[s\].
    waits: Vec<f64>,
    /// Mean wait of each taker of a lock \[s\].
    takers: Vec<f64>,
    /// By contest: mean time that is left of a hold \[s\].
    left: Vec<f64>,
    /// By contest: share of the lock's capacity in use.
    utilization: Vec<f64>,
    /// Mean wait of each piece \[s\].
    by_piece: Vec<f64>,
}

impl<'f> LockWaits<'f> {
    /// Where nothing waits yet, or where others came to rest that differ by little.
    pub(super) fn new(
        load: &'f Load,
        pieces: &'f [Piece<'f>],
        order: &LockOrder<'_>,
        known: Option<&KnownLocks>,
    ) -> Self {
        let contests = Contests::of(pieces);
        let most = |group: &Group| match group.arrival {
            Arrival::Closed { population, .. } => Some((population / load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        };
        Self {
            load,
            pieces,
            users: contests.users(),
            populations: load.groups.iter().map(most).collect(),
            long_holds: LongHolds::of(
                (load, pieces),
                &contests,
                &contests.ranks(order),
                known.map(|known| &known.long_holds),
            ),
            attribution: WaitAttribution::of(&contests),
            at_rest: match known {
                Some(known) if known.at_rest.len() == contests.all.len() => known.at_rest.clone(),
                _ => contests.all.iter().map(|_| None).collect(),
            },
            holds: Vec::with_capacity(contests.kind_of.len()),
            sums: vec![Sums::default(); contests.kinds.len()],
            rates: Vec::with_capacity(contests.kinds.len()),
            waits: vec![0.0; contests.kinds.len()],
            takers: vec![0.0; contests.takers.len()],
            left: Vec::with_capacity(contests.all.len()),
            utilization: vec![0.0; contests.all.len()],
            by_piece: Vec::with_capacity(pieces.len()),
            contests,
        }
    }

    /// Where they are at rest.
    pub(super) fn known(&self) -> KnownLocks {
        KnownLocks { at_rest: self.at_rest.clone(), long_holds: self.long_holds.known() }
    }

    /// Finds the waits where the groups' cycles come at these rates \[1/s\] and take so many times their demand at each station;
    /// returns the most saturated lock, as an error.
    pub(super) fn find(&mut self, rates: &[f64], stretch: &[Vec<f64>]) -> Result<Option<PredictError>, PredictError> {
        self.hold(stretch);
        self.add_up(rates);
        let pieces = self.pieces.iter();
        let commands = pieces.map(|piece| rates[piece.group] * piece.weight / self.load.instances);
        self.leave();
        self.long_holds.find(commands, &self.sums, &self.populations);
        for (kind, sum) in self.sums.iter_mut().enumerate() {
            *sum = sum.scaled(1.0 - self.long_holds.part(kind));
        }
        let mut worst: Option<(f64, usize)> = None;
        for contest in 0..self.contests.all.len() {
            let asked = self.wait_at(contest, rates)?;
            if asked >= 1.0 && worst.is_none_or(|(most, _)| asked > most) {
                worst = Some((asked, contest));
            }
        }
        self.blame_once();
        self.put_together(stretch);
        Ok(worst
            .map(|(utilization, contest)| PredictError::Saturated { resource: self.first_lock(contest), utilization }))
    }

    /// Mean wait of each piece for all its sections \[s\].
    pub(super) fn by_piece(&self) -> &[f64] {
        &self.by_piece
    }

    fn hold(&mut self, stretch: &[Vec<f64>]) {
        self.holds.clear();
        for piece in self.pieces {
            let stretch = &stretch[piece.group];
            let sections = piece.cost.sections.iter().zip(&piece.fixed);
            self.holds.extend(sections.map(|(section, fixed)| {
                let all = piece.cost.list(&section.inside).stretched(stretch);
                Hold {
                    mean: all / section.times,
                    scv: if section.times > 1.0 {
                        // Batches are of one size.
                        0.0
                    } else {
                        varying(all, *fixed).powi(2) * piece.size_scv
                    },
                }
            }));
        }
    }

    /// Sums over the sections of each kind, whose groups' cycles come at these rates.
    fn add_up(&mut self, rates: &[f64]) {
        self.sums.fill(Sums::default());
        for (piece, firsts) in self.pieces.iter().zip(self.contests.firsts.windows(2)) {
            for (at, section) in piece.cost.sections.iter().enumerate() {
                let hold = self.holds[firsts[0] + at];
                let rate = rates[piece.group] * piece.weight * section.times / self.load.instances;
                let sum = &mut self.sums[self.contests.kind_of[firsts[0] + at]];
                sum.rate += rate;
                sum.work += rate * hold.mean;
                sum.square += rate * hold.mean * hold.mean * (1.0 + hold.scv);
                if rate > 0.0 {
                    sum.hold = sum.hold.max(hold.mean);
                }
            }
        }
        self.rates.clear();
        self.rates.extend(self.sums.iter().map(|sum| sum.rate));
    }

    /// Finds the waits at a contest's lock; returns how much of its capacity unlimited users ask for, if they may saturate it.
    /// Beyond what it can do the waits grow steeply, so that the iteration turns back where clients are limited.
    fn wait_at(&mut self, contest: usize, rates: &[f64]) -> Result<f64, PredictError> {
        let takers = self.contests.all[contest].takers.clone();
        let unlimited = self.contests.takers[takers.clone()].iter().any(|taker| {
            let group = self.contests.kinds[taker.kind].group;
            self.populations[group].is_none() && self.sums[taker.kind].rate > 0.0
        });
        let asked = match self.solve(contest, rates, 1.0)? {
            Ok(found) if found.asked < LOCK_FULL || !unlimited => {
                self.learn(contest, &found, 1.0);
                return Ok(0.0);
            }
            Ok(found) => found.asked,
            Err(asked) => asked,
        };
        // The share of capacity is proportional to the rates.
        match self.solve(contest, rates, LOCK_FULL / asked)? {
            Ok(found) => {
                let times = asked / LOCK_FULL;
                let longer = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
                self.learn(contest, &found, longer);
                self.utilization[contest] = asked;
                Ok(asked)
            }
            Err(utilization) => Err(PredictError::Saturated { resource: self.first_lock(contest), utilization }),
        }
    }

    /// The waits at a contest's lock where users come so many times as often as at these rates; how much of its capacity they ask
    /// for where that is more than it has.
    fn solve(&mut self, contest: usize, rates: &[f64], times: f64) -> Result<Result<LockWait, f64>, PredictError> {
        let users = self.users.all[contest].iter();
        let users: Vec<LockUser> = users.map(|user| self.lock_user(user, rates, times)).collect();
        match locks::wait_from(&users, &mut self.at_rest[contest]) {
            Ok(found) => Ok(Ok(found)),
            Err(LockError::Saturated { utilization }) => Ok(Err(utilization)),
            Err(error @ LockError::Invalid { .. }) => Err(PredictError::Unsolved(error.to_string())),
        }
    }

    fn learn(&mut self, contest: usize, found: &LockWait, longer: f64) {
        self.utilization[contest] = found.utilization;
        for taker in self.contests.all[contest].takers.clone() {
            self.takers[taker] = longer * found.user_wait[self.users.first[taker]];
        }
    }

    fn lock_user(&self, user: &User, rates: &[f64], times: f64) -> LockUser {
        let piece = &self.pieces[user.piece];
        let kind = self.contests.takers[user.taker].kind;
        let section = &piece.cost.sections[user.section - self.contests.firsts[user.piece]];
        let rate = rates[piece.group] * piece.weight * section.times / self.load.instances;
        LockUser {
            rate: times * (1.0 - self.long_holds.part(kind)) * rate,
            hold: self.holds[user.section].mean,
            scv: self.holds[user.section].scv,
            exclusive: user.exclusive,
            population: self.populations[piece.group],
            source: piece.group,
        }
    }

    /// The wait of each kind of sections for all their tables: for whom it meets at several of them where it waits longest.
    fn blame_once(&mut self) {
        let (contests, sums) = (&self.contests, &self.sums);
        self.attribution.begin(contests, |taker| sums[contests.takers[taker].kind].square);
        for (kind, wait) in contests.kinds.iter().zip(&mut self.waits) {
            let places = &contests.places[kind.places.clone()];
            *wait = match places {
                [] => 0.0,
                [(_, taker)] => self.takers[*taker],
                _ => self.attribution.wait(contests, kind, &self.takers),
            };
        }
    }

    /// The wait of each piece for all its sections.
    fn put_together(&mut self, stretch: &[Vec<f64>]) {
        let mut by_piece = std::mem::take(&mut self.by_piece);
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        let waits = pieces.enumerate().map(|(p, (piece, firsts))| {
            let kinds = &self.contests.kind_of[firsts[0]..firsts[1]];
            let sections = piece.cost.sections.iter().zip(kinds);
            let sections = sections.map(|(section, kind)| {
                // Published tests with clients in flight all the time are solved as they were calibrated, without it: for five
                // syncs of E07 the iteration does not come to rest with it.
                let is_published = self.load.groups[piece.group].never_thinks();
                let times = if section.times > 1.0 && !is_published {
                    let spread = piece.waited().stretched(&stretch[piece.group]);
                    fresh(section.times, spread, self.residual(*kind))
                } else {
                    section.times
                };
                times * self.waits[*kind]
            });
            self.long_holds.wait(p) + sections.sum::<f64>()
        });
        by_piece.clear();
        by_piece.extend(waits);
        self.by_piece = by_piece;
    }

    /// What is left of the holds that a kind of sections finds at its locks, each as it makes it wait \[s\].
    fn residual(&self, kind: usize) -> f64 {
        let places = &self.contests.places[self.contests.kinds[kind].places.clone()];
        let (mut weighed, mut waits) = (0.0, 0.0);
        for (contest, taker) in places {
            weighed += self.takers[*taker] * self.left[*contest];
            waits += self.takers[*taker];
        }
        if waits > 0.0 { weighed / waits } else { 0.0 }
    }

    /// Finds what is left of a hold at a random moment of it, at each contest: of long holds as of others, so that it does not move
    /// with what part of them counts as long.
    fn leave(&mut self) {
        let contests = self.contests.all.iter();
        let left = contests.map(|contest| {
            let takers = self.contests.takers[contest.takers.clone()].iter();
            let (mut square, mut work) = (0.0, 0.0);
            for sum in takers.map(|holder| self.sums[holder.kind]) {
                (square, work) = (square + sum.square, work + sum.work);
            }
            if work > 0.0 { 0.5 * square / work } else { 0.0 }
        });
        self.left.clear();
        self.left.extend(left);
    }

    /// The contest where a kind of sections waits longest.
    fn longest(&self, kind: usize) -> Option<usize> {
        let places = &self.contests.places[self.contests.kinds[kind].places.clone()];
        let longest = places.iter().max_by(|a, b| self.takers[a.1].total_cmp(&self.takers[b.1]));
        longest.map(|(contest, _)| *contest)
    }

    /// How likely commands of each piece are blocked, and for how long: for long holds, and for each kind of holds of
    /// the locks that its sections take.
    pub(super) fn stalls(&self) -> Vec<Vec<Stall>> {
        let kinds = 0..self.contests.kinds.len();
        let by_kind: Vec<Vec<Stall>> = kinds.map(|kind| self.stalls_of(kind)).collect();
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        let stalls = pieces.enumerate().map(|(p, (piece, firsts))| {
            let kinds = &self.contests.kind_of[firsts[0]..firsts[1]];
            let sections = piece.cost.sections.iter().zip(kinds);
            // A command with many batches waits many times, and hardly varies for that.
            let once = sections.filter(|(section, _)| section.times <= 1.0);
            let mut stalls = self.long_holds.stalls(p).to_vec();
            for stall in once.flat_map(|(_, kind)| &by_kind[*kind]) {
                percentile::add(&mut stalls, *stall);
            }
            stalls
        });
        stalls.collect()
    }

    /// The wait of a kind of sections as a mixture over the holds that it may find: at the lock where it waits longest, each kind of
    /// holds is found in progress with a probability that goes with the time that it takes, and then what is left of one is waited
    /// for; readers find readers as well, behind a writer who waits for them. Together they make the mean wait.
    fn stalls_of(&self, kind: usize) -> Vec<Stall> {
        let mut stalls = Vec::new();
        let Some(contest) = self.longest(kind) else {
            return stalls;
        };
        let holders = || {
            let takers = self.contests.takers[self.contests.all[contest].takers.clone()].iter();
            takers.map(|holder| self.sums[holder.kind])
        };
        let mean: f64 = holders().map(|sum| 0.5 * sum.square).sum();
        if mean <= 0.0 || self.waits[kind] <= 0.0 {
            return stalls;
        }
        let often = self.waits[kind] / mean;
        for sum in holders().filter(|sum| sum.work > 0.0) {
            let likely = (sum.work * often).min(1.0);
            let stall = Stall { likely, wait: 0.5 * sum.square * often / likely, holder: None };
            percentile::add(&mut stalls, stall);
        }
        stalls
    }

    /// Mean wait at a contest's locks of those who take them exclusively, or of the others \[s\].
    fn mean(&self, contest: &Contest, exclusive: bool) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for t in contest.takers.clone() {
            let taker = &self.contests.takers[t];
            if taker.exclusive == exclusive {
                let rate = self.rates[taker.kind];
                sum += rate * (self.takers[t] + self.long_holds.wait_at(t, rate));
                all += rate;
            }
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }

    /// The long holds: of which piece most of them are, the table that they keep others from most, and which they are.
    pub(super) fn long(&self, rates: &[f64]) -> Vec<(usize, String, Long)> {
        let long = self.long_holds.long().iter().filter_map(|long| {
            let held = |p: usize| {
                let firsts = &self.contests.firsts[p..];
                let sections = firsts[0]..firsts[1];
                let times = self.pieces[p].cost.sections.iter().map(|s| s.times);
                let of_kind = sections.zip(times).filter(|(s, _)| self.contests.kind_of[*s] == long.kind);
                let rate = rates[self.pieces[p].group] * self.pieces[p].weight;
                of_kind.map(|(s, times)| rate * times * self.holds[s].mean).sum::<f64>()
            };
            let pieces = 0..self.pieces.len();
            let piece = pieces.max_by(|a, b| held(*a).total_cmp(&held(*b)))?;
            let places = &self.contests.places[self.contests.kinds[long.kind].places.clone()];
            // Commands a second that come to it while it is blocked.
            let blocked = |contest: usize| {
                let takers = self.contests.all[contest].takers.clone();
                let others = self.contests.takers[takers].iter();
                let others = others.filter(|taker| taker.kind != long.kind);
                let come: f64 = others.map(|taker| self.rates[taker.kind]).sum();
                come * self.long_holds.blocked(contest)
            };
            let most = places.iter().max_by(|a, b| blocked(a.0).total_cmp(&blocked(b.0)))?;
            Some((piece, self.first_lock(most.0).name, *long))
        });
        long.collect()
    }

    /// All locks, the most used first.
    pub(super) fn predictions(&self) -> Vec<LockPrediction> {
        let locks = self.contests.locks.iter();
        let locks = locks.map(|(table, server, c)| {
            let contest = &self.contests.all[*c];
            let takers = self.contests.takers[contest.takers.clone()].iter();
            let writers = takers.filter(|taker| taker.exclusive);
            let blocked = self.long_holds.blocked(*c);
            LockPrediction {
                lock: Resource::lock(table, *server),
                write_wait: self.mean(contest, true),
                read_wait: self.mean(contest, false),
                hold: writers.map(|taker| self.sums[taker.kind].hold).fold(0.0, f64::max),
                utilization: self.utilization[*c] * (1.0 - blocked) + blocked,
            }
        });
        let mut locks: Vec<LockPrediction> = locks.collect();
        locks.sort_by(|a, b| b.utilization.total_cmp(&a.utilization).then_with(|| a.lock.name.cmp(&b.lock.name)));
        locks
    }

    /// The first of a contest's locks by name.
    fn first_lock(&self, contest: usize) -> Resource {
        let locks = self.contests.locks.iter();
        let first = locks.filter(|(_, _, c)| *c == contest).min();
        let (table, server, _) = first.copied().unwrap_or_default();
        Resource::lock(table, server)
    }
}

/// How many of a command's batches find a lock anew: those that come while one hold lasts wait for it once. Of n batches over a time
/// T, where R is left of a hold that is found, 1 + (n − 1)·T/(T + n·R), which passes smoothly between its two limits: all of them
/// where holds are short beside the time from one to the next, and one in each R where they are long. The form between is ours;
/// `docs/agreement.md` has its error.
fn fresh(batches: f64, spread: f64, residual: f64) -> f64 {
    let apart = spread / (spread + batches * residual).max(f64::MIN_POSITIVE);
    1.0 + (batches - 1.0) * apart
}

/// The part of a hold that goes with the size of its command.
fn varying(hold: f64, fixed: f64) -> f64 {
    if hold > 0.0 { (1.0 - fixed / hold).max(0.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::fresh;

    #[test]
    fn batches_find_a_short_hold_each_and_a_long_one_once() {
        assert!((fresh(230.0, 1600.0, 1e-6) - 230.0).abs() < 0.1);
        assert!((fresh(230.0, 1600.0, 1e9) - 1.0).abs() < 1e-3);
        // Two residuals pass while the command runs.
        assert!((fresh(1e6, 1600.0, 800.0) - 3.0).abs() < 0.01);
    }
}

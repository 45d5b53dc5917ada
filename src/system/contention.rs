//! Waits at the table locks, given who takes them, how often and for how long. Searches take
//! them roughly, what is shown with its rare long holds.
//!
//! Of the tables that a section takes together a command waits for each other command once ([`super::blame`]); for a long reader, who
//! shuts all its tables, it waits in one of its sections only ([`one_after_the_other`]). Lock files of one
//! workspace (`clients/…`) are left out: their rivals are the same person's commands.

use super::blame::Blame;
use super::closures::{Closures, Wait};
use super::contests::{Contest, Contests, Users};
use super::prediction::{LockPrediction, PredictError};
use super::solve::{Effort, Piece};
use super::tables::{LockOrder, lock_name};
use crate::queueing::locks::{self, CrowdRest, LockAtRest, LockCrowd, LockError, LockUser};
use crate::workload::{Arrival, Group, Load};

/// Share of a lock's capacity up to which its formula is used where some users are unlimited.
const LOCK_FULL: f64 = 0.995;

/// The locks of a deployment and who takes them, and what the last round of waits found.
pub(super) struct Contention<'f> {
    load: &'f Load,
    pieces: &'f [Piece<'f>],
    contests: Contests<'f>,
    /// Each section by itself, where an answer is shown.
    users: Option<Users>,
    /// Most clients of each group that take a lock of one instance at a time; none if unlimited.
    populations: Vec<Option<f64>>,
    /// Where long closures spread to, where they are told.
    closures: Option<Closures>,
    /// By taker of a lock: its wait for them.
    spread: Vec<Wait>,
    blame: Blame,
    /// Where each crowd's waits and each contest's lock were at rest: the next round is not far.
    rests: Vec<CrowdRest>,
    at_rest: Vec<Option<LockAtRest>>,
    /// Mean hold of each section \[s\].
    holds: Vec<f64>,
    /// Of each kind of sections.
    sums: Vec<Sums>,
    waits: Vec<SectionWait>,
    /// Mean wait of each taker of a lock, and the part of it while the lock is shut for long \[s\].
    takers: Vec<(f64, f64)>,
    /// By contest.
    found: Vec<Found>,
    /// Of the contest that is looked at: its crowds, and mean waits of their readers and writers \[s\].
    crowds: Vec<LockCrowd>,
    by_crowd: Vec<(f64, f64)>,
    /// Mean wait of each piece \[s\].
    by_piece: Vec<f64>,
}

/// Sums over the sections of a kind.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// How often they come \[1/s\], that times their holds, and times the squares of those.
    rate: f64,
    work: f64,
    square: f64,
    /// The longest mean hold of one that comes at all \[s\].
    hold: f64,
}

/// A contest's locks.
#[derive(Clone, Copy, Default)]
struct Found {
    /// Share of their capacity in use.
    utilization: f64,
    /// For how long they are shut when they are shut for long \[s\].
    shut_for: f64,
}

/// Waits of a lock's takers, which `solve` gives where its users come so many times as often; beyond what it
/// can do, how much it is asked for, and as a stand-in until the asking falls the waits at nearly all that it
/// can do, many times over.
fn lock_wait(
    unlimited: bool,
    takers: &mut [(f64, f64)],
    mut solve: impl FnMut(f64, &mut [(f64, f64)]) -> Result<Found, LockError>,
) -> Result<(Found, Option<f64>), PredictError> {
    let mut wait = |times: f64, takers: &mut [(f64, f64)]| match solve(times, takers) {
        Ok(wait) => Ok(Ok(wait)),
        Err(LockError::Saturated { utilization }) => Ok(Err(utilization)),
        Err(error @ LockError::Invalid { .. }) => Err(PredictError::Unsolved(error.to_string())),
    };
    let asked = match wait(1.0, takers)? {
        Ok(found) if found.utilization < LOCK_FULL || !unlimited => return Ok((found, None)),
        Ok(found) => found.utilization,
        Err(asked) => asked,
    };
    // The share of capacity is proportional to the rates.
    let full = wait(LOCK_FULL / asked, takers)?;
    let mut found = full.map_err(|utilization| PredictError::Saturated {
        resource: "a lock".to_owned(),
        utilization,
    })?;
    // Steep near what it can do, so that it hardly passes that at rest; far beyond, no more than a step.
    let times = asked / LOCK_FULL;
    let factor = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
    for (mean, long) in takers {
        *mean *= factor;
        *long *= factor;
    }
    found.utilization = asked;
    Ok((found, (asked >= 1.0).then_some(asked)))
}

/// The wait of a section \[s\].
#[derive(Clone, Copy, Default)]
struct SectionWait {
    mean: f64,
    /// The part of it while its table is shut for long, and for how long that is.
    long: f64,
    shut_for: f64,
}

/// Mean wait of a command for its sections, of which each is held for a time after another time since
/// the one before it \[s\].
///
/// A long reader shuts all its tables. Who has got its locks finds those of its next sections open but for
/// what has been shut since: a closure fades from memory in the time that it lasts.
fn one_after_the_other<B: Fn() -> f64>(
    sections: impl Iterator<Item = (SectionWait, f64, B)>,
) -> f64 {
    let (mut sum, mut waited, mut shut_for, mut held) = (0.0, 0.0_f64, 0.0_f64, 0.0);
    for (wait, hold, before) in sections {
        if waited > 0.0 {
            waited *= (-(held + before()) / shut_for).exp();
        }
        sum += wait.mean - wait.long.min(waited);
        if wait.long > waited {
            (waited, shut_for) = (wait.long, wait.shut_for);
        }
        held = hold;
    }
    sum
}

impl<'f> Contention<'f> {
    pub(super) fn new(
        load: &'f Load,
        pieces: &'f [Piece<'f>],
        order: &LockOrder<'_>,
        effort: Effort,
    ) -> Self {
        let contests = Contests::of(pieces);
        let most = |group: &Group| match group.arrival {
            Arrival::Closed { population, .. } => Some((population / load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        };
        let takers = contests.takers.len();
        Self {
            load,
            pieces,
            users: (effort == Effort::Shown).then(|| contests.users()),
            populations: load.groups.iter().map(most).collect(),
            closures: (effort == Effort::Shown).then(|| Closures::of(&contests, order)),
            spread: vec![Wait::default(); takers],
            blame: Blame::of(&contests),
            rests: vec![CrowdRest::default(); takers],
            at_rest: vec![None; contests.all.len()],
            holds: Vec::with_capacity(contests.kind_of.len()),
            sums: vec![Sums::default(); contests.kinds.len()],
            waits: vec![SectionWait::default(); contests.kinds.len()],
            takers: vec![(0.0, 0.0); takers],
            found: vec![Found::default(); contests.all.len()],
            crowds: Vec::with_capacity(load.groups.len()),
            by_crowd: Vec::with_capacity(load.groups.len()),
            by_piece: Vec::with_capacity(pieces.len()),
            contests,
        }
    }

    /// Finds the waits where the groups' cycles come at these rates and take so much longer at each station;
    /// returns the most saturated lock, as an error.
    pub(super) fn find(
        &mut self,
        stretch: &[Vec<f64>],
        rates: &[f64],
        effort: Effort,
    ) -> Result<Option<PredictError>, PredictError> {
        self.hold(stretch);
        self.add_up(rates);
        let mut takers = std::mem::take(&mut self.takers);
        let mut worst: Option<(f64, usize)> = None;
        for c in 0..self.contests.all.len() {
            let contest = &self.contests.all[c];
            let unlimited = self.contests.takers[contest.takers.clone()]
                .iter()
                .any(|taker| {
                    self.populations[self.contests.kinds[taker.kind].group].is_none()
                        && self.sums[taker.kind].rate > 0.0
                });
            let own = &mut takers[contest.takers.clone()];
            let (found, asked) = lock_wait(unlimited, own, |times, takers| match effort {
                Effort::Search => self.roughly(c, times, takers),
                Effort::Shown => self.closely(c, (rates, times), takers),
            })?;
            if let Some(asked) = asked
                && worst.is_none_or(|(most, _)| asked > most)
            {
                worst = Some((asked, c));
            }
            self.found[c] = found;
        }
        self.takers = takers;
        self.spread();
        self.add_blame();
        self.put_together(stretch);
        Ok(worst.map(|(utilization, contest)| PredictError::Saturated {
            resource: format!("lock {}", self.first_name(contest)),
            utilization,
        }))
    }

    /// Mean wait of each piece for all its sections \[s\].
    pub(super) fn by_piece(&self) -> &[f64] {
        &self.by_piece
    }

    /// Mean hold of each section.
    fn hold(&mut self, stretch: &[Vec<f64>]) {
        self.holds.clear();
        for piece in self.pieces {
            let stretch = &stretch[piece.group];
            let insides = piece.cost.insides();
            self.holds
                .extend(insides.map(|inside| inside.stretched(stretch)));
        }
    }

    /// Sums over the sections of each kind, whose groups' cycles come at these rates.
    fn add_up(&mut self, rates: &[f64]) {
        self.sums.fill(Sums::default());
        for (piece, firsts) in self.pieces.iter().zip(self.contests.firsts.windows(2)) {
            let rate = rates[piece.group] * piece.weight / self.load.instances;
            let sections = firsts[0]..firsts[1];
            let kinds = &self.contests.kind_of[sections.clone()];
            for (kind, hold) in kinds.iter().zip(&self.holds[sections]) {
                let sum = &mut self.sums[*kind];
                sum.rate += rate;
                sum.work += rate * hold;
                sum.square += rate * hold * hold * (1.0 + piece.size_scv);
                if rate > 0.0 {
                    sum.hold = sum.hold.max(*hold);
                }
            }
        }
    }

    /// Waits where users come so many times as often as the sums say, by the mean hold of readers.
    fn roughly(
        &mut self,
        contest: usize,
        times: f64,
        takers: &mut [(f64, f64)],
    ) -> Result<Found, LockError> {
        let Contest {
            takers: own,
            crowds,
        } = &self.contests.all[contest];
        self.crowds.clear();
        let groups = self.contests.crowds[crowds.clone()].iter();
        self.crowds.extend(groups.map(|group| LockCrowd {
            population: self.populations[*group],
            ..LockCrowd::default()
        }));
        let own = &self.contests.takers[own.clone()];
        for taker in own {
            let (crowd, sum) = (&mut self.crowds[taker.crowd], &self.sums[taker.kind]);
            if taker.exclusive {
                crowd.write_rate += times * sum.rate;
                crowd.write_work += times * sum.work;
                crowd.write_square += times * sum.square;
            } else {
                crowd.read_rate += times * sum.rate;
                crowd.read_work += times * sum.work;
            }
            crowd.longest_hold = crowd.longest_hold.max(sum.hold);
        }
        self.by_crowd.resize(self.crowds.len(), (0.0, 0.0));
        let rests = &mut self.rests[crowds.clone()];
        let utilization = locks::rough_crowds(&self.crowds, rests, &mut self.by_crowd)?;
        for (wait, taker) in takers.iter_mut().zip(own) {
            let (read, write) = self.by_crowd[taker.crowd];
            *wait = (if taker.exclusive { write } else { read }, 0.0);
        }
        Ok(Found {
            utilization,
            shut_for: 0.0,
        })
    }

    /// The same with all lengths of holds, from where the lock was at rest in the last round.
    fn closely(
        &mut self,
        contest: usize,
        (rates, times): (&[f64], f64),
        takers: &mut [(f64, f64)],
    ) -> Result<Found, LockError> {
        let users = self.users.get_or_insert_with(|| self.contests.users());
        let all = users.all[contest].iter().map(|user| {
            let piece = &self.pieces[user.piece];
            LockUser {
                rate: times * (rates[piece.group] * piece.weight / self.load.instances),
                hold: self.holds[user.section],
                scv: piece.size_scv,
                exclusive: user.exclusive,
                population: self.populations[piece.group],
                crowd: piece.group,
            }
        });
        let found = locks::wait_from(&all.collect::<Vec<_>>(), &mut self.at_rest[contest])?;
        let first = &users.first[self.contests.all[contest].takers.clone()];
        for (wait, first) in takers.iter_mut().zip(first) {
            let mean = found.user_wait[*first];
            *wait = (mean, found.long_wait[*first].min(mean));
        }
        Ok(Found {
            utilization: found.utilization,
            shut_for: found.shut_for,
        })
    }

    /// Lets long closures spread to earlier tables, where they are told.
    fn spread(&mut self) {
        if let Some(closures) = &self.closures {
            let own = |taker: usize| Wait {
                mean: self.takers[taker].1,
                shut_for: self.found[self.contests.takers[taker].contest].shut_for,
            };
            let rate = |kind: usize| self.sums[kind].rate;
            self.spread = closures.spread(&self.contests, rate, own);
        }
    }

    /// The wait of each kind of sections for all their tables.
    fn add_blame(&mut self) {
        let (contests, sums) = (&self.contests, &self.sums);
        self.blame.begin(contests, |kind| sums[kind].square);
        for (kind, wait) in contests.kinds.iter().zip(&mut self.waits) {
            *wait = SectionWait::default();
            let places = &contests.places[kind.places.clone()];
            for (contest, taker) in places {
                let (mean, long) = self.takers[*taker];
                if mean > wait.mean {
                    let shut_for = self.found[*contest].shut_for;
                    *wait = SectionWait {
                        mean,
                        long,
                        shut_for,
                    };
                }
            }
            if places.len() > 1 {
                wait.mean = self.blame.wait(contests, kind, &self.takers);
            }
            let spread = places.iter().map(|(_, taker)| self.spread[*taker]);
            let longest = spread.max_by(|a, b| a.mean.total_cmp(&b.mean));
            if let Some(longest) = longest.filter(|longest| longest.mean > wait.long) {
                // The closure that holds up most holds up at all its tables at once.
                wait.mean += longest.mean - wait.long;
                (wait.long, wait.shut_for) = (longest.mean, longest.shut_for);
            }
        }
    }

    /// The wait of each piece for all its sections.
    fn put_together(&mut self, stretch: &[Vec<f64>]) {
        self.by_piece.clear();
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        self.by_piece.extend(pieces.map(|(piece, firsts)| {
            let stretch = &stretch[piece.group];
            let sections = piece.cost.sections.iter().zip(firsts[0]..firsts[1]);
            one_after_the_other(sections.map(|(section, s)| {
                let before = || piece.cost.list(&section.before).stretched(stretch);
                (self.waits[self.contests.kind_of[s]], self.holds[s], before)
            }))
        }));
    }

    /// Mean wait at a contest's locks of those who take them alone, or of the others \[s\].
    fn mean(&self, contest: &Contest, exclusive: bool) -> f64 {
        let (mut sum, mut rate) = (0.0, 0.0);
        for t in contest.takers.clone() {
            let (taker, (wait, long)) = (&self.contests.takers[t], self.takers[t]);
            if taker.exclusive == exclusive {
                let wait = wait + (self.spread[t].mean - long).max(0.0);
                sum += self.sums[taker.kind].rate * wait;
                rate += self.sums[taker.kind].rate;
            }
        }
        if rate > 0.0 { sum / rate } else { 0.0 }
    }

    /// The first of a contest's locks by name.
    fn first_name(&self, contest: usize) -> String {
        let locks = self.contests.locks.iter();
        let first = locks.filter(|(_, _, c)| *c == contest).min();
        first.map_or_else(String::new, |(table, server, _)| lock_name(table, *server))
    }

    /// All locks, the most used first.
    pub(super) fn predictions(&self) -> Vec<LockPrediction> {
        let contest = |(contest, found): (&Contest, &Found)| {
            let takers = self.contests.takers[contest.takers.clone()].iter();
            let writers = takers.filter(|taker| taker.exclusive);
            LockPrediction {
                name: String::new(),
                write_wait: self.mean(contest, true),
                read_wait: self.mean(contest, false),
                hold: writers
                    .map(|taker| self.sums[taker.kind].hold)
                    .fold(0.0, f64::max),
                utilization: found.utilization,
            }
        };
        let contests = self.contests.all.iter().zip(&self.found);
        let contests: Vec<LockPrediction> = contests.map(contest).collect();
        let lock = |(table, server, contest): &(&str, usize, usize)| LockPrediction {
            name: lock_name(table, *server),
            ..contests[*contest]
        };
        let mut locks: Vec<LockPrediction> = self.contests.locks.iter().map(lock).collect();
        locks.sort_by(|a, b| {
            b.utilization
                .total_cmp(&a.utilization)
                .then_with(|| a.name.cmp(&b.name))
        });
        locks
    }
}

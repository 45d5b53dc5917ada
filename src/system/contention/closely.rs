//! Waits at a contest's locks with all lengths of holds, from where they were at rest in the last round.
//!
//! Where stays rise and fall for long ([`super::super::tides`]) holds do, and waits are the mean of those at low and at high tide.
//!
//! Knows how long sections are held then; not why.
//!
//! Assumption: what is waited meanwhile for later tables is the same at both.

use super::super::contests::{User, Users};
use super::super::lock_wait::Found;
use super::super::tides::Tide;
use super::super::while_held::WhileHeld;
use super::{Contention, rest};
use crate::queueing::locks::{self, LockAtRest, LockError, LockUser, LockWait};

/// Share of its capacity from which a lock is told by the mean of all holds: assumed, since it is full at high tide then.
const USED_MOST: f64 = 0.95;
/// Share of what a lock has idle that a rise takes at most: assumed. Whoever waits does not come again meanwhile, which keeps
/// it from filling.
const IDLE_TAKEN_MOST: f64 = 0.6;

/// A share of the time, with the hold of each section then over its mean.
pub(super) struct Tidal {
    share: f64,
    holds: Vec<f64>,
}

impl Contention<'_> {
    /// Holds where stays rise and fall so.
    pub(super) fn rise_and_fall(&self, stretch: &[Vec<f64>], tides: &[Tide; 2]) -> [Tidal; 2] {
        tides.each_ref().map(|tide| {
            let mut holds = Vec::with_capacity(self.holds.len());
            for piece in self.pieces {
                let mean = &stretch[piece.group];
                let stays = mean.iter().zip(&tide.stays);
                let stays = stays.map(|(mean, tide)| (mean * tide).max(mean.min(1.0)));
                let stays: Vec<f64> = stays.collect();
                let with_it = !self.load.groups[piece.group].never_thinks();
                holds.extend(piece.cost.insides().map(|inside| {
                    let mean = inside.stretched(mean);
                    if with_it && mean > 0.0 {
                        inside.stretched(&stays) / mean
                    } else {
                        1.0
                    }
                }));
            }
            Tidal {
                share: tide.share,
                holds,
            }
        })
    }

    /// Waits where users come so many times as often as at these rates.
    pub(super) fn closely(
        &mut self,
        contest: usize,
        come: (&[f64], f64),
        while_held: Option<&WhileHeld>,
        takers: &mut [(f64, f64)],
    ) -> Result<Found, LockError> {
        let users = self.users.take();
        let users = users.unwrap_or_else(|| self.contests.users());
        let mut at_rest = std::mem::take(&mut self.at_rest[contest]);
        let found = self.found_at_tides((contest, &users), come, while_held, &mut at_rest);
        self.at_rest[contest] = at_rest;
        if let Ok(found) = &found {
            let own = self.contests.all[contest].takers.clone();
            for (wait, taker) in takers.iter_mut().zip(own) {
                let first = users.first[taker];
                let mean = mean_of(found, |found| found.user_wait[first]);
                let long = mean_of(found, |found| found.long_wait[first]);
                let drained = while_held.map_or(0.0, |held| held.drained(taker));
                *wait = (mean + drained, long.min(mean));
            }
        }
        self.users = Some(users);
        found.map(|found| Found {
            utilization: mean_of(&found, |found| found.utilization),
            asked: mean_of(&found, |found| found.asked),
            shut_for: mean_of(&found, |found| found.shut_for),
            between: [0, 1].map(|moment| mean_of(&found, |found| found.between[moment])),
            stand_in: 1.0,
        })
    }

    /// The same for each tide, where both are told and the locks can do what is asked for then; else for all the time.
    fn found_at_tides(
        &self,
        (contest, users): (usize, &Users),
        come: (&[f64], f64),
        while_held: Option<&WhileHeld>,
        at_rest: &mut [Option<LockAtRest>; 2],
    ) -> Result<Vec<(f64, LockWait)>, LockError> {
        let users = &users.all[contest];
        let find = |held: &dyn Fn(usize) -> f64, at_rest: &mut Option<LockAtRest>| {
            let users = users.iter();
            let users = users.map(|user| self.lock_user(user, held, come, while_held));
            locks::wait_from(&users.collect::<Vec<_>>(), at_rest)
        };
        if let Some(tides) = self.tides.as_ref().filter(|_| come.1 == 1.0)
            && let Some(part) = self.rise_told(contest, users, &tides[1])
        {
            let tides = tides.iter().zip(at_rest.iter_mut());
            let found = tides.map(|(tide, at_rest)| {
                let held = |section: usize| 1.0 + part * (tide.holds[section] - 1.0);
                find(&held, at_rest).map(|found| (tide.share, found))
            });
            if let Ok(found) = found.collect() {
                return Ok(found);
            }
        }
        let [at_rest, _] = at_rest;
        find(&|_| 1.0, at_rest).map(|found| vec![(1.0, found)])
    }

    /// The part of the rise at high tide that is told of a contest with these users, if it is.
    fn rise_told(&self, contest: usize, users: &[User], high: &Tidal) -> Option<f64> {
        let used = self.found[contest].utilization;
        let holds = users.iter().map(|user| high.holds[user.section]);
        let rise = holds.fold(1.0, f64::max) - 1.0;
        (rise > 0.0 && used > 0.0 && used < USED_MOST)
            .then(|| (IDLE_TAKEN_MOST * (1.0 / used - 1.0) / rise).min(1.0))
    }

    /// One user of a contest's locks, where sections are held for so many times their mean.
    fn lock_user(
        &self,
        user: &User,
        held: &dyn Fn(usize) -> f64,
        (rates, times): (&[f64], f64),
        while_held: Option<&WhileHeld>,
    ) -> LockUser {
        let piece = &self.pieces[user.piece];
        let hold = &self.holds[user.section];
        let (mut scv, mut in_turn) = (hold.scv(piece.size_scv), false);
        let taker = &self.contests.takers[user.taker];
        let before = while_held.and_then(|held| held.has_before(taker));
        let mut hold = hold.mean * held(user.section);
        if let Some(held) = while_held {
            if user.exclusive {
                (hold, scv) = held.longer(user.taker).lengthen(hold, scv);
            } else if let Some(more) = held.turn(user.taker) {
                (hold, in_turn) = (hold + more, true);
            }
        }
        LockUser {
            rate: times
                * rest(self.pauses.as_ref(), taker.kind)
                * (rates[piece.group] * piece.weight / self.load.instances),
            hold,
            scv,
            exclusive: user.exclusive,
            in_turn,
            // Who has an earlier table alone comes here one at a time.
            population: match before {
                Some(_) => Some(1.0),
                None => self.populations[piece.group],
            },
            crowd: before.map_or(piece.group, |earlier| self.populations.len() + earlier),
        }
    }
}

/// The mean of something over all shares of the time.
fn mean_of(found: &[(f64, LockWait)], of: impl Fn(&LockWait) -> f64) -> f64 {
    found.iter().map(|(share, found)| share * of(found)).sum()
}

//! Waits at the table locks, given who takes them, how often and for how long. Searches take
//! them roughly, what is shown with its rare long holds.
//!
//! Of the tables that a section takes together a command waits for each other command once ([`Contention::by_culprit`]); for a long reader, who
//! shuts all its tables, it waits in one of its sections only ([`one_after_the_other`]). Lock files of one
//! workspace (`clients/…`) are left out: their rivals are the same person's commands.

use std::cell::RefCell;

use super::contests::{Contest, Contests};
use super::plant::Demand;
use super::prediction::{LockPrediction, PredictError};
use super::solve::{Effort, Piece};
use super::tables::lock_name;
use crate::queueing::locks::{self, LockAtRest, LockCrowd, LockError, LockUser};
use crate::workload::{Arrival, Group, Load};

/// Share of a lock's capacity up to which its formula is used where some users are unlimited.
const LOCK_FULL: f64 = 0.995;

/// The locks of a deployment and who takes them: what stays the same in all rounds.
pub(super) struct Contention<'f> {
    load: &'f Load,
    pieces: &'f [Piece<'f>],
    contests: Contests<'f>,
    /// Most clients of each group that take a lock of one instance at a time; none if unlimited.
    populations: Vec<Option<f64>>,
    /// Where each contest was at rest in the last round: the next is not far.
    at_rest: RefCell<Vec<Before>>,
}

/// Where a contest was at rest in the last round.
#[derive(Clone)]
struct Before {
    /// Sojourn of its writers, as searches find it \[s\].
    sojourn: f64,
    lock: Option<LockAtRest>,
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

/// What a round of waits found.
pub(super) struct Waits {
    /// Mean wait of each piece \[s\].
    pub(super) pieces: Vec<f64>,
    /// By contest.
    contests: Vec<Found>,
    /// The most saturated lock, as an error.
    pub(super) saturated: Option<PredictError>,
}

/// Waits at a contest's locks.
struct Found {
    /// Mean wait of each taker, and the part of it while the lock is shut for long \[s\].
    takers: Vec<(f64, f64)>,
    shut_for: f64,
    read_wait: f64,
    write_wait: f64,
    utilization: f64,
    /// The longest mean hold of those who take it alone \[s\].
    hold: f64,
}

impl Contest {
    fn found(
        &self,
        sums: &[Sums],
        takers: Vec<(f64, f64)>,
        (utilization, shut_for): (f64, f64),
    ) -> Found {
        let mean = |exclusive: bool| {
            let (mut sum, mut rate) = (0.0, 0.0);
            for (taker, (wait, _)) in self.takers.iter().zip(&takers) {
                if taker.exclusive == exclusive {
                    sum += sums[taker.kind].rate * wait;
                    rate += sums[taker.kind].rate;
                }
            }
            if rate > 0.0 { sum / rate } else { 0.0 }
        };
        let writers = self.takers.iter().filter(|taker| taker.exclusive);
        Found {
            read_wait: mean(false),
            write_wait: mean(true),
            hold: writers
                .map(|taker| sums[taker.kind].hold)
                .fold(0.0, f64::max),
            takers,
            shut_for,
            utilization,
        }
    }
}

/// Waits for one lock, which `solve` gives where its users come so many times as often; beyond what it can
/// do, how much it is asked for, and as a stand-in until the asking falls the waits at nearly all that it
/// can do, many times over.
fn lock_wait(
    unlimited: bool,
    mut solve: impl FnMut(f64) -> Result<Found, LockError>,
) -> Result<(Found, Option<f64>), PredictError> {
    let mut wait = |times: f64| match solve(times) {
        Ok(wait) => Ok(Ok(wait)),
        Err(LockError::Saturated { utilization }) => Ok(Err(utilization)),
        Err(error @ LockError::Invalid { .. }) => Err(PredictError::Unsolved(error.to_string())),
    };
    let asked = match wait(1.0)? {
        Ok(found) if found.utilization < LOCK_FULL || !unlimited => return Ok((found, None)),
        Ok(found) => found.utilization,
        Err(asked) => asked,
    };
    // The share of capacity is proportional to the rates.
    let mut found = wait(LOCK_FULL / asked)?.map_err(|utilization| PredictError::Saturated {
        resource: "a lock".to_owned(),
        utilization,
    })?;
    // Steep near what it can do, so that it hardly passes that at rest; far beyond, no more than a step.
    let times = asked / LOCK_FULL;
    let factor = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
    for (mean, long) in &mut found.takers {
        *mean *= factor;
        *long *= factor;
    }
    found.read_wait *= factor;
    found.write_wait *= factor;
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
/// A long reader shuts all its tables. Who has got its locks finds those of its next section open but for
/// what has been shut since: whether a table is shut fades from memory in the time that it is shut for.
fn one_after_the_other<B: Fn() -> f64>(
    sections: impl Iterator<Item = (SectionWait, f64, B)>,
) -> f64 {
    let (mut sum, mut waited, mut held) = (0.0, 0.0_f64, 0.0);
    for (wait, hold, before) in sections {
        if waited > 0.0 && wait.shut_for > 0.0 {
            waited *= (-(held + before()) / wait.shut_for).exp();
        }
        sum += wait.mean - wait.long.min(waited);
        waited = waited.max(wait.long);
        held = hold;
    }
    sum
}

impl<'f> Contention<'f> {
    pub(super) fn new(load: &'f Load, pieces: &'f [Piece<'f>]) -> Self {
        let contests = Contests::of(pieces);
        let most = |group: &Group| match group.arrival {
            Arrival::Closed { population, .. } => Some((population / load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        };
        Self {
            load,
            pieces,
            populations: load.groups.iter().map(most).collect(),
            at_rest: RefCell::new(vec![
                Before {
                    sojourn: f64::INFINITY,
                    lock: None,
                };
                contests.all.len()
            ]),
            contests,
        }
    }

    /// Waits where the groups' cycles come at these rates and take so much longer at each station.
    pub(super) fn waits(
        &self,
        stretch: &[Vec<f64>],
        rates: &[f64],
        effort: Effort,
    ) -> Result<Waits, PredictError> {
        let holds = self.holds(stretch);
        let sums = self.sums(rates, &holds);
        let mut found = Vec::with_capacity(self.contests.all.len());
        let mut worst: Option<(f64, usize)> = None;
        let mut at_rest = self.at_rest.borrow_mut();
        let contests = self.contests.all.iter().zip(&mut *at_rest);
        for (c, (contest, before)) in contests.enumerate() {
            let unlimited = contest.takers.iter().any(|taker| {
                self.populations[self.contests.kinds[taker.kind].group].is_none()
                    && sums[taker.kind].rate > 0.0
            });
            let (wait, asked) = lock_wait(unlimited, |times| match effort {
                Effort::Search => self.roughly(contest, (&sums, times), &mut before.sojourn),
                Effort::Shown => {
                    self.closely(contest, (rates, &holds), (&sums, times), &mut before.lock)
                }
            })?;
            if let Some(asked) = asked
                && worst.is_none_or(|(most, _)| asked > most)
            {
                worst = Some((asked, c));
            }
            found.push(wait);
        }
        let waits = self.by_kind(&found, &sums);
        Ok(Waits {
            pieces: self.by_piece(&waits, &holds, stretch),
            contests: found,
            saturated: worst.map(|(utilization, contest)| PredictError::Saturated {
                resource: format!("lock {}", self.first_name(contest)),
                utilization,
            }),
        })
    }

    /// Sums over the sections of each kind, whose groups' cycles come at these rates.
    fn sums(&self, rates: &[f64], holds: &[f64]) -> Vec<Sums> {
        let mut sums = vec![Sums::default(); self.contests.kinds.len()];
        for (piece, firsts) in self.pieces.iter().zip(self.contests.firsts.windows(2)) {
            let rate = rates[piece.group] * piece.weight / self.load.instances;
            for s in firsts[0]..firsts[1] {
                let (sum, hold) = (&mut sums[self.contests.kind_of[s]], holds[s]);
                sum.rate += rate;
                sum.work += rate * hold;
                sum.square += rate * hold * hold * (1.0 + piece.size_scv);
                if rate > 0.0 {
                    sum.hold = sum.hold.max(hold);
                }
            }
        }
        sums
    }

    /// Waits where users come so many times as often as the sums say, by the mean hold of readers; from the
    /// sojourn of the last round.
    fn roughly(
        &self,
        contest: &Contest,
        (sums, times): (&[Sums], f64),
        sojourn: &mut f64,
    ) -> Result<Found, LockError> {
        let crowd = |group: &usize| LockCrowd {
            population: self.populations[*group],
            ..LockCrowd::default()
        };
        let mut crowds: Vec<LockCrowd> = contest.crowds.iter().map(crowd).collect();
        for taker in &contest.takers {
            let (crowd, sum) = (&mut crowds[taker.crowd], &sums[taker.kind]);
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
        let found = locks::rough_crowds(&crowds, sojourn)?;
        let takers = contest.takers.iter().map(|taker| {
            let (read, write) = found.by_crowd[taker.crowd];
            (if taker.exclusive { write } else { read }, 0.0)
        });
        Ok(contest.found(sums, takers.collect(), (found.utilization, 0.0)))
    }

    /// The same with all lengths of holds, from where the lock was at rest in the last round.
    fn closely(
        &self,
        contest: &Contest,
        (rates, holds): (&[f64], &[f64]),
        (sums, times): (&[Sums], f64),
        before: &mut Option<LockAtRest>,
    ) -> Result<Found, LockError> {
        let users = self.contests.users[contest.users.clone()].iter();
        let users = users.map(|user| {
            let piece = &self.pieces[user.piece];
            LockUser {
                rate: times * (rates[piece.group] * piece.weight / self.load.instances),
                hold: holds[user.section],
                scv: piece.size_scv,
                exclusive: user.exclusive,
                population: self.populations[piece.group],
                crowd: piece.group,
            }
        });
        let found = locks::wait_from(&users.collect::<Vec<_>>(), before)?;
        let takers = contest.takers.iter().map(|taker| {
            let mean = found.user_wait[taker.user];
            (mean, found.long_wait[taker.user].min(mean))
        });
        Ok(contest.found(sums, takers.collect(), (found.utilization, found.shut_for)))
    }

    /// The wait of each kind of sections for all their tables: each other section is waited for once, since
    /// whoever holds several tables lets go of all at once.
    fn by_kind(&self, found: &[Found], sums: &[Sums]) -> Vec<SectionWait> {
        let work = |contest: &Contest| contest.takers.iter().map(|t| sums[t.kind].square).sum();
        let work: Vec<f64> = self.contests.all.iter().map(work).collect();
        let mut waits = vec![SectionWait::default(); self.contests.kinds.len()];
        for (contest, found) in self.contests.all.iter().zip(found) {
            for (taker, (mean, long)) in contest.takers.iter().zip(&found.takers) {
                if *mean > waits[taker.kind].mean {
                    waits[taker.kind] = SectionWait {
                        mean: *mean,
                        long: *long,
                        shut_for: found.shut_for,
                    };
                }
            }
        }
        let mut squares = vec![0.0; self.contests.kinds.len()];
        for (kind, sum) in self.contests.kinds.iter().zip(sums) {
            squares[kind.set] += sum.square;
        }
        let mut blamed = vec![0.0; self.contests.kinds.len()];
        for (kind, wait) in self.contests.kinds.iter().zip(&mut waits) {
            if kind.places.len() > 1 {
                wait.mean = self.by_culprit(&kind.places, found, (&squares, &work), &mut blamed);
            }
        }
        waits
    }

    /// The wait of a kind of sections for all its tables \[s\]: for each set of tables that others hold
    /// together, the wait at the one of them where it is longest.
    fn by_culprit(
        &self,
        places: &[(usize, usize)],
        found: &[Found],
        (squares, work): (&[f64], &[f64]),
        blamed: &mut [f64],
    ) -> f64 {
        let mut sum = 0.0;
        blamed.fill(0.0);
        for (c, taker) in places {
            let wait = found[*c].takers[*taker].0;
            // Whom customers of a lock wait for goes with the work that is there by the square of its holds.
            let per_work = if work[*c] > 0.0 { wait / work[*c] } else { 0.0 };
            for set in &self.contests.all[*c].sets {
                let more = per_work * squares[*set] - blamed[*set];
                if more > 0.0 {
                    blamed[*set] += more;
                    sum += more;
                }
            }
        }
        sum
    }

    /// Mean wait of each piece for all its sections \[s\].
    fn by_piece(&self, waits: &[SectionWait], holds: &[f64], stretch: &[Vec<f64>]) -> Vec<f64> {
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        let waits = pieces.map(|(piece, firsts)| {
            let stretch = &stretch[piece.group];
            let sections = piece.cost.sections.iter().zip(firsts[0]..firsts[1]);
            one_after_the_other(sections.map(|(section, s)| {
                let before = || section.before.iter().map(|(k, d)| d * stretch[k]).sum();
                (waits[self.contests.kind_of[s]], holds[s], before)
            }))
        });
        waits.collect()
    }

    /// Mean hold of each section \[s\].
    fn holds(&self, stretch: &[Vec<f64>]) -> Vec<f64> {
        let sections = self.pieces.iter().flat_map(|piece| {
            let stretch = &stretch[piece.group];
            let hold = move |inside: &Demand| inside.iter().map(|(k, d)| d * stretch[k]).sum();
            piece.cost.sections.iter().map(move |s| hold(&s.inside))
        });
        sections.collect()
    }

    fn first_name(&self, contest: usize) -> String {
        let mut locks = self.contests.locks.iter();
        let lock = locks.find(|(_, _, c)| *c == contest);
        lock.map_or_else(String::new, |(table, server, _)| lock_name(table, *server))
    }

    /// All locks, the most used first.
    pub(super) fn predictions(&self, waits: &Waits) -> Vec<LockPrediction> {
        let lock = |(table, server, contest): &(&str, usize, usize)| {
            let wait = &waits.contests[*contest];
            LockPrediction {
                name: lock_name(table, *server),
                write_wait: wait.write_wait,
                read_wait: wait.read_wait,
                hold: wait.hold,
                utilization: wait.utilization,
            }
        };
        let mut locks: Vec<LockPrediction> = self.contests.locks.iter().map(lock).collect();
        locks.sort_by(|a, b| {
            b.utilization
                .total_cmp(&a.utilization)
                .then(a.name.cmp(&b.name))
        });
        locks
    }
}

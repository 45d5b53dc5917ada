//! Waits at the table locks, given who takes them, how often and for how long. Searches take
//! them roughly, what is shown with its rare long holds.
//!
//! Of the tables that a section takes together a command waits for each other command once ([`Contention::by_culprit`]); for a long reader, who
//! shuts all its tables, it waits in one of its sections only ([`one_after_the_other`]). Lock files of one
//! workspace (`clients/…`) are left out: their rivals are the same person's commands.

use std::cell::RefCell;

use super::lens::Known;
use super::plant::Demand;
use super::prediction::{LockPrediction, PredictError};
use super::solve::{Effort, Piece};
use super::tables::{is_workspace, lock_name};
use crate::queueing::locks::{self, LockAtRest, LockUser};
use crate::workload::{Arrival, Group, Load};

/// Share of a lock's capacity up to which its formula is used where some users are unlimited.
const LOCK_FULL: f64 = 0.995;

/// The locks of a deployment and who takes them: what stays the same in all rounds.
pub(super) struct Contention<'f> {
    load: &'f Load,
    pieces: &'f [Piece<'f>],
    /// First section of each piece, and how many there are in all.
    firsts: Vec<usize>,
    /// Locks that somebody takes alone, by table and server, with their contest.
    locks: Vec<(&'f str, usize, usize)>,
    contests: Vec<Contest>,
    /// The contests that each section takes part in, and as which user.
    taken: Vec<Vec<(usize, usize)>>,
    /// Where each contest was at rest in the last round: the next is not far.
    at_rest: RefCell<Vec<Option<LockAtRest>>>,
}

/// The users of one lock, or of several locks that the same sections take.
struct Contest {
    /// Piece, section over all pieces, and whether it takes the lock alone.
    users: Vec<(usize, usize, bool)>,
}

/// What a round of waits found.
pub(super) struct Waits {
    /// Mean wait of each piece \[s\].
    pub(super) pieces: Vec<f64>,
    /// By contest: its waits, and the longest mean hold of those who take it alone \[s\].
    contests: Vec<(locks::LockWait, f64)>,
    /// The most saturated lock, as an error.
    pub(super) saturated: Option<PredictError>,
}

/// Waits for one lock; beyond what it can do, how much it is asked for, and as a stand-in until the
/// asking falls the waits at nearly all that it can do, many times over. `before` is where the lock was
/// at rest in the last round.
fn lock_wait(
    users: &[LockUser],
    effort: Effort,
    before: &mut Option<LockAtRest>,
) -> Result<(locks::LockWait, Option<f64>), PredictError> {
    let mut solve = |users: &[LockUser]| match effort {
        Effort::Search => locks::rough(users),
        Effort::Shown => locks::wait_from(users, before),
    };
    let mut wait = |users: &[LockUser]| match solve(users) {
        Ok(wait) => Ok(Ok(wait)),
        Err(locks::LockError::Saturated { utilization }) => Ok(Err(utilization)),
        Err(error @ locks::LockError::Invalid { .. }) => {
            Err(PredictError::Unsolved(error.to_string()))
        }
    };
    let asked = match wait(users)? {
        Ok(found) if found.utilization < LOCK_FULL || !unlimited(users) => {
            return Ok((found, None));
        }
        Ok(found) => found.utilization,
        Err(asked) => asked,
    };
    // The share of capacity is proportional to the rates.
    let slower: Vec<LockUser> = users
        .iter()
        .map(|u| LockUser {
            rate: u.rate * LOCK_FULL / asked,
            ..*u
        })
        .collect();
    let mut found = wait(&slower)?.map_err(|utilization| PredictError::Saturated {
        resource: "a lock".to_owned(),
        utilization,
    })?;
    // Steep near what it can do, so that it hardly passes that at rest; far beyond, no more than a step.
    let times = asked / LOCK_FULL;
    let factor = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
    for wait in found
        .user_wait
        .iter_mut()
        .chain(&mut found.long_wait)
        .chain([&mut found.read_wait, &mut found.write_wait])
    {
        *wait *= factor;
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

/// Whom customers of a lock wait for: the share of each user in the work that is there by the square of
/// its holds.
fn shares_of_blame(users: &[LockUser]) -> Vec<f64> {
    let work = |u: &LockUser| u.rate * u.hold * u.hold * (1.0 + u.scv);
    let all: f64 = users.iter().map(work).sum();
    let share = |u| if all > 0.0 { work(u) / all } else { 0.0 };
    users.iter().map(share).collect()
}

/// Whether some users come however many of them wait.
fn unlimited(users: &[LockUser]) -> bool {
    users.iter().any(|u| u.population.is_none() && u.rate > 0.0)
}

impl<'f> Contention<'f> {
    pub(super) fn new(load: &'f Load, pieces: &'f [Piece<'f>]) -> Self {
        let mut firsts = vec![0];
        let mut index: Known<(&str, usize), usize> = Known::default();
        let mut found: Vec<(&str, usize, Vec<_>)> = Vec::new();
        for (p, piece) in pieces.iter().enumerate() {
            let first = firsts[p];
            firsts.push(first + piece.cost.sections.len());
            for (s, section) in piece.cost.sections.iter().enumerate() {
                for (table, exclusive) in &section.tables {
                    if is_workspace(table) {
                        continue;
                    }
                    let entry = index.entry((table, section.server));
                    let lock = *entry.or_insert_with(|| {
                        found.push((table, section.server, Vec::with_capacity(pieces.len())));
                        found.len() - 1
                    });
                    found[lock].2.push((p, first + s, *exclusive));
                }
            }
        }
        // Nobody waits where all are readers.
        found.retain(|(_, _, users)| users.iter().any(|(_, _, exclusive)| *exclusive));
        found.sort_by_key(|(table, server, _)| (*table, *server));
        let mut contests: Vec<Contest> = Vec::new();
        let mut locks = Vec::with_capacity(found.len());
        for (table, server, users) in found {
            let known = contests.iter().position(|c| c.users == users);
            locks.push((table, server, known.unwrap_or(contests.len())));
            if known.is_none() {
                contests.push(Contest { users });
            }
        }
        let mut taken = vec![Vec::new(); firsts.last().copied().unwrap_or_default()];
        for (c, contest) in contests.iter().enumerate() {
            for (user, (_, s, _)) in contest.users.iter().enumerate() {
                taken[*s].push((c, user));
            }
        }
        Self {
            load,
            pieces,
            firsts,
            locks,
            taken,
            at_rest: RefCell::new(vec![None; contests.len()]),
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
        let populations: Vec<Option<f64>> = self.load.groups.iter().map(|g| self.most(g)).collect();
        let holds = self.holds(stretch);
        let mut section_wait = vec![SectionWait::default(); holds.len()];
        let mut contests = Vec::with_capacity(self.contests.len());
        let mut worst: Option<(f64, usize)> = None;
        let mut users = Vec::new();
        let mut shares = Vec::with_capacity(self.contests.len());
        let mut blamed = vec![0.0; holds.len()];
        let mut at_rest = self.at_rest.borrow_mut();
        for (c, contest) in self.contests.iter().enumerate() {
            users.clear();
            users.extend(contest.users.iter().map(|(p, s, exclusive)| {
                let piece = &self.pieces[*p];
                LockUser {
                    rate: rates[piece.group] * piece.weight / self.load.instances,
                    hold: holds[*s],
                    scv: piece.size_scv,
                    exclusive: *exclusive,
                    population: populations[piece.group],
                    crowd: piece.group,
                }
            }));
            let (wait, asked) = lock_wait(&users, effort, &mut at_rest[c])?;
            if let Some(asked) = asked
                && worst.is_none_or(|(most, _)| asked > most)
            {
                worst = Some((asked, c));
            }
            let found = wait.user_wait.iter().zip(&wait.long_wait);
            for ((_, s, _), (mean, long)) in contest.users.iter().zip(found) {
                if *mean > section_wait[*s].mean {
                    section_wait[*s] = SectionWait {
                        mean: *mean,
                        long: long.min(*mean),
                        shut_for: wait.shut_for,
                    };
                }
            }
            let several = contest
                .users
                .iter()
                .any(|(_, s, _)| self.taken[*s].len() > 1);
            shares.push(if several {
                shares_of_blame(&users)
            } else {
                Vec::new()
            });
            let writers = users.iter().filter(|u| u.exclusive && u.rate > 0.0);
            contests.push((wait, writers.map(|u| u.hold).fold(0.0, f64::max)));
        }
        for (waiting, wait) in self.taken.iter().zip(&mut section_wait) {
            if waiting.len() > 1 {
                wait.mean = self.by_culprit(waiting, &contests, &shares, &mut blamed);
            }
        }
        Ok(Waits {
            pieces: self.by_piece(&section_wait, &holds, stretch),
            contests,
            saturated: worst.map(|(utilization, contest)| PredictError::Saturated {
                resource: format!("lock {}", self.first_name(contest)),
                utilization,
            }),
        })
    }

    /// Mean wait of a section for all its tables \[s\]: for each other section that holds some of them, the
    /// wait for it at the table where it is longest, since whoever holds several lets go of all at once.
    fn by_culprit(
        &self,
        waiting: &[(usize, usize)],
        contests: &[(locks::LockWait, f64)],
        shares: &[Vec<f64>],
        blamed: &mut [f64],
    ) -> f64 {
        let mut sum = 0.0;
        for (c, user) in waiting {
            let wait = contests[*c].0.user_wait[*user];
            for ((_, culprit, _), share) in self.contests[*c].users.iter().zip(&shares[*c]) {
                let more = (wait * share - blamed[*culprit]).max(0.0);
                blamed[*culprit] += more;
                sum += more;
            }
        }
        for (c, _) in waiting {
            for (_, culprit, _) in &self.contests[*c].users {
                blamed[*culprit] = 0.0;
            }
        }
        sum
    }

    /// Mean wait of each piece for all its sections \[s\].
    fn by_piece(&self, waits: &[SectionWait], holds: &[f64], stretch: &[Vec<f64>]) -> Vec<f64> {
        let pieces = self.pieces.iter().zip(self.firsts.windows(2));
        let waits = pieces.map(|(piece, firsts)| {
            let stretch = &stretch[piece.group];
            let sections = piece.cost.sections.iter().zip(firsts[0]..firsts[1]);
            one_after_the_other(sections.map(|(section, s)| {
                let before = || section.before.iter().map(|(k, d)| d * stretch[k]).sum();
                (waits[s], holds[s], before)
            }))
        });
        waits.collect()
    }

    /// Most clients of a group that take a lock of one instance at a time.
    fn most(&self, group: &Group) -> Option<f64> {
        match group.arrival {
            Arrival::Closed { population, .. } => Some((population / self.load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        }
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
        let mut locks = self.locks.iter();
        let lock = locks.find(|(_, _, c)| *c == contest);
        lock.map_or_else(String::new, |(table, server, _)| lock_name(table, *server))
    }

    /// All locks, the most used first.
    pub(super) fn predictions(&self, waits: &Waits) -> Vec<LockPrediction> {
        let lock = |(table, server, contest): &(&str, usize, usize)| {
            let (wait, hold) = &waits.contests[*contest];
            LockPrediction {
                name: lock_name(table, *server),
                write_wait: wait.write_wait,
                read_wait: wait.read_wait,
                hold: *hold,
                utilization: wait.utilization,
            }
        };
        let mut locks: Vec<LockPrediction> = self.locks.iter().map(lock).collect();
        locks.sort_by(|a, b| {
            b.utilization
                .total_cmp(&a.utilization)
                .then(a.name.cmp(&b.name))
        });
        locks
    }
}

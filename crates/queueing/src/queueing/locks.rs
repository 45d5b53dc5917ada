//! A readers–writer lock that serves in order of arrival, as the locks on p4d's tables do.
//!
//! Readers that arrive next to each other share the lock; a writer holds it alone. A reader that
//! finds a writer holding or waiting queues behind it, so a stream of readers cannot starve
//! writers, but each writer first waits for the readers ahead of it: a batch of K readers lasts
//! their longest hold, `S_r·H_K` for exponential holds.
//!
//! # Method
//!
//! Writers are the customers of an M/G/1 queue. The service of one is its own hold and, before it,
//! the batch of readers between it and the writer ahead, or, if no writer is there, the readers
//! then holding (an "exceptional first service", Welch 1964). A reader waits for the work that
//! writers before it have brought; a writer for that and its own batch. With writers only this is
//! Pollaczek–Khinchine's formula, and with readers only nobody waits.
//!
//! Readers count by the length of their holds (`locks/ladder.rs`): a rare long reader occupies the lock
//! for all once a writer waits behind it. What happens meanwhile depends on how long a lock is busy, which
//! then varies much more than an exponential time: two phases tell it (`locks/phases.rs`), which agree
//! with the conservation of work (`locks/busy_period.rs`). Customers of a finite source who wait do not
//! come again meanwhile, which near capacity is told by a diffusion (`locks/heavy_traffic.rs`); of both answers the shorter
//! counts.
//!
//! # Assumptions
//!
//! Poisson arrivals of those who are not waiting; batches depend on each other by the phase alone. Against
//! simulations of 40 to 500 million acquisitions with exponential holds, waits are within 4 % from 10 to 95 %
//! of capacity, for readers of one length or of lengths that differ a thousandfold. Where one long reader
//! occupies a lock that 50 people take, within 8 %. Where a source fills a lock with itself (`tests/it/sim/finite_sources.rs`, and the
//! machine repairman): 300 customers within 4 % up to 96 % of capacity, 50 within 10 % up to 98 %, 20 within 9 % up to
//! 95 %. A customer of a small source meets the others of its own in proportion, (n − 1)/n, however they take the lock,
//! and never waits for more than one mean hold of each other customer.
//!
//! # References
//!
//! - T. Johnson, "Approximate analysis of reader/writer queues", IEEE TSE 21(3), 1995.
//! - P. D. Welch, "On a generalized M/G/1 queuing process in which the first customer of each busy
//!   period receives exceptional service", Operations Research 12(5), 1964.
//! - M. Miyazawa, "Rate conservation laws: a survey", Queueing Systems 15, 1994.

mod batches;
mod busy_period;
mod heavy_traffic;
mod ladder;
mod phases;
mod source;

use thiserror::Error;

use busy_period::Settled;
use heavy_traffic::Waits;
use source::{longest_waits, sources};

/// Customers that take the lock in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LockUser {
    /// Acquisitions per time, λ, in 1/s.
    pub rate: f64,
    /// Mean time the lock is held, S, in seconds.
    pub hold: f64,
    /// Squared coefficient of variation of the hold, c²; 1 is exponential.
    pub scv: f64,
    /// Whether it holds the lock alone, as writers do.
    pub exclusive: bool,
    /// Most customers of its source that hold or wait at a time, n; none if unlimited. One are those who come one at a time, as
    /// who has another lock alone already.
    pub population: Option<f64>,
    /// Whose customers these are: users of one source are the same n customers, who take the lock in
    /// several ways, one at a time.
    pub source: usize,
}

/// Mean waits at a lock.
#[derive(Clone, Debug, PartialEq)]
pub struct LockWait {
    /// Mean wait of readers, in seconds; zero without readers.
    pub read_wait: f64,
    /// Mean wait of writers, in seconds; zero without writers.
    pub write_wait: f64,
    /// Mean wait of each user, in seconds, in their order.
    pub user_wait: Vec<f64>,
    /// Fraction of what the lock can do, [`capacity`].
    pub utilization: f64,
    /// The part of it that is for sources of more than one customer, and for unlimited ones: somebody who is alone in his source
    /// asks for no more than there is. From 1 on the rates cannot be kept.
    pub asked: f64,
    /// Fraction of time held exclusively, `λ_w·S_w`.
    pub exclusive_utilization: f64,
}

/// Where a lock is at rest, from which another with nearly its users is soon found.
#[derive(Clone, Debug)]
pub struct LockAtRest {
    all: Waits,
    /// What the customers of small sources find.
    small: Vec<(usize, Waits)>,
}

/// Why a wait cannot be given.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LockError {
    /// A number that is negative or not finite.
    #[error("lock user {user_idx} has {field} {value}; it must be zero or more")]
    Invalid {
        /// Index of the user.
        user_idx: usize,
        /// Which number.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// The lock cannot keep up with users whose population is not limited.
    #[error("the lock is saturated: it needs {utilization:.4} of its capacity")]
    Saturated {
        /// Fraction of capacity asked for, at least 1.
        utilization: f64,
    },
}

/// Fraction of a lock's capacity that exponential readers and writers use:
/// `λ_w·[S_w + S_r·ln(1 + λ_r/λ_w)]`, saturated at 1. Rates in 1/s, holds in seconds.
///
/// Without writers it is zero, since readers never exclude each other.
///
/// ```
/// // A saturated lock with 10 % writers and holds of 1 s passes 0.302 79 writers a second.
/// let used = plimsoll_queueing::queueing::locks::capacity(9.0 * 0.30279, 1.0, 0.30279, 1.0);
/// assert!((used - 1.0).abs() < 1e-4);
/// ```
pub fn capacity(read_rate: f64, read_hold: f64, write_rate: f64, write_hold: f64) -> f64 {
    if write_rate <= 0.0 {
        return 0.0;
    }
    write_rate * (write_hold + read_hold * (read_rate / write_rate).ln_1p())
}

/// Mean waits for a lock with the given users.
///
/// ```
/// use plimsoll_queueing::queueing::locks::{LockUser, wait};
///
/// // Writers alone are an M/D/1 queue.
/// let writer = LockUser { rate: 5.0, hold: 0.1, scv: 0.0, exclusive: true, population: None, source: 0 };
/// let waits = wait(&[writer]).unwrap();
/// assert!((waits.write_wait - 0.05).abs() < 1e-12);
/// ```
pub fn wait(users: &[LockUser]) -> Result<LockWait, LockError> {
    wait_settled(users, &mut None, SETTLED)
}

/// The same, found sooner from where a lock with nearly these users was at rest, and to within what the
/// next of many rounds will mend; leaves behind where this one is.
pub fn wait_from(users: &[LockUser], before: &mut Option<LockAtRest>) -> Result<LockWait, LockError> {
    wait_settled(users, before, SETTLED_FOR_NOW)
}

/// Share of capacity beyond it with which waits grow to their longest.
const BEYOND: f64 = 0.05;
/// Where waits are at rest.
const SETTLED: Settled = Settled { part: 1e-7, few: 0.0 };
/// The same for one of many rounds, of which the next begins where this ends.
const SETTLED_FOR_NOW: Settled = Settled { part: 1e-6, few: 1e-3 };

fn wait_settled(users: &[LockUser], before: &mut Option<LockAtRest>, settled: Settled) -> Result<LockWait, LockError> {
    check(users)?;
    let (sources, ladder) = sources(users);
    let ladder = ladder.as_ref();
    let between = busy_period::between(&sources, ladder);
    let utilization = busy_period::utilization(&sources, &between);
    let asked: f64 = sources.iter().filter(|c| c.can_fill()).map(|c| busy_period::taken(c, between[0])).sum();
    let come = |u: &LockUser| u.rate > 0.0;
    let longest = longest_waits(sources.iter().map(|c| (c.population, c.hold)));
    if asked >= 1.0 && users.iter().any(|u| u.population.is_none() && come(u)) {
        return Err(LockError::Saturated { utilization: asked });
    }
    let last = before.as_ref();
    let find = |asking, from| Waits::found_by(asking, (&sources, ladder), between[0], (from, settled));
    let all = find(None, last.map(|b| &b.all));
    let total = sources.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.rate, sum.1 + c.work));
    // Customers of a small source find less: they never meet themselves.
    let small: Vec<(usize, Waits)> = sources
        .iter()
        .enumerate()
        .filter(|(_, source)| source.is_small(total))
        .map(|(c, _)| {
            let known = last.and_then(|b| b.small.iter().find(|(source, _)| *source == c));
            let from = known.map_or(&all, |(_, rest)| rest);
            (c, find(Some(c), Some(from)))
        })
        .collect();
    let beyond = ((asked - 1.0) / BEYOND).clamp(0.0, 1.0);
    let mut user_wait = Vec::with_capacity(users.len());
    for user in users {
        let c = sources.iter().position(|source| source.id == user.source);
        let c = c.unwrap_or_default();
        let own = small.iter().find(|(source, _)| *source == c);
        let found = own.map_or(&all, |(_, rest)| rest).found[c];
        let wait = if user.exclusive { found.write } else { found.read };
        // Beyond what a lock can do all others are in line; with a limit to them the rates cannot be kept.
        let wait = wait.min(longest[c]);
        let wait = if beyond > 0.0 { wait + beyond * (longest[c] - wait) } else { wait };
        user_wait.push(wait);
    }
    *before = Some(LockAtRest { all, small });
    let (read_wait, write_wait) = mean_waits(users, &user_wait);
    let exclusive_utilization = sources.iter().map(|source| source.writers[1]).sum();
    Ok(LockWait { read_wait, write_wait, user_wait, utilization, asked, exclusive_utilization })
}

/// Mean waits of readers and of writers, over all users.
fn mean_waits(users: &[LockUser], user_wait: &[f64]) -> (f64, f64) {
    let mean = |exclusive: bool| {
        let (mut sum, mut rate) = (0.0, 0.0);
        for (user, wait) in users.iter().zip(user_wait) {
            if user.exclusive == exclusive {
                sum += user.rate * wait;
                rate += user.rate;
            }
        }
        if rate > 0.0 { sum / rate } else { 0.0 }
    };
    (mean(false), mean(true))
}

fn check(users: &[LockUser]) -> Result<(), LockError> {
    for (user_idx, user) in users.iter().enumerate() {
        let numbers = [
            ("rate", user.rate),
            ("hold", user.hold),
            ("scv", user.scv),
            ("population", user.population.unwrap_or(0.0)),
        ];
        for (field, value) in numbers {
            if !(value.is_finite() && value >= 0.0) {
                return Err(LockError::Invalid { user_idx, field, value });
            }
        }
    }
    Ok(())
}

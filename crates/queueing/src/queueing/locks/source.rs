//! The customers of one source together: how often and for how long they take a lock.

use super::LockUser;
use super::ladder::{Curve, Ladder, NOBODY, NOTHING, Rates, counted};

/// Share of the time between two acquisitions that a customer is away at least: near what a lock can do
/// its wait is not known yet when this is asked.
const AWAY_MIN: f64 = 0.3;
/// Share of it that a customer is away at least where it cannot come so often.
const AWAY_LEAST: f64 = 1e-3;
/// From so many customers on it hardly matters whether one of them is there.
const MANY: f64 = 200.0;
/// Share of all at a lock below which a customer hardly matters.
const HARDLY: f64 = 0.01;

/// Sums over writers: λ, Σ λ·S, Σ λ·E[S²] and Σ λ·E[S³].
pub(super) type Writers = [f64; 4];

/// The customers of one source.
pub(super) struct Source {
    pub(super) id: usize,
    pub(super) population: Option<f64>,
    /// Acquisitions of all \[1/s\].
    pub(super) rate: f64,
    /// Σ λ·S of all.
    pub(super) work: f64,
    pub(super) writers: Writers,
    /// Readers by rung, and how many of them a time 1 would bring that hold beyond each point.
    pub(super) readers: Rates,
    pub(super) curve: Curve,
    /// Longest mean hold of a user that comes at all \[s\].
    pub(super) hold: f64,
}

impl Source {
    fn new(user: &LockUser) -> Self {
        Self {
            id: user.source,
            population: user.population,
            rate: 0.0,
            work: 0.0,
            writers: [0.0; 4],
            readers: NOBODY,
            curve: NOTHING,
            hold: 0.0,
        }
    }

    /// Whether its customers can be in each other's way.
    pub(super) fn can_fill(&self) -> bool {
        self.population.is_none_or(|n| n > 1.0)
    }

    fn add(&mut self, user: &LockUser, ladder: Option<&mut Ladder>) {
        let LockUser { rate, hold, scv, .. } = *user;
        if rate <= 0.0 {
            return;
        }
        self.rate += rate;
        self.work += rate * hold;
        self.hold = self.hold.max(hold);
        if user.exclusive {
            // The third moment is that of a gamma variable.
            let square = hold * hold * (1.0 + scv);
            let sums = [1.0, hold, square, square * hold * (1.0 + 2.0 * scv)];
            for (sum, of_one) in self.writers.iter_mut().zip(sums) {
                *sum += rate * of_one;
            }
        } else if let Some(ladder) = ladder
            && hold > 0.0
        {
            let place = ladder.place(counted(hold, scv));
            ladder.add(&mut self.readers, place, rate * hold);
        }
    }

    /// Share of the customers that somebody meets, one of their own if it is `own`.
    pub(super) fn met(&self, own: bool) -> f64 {
        match self.population {
            Some(n) if own && n < MANY => 1.0 - (1.0 - self.many()) / n.max(1.0),
            _ => 1.0,
        }
    }

    /// How far they are so many that it does not matter whether one of them is there: from 0 for one to 1.
    pub(super) fn many(&self) -> f64 {
        let n = self.population.unwrap_or(MANY);
        ((n.max(1.0) - 1.0) / (MANY - 1.0)).min(1.0)
    }

    /// Whether its customers find less than everybody else does, for want of themselves, where all take
    /// the lock at a rate \[1/s\] and would hold it for so long a time.
    pub(super) fn is_small(&self, (rate, work): (f64, f64)) -> bool {
        let matters = |n: f64| self.rate > HARDLY * n * rate || self.work > HARDLY * n * work;
        // Who is alone never meets any of his own, however little that is.
        let counts = |n: f64| n <= 1.0 || (n < MANY && matters(n));
        self.rate > 0.0 && self.population.is_some_and(counts)
    }

    /// Mean time until a customer who is away comes again \[s\], where it waits so long; none if customers are without a
    /// limit.
    ///
    /// Of those who come one at a time the next comes at once if he stands behind the one before somewhere else; if nobody
    /// does, he comes at random, and how long one waits here is no reason to come later.
    pub(super) fn away(&self, wait: f64) -> Option<f64> {
        let n = self.population?;
        if !self.can_fill() {
            return Some(1.0 / self.rate);
        }
        let other = (n.max(1.0) - self.work) / self.rate;
        Some(if other > 0.0 { (other - wait).max(AWAY_MIN * other) } else { AWAY_LEAST * n / self.rate })
    }
}

/// All sources of a lock, in the order of their first user, and the ladder of its readers, if it has any.
pub(super) fn sources(users: &[LockUser]) -> (Vec<Source>, Option<Ladder>) {
    let (mut longest, mut work, mut square) = (0.0_f64, 0.0, 0.0);
    for user in users.iter().filter(|u| !u.exclusive && u.rate > 0.0) {
        let counted = counted(user.hold, user.scv);
        longest = longest.max(counted);
        work += user.rate * user.hold;
        square += user.rate * user.hold * counted;
    }
    let mut ladder = (square > 0.0).then(|| Ladder::up_to(longest, square / work));
    let mut sources: Vec<Source> = Vec::with_capacity(4);
    for user in users {
        let known = sources.iter().position(|source| source.id == user.source);
        let c = known.unwrap_or_else(|| {
            sources.push(Source::new(user));
            sources.len() - 1
        });
        sources[c].add(user, ladder.as_mut());
    }
    if let Some(ladder) = &ladder {
        for source in &mut sources {
            source.curve = ladder.curve(&source.readers);
        }
    }
    (sources, ladder)
}

/// A customer never waits for more than one hold of each other customer \[s\]: by source, of which `sources`
/// are the population and the longest hold \[s\]. Sums of those before and behind, so that nothing is
/// subtracted from what may be infinite.
pub(super) fn longest_waits<I>(sources: I) -> Vec<f64>
where
    I: DoubleEndedIterator<Item = (Option<f64>, f64)> + ExactSizeIterator + Clone,
{
    let mut waits = Vec::with_capacity(sources.len());
    let mut before = 0.0;
    for (population, hold) in sources.clone() {
        let population = population.unwrap_or(f64::INFINITY);
        waits.push(before + one_after_another(population - 1.0, hold));
        before += one_after_another(population, hold);
    }
    let mut after = 0.0;
    for (wait, (population, hold)) in waits.iter_mut().zip(sources).rev() {
        *wait += after;
        after += one_after_another(population.unwrap_or(f64::INFINITY), hold);
    }
    waits
}

/// How long the holds of so many customers take \[s\]: a source that never comes and a hold of no length delay nobody, however
/// many there are.
pub(super) fn one_after_another(customers: f64, hold: f64) -> f64 {
    if hold > 0.0 { customers.max(0.0) * hold } else { 0.0 }
}

//! Other people's engines, each used as its own examples use it, with the same random numbers.

mod desru;
mod nexosim;
mod odem;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use desru::run as desru;
pub use nexosim::run as nexosim;
pub use odem::run as odem;

/// A processor shared by its customers, in virtual time; none of the peers has one.
///
/// An engine announces a completion only when it comes sooner than the one announced before. One
/// that turns out to be too early, since more customers came, is announced again.
pub(crate) struct Sharing {
    cores: f64,
    /// Work done for whoever was there all the time \[s\].
    work: f64,
    since: f64,
    /// Work at which each is done, as bits, and who it is.
    done_at: BinaryHeap<Reverse<(u64, u32)>>,
    /// When the announced completion is due; infinite if none is.
    announced: f64,
}

impl Sharing {
    pub(crate) fn new(cores: u32) -> Self {
        Self { cores: f64::from(cores), work: 0.0, since: 0.0, done_at: BinaryHeap::new(), announced: f64::INFINITY }
    }

    fn advance(&mut self, now: f64) {
        let share = (self.cores / self.done_at.len() as f64).min(1.0);
        self.work += (now - self.since) * share;
        self.since = now;
    }

    /// Somebody comes with work; says when to announce a completion, if sooner than before.
    pub(crate) fn arrive(&mut self, now: f64, who: u32, work: f64) -> Option<f64> {
        self.advance(now);
        self.done_at.push(Reverse(((self.work + work).to_bits(), who)));
        let due = self.due(now);
        (due < self.announced).then(|| {
            self.announced = due;
            due
        })
    }

    /// An announced completion: who leaves, if anybody, and what to announce next.
    pub(crate) fn complete(&mut self, now: f64, announced: f64) -> (Option<u32>, Option<f64>) {
        if announced.to_bits() != self.announced.to_bits() {
            return (None, None); // a sooner one took its place
        }
        self.announced = f64::INFINITY;
        let mut leaves = None;
        if self.due(now) <= now * (1.0 + 1e-12) {
            self.advance(now);
            leaves = self.done_at.pop().map(|Reverse((_, who))| who);
        }
        if self.done_at.is_empty() {
            return (leaves, None);
        }
        self.announced = self.due(now).max(now);
        (leaves, Some(self.announced))
    }

    fn due(&self, now: f64) -> f64 {
        let Some(Reverse((first, _))) = self.done_at.peek() else {
            return f64::INFINITY;
        };
        let slowdown = (self.done_at.len() as f64 / self.cores).max(1.0);
        let done = self.work + (now - self.since) / slowdown;
        now + (f64::from_bits(*first) - done) * slowdown
    }
}

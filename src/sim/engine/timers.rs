//! Times of what can only happen next once at a time: the end of the service of a lone server or of a
//! shared station, the next arrival from a source.
//!
//! A winner tree: leaves are timers, each node has the earlier of its two children, the root is what
//! comes first. To set a timer is one comparison a level, without a branch that depends on times;
//! unlike entries of the calendar, timers can be set anew at any time.
//!
//! # References
//!
//! - D. E. Knuth, "The Art of Computer Programming", vol. 3, 2nd ed., section 5.4.1: tournaments.

use std::hint::select_unpredictable;

/// What a timer is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::sim) enum Due {
    /// A shared station, by its number among them, ends a service.
    Shared(u32),
    /// The single server of a station ends a service.
    Single(u32),
    /// A server ends a service.
    Server(u32),
    /// A class has an arrival from outside.
    Source(u32),
}

/// A timer's time as bits, which sort as times do, and its number.
type Leaf = (u64, u32);

const NEVER: u64 = f64::INFINITY.to_bits();

#[derive(Debug)]
pub(in crate::sim) struct Timers {
    /// The root is at 1, the children of n at 2n and 2n + 1, the first leaf in the middle.
    tree: Vec<Leaf>,
    due: Vec<Due>,
}

impl Timers {
    /// Timers that are not set.
    pub(in crate::sim) fn new(due: Vec<Due>) -> Self {
        let leaves = due.len().next_power_of_two();
        Self {
            tree: vec![(NEVER, 0); 2 * leaves],
            due,
        }
    }

    /// Bits of the time of the first one; those of infinity if none is set.
    #[inline(always)]
    pub(in crate::sim) fn bits(&self) -> u64 {
        self.tree[1].0
    }

    /// What the first one is for.
    #[inline(always)]
    pub(in crate::sim) fn first(&self) -> (Due, u32) {
        let timer = self.tree[1].1;
        (self.due[timer as usize], timer)
    }

    /// Sets a timer; infinity stops it.
    #[inline(always)]
    pub(in crate::sim) fn set(&mut self, timer: u32, time: f64) {
        let tree = self.tree.as_mut_slice();
        let mut node = tree.len() / 2 + timer as usize;
        let mut best = (time.to_bits(), timer);
        tree[node] = best;
        while node > 1 {
            let sibling = tree[node ^ 1];
            // Which one is earlier is random: a branch would be guessed wrong half of the time.
            let earlier = sibling.0 < best.0;
            best = (
                select_unpredictable(earlier, sibling.0, best.0),
                select_unpredictable(earlier, sibling.1, best.1),
            );
            node /= 2;
            tree[node] = best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Due, Timers};

    #[test]
    fn the_first_is_the_earliest_whatever_was_set_before() {
        for n in 1..20u32 {
            let mut timers = Timers::new((0..n).map(Due::Server).collect());
            let mut times = vec![f64::INFINITY; n as usize];
            let time = |timers: &Timers| f64::from_bits(timers.bits());
            assert_eq!(time(&timers), f64::INFINITY);
            for step in 0..500u32 {
                let (timer, at) = (step * 7 % n, f64::from(step * 7919 % 1009));
                let at = if step % 5 == 0 { f64::INFINITY } else { at };
                timers.set(timer, at);
                times[timer as usize] = at;
                let first = times.iter().copied().fold(f64::INFINITY, f64::min);
                assert_eq!(time(&timers), first);
                if let (Due::Server(idx), true) = (timers.first().0, first.is_finite()) {
                    assert_eq!(times[idx as usize], first);
                }
            }
        }
    }
}

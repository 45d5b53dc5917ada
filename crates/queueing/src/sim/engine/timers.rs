//! Times of what can only happen next once at a time: the end of the service of a lone server or of a
//! shared station, the next arrival from a source.
//!
//! A winner tree of four children a node: leaves are timers, each node has the earliest of its children.
//! To set a timer is three comparisons a level, without a branch that depends on times; unlike entries
//! of the calendar, timers can be set anew at any time. The children of the root stay where the loop
//! finds them at once: with four timers there is no more than them.
//!
//! # References
//!
//! - D. E. Knuth, "The Art of Computer Programming", vol. 3, 2nd ed., section 5.4.1: tournaments.

use std::hint::select_unpredictable;

/// What a timer is for, in the upper two bits of a word, beside its number in the others.
pub(in crate::sim) const KIND: u32 = 3 << 30;
/// A shared station, by its number among them, ends a service.
pub(in crate::sim) const SHARED: u32 = 0;
/// One of few servers ends a service.
pub(in crate::sim) const SERVER: u32 = 1 << 30;
/// A class has an arrival from outside.
pub(in crate::sim) const SOURCE: u32 = 2 << 30;
/// The server of a station that has only one ends a service.
pub(in crate::sim) const SINGLE: u32 = 3 << 30;

/// A time as bits, which sort as times do, and whose it is.
type Leaf = (u64, u32);

const NEVER: u64 = f64::INFINITY.to_bits();

#[derive(Debug)]
pub(in crate::sim) struct Timers {
    /// Times of the root's children, and whose they are.
    times: [u64; 4],
    whose: [u32; 4],
    /// The root is 0, the children of n are at 4n + 1 to 4n + 4; the root and its children are not used.
    tree: Vec<Leaf>,
}

impl Timers {
    /// Timers that are not set, by whose each is, and the node of each, which is its name. The first
    /// ones are nearest to the root where there is a choice.
    pub(in crate::sim) fn new(whose: &[u32]) -> (Self, Vec<u32>) {
        let n = whose.len();
        let (mut depth, mut width) = (0, 1);
        while 4 * width < n {
            depth += 1;
            width *= 4;
        }
        // Children of the root that are timers themselves; the others have as many as are left.
        let direct = (0..=n.min(4)).rev().find(|d| (4 - d) * width >= n - d);
        let direct = direct.unwrap_or(0);
        let first_leaf = (0..depth).fold(1 + direct, |node, _| 4 * node + 1);
        let leaves = (1..=direct).chain(first_leaf..);
        let nodes: Vec<u32> = leaves.take(n).map(|node| node as u32).collect();
        let mut timers = Self { times: [NEVER; 4], whose: [0; 4], tree: vec![(NEVER, 0); first_leaf + 4 * width] };
        for (node, whose) in nodes.iter().zip(whose) {
            timers.tree[*node as usize].1 = *whose;
            if *node <= 4 {
                timers.whose[*node as usize - 1] = *whose;
            }
        }
        (timers, nodes)
    }

    /// Bits of the time of the first one, those of infinity if none is set; and whose it is.
    #[inline(always)]
    pub(in crate::sim) fn first(&self) -> (u64, u32) {
        let [a, b, c, d] = self.times;
        // Which one is earlier is random: a branch would be guessed wrong half of the time.
        let ab = select_unpredictable(b < a, b, a);
        let cd = select_unpredictable(d < c, d, c);
        let left = usize::from(b < a);
        let right = 2 + usize::from(d < c);
        let idx = select_unpredictable(cd < ab, right, left);
        (select_unpredictable(cd < ab, cd, ab), self.whose[idx & 3])
    }

    /// Sets a timer, named by its node; infinity stops it.
    #[inline(always)]
    pub(in crate::sim) fn set(&mut self, node: u32, time: f64) {
        let bits = time.to_bits();
        if node <= 4 {
            self.times[node.wrapping_sub(1) as usize & 3] = bits;
        } else {
            self.set_leaf(node as usize, bits);
        }
    }

    #[inline(always)]
    fn set_leaf(&mut self, leaf: usize, bits: u64) {
        let mut node = leaf;
        let mut best = (bits, self.tree[leaf].1);
        while node > 4 {
            self.tree[node] = best;
            node = (node - 1) / 4;
            let Some(&[a, b, c, d]) = self.tree.get(4 * node + 1..4 * node + 5) else {
                break;
            };
            let earlier = |one: Leaf, other: Leaf| {
                let is_earlier = other.0 < one.0;
                (select_unpredictable(is_earlier, other.0, one.0), select_unpredictable(is_earlier, other.1, one.1))
            };
            best = earlier(earlier(a, b), earlier(c, d));
        }
        let child = (node - 1) & 3;
        (self.times[child], self.whose[child]) = best;
    }
}

#[cfg(test)]
mod tests {
    use super::{NEVER, Timers};

    #[test]
    fn the_first_is_the_earliest_whatever_was_set_before() {
        for n in 1..80u32 {
            let whose: Vec<u32> = (0..n).map(|timer| 1000 + timer).collect();
            let (mut timers, nodes) = Timers::new(&whose);
            let mut times = vec![f64::INFINITY; n as usize];
            assert_eq!(timers.first().0, NEVER);
            for step in 0..500u32 {
                let (timer, at) = (step * 7 % n, f64::from(step * 7919 % 1009));
                let at = if step % 5 == 0 { f64::INFINITY } else { at };
                timers.set(nodes[timer as usize], at);
                times[timer as usize] = at;
                let least = times.iter().copied().fold(f64::INFINITY, f64::min);
                let (bits, whose) = timers.first();
                assert_eq!(f64::from_bits(bits), least);
                if least.is_finite() {
                    assert_eq!(times[whose as usize - 1000], least);
                }
            }
        }
    }
}

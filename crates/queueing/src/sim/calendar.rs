//! The event list: a heap of four children, ordered by time and then by order of entry.
//!
//! Times are kept as bits, which sort as times do since no time is negative. Most events schedule
//! another one while they are handled, so the first entry stays in its place as a hole until something
//! takes it over: one sift instead of two. The first entry is node 0; the children of node n are together
//! in block n, a line of the processor's cache, and are nodes 4n + 1 to 4n + 4.
//!
//! # References
//!
//! - D. W. Jones, "An empirical comparison of priority-queue and event-set implementations",
//!   Communications of the ACM 29(4), 1986.
//! - A. `LaMarca`, R. E. Ladner, "The influence of caches on the performance of heaps", ACM JEA 1, 1996:
//!   four children, aligned.

use std::hint::{cold_path, select_unpredictable};

/// Later than any time.
const NEVER: u64 = u64::MAX;
/// Times of children that are not there: never, and no two of them alike, which are slow to compare.
const EMPTY: [u64; 4] = [NEVER, NEVER - 1, NEVER - 2, NEVER - 3];

/// An entry: bits of its time, and its order of entry above what it is for.
type Entry = (u64, u64);

/// Four children; those that are not there come never.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Block {
    times: [u64; 4],
    whats: [u64; 4],
}

/// Entries by time; see the [module](self).
#[derive(Debug)]
pub(super) struct Calendar {
    first: Entry,
    blocks: Vec<Block>,
    len: usize,
    entered: u32,
    hole: bool,
}

impl Default for Calendar {
    fn default() -> Self {
        Self { first: (NEVER, 0), blocks: Vec::new(), len: 0, entered: 0, hole: false }
    }
}

/// Whether an entry comes before another one.
#[inline(always)]
fn is_before(one: Entry, other: Entry) -> bool {
    if one.0 == other.0 {
        cold_path();
        return one.1 < other.1;
    }
    one.0 < other.0
}

impl Block {
    /// The earliest child, by its lane.
    #[inline(always)]
    fn first(&self) -> (u64, usize) {
        let [a, b, c, d] = self.times;
        if a == b || c == d {
            return self.first_of_alike();
        }
        // Which one is least is random: a branch would be guessed wrong half of the time.
        let (ab, left) = (select_unpredictable(b < a, b, a), usize::from(b < a));
        let (cd, right) = (select_unpredictable(d < c, d, c), 2 + usize::from(d < c));
        if ab == cd {
            return self.first_of_alike();
        }
        let lane = select_unpredictable(cd < ab, right, left);
        (select_unpredictable(cd < ab, cd, ab), lane)
    }

    /// The same where times may be equal.
    #[cold]
    #[inline(never)]
    fn first_of_alike(&self) -> (u64, usize) {
        let entries = self.times.iter().zip(&self.whats).zip(0..);
        let first = entries.min().expect("a block has four lanes");
        (*first.0.0, first.1)
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> Entry {
        (self.times[lane & 3], self.whats[lane & 3])
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, (time, what): Entry) {
        self.times[lane & 3] = time;
        self.whats[lane & 3] = what;
    }
}

impl Calendar {
    /// Bits of the time of the first entry; above those of any time without one.
    #[inline(always)]
    pub(super) fn next_bits(&self) -> u64 {
        self.first.0
    }

    /// Time of the first entry, which must be there.
    #[inline(always)]
    pub(super) fn next_time(&self) -> f64 {
        f64::from_bits(self.first.0)
    }

    /// Number of entries.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len - usize::from(self.hole)
    }

    /// Begins to handle the first entry: what it is for. [`Self::close`] ends it.
    #[inline(always)]
    pub(super) fn open(&mut self) -> u32 {
        self.hole = true;
        self.first.1 as u32
    }

    /// Ends the handling of the first entry.
    #[inline(always)]
    pub(super) fn close(&mut self) {
        if self.hole {
            self.hole = false;
            self.pop();
        }
    }

    /// Takes the first entry out, which must be there; what it was for.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> u32 {
        let what = self.first.1 as u32;
        self.len -= 1;
        if self.len == 0 {
            self.first.0 = NEVER;
            return what;
        }
        let (parent, lane) = ((self.len - 1) / 4, (self.len - 1) % 4);
        let block = &mut self.blocks[parent];
        let last = (block.times[lane], block.whats[lane]);
        block.times[lane] = EMPTY[lane];
        self.sink(last);
        what
    }

    /// Adds an entry.
    #[inline(always)]
    pub(super) fn push(&mut self, time: f64, what: u32) {
        debug_assert!(time >= 0.0);
        self.entered = self.entered.wrapping_add(1);
        let order = u64::from(self.entered) << 32 | u64::from(what);
        let entry = (time.to_bits(), order);
        if self.hole {
            self.hole = false;
            self.sink(entry);
        } else {
            self.rise(entry);
        }
    }

    /// Removes the entry for `what` wherever it is, and gives its time: for short lists.
    pub(super) fn remove(&mut self, what: u32) -> Option<f64> {
        debug_assert!(!self.hole);
        let mut entries: Vec<Entry> = self.entries().collect();
        let idx = entries.iter().position(|entry| entry.1 as u32 == what)?;
        let (time, _) = entries.remove(idx);
        (self.first.0, self.len) = (NEVER, 0);
        self.blocks.clear();
        for entry in entries {
            self.rise(entry);
        }
        Some(f64::from_bits(time))
    }

    /// What each entry is for, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        debug_assert!(!self.hole);
        self.entries().map(|(_, what)| what as u32)
    }

    fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let lanes = |block: &Block| (0..4).map(|n| (block.times[n], block.whats[n])).collect();
        let others = self.blocks.iter().flat_map(move |block| -> Vec<Entry> { lanes(block) });
        std::iter::once(self.first).chain(others).take(self.len)
    }

    /// Puts an entry in the place of the first one and then below all smaller ones.
    #[inline(always)]
    fn sink(&mut self, entry: Entry) {
        let blocks = self.blocks.as_mut_slice();
        let Some(block) = blocks.first() else {
            self.first = entry;
            return;
        };
        let (time, mut lane) = block.first();
        let child = (time, block.whats[lane & 3]);
        if is_before(entry, child) {
            self.first = entry;
            return;
        }
        self.first = child;
        let mut parent = 0;
        loop {
            let node = 4 * parent + lane + 1;
            let Some(block) = blocks.get(node) else {
                break;
            };
            let (time, next) = block.first();
            let child = (time, block.whats[next & 3]);
            if is_before(entry, child) {
                break;
            }
            blocks[parent].set(lane, child);
            (parent, lane) = (node, next);
        }
        blocks[parent].set(lane, entry);
    }

    /// Puts an entry behind the last one and then above all greater ones.
    #[inline(always)]
    fn rise(&mut self, entry: Entry) {
        let mut node = self.len;
        self.len += 1;
        if node.div_ceil(4) > self.blocks.len() {
            self.grow();
        }
        let blocks = self.blocks.as_mut_slice();
        while let Some(below) = node.checked_sub(1) {
            let parent = below / 4;
            let above = match parent.checked_sub(1) {
                None => self.first,
                Some(place) => blocks[place / 4].get(place),
            };
            if is_before(above, entry) {
                blocks[parent].set(below, entry);
                return;
            }
            blocks[parent].set(below, above);
            node = parent;
        }
        self.first = entry;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.blocks.push(Block { times: EMPTY, whats: [0; 4] });
    }
}

#[cfg(test)]
mod tests {
    use super::Calendar;

    #[test]
    fn entries_leave_by_time_and_then_in_order_of_entry() {
        let mut calendar = Calendar::default();
        let mut word = 1u32;
        let mut expected = Vec::new();
        for what in 0..1000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let time = f64::from(word >> 25);
            calendar.push(time, what);
            expected.push((time, what));
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        assert_eq!(calendar.remove(expected[500].1), Some(expected[500].0));
        expected.remove(500);
        for (n, (time, what)) in expected.iter().enumerate() {
            assert_eq!(calendar.next_time(), *time);
            assert_eq!(calendar.open(), *what);
            if n % 3 == 0 {
                calendar.push(1e6, 7);
            }
            calendar.close();
        }
        assert_eq!(calendar.len(), 333);
    }
}

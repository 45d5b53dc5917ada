//! The event list: a heap of four children, ordered by time and then by order of entry.
//!
//! An entry is one 128-bit number: the bits of its time, which sort as the time does since no time is
//! negative, then a running number, then what it is for. Most events schedule another one while they
//! are handled, so the first entry stays in its place as a hole until something takes it over: one
//! sift instead of two.
//!
//! # References
//!
//! - D. W. Jones, "An empirical comparison of priority-queue and event-set implementations",
//!   Communications of the ACM 29(4), 1986.
//! - A. `LaMarca`, R. E. Ladner, "The influence of caches on the performance of heaps", ACM JEA 1, 1996:
//!   four children.

use std::hint::select_unpredictable;

/// Later than any entry.
const NONE: u128 = u128::MAX;

/// Entries by time; see the [module](self).
#[derive(Debug)]
pub(super) struct Calendar {
    /// The heap, and then at least four [`NONE`]: every entry has four children to compare.
    entries: Vec<u128>,
    len: usize,
    entered: u32,
    hole: bool,
}

impl Default for Calendar {
    fn default() -> Self {
        Self {
            entries: vec![NONE; 8],
            len: 0,
            entered: 0,
            hole: false,
        }
    }
}

/// Time of an entry; not a number for [`NONE`], whose bits are above those of any time.
#[inline(always)]
fn time_of(entry: u128) -> f64 {
    f64::from_bits((entry >> 64) as u64)
}

impl Calendar {
    /// Bits of the time of the first entry; above those of any time without one.
    #[inline(always)]
    pub(super) fn next_bits(&self) -> u64 {
        (self.entries[0] >> 64) as u64
    }

    /// Time of the first entry, which must be there.
    #[inline(always)]
    pub(super) fn next_time(&self) -> f64 {
        f64::from_bits(self.next_bits())
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
        self.entries[0] as u32
    }

    /// Ends the handling of the first entry.
    #[inline(always)]
    pub(super) fn close(&mut self) {
        if self.hole {
            self.hole = false;
            self.len -= 1;
            let last = std::mem::replace(&mut self.entries[self.len], NONE);
            if self.len > 0 {
                self.sink(last);
            }
        }
    }

    /// Adds an entry.
    #[inline(always)]
    pub(super) fn push(&mut self, time: f64, what: u32) {
        debug_assert!(time >= 0.0);
        self.entered = self.entered.wrapping_add(1);
        let order = u64::from(self.entered) << 32 | u64::from(what);
        let entry = u128::from(time.to_bits()) << 64 | u128::from(order);
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
        let idx = self.entries[..self.len]
            .iter()
            .position(|entry| *entry as u32 == what)?;
        self.len -= 1;
        let time = time_of(self.entries[idx]);
        self.entries[idx] = self.entries[self.len];
        self.entries[self.len] = NONE;
        // Rare and short: order it anew.
        self.entries[..self.len].sort_unstable();
        Some(time)
    }

    /// What each entry is for, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        debug_assert!(!self.hole);
        self.entries[..self.len].iter().map(|entry| *entry as u32)
    }

    /// Puts an entry in the place of the first one and then below all smaller ones.
    #[inline(always)]
    fn sink(&mut self, entry: u128) {
        let entries = self.entries.as_mut_slice();
        let mut idx = 0;
        while let Some(four) = entries.get(4 * idx + 1..4 * idx + 5) {
            // Which one is least is random: a branch would be guessed wrong half of the time.
            let left = usize::from(four[1] < four[0]);
            let right = 2 + usize::from(four[3] < four[2]);
            let best = select_unpredictable(four[right & 3] < four[left & 3], right, left);
            let least = four[best & 3];
            if entry <= least {
                break;
            }
            entries[idx] = least;
            idx = 4 * idx + 1 + best;
        }
        entries[idx] = entry;
    }

    /// Puts an entry behind the last one and then above all greater ones.
    #[inline(always)]
    fn rise(&mut self, entry: u128) {
        let mut idx = self.len;
        self.len += 1;
        if self.len + 4 > self.entries.len() {
            self.entries.resize(2 * self.entries.len(), NONE);
        }
        let entries = self.entries.as_mut_slice();
        while idx > 0 {
            let parent = (idx - 1) / 4;
            if entries[parent] <= entry {
                break;
            }
            entries[idx] = entries[parent];
            idx = parent;
        }
        entries[idx] = entry;
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

//! Passive resources, granted in order of arrival: whoever wants many is not overtaken by who wants few.

use super::task::{Line, NONE};
use super::{Engine, Observer, What};

/// A pool.
#[derive(Debug, Default)]
pub(in crate::sim) struct PoolState {
    pub(in crate::sim) capacity: u32,
    free: u32,
    pub(in crate::sim) waiting: u32,
    line: Line,
    /// Integrals over time, less what is taken or waits now times t \[s\].
    pub(in crate::sim) taken_area: f64,
    pub(in crate::sim) waiting_area: f64,
}

impl PoolState {
    pub(in crate::sim) fn new(capacity: u32) -> Self {
        Self { capacity, free: capacity, ..Self::default() }
    }

    fn take(&mut self, count: u32, now: f64) {
        self.free -= count;
        self.taken_area -= f64::from(count) * now;
    }

    /// Integrals of the number taken and of those waiting up to `now`; they start again.
    pub(in crate::sim) fn take_areas(&mut self, now: f64) -> (f64, f64) {
        let taken = f64::from(self.capacity - self.free) * now;
        let waiting = f64::from(self.waiting) * now;
        let full = (self.taken_area + taken, self.waiting_area + waiting);
        (self.taken_area, self.waiting_area) = (-taken, -waiting);
        full
    }
}

impl<O: Observer> Engine<'_, O> {
    /// Asks for some of a pool; whether it is given at once.
    pub(super) fn take(&mut self, task: u32, idx: u32, count: u32) -> bool {
        let now = self.now;
        let pool = idx as usize;
        self.tell(task, What::Wants { pool, count });
        let state = &mut self.pools[pool];
        let free = state.waiting == 0 && state.free >= count;
        if free {
            state.take(count, now);
            self.tell(task, What::Takes { pool, count });
        } else {
            state.waiting += 1;
            state.waiting_area -= now;
            state.line.push_back(&mut self.tasks.hot, task);
            self.tasks.extra[task as usize].wanted = count;
        }
        free
    }

    /// Gives some back, and serves those who wait.
    pub(super) fn give(&mut self, task: u32, idx: u32, count: u32) {
        let now = self.now;
        let pool = idx as usize;
        let state = &mut self.pools[pool];
        state.free += count;
        state.taken_area += f64::from(count) * now;
        self.tell(task, What::Gives { pool, count });
        loop {
            let state = &mut self.pools[pool];
            let next = state.line.head;
            if next == NONE {
                return;
            }
            let count = self.tasks.extra[next as usize].wanted;
            if state.free < count {
                return;
            }
            state.line.pop_first(&self.tasks.hot);
            state.waiting -= 1;
            state.waiting_area += now;
            state.take(count, now);
            self.ready.push_back(next);
            self.tell(next, What::Takes { pool, count });
        }
    }
}

//! Bulk service: one goes through a body for all who wait, and who comes meanwhile waits for the next (N. T. J. Bailey, "On queueing
//! processes with bulk service", Journal of the Royal Statistical Society B 16(1), 1954).

use super::task::Line;
use super::{Engine, Observer};

/// Whom a bulk serves now, and who waits for the next.
#[derive(Debug, Default)]
pub(in crate::sim) struct BulkState {
    is_busy: bool,
    /// Those for whom somebody else goes through the body.
    served: Line,
    waiting: Line,
    waiting_count: u32,
}

impl<O: Observer> Engine<'_, O> {
    /// Comes to a bulk; whether it goes through the body at once. Else it goes on at `to`, or leads the next.
    pub(super) fn come_together(&mut self, task: u32, idx: u32, slot: u32, to: u32) -> bool {
        let state = &mut self.bulks[idx as usize];
        if !state.is_busy {
            state.is_busy = true;
            self.lead(task, idx, slot, 1);
            return true;
        }
        state.waiting.push_back(&mut self.tasks.hot, task);
        state.waiting_count += 1;
        let extra = &mut self.tasks.extra[task as usize];
        (extra.wanted, extra.slot) = (to, slot);
        let now = self.now;
        let cell = self.waiting_cell(task, idx);
        cell.n += 1;
        cell.area -= now;
        false
    }

    /// The body is done for all of them; the next begins.
    pub(super) fn go_apart(&mut self, task: u32, idx: u32, slot: u32) {
        let now = self.now;
        self.tasks.extra[task as usize].size = *self.tasks.slot(task, slot);
        while let Some(other) = self.bulks[idx as usize].served.pop(&self.tasks.hot) {
            self.waiting_cell(other, idx).leave(now);
            self.tasks.hot[other as usize].pc = self.tasks.extra[other as usize].wanted;
            self.ready.push_back(other);
        }
        let state = &mut self.bulks[idx as usize];
        state.served = std::mem::take(&mut state.waiting);
        let count = std::mem::take(&mut state.waiting_count);
        let Some(next) = state.served.pop(&self.tasks.hot) else {
            state.is_busy = false;
            return;
        };
        // From here on it is counted where it is served.
        let cell = self.waiting_cell(next, idx);
        cell.n -= 1;
        cell.area += now;
        let slot = self.tasks.extra[next as usize].slot;
        self.lead(next, idx, slot, count);
        self.ready.push_back(next);
    }

    /// Goes through the body for so many.
    fn lead(&mut self, task: u32, idx: u32, slot: u32, count: u32) {
        let joined = self.model.bulks[idx as usize].joined;
        let extra = &mut self.tasks.extra[task as usize];
        let outside = std::mem::replace(&mut extra.size, 1.0 + f64::from(count - 1) * joined);
        *self.tasks.slot(task, slot) = outside;
    }

    fn waiting_cell(&mut self, task: u32, idx: u32) -> &mut super::Cell {
        let station = self.model.bulks[idx as usize].station;
        let class = self.tasks.hot[task as usize].class as usize;
        &mut self.cells[station * self.n_classes + class]
    }
}

//! Which command a track block is of.

use super::orders::NONE;
use super::slot::{fill, is_unreported, weight};
use super::{CLOCK_S, Live, REMEMBERED, remembered_at};
use crate::serverlog::head::{Ended, Head};
use crate::serverlog::track::Track;

impl Live {
    /// The command that a track block is of.
    pub(super) fn of_block(&mut self, head: &Head, track: &Track) -> Option<u32> {
        let key = (head.at.micros, head.rest);
        // The same line may have been logged several times in a second: their blocks come in the same order. Early blocks
        // are of the one that runs.
        let (mut open, mut running, mut same, mut headless, mut later) = (None, None, None, None, None);
        let mut next = self.of_process.get(&head.pid).copied();
        while let Some(at) = next {
            let slot = &self.slots[at as usize];
            if slot.key == Some(key) {
                same = same.or(Some(at));
                if !slot.completed && !slot.replaced {
                    running = running.or(Some(at));
                }
                if !slot.closed {
                    open = Some(at);
                }
            } else if slot.key.is_none() {
                // Its beginning is reckoned from its end: whole seconds and three digits.
                let from = slot.command.start.micros - 2_000_000;
                let to = slot.command.end.map_or(i64::MAX, |end| end.micros + 1_000_000);
                if !slot.closed && (from..=to).contains(&head.at.micros) {
                    headless = Some(at);
                }
            } else if slot.key.is_some_and(|(_, rest)| rest == head.rest) && !slot.closed {
                later = later.or(Some(at));
            }
            next = Some(slot.before).filter(|before| *before != NONE);
        }
        let unreported = same.is_some_and(|at| is_unreported(self.slots[at as usize].command.function.as_bytes()));
        if unreported {
            // Each block is a command of its own, unless its beginning or its end was logged.
            return open.filter(|at| !self.slots[*at as usize].command.tracked);
        }
        if track.closing || track.tables {
            if open.is_some() {
                return open;
            }
        } else if same.is_some() {
            return running.or(open).or(same);
        }
        if same.is_some() {
            return None;
        }
        if let Some(at) = headless {
            self.name(at, head);
            return Some(at);
        }
        // A block of pending transfers bears the time at which it was written.
        if track.closing || track.tables {
            return None;
        }
        later
    }

    /// Gives a command without beginning the one that its track block names.
    pub(super) fn name(&mut self, at: u32, head: &Head) {
        let slot = &mut self.slots[at as usize];
        slot.key = Some((head.at.micros, head.rest));
        slot.command.start = head.at;
        self.bytes -= slot.bytes;
        fill(&mut slot.command, head);
        slot.bytes = weight(&slot.command);
        self.bytes += slot.bytes;
    }

    /// Whether a "completed" is of a command that was given out not long ago, its track block before it. It is of one.
    pub(super) fn was_tracked(&mut self, ended: Ended) -> bool {
        let (pid, end, lapse_s) = self.tracked[ended.pid as usize % REMEMBERED];
        let is_it =
            pid == ended.pid && lapse_s.to_bits() == ended.lapse_s.to_bits() && ended.at.seconds_since(end) >= -CLOCK_S;
        if is_it {
            self.tracked[ended.pid as usize % REMEMBERED].0 = u64::MAX;
        }
        is_it
    }

    /// Whether the command of this start line was given out not long ago.
    pub(super) fn was_given(&self, head: &Head) -> bool {
        let key = (head.pid, head.at.micros, head.rest);
        self.given[remembered_at(key)] == key
    }
}

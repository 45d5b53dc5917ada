//! The commands by age and by process: how they come in, wait, and go out.

use super::slot::{Slot, fill, is_unreported, weight};
use super::{Live, REMEMBERED, remembered_at};
use crate::serverlog::head::{Ended, Head};
use crate::serverlog::merge::drop_longer;
use crate::serverlog::record::{Damage, Ending, Moment, Place, Sink};
use crate::serverlog::reuse::reset;
use crate::serverlog::track::Track;

/// How long an ended command waits for its track block, in seconds of the log: five were seen.
const PATIENCE_S: i64 = 10;

/// By how much a wait or a hold may be longer than the log so far and the command's lapse together before it is taken for
/// damaged \[s\].
const DOUBT_S: i64 = 60;

/// Commands at a time; a log without ends (server level 1) would keep all.
const MOST_LIVE: usize = 100_000;

/// About their memory, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// Commands of one process that wait for their track blocks.
const MOST_OF_PROCESS: u32 = 32;

/// Lists of tables kept for their memory, and how long they may be.
const MOST_LISTS: usize = 256;
const LONGEST_LIST: usize = 64;

/// No other command.
pub(super) const NONE: u32 = u32::MAX;

impl Live {
    /// The latest command of a process of which something holds.
    pub(super) fn find(&self, pid: u64, holds: impl Fn(&Slot) -> bool) -> Option<u32> {
        let mut next = self.of_process.get(&pid).copied();
        while let Some(at) = next {
            let slot = &self.slots[at as usize];
            if holds(slot) {
                return Some(at);
            }
            next = Some(slot.before).filter(|before| *before != NONE);
        }
        None
    }

    /// It will be given out when its time has come.
    pub(super) fn wait(&mut self, at: u32) {
        let slot = &mut self.slots[at as usize];
        if !slot.waits {
            slot.waits = true;
            // Those that need not wait any more are left in the queue; not for ever, if the clock stands still.
            if self.queue.len() > 2 * self.count + 1024 {
                let slots = &self.slots;
                self.queue.retain(|(_, at, number)| slots[*at as usize].number == *number);
            }
            let slot = &self.slots[at as usize];
            let until = self.elapsed_s.saturating_add(PATIENCE_S);
            self.queue.push_back((until, at, slot.number));
        }
    }

    /// A new command with its start line.
    pub(super) fn begin(&mut self, head: &Head, place: Place, sink: &mut dyn Sink) -> u32 {
        let at = self.place(head.pid, place, head.at, sink);
        let slot = &mut self.slots[at as usize];
        slot.key = Some((head.at.micros, head.rest));
        fill(&mut slot.command, head);
        slot.bytes = weight(&slot.command);
        self.bytes += slot.bytes;
        self.bound(sink);
        at
    }

    /// A command of which the log has no beginning: it is reckoned from its end.
    pub(super) fn begin_headless(&mut self, ended: Ended, place: Place, sink: &mut dyn Sink) -> u32 {
        let start = ended.at.plus_seconds(-ended.lapse_s);
        let at = self.place(ended.pid, place, start, sink);
        let slot = &mut self.slots[at as usize];
        slot.key = None;
        slot.bytes = weight(&slot.command);
        self.bytes += slot.bytes;
        self.bound(sink);
        at
    }

    /// A place for a command, in the order of age and as the latest of its process.
    pub(super) fn place(&mut self, pid: u64, place: Place, start: Moment, sink: &mut dyn Sink) -> u32 {
        if let Some(latest) = self.of_process.get(&pid).copied() {
            self.replaced(latest, sink);
        }
        let before = self.of_process.get(&pid).copied().unwrap_or(NONE);
        self.number += 1;
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            (self.slots.len() - 1) as u32
        });
        let slot = &mut self.slots[at as usize];
        slot.number = self.number;
        (slot.started, slot.completed, slot.closed) = (false, false, false);
        (slot.replaced, slot.waits) = (false, false);
        (slot.older, slot.newer, slot.before) = (self.newest, NONE, before);
        slot.command.place = place;
        slot.command.pid = pid;
        slot.command.start = start;
        if self.newest == NONE {
            self.oldest = at;
        } else {
            self.slots[self.newest as usize].newer = at;
        }
        self.newest = at;
        self.count += 1;
        self.of_process.insert(pid, at);
        at
    }

    /// Another command of the process begins.
    pub(super) fn replaced(&mut self, latest: u32, sink: &mut dyn Sink) {
        let slot = &mut self.slots[latest as usize];
        let tracked = slot.command.tracked && is_unreported(slot.command.function.as_bytes());
        if slot.closed || tracked {
            self.give(latest, Ending::Replaced, sink);
            return;
        }
        slot.replaced = true;
        let pid = slot.command.pid;
        self.wait(latest);
        // Not too many of one process, of which each block looks through all.
        let (mut count, mut first, mut next) = (0, latest, latest);
        while next != NONE {
            (count, first) = (count + 1, next);
            next = self.slots[next as usize].before;
        }
        if count > MOST_OF_PROCESS {
            debug_assert_eq!(self.slots[first as usize].command.pid, pid);
            self.give(first, Ending::Replaced, sink);
        }
    }

    /// Neither too many nor too large: the oldest is given out.
    pub(super) fn bound(&mut self, sink: &mut dyn Sink) {
        while self.count > MOST_LIVE || (self.bytes > MOST_BYTES && self.count > 1) {
            self.give(self.oldest, Ending::Pending, sink);
        }
    }

    /// Gives out a command: `why` is how it ended if the log does not say.
    pub(super) fn give(&mut self, at: u32, why: Ending, sink: &mut dyn Sink) {
        self.unlink(at);
        let slot = &mut self.slots[at as usize];
        let command = &mut slot.command;
        if slot.completed {
            command.ending = Ending::Completed;
        } else if why == Ending::Removed {
            command.ending = why;
        } else if let Some(lapse_s) = command.lapse_s {
            command.ending = Ending::Tracked;
            let end = command.start.plus_seconds(lapse_s);
            command.end = Some(end);
            self.tracked[command.pid as usize % REMEMBERED] = (command.pid, end, lapse_s);
        } else if slot.closed || is_unreported(command.function.as_bytes()) {
            command.ending = Ending::Unreported;
            command.end = Some(command.start);
        } else if slot.replaced {
            command.ending = Ending::Replaced;
        } else {
            command.ending = why;
        }
        let lapse_s = command.lapse_s.unwrap_or(0.0) as i64;
        let most_s = self.elapsed_s.saturating_add(lapse_s + DOUBT_S);
        let most_ms = most_s.max(0).cast_unsigned().saturating_mul(1000);
        if drop_longer(command, most_ms) {
            sink.damage(&Damage {
                place: command.place,
                bytes: 0,
                found: format!("lock times longer than the log, of process {}", command.pid),
            });
        }
        sink.command(command);
        if slot.started
            && let Some((time, rest)) = slot.key
        {
            let key = (command.pid, time, rest);
            self.given[remembered_at(key)] = key;
        }
        reset(command, &mut self.spare);
        let list = std::mem::take(&mut command.tables);
        if list.capacity() <= LONGEST_LIST && self.lists.len() < MOST_LISTS {
            self.lists.push(list);
        }
        slot.number = 0;
        self.bytes -= slot.bytes;
        slot.bytes = 0;
        self.count -= 1;
        self.free.push(at);
    }

    /// Takes a command out of the orders.
    pub(super) fn unlink(&mut self, at: u32) {
        let slot = &self.slots[at as usize];
        let (older, newer, before, pid) = (slot.older, slot.newer, slot.before, slot.command.pid);
        match older {
            NONE => self.oldest = newer,
            older => self.slots[older as usize].newer = newer,
        }
        match newer {
            NONE => self.newest = older,
            newer => self.slots[newer as usize].older = older,
        }
        let Some(mut next) = self.of_process.get(&pid).copied() else {
            return;
        };
        if next == at {
            if before == NONE {
                self.of_process.remove(&pid);
            } else {
                self.of_process.insert(pid, before);
            }
            return;
        }
        while next != NONE {
            let slot = &mut self.slots[next as usize];
            if slot.before == at {
                slot.before = before;
                return;
            }
            next = slot.before;
        }
    }

    /// Tables to use again go to where they are filled.
    pub(in crate::serverlog) fn share_spare(&mut self, track: &mut Track) {
        if track.spare.is_empty() {
            std::mem::swap(&mut track.spare, &mut self.spare);
        }
        let tables = &mut track.command.tables;
        if tables.capacity() == 0
            && let Some(list) = self.lists.pop()
        {
            *tables = list;
        }
    }
}

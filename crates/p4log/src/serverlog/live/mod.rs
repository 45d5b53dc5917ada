//! The commands that may still get lines: begun and not ended, or ended and their track block to come.
//!
//! A process runs one command at a time. What ends one (a "completed", another beginning) does not give it out: its track
//! block comes seconds later, perhaps after the next command of that process began. It is given out when its last track
//! block has come and its end, or when the log's time has gone on for ten seconds, or when there are too many.

mod find;
mod orders;
mod slot;

use std::collections::{HashMap, VecDeque};

use orders::NONE;
use slot::{Slot, fill, is_unreported, weight};

pub(super) use slot::{LONGEST_ARGUMENTS, LONGEST_TEXT, parent};

use super::counters::Counted as _;
use super::head::{Ended, Head};
use super::merge::merge;
use super::record::{Ending, Estimate, Moment, Place, Sink, TableUse, Trigger};
use super::reuse::push_text;
use super::track::Track;

/// Triggers of a command.
pub(super) const MOST_TRIGGERS: usize = 100;

/// Commands given out that are remembered, so that what comes too late is not taken for another one: a power of two.
const REMEMBERED: usize = 4096;

/// By how much beginning, lapse and end may disagree, all three told in whole seconds or three digits \[s\].
const CLOCK_S: f64 = 2.0;

/// Where a command is remembered.
fn remembered_at((pid, time, rest): (u64, i64, u64)) -> usize {
    (rest ^ pid ^ (time.unsigned_abs() / 1_000_000)) as usize % REMEMBERED
}

/// The commands.
#[derive(Debug, Clone)]
pub(super) struct Live {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The latest command of each process.
    of_process: HashMap<u64, u32>,
    oldest: u32,
    newest: u32,
    count: usize,
    bytes: usize,
    number: u64,
    /// Those that wait: until when by `elapsed`, where, and which.
    queue: VecDeque<(i64, u32, u64)>,
    /// The log's time in seconds, as far as it goes forward, and the last that was seen.
    elapsed_s: i64,
    last_s: Option<i64>,
    /// The process that logged "compute end" last: the network estimates that follow are of its sync.
    computing: Option<u64>,
    /// Process, time and rest of those given out last that had begun with a line of their own.
    given: Vec<(u64, i64, u64)>,
    /// Process, end and lapse of those given out last whose track block came and whose "completed" had not.
    tracked: Vec<(u64, Moment, f64)>,
    /// Tables and lists of them to use again.
    spare: Vec<TableUse>,
    lists: Vec<Vec<TableUse>>,
}

impl Live {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            of_process: HashMap::new(),
            oldest: NONE,
            newest: NONE,
            count: 0,
            bytes: 0,
            number: 0,
            queue: VecDeque::new(),
            elapsed_s: 0,
            last_s: None,
            computing: None,
            given: vec![(0, 0, 0); REMEMBERED],
            tracked: vec![(u64::MAX, Moment::default(), 0.0); REMEMBERED],
            spare: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The log says what time it is. Its clock may go back, and a damaged line may say anything.
    pub(super) fn tick(&mut self, at: Moment, sink: &mut dyn Sink) {
        let now = at.micros.div_euclid(1_000_000);
        let Some(last) = self.last_s else {
            self.last_s = Some(now);
            return;
        };
        if now == last {
            return;
        }
        if now > last {
            self.elapsed_s = self.elapsed_s.saturating_add(now - last);
            self.last_s = Some(now);
        } else if last - now > 60 {
            self.last_s = Some(now);
        }
        while let Some((until, at, number)) = self.queue.front().copied() {
            if until > self.elapsed_s {
                break;
            }
            self.queue.pop_front();
            if self.slots[at as usize].number == number {
                self.give(at, Ending::Pending, sink);
            }
        }
    }

    /// A command begins.
    pub(super) fn start(&mut self, head: &Head, place: Place, track: &mut Track, sink: &mut dyn Sink) {
        self.tick(head.at, sink);
        if head.field(head.fields.function) == b"client-Stats" {
            self.client_stats(head, place, track, sink);
        } else {
            let at = self.begin(head, place, sink);
            self.slots[at as usize].started = true;
        }
    }

    /// A trigger ran in a command, which may be named by this line for the first time. Whether it was found.
    pub(super) fn trigger(
        &mut self,
        head: &Head,
        place: Place,
        name: &[u8],
        lapse_s: Option<f64>,
        sink: &mut dyn Sink,
    ) -> bool {
        let key = Some((head.at.micros, head.rest));
        let at = match self.find(head.pid, |slot| slot.key == key) {
            Some(at) => at,
            None if self.was_given(head) => return false,
            None => {
                self.tick(head.at, sink);
                self.begin(head, place, sink)
            }
        };
        let triggers = &mut self.slots[at as usize].command.triggers;
        if triggers.len() < MOST_TRIGGERS {
            let mut text = String::new();
            push_text(&mut text, name, LONGEST_TEXT);
            triggers.push(Trigger { name: text, lapse_s });
        }
        true
    }

    /// A track block with its start line. Whether it found its command, or is the only sign of one.
    pub(super) fn track(&mut self, head: &Head, place: Place, track: &mut Track, sink: &mut dyn Sink) -> bool {
        if head.field(head.fields.function) == b"client-Stats" {
            self.client_stats(head, place, track, sink);
            return true;
        }
        let Some(at) = self.of_block(head, track) else {
            // One start line is one command: what comes once more, or too late, is none.
            let key = Some((head.at.micros, head.rest));
            let known = self.was_given(head) || self.find(head.pid, |slot| slot.started && slot.key == key).is_some();
            if known && !is_unreported(head.field(head.fields.function)) {
                return false;
            }
            if let Some(latest) = self.of_process.get(&head.pid)
                && self.slots[*latest as usize].key.is_some_and(|(time, _)| time > head.at.micros)
            {
                return false;
            }
            // It began then; the log says now what it used.
            let now = head.at.plus_seconds(track.command.lapse_s.unwrap_or(0.0));
            if self.last_s.is_none_or(|last| now.micros / 1_000_000 >= last) {
                self.tick(now, sink);
            }
            let at = self.begin(head, place, sink);
            self.add(at, track, sink);
            return true;
        };
        self.add(at, track, sink);
        true
    }

    /// Client-Stats come when their command has ended; they are a record of their own.
    fn client_stats(&mut self, head: &Head, place: Place, track: &mut Track, sink: &mut dyn Sink) {
        if let Some(latest) = self.of_process.get(&head.pid).copied()
            && self.slots[latest as usize].closed
        {
            self.give(latest, Ending::Pending, sink);
        }
        let command = &mut track.command;
        command.place = place;
        command.start = head.at;
        command.end = Some(head.at);
        command.ending = Ending::Unreported;
        command.tracked = track.any;
        fill(command, head);
        sink.command(command);
        track.any = true;
        track.clear();
    }

    /// "completed": which of the process's commands that is, 0 of one that was given out.
    pub(super) fn completed(&mut self, ended: Ended, place: Place, sink: &mut dyn Sink) -> u64 {
        self.tick(ended.at, sink);
        let running = self.of_process.get(&ended.pid).copied();
        let running = running.filter(|at| !self.slots[*at as usize].completed);
        let fits = |at: u32| {
            let begun = ended.at.plus_seconds(-ended.lapse_s);
            let start = self.slots[at as usize].command.start;
            start.seconds_since(begun).abs() <= CLOCK_S
        };
        if !running.is_some_and(fits) && self.was_tracked(ended) {
            return 0;
        }
        let at = running.unwrap_or_else(|| self.begin_headless(ended, place, sink));
        let slot = &mut self.slots[at as usize];
        let number = slot.number;
        slot.completed = true;
        slot.command.end = Some(ended.at);
        // Those of the track block are the later ones.
        slot.command.lapse_s = slot.command.lapse_s.or(Some(ended.lapse_s));
        slot.command.usage = slot.command.usage.or(ended.usage);
        if slot.closed {
            self.give(at, Ending::Completed, sink);
        } else {
            self.wait(at);
        }
        number
    }

    /// Track lines right behind "completed", as proxies write them.
    pub(super) fn track_completed(&mut self, pid: u64, number: u64, track: &mut Track, sink: &mut dyn Sink) -> bool {
        let at = self.find(pid, |slot| slot.number == number);
        if let Some(at) = at {
            self.add(at, track, sink);
        }
        at.is_some()
    }

    /// "compute end".
    pub(super) fn computed(&mut self, ended: Ended, place: Place, sink: &mut dyn Sink) {
        self.tick(ended.at, sink);
        let latest = self.of_process.get(&ended.pid).copied();
        let at = match latest {
            Some(at) if !self.slots[at as usize].completed => at,
            _ => self.begin_headless(ended, place, sink),
        };
        // The lapses of several are all from the beginning of the command.
        let command = &mut self.slots[at as usize].command;
        command.compute_s = Some(command.compute_s.unwrap_or(0.0).max(ended.lapse_s));
        self.computing = Some(ended.pid);
    }

    /// What a sync is about to send, once for each of its arguments.
    pub(super) fn estimate(&mut self, estimate: Estimate) -> bool {
        let at = self.computing.and_then(|pid| self.of_process.get(&pid));
        let Some(slot) = at.map(|at| &mut self.slots[*at as usize]) else {
            return false;
        };
        let sum = slot.command.estimate.get_or_insert_default();
        sum.add_counters(&estimate);
        true
    }

    /// An error of this process.
    pub(super) fn failed(&mut self, pid: u64) {
        if let Some(at) = self.of_process.get(&pid) {
            self.slots[*at as usize].command.failed = true;
        }
    }

    /// "exited unexpectedly, removed from monitor table".
    pub(super) fn removed(&mut self, pid: u64, sink: &mut dyn Sink) {
        let latest = self.of_process.get(&pid).copied();
        if let Some(at) = latest
            && !self.slots[at as usize].completed
        {
            if self.slots[at as usize].closed {
                // Its connection stayed when it had ended.
                self.give(at, Ending::Pending, sink);
                return;
            }
            self.slots[at as usize].command.failed = true;
            self.give(at, Ending::Removed, sink);
        }
    }

    /// Gives out all, the oldest first.
    pub(super) fn all(&mut self, why: Ending, sink: &mut dyn Sink) {
        while self.oldest != NONE {
            self.give(self.oldest, why, sink);
        }
        self.queue.clear();
        self.computing = None;
    }

    /// Adds a track block to a command.
    fn add(&mut self, at: u32, track: &mut Track, sink: &mut dyn Sink) {
        let slot = &mut self.slots[at as usize];
        slot.closed |= track.closing;
        merge(&mut slot.command, track);
        self.bytes -= slot.bytes;
        slot.bytes = weight(&slot.command);
        self.bytes += slot.bytes;
        if slot.completed && slot.closed {
            self.give(at, Ending::Completed, sink);
        } else if slot.closed || is_unreported(slot.command.function.as_bytes()) {
            self.wait(at);
        }
        self.bound(sink);
    }
}

//! The commands that may still get lines: begun and not ended, or ended and their track block to come.
//!
//! A process runs one command at a time. What ends one (a "completed", another beginning) does not give it out: its track
//! block comes seconds later, perhaps after the next command of that process began. It is given out when its last track
//! block has come and its end, or when the log's time has gone on for [`PATIENCE_S`], or when there are too many.

use std::collections::{HashMap, VecDeque};

use super::head::{Ended, Head};
use super::record::{Command, Ending, Estimate, Moment, Place, Sink, TableUse, Trigger};
use super::reuse::{push_text, reset};
use super::track::{Track, merge};

/// How long an ended command waits for its track block, in seconds of the log: five were seen.
const PATIENCE_S: i64 = 10;

/// Commands at a time; a log without ends (server level 1) would keep all.
pub(super) const MOST_LIVE: usize = 100_000;

/// And their memory, about.
const MOST_BYTES: usize = 256 << 20;

/// Commands of one process that wait for their track blocks.
const MOST_OF_PROCESS: u32 = 32;

/// Longest arguments kept; p4d itself shortens long ones.
const LONGEST_ARGUMENTS: usize = 16 << 10;

/// Longest of the other texts.
const LONGEST_TEXT: usize = 1 << 10;

/// Triggers of a command.
const MOST_TRIGGERS: usize = 100;

/// No other command.
const NONE: u32 = u32::MAX;

/// Commands whose end is not logged: transfers to replicas and their threads.
fn is_unreported(function: &str) -> bool {
    function.starts_with("rmt-") || function == "pull" || function == "client-Stats"
}

/// A command and what is known of its course.
#[derive(Debug)]
struct Slot {
    command: Command,
    /// Its start line's time and the rest of it, by which a track block finds it.
    key: Option<(i64, u64)>,
    /// Which one it is, counted from the first: places are used again.
    number: u64,
    /// Those before and after it by age, and the one before it of the same process.
    older: u32,
    newer: u32,
    before: u32,
    /// Whether "completed" came.
    completed: bool,
    /// Whether the lines at the end of its track block came.
    closed: bool,
    /// Whether another of its process began.
    replaced: bool,
    /// Whether it is in the queue of those that wait.
    waits: bool,
    /// About its memory.
    bytes: usize,
}

/// The commands.
#[derive(Debug)]
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
    /// Tables to use again.
    spare: Vec<TableUse>,
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
            spare: Vec::new(),
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
    pub(super) fn start(
        &mut self,
        head: &Head,
        place: Place,
        track: &mut Track,
        sink: &mut dyn Sink,
    ) {
        self.tick(head.at, sink);
        if head.field(head.fields.function) == b"client-Stats" {
            self.client_stats(head, place, track, sink);
        } else {
            self.begin(head, place, sink);
        }
    }

    /// A trigger ran in a command, which may be named by this line for the first time.
    pub(super) fn trigger(
        &mut self,
        head: &Head,
        place: Place,
        name: &[u8],
        lapse_s: Option<f64>,
        sink: &mut dyn Sink,
    ) {
        let key = Some((head.at.micros, head.rest));
        let at = self.find(head.pid, |slot| slot.key == key);
        let at = at.unwrap_or_else(|| self.begin(head, place, sink));
        let triggers = &mut self.slots[at as usize].command.triggers;
        if triggers.len() < MOST_TRIGGERS {
            let mut text = String::new();
            push_text(&mut text, name, LONGEST_TEXT);
            triggers.push(Trigger {
                name: text,
                lapse_s,
            });
        }
    }

    /// A track block with its start line. Whether it found its command, or is the only sign of one.
    pub(super) fn track(
        &mut self,
        head: &Head,
        place: Place,
        track: &mut Track,
        sink: &mut dyn Sink,
    ) -> bool {
        if head.field(head.fields.function) == b"client-Stats" {
            self.client_stats(head, place, track, sink);
            return true;
        }
        let Some(at) = self.of_block(head, track) else {
            if let Some(latest) = self.of_process.get(&head.pid)
                && self.slots[*latest as usize]
                    .key
                    .is_some_and(|(time, _)| time > head.at.micros)
            {
                return false;
            }
            // It began then; the log says now what it used.
            let now = head.at.plus_seconds(track.command.lapse_s.unwrap_or(0.0));
            if self
                .last_s
                .is_none_or(|last| now.micros / 1_000_000 >= last)
            {
                self.tick(now, sink);
            }
            let at = self.begin(head, place, sink);
            self.add(at, track, sink);
            return true;
        };
        self.add(at, track, sink);
        true
    }

    /// The command that a track block is of.
    fn of_block(&mut self, head: &Head, track: &Track) -> Option<u32> {
        let key = (head.at.micros, head.rest);
        // The same line may have been logged several times in a second: their blocks come in the same order. Early blocks
        // are of the one that runs.
        let (mut open, mut running, mut same, mut headless, mut later) =
            (None, None, None, None, None);
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
                let to = slot
                    .command
                    .end
                    .map_or(i64::MAX, |end| end.micros + 1_000_000);
                if !slot.closed && (from..=to).contains(&head.at.micros) {
                    headless = Some(at);
                }
            } else if slot.key.is_some_and(|(_, rest)| rest == head.rest) && !slot.closed {
                later = later.or(Some(at));
            }
            next = Some(slot.before).filter(|before| *before != NONE);
        }
        let unreported =
            same.is_some_and(|at| is_unreported(&self.slots[at as usize].command.function));
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
    fn name(&mut self, at: u32, head: &Head) {
        let slot = &mut self.slots[at as usize];
        slot.key = Some((head.at.micros, head.rest));
        slot.command.start = head.at;
        self.bytes -= slot.bytes;
        fill(&mut slot.command, head);
        slot.bytes = weight(&slot.command);
        self.bytes += slot.bytes;
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

    /// "completed".
    pub(super) fn completed(&mut self, ended: Ended, place: Place, sink: &mut dyn Sink) -> u64 {
        self.tick(ended.at, sink);
        let latest = self.of_process.get(&ended.pid).copied();
        let at = match latest {
            Some(at) if !self.slots[at as usize].completed => at,
            _ => self.begin_headless(ended, place, sink),
        };
        let slot = &mut self.slots[at as usize];
        let number = slot.number;
        slot.completed = true;
        slot.command.end = Some(ended.at);
        slot.command.lapse_s = Some(ended.lapse_s);
        // That of the track block is the later one.
        slot.command.usage = slot.command.usage.or(ended.usage);
        if slot.closed {
            self.give(at, Ending::Completed, sink);
        } else {
            self.wait(at);
        }
        number
    }

    /// Track lines right behind "completed", as proxies write them.
    pub(super) fn track_completed(
        &mut self,
        pid: u64,
        number: u64,
        track: &mut Track,
        sink: &mut dyn Sink,
    ) -> bool {
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
        sum.added = sum.added.saturating_add(estimate.added);
        sum.updated = sum.updated.saturating_add(estimate.updated);
        sum.deleted = sum.deleted.saturating_add(estimate.deleted);
        sum.added_bytes = sum.added_bytes.saturating_add(estimate.added_bytes);
        sum.updated_bytes = sum.updated_bytes.saturating_add(estimate.updated_bytes);
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

    /// The latest command of a process of which something holds.
    fn find(&self, pid: u64, holds: impl Fn(&Slot) -> bool) -> Option<u32> {
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

    /// Adds a track block to a command.
    fn add(&mut self, at: u32, track: &mut Track, sink: &mut dyn Sink) {
        let slot = &mut self.slots[at as usize];
        slot.closed |= track.closing;
        merge(&mut slot.command, track, slot.completed);
        self.bytes -= slot.bytes;
        slot.bytes = weight(&slot.command);
        self.bytes += slot.bytes;
        if slot.completed && slot.closed {
            self.give(at, Ending::Completed, sink);
        } else if slot.closed || is_unreported(&slot.command.function) {
            self.wait(at);
        }
        self.bound(sink);
    }

    /// It will be given out when its time has come.
    fn wait(&mut self, at: u32) {
        let slot = &mut self.slots[at as usize];
        if !slot.waits {
            slot.waits = true;
            let until = self.elapsed_s.saturating_add(PATIENCE_S);
            self.queue.push_back((until, at, slot.number));
        }
    }

    /// A new command with its start line.
    fn begin(&mut self, head: &Head, place: Place, sink: &mut dyn Sink) -> u32 {
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
    fn begin_headless(&mut self, ended: Ended, place: Place, sink: &mut dyn Sink) -> u32 {
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
    fn place(&mut self, pid: u64, place: Place, start: Moment, sink: &mut dyn Sink) -> u32 {
        if let Some(latest) = self.of_process.get(&pid).copied() {
            self.replaced(latest, sink);
        }
        let before = self.of_process.get(&pid).copied().unwrap_or(NONE);
        self.number += 1;
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                command: Command::default(),
                key: None,
                number: 0,
                older: NONE,
                newer: NONE,
                before: NONE,
                completed: false,
                closed: false,
                replaced: false,
                waits: false,
                bytes: 0,
            });
            (self.slots.len() - 1) as u32
        });
        let slot = &mut self.slots[at as usize];
        slot.number = self.number;
        (slot.completed, slot.closed) = (false, false);
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
    fn replaced(&mut self, latest: u32, sink: &mut dyn Sink) {
        let slot = &mut self.slots[latest as usize];
        let tracked = slot.command.tracked && is_unreported(&slot.command.function);
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
    fn bound(&mut self, sink: &mut dyn Sink) {
        while self.count > MOST_LIVE || (self.bytes > MOST_BYTES && self.count > 1) {
            self.give(self.oldest, Ending::Pending, sink);
        }
    }

    /// Gives out a command: `why` is how it ended if the log does not say.
    fn give(&mut self, at: u32, why: Ending, sink: &mut dyn Sink) {
        self.unlink(at);
        let slot = &mut self.slots[at as usize];
        let command = &mut slot.command;
        if slot.completed {
            command.ending = Ending::Completed;
        } else if why == Ending::Removed {
            command.ending = why;
        } else if let Some(lapse_s) = command.lapse_s {
            command.ending = Ending::Tracked;
            command.end = Some(command.start.plus_seconds(lapse_s));
        } else if slot.closed || is_unreported(&command.function) {
            command.ending = Ending::Unreported;
            command.end = Some(command.start);
        } else if slot.replaced {
            command.ending = Ending::Replaced;
        } else {
            command.ending = why;
        }
        sink.command(command);
        reset(command, &mut self.spare);
        slot.number = 0;
        self.bytes -= slot.bytes;
        slot.bytes = 0;
        self.count -= 1;
        self.free.push(at);
    }

    /// Takes a command out of the orders.
    fn unlink(&mut self, at: u32) {
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
    pub(super) fn share_spare(&mut self, track: &mut Track) {
        if track.spare.is_empty() {
            std::mem::swap(&mut track.spare, &mut self.spare);
        }
    }
}

/// About the memory of a command.
fn weight(command: &Command) -> usize {
    size_of::<Slot>()
        + command.arguments.len()
        + command.tables.len() * (size_of::<TableUse>() + 32)
        + command.triggers.len() * 64
}

/// The texts of a start line.
fn fill(command: &mut Command, head: &Head) {
    let fields = head.fields;
    command.pid = head.pid;
    for (text, field, most) in [
        (&mut command.user, fields.user, LONGEST_TEXT),
        (&mut command.client, fields.client, LONGEST_TEXT),
        (&mut command.address, fields.address, LONGEST_TEXT),
        (&mut command.program, fields.program, LONGEST_TEXT),
        (&mut command.function, fields.function, LONGEST_TEXT),
        (&mut command.arguments, fields.arguments, LONGEST_ARGUMENTS),
    ] {
        text.clear();
        push_text(text, head.field(field), most);
    }
    if command.function == "user-transmit" {
        command.parent = parent(&command.arguments);
    }
}

/// The process after `-t`, with or without a space.
fn parent(arguments: &str) -> Option<u64> {
    let mut words = arguments.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if let Some(number) = word.strip_prefix("-t") {
            let number = if number.is_empty() {
                words.next()?
            } else {
                number
            };
            return number.parse().ok();
        }
    }
    None
}

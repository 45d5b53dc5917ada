//! The replay itself: commands come, take locks first come first served, and go.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::program::{Step, program};
use super::trace::{Call, Mode, Plan};
use crate::sim::Uniform;

/// A part of its own time in which a command has its locks: the second half is mostly the answer (assumed).
const LOCKS_WITHIN: f64 = 0.5;

/// What one replay had.
#[derive(Debug, Clone)]
pub(super) struct Played {
    /// Waits by lock \[s\], of those who are in.
    pub(super) by_lock: Vec<f64>,
    /// Waits by user \[s\], of those who are neither left out nor cut.
    pub(super) by_user: Vec<f64>,
    /// All of these \[s\].
    pub(super) others_s: f64,
    /// For which commands others waited.
    pub(super) in_the_way: Vec<bool>,
}

/// A lock: who has it, and who waits in the order in which they came.
#[derive(Debug, Clone, Default)]
struct Lock {
    readers: u32,
    writer: bool,
    queue: VecDeque<(u32, Mode, i64)>,
    /// Reads without a lock, which wait for a writer.
    peeks: Vec<(u32, i64)>,
}

impl Lock {
    fn lets(&self, mode: Mode) -> bool {
        match mode {
            Mode::Peek => !self.writer,
            Mode::Shared => !self.writer && self.queue.is_empty(),
            Mode::Exclusive => !self.writer && self.readers == 0 && self.queue.is_empty(),
        }
    }

    fn take(&mut self, mode: Mode) {
        match mode {
            Mode::Peek => {}
            Mode::Shared => self.readers += 1,
            Mode::Exclusive => self.writer = true,
        }
    }
}

/// A command that runs.
#[derive(Debug, Clone)]
struct Running {
    steps: Vec<Step>,
    at: usize,
    /// How it has each lock: with writers or readers.
    has: Vec<(u32, Mode)>,
}

struct Engine<'a> {
    plan: &'a Plan,
    changed: bool,
    seed: u64,
    /// Next events: when, and which command; of the same time the one that came first.
    events: BinaryHeap<Reverse<(i64, u32)>>,
    running: Vec<Option<Box<Running>>>,
    locks: Vec<Lock>,
    /// Commands that follow the end of each: the first, and for each the next.
    first: Vec<Option<u32>>,
    next: Vec<Option<u32>>,
    played: Played,
}

/// Replays the log; with the change, or with everybody in.
pub(super) fn play(plan: &Plan, seed: u64, changed: bool) -> Played {
    let calls = plan.calls.len();
    let mut engine = Engine {
        plan,
        changed,
        seed,
        events: BinaryHeap::new(),
        running: vec![None; calls],
        locks: vec![Lock::default(); plan.locks()],
        first: vec![None; calls],
        next: vec![None; calls],
        played: Played {
            by_lock: vec![0.0; plan.locks()],
            by_user: vec![0.0; plan.users()],
            others_s: 0.0,
            in_the_way: vec![false; calls],
        },
    };
    for (number, call) in plan.calls.iter().enumerate() {
        let number = number as u32;
        match call.after {
            Some(before) => {
                engine.next[number as usize] = engine.first[before as usize].replace(number);
            }
            None => engine.events.push(Reverse((engine.came(number), number))),
        }
    }
    let mut last = 0;
    loop {
        while let Some(Reverse((now, number))) = engine.events.pop() {
            engine.step(now, number);
            last = now;
        }
        if !engine.untie(last) {
            return engine.played;
        }
    }
}

impl Engine<'_> {
    fn call(&self, number: u32) -> &Call {
        &self.plan.calls[number as usize]
    }

    /// What the log does not say of a command, from 0 to 1: when in its second it came, and when in its time it locked.
    fn drawn(&self, number: u32) -> [f64; 2] {
        let mut numbers = Uniform::new(self.seed.rotate_left(32) ^ u64::from(number));
        [numbers.unit(), numbers.unit()]
    }

    /// When a command came, by the log: some time in its second \[µs\].
    fn came(&self, number: u32) -> i64 {
        let [within, _] = self.drawn(number);
        self.call(number).start + (1e6 * within) as i64
    }

    /// Goes on with a command until it waits.
    fn step(&mut self, now: i64, number: u32) {
        let mut running = self.running[number as usize].take().unwrap_or_else(|| {
            let call = self.call(number);
            let rest = if self.changed { call.rest } else { 1.0 };
            let [_, when] = self.drawn(number).map(|drawn| LOCKS_WITHIN * drawn);
            Box::new(Running { steps: program(self.plan, call, rest, when), at: 0, has: Vec::new() })
        });
        while let Some(step) = running.steps.get(running.at).copied() {
            running.at += 1;
            match step {
                Step::Work(0) => {}
                Step::Work(time) => {
                    self.running[number as usize] = Some(running);
                    self.events.push(Reverse((now + time, number)));
                    return;
                }
                Step::Take(lock, mode) => {
                    running.has.push((lock, mode));
                    let wanted = &mut self.locks[lock as usize];
                    if wanted.lets(mode) {
                        wanted.take(mode);
                        continue;
                    }
                    match mode {
                        Mode::Peek => wanted.peeks.push((number, now)),
                        _ => wanted.queue.push_back((number, mode, now)),
                    }
                    self.running[number as usize] = Some(running);
                    return;
                }
                Step::Give(lock) => {
                    let has = running.has.iter().position(|(one, _)| *one == lock);
                    if let Some(at) = has {
                        let (_, mode) = running.has.swap_remove(at);
                        self.give(now, number, lock, mode);
                    }
                }
            }
        }
        self.ended(now, number);
    }

    /// Gives a lock back, and to those who wait for it.
    fn give(&mut self, now: i64, number: u32, lock: u32, mode: Mode) {
        let given = &mut self.locks[lock as usize];
        match mode {
            Mode::Exclusive => given.writer = false,
            Mode::Shared => given.readers -= 1,
            Mode::Peek => return,
        }
        if !given.queue.is_empty() || !given.peeks.is_empty() {
            self.played.in_the_way[number as usize] = true;
        }
        let mut got: Vec<(u32, i64)> = Vec::new();
        if !given.writer {
            got.append(&mut given.peeks);
        }
        while let Some((next, mode, since)) = given.queue.front().copied() {
            let is_free = match mode {
                Mode::Exclusive => !given.writer && given.readers == 0,
                Mode::Shared | Mode::Peek => !given.writer,
            };
            if !is_free {
                break;
            }
            given.queue.pop_front();
            given.take(mode);
            got.push((next, since));
        }
        for (next, since) in got {
            self.waited(next, lock, now - since);
            self.events.push(Reverse((now, next)));
        }
    }

    /// Where orders of locks that the log has let commands wait for each other, the first of a queue goes on.
    fn untie(&mut self, now: i64) -> bool {
        for lock in 0..self.locks.len() {
            let tied = &mut self.locks[lock];
            if let Some((next, mode, since)) = tied.queue.pop_front() {
                // It has no part in the lock: nobody gives it back.
                if let Some(running) = &mut self.running[next as usize] {
                    let has = running.has.iter().position(|one| *one == (lock as u32, mode));
                    has.map(|at| running.has.swap_remove(at));
                }
                self.waited(next, lock as u32, now - since);
                self.events.push(Reverse((now, next)));
                return true;
            }
        }
        false
    }

    fn waited(&mut self, number: u32, lock: u32, time: i64) {
        let call = self.call(number);
        let (user, is_other) = (call.user as usize, Plan::is_other(call));
        let seconds = time as f64 / 1e6;
        self.played.by_lock[lock as usize] += seconds;
        if is_other {
            self.played.by_user[user] += seconds;
            self.played.others_s += seconds;
        }
    }

    /// A command has ended: what follows it comes after the pause that the log has.
    fn ended(&mut self, now: i64, number: u32) {
        let ended = self.came(number) + self.call(number).lapse;
        let mut next = self.first[number as usize];
        while let Some(follows) = next {
            let pause = (self.came(follows) - ended).max(0);
            self.events.push(Reverse((now + pause, follows)));
            next = self.next[follows as usize];
        }
    }
}

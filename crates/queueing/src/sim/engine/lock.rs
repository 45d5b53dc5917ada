//! Readers–writer locks in order of arrival, and what they tell about who waited for whom.

use super::task::Line;
use super::{Engine, Observer, What};
use crate::sim::model::Mode;
use crate::sim::program::LockUse;

/// One way to use a lock, and what is counted of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct User {
    pub(in crate::sim) used: LockUse,
    /// Index among the activities that use this lock.
    actor: u32,
    pub(in crate::sim) counts: UserCounts,
}

/// What is counted of a user since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sim) struct UserCounts {
    pub(in crate::sim) acquisitions: u64,
    pub(in crate::sim) wait: f64,
    pub(in crate::sim) longest_wait: f64,
    pub(in crate::sim) releases: u64,
    pub(in crate::sim) hold: f64,
}

/// Integrals over time, less what is present now times t, as in [`Cell`](super::Cell) \[s\].
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sim) struct LockAreas {
    pub(in crate::sim) exclusive: f64,
    pub(in crate::sim) shared: f64,
    pub(in crate::sim) waiting: f64,
}

/// A lock.
#[derive(Debug)]
pub(in crate::sim) struct LockState {
    pub(in crate::sim) readers: u32,
    pub(in crate::sim) written: bool,
    pub(in crate::sim) waiting: u32,
    line: Line,
    pub(in crate::sim) users: Vec<User>,
    pub(in crate::sim) areas: LockAreas,
    /// Activities that use it.
    pub(in crate::sim) actors: Vec<Option<usize>>,
    /// Waiting and holding, by actor.
    waits: Vec<u32>,
    holds: Vec<u32>,
    /// Waited time by victim and culprit, as of `since`.
    pub(in crate::sim) blame: Vec<f64>,
    since: f64,
}

impl LockState {
    pub(in crate::sim) fn new(uses: &[LockUse]) -> Self {
        let mut actors: Vec<Option<usize>> = uses.iter().map(|used| used.activity).collect();
        actors.sort_unstable();
        actors.dedup();
        let users = uses.iter().map(|used| User {
            used: *used,
            actor: actors.partition_point(|actor| *actor < used.activity) as u32,
            counts: UserCounts::default(),
        });
        Self {
            readers: 0,
            written: false,
            waiting: 0,
            line: Line::default(),
            users: users.collect(),
            areas: LockAreas::default(),
            waits: vec![0; actors.len()],
            holds: vec![0; actors.len()],
            blame: vec![0.0; actors.len() * actors.len()],
            actors,
            since: 0.0,
        }
    }

    fn holders(&self) -> u32 {
        self.readers + u32::from(self.written)
    }

    /// Charges the wait since the last change to those who held meanwhile, in equal parts.
    pub(in crate::sim) fn charge(&mut self, now: f64) {
        let passed = now - self.since;
        self.since = now;
        let holders = self.holders();
        if self.waiting == 0 || holders == 0 || passed <= 0.0 {
            return;
        }
        let each = passed / f64::from(holders);
        let n = self.actors.len();
        for (victim, waits) in self.waits.iter().enumerate().filter(|(_, w)| **w > 0) {
            for (culprit, holds) in self.holds.iter().enumerate() {
                self.blame[victim * n + culprit] += each * f64::from(waits * holds);
            }
        }
    }

    fn is_free_for(&self, exclusive: bool) -> bool {
        !self.written && (!exclusive || self.readers == 0)
    }

    /// Gives it to a user.
    fn grant(&mut self, user: u32, wait: f64, now: f64) {
        let user = &mut self.users[user as usize];
        user.counts.acquisitions += 1;
        user.counts.wait += wait;
        user.counts.longest_wait = user.counts.longest_wait.max(wait);
        self.holds[user.actor as usize] += 1;
        if user.used.exclusive {
            self.written = true;
            self.areas.exclusive -= now;
        } else {
            self.readers += 1;
            if self.readers == 1 {
                self.areas.shared -= now;
            }
        }
    }

    /// Starts to count anew at `now`.
    pub(in crate::sim) fn reset(&mut self, now: f64) {
        self.charge(now);
        self.blame.fill(0.0);
        for user in &mut self.users {
            user.counts = UserCounts::default();
        }
        self.take_areas(now);
    }

    /// The integrals up to `now`; they start again.
    pub(in crate::sim) fn take_areas(&mut self, now: f64) -> LockAreas {
        let full = self.areas_at(now);
        self.areas = LockAreas {
            exclusive: -f64::from(u8::from(self.written)) * now,
            shared: -f64::from(u8::from(self.readers > 0)) * now,
            waiting: -f64::from(self.waiting) * now,
        };
        full
    }

    /// The integrals up to `now`.
    pub(in crate::sim) fn areas_at(&self, now: f64) -> LockAreas {
        LockAreas {
            exclusive: self.areas.exclusive + f64::from(u8::from(self.written)) * now,
            shared: self.areas.shared + f64::from(u8::from(self.readers > 0)) * now,
            waiting: self.areas.waiting + f64::from(self.waiting) * now,
        }
    }
}

fn mode(used: LockUse) -> Mode {
    if used.exclusive { Mode::Exclusive } else { Mode::Shared }
}

impl<O: Observer> Engine<'_, O> {
    /// Asks for a lock; whether it is granted at once.
    pub(super) fn acquire(&mut self, task: u32, idx: u32, user: u32, slot: u32) -> bool {
        let now = self.now;
        let lock = &mut self.locks[idx as usize];
        lock.charge(now);
        let User { used, actor, .. } = lock.users[user as usize];
        let free = lock.waiting == 0 && lock.is_free_for(used.exclusive);
        if free {
            lock.grant(user, 0.0, now);
            *self.tasks.slot(task, slot) = now;
            *self.tasks.slot(task, slot + 1) = f64::from(user);
        } else {
            lock.waiting += 1;
            lock.waits[actor as usize] += 1;
            lock.areas.waiting -= now;
            lock.line.push_back(&mut self.tasks.hot, task);
            let extra = &mut self.tasks.extra[task as usize];
            (extra.since, extra.wanted, extra.slot) = (now, user, slot);
        }
        let lock = idx as usize;
        self.tell(task, What::Asks { lock, mode: mode(used), activity: used.activity });
        if free {
            self.tell(task, What::Granted { lock, mode: mode(used), activity: used.activity });
        }
        free
    }

    /// Lets go of a lock, and grants it to those who can have it now.
    pub(super) fn let_go(&mut self, task: u32, idx: u32, slot: u32) {
        let now = self.now;
        let since = *self.tasks.slot(task, slot);
        let user = *self.tasks.slot(task, slot + 1) as usize;
        let lock = &mut self.locks[idx as usize];
        lock.charge(now);
        let user = &mut lock.users[user];
        user.counts.releases += 1;
        user.counts.hold += now - since;
        lock.holds[user.actor as usize] -= 1;
        let used = user.used;
        if used.exclusive {
            lock.written = false;
            lock.areas.exclusive += now;
        } else {
            lock.readers -= 1;
            if lock.readers == 0 {
                lock.areas.shared += now;
            }
        }
        self.tell(task, What::Releases { lock: idx as usize, mode: mode(used), activity: used.activity });
        self.grant_next(idx);
    }

    fn grant_next(&mut self, idx: u32) {
        let now = self.now;
        loop {
            let lock = &mut self.locks[idx as usize];
            if lock.line.is_empty() {
                return;
            }
            let extra = &mut self.tasks.extra[lock.line.head as usize];
            let (user, slot, wait) = (extra.wanted, extra.slot, now - extra.since);
            let User { used, actor, .. } = lock.users[user as usize];
            if !lock.is_free_for(used.exclusive) {
                return;
            }
            extra.lock_wait += wait;
            let task = lock.line.pop_first(&self.tasks.hot);
            lock.waiting -= 1;
            lock.waits[actor as usize] -= 1;
            lock.areas.waiting += now;
            lock.grant(user, wait, now);
            *self.tasks.slot(task, slot) = now;
            *self.tasks.slot(task, slot + 1) = f64::from(user);
            self.ready.push_back(task);
            let lock = idx as usize;
            self.tell(task, What::Granted { lock, mode: mode(used), activity: used.activity });
        }
    }
}

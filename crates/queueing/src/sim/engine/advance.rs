//! A task goes through its program until it waits or ends.

use super::source::{SourceState, after};
use super::task::NONE;
use super::{Engine, Observer, THINK, What};
use crate::sim::program::Op;

impl<O: Observer> Engine<'_, O> {
    /// A customer that thought makes its request: its response time begins.
    #[inline(always)]
    pub(super) fn request(&mut self, task: u32) -> u32 {
        let now = self.now;
        let hot = &mut self.tasks.hot[task as usize];
        hot.began = now;
        let class = &mut self.classes[hot.class as usize];
        class.n += 1;
        class.area -= now;
        self.tell(task, What::Arrives);
        task
    }

    /// A task goes on, if there is one.
    #[inline(always)]
    pub(super) fn advance(&mut self, task: u32) {
        let hot = &mut self.tasks.hot[task as usize];
        let pc = hot.pc;
        let op = self.program.ops[pc as usize];
        if let Op::Serve { cell, draw } = op {
            hot.pc = pc + 1;
            let work = self.program.draws[draw as usize].next();
            self.join(task, cell, work);
        } else if let Op::Depart = op {
            self.depart(task);
        } else if let Op::Exit { exit, draw } = op {
            let work = self.program.draws[draw as usize].next();
            self.go_out(task, exit, work);
        } else {
            self.advance_further(task, pc);
        }
    }

    /// Programs of more than services.
    #[inline(never)]
    fn advance_further(&mut self, task: u32, mut pc: u32) {
        loop {
            let op = self.program.ops[pc as usize];
            pc += 1;
            match op {
                Op::Serve { cell, draw } => {
                    self.tasks.hot[task as usize].pc = pc;
                    let work = self.program.draws[draw as usize].next();
                    return self.join(task, cell, work);
                }
                Op::ServeSized { cell, draw } => {
                    self.tasks.hot[task as usize].pc = pc;
                    let size = self.tasks.extra[task as usize].size;
                    let work = size * self.program.draws[draw as usize].next();
                    return self.join(task, cell, work);
                }
                Op::Depart => return self.depart(task),
                Op::Exit { .. } => {
                    self.tasks.hot[task as usize].pc = pc - 1;
                    return self.advance(task);
                }
                Op::Rest => return,
                Op::EndBranch => return self.end_branch(task),
                Op::EndSpawned => return self.tasks.release(task),
                Op::Choose { choice } => pc = self.program.choices[choice as usize].next(),
                Op::Jump { to } => pc = to,
                Op::Refer { reference, miss } => {
                    let reference = &mut self.program.references[reference as usize];
                    let cache = &mut self.caches[reference.cache as usize];
                    if !cache.refer(&mut reference.stream) {
                        pc = miss;
                    }
                }
                waits => {
                    self.tasks.hot[task as usize].pc = pc;
                    match self.act(task, waits, pc) {
                        Some(next) => pc = next,
                        None => return,
                    }
                }
            }
        }
    }

    /// Operations on what the task holds and keeps; where it goes on, unless it has to wait.
    fn act(&mut self, task: u32, op: Op, pc: u32) -> Option<u32> {
        let now = self.now;
        match op {
            Op::Acquire { lock, user, slot } => {
                return self.acquire(task, lock, user, slot).then_some(pc);
            }
            Op::Take { pool, count } => return self.take(task, pool, count).then_some(pc),
            Op::Fork { first, count } => return self.fork(task, first, count).then_some(pc),
            Op::BulkBegin { bulk, slot, to } => {
                return self.come_together(task, bulk, slot, to).then_some(pc);
            }
            Op::BulkEnd { bulk, slot } => self.go_apart(task, bulk, slot),
            Op::Release { lock, slot } => self.let_go(task, lock, slot),
            Op::Give { pool, count } => self.give(task, pool, count),
            Op::Spawn { .. } if self.is_full() => return None,
            Op::Spawn { entry } => {
                let part = self.tasks.part(task, entry, NONE);
                self.ready.push_back(part);
            }
            Op::RepeatBegin { slot, times } => *self.tasks.slot(task, slot) = f64::from(times),
            Op::RepeatEnd { slot, back } => {
                let left = self.tasks.slot(task, slot);
                *left -= 1.0;
                if *left > 0.0 {
                    self.turns += 1;
                    return (!self.is_endless()).then_some(back);
                }
            }
            Op::BatchesBegin { slot, times } => {
                let size = &mut self.tasks.extra[task as usize].size;
                let (outside, whole) = (*size, *size * f64::from(times));
                let batches = whole.round().max(1.0);
                *size = whole / batches;
                *self.tasks.slot(task, slot) = batches;
                *self.tasks.slot(task, slot + 1) = outside;
            }
            Op::BatchesEnd { slot, back } => {
                let left = self.tasks.slot(task, slot);
                *left -= 1.0;
                if *left > 0.0 {
                    self.turns += 1;
                    return (!self.is_endless()).then_some(back);
                }
                let outside = *self.tasks.slot(task, slot + 1);
                self.tasks.extra[task as usize].size = outside;
            }
            Op::SizedBegin { slot, draw } => {
                let sizes = &mut self.program.draws[draw as usize];
                let factor = sizes.next();
                let extra = &mut self.tasks.extra[task as usize];
                let outside = extra.size;
                extra.size *= factor;
                extra.drawn = sizes.beyond_mean(factor);
                *self.tasks.slot(task, slot) = outside;
                self.tell(task, What::Sized { factor });
            }
            Op::SizedEnd { slot } => {
                let outside = *self.tasks.slot(task, slot);
                self.tasks.extra[task as usize].size = outside;
            }
            Op::TimedBegin { slot } => {
                let waited = self.tasks.extra[task as usize].lock_wait;
                *self.tasks.slot(task, slot) = now;
                *self.tasks.slot(task, slot + 1) = waited;
                self.tell(task, What::Starts);
            }
            Op::TimedEnd { slot, activity } => {
                let began = *self.tasks.slot(task, slot);
                let waited = *self.tasks.slot(task, slot + 1);
                let waited = self.tasks.extra[task as usize].lock_wait - waited;
                let timing = self.n_classes + activity as usize;
                self.timings[timing].record(now - began);
                self.timings[timing].lock_wait += waited;
                self.timings[timing].control += self.tasks.extra[task as usize].drawn;
                let activity = activity as usize;
                self.tell(task, What::Completes { activity });
            }
            _ => unreachable!("the loop before handles {op:?}"),
        }
        Some(pc)
    }

    /// Starts branches; whether there are none to wait for.
    fn fork(&mut self, task: u32, first: u32, count: u32) -> bool {
        if self.is_full() {
            return false;
        }
        for idx in first..first + count {
            let entry = self.program.branches[idx as usize];
            let branch = self.tasks.part(task, entry, task);
            self.ready.push_back(branch);
        }
        let extra = &mut self.tasks.extra[task as usize];
        extra.pending = count;
        extra.branch_wait = 0.0;
        count == 0
    }

    fn end_branch(&mut self, task: u32) {
        let branch = self.tasks.extra[task as usize];
        self.tasks.release(task);
        let parent = &mut self.tasks.extra[branch.parent as usize];
        parent.branch_wait = parent.branch_wait.max(branch.lock_wait);
        parent.pending -= 1;
        if parent.pending == 0 {
            parent.lock_wait += parent.branch_wait;
            self.ready.push_back(branch.parent);
        }
    }

    /// The end of a program: the response.
    #[inline(always)]
    fn depart(&mut self, task: u32) {
        let now = self.now;
        self.tell(task, What::Departs);
        let hot = &mut self.tasks.hot[task as usize];
        let idx = hot.class as usize;
        let class = &mut self.classes[idx];
        class.n -= 1;
        class.area += now;
        let timing = &mut self.timings[idx];
        timing.record(now - hot.began);
        if self.with_extra {
            timing.lock_wait += std::mem::take(&mut self.tasks.extra[task as usize].lock_wait);
        }
        let class = hot.class;
        self.leave(task, class, now);
    }

    /// A customer whose program ends at `end`, now or later, thinks from then on or is gone.
    #[inline(always)]
    pub(super) fn leave(&mut self, task: u32, class: u32, end: f64) {
        let class = &mut self.classes[class as usize];
        if let SourceState::Closed(_, think) = &mut class.source {
            let work = think.next();
            let time = class.profile.map_or(end + work, |p| after(p, end, work));
            self.tasks.hot[task as usize].pc = class.start;
            if time < f64::INFINITY {
                self.calendar.push(time, THINK | task);
            }
        } else {
            self.tasks.release(task);
        }
    }
}

//! From steps to operations.
//!
//! Every place that draws has a stream of its own, named by the class, the purpose and how many such
//! places come before it in the class' program. A step added for one alternative thus leaves the
//! draws of all other purposes as they are.

use super::distribution::Distribution;
use super::model::{Mode, Model, Route, Step};
use super::program::{Choice, Draw, LockUse, Op, Program, Reference};
use super::random::{Purpose, Stream};

/// Compiles the programs of a model that is valid.
pub(super) fn program(model: &Model, seed: u64, replication: u64) -> Program {
    let mut compiler = Compiler {
        program: Program {
            // See `REST`.
            ops: vec![Op::Rest],
            lock_uses: vec![Vec::new(); model.locks.len()],
            ..Program::default()
        },
        seed: [seed, replication],
        class: 0,
        n_classes: model.classes.len(),
        places: [0; 8],
        pending: Vec::new(),
    };
    for (class, described) in model.classes.iter().enumerate() {
        compiler.class = class as u64;
        compiler.places = [0; 8];
        let start = compiler.frame(&described.program, Op::Depart, Scope::default());
        compiler.program.starts.push(start);
    }
    compiler.program
}

/// What encloses a step.
#[derive(Clone, Copy, Debug, Default)]
struct Scope {
    activity: Option<usize>,
    sized: bool,
}

/// A branch or spawned body that is compiled after the program that starts it.
struct Pending<'a> {
    steps: &'a [Step],
    scope: Scope,
    end: Op,
    /// Which operation or branch is told where it begins.
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    Branch(usize),
    Spawn(usize),
}

struct Compiler<'a> {
    program: Program,
    seed: [u64; 2],
    class: u64,
    n_classes: usize,
    /// Places so far of each purpose.
    places: [u64; 8],
    pending: Vec<Pending<'a>>,
}

/// Slots of one frame: locks first, then what is nested.
struct Frame {
    locks: Vec<usize>,
    depth: usize,
}

impl Frame {
    fn lock_slot(&self, lock: usize) -> u32 {
        let place = self.locks.iter().position(|l| *l == lock);
        2 * place.expect("a valid program asks for a lock in the frame that lets go of it") as u32
    }
}

impl<'a> Compiler<'a> {
    fn stream(&mut self, purpose: Purpose) -> Stream {
        let place = &mut self.places[purpose as usize];
        *place += 1;
        let [seed, replication] = self.seed;
        Stream::new(&[seed, replication, self.class, purpose as u64, *place])
    }

    fn emit(&mut self, op: Op) -> usize {
        self.program.ops.push(op);
        self.program.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.program.ops.len() as u32
    }

    /// A program and all branches in it; where it begins.
    fn frame(&mut self, steps: &'a [Step], end: Op, scope: Scope) -> u32 {
        let start = self.one_frame(steps, end, scope);
        while let Some(next) = self.pending.pop() {
            let entry = self.one_frame(next.steps, next.end, next.scope);
            match next.place {
                Place::Branch(idx) => self.program.branches[idx] = entry,
                Place::Spawn(idx) => self.program.ops[idx] = Op::Spawn { entry },
            }
        }
        start
    }

    fn one_frame(&mut self, steps: &'a [Step], end: Op, scope: Scope) -> u32 {
        let start = self.here();
        let mut locks = Vec::new();
        locks_of(steps, &mut locks);
        locks.sort_unstable();
        locks.dedup();
        let mut frame = Frame { depth: 2 * locks.len(), locks };
        self.steps(steps, scope, &mut frame);
        self.emit(end);
        start
    }

    fn steps(&mut self, steps: &'a [Step], scope: Scope, frame: &mut Frame) {
        for step in steps {
            self.step(step, scope, frame);
        }
    }

    /// Compiles a body that keeps `count` numbers meanwhile; gives their slot to `begin` and `end`.
    fn nested(&mut self, frame: &mut Frame, count: usize, inside: impl FnOnce(&mut Self, &mut Frame, u32)) {
        let slot = frame.depth;
        frame.depth += count;
        self.program.slots = self.program.slots.max(frame.depth);
        inside(self, frame, slot as u32);
        frame.depth = slot;
    }

    fn step(&mut self, step: &'a Step, scope: Scope, frame: &mut Frame) {
        match step {
            Step::Serve { station, service } => self.serve(*station, service, scope),
            Step::Fixed { station, service } => {
                let whatever = Scope { sized: false, ..scope };
                self.serve(*station, service, whatever);
            }
            Step::Lock(set) => {
                for (lock, mode) in set {
                    self.acquire(*lock, *mode, scope, frame);
                }
            }
            Step::Unlock(set) => {
                for lock in set {
                    let (slot, lock) = (frame.lock_slot(*lock), *lock as u32);
                    self.emit(Op::Release { lock, slot });
                }
            }
            Step::Take { count: 0, .. } | Step::Give { count: 0, .. } => {}
            Step::Take { pool, count } => {
                let (pool, count) = (*pool as u32, *count);
                self.emit(Op::Take { pool, count });
            }
            Step::Give { pool, count } => {
                let (pool, count) = (*pool as u32, *count);
                self.emit(Op::Give { pool, count });
            }
            Step::Bulk { bulk, body } => self.bulk(*bulk as u32, body, scope, frame),
            Step::Fork(branches) => self.fork(branches, scope),
            Step::Spawn(body) => self.spawn(body, scope),
            Step::Choose(options) => self.choose(options, scope, frame),
            Step::Repeat { times, body } => {
                if *times > 0 && !body.is_empty() {
                    self.repeat(*times, body, scope, frame);
                }
            }
            Step::Batches { times, body } => self.nested(frame, 2, |all, frame, slot| {
                all.emit(Op::BatchesBegin { slot, times: *times });
                let back = all.here();
                let scope = Scope { sized: true, ..scope };
                all.steps(body, scope, frame);
                all.emit(Op::BatchesEnd { slot, back });
            }),
            Step::Refer { cache, hit, miss } => self.refer(*cache, hit, miss, scope, frame),
            Step::Wander(route) => self.wander(route, scope),
            Step::Sized { factor, body } => self.nested(frame, 1, |all, frame, slot| {
                let draw = all.draw(factor, Purpose::Size);
                all.emit(Op::SizedBegin { slot, draw });
                all.steps(body, Scope { sized: true, ..scope }, frame);
                all.emit(Op::SizedEnd { slot });
            }),
            Step::Timed { activity, body } => self.nested(frame, 2, |all, frame, slot| {
                all.emit(Op::TimedBegin { slot });
                let scope = Scope { activity: Some(*activity), ..scope };
                all.steps(body, scope, frame);
                let activity = *activity as u32;
                all.emit(Op::TimedEnd { slot, activity });
            }),
        }
    }

    fn bulk(&mut self, bulk: u32, body: &'a [Step], scope: Scope, frame: &mut Frame) {
        let scope = Scope { sized: true, ..scope };
        self.nested(frame, 1, |all, frame, slot| {
            let head = all.emit(Op::Rest);
            all.steps(body, scope, frame);
            all.emit(Op::BulkEnd { bulk, slot });
            let to = all.here();
            all.program.ops[head] = Op::BulkBegin { bulk, slot, to };
        });
    }

    fn spawn(&mut self, body: &'a [Step], scope: Scope) {
        let place = Place::Spawn(self.emit(Op::EndSpawned));
        self.pending.push(Pending {
            steps: body,
            scope: Scope { activity: None, ..scope },
            end: Op::EndSpawned,
            place,
        });
    }

    fn draw(&mut self, distribution: &Distribution, purpose: Purpose) -> u32 {
        let stream = self.stream(purpose);
        self.program.draws.push(Draw::new(distribution, stream));
        self.program.draws.len() as u32 - 1
    }

    fn serve(&mut self, station: usize, service: &Distribution, scope: Scope) {
        let draw = self.draw(service, Purpose::Service);
        let cell = (station * self.n_classes) as u32 + self.class as u32;
        self.emit(if scope.sized { Op::ServeSized { cell, draw } } else { Op::Serve { cell, draw } });
    }

    fn acquire(&mut self, lock: usize, mode: Mode, scope: Scope, frame: &Frame) {
        let wanted = LockUse { activity: scope.activity, exclusive: mode == Mode::Exclusive };
        let uses = &mut self.program.lock_uses[lock];
        let user = uses.iter().position(|user| *user == wanted);
        let user = user.unwrap_or_else(|| {
            uses.push(wanted);
            uses.len() - 1
        }) as u32;
        self.program.slots = self.program.slots.max(frame.depth);
        let slot = frame.lock_slot(lock);
        let lock = lock as u32;
        self.emit(Op::Acquire { lock, user, slot });
    }

    fn fork(&mut self, branches: &'a [Vec<Step>], scope: Scope) {
        let first = self.program.branches.len();
        let count = branches.len() as u32;
        self.program.branches.resize(first + branches.len(), 0);
        self.emit(Op::Fork { first: first as u32, count });
        for (idx, steps) in branches.iter().enumerate() {
            self.pending.push(Pending { steps, scope, end: Op::EndBranch, place: Place::Branch(first + idx) });
        }
    }

    fn repeat(&mut self, times: u32, body: &'a [Step], scope: Scope, frame: &mut Frame) {
        self.nested(frame, 1, |all, frame, slot| {
            all.emit(Op::RepeatBegin { slot, times });
            let back = all.here();
            all.steps(body, scope, frame);
            all.emit(Op::RepeatEnd { slot, back });
        });
    }

    fn choose(&mut self, options: &'a [(f64, Vec<Step>)], scope: Scope, frame: &mut Frame) {
        let head = self.emit(Op::Depart);
        let stream = self.stream(Purpose::Choice);
        let (mut targets, mut leaves) = (Vec::new(), Vec::new());
        for (_, body) in options {
            targets.push(self.here());
            self.steps(body, scope, frame);
            leaves.push(self.emit(Op::Depart));
        }
        let to = self.here();
        for idx in leaves {
            self.program.ops[idx] = Op::Jump { to };
        }
        let weights: Vec<f64> = options.iter().map(|(weight, _)| *weight).collect();
        self.program.ops[head] = self.choice(&weights, &targets, stream);
    }

    /// Draws among targets; without a draw where only one has any weight.
    fn choice(&mut self, weights: &[f64], targets: &[u32], stream: Stream) -> Op {
        let possible = || weights.iter().zip(targets).filter(|(w, _)| **w > 0.0);
        if let (1, Some((_, to))) = (possible().count(), possible().next()) {
            return Op::Jump { to: *to };
        }
        let all: f64 = weights.iter().sum();
        let mut passed = 0.0;
        let sums = possible().map(|(weight, _)| {
            passed += weight / all;
            passed
        });
        let mut bounds: Vec<f64> = sums.collect();
        bounds.pop();
        self.program.choices.push(Choice {
            stream,
            bounds: bounds.into(),
            targets: possible().map(|(_, to)| *to).collect(),
        });
        let choice = self.program.choices.len() as u32 - 1;
        Op::Choose { choice }
    }

    fn refer(&mut self, cache: usize, hit: &'a [Step], miss: &'a [Step], scope: Scope, frame: &mut Frame) {
        let stream = self.stream(Purpose::Cache);
        let cache = cache as u32;
        self.program.references.push(Reference { cache, stream });
        let reference = self.program.references.len() as u32 - 1;
        let head = self.emit(Op::Depart);
        self.steps(hit, scope, frame);
        let leave = self.emit(Op::Depart);
        let missed = self.here();
        self.program.ops[head] = Op::Refer { reference, miss: missed };
        self.steps(miss, scope, frame);
        self.program.ops[leave] = Op::Jump { to: self.here() };
    }

    /// A visit is a service and then a choice of the next one.
    fn wander(&mut self, route: &'a Route, scope: Scope) {
        let base = self.here();
        let n = route.visits.len() as u32;
        let targets: Vec<u32> = (0..=n).map(|visit| base + 1 + 2 * visit).collect();
        let onwards = |all: &mut Self, probabilities: &[f64]| {
            let leaves = 1.0 - probabilities.iter().sum::<f64>();
            let leaves = if leaves > 1e-12 { leaves } else { 0.0 };
            let weights: Vec<f64> = probabilities.iter().copied().chain([leaves]).collect();
            let stream = all.stream(Purpose::Choice);
            let op = all.choice(&weights, &targets, stream);
            all.emit(op);
        };
        onwards(self, &route.entry);
        for (visit, next) in route.visits.iter().zip(&route.next) {
            self.serve(visit.station, &visit.service, scope);
            onwards(self, next);
        }
    }
}

/// Locks that steps take in their own frame, that is, outside of branches and spawned work.
fn locks_of(steps: &[Step], locks: &mut Vec<usize>) {
    for step in steps {
        match step {
            Step::Lock(set) => locks.extend(set.iter().map(|(lock, _)| lock)),
            Step::Choose(options) => options.iter().for_each(|(_, body)| locks_of(body, locks)),
            Step::Refer { hit, miss, .. } => {
                locks_of(hit, locks);
                locks_of(miss, locks);
            }
            Step::Repeat { body, .. }
            | Step::Batches { body, .. }
            | Step::Bulk { body, .. }
            | Step::Sized { body, .. }
            | Step::Timed { body, .. } => {
                locks_of(body, locks);
            }
            _ => {}
        }
    }
}

//! Programs as flat lists of small operations, and the tables that these refer to.

use super::distribution::Distribution;
use super::random::Stream;
use super::sampler::Sampler;

/// Where whoever has nothing to do is: the first operation of any program.
pub(super) const REST: u32 = 0;

/// What a customer does next; `slot`s are places of its own for numbers that it must keep.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// `cell`: the class at the station.
    Serve {
        cell: u32,
        draw: u32,
    },
    /// The same inside a sized body.
    ServeSized {
        cell: u32,
        draw: u32,
    },
    /// The same where the customer then departs; see `exit`.
    Exit {
        exit: u32,
        draw: u32,
    },
    /// `slot`: when it was granted, and to which user of the lock.
    Acquire {
        lock: u32,
        user: u32,
        slot: u32,
    },
    Release {
        lock: u32,
        slot: u32,
    },
    Take {
        pool: u32,
        count: u32,
    },
    Give {
        pool: u32,
        count: u32,
    },
    /// `slot`: the size outside of it; `to`: where those go on who do not go through the body.
    BulkBegin {
        bulk: u32,
        slot: u32,
        to: u32,
    },
    BulkEnd {
        bulk: u32,
        slot: u32,
    },
    /// Branches begin at `count` entries from `first` on.
    Fork {
        first: u32,
        count: u32,
    },
    Spawn {
        entry: u32,
    },
    Choose {
        choice: u32,
    },
    Jump {
        to: u32,
    },
    RepeatBegin {
        slot: u32,
        times: u32,
    },
    RepeatEnd {
        slot: u32,
        back: u32,
    },
    /// `slot`: how many are left, and the size outside of them.
    BatchesBegin {
        slot: u32,
        times: u32,
    },
    BatchesEnd {
        slot: u32,
        back: u32,
    },
    Refer {
        reference: u32,
        miss: u32,
    },
    /// `slot`: the size outside of it.
    SizedBegin {
        slot: u32,
        draw: u32,
    },
    SizedEnd {
        slot: u32,
    },
    /// `slot`: when it began, and how long the customer had waited for locks until then.
    TimedBegin {
        slot: u32,
    },
    TimedEnd {
        slot: u32,
        activity: u32,
    },
    /// Nothing.
    Rest,
    EndBranch,
    EndSpawned,
    Depart,
}

/// Draws that are made ahead at a time: in a row they take half the time.
const AHEAD: usize = 64;

/// A distribution with its own stream.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    next: usize,
    ahead: [f64; AHEAD],
    stream: Stream,
    sampler: Sampler,
    mean: f64,
}

impl Draw {
    pub(super) fn new(distribution: &Distribution, stream: Stream) -> Self {
        Self {
            next: AHEAD,
            ahead: [0.0; AHEAD],
            stream,
            sampler: Sampler::new(distribution),
            mean: distribution.mean(),
        }
    }

    /// What was drawn over its mean, less 1: nothing is expected of it.
    pub(super) fn beyond_mean(&self, drawn: f64) -> f64 {
        if self.mean > 0.0 { drawn / self.mean - 1.0 } else { 0.0 }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> f64 {
        if let Some(drawn) = self.ahead.get(self.next) {
            self.next += 1;
            *drawn
        } else {
            self.draw_ahead()
        }
    }

    #[cold]
    #[inline(never)]
    fn draw_ahead(&mut self) -> f64 {
        self.sampler.fill(&mut self.stream, &mut self.ahead);
        self.next = 1;
        self.ahead[0]
    }
}

/// Where to go on, drawn.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) stream: Stream,
    /// Running sums of the probabilities but the last.
    pub(super) bounds: Box<[f64]>,
    pub(super) targets: Box<[u32]>,
}

impl Choice {
    #[inline(always)]
    pub(super) fn next(&mut self) -> u32 {
        let point = self.stream.unit();
        let idx = if self.bounds.len() <= 8 {
            self.bounds.iter().filter(|bound| **bound <= point).count()
        } else {
            self.bounds.partition_point(|bound| *bound <= point)
        };
        self.targets[idx]
    }
}

/// A place where a cache is referred to.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) cache: u32,
    pub(super) stream: Stream,
}

/// One way to use a lock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct LockUse {
    pub(super) activity: Option<usize>,
    pub(super) exclusive: bool,
}

/// All programs of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    /// Where each class' program begins.
    pub(super) starts: Vec<u32>,
    pub(super) draws: Vec<Draw>,
    pub(super) choices: Vec<Choice>,
    pub(super) references: Vec<Reference>,
    /// Where branches begin.
    pub(super) branches: Vec<u32>,
    /// Ways to use each lock.
    pub(super) lock_uses: Vec<Vec<LockUse>>,
    /// Most slots of a customer or branch.
    pub(super) slots: usize,
}

impl Program {
    /// Whether a customer that comes to this operation departs without anything else.
    pub(super) fn departs(&self, mut pc: usize) -> bool {
        while let Op::Jump { to } = self.ops[pc] {
            pc = to as usize;
        }
        matches!(self.ops[pc], Op::Depart)
    }

    /// The exit and its draw, if this operation is one.
    pub(super) fn exit_at(&self, pc: u32) -> Option<(u32, u32)> {
        match self.ops[pc as usize] {
            Op::Exit { exit, draw } => Some((exit, draw)),
            _ => None,
        }
    }

    /// Whether customers have to remember more than where they are.
    pub(super) fn uses_extra(&self) -> bool {
        let plain = |op: &Op| {
            matches!(
                op,
                Op::Serve { .. } | Op::Choose { .. } | Op::Jump { .. } | Op::Refer { .. } | Op::Rest | Op::Depart
            )
        };
        !self.ops.iter().all(plain)
    }
}

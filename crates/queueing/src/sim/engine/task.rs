//! Who goes through programs: customers, their branches, and work that they started.

/// No task: the end of a list. It has a record all the same, so that what is done to the neighbours in a
/// list needs no distinction: its service never ends, and it rests when it should go on.
pub(in crate::sim) const NONE: u32 = 0;

/// What is touched at every event.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Task {
    /// Next operation.
    pub(in crate::sim) pc: u32,
    pub(in crate::sim) class: u32,
    /// Where it is or was served: its class there.
    pub(in crate::sim) cell: u32,
    /// Who is behind it in the list that it waits in; the next free one if it is free.
    pub(in crate::sim) next: u32,
    /// Service that it still needs \[s\].
    pub(in crate::sim) work: f64,
    /// When its response began \[s\].
    pub(in crate::sim) began: f64,
}

/// What only some programs need.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Extra {
    /// Number for the trace.
    pub(in crate::sim) customer: u64,
    /// Factor of its services.
    pub(in crate::sim) size: f64,
    /// The last factor that was drawn for its size, over its mean, less 1.
    pub(in crate::sim) drawn: f64,
    /// Waited for locks since its response began \[s\].
    pub(in crate::sim) lock_wait: f64,
    /// Longest wait for locks among the branches that it waits for \[s\].
    pub(in crate::sim) branch_wait: f64,
    /// When it began to wait \[s\].
    pub(in crate::sim) since: f64,
    /// Place in the order of arrival at a station.
    pub(in crate::sim) order: u64,
    /// Who waits for this branch.
    pub(in crate::sim) parent: u32,
    /// Branches that it waits for.
    pub(in crate::sim) pending: u32,
    /// User of the lock, or number of the pool, that it waits for.
    pub(in crate::sim) wanted: u32,
    /// Slot of the lock that it waits for.
    pub(in crate::sim) slot: u32,
}

impl Extra {
    fn new(customer: u64, size: f64, parent: u32) -> Self {
        Self {
            customer,
            size,
            drawn: 0.0,
            lock_wait: 0.0,
            branch_wait: 0.0,
            since: 0.0,
            order: 0,
            parent,
            pending: 0,
            wanted: 0,
            slot: 0,
        }
    }
}

/// All tasks, with room that is used again.
#[derive(Debug)]
pub(in crate::sim) struct Tasks {
    pub(in crate::sim) hot: Vec<Task>,
    pub(in crate::sim) extra: Vec<Extra>,
    slots: Vec<f64>,
    stride: usize,
    free: u32,
    customers: u64,
    /// Whether extras are ever looked at.
    with_extra: bool,
}

impl Tasks {
    pub(in crate::sim) fn new(stride: usize, with_extra: bool) -> Self {
        let mut tasks = Self {
            hot: Vec::new(),
            extra: Vec::new(),
            slots: Vec::new(),
            stride,
            free: NONE,
            customers: 0,
            with_extra,
        };
        tasks.grow(0, crate::sim::program::REST, 0.0);
        tasks.hot[NONE as usize].work = f64::INFINITY;
        tasks
    }

    /// A new customer.
    #[inline(always)]
    pub(in crate::sim) fn customer(&mut self, class: u32, pc: u32, now: f64) -> u32 {
        let idx = self.place(class, pc, now);
        if self.with_extra {
            self.customers += 1;
            self.extra[idx as usize] = Extra::new(self.customers, 1.0, NONE);
        }
        idx
    }

    /// Work that belongs to another task: a branch if it has a parent.
    pub(in crate::sim) fn part(&mut self, of: u32, pc: u32, parent: u32) -> u32 {
        let (class, extra) = (self.hot[of as usize].class, self.extra[of as usize]);
        let idx = self.place(class, pc, 0.0);
        self.extra[idx as usize] = Extra::new(extra.customer, extra.size, parent);
        idx
    }

    /// Only what is read before it is written is set.
    #[inline(always)]
    fn place(&mut self, class: u32, pc: u32, began: f64) -> u32 {
        let idx = self.free;
        if idx == NONE {
            return self.grow(class, pc, began);
        }
        let hot = &mut self.hot[idx as usize];
        self.free = hot.next;
        hot.pc = pc;
        hot.class = class;
        hot.began = began;
        idx
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, class: u32, pc: u32, began: f64) -> u32 {
        let idx = self.hot.len();
        assert!(idx < super::TAG as usize, "too many customers at a time");
        self.hot.push(Task { pc, class, cell: NONE, next: NONE, work: 0.0, began });
        if self.with_extra {
            self.extra.push(Extra::new(0, 1.0, NONE));
        }
        self.slots.resize(self.hot.len() * self.stride, 0.0);
        idx as u32
    }

    /// Makes room for others.
    #[inline(always)]
    pub(in crate::sim) fn release(&mut self, task: u32) {
        self.hot[task as usize].next = self.free;
        self.free = task;
    }

    /// Most that there were at a time.
    #[inline(always)]
    pub(in crate::sim) fn most(&self) -> usize {
        self.hot.len() - 1
    }

    /// A number that the task keeps.
    #[inline(always)]
    pub(in crate::sim) fn slot(&mut self, task: u32, slot: u32) -> &mut f64 {
        &mut self.slots[task as usize * self.stride + slot as usize]
    }
}

/// Bytes of one task with as many slots as its program needs.
pub(in crate::sim) fn bytes(slots: usize) -> usize {
    size_of::<Task>() + size_of::<Extra>() + slots * size_of::<f64>()
}

/// A list of tasks in order of arrival, linked through [`Task::next`].
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Line {
    pub(in crate::sim) head: u32,
    tail: u32,
}

impl Default for Line {
    fn default() -> Self {
        Self { head: NONE, tail: NONE }
    }
}

impl Line {
    #[inline(always)]
    pub(in crate::sim) fn is_empty(self) -> bool {
        self.head == NONE
    }

    #[inline(always)]
    pub(in crate::sim) fn push_back(&mut self, tasks: &mut [Task], task: u32) {
        tasks[task as usize].next = NONE;
        if self.head == NONE {
            self.head = task;
        } else {
            tasks[self.tail as usize].next = task;
        }
        self.tail = task;
    }

    pub(in crate::sim) fn push_front(&mut self, tasks: &mut [Task], task: u32) {
        tasks[task as usize].next = self.head;
        if self.head == NONE {
            self.tail = task;
        }
        self.head = task;
    }

    /// Takes the first one out; [`NONE`] if there is none.
    #[inline(always)]
    pub(in crate::sim) fn pop_first(&mut self, tasks: &[Task]) -> u32 {
        let task = self.head;
        self.head = tasks[task as usize].next;
        task
    }

    pub(in crate::sim) fn pop(&mut self, tasks: &[Task]) -> Option<u32> {
        let task = self.pop_first(tasks);
        (task != NONE).then_some(task)
    }
}

//! What each customer does, as it happens.

use super::model::Mode;

/// One thing that a customer did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When \[s\].
    pub time: f64,
    /// Who: a number of its own for each customer; its branches and the work that it started share it.
    pub customer: u64,
    /// Index of its class.
    pub class: usize,
    /// What it did.
    pub what: What,
}

/// What a customer can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// Arrives from outside, or from thinking.
    Arrives,
    /// Comes to a station.
    Joins {
        /// Index of the station.
        station: usize,
    },
    /// Begins a service, or resumes it after it was preempted.
    Begins {
        /// Index of the station.
        station: usize,
    },
    /// Is preempted.
    Pauses {
        /// Index of the station.
        station: usize,
    },
    /// Ends a service and leaves the station.
    Ends {
        /// Index of the station.
        station: usize,
    },
    /// Asks for a lock.
    Asks {
        /// Index of the lock.
        lock: usize,
        /// How.
        mode: Mode,
        /// Index of the activity that it is part of; none for what is not timed.
        activity: Option<usize>,
    },
    /// Is granted a lock that it asked for.
    Granted {
        /// Index of the lock.
        lock: usize,
        /// How.
        mode: Mode,
        /// Index of the activity that it is part of; none for what is not timed.
        activity: Option<usize>,
    },
    /// Lets go of a lock.
    Releases {
        /// Index of the lock.
        lock: usize,
        /// How it held it.
        mode: Mode,
        /// Index of the activity that it is part of; none for what is not timed.
        activity: Option<usize>,
    },
    /// Asks for some of a pool.
    Wants {
        /// Index of the pool.
        pool: usize,
        /// How many.
        count: u32,
    },
    /// Is given what it asked for of a pool.
    Takes {
        /// Index of the pool.
        pool: usize,
        /// How many.
        count: u32,
    },
    /// Gives some of a pool back.
    Gives {
        /// Index of the pool.
        pool: usize,
        /// How many.
        count: u32,
    },
    /// Begins work that is timed.
    Starts,
    /// Has so many times the usual work to do.
    Sized {
        /// How many times.
        factor: f64,
    },
    /// Ends work that is timed.
    Completes {
        /// Index of its activity.
        activity: usize,
    },
    /// Leaves with its response.
    Departs,
}

/// Who is told of events. A run that nobody watches is compiled without them.
pub(super) trait Observer {
    /// Whether events are wanted.
    const ON: bool;
    fn see(&mut self, event: &Event);
}

/// Sees nothing.
pub(super) struct Nobody;

impl Observer for Nobody {
    const ON: bool = false;
    #[inline]
    fn see(&mut self, _event: &Event) {}
}

/// Hands every event on.
pub(super) struct Teller<'a>(pub(super) &'a mut dyn FnMut(&Event));

impl Observer for Teller<'_> {
    const ON: bool = true;
    fn see(&mut self, event: &Event) {
        (self.0)(event);
    }
}

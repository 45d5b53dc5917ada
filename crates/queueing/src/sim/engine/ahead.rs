//! What is known before it happens, kept for whoever watches until it does.
//!
//! At an exit the beginning and the end of a service are known when the customer comes. Nothing here
//! has an effect on what happens.

use std::collections::BTreeMap;

use super::{Engine, Observer, What};
use crate::sim::trace::Event;

/// Events that are known ahead, by the bits of their time and then by number.
#[derive(Debug, Default)]
pub(in crate::sim) struct Ahead {
    events: BTreeMap<(u64, u64), Event>,
    known: u64,
}

impl<O: Observer> Engine<'_, O> {
    /// A customer comes to an exit: what it does there until it departs.
    pub(super) fn foretell(&mut self, task: u32, station: usize, start: f64, end: f64) {
        self.tell(task, What::Joins { station });
        let customer = self.tasks.extra[task as usize].customer;
        let class = self.tasks.hot[task as usize].class as usize;
        for (time, what) in [(start, What::Begins { station }), (end, What::Ends { station }), (end, What::Departs)] {
            self.ahead.known += 1;
            let key = (time.to_bits(), self.ahead.known);
            let event = Event { time, customer, class, what };
            self.ahead.events.insert(key, event);
        }
    }

    /// Tells what was known and has happened up to a time.
    pub(super) fn tell_ahead(&mut self, now: f64) {
        while let Some(first) = self.ahead.events.first_entry()
            && first.key().0 <= now.to_bits()
        {
            let event = first.remove();
            self.observer.see(&event);
        }
    }
}

//! Loads of a curve on several threads: a curve that comes within a frame.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::advisor::{Hands, Solved};

/// More than these are not used: in a curve hardly more is known to be asked for at a time.
const MOST: usize = 4;

/// Threads that live as long as one call.
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    count: usize,
}

impl Threads {
    /// So many, at least one.
    pub fn new(count: usize) -> Self {
        Self {
            count: count.max(1),
        }
    }

    /// As many as the machine runs at a time, within reason.
    pub(super) fn of_machine() -> Self {
        let there = thread::available_parallelism();
        Self::new(there.map_or(1, std::num::NonZero::get).min(MOST))
    }
}

impl Hands for Threads {
    fn count(&self) -> usize {
        self.count
    }

    fn all(&self, loads: &[f64], solve: &(dyn Fn(f64) -> Solved + Sync)) -> Vec<Solved> {
        let next = AtomicUsize::new(0);
        // Whoever is idle takes the next.
        let work = || {
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(load) = loads.get(place) else {
                    return done;
                };
                done.push((place, solve(*load)));
            }
        };
        let mut done = thread::scope(|scope| {
            let others = self.count.min(loads.len()).saturating_sub(1);
            let others: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for other in others {
                match other.join() {
                    Ok(theirs) => done.extend(theirs),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        });
        done.sort_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, solved)| solved).collect()
    }
}

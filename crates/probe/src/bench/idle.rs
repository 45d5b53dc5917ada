//! An action after pauses in which nothing is done: processors and devices rest, and wake when the next command comes.
//!
//! Beside each other the times after no pause and after longer and longer ones are the wake-up delay by pause. The pause is a sleep
//! of the thread that acts; when that wakes is nobody's time.

use std::io;
use std::time::Duration;

use super::round::Work;
use super::stopwatch::{Part, Stopwatch, now};

/// Pauses, and the part that holds what is done after each.
const PAUSES: [(Duration, Part); 6] = [
    (Duration::ZERO, Part::AtOnce),
    (Duration::from_micros(300), Part::After300us),
    (Duration::from_millis(1), Part::After1ms),
    (Duration::from_millis(3), Part::After3ms),
    (Duration::from_millis(10), Part::After10ms),
    (Duration::from_millis(100), Part::After100ms),
];

struct Idle {
    action: Box<dyn Work>,
    watch: Stopwatch,
}

/// An operation is the action once after each pause.
pub(super) fn work(action: Box<dyn Work>) -> Box<dyn Work> {
    Box::new(Idle { action, watch: Stopwatch::new() })
}

impl Idle {
    /// The time of the action, done once; none where there is nothing left to do.
    fn act(&mut self) -> io::Result<Option<Duration>> {
        let start = now();
        self.watch.begin(start, start);
        let goes_on = self.action.once(&mut self.watch)?;
        Ok(goes_on.then(|| self.watch.spent()))
    }
}

impl Work for Idle {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        // What is done at once comes after an action of its own.
        if self.act()?.is_none() {
            return Ok(false);
        }
        for (pause, part) in PAUSES {
            if pause > Duration::ZERO {
                std::thread::sleep(pause);
            }
            let Some(time) = self.act()? else {
                return Ok(false);
            };
            watch.note(part, time);
        }
        Ok(true)
    }
}

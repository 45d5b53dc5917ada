//! Tells a run from outside to wait or to end.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Signals to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signal {
    /// Go on.
    #[default]
    Run,
    /// Wait.
    Pause,
    /// End with what there is.
    Stop,
}

/// Tells a run to wait or to end; shared with the thread that it runs on.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<(Mutex<Signal>, Condvar)>);

impl Control {
    /// Tells it.
    pub fn tell(&self, signal: Signal) {
        let (last, changed) = &*self.0;
        *last.lock().unwrap_or_else(PoisonError::into_inner) = signal;
        changed.notify_all();
    }

    /// The last signal.
    pub(super) fn signal(&self) -> Signal {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as it is to wait; whether to go on.
    pub(super) fn goes_on(&self) -> bool {
        let (last, changed) = &*self.0;
        let mut signal = last.lock().unwrap_or_else(PoisonError::into_inner);
        while *signal == Signal::Pause {
            signal = changed.wait(signal).unwrap_or_else(PoisonError::into_inner);
        }
        *signal == Signal::Run
    }
}

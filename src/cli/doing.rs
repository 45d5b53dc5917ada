//! What a command is doing: one line on a terminal that is written over, nothing in a pipe.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::measuring::Shown;

/// The line; it is gone when this is.
pub(super) struct Doing(Mutex<Shown>);

impl Doing {
    pub(super) fn new(quiet: bool) -> Self {
        Self(Mutex::new(Shown::new(quiet)))
    }

    pub(super) fn say(&self, what: &dyn Display) {
        self.shown().progress(&|| format!("{what} …"));
    }

    /// Takes the line away, before an answer is written.
    pub(super) fn end(&self) {
        self.shown().end();
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        self.end();
    }
}

//! Whether a rehearsal goes on, and the first error of its threads.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Duration;

/// What the threads of one host share: they end together.
#[derive(Debug, Default)]
pub(super) struct Course {
    over: AtomicBool,
    /// Sleeping clients wait for `ended`: hundreds that woke now and then to look would be a load of their own.
    gate: Mutex<()>,
    ended: Condvar,
    error: Mutex<Option<io::Error>>,
    open: Mutex<Vec<Weak<TcpStream>>>,
}

impl Course {
    /// Whether the time is up or something failed.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Raised when it is over.
    pub(super) fn over(&self) -> &AtomicBool {
        &self.over
    }

    /// Ends it for all.
    pub(super) fn end(&self) {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.over.store(true, Ordering::Relaxed);
        drop(gate);
        self.ended.notify_all();
    }

    /// Notes a thread's error and ends it for all; what fails because it is over is none.
    pub(super) fn fail(&self, error: io::Error) {
        if !self.is_over() {
            let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
        }
        self.end();
    }

    /// Takes the first error.
    pub(super) fn take_error(&self) -> Option<io::Error> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Sleeps for so long, or until it is over; says whether it goes on.
    pub(super) fn sleep(&self, time: Duration) -> bool {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = |(): &mut ()| !self.is_over();
        let woken = self.ended.wait_timeout_while(gate, time, goes_on);
        drop(woken.unwrap_or_else(PoisonError::into_inner));
        !self.is_over()
    }

    /// A connection that [`Self::hang_up`] ends.
    pub(super) fn opened(&self, stream: TcpStream) -> Arc<TcpStream> {
        let stream = Arc::new(stream);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(Arc::downgrade(&stream));
        drop(open);
        if self.is_over() {
            self.hang_up();
        }
        stream
    }

    /// Shuts all connections down: threads that wait for their other end go on.
    pub(super) fn hang_up(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for stream in open.drain(..).filter_map(|stream| stream.upgrade()) {
            // The other side may have been faster.
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

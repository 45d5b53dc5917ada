//! How long a thread was ready and had no processor: what the kernel counts of it (`/proc/…/schedstat`, its second number).
//!
//! A long wait for a file or a socket may be one for the processor: after the data has come the thread still waits for its
//! turn. That is told apart here.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

/// The calling thread's counter; only the thread that made it may ask. The default one counts nothing.
#[derive(Debug, Default)]
pub(super) struct Turns {
    file: Option<File>,
    last: f64,
}

impl Turns {
    pub(super) fn of_this_thread() -> Self {
        let file = File::open("/proc/thread-self/schedstat").ok();
        let mut turns = Self { file, last: 0.0 };
        turns.waited();
        turns
    }

    /// Seconds without a processor since it was asked last; 0 where the kernel does not count them.
    pub(super) fn waited(&mut self) -> f64 {
        let mut text = [0; 96];
        let read = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        let text = read.and_then(|length| std::str::from_utf8(&text[..length]).ok());
        let number = text.and_then(|text| text.split_whitespace().nth(1)?.parse::<f64>().ok());
        let Some(number) = number else {
            return 0.0;
        };
        let waited = number * 1e-9 - self.last;
        self.last = number * 1e-9;
        waited.max(0.0)
    }
}

//! How far the reading of files is, and whether anybody wants more of it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::open::{self, Opened, Unopened};

/// Counts what is read of files, and asks whether reading goes on.
pub struct Watch<'a> {
    done: Arc<AtomicU64>,
    goes_on: &'a mut dyn FnMut(u64) -> bool,
    is_stopped: bool,
}

impl<'a> Watch<'a> {
    /// `goes_on` is asked every 128 KiB or so, with the bytes of the files that are read so far, packed as they lie on the
    /// disk. Where it says no, reading ends.
    pub fn new(goes_on: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Self { done: Arc::default(), goes_on, is_stopped: false }
    }

    /// Asks.
    pub(super) fn goes_on(&mut self) -> bool {
        let done = self.done();
        self.is_stopped = self.is_stopped || !(self.goes_on)(done);
        !self.is_stopped
    }

    /// Whether the answer was no.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Bytes that are read.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Bytes that are to be taken as read.
    pub(super) fn set_done(&self, bytes: u64) {
        self.done.store(bytes, Ordering::Relaxed);
    }

    /// Opens a log that is a file, as [`open::open`]; what is read of it is counted.
    pub(super) fn open(&self, path: &Path) -> Result<Opened, Unopened> {
        self.count(open::regular(path)?, path)
    }

    /// The text of an opened file; what is read of it is counted.
    pub(super) fn count(&self, file: File, path: &Path) -> Result<Opened, Unopened> {
        let done = self.done.clone();
        open::of(Box::new(Counted { file, done }), path)
    }

    /// A text that ends where nobody wants more of it.
    pub(super) fn over<'w>(&'w mut self, text: &'w mut dyn Read) -> StoppableText<'w, 'a> {
        StoppableText { text, watch: self }
    }
}

/// A file that counts what is read of it.
struct Counted {
    file: File,
    done: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.done.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A text that ends where nobody wants more of it.
pub(super) struct StoppableText<'w, 'a> {
    text: &'w mut dyn Read,
    watch: &'w mut Watch<'a>,
}

impl Read for StoppableText<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.watch.goes_on() {
            return Err(io::Error::other("stopped"));
        }
        self.text.read(buffer)
    }
}

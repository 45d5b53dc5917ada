//! The journal: several writers append records to one file, and each waits until its own is safe.
//!
//! Writers take turns to append, as p4d's do, and force out after they let go: the filesystem may serve
//! several with one write (group commit).

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::buffer::Buffer;
use super::data::Data;
use super::matrix::PAGE;
use super::round::Work;
use super::scratch::Scratch;
use super::stopwatch::{Part, Stopwatch};
use super::system;

/// One journal and its end.
#[derive(Debug)]
pub(super) struct Journal {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    file: File,
    end: Mutex<u64>,
    /// It begins anew there \[B\].
    bytes_max: u64,
}

impl Journal {
    pub(super) fn create(scratch: &Scratch, number: usize, bytes_max: u64) -> io::Result<Self> {
        let shared =
            Shared { file: scratch.own().create(&Scratch::named("journal", number))?, end: Mutex::new(0), bytes_max };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// An empty journal again, as after a rotation. Not timed.
    pub(super) fn rotate(&self) -> io::Result<()> {
        let mut end = self.shared.end.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.file.set_len(0)?;
        *end = 0;
        self.shared.file.sync_all()
    }

    /// One writer.
    pub(super) fn work(&self) -> Box<dyn Work> {
        Box::new(Writer { appender: self.appender(PAGE) })
    }

    /// Appends records of so many bytes.
    pub(super) fn appender(&self, bytes: usize) -> Appender {
        Appender { shared: Arc::clone(&self.shared), record: Buffer::new(bytes), data: Data::fresh() }
    }
}

/// One that appends.
#[derive(Debug)]
pub(super) struct Appender {
    shared: Arc<Shared>,
    record: Buffer,
    data: Data,
}

impl Appender {
    /// Makes the next record; not timed.
    pub(super) fn fill(&mut self) {
        self.data.fill(self.record.bytes_mut());
    }

    /// Waits for its turn and appends.
    pub(super) fn append(&self, watch: &mut Stopwatch) -> io::Result<()> {
        let mut end = self.shared.end.lock().unwrap_or_else(PoisonError::into_inner);
        watch.mark(Part::Lock);
        if *end >= self.shared.bytes_max {
            // A cap on bytes, not a rotation: what is there is overwritten.
            *end = 0;
        }
        system::write_at(&self.shared.file, self.record.bytes(), *end)?;
        *end += self.record.bytes().len() as u64;
        drop(end);
        watch.mark(Part::Write);
        Ok(())
    }

    pub(super) fn commit(&self, watch: &mut Stopwatch) -> io::Result<()> {
        self.shared.file.sync_data()?;
        watch.mark(Part::Commit);
        Ok(())
    }
}

struct Writer {
    appender: Appender,
}

impl Work for Writer {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        self.appender.fill();
        watch.skip();
        self.appender.append(watch)?;
        self.appender.commit(watch)?;
        Ok(true)
    }
}

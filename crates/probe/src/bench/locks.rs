//! File locks: how many a second, alone and against each other.
//!
//! p4d locks whole table files. Record locks of fcntl belong to a process, so threads of one do not contend
//! for them; locks of an open file description (OFD) take the same way through the kernel (fs/locks.c,
//! `posix_lock_inode`) and differ in the owner alone. Contention is therefore measured with OFD locks and
//! flock.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::round::Work;
use super::scratch::{Own, Scratch};
use super::stopwatch::{Part, Stopwatch};
use super::system::{self, Hold};

/// The call that locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// A record lock of fcntl, owned by the process.
    Fcntl,
    /// A record lock owned by the open file description.
    Ofd,
    /// A lock of the whole file.
    Flock,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fcntl, Self::Ofd, Self::Flock];

    /// As ids write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fcntl => "fcntl",
            Self::Ofd => "ofd",
            Self::Flock => "flock",
        }
    }

    /// As people read it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Fcntl => "record lock of fcntl",
            Self::Ofd => "lock of an open file description",
            Self::Flock => "flock",
        }
    }

    /// Whether threads of one process exclude each other by it.
    pub(super) fn contends_between_threads(self) -> bool {
        self != Self::Fcntl
    }

    #[inline]
    fn hold(self, file: &File, hold: Hold) -> io::Result<()> {
        match self {
            Self::Fcntl => system::lock_record(file, hold),
            Self::Ofd => system::lock_ofd(file, hold),
            Self::Flock => system::lock_whole(file, hold),
        }
    }
}

/// Who wants which lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// One thread, one file.
    Alone,
    /// One thread, many files in turn: a million locks.
    Million,
    /// All threads share one file.
    Readers,
    /// One thread excludes the others, who share.
    WriterAmongReaders,
}

impl Pattern {
    /// As ids write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Million => "million",
            Self::Readers => "readers",
            Self::WriterAmongReaders => "writer-readers",
        }
    }

    /// As people read it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Alone => "acquired and released, alone",
            Self::Million => "a million, over 256 files",
            Self::Readers => "shared, on one file",
            Self::WriterAmongReaders => "one writer among readers, on one file",
        }
    }
}

/// Files of [`Pattern::Million`].
const FILES: usize = 256;
/// Locks of [`Pattern::Million`].
pub(super) const MILLION: u64 = 1_000_000;

/// Files to lock.
#[derive(Debug)]
pub(super) struct Locks {
    own: Arc<Own>,
    names: Vec<String>,
}

impl Locks {
    pub(super) fn create(scratch: &Scratch) -> io::Result<Self> {
        let own = Arc::clone(scratch.own());
        let names: Vec<String> = (0..FILES).map(|n| Scratch::named("lock", n)).collect();
        for name in &names {
            own.create(name)?;
        }
        Ok(Self { own, names })
    }

    /// One thread's work.
    pub(super) fn work(&self, api: Api, pattern: Pattern, thread: usize) -> io::Result<Box<dyn Work>> {
        let open =
            |names: &[String]| -> io::Result<Vec<File>> { names.iter().map(|name| self.own.open(name)).collect() };
        let (files, hold, part, left) = match pattern {
            Pattern::Million => (open(&self.names)?, Hold::Exclusive, Part::Lock, MILLION),
            Pattern::Alone => (open(&self.names[..1])?, Hold::Exclusive, Part::Lock, u64::MAX),
            Pattern::WriterAmongReaders if thread == 0 => {
                (open(&self.names[..1])?, Hold::Exclusive, Part::Exclusive, u64::MAX)
            }
            Pattern::Readers | Pattern::WriterAmongReaders => {
                (open(&self.names[..1])?, Hold::Shared, Part::Lock, u64::MAX)
            }
        };
        Ok(Box::new(Locker { api, files, hold, part, next: 0, left }))
    }
}

struct Locker {
    api: Api,
    files: Vec<File>,
    hold: Hold,
    part: Part,
    next: usize,
    left: u64,
}

impl Work for Locker {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let file = &self.files[self.next];
        self.api.hold(file, self.hold)?;
        watch.mark(self.part);
        self.api.hold(file, Hold::Nothing)?;
        watch.mark(Part::Unlock);
        self.next = if self.next + 1 == self.files.len() { 0 } else { self.next + 1 };
        Ok(true)
    }
}

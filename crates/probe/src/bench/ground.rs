//! What a rehearsal takes of a benchmark: its folder with all that keeps it safe, its data, its locks.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::BenchError;
use super::buffer::Buffer;
use super::layout::{STRIDE, lay_out};
use super::place::Place;
use super::run::failed;
use super::scratch::{Own, Scratch};
use super::system::{self, Hold};
use crate::diag::quoted;

pub(crate) use super::data::Data;
pub(crate) use super::round::stopped;
pub(crate) use super::rows::{KEY, ROW, ROWS};
pub(crate) use super::stopwatch::{Part, now};

/// The folder of a run, which removes itself on every way out.
#[derive(Debug)]
pub(crate) struct Ground {
    scratch: Scratch,
}

/// A folder in it, or itself.
#[derive(Debug, Clone)]
pub(crate) struct Room(Arc<Own>);

/// What a file of ours is for: the names that cleaning knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Blocks,
    Journal,
    Lock,
    Folder,
    File,
    Table,
}

impl Named {
    fn name(self, number: usize) -> String {
        let word = match self {
            Self::Blocks => "blocks",
            Self::Journal => "journal",
            Self::Lock => "lock",
            Self::Folder => "names",
            Self::File => "file",
            Self::Table => "table",
        };
        Scratch::named(word, number)
    }
}

impl Ground {
    /// A fresh folder in a place that may be measured.
    pub(crate) fn create(place: &Place) -> Result<Self, BenchError> {
        let shown = quoted(&place.path.to_string_lossy());
        Scratch::create(&place.folder, &place.path)
            .map(|scratch| Self { scratch })
            .map_err(|error| failed(&format!("nothing can be created in {shown}"), &error))
    }

    /// The folder itself.
    pub(crate) fn room(&self) -> Room {
        Room(Arc::clone(self.scratch.own()))
    }

    /// Fails where it was moved or replaced meanwhile.
    pub(crate) fn is_in_place(&self) -> io::Result<()> {
        self.scratch.is_in_place()
    }

    /// Removes it now, and says what could not be removed.
    pub(crate) fn remove(self) -> Result<(), BenchError> {
        let shown = quoted(&self.scratch.path().to_string_lossy());
        let removed = self.scratch.remove();
        removed.map_err(|error| failed(&format!("{shown} could not be removed"), &error))
    }
}

impl Room {
    /// A folder in it.
    pub(crate) fn folder(&self, number: usize) -> io::Result<Self> {
        self.0.folder(&Named::Folder.name(number)).map(Self)
    }

    /// A new file.
    pub(crate) fn create(&self, name: Named, number: usize) -> io::Result<File> {
        self.0.create(&name.name(number))
    }

    /// A file that was made here, once more.
    pub(crate) fn open(&self, name: Named, number: usize) -> io::Result<File> {
        self.0.open(&name.name(number))
    }

    /// The same past the page cache; none where the filesystem has no such way.
    pub(crate) fn open_direct(&self, name: Named, number: usize) -> Option<File> {
        self.0.open_direct(&name.name(number)).ok()
    }

    /// Removes a file that was made here.
    pub(crate) fn remove(&self, name: Named, number: usize) -> io::Result<()> {
        self.0.remove(&name.name(number))
    }

    /// A new file of so many bytes, in whole MiB, that cannot be compressed, forced out.
    pub(crate) fn lay_out(&self, (name, number): (Named, usize), bytes: u64, stop: &AtomicBool) -> io::Result<File> {
        let strides = bytes.div_ceil(STRIDE as u64);
        let name = name.name(number);
        let whole = strides * STRIDE as u64;
        lay_out((&self.0, &name), whole, stop, &mut |_| {})
    }
}

/// Memory that a device can read and write without the kernel's copy.
#[derive(Debug)]
pub(crate) struct Block(Buffer);

impl Block {
    pub(crate) fn new(length: usize) -> Self {
        Self(Buffer::new(length))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes_mut()
    }
}

/// Reads a whole block.
pub(crate) fn read_at(file: &File, block: &mut [u8], at: u64) -> io::Result<()> {
    system::read_at(file, block, at)
}

/// Writes a whole block.
pub(crate) fn write_at(file: &File, block: &[u8], at: u64) -> io::Result<()> {
    system::write_at(file, block, at)
}

/// Waits for a lock on a whole file that belongs to this open file.
pub(crate) fn lock_file(file: &File, exclusive: bool) -> io::Result<()> {
    let hold = if exclusive { Hold::Exclusive } else { Hold::Shared };
    system::lock_ofd(file, hold)
}

/// Gives it back.
pub(crate) fn unlock_file(file: &File) -> io::Result<()> {
    system::lock_ofd(file, Hold::Nothing)
}

/// The error of a run in the words of the person who has to mend it.
pub(crate) fn failure(what: &str, error: &io::Error) -> BenchError {
    failed(what, error)
}

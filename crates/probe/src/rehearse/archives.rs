//! The archives: files of the site's mean size, read whole, and new ones written of which the oldest go.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::bench::ground::{Block, Data, Named, Room, read_at, stopped, write_at};

/// What is read or written at once \[B\].
pub(super) const CHUNK: usize = 256 << 10;
/// Files in a folder.
const IN_FOLDER: usize = 1000;
/// Direct reads are in whole blocks of this size \[B\].
const BLOCK: u64 = 4096;
/// The most files that are laid out: each takes a name.
const FILES_MAX: u64 = 20_000;

/// Archive files on their volume.
#[derive(Debug)]
pub(super) struct Archives {
    folders: Vec<Room>,
    files: usize,
    /// Size of each \[B\].
    bytes: u64,
    /// Where new ones go, how many are kept, and how many were made.
    fresh: Room,
    kept: u64,
    made: AtomicU64,
    is_direct: bool,
}

impl Archives {
    /// Lays out `all` bytes in files of `bytes`; `written` bytes of new ones are kept.
    pub(super) fn create(room: &Room, (all, bytes, written): (u64, u64, u64), stop: &AtomicBool) -> io::Result<Self> {
        let bytes = bytes.clamp(512, 1 << 30);
        let size = bytes.div_ceil(BLOCK) * BLOCK;
        let files = (all / size).clamp(4, FILES_MAX) as usize;
        let mut folders = Vec::new();
        let mut data = Data::fresh();
        let mut block = Block::new(CHUNK);
        for number in 0..files {
            if number % IN_FOLDER == 0 {
                folders.push(room.folder(number / IN_FOLDER)?);
            }
            let file = folders[number / IN_FOLDER].create(Named::File, number)?;
            let mut at = 0;
            while at < size {
                if stop.load(Ordering::Relaxed) {
                    return Err(stopped());
                }
                let piece = (size - at).min(CHUNK as u64) as usize;
                data.fill(&mut block.bytes_mut()[..piece]);
                write_at(&file, &block.bytes()[..piece], at)?;
                at += piece as u64;
            }
            file.sync_data()?;
        }
        let is_direct = folders[0].open_direct(Named::File, 0).is_some();
        Ok(Self {
            fresh: room.folder(FILES_MAX as usize)?,
            folders,
            files,
            bytes,
            kept: (written / size).max(4),
            made: AtomicU64::new(0),
            is_direct,
        })
    }

    /// Size of a file \[B\].
    pub(super) fn size(&self) -> u64 {
        self.bytes
    }

    /// One of them, in memory or past it.
    pub(super) fn open(&self, data: &mut Data, is_hit: bool) -> io::Result<File> {
        let number = data.below(self.files as u64) as usize;
        let folder = &self.folders[number / IN_FOLDER];
        if !is_hit
            && self.is_direct
            && let Some(file) = folder.open_direct(Named::File, number)
        {
            return Ok(file);
        }
        folder.open(Named::File, number)
    }

    /// Reads what lies at `at` of a file that is read to `end`: whole blocks.
    pub(super) fn read(file: &File, block: &mut Block, at: u64, bytes: usize) -> io::Result<()> {
        let whole = (bytes as u64).div_ceil(BLOCK) * BLOCK;
        read_at(file, &mut block.bytes_mut()[..whole as usize], at)
    }

    /// A new file, in the place of the oldest where there are enough.
    pub(super) fn make(&self) -> io::Result<File> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        if number >= self.kept {
            self.fresh.remove(Named::File, (number - self.kept) as usize)?;
        }
        self.fresh.create(Named::File, number as usize)
    }
}

//! Small files: one is created and written, opened and closed, asked for, renamed, removed; a thousand others
//! lie in the same folder.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::data::Data;
use super::round::{Work, stopped};
use super::scratch::Scratch;
use super::stopwatch::{Part, Stopwatch};
use super::system;

/// Files that lie there all the time.
const STANDING: usize = 1000;
/// Bytes of a small file: a page of memory, what a short revision takes.
const BYTES: usize = 4096;

/// Room that all of it takes at most \[B\].
pub(super) const BYTES_MAX: u64 = 64 << 20;

/// A folder for each thread.
#[derive(Debug)]
pub(super) struct Names {
    folders: Vec<PathBuf>,
}

impl Names {
    pub(super) fn create(scratch: &Scratch, threads: usize, stop: &AtomicBool) -> io::Result<Self> {
        let folders: Vec<PathBuf> = (0..threads).map(|n| scratch.named("names", n)).collect();
        for folder in &folders {
            if folder.exists() {
                // An earlier test with fewer threads made it.
                continue;
            }
            fs::create_dir(folder)?;
            for number in 0..STANDING {
                if stop.load(Ordering::Relaxed) {
                    return Err(stopped());
                }
                system::create(&folder.join(format!("file-{number}")))?;
            }
        }
        Ok(Self { folders })
    }

    /// One thread's work.
    pub(super) fn work(&self, thread: usize) -> Box<dyn Work> {
        let folder = self.folders[thread].clone();
        Box::new(Worker {
            content: vec![0; BYTES],
            data: Data::fresh(),
            next: STANDING as u64,
            folder,
        })
    }
}

struct Worker {
    folder: PathBuf,
    content: Vec<u8>,
    data: Data,
    next: u64,
}

impl Work for Worker {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        let old = self.folder.join(format!("file-{}", self.next));
        let new = self.folder.join(format!("file-{}", self.next + 1));
        self.next += 2;
        self.data.fill(&mut self.content);
        watch.skip();
        let file = system::create(&old)?;
        system::write_at(&file, &self.content, 0)?;
        drop(file);
        watch.mark(Part::Create);
        drop(system::open(&old)?);
        watch.mark(Part::Open);
        fs::metadata(&old)?;
        watch.mark(Part::Stat);
        fs::rename(&old, &new)?;
        watch.mark(Part::Rename);
        fs::remove_file(&new)?;
        watch.mark(Part::Unlink);
        Ok(true)
    }
}

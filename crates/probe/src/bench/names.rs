//! Small files: one is created and written, opened and closed, asked for, renamed, removed; a thousand others
//! lie in the same folder.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::data::Data;
use super::round::{Work, stopped};
use super::scratch::{Own, Scratch};
use super::stopwatch::{Part, Stopwatch};
use super::system;
use crate::files::{Id, Kind, Seen};

/// Files that lie there all the time.
const STANDING: usize = 1000;
/// Bytes of a small file: a page of memory, what a short revision takes.
const BYTES: usize = 4096;

/// Room that all of it takes at most \[B\].
pub(super) const BYTES_MAX: u64 = 64 << 20;

/// A folder for each thread.
#[derive(Debug)]
pub(super) struct Names {
    folders: Vec<Arc<Own>>,
}

impl Names {
    pub(super) fn create(scratch: &Scratch, threads: usize, stop: &AtomicBool) -> io::Result<Self> {
        let mut folders = Vec::with_capacity(threads);
        for number in 0..threads {
            let folder = scratch.own().folder(&Scratch::named("names", number))?;
            // An earlier test with fewer threads made some.
            if folder.is_empty() {
                for number in 0..STANDING {
                    if stop.load(Ordering::Relaxed) {
                        return Err(stopped());
                    }
                    folder.create(&Scratch::named("file", number))?;
                }
            }
            folders.push(folder);
        }
        Ok(Self { folders })
    }

    /// One thread's work.
    pub(super) fn work(&self, thread: usize) -> Box<dyn Work> {
        let folder = Arc::clone(&self.folders[thread]);
        Box::new(Worker { content: vec![0; BYTES], data: Data::fresh(), next: STANDING, folder, under_way: None })
    }
}

struct Worker {
    folder: Arc<Own>,
    content: Vec<u8>,
    data: Data,
    next: usize,
    /// The file that is there between its creation and its removal.
    under_way: Option<(String, Id)>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // An operation failed in the middle.
        if let Some((name, id)) = self.under_way.take() {
            self.folder.note(&name, id);
        }
    }
}

impl Work for Worker {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        let (old, new) = (self.next, self.next + 1);
        let (old, new) = (Scratch::named("file", old), Scratch::named("file", new));
        self.next += 2;
        self.data.fill(&mut self.content);
        let folder = self.folder.handle();
        watch.skip();
        let file = folder.create(&old, true)?;
        // Which file it is, so that no other is removed in its stead: known to the system since it was created.
        let id = Seen::of(&file)?.id;
        let (name, _) = self.under_way.insert((old, id));
        system::write_at(&file, &self.content, 0)?;
        drop(file);
        watch.mark(Part::Create);
        drop(folder.file(&*name, true)?);
        watch.mark(Part::Open);
        folder.is_still(&*name, id, Kind::File)?;
        watch.mark(Part::Stat);
        folder.rename(&*name, &new)?;
        watch.mark(Part::Rename);
        *name = new;
        folder.is_still(&*name, id, Kind::File)?;
        watch.skip();
        folder.remove_unseen(&*name)?;
        watch.mark(Part::Unlink);
        self.under_way = None;
        Ok(true)
    }
}

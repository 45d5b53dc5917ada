//! The folder that a run creates, works in and removes; nothing outside it is ever written or removed.
//!
//! It is created exclusively and only its owner may enter. It and the folder that it lies in are held open, so that
//! whoever renames them or puts links in their places moves nothing that is done here. What is created is noted with its
//! device and inode; nothing is opened again or removed that is not the same. A file of somebody else's stays, and
//! so does the folder that it lies in. A run holds a lock on its mark as long as it lives.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::data::Data;
use super::system;
use crate::files::{Folder, Id, Kind, Seen};

/// What every folder of ours begins with.
pub(super) const PREFIX: &str = "plimsoll-bench-";
/// The file by which a folder of ours is known.
pub(super) const MARK: &str = "plimsoll-bench.mark";
/// First line of the mark.
pub(super) const MAGIC: &str = "plimsoll bench scratch folder, version 1";
/// What the line of the mark that names the folder begins with.
pub(super) const INODE: &str = "folder ";
/// Names that we give: one of these, a dash, and digits.
pub(super) const NAMES: [&str; 6] = ["blocks", "journal", "lock", "names", "file", "table"];

/// A folder that was made here, and what was made in it.
#[derive(Debug)]
pub(super) struct Own {
    folder: Folder,
    id: Id,
    /// Files by their names.
    files: Mutex<BTreeMap<String, Id>>,
    /// Folders by their names.
    folders: Mutex<BTreeMap<String, Arc<Self>>>,
}

impl Own {
    fn make(parent: &Folder, name: &str) -> io::Result<Self> {
        let folder = parent.make(name, true)?;
        let id = folder.seen()?.id;
        Ok(Self { folder, id, files: Mutex::default(), folders: Mutex::default() })
    }

    /// Creates a file and notes it.
    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        let file = self.folder.create(name, true)?;
        self.note(name, Seen::of(&file)?.id);
        Ok(file)
    }

    /// Notes a file that was created by the handle of this folder.
    pub(super) fn note(&self, name: &str, id: Id) {
        lock(&self.files).insert(name.to_owned(), id);
    }

    /// Opens a file again that was created here.
    pub(super) fn open(&self, name: &str) -> io::Result<File> {
        self.same(name, self.folder.file(name, true)?)
    }

    /// Removes a file that was created here.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        let made = lock(&self.files).remove(name);
        made.map_or(Ok(()), |id| self.folder.remove(name, id))
    }

    /// The same past the page cache.
    pub(super) fn open_direct(&self, name: &str) -> io::Result<File> {
        self.same(name, system::open_direct(&self.folder, name)?)
    }

    /// A file, if it is the one that was created under this name.
    fn same(&self, name: &str, file: File) -> io::Result<File> {
        let made = lock(&self.files).get(name).copied();
        if made == Some(Seen::of(&file)?.id) { Ok(file) } else { Err(not_ours(name)) }
    }

    /// Whether no file was made in it yet.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.files).is_empty()
    }

    /// Makes a folder in it; one that was made before is given again.
    pub(super) fn folder(&self, name: &str) -> io::Result<Arc<Self>> {
        if let Some(made) = lock(&self.folders).get(name) {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(Self::make(&self.folder, name)?);
        lock(&self.folders).insert(name.to_owned(), Arc::clone(&made));
        Ok(made)
    }

    /// The handle, for what is timed: whoever creates files by it notes what is left of them.
    pub(super) fn handle(&self) -> &Folder {
        &self.folder
    }

    /// Removes all that was made in it, and goes on after a failure; the first is the answer.
    fn empty(&self) -> io::Result<()> {
        let mut result = Ok(());
        for (name, folder) in &std::mem::take(&mut *lock(&self.folders)) {
            let removed = folder.empty().and_then(|()| self.folder.remove_folder(name, folder.id));
            result = result.and(removed.map_err(|error| about(name, &error)));
        }
        for (name, id) in &std::mem::take(&mut *lock(&self.files)) {
            let removed = self.folder.remove(name, *id);
            result = result.and(removed.map_err(|error| about(name, &error)));
        }
        result
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An error with the name that it is about.
pub(super) fn about(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

fn not_ours(name: &str) -> io::Error {
    io::Error::other(format!("{name} is not the file that was made there"))
}

/// A folder of ours, removed when it is dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    parent: Arc<Folder>,
    /// Where it was made, for messages.
    path: PathBuf,
    name: String,
    own: Arc<Own>,
    /// Holds the lock that says that we live.
    _mark: File,
    is_removed: bool,
}

impl Scratch {
    /// Creates a fresh folder in `parent`, which is found at `path`.
    pub(super) fn create(parent: &Arc<Folder>, path: &Path) -> io::Result<Self> {
        // That the folder is fresh is the system's promise, not chance's.
        let mut names = Data::fresh();
        for _ in 0..16 {
            let name = format!("{PREFIX}{:016x}", names.next());
            match Own::make(parent, &name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(own) => return Self::marked(parent, path.join(&name), name, Arc::new(own)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn marked(parent: &Arc<Folder>, path: PathBuf, name: String, own: Arc<Own>) -> io::Result<Self> {
        let made = own.create(MARK).and_then(|mut mark| {
            let owners = [Seen::of(&mark)?.owner, own.folder.seen()?.owner];
            if owners[0] != owners[1] {
                return Err(not_ours(&name));
            }
            mark.lock()?;
            let (process, inode) = (std::process::id(), own.id.inode);
            // In one piece: who is killed meanwhile leaves no half of it.
            mark.write_all(format!("{MAGIC}\nprocess {process}\n{INODE}{inode}\n").as_bytes())?;
            Ok(mark)
        });
        match made {
            Ok(mark) => Ok(Self { parent: Arc::clone(parent), path, name, own, _mark: mark, is_removed: false }),
            Err(error) => {
                // The error that is told is the first.
                let gone = own.empty();
                drop(gone.and_then(|()| parent.remove_folder(&name, own.id)));
                Err(error)
            }
        }
    }

    /// Where it was made.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What is made in it.
    pub(super) fn own(&self) -> &Arc<Own> {
        &self.own
    }

    /// The name of a file or folder of ours: one of our names and a number.
    pub(super) fn named(name: &str, number: usize) -> String {
        debug_assert!(NAMES.contains(&name), "a name that cleaning knows");
        format!("{name}-{number}")
    }

    /// Says so where it is not in its place any more: to go on would measure what nobody asked for.
    pub(super) fn is_in_place(&self) -> io::Result<()> {
        let found = self.parent.is_still(&self.name, self.own.id, Kind::Folder);
        found.map_err(|error| {
            let said = "the folder of the run was moved or replaced, and is left empty where it is now";
            about(said, &error)
        })
    }

    /// Removes it now, and says what could not be removed.
    pub(super) fn remove(mut self) -> io::Result<()> {
        self.is_removed = true;
        self.taken_away()
    }

    fn taken_away(&self) -> io::Result<()> {
        let emptied = self.own.empty();
        let removed = self.parent.remove_folder(&self.name, self.own.id);
        emptied.and(removed)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_removed {
            // Whoever wants to know calls `remove`; this is the way out of an error.
            drop(self.taken_away());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use proptest::prelude::*;

    use super::super::leftover::{clean, others};
    use super::*;

    /// A tree with names that we give, so that whatever is removed by name alone is missed in it.
    fn plant(folder: &Path) {
        fs::create_dir_all(folder.join("names-0")).expect("a folder");
        for name in ["blocks-0", "table-1", "journal-0", MARK, "other", "names-0/file-1"] {
            fs::write(folder.join(name), "precious").expect("a file");
        }
    }

    /// All paths in a folder with what is in them, itself without its links.
    fn all(folder: &Path) -> Vec<(PathBuf, Option<String>)> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if entry.file_type().expect("a kind").is_dir() {
                found.extend(all(&path));
                found.push((path, None));
            } else {
                let text = crate::document::read_text(&path).ok();
                found.push((path, text));
            }
        }
        found.sort();
        found
    }

    fn place(name: &str) -> PathBuf {
        // In memory where there is such a place: ten thousand cycles take a second there.
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = base.join(format!("plimsoll-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// Uses it as the tests of a run do.
    fn work(scratch: &Scratch) -> io::Result<()> {
        let own = scratch.own();
        own.create("blocks-0")?.write_all(b"ours")?;
        let names = own.folder("names-0")?;
        for number in 0..3 {
            names.create(&format!("file-{number}"))?.write_all(b"ours")?;
        }
        own.open("blocks-0")?.write_all(b"ours again")?;
        scratch.is_in_place()?;
        own.create("table-1")?;
        names.open("file-1")?.write_all(b"ours again")?;
        Ok(())
    }

    /// Exchanges what it finds in `place`, and a level below, for links to `victim`, again and again; sometimes what
    /// was there comes back. Counts them in `swaps`.
    fn swap(place: &Path, victim: &Path, aside: &Path, stop: &AtomicBool, swaps: &AtomicU64) {
        let mut chance = Data::fresh();
        while !stop.load(Ordering::Relaxed) {
            for entry in fs::read_dir(place).into_iter().flatten().flatten() {
                let mut path = entry.path();
                for _ in 0..chance.below(3) {
                    std::thread::yield_now();
                }
                if chance.below(2) == 0 {
                    path.push("names-0");
                }
                let away = aside.join(swaps.load(Ordering::Relaxed).to_string());
                let is_folder = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
                if !is_folder || fs::rename(&path, &away).is_err() {
                    continue;
                }
                swaps.fetch_add(1, Ordering::Relaxed);
                // Sometimes to a part that has a name of ours too.
                let part = if chance.below(2) == 0 { "." } else { "names-0" };
                let linked = symlink(victim.join(part), &path);
                for _ in 0..chance.below(30) {
                    std::thread::yield_now();
                }
                if linked.is_ok() {
                    drop(fs::remove_file(&path));
                }
                if chance.below(2) == 0 {
                    drop(fs::rename(&away, &path));
                }
            }
        }
    }

    #[test]
    fn a_swapped_folder_is_harmless_ten_thousand_times() {
        let base = place("swapped");
        let (victim, inside, aside) = (base.join("victim"), base.join("v"), base.join("aside"));
        plant(&victim);
        fs::create_dir(&inside).expect("a folder");
        fs::create_dir(&aside).expect("a folder");
        let before = all(&victim);
        let parent = Arc::new(Folder::open(&inside).expect("a folder"));
        let stop = AtomicBool::new(false);
        let swaps = AtomicU64::new(0);
        let mut ended = [0, 0];
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("swaps".to_owned());
            let swapping = thread.spawn_scoped(scope, || {
                swap(&inside, &victim, &aside, &stop, &swaps);
            });
            swapping.expect("a thread");
            // Where the other thread gets little time, until it had enough.
            let met = |ended: [u32; 2]| swaps.load(Ordering::Relaxed) > 100 && ended.iter().all(|count| *count > 0);
            for cycle in 0..1_000_000 {
                if cycle >= 10_000 && met(ended) {
                    break;
                }
                let done = Scratch::create(&parent, &inside).and_then(|scratch| {
                    work(&scratch)?;
                    scratch.remove()
                });
                ended[usize::from(done.is_err())] += 1;
                if cycle % 100 == 0 {
                    // A link there is none of ours to clean.
                    drop(clean(&inside));
                    assert_eq!(all(&victim), before, "cycle {cycle}");
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(all(&victim), before);
        assert!(swaps.load(Ordering::Relaxed) > 100, "{swaps:?}");
        assert!(ended[0] > 0 && ended[1] > 0, "{ended:?}");
        // What was moved away while it was ours is empty but for what was never finished.
        let files = all(&aside).into_iter().filter(|(_, text)| text.is_some());
        assert_eq!(files.collect::<Vec<_>>(), Vec::new());
        fs::remove_dir_all(&base).expect("ours");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Anything that somebody puts there, under whatever name, stays.
        #[test]
        fn what_others_put_into_the_folder_stays(
            puts in proptest::collection::vec((0..8_usize, 0..3_usize), 1..6),
        ) {
            let base = place("put");
            let parent = Arc::new(Folder::open(&base).expect("a folder"));
            let scratch = Scratch::create(&parent, &base).expect("a folder");
            work(&scratch).expect("room");
            let path = scratch.path().to_owned();
            let names = ["blocks-0", "table-1", "table-7", "names-0", "names-0/file-1", "names-9", "x", MARK];
            let victim = base.join("victim");
            plant(&victim);
            let mut put = BTreeMap::new();
            for (name, kind) in puts {
                let at = path.join(names[name]);
                if fs::symlink_metadata(&at).is_ok_and(|meta| meta.is_dir()) {
                    drop(fs::rename(&at, base.join(format!("moved-{}", put.len()))));
                } else {
                    drop(fs::remove_file(&at));
                }
                let done = match kind {
                    0 => fs::write(&at, "theirs"),
                    1 => symlink(&victim, &at),
                    _ => fs::create_dir(&at),
                };
                if done.is_ok() {
                    put.insert(names[name], kind);
                }
            }
            let before = all(&victim);
            let there = |name: &&str| fs::symlink_metadata(path.join(name)).is_ok();
            put.retain(|name, _| there(name));
            let removed = scratch.remove();
            prop_assert_eq!(all(&victim), before);
            for name in put.keys() {
                prop_assert!(there(name), "{} is gone", name);
            }
            prop_assert_eq!(removed.is_err(), !put.is_empty());
            fs::remove_dir_all(&base).expect("ours");
        }
    }

    /// What killed runs left, with a folder of the same name that is none.
    #[test]
    fn cleaning_goes_on_after_a_folder_that_it_leaves_alone() {
        let base = place("clean");
        let leave = |digit: char, add: &dyn Fn(&Path)| {
            let name: String = std::iter::repeat_n(digit, 16).collect();
            let folder = base.join(format!("{PREFIX}{name}"));
            fs::create_dir_all(folder.join("names-0")).expect("a folder");
            fs::write(folder.join("names-0/file-1"), "ours").expect("a file");
            fs::write(folder.join("table-1"), "ours").expect("a file");
            fs::write(folder.join(MARK), format!("{MAGIC}\nprocess 1\n")).expect("a file");
            add(&folder);
            folder
        };
        let victim = base.join("victim");
        plant(&victim);
        let before = all(&victim);
        let theirs = leave('1', &|at| {
            fs::write(at.join("theirs"), "keep").expect("a file");
        });
        let linked = leave('2', &|at| {
            symlink(&victim, at.join("names-3")).expect("a link");
        });
        let copied = leave('3', &|at| {
            let text = format!("{MAGIC}\nprocess 1\n{INODE}1\n");
            fs::write(at.join(MARK), text).expect("a file");
        });
        let good = leave('4', &|_| ());
        let named = base.join(format!("{PREFIX}5555555555555555"));
        symlink(&victim, &named).expect("a link");
        let cleaned = clean(&base).expect("a folder");
        let left: Vec<&Path> = cleaned.failed.iter().map(|(l, _)| l.path.as_path()).collect();
        assert_eq!(left, [&theirs, &linked, &copied]);
        assert_eq!(cleaned.removed.len(), 1);
        assert_eq!(cleaned.removed[0].path, good);
        assert!(!good.exists() && theirs.join("theirs").exists());
        assert!(fs::symlink_metadata(linked.join("names-3")).is_ok());
        assert!(copied.join("table-1").exists() && fs::symlink_metadata(&named).is_ok());
        assert_eq!(all(&victim), before);
        assert!(others(&base).expect("a folder").running.is_empty());
        fs::remove_dir_all(&base).expect("ours");
    }
}

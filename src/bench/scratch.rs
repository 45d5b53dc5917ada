//! The folder that a run creates, works in and removes; nothing outside it is ever written or removed.
//!
//! It is created exclusively and only its owner may enter. Every file in it has a name that we give, so
//! that removing it touches our names alone: should somebody have put a file of theirs there, it stays, and
//! so does the folder. A run holds a lock on its mark as long as it lives; a folder whose mark nobody holds
//! is the leftover of a run that was killed.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::data::Data;
use super::system;

/// What every folder of ours begins with.
const PREFIX: &str = "plimsoll-bench-";
/// The file by which a folder of ours is known.
const MARK: &str = "plimsoll-bench.mark";
/// First line of the mark.
const MAGIC: &str = "plimsoll bench scratch folder, version 1";
/// Names that we give: one of these, a dash, and digits.
const NAMES: [&str; 6] = ["blocks", "journal", "lock", "names", "file", "table"];

/// A folder of ours, removed when it is dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// Holds the lock that says that we live.
    _mark: File,
}

impl Scratch {
    /// Creates a fresh folder below `parent`.
    pub(super) fn create(parent: &Path) -> io::Result<Self> {
        // That the folder is fresh is the system's promise, not chance's.
        let mut names = Data::fresh();
        for _ in 0..16 {
            let path = parent.join(format!("{PREFIX}{:016x}", names.next()));
            match create_private(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => return Self::marked(path),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn marked(path: PathBuf) -> io::Result<Self> {
        let made = system::create(&path.join(MARK)).and_then(|mut mark| {
            mark.lock()?;
            writeln!(mark, "{MAGIC}\nprocess {}", std::process::id())?;
            Ok(mark)
        });
        match made {
            Ok(mark) => Ok(Self { path, _mark: mark }),
            Err(error) => {
                let _nothing_else_to_say = remove(&path);
                Err(error)
            }
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file or folder of ours: one of our names and a number.
    pub(super) fn named(&self, name: &str, number: usize) -> PathBuf {
        debug_assert!(NAMES.contains(&name), "a name that `remove` knows");
        self.path.join(format!("{name}-{number}"))
    }

    /// Removes it now, and says what could not be removed.
    pub(super) fn remove(self) -> io::Result<()> {
        remove(&self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whoever wants to know calls `remove`; this is the way out of an error.
        let _gone = remove(&self.path);
    }
}

/// A folder that a killed run left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Where it is.
    pub path: PathBuf,
    /// Bytes in it.
    pub bytes: u64,
}

/// What lies in a folder of earlier or other runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Others {
    /// Runs that live.
    pub running: Vec<PathBuf>,
    /// What killed ones left.
    pub left: Vec<Leftover>,
}

/// Looks for folders of ours in `parent`.
pub fn others(parent: &Path) -> io::Result<Others> {
    let mut found = Others::default();
    for entry in fs::read_dir(parent)? {
        let path = entry?.path();
        if !is_ours(&path) {
            continue;
        }
        if held(&path) {
            found.running.push(path);
        } else {
            let bytes = bytes_in(&path);
            found.left.push(Leftover { path, bytes });
        }
    }
    found.running.sort();
    found.left.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Removes what a killed run left in `parent`; gives what was removed.
pub fn clean(parent: &Path) -> io::Result<Vec<Leftover>> {
    let left = others(parent)?.left;
    for leftover in &left {
        remove(&leftover.path)?;
    }
    Ok(left)
}

/// Whether a path is a folder that a run of ours made: by its name, its kind and its mark, or that nothing is in it,
/// where the run was killed before it left the mark.
pub(super) fn is_ours(path: &Path) -> bool {
    let named = path
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.strip_prefix(PREFIX))
        .is_some_and(|rest| rest.len() == 16 && rest.bytes().all(|b| b.is_ascii_hexdigit()));
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    let is_empty =
        |path: &Path| fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    named && is_folder(path) && (is_file(&path.join(MARK)) || is_empty(path))
}

/// Whether a run holds the mark of a folder.
fn held(path: &Path) -> bool {
    let Ok(mark) = File::open(path.join(MARK)) else {
        return false;
    };
    matches!(mark.try_lock(), Err(TryLockError::WouldBlock))
}

fn bytes_in(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| fs::symlink_metadata(entry.path()).ok())
        .map(|meta| meta.len())
        .sum()
}

/// Removes a folder of ours and what we put into it; the first thing that could not be removed is the error.
fn remove(path: &Path) -> io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let mut problem = remove_named(path).err();
    let mark = path.join(MARK);
    if problem.is_none() && mark.exists() {
        problem = fs::remove_file(&mark).err();
    }
    match problem {
        Some(error) => Err(error),
        None => fs::remove_dir(path),
    }
}

/// Removes the files and folders with our names; goes on after a failure.
fn remove_named(path: &Path) -> io::Result<()> {
    let mut result = Ok(());
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let of_ours = |name: &str| {
            let (word, number) = name.rsplit_once('-')?;
            let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            (NAMES.contains(&word) && digits).then_some(())
        };
        if name.to_str().and_then(of_ours).is_none() {
            continue;
        }
        let kind = entry.file_type()?;
        let path = entry.path();
        let removed = if kind.is_dir() {
            remove_named(&path).and_then(|()| fs::remove_dir(&path))
        } else if kind.is_file() {
            fs::remove_file(&path)
        } else {
            // We make neither links nor devices.
            Ok(())
        };
        result = result.and(removed);
    }
    result
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

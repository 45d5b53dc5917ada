//! What killed runs left in a folder: finding it, and removing it on request.
//!
//! What such a run made is known by name alone. So a leftover is opened once, itself and not through a link, and all
//! that follows happens in what was opened; only files and folders of our names are removed, of the same owner and on the
//! same filesystem as the folder.

use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::scratch::{INODE, MAGIC, MARK, NAMES, PREFIX, about};
use crate::files::{Folder, Kind, Seen};

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

/// What came of cleaning.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// What was removed.
    pub removed: Vec<Leftover>,
    /// What was not, or not whole, and why.
    pub failed: Vec<(Leftover, io::Error)>,
}

/// Looks for folders of ours in `parent`.
pub fn others(parent: &Path) -> io::Result<Others> {
    others_in(&Folder::open_itself(parent)?, parent)
}

/// The same in a folder that is held open, and found at `path`.
pub(super) fn others_in(parent: &Folder, path: &Path) -> io::Result<Others> {
    let mut found = Others::default();
    for one in Ours::all(parent)? {
        let path = path.join(&one.name);
        if one.is_held {
            found.running.push(path);
        } else {
            let bytes = bytes_in(&one.folder);
            found.left.push(Leftover { path, bytes });
        }
    }
    Ok(found)
}

/// Removes what killed runs left in `parent`, each for itself.
pub fn clean(parent: &Path) -> io::Result<Cleaned> {
    let folder = Folder::open_itself(parent)?;
    let mut cleaned = Cleaned::default();
    for one in Ours::all(&folder)?.iter().filter(|one| !one.is_held) {
        let leftover = Leftover { path: parent.join(&one.name), bytes: bytes_in(&one.folder) };
        match one.remove(&folder) {
            Ok(()) => cleaned.removed.push(leftover),
            Err(error) => cleaned.failed.push((leftover, error)),
        }
    }
    Ok(cleaned)
}

/// Whether something in a folder is a folder that a run of ours made.
pub(super) fn is_ours(parent: &Folder, name: &OsStr) -> bool {
    Ours::at(parent, name).is_some()
}

/// A folder that a run of ours made: by its name, its kind and its mark, or that nothing is in it, where the run was
/// killed before it left the mark.
struct Ours {
    name: String,
    folder: Folder,
    seen: Seen,
    /// A run holds its mark.
    is_held: bool,
    /// Why its mark is not to be believed.
    doubt: Option<&'static str>,
    /// Held while it is cleaned, so that nobody else does.
    mark: Option<File>,
}

impl Ours {
    /// All of them in a folder, by name.
    fn all(parent: &Folder) -> io::Result<Vec<Self>> {
        let mut names = parent.names()?;
        names.sort();
        Ok(names.iter().filter_map(|name| Self::at(parent, name)).collect())
    }

    fn at(parent: &Folder, name: &OsStr) -> Option<Self> {
        let name = name.to_str()?;
        let number = name.strip_prefix(PREFIX)?;
        let is_number = number.len() == 16 && number.bytes().all(|b| b.is_ascii_hexdigit());
        let folder = is_number.then(|| parent.folder(name).ok())??;
        let seen = folder.seen().ok()?;
        let mut one = Self { name: name.to_owned(), folder, seen, is_held: false, doubt: None, mark: None };
        match one.folder.file(MARK, false) {
            Ok(mark) => {
                one.is_held = matches!(mark.try_lock(), Err(TryLockError::WouldBlock));
                one.doubt = one.doubt(&mark);
                one.mark = Some(mark);
            }
            Err(_) => one.folder.names().ok()?.is_empty().then_some(())?,
        }
        Some(one)
    }

    /// Why a mark is none of this folder.
    fn doubt(&self, mark: &File) -> Option<&'static str> {
        let mut text = String::new();
        if mark.take(1024).read_to_string(&mut text).is_err() {
            return Some("its mark cannot be read");
        }
        if text.is_empty() {
            // Killed before it was written: nothing else is there then.
            let is_alone = self.folder.names().is_ok_and(|names| names.len() == 1);
            return (!is_alone).then_some("its mark is empty");
        }
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            return Some("its mark is not that of a benchmark");
        }
        let inode = lines.find_map(|line| line.strip_prefix(INODE));
        let is_other = inode.is_some_and(|inode| inode != self.seen.id.inode.to_string());
        is_other.then_some("its mark names another folder: it was copied")
    }

    /// Removes it and what the run put into it.
    fn remove(&self, parent: &Folder) -> io::Result<()> {
        if let Some(doubt) = self.doubt {
            return Err(io::Error::other(format!("{doubt}; nothing was removed")));
        }
        empty(&self.folder, &self.seen)?;
        if let Some(mark) = &self.mark {
            let id = Seen::of(mark)?.id;
            self.folder.remove(MARK, id).map_err(|error| about(MARK, &error))?;
        }
        parent.remove_folder(&self.name, self.seen.id)
    }
}

fn bytes_in(folder: &Folder) -> u64 {
    let names = folder.names().unwrap_or_default();
    let seen = names.iter().filter_map(|name| folder.look(name).ok()?);
    seen.map(|seen| seen.bytes).sum()
}

/// Removes the files and folders with our names; goes on after a failure. The first is the answer.
fn empty(folder: &Folder, whole: &Seen) -> io::Result<()> {
    let mut result = Ok(());
    for name in folder.names()? {
        let is_of_ours = |name: &str| {
            let (word, number) = name.rsplit_once('-')?;
            let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            (NAMES.contains(&word) && digits).then_some(())
        };
        let Some(name) = name.to_str().filter(|name| is_of_ours(name).is_some()) else {
            continue;
        };
        let removed = remove_one(folder, name, whole);
        result = result.and(removed.map_err(|error| about(name, &error)));
    }
    result
}

fn remove_one(folder: &Folder, name: &str, whole: &Seen) -> io::Result<()> {
    let Some(seen) = folder.look(name)? else {
        return Ok(());
    };
    if seen.owner != whole.owner || seen.id.device != whole.id.device {
        return Err(io::Error::other("it is of another owner or filesystem"));
    }
    match seen.kind {
        Kind::File => folder.remove(name, seen.id),
        Kind::Folder => {
            let inner = folder.folder(name)?;
            if inner.seen()?.id != seen.id {
                return Err(io::Error::other("something else took its place"));
            }
            empty(&inner, whole)?;
            folder.remove_folder(name, seen.id)
        }
        // We make neither links nor devices.
        Kind::Link | Kind::Other => Ok(()),
    }
}

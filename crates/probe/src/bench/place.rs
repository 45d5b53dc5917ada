//! Whether a folder may be measured: what it is, whose it is, and whether there is room.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::BenchError;
use super::leftover::{self, Leftover};
use super::root;
use super::system::{self, Space};
use crate::diag::quoted;
use crate::files::Folder;
use crate::units::Bytes;

/// A folder that may be measured.
#[derive(Debug, Clone)]
pub struct Place {
    /// Where it is, without links and dots.
    pub path: PathBuf,
    /// The folder itself, held open: what is done later is done there, whatever its name leads to by then.
    pub(super) folder: Arc<Folder>,
    /// Room on its volume; none where the system does not tell.
    pub space: Option<Space>,
    /// What must stay free \[B\].
    pub keep_free: u64,
    /// What killed runs left there.
    pub leftovers: Vec<Leftover>,
    /// What a person should know before it starts.
    pub warnings: Vec<String>,
}

/// What the SDP's installer lets p4d insist on for each volume, `filesys.*.min`, on current systems \[B\].
const KEEP_FREE: u64 = 5 << 30;

/// What stays free if nobody says otherwise \[B\]: 5 GiB, the most that the SDP sets `filesys.*.min` to,
/// and on small volumes a tenth.
fn keep_free(space: Option<Space>) -> u64 {
    space.map_or(KEEP_FREE, |space| KEEP_FREE.min(space.total / 10))
}

impl Place {
    /// Looks at `folder`, which must stand, be a folder, not a live P4ROOT, and not the root directory of a volume with
    /// something on it.
    pub fn of(folder: &Path, keep: Option<u64>) -> Result<Self, BenchError> {
        let name = quoted(&folder.to_string_lossy());
        let refused = |reason: String| Err(BenchError::Refused(reason));
        let meta = match fs::symlink_metadata(folder) {
            Ok(meta) => meta,
            Err(error) => return refused(format!("{name} cannot be inspected: {error}")),
        };
        if meta.is_symlink() {
            let target = fs::read_link(folder).unwrap_or_default();
            let target = quoted(&target.to_string_lossy());
            return refused(format!("{name} is a link to {target}: name the folder that you mean"));
        }
        if !meta.is_dir() {
            return refused(format!("{name} is no folder: a benchmark writes files, it never touches a device"));
        }
        let found = opened(folder);
        let (path, folder) = match found {
            Ok(found) => found,
            Err(error) => return refused(format!("{name} cannot be opened: {error}")),
        };
        if let Some(signs) = root::signs(&folder) {
            return refused(format!(
                "{name} looks like a live P4ROOT: it holds {signs}; make an empty folder in it and name that"
            ));
        }
        let is_empty = is_empty(&folder);
        if !is_empty && is_root_of_volume(&folder, &path) {
            let example = quoted(&path.join(EXAMPLE).to_string_lossy());
            return refused(format!(
                "{name} is the root directory of a volume and is not empty; make an empty folder on that volume, such \
                 as {example}, and name that"
            ));
        }
        let mut warnings = Vec::new();
        if let Some((root, signs)) = root_above(&path) {
            let root = quoted(&root.to_string_lossy());
            if !is_empty {
                return refused(format!(
                    "{name} lies in a live P4ROOT ({root} holds {signs}) and is not empty; make an empty folder there \
                     and name that"
                ));
            }
            warnings.push(format!(
                "the folder lies in a live P4ROOT ({root} holds {signs}): its users will notice the load"
            ));
        }
        let others = leftover::others_in(&folder, &path)
            .map_err(|error| BenchError::Refused(format!("{name} cannot be read: {error}")))?;
        if let Some(other) = others.running.first() {
            let other = quoted(&other.to_string_lossy());
            return Err(BenchError::Failed(format!(
                "another run measures here, in {other}: each would measure the other"
            )));
        }
        let space = system::space(&folder).ok();
        Ok(Self {
            keep_free: keep.unwrap_or_else(|| keep_free(space)),
            leftovers: others.left,
            path,
            folder: Arc::new(folder),
            space,
            warnings,
        })
    }

    /// Whether so much \[B\] may be written there.
    pub fn has_room_for(&self, bytes: u64) -> Result<(), BenchError> {
        let Some(space) = self.space else {
            return Ok(());
        };
        if bytes.saturating_add(self.keep_free) <= space.free {
            return Ok(());
        }
        let shown = |bytes: u64| Bytes::new(bytes as f64);
        let mut reason = format!(
            "too little space: {} free, the tests need {} and {} stay free (--size and --keep-free change that)",
            shown(space.free),
            shown(bytes),
            shown(self.keep_free)
        );
        let left: u64 = self.leftovers.iter().map(|l| l.bytes).sum();
        if left > 0 {
            let _infallible = write!(reason, "; a killed run left {}, --clean removes it", shown(left));
        }
        Err(BenchError::Failed(reason))
    }

    /// What may be written at most \[B\].
    pub fn room(&self) -> Option<u64> {
        Some(self.space?.free.saturating_sub(self.keep_free))
    }
}

/// A folder held open, and its path without links.
fn opened(folder: &Path) -> io::Result<(PathBuf, Folder)> {
    let handle = Folder::open_itself(folder)?;
    let path = fs::canonicalize(folder)?;
    // Between the two somebody may have put another one there.
    if Folder::open_itself(&path)?.seen()?.id == handle.seen()?.id {
        Ok((path, handle))
    } else {
        Err(io::Error::other("it was replaced during the check"))
    }
}

/// A folder that may be made on a volume to be measured.
const EXAMPLE: &str = "plimsoll-test";
/// What filesystems and systems put into the root directory of an empty volume.
const OF_SYSTEM: [&str; 4] = ["lost+found", ".snapshot", "$RECYCLE.BIN", "System Volume Information"];

/// Whether nothing lies in a folder but what runs of ours left, and what the system put there.
fn is_empty(folder: &Folder) -> bool {
    let is_nothing =
        |name: &OsString| OF_SYSTEM.iter().any(|of_system| name == of_system) || leftover::is_ours(folder, name);
    folder.names().is_ok_and(|names| names.iter().all(is_nothing))
}

/// Whether a volume is mounted at a folder: the folder above lies on another one, or there is none above.
fn is_root_of_volume(folder: &Folder, path: &Path) -> bool {
    let device = |folder: &Folder| folder.seen().map(|seen| seen.id.device);
    let above = folder.parent().and_then(|above| device(&above)).ok();
    // Where devices have no numbers the path alone is left.
    path.parent().is_none() || above.is_some() && above != device(folder).ok()
}

/// The nearest folder above that looks like a live P4ROOT, and by what.
fn root_above(path: &Path) -> Option<(PathBuf, String)> {
    path.ancestors().skip(1).find_map(|above| {
        let signs = root::signs_at(above)?;
        Some((above.to_owned(), signs))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_put_there_leaves_a_volume_empty() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("plimsoll-place-{}", std::process::id()));
        fs::create_dir(&path)?;
        let folder = Folder::open(&path)?;
        let mut seen = vec![is_empty(&folder)];
        fs::create_dir(path.join("lost+found"))?;
        seen.push(is_empty(&folder));
        fs::write(path.join("theirs"), "")?;
        seen.push(is_empty(&folder));
        fs::remove_dir_all(&path)?;
        assert_eq!(seen, [true, true, false]);
        Ok(())
    }

    #[test]
    fn a_volume_begins_where_the_folder_above_lies_on_another() -> io::Result<()> {
        let is_root = |path: &Path| Ok::<_, io::Error>(is_root_of_volume(&Folder::open(path)?, path));
        assert!(is_root(Path::new("/"))?);
        assert!(!is_root(&std::env::current_dir()?.join("src"))?);
        if cfg!(target_os = "linux") {
            assert!(is_root(Path::new("/proc"))?);
        }
        Ok(())
    }
}

//! Whether a folder may be measured: what it is, whose it is, and whether there is room.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::BenchError;
use super::scratch::{self, Leftover};
use super::system::{self, Space};
use crate::diag::quoted;
use crate::units::Bytes;

/// A folder that may be measured.
#[derive(Debug, Clone)]
pub struct Place {
    /// Where it is, without links and dots.
    pub path: PathBuf,
    /// Room on its volume; none where the system does not tell.
    pub space: Option<Space>,
    /// What must stay free \[B\].
    pub keep_free: u64,
    /// What killed runs left there.
    pub leftovers: Vec<Leftover>,
    /// What a person should know before it starts.
    pub warnings: Vec<String>,
}

/// Tables that every P4ROOT holds; `db.have` and `db.rev` come with the first files.
const TABLES: [&str; 5] = ["db.counters", "db.config", "db.domain", "db.user", "db.rev"];

/// What the SDP's installer lets p4d insist on for each volume, `filesys.*.min`, on current systems \[B\].
const KEEP_FREE: u64 = 5 << 30;

/// What stays free if nobody says otherwise \[B\]: 5 GiB, the most that the SDP sets `filesys.*.min` to,
/// and on small volumes a tenth.
fn keep_free(space: Option<Space>) -> u64 {
    space.map_or(KEEP_FREE, |space| KEEP_FREE.min(space.total / 10))
}

impl Place {
    /// Looks at `folder`, which must stand, be a folder and not a live P4ROOT.
    pub fn of(folder: &Path, keep: Option<u64>) -> Result<Self, BenchError> {
        let name = quoted(&folder.to_string_lossy());
        let refused = |reason: String| Err(BenchError::Refused(reason));
        let meta = match fs::symlink_metadata(folder) {
            Ok(meta) => meta,
            Err(error) => return refused(format!("{name} cannot be looked at: {error}")),
        };
        if meta.is_symlink() {
            let target = fs::read_link(folder).unwrap_or_default();
            let target = quoted(&target.to_string_lossy());
            return refused(format!(
                "{name} is a link to {target}: name the folder that you mean"
            ));
        }
        if !meta.is_dir() {
            return refused(format!(
                "{name} is no folder: a benchmark writes files, it never touches a device"
            ));
        }
        let path = match fs::canonicalize(folder) {
            Ok(path) => path,
            Err(error) => return refused(format!("{name} cannot be found: {error}")),
        };
        if looks_like_root(&path) {
            return refused(format!(
                "{name} looks like a live P4ROOT: it holds db.* tables; make an empty folder in it and name that"
            ));
        }
        let mut warnings = Vec::new();
        if path.parent().is_some_and(looks_like_root) {
            let is_empty = fs::read_dir(&path).is_ok_and(|mut entries| {
                entries.all(|e| e.is_ok_and(|e| scratch::is_ours(&e.path())))
            });
            if !is_empty {
                return refused(format!(
                    "{name} lies in a live P4ROOT and is not empty; make an empty folder there and name that"
                ));
            }
            warnings
                .push("the folder lies in a live P4ROOT: its users will feel the load".to_owned());
        }
        let others = scratch::others(&path)
            .map_err(|error| BenchError::Refused(format!("{name} cannot be read: {error}")))?;
        if let Some(other) = others.running.first() {
            let other = quoted(&other.to_string_lossy());
            return Err(BenchError::Failed(format!(
                "another run measures here, in {other}: each would measure the other"
            )));
        }
        let space = system::space(&path).ok();
        Ok(Self {
            keep_free: keep.unwrap_or_else(|| keep_free(space)),
            leftovers: others.left,
            path,
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
            "too little room: {} free, {} are wanted and {} stay free (--size and --keep-free change that)",
            shown(space.free),
            shown(bytes),
            shown(self.keep_free)
        );
        let left: u64 = self.leftovers.iter().map(|l| l.bytes).sum();
        if left > 0 {
            let _infallible = write!(
                reason,
                "; a killed run left {}, --clean removes it",
                shown(left)
            );
        }
        Err(BenchError::Failed(reason))
    }

    /// What may be written at most \[B\].
    pub fn room(&self) -> Option<u64> {
        Some(self.space?.free.saturating_sub(self.keep_free))
    }
}

/// Whether two or more of the tables that every server has lie there.
fn looks_like_root(path: &Path) -> bool {
    let there = |table: &&&str| path.join(table).exists();
    TABLES.iter().filter(there).count() >= 2 || path.join("server.locks").exists()
}

//! Everything that the window reads and writes: site files, reports, preferences, unsaved work.

use std::fs;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};

use super::preferences::Preferences;
use crate::document;
use crate::files::{self, Over};

/// Most entries of a folder that are listed.
const ENTRIES_MAX: usize = 1000;

/// The text of a site file, or why not.
pub fn read(path: &Path) -> Result<String, String> {
    document::read_text(path).map_err(|error| error.to_string())
}

/// Why a file was not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaved {
    /// A sentence.
    pub reason: String,
    /// Whether to save once more would write over what is there.
    pub may_insist: bool,
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, text: &str, over: Over) -> Result<(), Unsaved> {
    files::write(path, text, None, over).map_err(|refusal| {
        let may_insist = refusal.may_be_forced();
        let hint = if may_insist { ": save again to write over it" } else { "" };
        Unsaved { reason: format!("{} {refusal}{hint}", path.display()), may_insist }
    })
}

/// Folders, and site files and reports, of a folder; folders first and with a slash.
pub fn list(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("cannot list {}: {error}", folder.display());
    let mut folders = Vec::new();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if entry.path().is_dir() {
            folders.push(format!("{name}/"));
        } else {
            files.push(name);
        }
    }
    folders.sort();
    files.sort();
    folders.append(&mut files);
    folders.truncate(ENTRIES_MAX);
    Ok(folders)
}

/// Where preferences and unsaved work are kept.
#[derive(Debug, Clone)]
pub struct Home {
    config: PathBuf,
    state: PathBuf,
}

/// Unsaved work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The site file that it came from.
    pub file: Option<PathBuf>,
    /// Its text.
    pub text: String,
}

impl Home {
    /// The usual places of this system; none where there is no home.
    pub fn of_user() -> Option<Self> {
        let dirs = ProjectDirs::from("", "", "plimsoll")?;
        let state = dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir());
        Some(Self { config: dirs.config_dir().to_owned(), state: state.to_owned() })
    }

    /// Below one folder.
    pub fn below(folder: &Path) -> Self {
        Self { config: folder.join("config"), state: folder.join("state") }
    }

    fn preferences_file(&self) -> PathBuf {
        self.config.join("preferences.toml")
    }

    /// The preferences, or the usual ones.
    pub fn preferences(&self) -> Preferences {
        let text = document::read_text(&self.preferences_file()).unwrap_or_default();
        Preferences::parse(&text)
    }

    /// Keeps preferences; what cannot be kept is not worth a message.
    pub fn remember(&self, preferences: &Preferences) {
        drop(fs::create_dir_all(&self.config));
        let text = preferences.to_text();
        drop(write(&self.preferences_file(), &text, Over::Anything));
    }

    fn recovery_file(&self, process: u32) -> PathBuf {
        self.state.join(format!("{UNSAVED}{process}.toml"))
    }

    fn found_file(&self, process: u32) -> PathBuf {
        self.state.join(format!("{FOUND}{process}.toml"))
    }

    /// Keeps unsaved work of this process.
    pub fn keep(&self, kept: &Kept) -> Result<(), String> {
        fs::create_dir_all(&self.state).map_err(|error| format!("cannot keep unsaved work: {error}"))?;
        let text = toml::to_string(kept).map_err(|error| error.to_string())?;
        let path = self.recovery_file(std::process::id());
        write(&path, &text, Over::Anything).map_err(|unsaved| unsaved.reason)
    }

    /// Nothing of this process is unsaved any more; what it found stays.
    pub fn forget(&self) {
        drop(fs::remove_file(self.recovery_file(std::process::id())));
    }

    /// Finds unsaved work of a process that is gone. No other window is offered it as long as this process
    /// runs; it stays until the user chooses, and the next start finds it again otherwise.
    pub fn find(&self) -> Option<Kept> {
        let mut left: Vec<PathBuf> = fs::read_dir(&self.state)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_left(path))
            .collect();
        left.sort();
        left.into_iter().rev().find_map(|path| {
            let kept = toml::from_str(&document::read_text(&path).ok()?).ok()?;
            // Another window may have been faster.
            fs::rename(&path, self.found_file(std::process::id())).ok()?;
            Some(kept)
        })
    }

    /// What was found is this process's own unsaved work from now on.
    pub fn take_found(&self) {
        let process = std::process::id();
        drop(fs::rename(self.found_file(process), self.recovery_file(process)));
    }

    /// What was found is not wanted.
    pub fn forget_found(&self) {
        drop(fs::remove_file(self.found_file(std::process::id())));
    }
}

/// Files of unsaved work, and of such that a later window found: what stands before the process's number.
const UNSAVED: &str = "unsaved-";
const FOUND: &str = "found-";

/// Whether a file is unsaved work of a process that is gone.
fn is_left(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let process = name
        .strip_prefix(UNSAVED)
        .or_else(|| name.strip_prefix(FOUND))
        .and_then(|rest| rest.strip_suffix(".toml"))
        .and_then(|id| id.parse::<u32>().ok());
    process.is_some_and(|id| id != std::process::id() && !is_running(id))
}

/// Whether a process runs; where that cannot be found out, it does not.
fn is_running(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of this test alone.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plimsoll-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
        folder
    }

    #[test]
    fn a_file_is_written_whole_and_nothing_is_left_beside_it() {
        let folder = folder("write");
        let path = folder.join("site.toml");
        assert_eq!(write(&path, "one", Over::Nothing), Ok(()));
        let again = write(&path, "two", Over::Nothing);
        assert!(again.is_err_and(|unsaved| unsaved.may_insist));
        assert_eq!(write(&path, "two", Over::Anything), Ok(()));
        assert_eq!(read(&path), Ok("two".to_owned()));
        assert_eq!(list(&folder), Ok(vec!["site.toml".to_owned()]));
        let nowhere = folder.join("no/such/site.toml");
        let unsaved = write(&nowhere, "x", Over::Anything);
        assert!(unsaved.is_err_and(|e| e.reason.contains("no/such") && !e.may_insist));
        drop(fs::remove_dir_all(&folder));
    }

    #[test]
    fn unsaved_work_of_a_process_that_is_gone_is_found_by_one_and_stays() {
        let folder = folder("recover");
        let home = Home::below(&folder);
        assert_eq!(home.find(), None);
        let kept = Kept { file: Some("a.toml".into()), text: "name = \"\\\"\"\n".to_owned() };
        assert_eq!(home.keep(&kept), Ok(()));
        assert_eq!(home.find(), None, "this process still runs");
        // No process has the largest numbers there are.
        let (ours, gone) = (std::process::id(), [u32::MAX, u32::MAX - 1]);
        let moved = |from: PathBuf, to: PathBuf| fs::rename(from, to).is_ok();
        assert!(moved(home.recovery_file(ours), home.recovery_file(gone[0])));
        // What cannot be read hides nothing.
        let broken = home.recovery_file(gone[1]);
        assert_eq!(write(&broken, "file = ", Over::Nothing), Ok(()));
        assert_eq!(home.find(), Some(kept.clone()));
        assert_eq!(home.find(), None, "it is this process's");
        home.forget();
        // A window that found it and was closed without an answer.
        assert!(moved(home.found_file(ours), home.found_file(gone[0])));
        assert_eq!(home.find(), Some(kept));
        home.take_found();
        assert!(home.recovery_file(ours).exists() && !home.found_file(ours).exists());
        assert!(moved(home.recovery_file(ours), home.found_file(ours)));
        home.forget_found();
        drop(fs::remove_file(broken));
        assert_eq!(list(&home.state), Ok(Vec::new()));
        drop(fs::remove_dir_all(&folder));
    }
}

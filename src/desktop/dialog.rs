//! Questions in the middle of the window, and the command palette.

use std::path::PathBuf;

use super::command::Command;

/// A question that must be answered before anything else.
#[derive(Debug, Clone, PartialEq)]
pub enum Dialog {
    /// A file or folder to choose, or to name.
    File {
        /// What it is for.
        purpose: Purpose,
        /// Where.
        browser: Browser,
    },
    /// What was done, line by line.
    Said {
        /// In short.
        title: String,
        /// Sentences, or lines of a list.
        lines: Vec<String>,
    },
    /// There is unsaved work; what to do before `then`.
    Unsaved {
        /// The command that waits.
        then: Box<Command>,
    },
    /// A session ended without saving; its text was kept.
    Recover {
        /// The site file that it came from, if there was one.
        file: Option<PathBuf>,
        /// The text as it was.
        text: String,
    },
    /// The keyboard's shortcuts.
    Shortcuts,
    /// What this is.
    About,
}

/// What a file or folder is chosen for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// To open a site.
    Open,
    /// To save the site.
    SaveAs {
        /// The command that waits for it, if one does.
        then: Option<Box<Command>>,
    },
    /// To write the report.
    Export,
    /// To write report and configuration into.
    Handover,
    /// To read a server log.
    Log,
    /// To read outputs of `plimsoll collect`.
    Outputs,
    /// To compare the site with.
    Other,
    /// To open a saved rehearsal.
    Rehearsal,
}

/// Endings of site files.
const SITES: &[&str] = &[".toml"];
/// Logs and outputs are called as their owners like.
const ANY: &[&str] = &[""];
/// A folder is meant.
const FOLDER: &[&str] = &[];

impl Purpose {
    /// The title of the dialog, its button, and the endings of the files that are meant.
    pub fn words(&self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::Open => ("Open a site file", "Open", SITES),
            Self::SaveAs { .. } => ("Save the site", "Save", SITES),
            Self::Export => ("Export the report", "Export", &[".html", ".md", ".json"]),
            Self::Handover => ("Save hand-over folder", "Save", FOLDER),
            Self::Log => ("Open a server log", "Open", ANY),
            Self::Outputs => ("Read outputs of plimsoll collect", "Read", ANY),
            Self::Other => {
                let title = "Compare with another site, or an answer in JSON";
                (title, "Compare", &[".toml", ".json"])
            }
            Self::Rehearsal => ("Open a saved rehearsal", "Open", SITES),
        }
    }
}

/// A folder with what lies in it, and a path that is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Browser {
    /// The folder that is listed.
    pub folder: PathBuf,
    /// Folders and files in it; folders end in a slash.
    pub entries: Vec<String>,
    /// What is typed.
    pub typed: String,
    /// Why it cannot be.
    pub problem: Option<String>,
    /// Endings of the files that are meant.
    pub endings: &'static [&'static str],
}

impl Browser {
    /// The file that is named, with the usual ending where none was typed; none where nothing was.
    pub fn named(&self) -> Option<PathBuf> {
        let name = self.typed.trim();
        if name.is_empty() {
            return None;
        }
        let path = self.folder.join(name);
        Some(match (path.extension(), self.endings.first()) {
            (None, Some(ending)) => path.with_extension(ending.trim_start_matches('.')),
            _ => path,
        })
    }

    /// Folders, and files with one of the endings.
    pub fn shown(&self) -> impl Iterator<Item = &str> {
        let is_meant = |entry: &&str| entry.ends_with('/') || self.endings.iter().any(|ending| entry.ends_with(ending));
        self.entries.iter().map(String::as_str).filter(is_meant)
    }

    /// The folder among the entries that is typed, if one is.
    pub fn folder_typed(&self) -> Option<PathBuf> {
        let typed = self.typed.trim();
        let name = typed.strip_suffix('/').unwrap_or(typed);
        let is_listed = |entry: &String| entry.strip_suffix('/') == Some(name);
        let is_folder = typed == ".." || self.entries.iter().any(is_listed);
        is_folder.then(|| self.folder.join(name))
    }
}

/// The command palette.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Palette {
    /// What is typed.
    pub query: String,
    /// Which of the matches is chosen.
    pub chosen: usize,
}

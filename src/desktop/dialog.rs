//! Questions in the middle of the window, and the command palette.

use std::path::PathBuf;

use super::command::Command;

/// A question that must be answered before anything else.
#[derive(Debug, Clone, PartialEq)]
pub enum Dialog {
    /// Which file to open.
    Open(Browser),
    /// Where to save the site.
    SaveAs {
        /// Where.
        browser: Browser,
        /// The command that waits for it, if one does.
        then: Option<Box<Command>>,
    },
    /// Where to write the report.
    Export(Browser),
    /// In which folder to write report and configuration.
    Handover(Browser),
    /// Which server log to read.
    Log(Browser),
    /// Which outputs of `plimsoll collect` to read.
    Outputs(Browser),
    /// Which site to compare with.
    Other(Browser),
    /// Which saved rehearsal to open.
    Rehearsal(Browser),
    /// Where to save the result of a rehearsal.
    SaveRehearsal(Browser),
    /// In which folder to rehearse.
    RehearsalFolder {
        /// Where.
        browser: Browser,
        /// Of db, journal and depot the one that it is for.
        role: usize,
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
        let is_meant = |entry: &&str| {
            entry.ends_with('/') || self.endings.iter().any(|ending| entry.ends_with(ending))
        };
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

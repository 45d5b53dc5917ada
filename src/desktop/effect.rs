//! What the shell must do after an update, which itself does nothing.

use std::path::PathBuf;
use std::sync::Arc;

use super::answer::{LaneName, Question, Signal};
use super::preferences::Preferences;
use crate::files::Over;

/// Something outside of the state.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Give a question to the workers.
    Ask(Question),
    /// Tell the simulation.
    Tell(Signal),
    /// The answer of a lane is wanted no more.
    Drop(LaneName),
    /// Read a site file.
    Read(PathBuf),
    /// Read the file that the site is compared with.
    ReadOther(PathBuf),
    /// Read a saved rehearsal.
    ReadRehearsal(PathBuf),
    /// Find out what files are.
    Sort(Vec<PathBuf>),
    /// Read outputs of `p4` and of the system.
    Gather(Vec<PathBuf>),
    /// Write a site file, whole or not at all.
    Write {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: Arc<str>,
        /// What it may be written over.
        over: Over,
    },
    /// Write the report.
    Export(PathBuf),
    /// Write report and configuration into a folder.
    Handover(PathBuf),
    /// Show a folder in the desktop's file manager.
    ShowFolder(PathBuf),
    /// List a folder.
    List(PathBuf),
    /// Keep preferences.
    Remember(Preferences),
    /// Put a text on the clipboard.
    Copy(String),
    /// Nothing is unsaved any more: what this window kept for recovery can go.
    ForgetRecovery,
    /// Unsaved work of an earlier session is this window's own now.
    TakeFound,
    /// Unsaved work of an earlier session is not wanted.
    ForgetFound,
    /// Close the window.
    Close,
}

//! Commands: of menus, keys, the palette, the pointer, the workers and tests. Those of one panel are in its `update`.

use std::path::PathBuf;
use std::sync::Arc;

use super::answer::Answer;
use super::files::Unsaved;
use super::inquiry::Inquire;
use super::kinds::FileKind;
use super::panels::Panel;
use super::panels::compare::CompareCommand;
use super::panels::rehearsal::RehearsalCommand;
use super::panels::report::ReportCommand;
use super::panels::server_log::LogCommand;
use super::panels::simulate::SimulateCommand;
use super::panels::what_if::WhatIfCommand;
use super::state::{Day, EvidenceView, Pin};
use crate::advisor::what_if::Change;
use crate::collected::Collected;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Go to a panel.
    Show(Panel),
    /// Look at the questionnaire in another way.
    Inquire(Inquire),
    /// Go to a question: its path.
    Seek(String),
    /// What is typed into a field becomes its answer, where it can be one.
    CommitDraft,
    /// Change what undo goes back from.
    Edit {
        /// The change.
        edit: Edit,
        /// What the pointer or the keyboard is in the middle of: changes under the same name are one step.
        gesture: Option<String>,
    },
    /// One step back.
    Undo,
    /// One step forward.
    Redo,
    /// An empty site.
    New,
    /// An example.
    Preset(&'static str),
    /// Ask which file to open.
    AskOpen,
    /// Open a file.
    Open(PathBuf),
    /// A file was read.
    Opened {
        /// The file.
        path: PathBuf,
        /// Its text, or why not.
        text: Result<String, String>,
    },
    /// Files were dropped on the window.
    Drop(Vec<PathBuf>),
    /// It is known what they are.
    Dropped(Vec<(PathBuf, FileKind)>),
    /// Ask which outputs of `plimsoll collect` to read.
    AskOutputs,
    /// Read outputs into the questionnaire.
    ReadOutputs(Vec<PathBuf>),
    /// Outputs were read, or why not.
    OutputsRead(Result<Box<Collected>, String>),
    /// Show a change of today's system: its name.
    ChooseChange(String),
    /// Save to the file that is open.
    Save,
    /// Ask where to save.
    AskSaveAs,
    /// Save to a file.
    SaveAs(PathBuf),
    /// A file was saved.
    Saved {
        /// The file.
        path: PathBuf,
        /// The text that is in it now.
        text: Arc<str>,
        /// Why not.
        problem: Option<Unsaved>,
    },
    /// Show a folder in the desktop's file manager.
    ShowFolder(PathBuf),
    /// What is typed in a dialog.
    Type(String),
    /// Another entry of the listed folder is chosen: so many places further down.
    Step(isize),
    /// List another folder in a dialog.
    Browse(PathBuf),
    /// A folder was listed.
    Listed {
        /// The folder.
        folder: PathBuf,
        /// What lies in it, or why not.
        entries: Result<Vec<String>, String>,
    },
    /// The dialog is answered with yes: what is typed, or unsaved work is saved first.
    Confirm,
    /// Unsaved work is given up; kept work is not wanted.
    Discard,
    /// The dialog, the palette or what is looked at is closed.
    Dismiss,
    /// Unsaved work of a session that ended was found.
    Recovered {
        /// The site file that it came from.
        file: Option<PathBuf>,
        /// The text as it was.
        text: String,
    },
    /// Open the command palette.
    AskPalette,
    /// Choose in the palette.
    Choose(usize),
    /// Show the shortcuts.
    AskShortcuts,
    /// Show what this is.
    AskAbout,
    /// Light, dark or as the desktop.
    NextLook,
    /// Larger or smaller by a factor; none is the usual size.
    Zoom(Option<f32>),
    /// Where a number comes from, by its name.
    Explain(String),
    /// Back to where one came from to look at an origin.
    Back,
    /// Look at the evidence in another way.
    Look(EvidenceView),
    /// Copy a text.
    Copy {
        /// What it is.
        what: String,
        /// The text.
        text: String,
    },
    /// Of the panel What if.
    WhatIf(WhatIfCommand),
    /// Of the panel Compare.
    Compare(CompareCommand),
    /// Of the panel Simulate.
    Simulate(SimulateCommand),
    /// Of the panel Report.
    Report(ReportCommand),
    /// Of the panel Server log.
    Log(LogCommand),
    /// Of the panel Rehearsal.
    Rehearsal(RehearsalCommand),
    /// A worker has an answer.
    Answered {
        /// The number of the question.
        generation: u64,
        /// The answer, or why there is none.
        answer: Answer,
        /// Whether this is all.
        is_last: bool,
    },
    /// The window is to be closed.
    Close,
}

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// An answer, as typed; none is no answer.
    Answer {
        /// The field's path.
        field: String,
        /// What was typed.
        value: Option<String>,
    },
    /// One more table of a list, such as an office.
    AddTable(&'static str),
    /// One table fewer.
    RemoveTable(&'static str, usize),
    /// Another text.
    Text(Arc<str>),
    /// What differs from the recommendation.
    Change(Arc<Change>),
    /// The answers of the what-if become answers of the site.
    TakeOver,
    /// Compare one more.
    Pin(Pin),
    /// Compare one fewer.
    Unpin(usize),
    /// Put a compared layout at another place among them.
    MovePin {
        /// Where it is.
        from: usize,
        /// Where it is to be.
        to: usize,
    },
    /// Tie commands and syncs to the number of developers in the what-if, or untie them.
    Tie {
        /// Whether they are untied now.
        is_untied: bool,
        /// What differs from the recommendation then.
        change: Arc<Change>,
    },
    /// How many years to look ahead.
    Horizon(Option<f64>),
    /// What to simulate.
    Day(Day),
}

impl Command {
    /// An edit by itself.
    pub fn edit(edit: Edit) -> Self {
        Self::Edit { edit, gesture: None }
    }

    /// An edit in the middle of a gesture.
    pub fn drag(gesture: impl Into<String>, edit: Edit) -> Self {
        Self::Edit { edit, gesture: Some(gesture.into()) }
    }

    /// An answer.
    pub fn answer(field: &str, typed: &str) -> Self {
        let value = Some(typed.to_owned()).filter(|t| !t.trim().is_empty());
        Self::drag(field, Edit::Answer { field: field.to_owned(), value })
    }
}

//! What is asked of the report: to write it, alone or with the configuration.

use std::path::{Path, PathBuf};

use crate::desktop::dialog::Purpose;
use crate::desktop::effect::Effect;
use crate::desktop::state::{Notice, State};
use crate::desktop::update::ask_file;

/// A command of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum ReportCommand {
    /// Ask where to write the report.
    AskExport,
    /// Write the report; its kind is that of the file's name.
    Export(PathBuf),
    /// The report was written.
    Exported {
        /// The file.
        path: PathBuf,
        /// Why not.
        problem: Option<String>,
    },
    /// Ask into which folder to write the hand-over.
    AskHandover,
    /// Write report and configuration into a folder.
    Handover(PathBuf),
    /// The hand-over was written.
    HandedOver {
        /// The folder.
        folder: PathBuf,
        /// How many files, or why not.
        written: Result<usize, String>,
    },
}

pub(in crate::desktop) fn update(state: &mut State, command: ReportCommand) -> Vec<Effect> {
    match command {
        ReportCommand::AskExport => return ask_file(state, Purpose::Export, "report.html"),
        ReportCommand::Export(path) => {
            state.dialog = None;
            return vec![Effect::Export(path)];
        }
        ReportCommand::Exported { path, problem } => {
            state.notice = Some(match problem {
                None => Notice::done(format!("wrote {}", path.display())),
                Some(reason) => Notice::problem(reason),
            });
        }
        ReportCommand::AskHandover => return ask_handover(state),
        ReportCommand::Handover(folder) => {
            state.dialog = None;
            return vec![Effect::Handover(folder)];
        }
        ReportCommand::HandedOver { folder, written } => {
            state.notice = Some(match written {
                Ok(files) => Notice::folder(format!("Saved {files} files in {}", folder.display()), folder),
                Err(reason) => Notice::problem(reason),
            });
        }
    }
    Vec::new()
}

/// Asks into which folder report and configuration are written: one beside the site file.
fn ask_handover(state: &mut State) -> Vec<Effect> {
    let stem = state.file.as_deref().and_then(Path::file_stem);
    let name = stem.map_or_else(|| "handover".to_owned(), |stem| format!("{}-handover", stem.to_string_lossy()));
    ask_file(state, Purpose::Handover, &name)
}

//! Commands of dialogs and of the palette.

use std::path::{Path, PathBuf};

use super::super::command::Command;
use super::super::dialog::{Browser, Dialog, Purpose};
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::palette;
use super::super::panels::compare::CompareCommand;
use super::super::panels::rehearsal::RehearsalCommand;
use super::super::panels::report::ReportCommand;
use super::super::panels::server_log::LogCommand;
use super::super::state::{Notice, State};
use super::files::{save, start};
use super::update;
use crate::files::Over;

fn browser(state: &mut State) -> Option<&mut Browser> {
    match &mut state.dialog {
        Some(Dialog::File { browser, .. }) => Some(browser),
        _ => None,
    }
}

/// What is typed, in the palette or for a file.
pub(super) fn typed(state: &mut State, text: String) -> Vec<Effect> {
    if let Some(palette) = &mut state.palette {
        palette.query = text;
        palette.chosen = 0;
    } else if let Some(browser) = browser(state) {
        browser.typed = text;
        browser.problem = None;
    }
    Vec::new()
}

/// Chooses another entry: in the palette, or of a folder.
pub(super) fn stepped(state: &mut State, places: isize) {
    let Some(browser) = browser(state) else {
        return;
    };
    let shown: Vec<&str> = browser.shown().collect();
    let Some(last) = shown.len().checked_sub(1) else {
        return;
    };
    let at = shown.iter().position(|entry| *entry == browser.typed);
    let next = match at {
        Some(at) => at.saturating_add_signed(places).min(last),
        None if places < 0 => last,
        None => 0,
    };
    browser.typed = shown[next].to_owned();
    browser.problem = None;
}

/// After a folder was listed, or could not be.
pub(super) fn listed(state: &mut State, folder: PathBuf, entries: Result<Vec<String>, String>) -> Vec<Effect> {
    if let Some(browser) = browser(state) {
        match entries {
            Ok(entries) => {
                browser.folder = folder;
                browser.entries = entries;
                browser.problem = None;
            }
            Err(reason) => browser.problem = Some(reason),
        }
    }
    Vec::new()
}

/// Yes: what is chosen or typed, or saved first.
pub(super) fn confirmed(state: &mut State, engine: &Engine) -> Vec<Effect> {
    if let Some(palette) = state.palette.take() {
        let found = palette::entries(&palette.query, state, engine);
        return match found.into_iter().nth(palette.chosen) {
            Some(entry) => update(state, entry.command, engine),
            None => Vec::new(),
        };
    }
    match state.dialog.clone() {
        Some(Dialog::File { purpose, browser }) => chosen(state, &purpose, &browser, engine),
        // The dialog stays until the file is written, or the next asks which.
        Some(Dialog::Unsaved { then }) => save(state, Some(then)),
        Some(Dialog::Recover { file, text }) => {
            state.dialog = None;
            let mut effects = start(state, file, &text, engine);
            // What the file itself holds is not known: the recovered text counts as unsaved.
            state.saved = "".into();
            state.notice = Some(Notice::done("recovered unsaved work"));
            effects.push(Effect::TakeFound);
            effects
        }
        Some(Dialog::Said { .. } | Dialog::Shortcuts | Dialog::About) | None => {
            state.dialog = None;
            Vec::new()
        }
    }
}

/// A file or folder was chosen or named.
fn chosen(state: &mut State, purpose: &Purpose, browser: &Browser, engine: &Engine) -> Vec<Effect> {
    // A folder that is chosen is looked into, unless one is meant.
    let is_file_meant = !browser.endings.is_empty();
    if let Some(folder) = browser.folder_typed().filter(|_| is_file_meant) {
        if let Some(browser) = self::browser(state) {
            browser.typed.clear();
        }
        return update(state, Command::Browse(folder), engine);
    }
    let Some(path) = browser.named() else {
        return Vec::new();
    };
    let command = match purpose {
        Purpose::Open => Command::Open(path),
        Purpose::SaveAs { .. } if state.file.as_ref() == Some(&path) => Command::SaveAs(path),
        Purpose::SaveAs { .. } => match replaced(state, &path) {
            None => return Vec::new(),
            Some(over) => {
                if over == Over::Anything {
                    state.insisted = Some(path.clone());
                }
                Command::SaveAs(path)
            }
        },
        Purpose::Export => Command::Report(ReportCommand::Export(path)),
        Purpose::Handover => Command::Report(ReportCommand::Handover(path)),
        Purpose::Log => Command::Log(LogCommand::Read(vec![path])),
        Purpose::Outputs => Command::ReadOutputs(vec![path]),
        Purpose::Other => Command::Compare(CompareCommand::Open(path)),
        Purpose::Rehearsal => Command::Rehearsal(RehearsalCommand::Open(path)),
    };
    update(state, command, engine)
}

/// What may be written over; `None` where there is a file of this name: then the dialog asks for a second confirmation.
fn replaced(state: &mut State, path: &Path) -> Option<Over> {
    let browser = browser(state)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !browser.entries.iter().any(|entry| *entry == name) {
        return Some(Over::Nothing);
    }
    if browser.problem.is_some() {
        return Some(Over::Anything);
    }
    browser.problem = Some(format!("{name} exists already: Save again replaces it"));
    None
}

/// No: unsaved or kept work is given up.
pub(super) fn discarded(state: &mut State, engine: &Engine) -> Vec<Effect> {
    match state.dialog.take() {
        Some(Dialog::Unsaved { then }) => {
            state.saved = state.scenario.text.clone();
            update(state, *then, engine)
        }
        Some(Dialog::Recover { .. }) => vec![Effect::ForgetFound],
        other => {
            state.dialog = other;
            Vec::new()
        }
    }
}

/// Closes what stands on top. The next start asks again about found work.
pub(super) fn dismissed(state: &mut State) -> Vec<Effect> {
    if state.palette.take().is_none() && state.dialog.take().is_none() {
        state.origin = None;
        state.trail.clear();
        state.notice = None;
    }
    Vec::new()
}

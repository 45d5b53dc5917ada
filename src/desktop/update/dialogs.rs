//! Commands of dialogs and of the palette.

use std::path::{Path, PathBuf};

use super::super::command::Command;
use super::super::dialog::{Browser, Dialog};
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::palette;
use super::super::state::{Notice, State};
use super::files::{save, start};
use super::update;
use crate::files::Over;

fn browser(state: &mut State) -> Option<&mut Browser> {
    match &mut state.dialog {
        Some(
            Dialog::Open(browser)
            | Dialog::SaveAs { browser, .. }
            | Dialog::Export(browser)
            | Dialog::Handover(browser)
            | Dialog::Log(browser)
            | Dialog::Outputs(browser)
            | Dialog::Other(browser)
            | Dialog::Rehearsal(browser)
            | Dialog::SaveRehearsal(browser)
            | Dialog::RehearsalFolder { browser, .. },
        ) => Some(browser),
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
pub(super) fn listed(
    state: &mut State,
    folder: PathBuf,
    entries: Result<Vec<String>, String>,
) -> Vec<Effect> {
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
    // A folder that is chosen is looked into.
    let is_folder_meant = matches!(
        state.dialog,
        Some(Dialog::Handover(_) | Dialog::RehearsalFolder { .. })
    );
    if let Some(browser) = browser(state).filter(|_| !is_folder_meant)
        && let Some(folder) = browser.folder_typed()
    {
        browser.typed.clear();
        return update(state, Command::Browse(folder), engine);
    }
    match state.dialog.clone() {
        Some(Dialog::Open(browser)) => match browser.named() {
            Some(path) => update(state, Command::Open(path), engine),
            None => Vec::new(),
        },
        Some(Dialog::Log(browser)) => match browser.named() {
            Some(path) => update(state, Command::ReadLog(vec![path]), engine),
            None => Vec::new(),
        },
        Some(Dialog::Outputs(browser)) => match browser.named() {
            Some(path) => update(state, Command::ReadOutputs(vec![path]), engine),
            None => Vec::new(),
        },
        Some(Dialog::Other(browser)) => match browser.named() {
            Some(path) => update(state, Command::OpenOther(path), engine),
            None => Vec::new(),
        },
        Some(Dialog::Rehearsal(browser)) => match browser.named() {
            Some(path) => update(state, Command::OpenRehearsal(path), engine),
            None => Vec::new(),
        },
        Some(Dialog::SaveRehearsal(browser)) => match browser.named() {
            Some(path) => match is_replaced(state, &path) {
                Replaced::Ask => Vec::new(),
                Replaced::Over(over) => {
                    update(state, Command::SaveRehearsal { path, over }, engine)
                }
            },
            None => Vec::new(),
        },
        Some(Dialog::RehearsalFolder { browser, role }) => {
            let folder = browser.named().unwrap_or(browser.folder);
            update(state, Command::ChooseRehearsalFolder(role, folder), engine)
        }
        Some(Dialog::Handover(browser)) => match browser.named() {
            Some(folder) => update(state, Command::Handover(folder), engine),
            None => Vec::new(),
        },
        Some(Dialog::SaveAs { browser, .. }) => match browser.named() {
            Some(path) if replaces(state, &path) => Vec::new(),
            Some(path) => update(state, Command::SaveAs(path), engine),
            None => Vec::new(),
        },
        Some(Dialog::Export(browser)) => match browser.named() {
            Some(path) => update(state, Command::Export(path), engine),
            None => Vec::new(),
        },
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

/// Whether another file would be replaced without a second confirmation; then the dialog asks for it.
fn replaces(state: &mut State, path: &Path) -> bool {
    let is_own = state.file.as_deref() == Some(path);
    let Some(browser) = browser(state).filter(|_| !is_own) else {
        return false;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_known = browser.entries.iter().any(|entry| *entry == name);
    if !is_known {
        return false;
    }
    if browser.problem.is_some() {
        state.insisted = Some(path.to_owned());
        return false;
    }
    browser.problem = Some(format!("{name} exists already: Save again replaces it"));
    true
}

/// What a result may be written over.
enum Replaced {
    /// There is a file of this name: the dialog asks for a second confirmation.
    Ask,
    Over(Over),
}

/// Whether a result would replace a file, and whether it was confirmed twice.
fn is_replaced(state: &mut State, path: &Path) -> Replaced {
    let Some(browser) = browser(state) else {
        return Replaced::Ask;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !browser.entries.iter().any(|entry| *entry == name) {
        return Replaced::Over(Over::Nothing);
    }
    if browser.problem.is_some() {
        return Replaced::Over(Over::Anything);
    }
    browser.problem = Some(format!("{name} exists already: Save again replaces it"));
    Replaced::Ask
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

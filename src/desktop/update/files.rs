//! Beginning with a text, and saving it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::answer::Signal;
use super::super::command::Command;
use super::super::dialog::{Browser, Dialog, Purpose};
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::files::Unsaved;
use super::super::inquiry::{Inquire, Inquiry, Part};
use super::super::panels::Panel;
use super::super::presets;
use super::super::reading::Reading;
use super::super::state::{Notice, Scenario, State};
use super::asking::reread;
use super::{refused, update};
use crate::files::{Over, checksum};

/// Does it, or asks first what is to become of unsaved work.
pub(super) fn guarded(state: &mut State, then: Command, act: impl FnOnce(&mut State) -> Vec<Effect>) -> Vec<Effect> {
    // The question about found work stays: the first commands come before its answer.
    if !matches!(state.dialog, Some(Dialog::Recover { .. })) {
        state.dialog = None;
    }
    if state.is_dirty() {
        state.dialog = Some(Dialog::Unsaved { then: Box::new(then) });
        return Vec::new();
    }
    act(state)
}

/// Begins with a text: nothing to undo, nothing unsaved.
pub(super) fn start(state: &mut State, file: Option<PathBuf>, text: &str, engine: &Engine) -> Vec<Effect> {
    if !state.is_begun() && !state.panel.needs_site() {
        state.panel = Panel::default();
    }
    let text: Arc<str> = text.into();
    state.scenario = Arc::new(Scenario { text: text.clone(), ..Scenario::default() });
    state.saved = text;
    state.file = file;
    state.insisted = None;
    state.past.clear();
    state.future.clear();
    state.gesture = None;
    state.inquiry = Inquiry::default();
    state.has_own_pins = false;
    state.reading = Reading::default();
    state.lanes.advice.clear();
    state.lanes.what_if.clear();
    state.curve = None;
    state.lanes.check.clear();
    state.lanes.growth.clear();
    state.lanes.comparison.clear();
    state.lanes.today.clear();
    state.today_of = None;
    state.change_shown = None;
    state.other = None;
    state.lanes.against.clear();
    state.lanes.simulation.clear();
    let mut effects = vec![Effect::ForgetRecovery, Effect::Tell(Signal::Stop)];
    effects.extend(reread(state, engine));
    effects
}

/// Saves to the file that is open, or asks where; `then` is the command that waits for it.
pub(super) fn save(state: &mut State, then: Option<Box<Command>>) -> Vec<Effect> {
    match state.file.clone() {
        Some(path) => vec![write(state, path)],
        None => ask_save_as(state, then),
    }
}

/// Asks where to save.
pub(super) fn ask_save_as(state: &mut State, then: Option<Box<Command>>) -> Vec<Effect> {
    ask_file(state, Purpose::SaveAs { then }, "site.toml")
}

/// Saves to a file. What waits for it waits on as unsaved work does: until the file is written.
pub(super) fn save_as(state: &mut State, path: PathBuf) -> Vec<Effect> {
    state.dialog = match state.dialog.take() {
        Some(Dialog::File { purpose: Purpose::SaveAs { then }, .. }) => then.map(|then| Dialog::Unsaved { then }),
        _ => None,
    };
    vec![write(state, path)]
}

/// Writes the text to a file: over the one that is open as it was read or written last, over any other only where
/// the window warned of it.
fn write(state: &State, path: PathBuf) -> Effect {
    let over = if state.insisted.as_ref() == Some(&path) {
        Over::Anything
    } else if state.file.as_ref() == Some(&path) {
        Over::Same(checksum(state.saved.bytes()))
    } else {
        Over::Nothing
    };
    Effect::Write { path, text: state.scenario.text.clone(), over }
}

/// After a file was written, or could not be.
pub(super) fn saved(
    state: &mut State,
    path: PathBuf,
    text: Arc<str>,
    problem: Option<Unsaved>,
    engine: &Engine,
) -> Vec<Effect> {
    state.insisted = None;
    if let Some(unsaved) = problem {
        state.insisted = unsaved.may_insist.then_some(path);
        return refused(state, unsaved.reason);
    }
    state.notice = Some(Notice::done(format!("saved {}", path.display())));
    state.preferences.remember(&path);
    state.file = Some(path);
    state.saved = text;
    let mut effects = vec![Effect::Remember(state.preferences.clone())];
    if !state.is_dirty() {
        effects.push(Effect::ForgetRecovery);
        // The command that waited for it.
        if let Some(Dialog::Unsaved { then }) = state.dialog.clone() {
            state.dialog = None;
            effects.extend(update(state, *then, engine));
        }
    }
    effects
}

/// A file with errors opens at the first of them.
fn show_errors(state: &mut State) {
    let problems = state.reading.problems.iter();
    let Some(first) = problems.clone().find(|p| !p.is_warning).cloned() else {
        return;
    };
    state.panel = Panel::Questionnaire;
    let question = first.field.filter(|path| Part::of(path).is_some());
    let asked = match (question, first.line) {
        (Some(path), _) if state.reading.syntax.is_none() => Inquire::Seek(path),
        (_, Some(line)) => Inquire::Line(line),
        (_, None) => Inquire::Text(true),
    };
    state.inquiry.take(asked);
}

/// Asks for a file, beside the one that is open.
pub(in super::super) fn ask_file(state: &mut State, purpose: Purpose, name: &str) -> Vec<Effect> {
    let folder = state.file.as_deref().and_then(Path::parent);
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
    let browser =
        Browser { folder: folder.clone(), typed: name.to_owned(), endings: purpose.words().2, ..Browser::default() };
    state.dialog = Some(Dialog::File { purpose, browser });
    vec![Effect::List(folder)]
}

/// Begins with an example.
pub(super) fn preset(state: &mut State, name: &str, engine: &Engine) -> Vec<Effect> {
    let Some(text) = presets::text(name) else {
        return Vec::new();
    };
    let effects = start(state, None, text, engine);
    state.panel = Panel::Recommendation;
    state.notice = Some(Notice::done(format!("{name}, an example")));
    effects
}

/// After a file was read, or could not be.
pub(super) fn opened(state: &mut State, path: PathBuf, text: Result<String, String>, engine: &Engine) -> Vec<Effect> {
    match text {
        Ok(text) => {
            state.preferences.remember(&path);
            let mut effects = start(state, Some(path), &text, engine);
            effects.push(Effect::Remember(state.preferences.clone()));
            show_errors(state);
            effects
        }
        Err(reason) => refused(state, reason),
    }
}

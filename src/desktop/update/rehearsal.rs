//! The rehearsal: what is typed, start and stop, results that are opened and saved.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::answer::{Asked, LaneName, NO_FOLDER, RehearsalAsked, Rehearsing};
use super::super::dialog::Dialog;
use super::super::effect::Effect;
use super::super::lane::Same;
use super::super::rehearsal::Form;
use super::super::state::{Notice, Panel, State};
use super::asking::ask;
use super::files::{SITES, ask_file};
use super::looking::show;
use crate::files::Over;
use crate::rehearse::Rehearsed;

/// What would be rehearsed; none without a site.
fn asked(state: &State) -> Option<RehearsalAsked> {
    Some(RehearsalAsked {
        site: state.reading.last.clone()?,
        form: state.rehearsal.form.clone(),
    })
}

/// Asks what a rehearsal would do, unless one runs or a result is looked at.
pub(in super::super) fn ask_plan(state: &mut State) -> Vec<Effect> {
    plan(state, false)
}

fn plan(state: &mut State, cleans: bool) -> Vec<Effect> {
    let lane = &state.lanes.rehearsal;
    if lane.is_busy() || lane.answer().is_some() {
        return Vec::new();
    }
    let Some(asked) = asked(state) else {
        return Vec::new();
    };
    ask(state, Asked::RehearsalPlan(asked, cleans))
}

/// Changes what is to be rehearsed.
pub(super) fn prepare(state: &mut State, form: Form) -> Vec<Effect> {
    state.rehearsal.form = form;
    ask_plan(state)
}

/// Asks for a folder, beside the one that is chosen already.
pub(super) fn ask_folder(state: &mut State, role: usize) -> Vec<Effect> {
    let folders = &state.rehearsal.form.folders;
    let chosen = folders.get(role).map_or("", |folder| folder.trim());
    let chosen = (!chosen.is_empty()).then(|| PathBuf::from(chosen));
    let dialog = |browser| Dialog::RehearsalFolder { browser, role };
    let mut effects = ask_file(state, dialog, "", &[]);
    if let Some(folder) = chosen {
        effects.push(Effect::List(folder));
    }
    effects
}

/// Rehearses in this folder.
pub(super) fn choose_folder(state: &mut State, role: usize, folder: &Path) -> Vec<Effect> {
    state.dialog = None;
    if let Some(chosen) = state.rehearsal.form.folders.get_mut(role) {
        *chosen = folder.to_string_lossy().into_owned();
    }
    ask_plan(state)
}

/// Removes what killed runs left.
pub(super) fn clean(state: &mut State) -> Vec<Effect> {
    plan(state, true)
}

/// Starts, where there is a site and a folder; the rest is checked by the rehearsal itself.
pub(super) fn begin(state: &mut State) -> Vec<Effect> {
    if state.lanes.rehearsal.is_busy() {
        return Vec::new();
    }
    let mut effects = show(state, Panel::Rehearsal);
    let asked = match asked(state) {
        Some(asked) if asked.form.at().is_some() => asked,
        Some(_) => {
            state.notice = Some(Notice::problem(NO_FOLDER));
            return effects;
        }
        None => {
            state.notice = Some(Notice::problem(
                "open a site first: its load is what is rehearsed",
            ));
            return effects;
        }
    };
    state.lanes.rehearsal.clear();
    state.rehearsal.is_stopping = false;
    state.notice = None;
    effects.extend(ask(state, Asked::Rehearsal(asked)));
    effects
}

/// Tells a rehearsal to stop; it is waited for until it has removed its files.
pub(super) fn stop(state: &mut State) -> Vec<Effect> {
    if !state.lanes.rehearsal.is_busy() {
        return Vec::new();
    }
    state.rehearsal.is_stopping = true;
    vec![Effect::Drop(LaneName::Rehearsal)]
}

/// Lets go of a result or of what went wrong: back to the settings, or to the start card where there is no site.
pub(super) fn close(state: &mut State) -> Vec<Effect> {
    if state.lanes.rehearsal.is_busy() {
        return stop(state);
    }
    state.lanes.rehearsal.clear();
    if !state.is_begun() {
        state.panel = Panel::default();
        return Vec::new();
    }
    ask_plan(state)
}

/// After a rehearsal: one that was asked to stop, and so came to no result, leads back to the settings.
pub(super) fn ended(state: &mut State) -> Vec<Effect> {
    let was_stopped = std::mem::take(&mut state.rehearsal.is_stopping);
    let lane = &mut state.lanes.rehearsal;
    let Some(reason) = lane.problem().filter(|_| was_stopped) else {
        return Vec::new();
    };
    state.notice = Some(Notice::done(reason));
    lane.clear();
    ask_plan(state)
}

/// After a saved rehearsal was read, or could not be.
pub(super) fn read(
    state: &mut State,
    path: PathBuf,
    read: Result<Arc<Rehearsed>, String>,
) -> Vec<Effect> {
    let found = match read {
        Ok(_) if state.lanes.rehearsal.is_busy() => {
            let words = "a rehearsal runs: stop it before another is opened";
            state.notice = Some(Notice::problem(words));
            return Vec::new();
        }
        Ok(found) => found,
        Err(reason) => {
            state.notice = Some(Notice::problem(reason));
            return Vec::new();
        }
    };
    let lane = &mut state.lanes.rehearsal;
    let generation = lane.ask();
    lane.settle(
        generation,
        Ok(Same::new(Rehearsing::saved(path, found))),
        true,
    );
    show(state, Panel::Rehearsal)
}

/// The result that is looked at.
fn result(state: &State) -> Option<Arc<Rehearsed>> {
    let rehearsing = state.lanes.rehearsal.answer()?;
    Some(rehearsing.result.as_ref()?.found.clone())
}

/// Asks where to save the result.
pub(super) fn ask_save(state: &mut State) -> Vec<Effect> {
    if result(state).is_none() {
        state.notice = Some(Notice::problem("there is no result of a rehearsal to save"));
        return Vec::new();
    }
    ask_file(state, Dialog::SaveRehearsal, "rehearsal.toml", SITES)
}

/// Saves the result.
pub(super) fn save(state: &mut State, path: PathBuf, over: Over) -> Vec<Effect> {
    state.dialog = None;
    let found = result(state);
    let effect = found.map(|found| Effect::WriteRehearsal { path, found, over });
    effect.into_iter().collect()
}

/// After the result was saved, or could not be.
pub(super) fn saved(state: &mut State, path: &Path, problem: Option<String>) {
    let path = path.display();
    let done =
        format!("saved {path}; `plimsoll report --rehearsal {path}` puts it into the report");
    state.notice = Some(problem.map_or_else(|| Notice::done(done), Notice::problem));
}

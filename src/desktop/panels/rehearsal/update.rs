//! What is asked of a rehearsal: what is typed, start and stop, results that are opened and saved.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::desktop::answer::{Asked, LaneName, NO_FOLDER, RehearsalAsked, Rehearsing};
use crate::desktop::dialog::Purpose;
use crate::desktop::effect::Effect;
use crate::desktop::lane::Same;
use crate::desktop::panels::Panel;
use crate::desktop::rehearsal::Form;
use crate::desktop::state::{Notice, State};
use crate::desktop::update::{ask, ask_file, refused, show};
use crate::files::Over;
use crate::rehearse::Rehearsed;

/// A command of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum RehearsalCommand {
    /// Change what is to be rehearsed.
    Prepare(Box<Form>),
    /// Ask for the folder of db, journal or depot: its place among them.
    AskFolder(usize),
    /// Rehearse in this folder.
    ChooseFolder(usize, PathBuf),
    /// Remove what killed runs left in the folders.
    Clean,
    /// Rehearse.
    Start,
    /// Stop rehearsing; its files are removed.
    Stop,
    /// Let go of a result, back to the settings.
    Close,
    /// Ask which saved result to open.
    AskOpen,
    /// Open a saved result.
    Open(PathBuf),
    /// It was read.
    Opened {
        /// The file.
        path: PathBuf,
        /// The result, or why not.
        read: Result<Arc<Rehearsed>, String>,
    },
    /// Ask where to save the result.
    AskSave,
    /// Save it.
    Save {
        /// The file.
        path: PathBuf,
        /// What it may be written over.
        over: Over,
    },
    /// It was saved.
    Saved {
        /// The file.
        path: PathBuf,
        /// Why not.
        problem: Option<String>,
    },
}

pub(in crate::desktop) fn update(state: &mut State, command: RehearsalCommand) -> Vec<Effect> {
    match command {
        RehearsalCommand::Prepare(form) => {
            state.rehearsal.form = *form;
            ask_plan(state)
        }
        RehearsalCommand::AskFolder(role) => ask_folder(state, role),
        RehearsalCommand::ChooseFolder(role, folder) => choose_folder(state, role, &folder),
        RehearsalCommand::Clean => plan(state, true),
        RehearsalCommand::Start => start(state),
        RehearsalCommand::Stop => stop(state),
        RehearsalCommand::Close => close(state),
        RehearsalCommand::AskOpen => ask_file(state, Purpose::Rehearsal, ""),
        RehearsalCommand::Open(path) => {
            state.dialog = None;
            vec![Effect::ReadRehearsal(path)]
        }
        RehearsalCommand::Opened { path, read } => opened(state, path, read),
        RehearsalCommand::AskSave => ask_save(state),
        RehearsalCommand::Save { path, over } => save(state, path, over),
        RehearsalCommand::Saved { path, problem } => {
            saved(state, &path, problem);
            Vec::new()
        }
    }
}

/// What would be rehearsed; none without a site.
fn asked(state: &State) -> Option<RehearsalAsked> {
    Some(RehearsalAsked {
        site: state.reading.last.clone()?,
        form: state.rehearsal.form.clone(),
    })
}

/// Asks what a rehearsal would do, unless one runs or a result is looked at.
pub(in crate::desktop) fn ask_plan(state: &mut State) -> Vec<Effect> {
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

/// Asks for a folder, beside the one that is chosen already.
fn ask_folder(state: &mut State, role: usize) -> Vec<Effect> {
    let folders = &state.rehearsal.form.folders;
    let chosen = folders.get(role).map_or("", |folder| folder.trim());
    let chosen = (!chosen.is_empty()).then(|| PathBuf::from(chosen));
    let mut effects = ask_file(state, Purpose::RehearsalFolder(role), "");
    if let Some(folder) = chosen {
        effects.push(Effect::List(folder));
    }
    effects
}

/// Rehearses in this folder.
fn choose_folder(state: &mut State, role: usize, folder: &Path) -> Vec<Effect> {
    state.dialog = None;
    if let Some(chosen) = state.rehearsal.form.folders.get_mut(role) {
        *chosen = folder.to_string_lossy().into_owned();
    }
    ask_plan(state)
}

/// Starts, where there is a site and a folder; the rest is checked by the rehearsal itself.
fn start(state: &mut State) -> Vec<Effect> {
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
pub(in crate::desktop) fn stop(state: &mut State) -> Vec<Effect> {
    if !state.lanes.rehearsal.is_busy() {
        return Vec::new();
    }
    state.rehearsal.is_stopping = true;
    vec![Effect::Drop(LaneName::Rehearsal)]
}

/// Lets go of a result or of what went wrong: back to the settings, or to the start card where there is no site.
fn close(state: &mut State) -> Vec<Effect> {
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
pub(in crate::desktop) fn ended(state: &mut State) -> Vec<Effect> {
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
fn opened(state: &mut State, path: PathBuf, read: Result<Arc<Rehearsed>, String>) -> Vec<Effect> {
    let found = match read {
        Ok(_) if state.lanes.rehearsal.is_busy() => {
            let words = "a rehearsal runs: stop it before another is opened";
            return refused(state, words);
        }
        Ok(found) => found,
        Err(reason) => {
            return refused(state, reason);
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
fn ask_save(state: &mut State) -> Vec<Effect> {
    if result(state).is_none() {
        return refused(state, "there is no result of a rehearsal to save");
    }
    ask_file(state, Purpose::SaveRehearsal, "rehearsal.toml")
}

/// Saves the result.
fn save(state: &mut State, path: PathBuf, over: Over) -> Vec<Effect> {
    state.dialog = None;
    let found = result(state);
    let effect = found.map(|found| Effect::WriteRehearsal { path, found, over });
    effect.into_iter().collect()
}

/// After the result was saved, or could not be.
fn saved(state: &mut State, path: &Path, problem: Option<String>) {
    let path = path.display();
    let done =
        format!("saved {path}; `plimsoll report --rehearsal {path}` puts it into the report");
    state.notice = Some(problem.map_or_else(|| Notice::done(done), Notice::problem));
}

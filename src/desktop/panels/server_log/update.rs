//! What is asked of a server log.

use std::path::PathBuf;
use std::sync::Arc;

use crate::desktop::answer::{Asked, LaneName};
use crate::desktop::command::Edit;
use crate::desktop::dialog::Purpose;
use crate::desktop::effect::Effect;
use crate::desktop::engine::Engine;
use crate::desktop::panels::Panel;
use crate::desktop::state::{Notice, State};
use crate::desktop::update::{ask, ask_file, begun, edited, refused, said};
use crate::workload::log_answers::{HEAD, apply};

/// A command of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum LogCommand {
    /// Ask which log to read.
    Ask,
    /// Read the files of a log, the oldest first.
    Read(Vec<PathBuf>),
    /// Stop reading, or let go of what was read.
    Close,
    /// Show a part of its time \[s from its beginning\], of a second at least; none is all of it.
    Zoom(Option<(f64, f64)>),
    /// Put its answers into the questionnaire.
    Use,
}

pub(in crate::desktop) fn update(state: &mut State, command: LogCommand, engine: &Engine) -> Vec<Effect> {
    match command {
        LogCommand::Ask => ask_file(state, Purpose::Log, ""),
        LogCommand::Read(files) => read(state, files),
        LogCommand::Close => close(state),
        LogCommand::Zoom(part) => {
            let is_part = |(from, until): &(f64, f64)| from.is_finite() && until - from >= 1.0;
            state.log_zoom = part.filter(is_part);
            Vec::new()
        }
        LogCommand::Use => use_answers(state, engine),
    }
}

fn read(state: &mut State, files: Vec<PathBuf>) -> Vec<Effect> {
    state.dialog = None;
    state.panel = Panel::Log;
    state.log_zoom = None;
    state.lanes.log.clear();
    ask(state, Asked::Log(files))
}

/// Stops reading a log, or lets go of it.
fn close(state: &mut State) -> Vec<Effect> {
    let effects = if state.lanes.log.is_busy() { vec![Effect::Drop(LaneName::Log)] } else { Vec::new() };
    state.lanes.log.clear();
    state.log_zoom = None;
    if !state.is_begun() {
        // Back to the start card.
        state.panel = Panel::default();
    }
    effects
}

/// Puts the answers of the log into the questionnaire, as `plimsoll workload --site` does: one step that can be undone.
fn use_answers(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let logged = state.lanes.log.answer().cloned();
    let Some(read) = logged.as_ref().and_then(|logged| logged.read.as_ref()) else {
        return Vec::new();
    };
    if read.answers.is_empty() {
        return refused(state, "this log answers no question");
    }
    let mut effects = begun(state, HEAD, engine);
    let name = state.source_name();
    let text = state.scenario.text.clone();
    let applied = apply(&name, &text, &read.answers, false, &engine.vocabulary);
    let applied = match applied {
        Ok(applied) => applied,
        Err(reason) => {
            state.notice = Some(Notice::problem(reason));
            return effects;
        }
    };
    let text: Arc<str> = applied.text.as_str().into();
    effects.extend(edited(state, Edit::Text(text), None, engine));
    let mut lines = vec![format!("{}, {}.", applied.summary(), applied.sources())];
    let written = applied.rows.iter().filter(|row| row.is_written());
    lines.extend(written.map(|row| format!("{} = {}", row.field, row.new)));
    lines.extend(applied.details(""));
    said(state, "Answers of the log", applied.summary(), lines);
    effects
}

//! What is typed into fields of the questionnaire: it becomes an answer when it is finished, and only where it can be one.

use super::super::command::Edit;
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::inquiry::{Draft, Inquire};
use super::super::panels::questionnaire::next_open;
use super::super::reading::{Problem, Reading};
use super::super::state::State;
use super::scenario::edited;
use crate::document::edit;
use crate::site::spelling;

/// Looks at the questionnaire in another way; a field that is left for it becomes an answer first.
pub(super) fn inquire(state: &mut State, asked: Inquire, engine: &Engine) -> Vec<Effect> {
    let is_of_field = matches!(asked, Inquire::Draft { .. } | Inquire::DropDraft | Inquire::Help(_) | Inquire::Found);
    let effects = if is_of_field { Vec::new() } else { commit(state, engine) };
    if let Inquire::Onward { from, back } = asked {
        // What cannot be the answer is not left behind.
        let is_wrong = state.inquiry.draft.as_ref().is_some_and(|draft| draft.path == from);
        let next = (!is_wrong).then(|| next_open(state, engine, &from, back)).flatten();
        let is_open_only = state.inquiry.is_open_only;
        state.inquiry.take(Inquire::Seek(next.unwrap_or(from)));
        state.inquiry.is_open_only = is_open_only;
    } else {
        state.inquiry.take(asked);
    }
    effects
}

/// Makes what was typed the answer. What cannot be one stays in its field with the reason, and the answer before it
/// still counts.
pub(super) fn commit(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let Some(draft) = state.inquiry.draft.take() else {
        return Vec::new();
    };
    let typed = draft.typed.trim();
    let value = (!typed.is_empty()).then(|| typed.to_owned());
    if let Some(problem) = problem(state, &draft.path, value.as_deref(), engine) {
        state.inquiry.draft = Some(Draft { problem: Some(problem), ..draft });
        return Vec::new();
    }
    let gesture = Some(draft.path.clone());
    let edit = Edit::Answer { field: draft.path, value };
    edited(state, edit, gesture, engine)
}

/// What is wrong with an answer, if anything is.
fn problem(state: &State, path: &str, value: Option<&str>, engine: &Engine) -> Option<Problem> {
    let text = &state.scenario.text;
    let changed = match value {
        Some(typed) => edit::set(text, path, &spelling(path, typed)),
        None => edit::unset(text, path),
    };
    match changed {
        Ok(changed) => {
            let name = state.source_name();
            let reading = Reading::of(&name, &changed, engine, &state.reading);
            reading.problem(path).cloned()
        }
        Err(error) => Some(Problem {
            field: Some(path.to_owned()),
            line: None,
            missing: None,
            message: error.to_string(),
            found: String::new(),
            help: Vec::new(),
            is_warning: false,
        }),
    }
}

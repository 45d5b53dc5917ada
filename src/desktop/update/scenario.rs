//! Changes of what undo goes back to.

use std::sync::Arc;

use super::super::command::Edit;
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::panels::growth;
use super::super::presets;
use super::super::state::{Scenario, State};
use super::asking::{ask_comparison, ask_what_if, reread};
use super::refused;
use crate::document::edit::{self, EditError};
use crate::site::{LOAD_KEY, spelling, taken};

/// Steps that can be undone.
const STEPS_MAX: usize = 500;

/// One step back.
pub(super) fn undo(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let Some(before) = state.past.pop() else {
        return Vec::new();
    };
    let now = std::mem::replace(&mut state.scenario, before);
    state.future.push(now);
    moved(state, engine)
}

/// One step forward.
pub(super) fn redo(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let Some(after) = state.future.pop() else {
        return Vec::new();
    };
    let now = std::mem::replace(&mut state.scenario, after);
    state.past.push(now);
    moved(state, engine)
}

/// After the scenario became another.
fn moved(state: &mut State, engine: &Engine) -> Vec<Effect> {
    state.gesture = None;
    let is_read = state.reading.last.as_ref().is_some_and(|site| site.text == *state.scenario.text)
        && state.reading.problems.is_empty();
    let mut effects = if is_read { Vec::new() } else { reread(state, engine) };
    effects.extend(ask_what_if(state));
    effects.extend(ask_comparison(state));
    effects
}

/// After an edit, which is a new step unless it goes on with a gesture.
pub(in super::super) fn edited(state: &mut State, edit: Edit, gesture: Option<String>, engine: &Engine) -> Vec<Effect> {
    let mut next = (*state.scenario).clone();
    let is_of_pins = matches!(edit, Edit::Pin(_) | Edit::Unpin(_) | Edit::MovePin { .. });
    if let Err(error) = apply(&mut next, edit) {
        return refused(state, error.to_string());
    }
    if next == *state.scenario {
        return Vec::new();
    }
    state.has_own_pins |= is_of_pins;
    let continues = gesture.is_some() && gesture == state.gesture;
    let before = std::mem::replace(&mut state.scenario, Arc::new(next));
    if !continues {
        state.past.push(before.clone());
        if state.past.len() > STEPS_MAX {
            state.past.remove(0);
        }
    }
    state.future.clear();
    state.gesture = gesture;
    let now = state.scenario.clone();
    let mut effects = Vec::new();
    if now.text != before.text {
        effects.extend(reread(state, engine));
    }
    if now.change != before.change {
        effects.extend(ask_what_if(state));
    }
    if now.horizon_years != before.horizon_years {
        effects.extend(growth::horizon_moved(state));
    }
    if now.pins != before.pins {
        effects.extend(ask_comparison(state));
    }
    effects
}

/// The scenario after an edit.
fn apply(scenario: &mut Scenario, edit: Edit) -> Result<(), EditError> {
    let answer = |text: &str, field: &str, value: Option<&str>| match value {
        Some(typed) => edit::set(text, field, &spelling(field, typed)),
        None => edit::unset(text, field),
    };
    match edit {
        Edit::Answer { field, value } => {
            scenario.text = answer(&scenario.text, &field, value.as_deref())?.into();
        }
        Edit::AddTable(path) => {
            scenario.text = edit::push_table(&scenario.text, path, presets::table(path, &scenario.text))?.into();
        }
        Edit::RemoveTable(path, index) => {
            scenario.text = edit::remove_table(&scenario.text, path, index)?.into();
        }
        Edit::Text(text) => scenario.text = text,
        Edit::Change(change) => scenario.change = change,
        Edit::TakeOver => {
            let answers = std::mem::take(&mut Arc::make_mut(&mut scenario.change).answers);
            let load = answers.get(LOAD_KEY).and_then(|times| times.parse().ok());
            let load = load.map_or_else(Vec::new, |times| taken(&scenario.text, times));
            let answers = answers.into_iter().filter(|(field, _)| field != LOAD_KEY);
            for (field, typed) in load.into_iter().chain(answers) {
                scenario.text = answer(&scenario.text, &field, Some(&typed))?.into();
            }
        }
        Edit::Pin(pin) => {
            scenario.pins.retain(|known| known.name != pin.name);
            scenario.pins.push(pin);
        }
        Edit::Unpin(index) => {
            if index < scenario.pins.len() {
                scenario.pins.remove(index);
            }
        }
        Edit::MovePin { from, to } => {
            if from < scenario.pins.len() && to < scenario.pins.len() {
                let pin = scenario.pins.remove(from);
                scenario.pins.insert(to, pin);
            }
        }
        Edit::Tie { is_untied, change } => {
            scenario.is_untied = is_untied;
            scenario.change = change;
        }
        Edit::Horizon(years) => {
            scenario.horizon_years = years.filter(|y| y.is_finite()).map(|y| y.clamp(0.0, 20.0));
        }
        Edit::Day(day) => scenario.day = day,
    }
    Ok(())
}

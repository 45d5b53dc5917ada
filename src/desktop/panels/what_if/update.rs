//! What is asked of the what-if.

use std::sync::Arc;

use crate::advisor::what_if::Change;
use crate::desktop::answer::Asked;
use crate::desktop::command::Edit;
use crate::desktop::effect::Effect;
use crate::desktop::engine::Engine;
use crate::desktop::panels::Panel;
use crate::desktop::state::State;
use crate::desktop::update::{ask, edited, show};

/// A command of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum WhatIfCommand {
    /// Try a layout: its id.
    TryLayout(String),
    /// Take hold of a control: its name.
    SeekKnob(&'static str),
    /// It has the focus.
    KnobFound,
}

pub(in crate::desktop) fn update(state: &mut State, command: WhatIfCommand, engine: &Engine) -> Vec<Effect> {
    match command {
        WhatIfCommand::TryLayout(layout) => {
            let mut effects = seek(state, "Layout");
            let edit = tried(state, &layout);
            effects.extend(edited(state, edit, None, engine));
            effects
        }
        WhatIfCommand::SeekKnob(label) => seek(state, label),
        WhatIfCommand::KnobFound => {
            state.sought_knob = None;
            Vec::new()
        }
    }
}

fn seek(state: &mut State, label: &'static str) -> Vec<Effect> {
    let effects = show(state, Panel::WhatIf);
    state.sought_knob = Some(label);
    effects
}

/// The what-if with a layout as the advice built it for this site, or as the catalogue has it.
fn tried(state: &State, layout: &str) -> Edit {
    changed(state, |change| {
        let advised = state.lanes.advice.answer();
        let chosen = advised.and_then(|advised| advised.advice.chosen.as_ref());
        let is_recommended = chosen.is_some_and(|chosen| chosen.deployment.layout == layout);
        change.layout = (!is_recommended).then(|| layout.to_owned());
        (change.block, change.file) = (None, None);
    })
}

/// A change of the what-if, made from the present one.
pub fn changed(state: &State, make: impl FnOnce(&mut Change)) -> Edit {
    let mut change = (*state.scenario.change).clone();
    make(&mut change);
    Edit::Change(Arc::new(change))
}

/// Asks for the simulation behind the answer, unless there is one or there is none.
pub(in crate::desktop) fn ask_check(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return Vec::new();
    };
    let lane = &state.lanes.check;
    // A question in work is about the present scenario: others were cleared.
    if is_checked(state) || lane.is_busy() || lane.problem().is_some() {
        return Vec::new();
    }
    let asked = Asked::Check(advised, state.scenario.change.clone());
    ask(state, asked)
}

/// What was simulated for another question is not shown beside this one.
pub(in crate::desktop) fn forget_check(state: &mut State) {
    if !is_checked(state) {
        state.lanes.check.clear();
    }
}

/// Whether the simulated answer is one to the present question.
fn is_checked(state: &State) -> bool {
    let lanes = &state.lanes;
    let (Some(advised), Some(checked)) = (lanes.advice.answer(), lanes.check.answer()) else {
        return false;
    };
    Arc::ptr_eq(&checked.advised, advised) && checked.change == state.scenario.change
}

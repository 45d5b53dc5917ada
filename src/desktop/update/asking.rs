//! Questions to the workers, and what becomes of their answers.

use std::sync::Arc;

use super::super::answer::{Answer, Asked, LaneName};
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::panels::compare::best_of_families;
use super::super::panels::{self, what_if};
use super::super::reading::Reading;
use super::super::state::State;

/// Asks a worker anew: an earlier question of the same kind is wanted no more.
pub(in super::super) fn ask(state: &mut State, asked: Asked) -> Vec<Effect> {
    vec![Effect::Ask(state.lanes.ask(asked))]
}

/// Reads the questionnaire and asks for advice, if it changed.
pub(super) fn reread(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let name = state.source_name();
    state.reading = Reading::of(&name, &state.scenario.text, engine, &state.reading);
    let Some(site) = state.reading.site.clone() else {
        return Vec::new();
    };
    let mut effects = ask(state, Asked::Advice(site));
    effects.extend(panels::ask_at_once(state));
    effects
}

/// Asks what the change does.
pub(super) fn ask_what_if(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return Vec::new();
    };
    let asked = Asked::WhatIf(advised, state.scenario.change.clone());
    let mut effects = ask(state, asked);
    what_if::forget_check(state);
    effects.extend(panels::ask(state));
    effects
}

/// Asks what the pinned layouts do.
pub(super) fn ask_comparison(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return Vec::new();
    };
    let asked = Asked::Comparison(advised, state.scenario.pins.clone());
    ask(state, asked)
}

/// Takes an answer, if it comes in time.
pub(super) fn answered(
    state: &mut State,
    generation: u64,
    answer: Answer,
    is_last: bool,
    engine: &Engine,
) -> Vec<Effect> {
    let lane = answer.lane();
    if !state.lanes.settle(generation, answer, is_last) {
        return Vec::new();
    }
    match lane {
        LaneName::Advice => {
            pin_families(state, engine);
            let mut effects = ask_what_if(state);
            effects.extend(ask_comparison(state));
            return effects;
        }
        LaneName::WhatIf if is_last => {
            if let Some(tried) = state.lanes.what_if.answer() {
                state.curve.clone_from(&tried.curve);
            }
        }
        LaneName::Simulation if is_last => state.simulation.is_paused = false,
        _ => {}
    }
    Vec::new()
}

/// Pins the best layout of each family, as long as none was pinned or unpinned by hand.
fn pin_families(state: &mut State, engine: &Engine) {
    if state.has_own_pins {
        return;
    }
    let Some(advised) = state.lanes.advice.answer() else {
        return;
    };
    let pins = best_of_families(advised, engine);
    if pins != state.scenario.pins {
        Arc::make_mut(&mut state.scenario).pins = pins;
    }
}

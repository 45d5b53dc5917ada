//! Questions to the workers, and what becomes of their answers.

use std::sync::Arc;

use super::super::answer::{Answer, Asked, Question, Signal};
use super::super::behind;
use super::super::command::{Failed, LaneName};
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::lane::Lane;
use super::super::panels::alternatives::best_of_families;
use super::super::reading::Reading;
use super::super::state::{Notice, State};
use super::rehearsal;

/// Asks how well the model predicts what was published, once.
pub(super) fn ask_accuracy(state: &mut State) -> Vec<Effect> {
    if state.accuracy.is_busy() {
        return Vec::new();
    }
    let generation = state.accuracy.ask();
    vec![Effect::Ask(Question {
        generation,
        asked: Asked::Accuracy,
    })]
}

/// Reads the questionnaire and asks for advice, if it changed.
pub(super) fn reread(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let name = state.source_name();
    state.reading = Reading::of(&name, &state.scenario.text, engine, &state.reading);
    let Some(site) = state.reading.site.clone() else {
        return Vec::new();
    };
    let generation = state.advice.ask();
    let mut effects = vec![Effect::Ask(Question {
        generation,
        asked: Asked::Advice(site),
    })];
    effects.extend(behind::reread(state));
    effects
}

/// Asks what the change does.
pub(super) fn ask_what_if(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.advice.answer().cloned() else {
        return Vec::new();
    };
    let generation = state.what_if.ask();
    let mut effects = vec![Effect::Ask(Question {
        generation,
        asked: Asked::WhatIf(advised, state.scenario.change.clone()),
    })];
    effects.extend(behind::changed(state));
    effects
}

/// Asks what the pinned layouts do.
pub(super) fn ask_comparison(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.advice.answer().cloned() else {
        return Vec::new();
    };
    let generation = state.comparison.ask();
    vec![Effect::Ask(Question {
        generation,
        asked: Asked::Comparison(advised, state.scenario.pins.clone()),
    })]
}

/// Begins a day.
pub(super) fn simulate(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.advice.answer().cloned() else {
        state.notice = Some(Notice::problem(
            "nothing can be simulated before there is a recommendation",
        ));
        return Vec::new();
    };
    state.simulation.is_paused = false;
    state.simulation.moment = None;
    state.simulation.zoom = None;
    let generation = state.simulation.lane.ask();
    let scenario = &state.scenario;
    let asked = Asked::Simulation(advised, scenario.change.clone(), scenario.day.clone());
    vec![
        Effect::Tell(Signal::Stop),
        Effect::Ask(Question { generation, asked }),
    ]
}

/// Takes an answer, or what there is of one so far, if it comes in time; whether it did.
fn take<T>(lane: &mut Lane<T>, generation: u64, found: Arc<T>, is_last: bool) -> bool {
    if is_last {
        lane.settle(generation, Ok(found))
    } else {
        lane.progress(generation, found)
    }
}

/// Takes an answer, if it comes in time.
pub(super) fn answered(
    state: &mut State,
    generation: u64,
    answer: Result<Answer, Failed>,
    engine: &Engine,
) -> Vec<Effect> {
    match answer {
        Ok(Answer::Advice { found, is_last }) => {
            if !take(&mut state.advice, generation, found, is_last) {
                return Vec::new();
            }
            pin_families(state, engine);
            let mut effects = ask_what_if(state);
            effects.extend(ask_comparison(state));
            return effects;
        }
        Ok(Answer::WhatIf { found, is_last }) => {
            if !is_last {
                state.what_if.progress(generation, found);
            } else if state.what_if.settle(generation, Ok(found.clone())) {
                state.curve.clone_from(&found.curve);
            }
        }
        Ok(Answer::Check { found, is_last }) => {
            take(&mut state.check, generation, found, is_last);
        }
        Ok(Answer::Growth(grown)) => {
            state.growth.settle(generation, Ok(grown));
        }
        Ok(Answer::Comparison(compared)) => {
            state.comparison.settle(generation, Ok(compared));
        }
        Ok(Answer::Simulation { found, is_last }) => {
            let in_time = take(&mut state.simulation.lane, generation, found, is_last);
            if in_time && is_last {
                state.simulation.is_paused = false;
            }
        }
        Ok(Answer::Accuracy(accuracy)) => {
            state.accuracy.settle(generation, Ok(accuracy));
        }
        Ok(Answer::Today(found)) => {
            state.today.settle(generation, Ok(found));
        }
        Ok(Answer::Against(found)) => {
            state.against.settle(generation, Ok(found));
        }
        Ok(Answer::Log { found, is_last }) => {
            take(&mut state.log, generation, found, is_last);
        }
        Ok(Answer::RehearsalPlan(found)) => {
            state.rehearsal.plan.settle(generation, Ok(found));
        }
        Ok(Answer::Rehearsal { found, is_last }) => {
            let rehearsal = &mut state.rehearsal;
            if take(&mut rehearsal.lane, generation, found, is_last) && is_last {
                rehearsal.is_stopping = false;
            }
        }
        Err(Failed {
            lane: LaneName::Rehearsal,
            reason,
        }) => return rehearsal::failed(state, generation, &reason),
        Err(Failed { lane, reason }) => {
            match lane {
                LaneName::Advice => state.advice.settle(generation, Err(reason)),
                LaneName::WhatIf => state.what_if.settle(generation, Err(reason)),
                LaneName::Check => state.check.settle(generation, Err(reason)),
                LaneName::Growth => state.growth.settle(generation, Err(reason)),
                LaneName::Comparison => state.comparison.settle(generation, Err(reason)),
                LaneName::Simulation => state.simulation.lane.settle(generation, Err(reason)),
                LaneName::Accuracy => state.accuracy.settle(generation, Err(reason)),
                LaneName::Today => state.today.settle(generation, Err(reason)),
                LaneName::Against => state.against.settle(generation, Err(reason)),
                LaneName::Log => state.log.settle(generation, Err(reason)),
                LaneName::RehearsalPlan => state.rehearsal.plan.settle(generation, Err(reason)),
                LaneName::Rehearsal => false,
            };
        }
    }
    Vec::new()
}

/// Pins the best layout of each family, as long as none was pinned or unpinned by hand.
fn pin_families(state: &mut State, engine: &Engine) {
    if state.has_own_pins {
        return;
    }
    let Some(advised) = state.advice.answer() else {
        return;
    };
    let pins = best_of_families(advised, engine);
    if pins != state.scenario.pins {
        Arc::make_mut(&mut state.scenario).pins = pins;
    }
}

/// Pauses or resumes the simulation.
pub(super) fn pause(state: &mut State) -> Vec<Effect> {
    let simulation = &mut state.simulation;
    if !simulation.lane.is_busy() {
        return Vec::new();
    }
    simulation.is_paused = !simulation.is_paused;
    vec![Effect::Tell(if simulation.is_paused {
        Signal::Pause
    } else {
        Signal::Run
    })]
}

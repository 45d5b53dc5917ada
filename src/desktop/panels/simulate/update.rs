//! What is asked of the simulated day.

use crate::desktop::answer::{Asked, Signal};
use crate::desktop::effect::Effect;
use crate::desktop::state::{Simulation, State};
use crate::desktop::update::{ask, refused};

/// A command of the panel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SimulateCommand {
    /// Simulate.
    Run,
    /// Wait, or go on.
    Pause,
    /// End with what there is.
    Stop,
    /// Look at a moment \[s\].
    Scrub(Option<f64>),
    /// Show a part of the time axis \[s\]; none is all of it.
    Zoom(Option<(f64, f64)>),
}

pub(in crate::desktop) fn update(state: &mut State, command: SimulateCommand) -> Vec<Effect> {
    match command {
        SimulateCommand::Run => return run(state),
        SimulateCommand::Pause => return pause(state),
        SimulateCommand::Stop => {
            state.simulation.is_paused = false;
            return vec![Effect::Tell(Signal::Stop)];
        }
        SimulateCommand::Scrub(moment) => {
            state.simulation.moment = moment.filter(|m| m.is_finite());
        }
        SimulateCommand::Zoom(part) => {
            let is_part = |(from, until): &(f64, f64)| from.is_finite() && *from < *until;
            state.simulation.zoom = part.filter(is_part);
        }
    }
    Vec::new()
}

/// Begins a day.
fn run(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return refused(state, "nothing can be simulated before there is a recommendation");
    };
    state.simulation = Simulation::default();
    let scenario = &state.scenario;
    let asked = Asked::Simulation(advised, scenario.change.clone(), scenario.day.clone());
    let mut effects = vec![Effect::Tell(Signal::Stop)];
    effects.extend(ask(state, asked));
    effects
}

fn pause(state: &mut State) -> Vec<Effect> {
    if !state.lanes.simulation.is_busy() {
        return Vec::new();
    }
    let is_paused = &mut state.simulation.is_paused;
    *is_paused = !*is_paused;
    vec![Effect::Tell(if *is_paused { Signal::Pause } else { Signal::Run })]
}

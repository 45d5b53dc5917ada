//! The panels: for each, `data` says what is shown, and `ui` paints it and asks.
//!
//! `data` is made from the state alone, without egui, so that tests read it without a window. `ui`
//! changes nothing: what the pointer asks for is a command.

pub mod alternatives;
pub mod compare;
pub mod evidence;
pub mod growth;
pub mod hang;
pub mod questionnaire;
pub mod recommendation;
pub mod rehearsal;
pub mod report;
pub mod server_log;
pub mod simulate;
pub mod today;
pub mod what_if;

use egui::Ui;

use super::command::Command;
use super::engine::Engine;
use super::state::{Panel, State};
use super::widgets::Tone;
use crate::report::response::Judged;

/// Paints the open panel.
pub fn show(ui: &mut Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    match state.panel {
        Panel::Compare => compare::show(ui, state, engine, out),
        Panel::Questionnaire => questionnaire::show(ui, state, engine, out),
        Panel::Recommendation => recommendation::show(ui, state, engine, out),
        Panel::Simulate => simulate::show(ui, state, engine, out),
        Panel::Evidence => evidence::show(ui, state, engine, out),
        Panel::Report => report::show(ui, state, engine, out),
        Panel::Growth => growth::show(ui, state, engine, out),
        Panel::WhatIf => what_if::show(ui, state, engine, out),
        Panel::Today => today::show(ui, state, engine, out),
        Panel::Log => server_log::show(ui, state, engine, out),
        Panel::Rehearsal => rehearsal::show(ui, state, engine, out),
    }
}

/// A target in words with what it means: "25 min: may miss (12 %)". A target that the interval crosses is neither met
/// nor missed.
pub fn judged(target: Option<&Judged>) -> (String, Tone) {
    let Some(target) = target else {
        return (String::new(), Tone::Plain);
    };
    let tone = match (target.risk, target.is_met) {
        (Some(_), _) => Tone::Warning,
        (None, true) => Tone::Good,
        (None, false) => Tone::Bad,
    };
    (format!("{}: {}", target.limit, target.verdict()), tone)
}

/// Whether a panel scrolls parts of itself, and must have no more than the room that there is.
pub fn scrolls_itself(panel: Panel) -> bool {
    panel == Panel::Questionnaire
}

/// What a panel says where there is no recommendation yet, or none at all.
pub fn waiting(state: &State) -> Option<String> {
    if let Some(problem) = state.lanes.advice.problem() {
        return Some(problem.to_owned());
    }
    match state.lanes.advice.answer() {
        None if state.lanes.advice.is_busy() => Some("Computing the advice…".to_owned()),
        None => Some("Answer the questions first: the number of developers is enough.".to_owned()),
        Some(advised) if advised.advice.chosen.is_none() => Some(advised.answer.sentence()),
        Some(_) => None,
    }
}

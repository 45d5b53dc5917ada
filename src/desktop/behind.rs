//! Questions that only one panel shows the answers to: asked while it is open, and not otherwise.

use std::sync::Arc;

use super::answer::Asked;
use super::effect::Effect;
use super::state::{Panel, State};
use super::update::asking::ask;
use super::update::rehearsal::ask_plan;

/// Ends of the time axis \[years\].
const ENDS: [f64; 5] = [2.0, 5.0, 10.0, 15.0, 20.0];

/// Years that the growth panel draws: some more than the horizon, so that it can be dragged.
pub fn years_drawn(state: &State) -> f64 {
    let site = state.lanes.advice.answer().map(|advised| &advised.site);
    let bought = site.map_or(3.0, |site| site.horizon.time.value.in_years());
    let looked_at = state.scenario.horizon_years.unwrap_or(bought);
    let needed = looked_at.max(bought * 1.25);
    let end = ENDS.into_iter().find(|end| *end >= needed);
    end.unwrap_or(ENDS[ENDS.len() - 1])
}

/// The recommendation or what differs from it has changed, perhaps back.
pub(super) fn changed(state: &mut State) -> Vec<Effect> {
    if !is_checked(state) {
        // What was simulated for another question is not shown beside this one.
        state.lanes.check.clear();
    }
    shown(state)
}

/// A panel was opened.
pub(super) fn shown(state: &mut State) -> Vec<Effect> {
    match state.panel {
        Panel::WhatIf => ask_check(state),
        Panel::Growth => ask_growth(state),
        Panel::Today => ask_today(state),
        Panel::Compare => ask_against(state),
        Panel::Rehearsal => ask_plan(state),
        _ => Vec::new(),
    }
}

/// The answers were read anew: what is computed from them alone need not wait for the advice.
pub(super) fn reread(state: &mut State) -> Vec<Effect> {
    match state.panel {
        Panel::Today => ask_today(state),
        Panel::Compare => ask_against(state),
        Panel::Rehearsal => ask_plan(state),
        _ => Vec::new(),
    }
}

/// The horizon was moved: asked anew only where the axis ends elsewhere.
pub(super) fn horizon_moved(state: &mut State) -> Vec<Effect> {
    let drawn = state
        .lanes
        .growth
        .answer()
        .map(|grown| grown.prospect.outlook.years);
    if drawn == Some(years_drawn(state)) {
        return Vec::new();
    }
    shown(state)
}

/// Whether the simulated answer is one to the present question.
fn is_checked(state: &State) -> bool {
    let (Some(advised), Some(checked)) = (state.lanes.advice.answer(), state.lanes.check.answer())
    else {
        return false;
    };
    Arc::ptr_eq(&checked.advised, advised) && checked.change == state.scenario.change
}

fn ask_check(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return Vec::new();
    };
    // A question in work is about the present scenario: others were cleared.
    if is_checked(state) || state.lanes.check.is_busy() || state.lanes.check.problem().is_some() {
        return Vec::new();
    }
    let asked = Asked::Check(advised, state.scenario.change.clone());
    ask(state, asked)
}

fn ask_growth(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return Vec::new();
    };
    let years = years_drawn(state);
    let asked = Asked::Growth(advised, state.scenario.change.clone(), years);
    ask(state, asked)
}

/// Asks for today's system, unless it was asked for the same answers before.
fn ask_today(state: &mut State) -> Vec<Effect> {
    let Some(site) = state.reading.last.clone() else {
        return Vec::new();
    };
    if state
        .today_of
        .as_ref()
        .is_some_and(|of| Arc::ptr_eq(of, &site))
    {
        return Vec::new();
    }
    state.today_of = Some(site.clone());
    ask(state, Asked::Today(site))
}

/// Asks what differs from the other file, if there is one, unless it was asked for the same answers before.
fn ask_against(state: &mut State) -> Vec<Effect> {
    let (Some(site), Some(other)) = (state.reading.last.clone(), &mut state.other) else {
        return Vec::new();
    };
    if other.asked_of.as_deref() == Some(site.text.as_str()) {
        return Vec::new();
    }
    other.asked_of = Some(site.text.as_str().into());
    let (path, text) = (other.path.clone(), other.text.clone());
    ask(state, Asked::Against(site, path, text))
}

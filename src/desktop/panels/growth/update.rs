//! How many years are asked for.

use crate::desktop::answer::Asked;
use crate::desktop::effect::Effect;
use crate::desktop::panels;
use crate::desktop::state::State;
use crate::desktop::update::ask;

/// Ends of the time axis \[years\].
const ENDS: [f64; 5] = [2.0, 5.0, 10.0, 15.0, 20.0];

/// Years that the panel draws: some more than the horizon, so that it can be dragged.
pub fn years_drawn(state: &State) -> f64 {
    let site = state.lanes.advice.answer().map(|advised| &advised.site);
    let bought = site.map_or(3.0, |site| site.horizon.time.value.in_years());
    let looked_at = state.scenario.horizon_years.unwrap_or(bought);
    let needed = looked_at.max(bought * 1.25);
    let end = ENDS.into_iter().find(|end| *end >= needed);
    end.unwrap_or(ENDS[ENDS.len() - 1])
}

/// Asks for the years that are drawn.
pub(in crate::desktop) fn ask_growth(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.lanes.advice.same() else {
        return Vec::new();
    };
    let years = years_drawn(state);
    let asked = Asked::Growth(advised, state.scenario.change.clone(), years);
    ask(state, asked)
}

/// The horizon was moved: asked anew only where the axis ends elsewhere.
pub(in crate::desktop) fn horizon_moved(state: &mut State) -> Vec<Effect> {
    let grown = state.lanes.growth.answer();
    let drawn = grown.map(|grown| grown.over_time.load_and_stores.years);
    if drawn == Some(years_drawn(state)) {
        return Vec::new();
    }
    panels::ask(state)
}

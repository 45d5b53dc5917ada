//! Which panel is open, and the way to the origin of a number and back.

use super::super::effect::Effect;
use super::super::panels::{self, Panel};
use super::super::state::State;

/// Opens a panel.
pub(in super::super) fn show(state: &mut State, panel: Panel) -> Vec<Effect> {
    state.panel = panel;
    state.sought_knob = None;
    panels::ask(state)
}

/// Looks at the origin of a number, and remembers from where.
pub(super) fn explain(state: &mut State, name: String) -> Vec<Effect> {
    if state.panel != Panel::Evidence || state.origin.as_ref() != Some(&name) {
        let before = (state.panel, state.origin.replace(name));
        state.trail.push(before);
    }
    show(state, Panel::Evidence)
}

/// Goes back to the panel from which an origin was opened.
pub(super) fn back(state: &mut State) -> Vec<Effect> {
    let Some((panel, origin)) = state.trail.pop() else {
        state.origin = None;
        return Vec::new();
    };
    state.origin = origin;
    show(state, panel)
}

//! When today's system is asked for.

use std::sync::Arc;

use crate::desktop::answer::Asked;
use crate::desktop::effect::Effect;
use crate::desktop::state::State;
use crate::desktop::update::ask;

/// Asks for today's system, unless it was asked for the same answers before.
pub(in crate::desktop) fn ask_today(state: &mut State) -> Vec<Effect> {
    let Some(site) = state.reading.last.clone() else {
        return Vec::new();
    };
    let before = state.today_of.replace(site.clone());
    if before.is_some_and(|of| Arc::ptr_eq(&of, &site)) {
        return Vec::new();
    }
    ask(state, Asked::Today(site))
}

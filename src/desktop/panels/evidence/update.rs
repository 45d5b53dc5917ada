//! When the accuracy of the model is asked for.

use crate::desktop::answer::Asked;
use crate::desktop::effect::Effect;
use crate::desktop::state::State;
use crate::desktop::update::ask;

/// Asks how well the model predicts what was published, once.
pub(in crate::desktop) fn ask_accuracy(state: &mut State) -> Vec<Effect> {
    let lane = &state.lanes.accuracy;
    if lane.is_busy() || lane.answer().is_some() {
        return Vec::new();
    }
    ask(state, Asked::Accuracy)
}

//! What is shown of today's system.

use std::sync::Arc;

use crate::desktop::answer::FromToday;
use crate::desktop::state::State;

/// Today's system, or why it cannot be shown.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// Why there is nothing to show.
    pub waiting: Option<String>,
    /// Whether the answers must be changed first: they describe no system that there can be.
    pub is_refused: bool,
    /// The answer as the command line has it.
    pub found: Option<Arc<FromToday>>,
    /// The anchor of the change that is looked at; none for the first.
    pub selected: Option<String>,
    /// Whether an answer to newer questions is on its way.
    pub is_stale: bool,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let nothing =
            |waiting: &str, is_refused| Self { waiting: Some(waiting.to_owned()), is_refused, ..Self::default() };
        if let Some(problem) = state.lanes.today.problem() {
            return nothing(problem, true);
        }
        let Some(found) = state.lanes.today.answer() else {
            return if state.lanes.today.is_busy() {
                nothing("Computing what to change first…", false)
            } else {
                nothing("Answer the questions first: the number of developers is enough.", false)
            };
        };
        Self {
            found: Some(found.clone()),
            selected: state.change_shown.clone(),
            is_stale: state.lanes.today.is_busy(),
            ..Self::default()
        }
    }
}

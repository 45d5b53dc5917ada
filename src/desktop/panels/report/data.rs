//! What the report panel shows.

use std::sync::Arc;

use crate::desktop::answer::Advised;
use crate::desktop::panels::waiting;
use crate::desktop::state::State;

/// What can be exported and pasted.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// Why there is nothing.
    pub waiting: Option<String>,
    /// The recommendation, with its configuration server by server.
    pub advised: Option<Arc<Advised>>,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let waiting = waiting(state);
        let advised = state.lanes.advice.answer().filter(|_| waiting.is_none());
        Self { advised: advised.cloned(), waiting }
    }
}

//! What the recommendation panel shows.

use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::report;

/// The recommendation, or why there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why there is none.
    pub waiting: Option<String>,
    /// The sentence.
    pub sentence: String,
    /// The whole advice as the command line prints it.
    pub text: String,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let waiting = waiting(state);
        let Some(advised) = state.advice.answer().filter(|_| waiting.is_none()) else {
            return Self {
                waiting,
                ..Self::default()
            };
        };
        Self {
            waiting,
            sentence: advised.advice.sentence.clone(),
            text: report::advice_text(&advised.site, &engine.catalog, &advised.advice),
        }
    }
}

//! What is shown of the comparison with another site, or with an answer of an earlier run.

use std::sync::Arc;

use crate::desktop::answer::Against;
use crate::desktop::state::State;
use crate::diag::harmless_line;

/// The other file and what differs from it.
#[derive(Debug, Clone, Default)]
pub struct OtherSite {
    /// "site.toml against other.toml"; none where no other file is open.
    pub title: Option<String>,
    /// Why there is no comparison yet.
    pub waiting: Option<String>,
    /// Whether an answer to newer answers is on its way.
    pub is_stale: bool,
    /// What differs.
    pub found: Option<Arc<Against>>,
}

impl OtherSite {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let Some(other) = &state.other else {
            return Self::default();
        };
        let title =
            format!("{} against {}", harmless_line(&state.source_name()), harmless_line(&other.path.to_string_lossy()));
        let found = state.lanes.against.answer().cloned();
        let waiting = match (&found, state.lanes.against.problem()) {
            (_, Some(problem)) => Some(problem.to_owned()),
            (None, None) if state.lanes.against.is_busy() => Some("Comparing…".to_owned()),
            (None, None) => Some("Answer the questions of this site first.".to_owned()),
            (Some(_), None) => None,
        };
        Self { title: Some(title), is_stale: found.is_some() && state.lanes.against.is_busy(), waiting, found }
    }
}

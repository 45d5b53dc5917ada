//! What would be: the recommended deployment as it is, and with a change.

use std::sync::Arc;

use super::super::engine::Engine;
use super::advised::Advised;
use crate::advisor::what_if::{Change, Changed, what_if};
use crate::system::{Effort, Prediction};

/// A change with what it does.
#[derive(Debug)]
pub struct Tried {
    /// What was changed.
    pub change: Arc<Change>,
    /// Without the change.
    pub before: Prediction,
    /// With it.
    pub after: Changed,
}

impl Tried {
    /// Works it out; a sentence where the change cannot be made.
    pub fn new(engine: &Engine, advised: &Advised, change: Arc<Change>) -> Result<Self, String> {
        let base = advised
            .base(engine)
            .ok_or_else(|| "nothing is recommended that could be changed".to_owned())?;
        let solve = |change: &Change| what_if(&base, change, Effort::Shown);
        let before = solve(&Change::default()).map_err(|error| error.to_string())?;
        let before = before.prediction.map_err(|error| error.to_string())?;
        let after = solve(&change).map_err(|error| error.to_string())?;
        Ok(Self {
            change,
            before,
            after,
        })
    }
}

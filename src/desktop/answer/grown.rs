//! The years ahead of the recommended deployment, with what was changed in it.

use std::sync::Arc;

use super::super::engine::Engine;
use super::advised::Advised;
use crate::advisor::what_if::{Change, what_if};
use crate::advisor::{OverTime, over_time};

/// Times that are solved.
const POINTS: usize = 25;

/// What becomes of a deployment.
#[derive(Debug)]
pub struct Grown {
    /// What was changed; years and failures are left out.
    pub change: Arc<Change>,
    /// What becomes of it.
    pub over_time: OverTime,
}

impl Grown {
    /// Works it out; a sentence where the change cannot be made, or nothing runs even today.
    pub fn new(engine: &Engine, advised: &Advised, change: &Change, years: f64) -> Result<Self, String> {
        let base = advised.base(engine).ok_or_else(|| "nothing is recommended that could grow".to_owned())?;
        // Years are this panel's own axis, and a failed disk is no plan for years.
        let change = Change { years: 0.0, failure: None, ..change.clone() };
        let changed = what_if(&base, &change).map_err(|error| error.to_string())?;
        let catalog = changed.catalog(advised.catalog(engine));
        let over_time =
            over_time(catalog, &engine.calibration, &changed, years, POINTS).map_err(|error| error.to_string())?;
        Ok(Self { change: Arc::new(change), over_time })
    }
}

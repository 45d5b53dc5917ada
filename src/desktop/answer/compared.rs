//! Layouts side by side: the recommendation and whatever was pinned.

use super::super::engine::Engine;
use super::super::state::Pin;
use super::advised::Advised;
use crate::advisor::what_if::{Change, Changed, what_if};
use crate::system::Effort;

/// Several layouts with what they do.
#[derive(Debug)]
pub struct Compared {
    /// The recommendation, then the pinned ones in their order.
    pub columns: Vec<Column>,
}

/// One layout.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it does, or why it cannot be had.
    pub outcome: Result<Changed, String>,
}

impl Compared {
    /// Works them out.
    pub fn new(engine: &Engine, advised: &Advised, pins: &[Pin]) -> Result<Self, String> {
        let base = advised
            .base(engine)
            .ok_or_else(|| "nothing is recommended to compare with".to_owned())?;
        let column = |name: &str, change: &Change| Column {
            name: name.to_owned(),
            outcome: what_if(&base, change, Effort::Shown).map_err(|error| error.to_string()),
        };
        let first = column("Recommended", &Change::default());
        let others = pins.iter().map(|pin| column(&pin.name, &pin.change));
        Ok(Self {
            columns: [first].into_iter().chain(others).collect(),
        })
    }
}

//! Layouts side by side: the recommendation and the pinned ones.

use super::super::engine::Engine;
use super::super::state::Pin;
use super::advised::Advised;
use crate::advisor;
use crate::page::Block;
use crate::report;

/// Several layouts with what they do.
#[derive(Debug)]
pub struct Compared {
    /// The recommendation, then the pinned ones in their order.
    pub columns: Vec<advisor::Column>,
    /// The same as a table, and what it leaves out.
    pub blocks: Vec<Block>,
}

impl Compared {
    /// Works them out.
    pub fn new(engine: &Engine, advised: &Advised, pins: &[Pin]) -> Result<Self, String> {
        let advice = &advised.advice;
        let pins = pins.iter().map(|pin| (pin.name.as_str(), &*pin.change));
        let columns = advised
            .base(engine)
            .and_then(|base| advisor::columns(&base, advice, pins))
            .ok_or("nothing is recommended to compare with")?;
        Ok(Self { blocks: report::side_by_side(advised.catalog(engine), advice, &columns), columns })
    }
}

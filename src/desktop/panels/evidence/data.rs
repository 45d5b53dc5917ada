//! What the evidence panel shows: figures, parameters, sources, or the origin of one number.

use super::figures::Figures;
use super::origin::Origin;
use crate::desktop::engine::Engine;
use crate::desktop::state::{EvidencePart, EvidenceView, State};
use crate::page::Block;
use crate::report::parameters_blocks;

/// The evidence panel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// How it is looked at.
    pub view: EvidenceView,
    /// The number whose origin is looked at.
    pub origin: Option<Origin>,
    /// Published against predicted.
    pub figures: Figures,
    /// What the data made of the parameters.
    pub parameters: Vec<Block>,
}

impl Data {
    /// From the state and what was measured; only what is looked at is made.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let view = state.evidence.clone();
        let origin = state.origin.as_ref();
        if let Some(origin) = origin {
            return Self { origin: Some(Origin::of(origin, state, engine)), view, ..Self::default() };
        }
        let mut data = Self::default();
        match view.part {
            EvidencePart::Figures => data.figures = Figures::of(state, engine),
            EvidencePart::Parameters => data.parameters = parameters(engine),
            EvidencePart::Sources => {}
        }
        Self { view, ..data }
    }
}

fn parameters(engine: &Engine) -> Vec<Block> {
    let posterior = &engine.calibration.posterior;
    parameters_blocks(posterior, |i| posterior.moved_by[i].join(", ")).into()
}

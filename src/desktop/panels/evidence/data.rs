//! What the evidence panel shows: figures, parameters, sources, or the origin of one number.

use super::figures::Figures;
use super::origin::Origin;
use crate::desktop::engine::Engine;
use crate::desktop::state::{EvidencePart, EvidenceView, State};
use crate::posterior::NumberId;
use crate::report::explanation::Moved;
use crate::units::significant;

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
    pub parameters: Vec<Parameter>,
}

/// What the data made of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its id.
    pub id: String,
    /// What it is.
    pub title: String,
    /// Where the prior comes from.
    pub why: String,
    /// Factors before and after.
    pub moved: Moved,
    /// Before, in words.
    pub prior: String,
    /// After, in words.
    pub posterior: String,
    /// By how much narrower it became.
    pub narrower: String,
    /// The data that moved it.
    pub moved_by: Vec<String>,
    /// Numbers that it scales.
    pub scales: Vec<String>,
}

impl Data {
    /// From the state and what was measured; only what is looked at is made.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let view = state.evidence.clone();
        let origin = state.origin.as_ref();
        if let Some(origin) = origin {
            return Self {
                origin: Some(Origin::of(origin, state, engine)),
                view,
                ..Self::default()
            };
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

fn parameters(engine: &Engine) -> Vec<Parameter> {
    let posterior = &engine.calibration.posterior;
    let free = posterior.free.iter().enumerate();
    free.map(|(index, free)| {
        let moved = Moved::of(posterior, index);
        let width = |low: f64, high: f64| (high / low).ln();
        let narrower = width(moved.prior_low, moved.prior_high) / width(moved.low, moved.high);
        Parameter {
            id: free.id.clone(),
            title: free.title.clone(),
            why: free.why.clone(),
            moved,
            prior: moved.prior_words(),
            posterior: moved.words(),
            narrower: if posterior.moved_by[index].is_empty() {
                "no data: unchanged".to_owned()
            } else {
                format!("{} times narrower", significant(narrower, 2))
            },
            moved_by: posterior.moved_by[index].clone(),
            scales: free.scales.iter().map(NumberId::to_string).collect(),
        }
    })
    .collect()
}

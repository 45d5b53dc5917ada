//! What the recommendation panel shows.

use std::sync::Arc;

use super::figures::{self, Tile};
use super::load::{self, Busy, Held, Response};
use super::reasons::{self, Criterion, Finding, Number, Question, Sureness};
use super::volumes::{self, Volume};
use crate::desktop::engine::Engine;
use crate::desktop::panels::alternatives::{Other, others};
use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::report::{self, Diagram};

/// The recommendation, or why there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why there is none.
    pub waiting: Option<String>,
    /// The sentence.
    pub sentence: String,
    /// Warnings of the questionnaire.
    pub warnings: Vec<String>,
    /// Key figures.
    pub tiles: Vec<Tile>,
    /// The layout, drawn.
    pub diagram: Option<Arc<Diagram>>,
    /// The servers, in words.
    pub servers: Vec<String>,
    /// The volumes, by server.
    pub volumes: Vec<Volume>,
    /// Response times at the peak.
    pub responses: Vec<Response>,
    /// The busiest resources.
    pub resources: Vec<Busy>,
    /// The busiest locks.
    pub locks: Vec<Held>,
    /// What is risky.
    pub findings: Vec<Finding>,
    /// How sure the choice is.
    pub sureness: Sureness,
    /// Unanswered questions that matter, most first.
    pub questions: Vec<Question>,
    /// Unanswered questions that hardly matter.
    pub questions_of_little_weight: usize,
    /// The scores.
    pub criteria: Vec<Criterion>,
    /// The other layouts.
    pub others: Vec<Other>,
    /// Numbers that the prediction rests on.
    pub numbers: Vec<Number>,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let waiting = waiting(state);
        let answer = state.advice.answer().filter(|_| waiting.is_none());
        let chosen = answer.and_then(|advised| Some((advised, advised.advice.chosen.as_ref()?)));
        let Some((advised, chosen)) = chosen else {
            return Self {
                waiting,
                ..Self::default()
            };
        };
        let (site, advice) = (&*advised.site, &advised.advice);
        let (questions, questions_of_little_weight) = reasons::questions(site, advice);
        Self {
            waiting,
            sentence: advised.answer.sentence(),
            warnings: site.warnings.clone(),
            tiles: figures::tiles(site, advice, chosen),
            diagram: advised.diagram.clone(),
            servers: volumes::servers(&chosen.deployment),
            volumes: volumes::volumes(engine, advised, chosen),
            responses: load::responses(site, advice, &chosen.prediction),
            resources: load::resources(advice, &chosen.prediction),
            locks: load::locks(advice, &chosen.prediction),
            findings: reasons::findings(advice),
            sureness: reasons::sureness(&advice.contest),
            questions,
            questions_of_little_weight,
            criteria: reasons::criteria(&chosen.scores),
            others: others(state, advised, engine, false),
            numbers: reasons::numbers(&chosen.prediction),
        }
    }
}

/// The whole advice as the command line prints it; only made where somebody looks at it.
pub fn text(state: &State, engine: &Engine) -> String {
    state.advice.answer().map_or(String::new(), |advised| {
        report::advice_text(&advised.site, &engine.catalog, &advised.advice)
    })
}

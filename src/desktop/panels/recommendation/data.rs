//! What the recommendation panel shows.

use std::sync::Arc;

use crate::desktop::engine::Engine;
use crate::desktop::panels::questionnaire::progress;
use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::page::{Block, Diagram, Page, Section, Table};
use crate::report::Answer;

/// The recommendation, or why there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why there is none.
    pub waiting: Option<String>,
    /// The short answer.
    pub answer: Option<Answer>,
    /// Whether it is of answers that have changed since.
    pub is_stale: bool,
    /// Whether what is recommended is still being simulated.
    pub is_simulated: bool,
    /// "rough: 2 of 80 answered", as long as few questions are answered.
    pub rough: Option<String>,
    /// Warnings of the questionnaire.
    pub warnings: Vec<String>,
    /// Key figures.
    pub figures: Table,
    /// The report: what stands below the first screen. Nothing where nothing is recommended.
    pub page: Option<Arc<Page>>,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let waiting = waiting(state);
        let answer = state.lanes.advice.answer().filter(|_| waiting.is_none());
        let Some(advised) = answer.filter(|advised| advised.advice.chosen.is_some()) else {
            // Where nothing is recommended the answer says why.
            let advised = state.lanes.advice.answer();
            return Self {
                is_stale: state.lanes.advice.is_stale(),
                figures: advised.map_or_else(Table::default, |advised| advised.figures.clone()),
                answer: advised.map(|advised| advised.answer.clone()),
                rough: rough(state, engine),
                waiting,
                ..Self::default()
            };
        };
        let site = &*advised.site;
        Self {
            waiting,
            is_stale: state.lanes.advice.is_stale(),
            is_simulated: state.lanes.advice.is_busy() && !state.lanes.advice.is_stale(),
            answer: Some(advised.answer.clone()),
            rough: rough(state, engine),
            warnings: site.warnings.clone(),
            figures: advised.figures.clone(),
            page: Some(Arc::clone(&advised.page)),
        }
    }

    /// The layout, drawn.
    pub fn diagram(&self) -> Option<&Diagram> {
        let blocks = &self.section("summary")?.blocks;
        blocks.iter().find_map(|block| match block {
            Block::Diagram(drawn) => Some(drawn),
            _ => None,
        })
    }

    /// A section of the report.
    pub fn section(&self, anchor: &str) -> Option<&Section> {
        let sections = self.page.iter().flat_map(|page| &page.sections);
        sections.into_iter().find(|section| section.anchor == anchor)
    }
}

/// Below so many answers the result is called rough: fewer than `plimsoll init` asks for. A share of all questions would
/// call the same answers rough as soon as the questionnaire has more.
const FEW: usize = 12;

/// How few questions are answered, as long as they are few.
fn rough(state: &State, engine: &Engine) -> Option<String> {
    let (answered, total) = progress(state, engine);
    (answered < FEW).then(|| format!("rough: {answered} of {total} answered"))
}

/// The whole advice as the command line prints it.
pub fn text<'s>(state: &'s State, engine: &Engine) -> &'s str {
    let advised = state.lanes.advice.answer();
    advised.map_or("", |advised| advised.text(engine))
}

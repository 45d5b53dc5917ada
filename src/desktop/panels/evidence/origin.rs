//! The explanation of one id, with the way back to the panel before.

use super::figures::Figures;
use crate::advisor::rules::Finding;
use crate::desktop::answer::Advised;
use crate::desktop::engine::Engine;
use crate::desktop::state::State;
use crate::page::Table;
use crate::report::explanation::{Explanation, Known, did_you_mean, explain};

/// The origin of a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The id.
    pub id: String,
    /// What is known of it; nothing where nothing has that name.
    pub explanation: Option<Explanation>,
    /// The nearest id, where nothing has that name.
    pub nearest: Option<String>,
    /// What the model says of a datum's figures.
    pub figures: Table,
    /// What the site file says, for a field.
    pub answer: Option<String>,
    /// Findings that are about it.
    pub remedies: Vec<Finding>,
    /// Whether it is a question without answer, which can be answered.
    pub is_open: bool,
    /// Where one came from, in words.
    pub back: String,
    /// Ids that can be looked at in turn.
    pub links: Vec<String>,
}

/// Findings of a rule, or that an id is evidence of.
fn remedies(id: &str, advised: Option<&Advised>) -> Vec<Finding> {
    let findings = advised.into_iter().flat_map(|a| &a.advice.findings);
    let about = findings.filter(|found| {
        let mut evidence = found.evidence.iter();
        found.rule == id || evidence.any(|e| e.id == id)
    });
    about.cloned().collect()
}

impl Origin {
    pub(super) fn of(id: &str, state: &State, engine: &Engine) -> Self {
        let prediction = state.lanes.what_if.answer().and_then(|tried| {
            let after = tried.after.prediction.as_ref().ok();
            after.filter(|after| !after.used.is_empty())
        });
        let advised = state.lanes.advice.answer();
        let recommended = advised.and_then(|advised| advised.advice.chosen.as_ref());
        let used =
            prediction.or_else(|| recommended.map(|chosen| &chosen.prediction)).map(|prediction| &prediction.used);
        let known = Known {
            catalog: &engine.catalog,
            calibration: &engine.calibration,
            site: state.reading.last.as_deref(),
            used,
        };
        let explanation = explain(&known, id);
        let links = explanation.as_ref().map_or_else(Vec::new, |found| {
            let links = found.links.iter();
            let known = links.filter(|link| *link != id && explain(&known, link).is_some());
            known.cloned().collect()
        });
        let back = match state.trail.last() {
            Some((_, Some(before))) => format!("Back to {before}"),
            Some((panel, None)) => format!("Back to {}", panel.title()),
            None => "All evidence".to_owned(),
        };
        Self {
            nearest: match &explanation {
                Some(_) => None,
                None => did_you_mean(&known, id),
            },
            remedies: remedies(id, advised.map(|advised| &**advised)),
            is_open: crate::desktop::inquiry::Part::of(id).is_some()
                && crate::site::field(id).is_some()
                && state.reading.answer(id).is_none(),
            figures: Figures::of_datum(id, state),
            answer: crate::site::field(id).and_then(|_| state.reading.answer(id)),
            id: id.to_owned(),
            explanation,
            back,
            links,
        }
    }
}

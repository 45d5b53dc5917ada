//! What the comparison shows.

use std::sync::Arc;

use super::others::{Other, others};
use crate::catalog::Catalog;
use crate::desktop::answer::{Advised, Compared};
use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::{Pin, State};
use crate::system::Deployment;

/// Layouts side by side, or why there are none.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// Why there is nothing to compare.
    pub waiting: Option<String>,
    /// The recommendation, then the pinned ones.
    pub columns: Vec<Column>,
    /// What they do.
    pub found: Option<Arc<Compared>>,
    /// What is tried in the what-if, to be pinned; `None` where nothing is or it is pinned already.
    pub tried: Option<Pin>,
    /// What is compared with.
    pub advised: Option<Arc<Advised>>,
    /// The other layouts of the advice.
    pub others: Vec<Other>,
}

/// A layout that is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// What it is: layout, edges.
    pub about: String,
    /// Its place among the pinned ones; `None` is the recommendation.
    pub pin: Option<usize>,
    /// Why it cannot be built, or is overloaded.
    pub problem: Option<String>,
    /// Whether no other is at least as good by every criterion and better by one.
    pub is_on_front: bool,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let waiting = waiting(state).or_else(|| state.lanes.comparison.problem().map(str::to_owned));
        let Some(advised) = state.lanes.advice.answer().filter(|_| waiting.is_none()) else {
            return Self { waiting, ..Self::default() };
        };
        let Some(compared) = state.lanes.comparison.answer() else {
            return Self { waiting: Some("Comparing…".to_owned()), ..Self::default() };
        };
        Self {
            waiting: None,
            columns: columns(advised.catalog(engine), compared, &state.scenario.pins),
            found: Some(compared.clone()),
            tried: tried(state),
            others: others(state, advised, engine),
            advised: Some(advised.clone()),
        }
    }
}

fn columns(catalog: &Catalog, compared: &Compared, pins: &[Pin]) -> Vec<Column> {
    let columns = compared.columns.iter().enumerate();
    columns
        .map(|(place, column)| Column {
            name: column.name.clone(),
            title: pins
                .iter()
                .find(|pin| pin.name == column.name)
                .map_or_else(|| column.name.clone(), |pin| pin.title.clone()),
            about: column.outcome.as_ref().map_or(String::new(), |changed| {
                let d = &changed.deployment;
                about(changed.catalog(catalog), place, d)
            }),
            pin: place.checked_sub(1),
            problem: column.problem(),
            is_on_front: column.is_on_front,
        })
        .collect()
}

/// What the name of a column leaves out: of the recommendation the layout, of the others protocols; and edges.
fn about(catalog: &Catalog, place: usize, deployment: &Deployment) -> String {
    let edges = deployment.edges_in_words();
    if place == 0 {
        return format!("{}, {edges}", deployment.title);
    }
    let volumes = deployment.volumes.iter();
    let mut protocols: Vec<&str> = volumes.map(|v| v.reached(catalog)).collect();
    protocols.dedup();
    format!("{}, {edges}", protocols.join(" + "))
}

/// What is tried in the what-if.
fn tried(state: &State) -> Option<Pin> {
    let change = &state.scenario.change;
    let pins = &state.scenario.pins;
    if change.is_none() || pins.iter().any(|pin| pin.change == *change) {
        return None;
    }
    let name = |n: usize| format!("What if {n}");
    let free = (1..=pins.len() + 1).find(|n| pins.iter().all(|pin| pin.name != name(*n)))?;
    Some(Pin { name: name(free), title: name(free), change: change.clone() })
}

//! What the comparison shows.

use std::sync::Arc;

use super::others::{Other, others};
use crate::catalog::Catalog;
use crate::desktop::answer::{Advised, Compared};
use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::{Pin, State};
use crate::desktop::widgets::parallel::{Axis, Line};
use crate::system::Deployment;
use crate::units::significant;

/// Layouts side by side, or why there are none.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// Why there is nothing to compare.
    pub waiting: Option<String>,
    /// The recommendation, then the pinned ones.
    pub columns: Vec<Column>,
    /// What they do.
    pub found: Option<Arc<Compared>>,
    /// The criteria.
    pub axes: Vec<Axis>,
    /// The layouts by criterion.
    pub lines: Vec<Line>,
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
        let waiting =
            waiting(state).or_else(|| state.lanes.comparison.problem().map(str::to_owned));
        let Some(advised) = state.lanes.advice.answer().filter(|_| waiting.is_none()) else {
            return Self {
                waiting,
                ..Self::default()
            };
        };
        let Some(compared) = state.lanes.comparison.answer() else {
            return Self {
                waiting: Some("Comparing…".to_owned()),
                ..Self::default()
            };
        };
        let (axes, lines) = scores(compared);
        Self {
            waiting: None,
            columns: columns(advised.catalog(engine), compared, &state.scenario.pins),
            found: Some(compared.clone()),
            axes,
            lines,
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

/// Criteria as axes, with the whole score as the last; a line for each layout that has scores.
fn scores(compared: &Compared) -> (Vec<Axis>, Vec<Line>) {
    let mut columns = compared.columns.iter();
    let first = columns.find_map(|column| column.judged.as_ref());
    let Some(first) = first else {
        return (Vec::new(), Vec::new());
    };
    let by_criterion = first.scores.by_criterion.iter();
    let mut axes: Vec<Axis> = by_criterion
        .map(|score| Axis {
            name: score.criterion.to_string(),
            note: format!("weight {} %", significant(score.weight * 100.0, 2)),
        })
        .collect();
    axes.push(Axis {
        name: "total".to_owned(),
        note: "weighted mean".to_owned(),
    });
    let lines = compared.columns.iter().enumerate();
    let lines = lines.filter_map(|(place, column)| {
        let scores = &column.judged.as_ref()?.scores;
        let mut values: Vec<f64> = scores.by_criterion.iter().map(|s| s.value).collect();
        values.push(scores.total);
        Some(Line {
            name: column.name.clone(),
            index: place,
            values,
            is_strong: place == 0,
        })
    });
    (axes, lines.collect())
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
    Some(Pin {
        name: name(free),
        title: name(free),
        change: change.clone(),
    })
}

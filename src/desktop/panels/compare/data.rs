//! What the comparison shows.

use super::measures::{self, Group};
use crate::advisor::CRITERIA;
use crate::desktop::answer::{self, Compared};
use crate::desktop::engine::Engine;
use crate::desktop::panels::alternatives::{Other, others};
use crate::desktop::panels::waiting;
use crate::desktop::state::{Pin, State};
use crate::desktop::widgets::parallel::{Axis, Line};
use crate::system::Deployment;
use crate::units::significant;

/// Layouts side by side, or why there are none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why there is nothing to compare.
    pub waiting: Option<String>,
    /// The recommendation, then the pinned ones.
    pub columns: Vec<Column>,
    /// Rows of figures.
    pub groups: Vec<Group>,
    /// The criteria.
    pub axes: Vec<Axis>,
    /// The layouts by criterion.
    pub lines: Vec<Line>,
    /// What is tried in the what-if, to be pinned; `None` where nothing is or it is pinned already.
    pub tried: Option<Pin>,
    /// The other layouts of the advice.
    pub others: Vec<Other>,
}

/// A layout that is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it is: layout, edges.
    pub about: String,
    /// Its place among the pinned ones; `None` is the recommendation.
    pub pin: Option<usize>,
    /// Why it cannot be built, or is overloaded.
    pub problem: Option<String>,
    /// Whether no other is at least as good by every criterion and better by one.
    pub is_on_front: bool,
    /// Why it is not the recommended one.
    pub why_not: String,
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
            columns: columns(compared),
            groups: measures::groups(&advised.advice, compared),
            axes,
            lines,
            tried: tried(state),
            others: others(state, advised, engine, true),
        }
    }
}

fn columns(compared: &Compared) -> Vec<Column> {
    let columns = compared.columns.iter().enumerate();
    columns
        .map(|(place, column)| Column {
            name: column.name.clone(),
            about: column.outcome.as_ref().map_or(String::new(), |changed| {
                let d = &changed.deployment;
                about(place, d)
            }),
            pin: place.checked_sub(1),
            problem: problem(column),
            is_on_front: column.is_on_front,
            why_not: why_not(column),
        })
        .collect()
}

/// What the name of a column leaves out: of the recommendation the layout, of the others protocols; and edges.
fn about(place: usize, deployment: &Deployment) -> String {
    let edges = deployment.edges_in_words();
    if place == 0 {
        return format!("{}, {edges}", deployment.title);
    }
    let volumes = deployment.volumes.iter();
    let mut protocols: Vec<&str> = volumes.map(|v| v.protocol.as_str()).collect();
    protocols.dedup();
    format!("{}, {edges}", protocols.join(" + "))
}

fn problem(column: &answer::Column) -> Option<String> {
    match &column.outcome {
        Err(reason) => Some(reason.clone()),
        Ok(changed) => changed.prediction.as_ref().err().map(ToString::to_string),
    }
}

fn why_not(column: &answer::Column) -> String {
    let judged = column.judged.as_ref();
    let short = column.outcome.as_ref().ok().and_then(|c| c.short.clone());
    problem(column).unwrap_or_else(|| {
        let why_not = judged.map_or("", |j| j.why_not.as_str());
        match short {
            Some(short) if why_not.is_empty() => short,
            Some(short) if !why_not.contains(&short) => format!("{short}; {why_not}"),
            _ => why_not.to_owned(),
        }
    })
}

/// Criteria as axes, with the whole score as the last; a line for each layout that has scores.
fn scores(compared: &Compared) -> (Vec<Axis>, Vec<Line>) {
    let mut columns = compared.columns.iter();
    let first = columns.find_map(|column| column.judged.as_ref());
    let Some(first) = first else {
        return (Vec::new(), Vec::new());
    };
    let mut axes: Vec<Axis> = CRITERIA
        .iter()
        .zip(&first.scores.by_criterion)
        .map(|(name, score)| Axis {
            name: name.replace('_', " "),
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
        change: change.clone(),
    })
}

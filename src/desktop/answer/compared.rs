//! Layouts side by side: the recommendation and the pinned ones.

use std::sync::Arc;

use super::super::engine::Engine;
use super::super::state::Pin;
use super::advised::Advised;
use crate::advisor::what_if::{Base, Change, Changed, what_if};
use crate::advisor::{Chosen, Closeness, Judged, curve, pareto_front, side_by_side};
use crate::system::interval;

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
    /// How it differs from the recommendation.
    pub change: Arc<Change>,
    /// Its results, or why it cannot be built.
    pub outcome: Result<Changed, String>,
    /// Its scores and targets; `None` where it saturates or cannot be built.
    pub judged: Option<Judged>,
    /// The largest multiple of today's peak load that it carries with all targets met; none where it saturates or
    /// cannot be built, infinite where nothing gives way.
    pub headroom: Option<f64>,
    /// Whether no other column is at least as good by every criterion and better by one.
    pub is_on_front: bool,
}

impl Column {
    fn new(name: &str, change: &Arc<Change>, outcome: Result<Changed, String>) -> Self {
        Self {
            name: name.to_owned(),
            change: change.clone(),
            outcome,
            judged: None,
            headroom: None,
            is_on_front: false,
        }
    }
}

impl Compared {
    /// Works them out.
    pub fn new(engine: &Engine, advised: &Advised, pins: &[Pin]) -> Result<Self, String> {
        let nothing = || "nothing is recommended to compare with".to_owned();
        let base = advised.base(engine).ok_or_else(nothing)?;
        let chosen = advised.advice.chosen.as_ref().ok_or_else(nothing)?;
        let solve = |change: &Change| what_if(&base, change).map_err(|error| error.to_string());
        let unchanged = Arc::new(Change::default());
        let mut first = solve(&unchanged);
        if let Ok(first) = &mut first {
            // The very figures of the recommendation, with their intervals.
            first.prediction = Ok(chosen.prediction.clone());
        }
        let mut columns = vec![Column::new("Recommended", &unchanged, first)];
        for pin in pins {
            let solved = solve(&pin.change);
            let solved = solved.map(|changed| with_intervals(&base, changed));
            columns.push(Column::new(&pin.name, &pin.change, solved));
        }
        judge(&base, advised, chosen, &mut columns);
        for column in &mut columns {
            column.headroom = headroom(&base, column);
        }
        if let Some(first) = columns.first_mut() {
            first.headroom = Some(chosen.headroom.factor);
        }
        Ok(Self { columns })
    }
}

/// How much more load a column carries.
fn headroom(base: &Base<'_>, column: &Column) -> Option<f64> {
    /// The limit is looked for, not a line to draw.
    const POINTS: usize = 2;
    let changed = column.outcome.as_ref().ok()?;
    let prediction = changed.prediction.as_ref().ok()?;
    let found = curve(
        &changed.site,
        changed.catalog(base.catalog),
        base.calibration,
        &changed.deployment,
        &changed.load,
        Some(prediction),
        POINTS,
        Closeness::Quick,
    );
    Some(found.limit.map_or(f64::INFINITY, |stop| stop.factor))
}

/// Scores, and which columns are on the front; the recommendation keeps the scores of the advice.
fn judge(base: &Base<'_>, advised: &Advised, chosen: &Chosen, columns: &mut [Column]) {
    let solved = columns.iter().map(|column| column.outcome.as_ref().ok());
    let solved: Vec<Option<&Changed>> = solved.collect();
    let mut judged = side_by_side(base, &advised.advice.best_times, &solved);
    if let Some(Some(first)) = judged.first_mut() {
        first.scores = chosen.scores.clone();
    }
    let scores: Vec<_> = judged
        .iter()
        .map(|j| j.as_ref().map(|j| &j.scores))
        .collect();
    let front = pareto_front(&scores);
    for ((column, judged), is_on_front) in columns.iter_mut().zip(judged).zip(front) {
        column.judged = judged;
        column.is_on_front = is_on_front && column.judged.is_some();
    }
}

/// Intervals as the recommendation has them.
fn with_intervals(base: &Base<'_>, mut changed: Changed) -> Changed {
    let Ok(prediction) = &mut changed.prediction else {
        return changed;
    };
    let (deployment, load) = (&changed.deployment, &changed.load);
    let catalog = changed.left.as_deref().unwrap_or(base.catalog);
    interval::add_intervals(prediction, deployment, load, catalog, base.calibration);
    changed
}

//! The key figures of the recommendation.

use crate::advisor::{Advice, Driver};
use crate::desktop::panels::drivers::hover_text;
use crate::desktop::panels::judged;
use crate::desktop::theme::BUSY;
use crate::desktop::widgets::Tone;
use crate::report::answer::nearest as nearest_rows;
use crate::report::{Answer, capital};

/// A key figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// What it is.
    pub label: String,
    /// The number with its unit.
    pub figure: String,
    /// What explains it.
    pub note: String,
    /// What it means.
    pub tone: Tone,
    /// More.
    pub hover: String,
    /// What it depends on most: something whose origin can be looked at.
    pub origin: Option<String>,
}

/// The three key figures: the time nearest to its target, the busiest resource, the first limit.
pub(super) fn key(advice: &Advice, answer: &Answer) -> Vec<Tile> {
    [
        nearest(advice, answer),
        busiest(advice, answer),
        limit(answer),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The kind of work that misses its target, or most likely does, or is nearest to it.
fn nearest(advice: &Advice, answer: &Answer) -> Option<Tile> {
    let chosen = advice.chosen.as_ref();
    let row = *nearest_rows(&answer.work, 1).first()?;
    let (target, tone) = judged(row.target.as_ref());
    let notes = [row.interval.as_str(), &target].map(str::to_owned);
    let notes: Vec<String> = notes.into_iter().filter(|n| !n.is_empty()).collect();
    let work = row.work.to_string();
    let driver = chosen.and_then(|chosen| Driver::of(advice, &chosen.prediction, &work));
    Some(Tile {
        label: format!("{}: 95 of 100 within", capital(&row.name)),
        figure: row.p95.clone(),
        note: notes.join("\n"),
        tone,
        hover: hover_text("The range is the 80 % interval.", driver.as_ref()),
        origin: driver.map(|driver| driver.id),
    })
}

fn busiest(advice: &Advice, answer: &Answer) -> Option<Tile> {
    let row = answer.busiest.first()?;
    let chosen = advice.chosen.as_ref();
    let bottleneck = chosen.map(|chosen| chosen.prediction.bottleneck().0.to_string());
    let driver = chosen
        .zip(bottleneck)
        .and_then(|(chosen, name)| Driver::of(advice, &chosen.prediction, &name));
    Some(Tile {
        label: "Busiest at today's peak".to_owned(),
        figure: row.busy.clone(),
        note: row.name.clone(),
        tone: busy_tone(row.utilization),
        hover: hover_text("The busiest resource or lock at the peak.", driver.as_ref()),
        origin: driver.map(|driver| driver.id),
    })
}

fn limit(answer: &Answer) -> Option<Tile> {
    let row = answer.limits.first()?;
    Some(Tile {
        label: format!("First limit: {}", row.what),
        figure: capital(&row.when),
        note: row.text.clone(),
        tone: Tone::Plain,
        hover: row.text.clone(),
        origin: Some("data.db_growth".to_owned()),
    })
}

/// What a busy fraction means: high is where growth ends first, and no fault as long as targets are met.
fn busy_tone(utilization: f64) -> Tone {
    if utilization < BUSY {
        Tone::Good
    } else {
        Tone::Warning
    }
}

//! The other layouts of the advice, in its order.

use std::sync::Arc;

use crate::advisor::Alternative;
use crate::advisor::what_if::Change;
use crate::desktop::answer::Advised;
use crate::desktop::engine::Engine;
use crate::desktop::state::{Pin, State};
use crate::system::{Choices, Deployment};

/// A layout that was not chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// Its id.
    pub layout: String,
    /// What it is.
    pub title: String,
    /// Protocols and filesystems.
    pub built: String,
    /// Edges.
    pub edges: String,
    /// Its score.
    pub score: String,
    /// Why it is not the one.
    pub why_not: String,
    /// What pins it; `None` where it cannot be had at all.
    pub pin: Option<Pin>,
    /// Its place among the pinned ones, if it is.
    pub pinned_at: Option<usize>,
}

/// The other layouts, best first; the best number of edges stands for the others unless `all` are wanted.
pub fn others(state: &State, advised: &Advised, engine: &Engine, all: bool) -> Vec<Other> {
    let Some(chosen) = &advised.advice.chosen else {
        return Vec::new();
    };
    let mut seen: Vec<(String, String)> = Vec::new();
    let mut list = Vec::new();
    for alternative in &advised.advice.alternatives {
        let built = alternative.in_words();
        let key = (alternative.layout.clone(), built.clone());
        if !all && seen.contains(&key) {
            continue;
        }
        seen.push(key);
        list.push(other(state, alternative, built, &chosen.choices, engine));
    }
    list
}

fn other(
    state: &State,
    alternative: &Alternative,
    built: String,
    from: &Choices,
    engine: &Engine,
) -> Other {
    let layout = &alternative.layout;
    let deployment = alternative.deployment.as_ref();
    let edges = deployment.map(Deployment::edges_in_words);
    let pin = alternative.choices.as_ref().map(|choices| Pin {
        name: [
            layout.as_str(),
            &built,
            edges.as_deref().unwrap_or_default(),
        ]
        .join(" · "),
        change: Arc::new(Change::towards(from, layout, choices)),
    });
    let pinned_at = pin.as_ref().and_then(|pin| {
        let mut pins = state.scenario.pins.iter();
        pins.position(|known| known.change == pin.change)
    });
    let title = engine.catalog.layouts.get(layout);
    let score = alternative.scores.as_ref();
    Other {
        layout: layout.clone(),
        title: title.map_or(String::new(), |l| l.entry.title.clone()),
        built,
        edges: edges.unwrap_or_default(),
        score: score.map_or(String::new(), |s| format!("{:.3}", s.total)),
        why_not: alternative.why_not.clone(),
        pin,
        pinned_at,
    }
}

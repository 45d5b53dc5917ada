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
    /// What pins it; `None` where it cannot be built.
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
        let built = alternative.in_words(&engine.catalog);
        let key = (alternative.layout.clone(), built.clone());
        if !all && seen.contains(&key) {
            continue;
        }
        seen.push(key);
        list.push(other(state, alternative, built, &chosen.choices, engine));
    }
    list
}

/// Families that are compared at first, beside the recommendation's own.
const FAMILIES: usize = 3;

/// The best layout of each other family: where the database and where the depots lie, on disks of the server, on LUNs
/// or on exports.
pub fn best_of_families(advised: &Advised, engine: &Engine) -> Vec<Pin> {
    let Some(chosen) = &advised.advice.chosen else {
        return Vec::new();
    };
    let family = |deployment: &Deployment| {
        ["db", "depot"].map(|role| {
            let mount = deployment.mount(role)?;
            let protocol = engine.catalog.protocols.get(&mount.protocol)?;
            Some((mount.is_private(), protocol.access))
        })
    };
    let mut seen = vec![family(&chosen.deployment)];
    let mut pins = Vec::new();
    for alternative in &advised.advice.alternatives {
        let (Some(deployment), Some(_)) = (&alternative.deployment, &alternative.scores) else {
            continue;
        };
        let own = family(deployment);
        if seen.contains(&own) || pins.len() == FAMILIES {
            continue;
        }
        seen.push(own);
        pins.extend(pin_of(alternative, &chosen.choices, engine));
    }
    pins
}

/// What pins an alternative; nothing where it cannot be built.
fn pin_of(alternative: &Alternative, from: &Choices, engine: &Engine) -> Option<Pin> {
    let choices = alternative.choices.as_ref()?;
    let layout = &alternative.layout;
    let title = engine.catalog.layouts.get(layout);
    let title = title.map_or(layout.as_str(), |layout| layout.entry.title.as_str());
    let edges = alternative
        .deployment
        .as_ref()
        .map(Deployment::edges_in_words);
    Some(Pin {
        name: [
            title,
            &alternative.in_words(&engine.catalog),
            edges.as_deref().unwrap_or_default(),
        ]
        .join(" · "),
        change: Arc::new(Change::towards(from, layout, choices)),
    })
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
    let pin = pin_of(alternative, from, engine);
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

//! The other layouts of the advice, and what pins them.

use std::sync::Arc;

use crate::advisor::what_if::Change;
use crate::advisor::{AS_IT_IS, Alternative};
use crate::desktop::answer::Advised;
use crate::desktop::engine::Engine;
use crate::desktop::state::{Pin, State};
use crate::system::{Choices, Deployment};

/// A layout that was not chosen, as a column of the comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// What pins it; `None` where it cannot be built.
    pub pin: Option<Pin>,
    /// Its place among the pinned ones, if it is.
    pub pinned_at: Option<usize>,
}

/// The other layouts in the order of the advice: rows of [`Advised::layouts`].
pub(super) fn others(state: &State, advised: &Advised, engine: &Engine) -> Vec<Other> {
    let Some(chosen) = &advised.advice.chosen else {
        return Vec::new();
    };
    let pins = &state.scenario.pins;
    let others = advised.advice.alternatives.iter().map(|alternative| {
        let pin = pin_of(alternative, &chosen.choices, engine);
        let pinned_at = pin.as_ref().and_then(|pin| pins.iter().position(|known| known.change == pin.change));
        Other { pin, pinned_at }
    });
    others.collect()
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
        if alternative.layout == AS_IT_IS {
            continue;
        }
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
    // The system that is there is no layout of the catalogue.
    let change = if layout == AS_IT_IS {
        Change { as_it_is: true, ..Change::default() }
    } else {
        engine.catalog.layouts.get(layout)?;
        Change::towards(from, layout, choices)
    };
    let title = alternative.title(&engine.catalog);
    let edges = alternative.deployment.as_ref().map(Deployment::edges_in_words);
    Some(Pin {
        title: title.to_owned(),
        name: [title, &alternative.in_words(&engine.catalog), edges.as_deref().unwrap_or_default()].join(" · "),
        change: Arc::new(change),
    })
}

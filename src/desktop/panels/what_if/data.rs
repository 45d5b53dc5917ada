//! What the what-if panel shows.

use std::sync::Arc;

use super::found::Found;
use super::knobs::{Panel, Section};
use super::outcome::Outcome;
use super::scale::Scale;
use super::tie::{developers, times};
use crate::advisor::what_if::Change;
use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::site::{LOAD_KEY, Site};

/// The panel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why there is nothing to change yet.
    pub waiting: Option<String>,
    /// The controls.
    pub sections: Vec<Section>,
    /// Whether commands and syncs grow with the developers; `None` where the site states none of them.
    pub tie: Option<Tie>,
    /// The kind of work that is nearest to its target.
    pub limiting: Option<String>,
    /// What was changed, in words.
    pub changes: Vec<String>,
    /// What it is called when it is pinned.
    pub pin: String,
    /// What it takes of the load, and what it leaves as it is: sentences.
    pub notes: Vec<String>,
    /// Whether some of it are answers that the site can take over.
    pub has_answers: bool,
    /// Why the change cannot be made.
    pub problem: Option<String>,
    /// What it does; while a new answer is computed, that of the change before.
    pub outcome: Option<Outcome>,
}

/// All of the load, tied to the number of developers or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Whether they are tied.
    pub is_tied: bool,
    /// What the change would be the other way.
    pub other: Change,
}

impl Tie {
    fn of(state: &State, site: &Site) -> Self {
        const PEOPLE: &str = "people.developers";
        let is_tied = !state.scenario.is_untied;
        let mut other = (*state.scenario.change).clone();
        let own = site.people.developers.value;
        if is_tied {
            if let Some(times) = times(other.answers.remove(LOAD_KEY).as_ref()) {
                let people = Scale::Count.spell(own * times);
                other.answers.insert(PEOPLE.to_owned(), people);
            }
        } else {
            let moved = other.answers.get(PEOPLE);
            if let Some(people) = moved.and_then(|typed| Scale::Count.read(typed)) {
                developers(people / own).apply(&mut other);
            }
        }
        Self { is_tied, other }
    }
}

/// A pin's name is no longer than this: it heads a column.
const PIN_MAX: usize = 60;

impl Data {
    /// From the state alone.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let waiting = waiting(state);
        let advised = state.lanes.advice.answer().filter(|_| waiting.is_none());
        let Some((advised, chosen)) = advised.and_then(|a| Some((a, a.advice.chosen.as_ref()?))) else {
            return Self { waiting, ..Self::default() };
        };
        let change = &*state.scenario.change;
        let tried = state.lanes.what_if.answer();
        let is_present = tried.is_some_and(|tried| *tried.change == *change);
        let panel = Panel {
            engine,
            change,
            site: &advised.site,
            deployment: &chosen.deployment,
            choices: &chosen.choices,
            alternatives: &advised.advice.alternatives,
            sensitivities: tried.map(|tried| &tried.before.sensitivities),
            is_untied: state.scenario.is_untied,
            after: tried.filter(|_| is_present).map(|tried| &*tried.after),
        };
        let sections = panel.sections();
        let tie = Some(Tie::of(state, &advised.site));
        let after = tried.filter(|_| is_present).map(|tried| &tried.after.site);
        let notes = after.map_or_else(Vec::new, |site| site.notes.clone());
        let limiting = tried.and_then(|tried| tried.before.sensitivities.limiting.as_ref());
        let changes = in_words(&sections);
        let checked = state.lanes.check.answer().filter(|checked| {
            Arc::ptr_eq(&checked.advised, advised) && tried.is_some_and(|t| t.change == checked.change)
        });
        let outcome = tried.map(|tried| {
            let found = Found {
                advised,
                tried,
                curve: tried.curve.as_ref().or(state.curve.as_ref()).unwrap_or(&tried.before.curve),
                checked: checked.map(|checked| &**checked),
                is_checking: state.lanes.check.is_busy(),
                problem: state.lanes.check.problem(),
            };
            found.outcome()
        });
        Self {
            waiting: None,
            pin: pin_name(&changes),
            sections,
            changes,
            tie,
            notes,
            limiting: limiting.map(ToString::to_string),
            has_answers: !change.answers.is_empty(),
            problem: state.lanes.what_if.problem().map(str::to_owned),
            outcome,
        }
    }
}

/// "Developers 700", "Cache none": what was changed.
fn in_words(sections: &[Section]) -> Vec<String> {
    let knobs = sections.iter().flat_map(|section| &section.knobs);
    let changed = knobs.filter(|knob| knob.is_changed);
    changed.map(|knob| format!("{} {}", knob.label, knob.shown)).collect()
}

fn pin_name(changes: &[String]) -> String {
    let all = changes.join(", ");
    if all.chars().count() <= PIN_MAX {
        return all;
    }
    let cut: String = all.chars().take(PIN_MAX - 1).collect();
    format!("{}…", cut.trim_end())
}

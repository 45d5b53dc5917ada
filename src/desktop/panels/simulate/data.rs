//! What the simulation panel shows: what can be chosen, how far a run is, and what it has found.

use super::shown::{Shown, clock};
use crate::advisor::Driver;
use crate::desktop::answer::Simulated;
use crate::desktop::engine::Engine;
use crate::desktop::panels::waiting;
use crate::desktop::state::{Day, State};
use crate::sim::{ModelError, Stopped};
use crate::units::significant;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// None was started.
    #[default]
    Idle,
    /// It goes on.
    Running,
    /// It is paused.
    Paused,
    /// It is over.
    Done,
}

/// The simulation panel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Why nothing can be simulated.
    pub waiting: Option<String>,
    /// What is chosen.
    pub day: Day,
    /// What happens in the chosen scenario.
    pub summary: String,
    /// The layout that is run, as recommended or as changed.
    pub subject: String,
    /// How long it lasts \[min\].
    pub minutes: u32,
    /// Where a new event is put \[min\].
    pub next_minute: u32,
    /// How far the run is.
    pub status: Status,
    /// The same as a share.
    pub progress: f32,
    /// The same in words.
    pub words: String,
    /// Why the last run failed.
    pub problem: Option<String>,
    /// Why what is shown is not what would be run now.
    pub stale: Option<&'static str>,
    /// What was found.
    pub shown: Option<Shown>,
}

/// New events are put here where no other moment is chosen: in the middle of the peak, or of the hour.
const USUAL_MINUTE: u32 = 10 * 60;

impl Data {
    /// From the state and the catalogue.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let day = state.scenario.day.clone();
        let scenarios = &engine.catalog.scenarios;
        let chosen = scenarios.get(&day.scenario);
        let minutes = chosen.map_or(0, |s| (s.length.get() / 60.0) as u32);
        let simulation = &state.simulation;
        let lane = &state.lanes.simulation;
        let found = lane.answer();
        let status = match (lane.is_busy(), simulation.is_paused) {
            (true, true) => Status::Paused,
            (true, false) => Status::Running,
            (false, _) if found.is_some() => Status::Done,
            (false, _) => Status::Idle,
        };
        // While a new run begins, the last one is still there.
        let found = found.filter(|found| status == Status::Done || found.outcome.is_none());
        let looked_at = simulation.moment.map(|moment| (moment / 60.0) as u32);
        let usual = USUAL_MINUTE.min(minutes / 2);
        Self {
            waiting: waiting(state),
            summary: chosen.map_or_else(String::new, |s| s.entry.summary.clone()),
            subject: subject(state, found.map(|found| &**found)),
            minutes,
            next_minute: looked_at.unwrap_or(usual).min(minutes.saturating_sub(1)),
            status,
            progress: found.map_or(0.0, |f| (f.time / f.until) as f32),
            words: found.map_or_else(String::new, |found| words(found, status)),
            problem: lane.problem().map(str::to_owned),
            stale: found.and_then(|found| stale(found, state)),
            shown: found.map(|found| {
                let advised = state.lanes.advice.answer();
                let driver = |figure: &str| Driver::nearest(&advised?.advice, found.peak.as_deref(), figure);
                Shown::of(found, simulation, engine, &driver)
            }),
            day,
        }
    }
}

/// The layout that a run is of; before there is one, that it would be of.
fn subject(state: &State, found: Option<&Simulated>) -> String {
    let advised = state.lanes.advice.answer();
    let chosen = advised.and_then(|advised| advised.advice.chosen.as_ref());
    let (layout, is_changed) = match (found, chosen) {
        (Some(found), _) => (found.asked.layout.clone(), !found.asked.change.is_none()),
        (None, Some(chosen)) => {
            let tried = state.lanes.what_if.answer().map(|tried| &tried.after.deployment);
            let layout = tried.unwrap_or(&chosen.deployment).title.clone();
            (layout, !state.scenario.change.is_none())
        }
        (None, None) => return String::new(),
    };
    let how = if is_changed { "as changed in What if" } else { "as recommended" };
    format!("{layout}, {how}")
}

fn words(found: &Simulated, status: Status) -> String {
    let events = millions(found.events);
    let at = clock(found.time);
    match (status, &found.outcome) {
        (_, Some(done)) if done.outcome.stopped == Stopped::Interrupted => {
            format!("stopped at {at}, after {events}")
        }
        (_, Some(done)) if done.outcome.stopped == Stopped::Events => {
            format!("ended at {at} at the limit of events, after {events}")
        }
        (_, Some(done)) if done.outcome.stopped == Stopped::Jobs => {
            format!("ended at {at}: {}", ModelError::too_many_jobs())
        }
        (_, Some(done)) if let Some(pile) = &done.outcome.pile => {
            format!("ended at {at}, after {events}: overloaded: {pile}")
        }
        (_, Some(_)) => format!("done: {} simulated, {events}", clock(found.until)),
        (Status::Paused, None) => format!("paused at {at}, after {events}"),
        (_, None) => format!("at {at} of {}, {events}", clock(found.until)),
    }
}

/// "12.3 million events".
fn millions(events: u64) -> String {
    if events < 1_000_000 {
        return format!("{events} events");
    }
    format!("{} million events", significant(events as f64 / 1e6, 3))
}

/// What changed since the run.
fn stale(found: &Simulated, state: &State) -> Option<&'static str> {
    let asked = &found.asked;
    if asked.day != state.scenario.day {
        return Some("The scenario was changed since this run.");
    }
    let site = state.lanes.advice.answer().map(|advised| &advised.site);
    if asked.change != *state.scenario.change || Some(&asked.site) != site {
        return Some("The site or the what-if was changed since this run.");
    }
    None
}

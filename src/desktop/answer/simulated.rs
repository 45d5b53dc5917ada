//! A simulated day, told while it runs.

use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::super::engine::Engine;
use super::super::state::Day;
use super::advised::Advised;
use crate::advisor::what_if::{Change, what_if};
use crate::sim::{self, Run, Span};
use crate::system::Effort;
use crate::system::process::process;
use crate::workload::from_site;

/// What was found of a day so far.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The scenario's title.
    pub title: String,
    /// Simulated time \[s\].
    pub time: f64,
    /// When it ends \[s\].
    pub until: f64,
    /// Events so far.
    pub events: u64,
    /// What was found, once it is over.
    pub outcome: Option<sim::Outcome>,
}

/// What a run is told from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signal {
    /// Go on.
    #[default]
    Run,
    /// Wait.
    Pause,
    /// End with what there is.
    Stop,
}

/// Tells a run to wait or to end; shared with the thread that it runs on.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<(Mutex<Signal>, Condvar)>);

impl Control {
    /// Tells it.
    pub fn tell(&self, signal: Signal) {
        let (told, changed) = &*self.0;
        *told.lock().unwrap_or_else(PoisonError::into_inner) = signal;
        changed.notify_all();
    }

    /// Waits as long as it is to wait; whether to go on.
    fn goes_on(&self) -> bool {
        let (told, changed) = &*self.0;
        let mut signal = told.lock().unwrap_or_else(PoisonError::into_inner);
        while *signal == Signal::Pause {
            signal = changed.wait(signal).unwrap_or_else(PoisonError::into_inner);
        }
        *signal == Signal::Run
    }
}

impl Simulated {
    /// Runs a day and tells `emit` now and then; the last is returned.
    pub fn run(
        engine: &Engine,
        advised: &Advised,
        change: &Change,
        day: &Day,
        control: &Control,
        emit: &mut dyn FnMut(Self),
    ) -> Result<Self, String> {
        let base = advised
            .base(engine)
            .ok_or_else(|| "nothing is recommended that could be simulated".to_owned())?;
        let changed = what_if(&base, change, Effort::Search).map_err(|error| error.to_string())?;
        let scenario = engine
            .catalog
            .scenarios
            .get(&day.scenario)
            .ok_or_else(|| format!("no scenario {:?}", day.scenario))?;
        let load = from_site::with_herds(&changed.site, scenario);
        let model = process(
            &changed.deployment,
            &load,
            &engine.catalog,
            &engine.calibration,
            Some(scenario),
        )?
        .model;
        let run = Run {
            seed: day.seed,
            span: Span::Until {
                time: scenario.length.get(),
                piece: scenario.piece.get(),
            },
            ..Run::default()
        };
        let mut now = Self {
            title: scenario.entry.title.clone(),
            time: 0.0,
            until: scenario.length.get(),
            events: 0,
            outcome: None,
        };
        let mut told = 0.0;
        let mut watch = |progress: sim::Progress| {
            now.time = progress.time;
            now.events = progress.events;
            if now.time - told >= now.until / 200.0 {
                told = now.time;
                emit(now.clone());
            }
            if control.goes_on() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let replication =
            sim::simulate(&model, &run, 0, &mut watch).map_err(|error| error.to_string())?;
        now.outcome = Some(sim::fold(&model, &run, &[replication]));
        Ok(now)
    }
}

//! A simulated day, shown while it runs.

mod blame;
mod control;
mod day;
mod holds;
mod level;
mod record;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::engine::Engine;
use super::super::state::Day;
use super::advised::Advised;
use crate::advisor::what_if::{Change, Changed, what_if};
use crate::catalog::Scenario;
use crate::report::Simulation;
use crate::sim::{self, Run, Span};
use crate::site::Site;
use crate::system::process::process;
use crate::system::{Prediction, ResourceKind, interval, predict};
use crate::workload::{Group, from_site};

pub use blame::{Blame, Waited};
pub use control::{Control, Signal};
pub use day::scenario;
pub use holds::{Hold, Holds};
pub use level::Level;
pub use record::{LockRecord, Record};

/// Reports of a run while it goes on.
const REPORTS: f64 = 200.0;

/// What was found of a day so far.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The question.
    pub asked: Arc<Asked>,
    /// Simulated time \[s\].
    pub time: f64,
    /// When it ends \[s\].
    pub until: f64,
    /// Events so far.
    pub events: u64,
    /// What was seen so far.
    pub record: Record,
    /// What was found, once it is over.
    pub outcome: Option<Arc<Simulation>>,
    /// What the analytic solver predicts for the peak, with its intervals; once it is over, and unless it
    /// was ended.
    pub peak: Option<Arc<Prediction>>,
}

/// The question of a run, and the names of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The day.
    pub day: Day,
    /// The questionnaire.
    pub site: Arc<Site>,
    /// How the deployment differs from the recommendation.
    pub change: Change,
    /// The scenario's title.
    pub title: String,
    /// The layout's title.
    pub layout: String,
    /// Of the classes of the model: who asks.
    pub classes: Vec<String>,
    /// Of the activities of the model.
    pub activities: Vec<String>,
    /// Of the stations of the model, with what they are.
    pub stations: Vec<(String, ResourceKind)>,
    /// Of the locks of the model.
    pub locks: Vec<String>,
}

impl Simulated {
    /// Runs a day and reports to `emit` now and then; the last report is returned.
    pub fn run(
        engine: &Engine,
        advised: &Advised,
        change: &Change,
        day: &Day,
        control: &Control,
        emit: &mut dyn FnMut(Self),
    ) -> Result<Self, String> {
        let base = advised.base(engine).ok_or_else(|| "nothing is recommended that could be simulated".to_owned())?;
        let changed = what_if(&base, change).map_err(|error| error.to_string())?;
        let scenario = scenario(day, &engine.catalog)?;
        let load = from_site::with_herds(&changed.site, &scenario);
        // A controller that failed in the what-if is missing here too.
        let process = process(
            &changed.deployment,
            &load,
            changed.catalog(advised.catalog(engine)),
            &engine.calibration,
            Some(&scenario),
        )?;
        let run = Run {
            seed: day.seed,
            span: Span::Until { time: scenario.length.get(), piece: scenario.piece.get() },
            ..Run::default()
        };
        let model = &process.model;
        let title = scenario.entry.title.clone();
        let stations = model.stations.iter().zip(&process.kinds);
        let until = scenario.length.get();
        let mut now = Self {
            asked: Arc::new(Asked {
                day: day.clone(),
                site: advised.site.clone(),
                change: change.clone(),
                title: title.clone(),
                layout: changed.deployment.title.clone(),
                classes: who(&load.groups, &scenario),
                activities: model.activities.clone(),
                stations: stations.map(|(s, kind)| (s.name.clone(), *kind)).collect(),
                locks: model.locks.iter().map(|lock| lock.name.clone()).collect(),
            }),
            time: 0.0,
            until,
            events: 0,
            record: Record::new(model, until),
            outcome: None,
            peak: None,
        };
        let replication = now.watch(&run, model, control, emit)?;
        let outcome = sim::fold(model, &run, &[replication]);
        now.time = outcome.time.min(until);
        now.events = outcome.events;
        now.record.settle(now.time);
        now.peak = peak(&changed, (engine, advised), control).map(Arc::new);
        now.outcome = Some(Arc::new(Simulation {
            model_factors: now.peak.as_deref().map_or_else(BTreeMap::new, interval::p95_factors_of),
            process,
            outcome,
            scenario: Some(title),
            short: changed.short.clone(),
            seed: run.seed,
            confidence: run.confidence,
            wanted: None,
        }));
        Ok(now)
    }

    /// Runs it; reports now and then, and pauses or ends by signal.
    fn watch(
        &mut self,
        run: &Run,
        model: &sim::Model,
        control: &Control,
        emit: &mut dyn FnMut(Self),
    ) -> Result<sim::Replication, String> {
        // Observer and watch share one value: the simulator calls them in turn.
        let record = std::cell::RefCell::new(&mut self.record);
        let (asked, until) = (self.asked.clone(), self.until);
        let mut reported = 0.0;
        let mut watch = |progress: sim::Progress| {
            let sim::Progress { time, events, .. } = progress;
            let is_paused = control.signal() == Signal::Pause;
            if time - reported >= until / REPORTS || is_paused {
                reported = time;
                let mut record = record.borrow_mut();
                record.settle(time);
                emit(Self {
                    asked: asked.clone(),
                    time,
                    until,
                    events,
                    record: record.clone(),
                    outcome: None,
                    peak: None,
                });
            }
            if control.goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut see = |event: &sim::Event| record.borrow_mut().see(event);
        sim::simulate_traced(model, run, 0, &mut watch, &mut see).map_err(|error| error.to_string())
    }

    /// The activity of an index, as shown.
    pub fn activity(&self, index: Option<usize>) -> &str {
        let name = index.and_then(|index| self.asked.activities.get(index));
        name.map_or("background work", String::as_str)
    }
}

/// Who asks: "developers", "developers (Montreal)", "herd of syncs at 9.0 h"; herds are the last groups.
fn who(groups: &[Group], scenario: &Scenario) -> Vec<String> {
    let usual = groups.len().saturating_sub(scenario.herds.len());
    let herds = scenario.herds.iter();
    let herds = herds.map(|herd| format!("herd of {}s at {}", herd.command, herd.at));
    let name = |group: &Group| group.clients.to_string();
    groups[..usual].iter().map(name).chain(herds).collect()
}

/// The model's prediction of the peak with its intervals; a run that was ended does not wait for it.
fn peak(changed: &Changed, (engine, advised): (&Engine, &Advised), control: &Control) -> Option<Prediction> {
    if control.signal() == Signal::Stop {
        return None;
    }
    let Changed { deployment, load, .. } = changed;
    let (catalog, calibration) = (changed.catalog(advised.catalog(engine)), &engine.calibration);
    let mut peak = predict(deployment, load, catalog, calibration).ok()?;
    interval::add_intervals(&mut peak, deployment, load, catalog, calibration);
    Some(peak)
}

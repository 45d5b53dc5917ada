//! A what-if, simulated behind the analytic answer: the same deployment and load, at the steady peak.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::engine::Engine;
use super::advised::Advised;
use crate::advisor::what_if::{Change, what_if};
use crate::sim::{self, Run, Span, Stopped};
use crate::system::process::{Activity, process};
use crate::system::{Prediction, interval};

/// Replications; the answer is reported after each.
pub const REPLICATIONS: u64 = 4;
/// Events of each: what all of them take stays around a second.
const EVENTS_MAX: u64 = 1_500_000;

/// What the simulator found so far.
#[derive(Debug, Clone)]
pub struct Checked {
    /// Of what it was asked.
    pub advised: Arc<Advised>,
    /// What was changed.
    pub change: Arc<Change>,
    /// What the analytic solver predicts, with intervals of its own.
    pub prediction: Prediction,
    /// Kinds of work, in the order of the outcome.
    pub activities: Vec<Activity>,
    /// What was found; intervals are of 95 %, of chance alone.
    pub outcome: Option<sim::Outcome>,
    /// Replications that it holds.
    pub replications: u64,
}

impl Checked {
    /// Simulates until all replications are done or `goes_on` says no; each is reported to `emit`.
    pub fn run(
        engine: &Engine,
        advised: &Arc<Advised>,
        change: &Arc<Change>,
        goes_on: &dyn Fn() -> bool,
        emit: &mut dyn FnMut(Self),
    ) -> Result<Self, String> {
        let base = advised.base(engine).ok_or_else(|| "nothing is recommended that could be simulated".to_owned())?;
        let changed = what_if(&base, change).map_err(|error| error.to_string())?;
        let (catalog, calibration) = (changed.catalog(advised.catalog(engine)), &engine.calibration);
        let (deployment, load) = (&changed.deployment, &changed.load);
        let mut prediction = changed.prediction.clone().map_err(|e| e.to_string())?;
        if !goes_on() {
            return Err("another question came".to_owned());
        }
        interval::add_intervals(&mut prediction, deployment, load, catalog, calibration);
        let process = process(deployment, load, catalog, calibration, None)?;
        let model = process.model;
        let mut now = Self {
            advised: advised.clone(),
            change: change.clone(),
            prediction,
            activities: process.activities,
            outcome: None,
            replications: 0,
        };
        emit(now.clone());
        let run = Run { span: Span::Steady { precision: 0.02 }, events_max: EVENTS_MAX, ..Run::default() };
        let mut watch = |_: sim::Progress| {
            if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut found = Vec::new();
        for replication in 0..REPLICATIONS {
            let one = sim::simulate(&model, &run, replication, &mut watch).map_err(|error| error.to_string())?;
            if !goes_on() {
                return Err("another question came".to_owned());
            }
            found.push(one);
            let outcome = sim::fold(&model, &run, &found);
            if outcome.stopped == Stopped::Jobs {
                return Err(sim::ModelError::too_many_jobs().to_string());
            }
            let is_unsteady = outcome.stopped == Stopped::Unsteady;
            now.outcome = Some(outcome);
            now.replications = replication + 1;
            if is_unsteady {
                break;
            }
            emit(now.clone());
        }
        Ok(now)
    }
}

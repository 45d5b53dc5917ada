//! Confirms by simulation what was solved: the same deployment and load, at the steady peak, within a budget of events.
//!
//! Each kind of work gets its simulated times beside the solved ones. Where they differ by more than the model's own error
//! ([`OwnError`]) and the simulation's interval together, the simulated times take the place of the solved ones: they are
//! shown, judged and marked. Their intervals keep their width, which is that of the numbers behind both.
//!
//! The budget is counted in events and not in seconds, and replications are folded in their order: the same input gives the
//! same bytes on any machine, with one thread or several.

use std::fmt;
use std::ops::ControlFlow;

use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::parallel;
use crate::sim::{self, Estimate, Means, Outcome, Run, Span, Spot, Stopped};
use crate::system::correction::Correction;
use crate::system::own_error::OwnError;
use crate::system::process::{Process, process};
use crate::system::{Confirmation, Deployment, PredictError, Prediction, Resource, Simulated, Simulation, predict};
use crate::workload::{Clients, Load, Work};

/// Replications, each of which may take a thread of its own.
const REPLICATIONS: u64 = 2;
/// Relative half-width at which a simulation of each kind of work is precise enough to confirm it.
const PRECISION: f64 = 0.05;
/// Completions below which nothing is concluded from a kind of work.
pub const SEEN_LEAST: u64 = 40;
/// Relative half-width beyond which nothing is concluded: chance would decide which of two loads is judged by what
/// (assumed).
const VAGUE: f64 = 0.2;

/// How much may be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Events: arrivals from outside and completed services.
    pub events: u64,
}

impl Budget {
    /// Events that take about a second of processor time.
    pub const EVENTS_A_SECOND: u64 = 10_000_000;

    /// Nothing is simulated.
    pub const NONE: Self = Self { events: 0 };

    /// What takes about so many seconds of processor time \[s\].
    pub fn of_seconds(seconds: f64) -> Self {
        Self { events: (seconds.max(0.0) * Self::EVENTS_A_SECOND as f64) as u64 }
    }
}

impl Default for Budget {
    /// One and a half seconds.
    fn default() -> Self {
        Self::of_seconds(1.5)
    }
}

/// What an answer is worked out by, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// So many layouts are solved.
    Ranking(usize),
    /// How sure the choice between them is.
    Contest,
    /// What the chosen one does, how far it carries, how it fails.
    Chosen,
    /// It is simulated.
    Simulating,
    /// What is wrong, and which questions matter.
    Findings,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ranking(layouts) => write!(f, "1 of 5: {layouts} layouts are compared"),
            Self::Contest => f.write_str("2 of 5: how sure the choice is"),
            Self::Chosen => f.write_str("3 of 5: intervals of what is recommended"),
            Self::Simulating => f.write_str("4 of 5: what is recommended is simulated"),
            Self::Findings => f.write_str("5 of 5: failures, growth and findings"),
        }
    }
}

/// What is asked of a simulation that confirms.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// How much may be simulated.
    pub budget: Budget,
    /// Seed of the random streams.
    pub seed: u64,
    /// Whether somebody still waits for it.
    pub goes_on: &'a (dyn Fn() -> bool + Sync),
    /// Told what is being done.
    pub doing: &'a (dyn Fn(Stage) + Sync),
}

impl Ask<'_> {
    /// Nothing is simulated.
    pub const NOTHING: Ask<'static> = Ask { budget: Budget::NONE, seed: 1, goes_on: &|| true, doing: &|_| () };

    /// The same, with the budget of each of so many deployments.
    #[must_use]
    pub fn over(self, deployments: usize) -> Self {
        Self { budget: Budget { events: self.budget.events / deployments.max(1) as u64 }, ..self }
    }
}

/// Simulates a deployment as far as is asked, and puts what was found beside its prediction or in its place.
///
/// # Errors
///
/// Work arrives faster than it is completed: the peak has no steady state, as where it cannot be solved.
pub fn confirm(
    prediction: &mut Prediction,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    ask: &Ask<'_>,
) -> Result<(), PredictError> {
    if ask.budget == Budget::NONE {
        return Ok(());
    }
    (ask.doing)(Stage::Simulating);
    let found = simulated(deployment, load, catalog, calibration, ask);
    let (process, outcome) = match found {
        Ok(found) => found,
        Err(reason) => {
            prediction.confirmed = Some(Confirmation::Failed(reason));
            return Ok(());
        }
    };
    if outcome.stopped == Stopped::Unsteady {
        let (resource, utilization) = where_it_piles_up(prediction, &outcome);
        return Err(PredictError::Unsteady { resource, utilization });
    }
    prediction.confirmed = Some(Confirmation::Steady(Simulation { events: outcome.events, time: outcome.time }));
    // A simulation has whole clients: what is solved for those is compared.
    let whole = predict(deployment, &load.in_whole_clients(), catalog, calibration).ok();
    let peeks = deployment.read_locks.peeks();
    let (mut found_rates, mut moved) = (Vec::new(), Vec::new());
    for (activity, found) in process.activities.iter().zip(&outcome.activities) {
        let mut classes = prediction.classes.iter_mut();
        let class = classes.find(|class| class.work == activity.work);
        let p95 = found.quantiles.iter().find(|(p, _)| *p == 0.95);
        let (Some(class), Some((_, p95)), 1..) = (class, p95, found.completions) else {
            continue;
        };
        let solved = whole.as_ref().and_then(|whole| whole.class(&class.work));
        let solved = solved.unwrap_or(class);
        let error = OwnError::of(solved, peeks);
        let is_off = found.completions >= SEEN_LEAST
            && (differs(solved.mean.value, found.response, error.mean) || differs(solved.p95.value, *p95, error.p95));
        class.simulated =
            Some(Simulated { mean: found.response, p95: *p95, seen: found.completions, is_shown: is_off });
        found_rates.push((class.work.clone(), found.throughput.value));
    }
    show_alike(prediction);
    for (work, throughput) in found_rates {
        let mut classes = prediction.classes.iter_mut();
        let Some(class) = classes.find(|class| class.work == work) else {
            continue;
        };
        if let Some(simulated) = class.simulated.as_ref().filter(|s| s.is_shown) {
            let mean = simulated.mean.value / class.mean.value;
            let ratio = [mean, simulated.p95.value / class.p95.value];
            class.throughput = throughput;
            class.move_by(ratio);
            moved.push((work, ratio));
        }
    }
    prediction.heed_at_once();
    prediction.correction = Correction::of(prediction.cycles(), moved);
    Ok(())
}

/// The same command of people and of automation beside the server takes as long: both are shown as simulated, or neither.
fn show_alike(prediction: &mut Prediction) {
    let is_beside = |work: &Work| matches!(work.clients, Clients::MainOffice | Clients::Automation);
    let shown: Vec<Work> = prediction
        .classes
        .iter()
        .filter(|class| class.simulated.as_ref().is_some_and(|s| s.is_shown))
        .map(|class| class.work.clone())
        .filter(is_beside)
        .collect();
    for class in prediction.classes.iter_mut().filter(|c| is_beside(&c.work)) {
        if let Some(simulated) = &mut class.simulated {
            let alike = shown.iter().any(|work| work.task == class.work.task);
            simulated.is_shown |= alike && simulated.seen >= SEEN_LEAST;
        }
    }
}

/// The deployment at its steady peak; a sentence where it cannot be simulated.
fn simulated(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    ask: &Ask<'_>,
) -> Result<(Process, Outcome), String> {
    let process = process(deployment, load, catalog, calibration, None)?;
    let run = Run {
        seed: ask.seed,
        // All replications together are as precise as asked; each is less so.
        span: Span::Steady { precision: PRECISION * (REPLICATIONS as f64).sqrt() },
        events_max: ask.budget.events / REPLICATIONS,
        // A class does many unlike things: what people wait for are activities, the rare ones among them.
        means: Means::Activities,
        rare: 0.0,
        ..Run::default()
    };
    let one = |replication: u64| {
        let mut watch = |_: sim::Progress| {
            if (ask.goes_on)() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        sim::simulate(&process.model, &run, replication, &mut watch)
    };
    let replications: Vec<u64> = (0..REPLICATIONS).collect();
    let found = parallel::map(&replications, |replication| one(*replication));
    let found: Result<Vec<_>, _> = found.into_iter().collect();
    let found = found.map_err(|error| error.to_string())?;
    let outcome = sim::fold(&process.model, &run, &found);
    match outcome.stopped {
        Stopped::Interrupted => Err("the simulation was interrupted".to_owned()),
        Stopped::Jobs => Err(sim::ModelError::too_many_jobs().to_string()),
        Stopped::Done | Stopped::Events | Stopped::Unsteady => Ok((process, outcome)),
    }
}

/// Whether a simulated time is further from a solved one than a factor and its own interval.
fn differs(solved: f64, simulated: Estimate, factor: f64) -> bool {
    let vague = simulated.relative();
    if solved <= 0.0 || simulated.value <= 0.0 || vague.is_nan() || vague > VAGUE {
        return false;
    }
    let apart = (simulated.value / solved).ln().abs();
    apart > factor.ln() + vague.ln_1p()
}

/// The resource or lock at which a simulation found that most work waits, with the share of its time that the solution has it needed;
/// the busiest of the solution where the simulation does not know one.
fn where_it_piles_up(prediction: &Prediction, outcome: &Outcome) -> (Resource, f64) {
    let known = outcome.pile.as_ref().and_then(|pile| {
        let is_lock = matches!(pile.spot, Spot::Lock(_));
        let mut busy = prediction.busy();
        busy.find(|(one, _)| one.is_lock() == is_lock && one.name == pile.name)
    });
    known.map_or_else(|| prediction.bottleneck(), |(resource, used)| (resource.clone(), used))
}

#[cfg(test)]
mod tests {
    use super::{Ask, Budget, differs};
    use crate::sim::Estimate;

    #[test]
    fn what_is_off_by_less_than_both_errors_does_not_differ() {
        let seen = |value: f64, half_width: f64| Estimate { value, half_width };
        assert!(!differs(1.0, seen(1.2, 0.12), 1.1));
        assert!(differs(1.0, seen(1.3, 0.12), 1.1));
        assert!(differs(1.3, seen(1.0, 0.05), 1.1));
        // Too vague to say anything.
        assert!(!differs(1.0, seen(10.0, 6.0), 1.1));
        assert!(!differs(1.0, seen(10.0, f64::INFINITY), 1.1));
    }

    #[test]
    fn a_budget_is_counted_in_events() {
        assert_eq!(Budget::default().events, 15_000_000);
        assert_eq!(Budget::of_seconds(-1.0), Budget::NONE);
        let ask = Ask { budget: Budget::default(), ..Ask::NOTHING };
        assert_eq!(ask.over(5).budget.events, 3_000_000);
    }
}

//! The answer of any method in one shape, so that methods can stand side by side.
//!
//! Times are in seconds, rates in 1/s. Analytic values have intervals of no width; simulated ones
//! have the interval of the run's confidence.

use super::Method;
use super::analytic::Analytic;
use crate::sim::{Estimate, Model, ModelError, Outcome, Stopped};

/// What a method found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The method that was asked for.
    pub method: Method,
    /// What was done, in words: "exact analysis, 21 states".
    pub solved_by: String,
    /// Iterations or states of an analytic method; events of a simulation.
    pub iterations: u64,
    /// In the order of the file.
    pub classes: Vec<ClassAnswer>,
    /// In the order of the file.
    pub stations: Vec<StationAnswer>,
    /// In the order of the file.
    pub locks: Vec<LockAnswer>,
    /// In the order of the file.
    pub pools: Vec<PoolAnswer>,
    /// Name and share of hits of each cache in the order of the file.
    pub caches: Vec<(String, Estimate)>,
    /// What the method took otherwise than the file says, and what is worth knowing.
    pub notes: Vec<String>,
    /// Whether it is neither exact nor simulated.
    pub approximate: bool,
    /// How it was simulated.
    pub run: Option<Outcome>,
}

/// One class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassAnswer {
    /// Its name.
    pub name: String,
    /// Completions per time, X \[1/s\].
    pub throughput: Estimate,
    /// Time from request to response, without thinking, R \[s\].
    pub response: Estimate,
    /// Mean number in the system, thinking not counted.
    pub number: Estimate,
    /// Quantiles of the response time by probability \[s\]; empty where the method has means only.
    pub quantiles: Vec<(f64, Estimate)>,
    /// Population at which the bounds for few and for many customers cross; none for open classes.
    pub knee: Option<f64>,
    /// At each station, in their order.
    pub stations: Vec<ClassAtStation>,
}

/// One class at one station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassAtStation {
    /// Part of the station's utilization.
    pub utilization: f64,
    /// Mean number, waiting and in service, Q.
    pub queue_length: f64,
    /// Time there over all visits of one customer, `R_k` \[s\].
    pub residence: f64,
    /// Visits per time \[1/s\].
    pub throughput: f64,
}

/// One station.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StationAnswer {
    /// Its name.
    pub name: String,
    /// Busy fraction of a server, U; 0 at a delay.
    pub utilization: Estimate,
    /// Mean number, waiting and in service, Q.
    pub queue_length: Estimate,
    /// Time there over all visits of one customer, whichever its class, `R_k` \[s\].
    pub residence: Estimate,
    /// Visits per time \[1/s\].
    pub throughput: Estimate,
}

/// One lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockAnswer {
    /// Its name.
    pub name: String,
    /// Fraction of time that a writer holds it.
    pub exclusive: Estimate,
    /// Mean number waiting.
    pub waiting: Estimate,
    /// Mean wait of readers \[s\].
    pub read_wait: f64,
    /// Mean wait of writers \[s\].
    pub write_wait: f64,
}

/// One pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolAnswer {
    /// Its name.
    pub name: String,
    /// Mean number taken.
    pub taken: Estimate,
    /// Mean number of waiting customers.
    pub waiting: Estimate,
}

/// A value without interval.
pub(super) fn exactly(value: f64) -> Estimate {
    Estimate { value, half_width: 0.0 }
}

impl Answer {
    /// The station with the highest utilization, and that; the first of equals. None where there
    /// are only delays.
    pub fn bottleneck(&self) -> Option<(&str, f64)> {
        let mut best: Option<(&str, f64)> = None;
        for station in &self.stations {
            let busy = station.utilization.value;
            // Equals differ by rounding.
            if busy > best.map_or(0.0, |(_, most)| most * (1.0 + 1e-9)) {
                best = Some((&station.name, busy));
            }
        }
        best
    }

    /// What a simulation of `model` found, as an answer.
    pub fn of_simulation(model: &Model, outcome: Outcome) -> Self {
        // Work done over the greatest speed, as the analytic side has it.
        let described = Analytic::of(model).network;
        let work = |station: usize| -> f64 {
            let classes = outcome.classes.iter().zip(&described.classes);
            classes.map(|(found, class)| found.total.throughput.value * class.demands[station]).sum()
        };
        let total: f64 = outcome.classes.iter().map(|c| c.total.throughput.value).sum();
        let classes = (outcome.classes.iter().enumerate())
            .map(|(class, found)| ClassAnswer {
                name: found.total.name.clone(),
                throughput: found.total.throughput,
                response: found.total.response,
                number: found.number,
                quantiles: found.total.quantiles.clone(),
                knee: None,
                stations: (outcome.stations.iter())
                    .map(|station| at_station(station, class, found.total.throughput.value))
                    .collect(),
            })
            .collect();
        let stations = (outcome.stations.iter().zip(&model.stations).enumerate())
            .map(|(idx, (station, of))| {
                let mut utilization = station.utilization;
                if !of.speeds.is_empty() && utilization.value > 0.0 {
                    let greatest = described.stations[idx].kind.greatest_speed();
                    let factor = work(idx) / greatest / utilization.value;
                    utilization.value *= factor;
                    utilization.half_width *= factor;
                }
                // The error of the queue's length is taken as that of the time.
                let queue = station.queue_length;
                let per = if total > 0.0 { 1.0 / total } else { 0.0 };
                StationAnswer {
                    name: station.name.clone(),
                    utilization,
                    queue_length: queue,
                    residence: Estimate { value: queue.value * per, half_width: queue.half_width * per },
                    throughput: station.throughput,
                }
            })
            .collect();
        Self {
            method: Method::Sim,
            solved_by: "simulation".to_owned(),
            iterations: outcome.events,
            classes,
            stations,
            locks: outcome.locks.iter().map(lock).collect(),
            pools: (outcome.pools.iter())
                .map(|pool| PoolAnswer { name: pool.name.clone(), taken: pool.taken, waiting: pool.waiting })
                .collect(),
            caches: (model.caches.iter().zip(&outcome.cache_hits))
                .map(|(cache, hits)| (cache.name.clone(), *hits))
                .collect(),
            notes: notes(&outcome),
            approximate: false,
            run: Some(outcome),
        }
    }
}

/// What is worth knowing of the end of a run.
fn notes(outcome: &Outcome) -> Vec<String> {
    let note = match (outcome.stopped, &outcome.pile) {
        (Stopped::Done, _) => return Vec::new(),
        (Stopped::Interrupted, _) => "interrupted: results so far".to_owned(),
        (Stopped::Events, _) => "the limit of events was reached before the requested precision".to_owned(),
        (Stopped::Jobs, _) => ModelError::too_many_jobs().0,
        (Stopped::Unsteady, Some(pile)) => format!(
            "customers arrive faster than they leave, and the network does not carry this load: {pile}; means grow with the length of the run"
        ),
        (Stopped::Unsteady, None) => {
            "customers arrive faster than they leave: means grow with the length of the run".to_owned()
        }
    };
    vec![note]
}

fn at_station(station: &crate::sim::StationOutcome, class: usize, throughput: f64) -> ClassAtStation {
    let found = station.classes.get(class).copied().unwrap_or_default();
    let busy: f64 = station.classes.iter().map(|c| c.busy).sum();
    ClassAtStation {
        // Each class has its part of the busy servers.
        utilization: if busy > 0.0 { station.utilization.value * found.busy / busy } else { 0.0 },
        queue_length: found.queue_length,
        residence: if throughput > 0.0 { found.queue_length / throughput } else { 0.0 },
        throughput: found.throughput,
    }
}

fn lock(lock: &crate::sim::LockOutcome) -> LockAnswer {
    let wait = |exclusive: bool| {
        let users = lock.users.iter().filter(|user| user.exclusive == exclusive);
        let (mut time, mut count) = (0.0, 0.0);
        for user in users {
            time += user.wait * user.acquisitions as f64;
            count += user.acquisitions as f64;
        }
        if count > 0.0 { time / count } else { 0.0 }
    };
    LockAnswer {
        name: lock.name.clone(),
        exclusive: lock.exclusive,
        waiting: lock.waiting,
        read_wait: wait(false),
        write_wait: wait(true),
    }
}

//! The same cases simulated, each for a fixed time from a fixed seed.

use std::ops::ControlFlow;

use plimsoll::queueing::{self, Class, Network, StationKind, Workload};
use plimsoll::sim::{self, Arrivals, Discipline, Distribution, Estimate, Model, Outcome, Run, Source, Span, Step};

use super::case::Quantity;

pub(super) fn exponential(mean: f64) -> Distribution {
    if mean == 0.0 { Distribution::Constant(0.0) } else { Distribution::Exponential { mean } }
}

/// How much is simulated.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) seed: u64,
    /// Events, about.
    pub(super) events: f64,
}

/// What the table is made with.
pub(super) const OF_TABLE: Effort = Effort { seed: 20_261_121, events: 500_000.0 };

/// Runs a model that has a given rate of events.
pub(super) fn run(model: &Model, events_per_time: f64, effort: Effort) -> Outcome {
    let run =
        Run { seed: effort.seed, span: Span::SteadyFor { time: effort.events / events_per_time }, ..Run::default() };
    let found = sim::simulate(model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
    sim::fold(model, &run, &[found])
}

/// A network of product form, simulated, with an activity for each class at each station.
pub(super) struct Simulation {
    outcome: Outcome,
    /// Index of the activity of each class at each station.
    activities: Vec<Vec<Option<usize>>>,
}

impl Simulation {
    pub(super) fn new(network: &Network, effort: Effort) -> Self {
        let mut activities = Vec::new();
        let mut names = Vec::new();
        let mut classes = Vec::new();
        for class in &network.classes {
            let (mut program, mut row) = (Vec::new(), Vec::new());
            for (station, demand) in class.demands.iter().enumerate() {
                row.push((*demand > 0.0).then_some(names.len()));
                if *demand > 0.0 {
                    let body = vec![Step::Serve { station, service: exponential(*demand) }];
                    let activity = names.len();
                    program.push(Step::Timed { activity, body });
                    names.push(format!("{} at {}", class.name, network.stations[station].name));
                }
            }
            activities.push(row);
            classes.push(simulated_class(class, program));
        }
        let model = Model {
            stations: network.stations.iter().map(simulated_station).collect(),
            activities: names,
            classes,
            ..Model::default()
        };
        Self { outcome: run(&model, events_per_time(network), effort), activities }
    }

    /// What it found of a figure.
    pub(super) fn of(&self, quantity: Quantity, network: &Network) -> Option<Estimate> {
        let visits = |c: usize, k: usize| network.classes[c].visits_at(k);
        let class = |c: usize| &self.outcome.classes[c].total;
        let activity = |c: usize, k: usize| Some(&self.outcome.activities[self.activities[c][k]?]);
        Some(match quantity {
            Quantity::Named(_) | Quantity::Busy(..) => return None,
            Quantity::X(c) => class(c).throughput,
            Quantity::R(c) => class(c).response,
            Quantity::Visits(c, k) => scaled(class(c).throughput, visits(c, k)),
            Quantity::Residence(c, k) => activity(c, k)?.response,
            Quantity::Visit(c, k) => scaled(activity(c, k)?.response, 1.0 / visits(c, k)),
            // Little's law, with the greater of the two relative errors: wide, since they go against
            // each other.
            Quantity::Q(c, k) => {
                let found = activity(c, k)?;
                let value = found.throughput.value * found.response.value;
                let relative = found.throughput.relative().max(found.response.relative());
                Estimate { value, half_width: value * relative }
            }
            Quantity::Number(k) => self.outcome.stations[k].queue_length,
            Quantity::U(k) => self.outcome.stations[k].utilization,
        })
    }
}

pub(super) fn scaled(estimate: Estimate, factor: f64) -> Estimate {
    Estimate { value: estimate.value * factor, half_width: estimate.half_width * factor.abs() }
}

/// Services and thoughts a second.
fn events_per_time(network: &Network) -> f64 {
    let solution = queueing::solve(network).unwrap();
    let classes = network.classes.iter().zip(&solution.classes);
    classes
        .map(|(class, found)| {
            let steps = class.demands.iter().filter(|demand| **demand > 0.0).count();
            found.throughput * (steps + 1) as f64
        })
        .sum()
}

fn simulated_class(class: &Class, program: Vec<Step>) -> sim::Class {
    let source = match class.workload {
        Workload::Open { arrival_rate } => Source::Open(Arrivals::Renewal(exponential(1.0 / arrival_rate))),
        Workload::Closed { population, think_time } => {
            Source::Closed { population: population as u32, think: exponential(think_time) }
        }
    };
    sim::Class { name: class.name.clone(), source, program, priority: class.priority, profile: None }
}

fn simulated_station(station: &queueing::Station) -> sim::Station {
    let discipline = match station.discipline {
        queueing::Discipline::Ps => Discipline::Ps,
        queueing::Discipline::Fcfs => Discipline::Fcfs,
        queueing::Discipline::LcfsPr => Discipline::LcfsPr,
        queueing::Discipline::Priority => Discipline::Priority,
        queueing::Discipline::PreemptivePriority => Discipline::PreemptivePriority,
    };
    let (discipline, servers, speeds) = match &station.kind {
        StationKind::Delay => (Discipline::Delay, 1.0, Vec::new()),
        StationKind::Queueing { servers } => (discipline, f64::from(*servers), Vec::new()),
        StationKind::LoadDependent { speeds } => (discipline, 1.0, speeds.clone()),
        StationKind::Link { capacity } => (Discipline::Ps, *capacity, Vec::new()),
    };
    sim::Station { name: station.name.clone(), discipline, servers, speeds }
}

//! Who goes where after what: streams between stations, for arrivals that are not Poisson.

use super::usage::visits_of;
use crate::queueing::decomposition::{Arriving, Served, waits};
use crate::queueing::{self, Network, Solution, StationKind};
use crate::sim::{Arrivals, Discipline, Distribution, Model, Source, Step};

/// Most rounds of a loop that are walked through one by one.
const ROUNDS_MAX: u32 = 1000;

/// The streams of an open network of first come, first served stations and delays.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flows {
    streams: Vec<Arriving>,
    /// Customers a second from each station, and then from outside in each class, to each station.
    flows: Vec<Vec<f64>>,
}

impl Flows {
    /// The streams, if some are not Poisson and decomposition has an answer for all stations.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let plain = |s: &crate::sim::Station| match s.discipline {
            Discipline::Delay => true,
            Discipline::Fcfs => s.speeds.is_empty(),
            _ => false,
        };
        let n = model.stations.len();
        let mut streams = Vec::new();
        let mut flows = vec![vec![0.0; n]; n + model.classes.len()];
        let mut poisson = true;
        for (idx, class) in model.classes.iter().enumerate() {
            let Source::Open(Arrivals::Renewal(between)) = &class.source else {
                return None;
            };
            poisson &= matches!(between, Distribution::Exponential { .. });
            let rate = 1.0 / between.mean();
            streams.push(Arriving { rate, scv: between.scv() });
            let mut at = vec![0.0; flows.len()];
            at[n + idx] = rate;
            walk(&class.program, at, &mut flows)?;
        }
        let visited = |k: usize| flows.iter().any(|row| row[k] > 0.0);
        let fit = (0..n).all(|k| !visited(k) || plain(&model.stations[k]));
        (!poisson && fit).then_some(Self { streams, flows })
    }

    /// Puts the waits of such streams in the place of those of Poisson streams.
    pub(super) fn correct(&self, network: &Network, solution: &mut Solution) {
        let n = network.stations.len();
        let rate = |class: usize, k: usize| solution.classes[class].throughput * network.classes[class].visits_at(k);
        let stations: Vec<Served> = (0..n).map(|k| served(network, k, |c| rate(c, k))).collect();
        // A formula refuses what is saturated, and so has the solver.
        let Ok(found) = waits(&stations, &self.streams, &self.flows) else {
            return;
        };
        for (class, means) in network.classes.iter().zip(&mut solution.classes) {
            for (k, wait) in found.iter().enumerate() {
                if class.demands[k] > 0.0 && stations[k].servers > 0 {
                    means.residence_time[k] = class.demands[k] + class.visits_at(k) * wait.time;
                    means.queue_length[k] = means.throughput * means.residence_time[k];
                }
            }
            means.response_time = means.residence_time.iter().sum();
        }
        for (k, station) in solution.stations.iter_mut().enumerate() {
            station.queue_length = solution.classes.iter().map(|c| c.queue_length[k]).sum();
        }
        let others = |a: &queueing::Approximation| *a != queueing::Approximation::UnlikeService;
        solution.approximations.retain(others);
    }
}

/// A station with the services of all classes, `rate` visits a second of each.
fn served(network: &Network, k: usize, rate: impl Fn(usize) -> f64) -> Served {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (idx, class) in network.classes.iter().enumerate() {
        if class.demands[k] > 0.0 {
            let (rate, mean) = (rate(idx), class.service_at(k));
            count += rate;
            sum += rate * mean;
            squares += rate * mean * mean * (1.0 + class.scv_at(k));
        }
    }
    let mean = if count > 0.0 { sum / count } else { 0.0 };
    Served {
        servers: match network.stations[k].kind {
            StationKind::Queueing { servers } => servers,
            _ => 0,
        },
        service_time: mean,
        service_scv: if mean > 0.0 { (squares / count / (mean * mean) - 1.0).max(0.0) } else { 1.0 },
    }
}

/// Counts who goes on from where, `at` a second; where they are at the end. None where customers do
/// more than go from station to station.
fn walk(steps: &[Step], mut at: Vec<f64>, flows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    for step in steps {
        at = match step {
            Step::Serve { station, .. } | Step::Fixed { station, .. } => {
                for (row, rate) in flows.iter_mut().zip(&at) {
                    row[*station] += rate;
                }
                let mut there = vec![0.0; at.len()];
                there[*station] = at.iter().sum();
                there
            }
            Step::Timed { body, .. } => walk(body, at, flows)?,
            Step::Repeat { times, body } if *times <= ROUNDS_MAX => {
                for _ in 0..*times {
                    at = walk(body, at, flows)?;
                }
                at
            }
            Step::Choose(choices) => {
                let sum: f64 = choices.iter().map(|(chance, _)| chance).sum();
                let mut end = vec![0.0; at.len()];
                for (chance, body) in choices {
                    let part = at.iter().map(|rate| rate * chance / sum).collect();
                    for (all, one) in end.iter_mut().zip(walk(body, part, flows)?) {
                        *all += one;
                    }
                }
                end
            }
            Step::Wander(route) => {
                let rate: f64 = at.iter().sum();
                let leaves = |onward: &[f64]| (1.0 - onward.iter().sum::<f64>()).max(0.0);
                let mut end: Vec<f64> = at.iter().map(|r| r * leaves(&route.entry)).collect();
                for (visit, entry) in route.visits.iter().zip(&route.entry) {
                    for (row, rate) in flows.iter_mut().zip(&at) {
                        row[visit.station] += rate * entry;
                    }
                }
                let counted = route.visits.iter().zip(visits_of(route));
                for ((visit, count), next) in counted.zip(&route.next) {
                    for (to, chance) in route.visits.iter().zip(next) {
                        flows[visit.station][to.station] += rate * count * chance;
                    }
                    end[visit.station] += rate * count * leaves(next);
                }
                end
            }
            _ => return None,
        };
    }
    Some(at)
}

//! A validated network in the shape that algorithms want: closed and open classes apart.
//!
//! Open classes reach the algorithms for closed ones only as an offered load per station, since
//! their throughput is given (Lazowska et al. 1984, chapter 7.4).

use super::closed_forms::erlang_c;
use super::network::{Class, Discipline, Network, StationKind, Workload};
use super::solution::{ClassSolution, Method, Solution, SolveError, StationSolution};

/// A station as the algorithms see it.
pub(super) struct Center {
    /// Servers, m; none where nobody can ever wait.
    pub(super) servers: Option<u32>,
    /// Work that open classes bring, a = Σ λ·D, in busy servers.
    pub(super) open_load: f64,
}

impl Center {
    /// Busy fraction of a server due to open classes.
    pub(super) fn open_utilization(&self) -> f64 {
        self.servers
            .map_or(0.0, |servers| self.open_load / f64::from(servers))
    }
}

/// A closed class: population N, think time Z, demands D.
pub(super) struct ClosedClass {
    pub(super) population: f64,
    pub(super) think_time: f64,
    pub(super) demands: Vec<f64>,
}

/// What every algorithm works on.
pub(super) struct Problem {
    pub(super) centers: Vec<Center>,
    pub(super) closed: Vec<ClosedClass>,
    /// Demands of each open class.
    pub(super) open: Vec<Vec<f64>>,
}

/// What an algorithm finds for a closed class.
pub(super) struct ClosedAnswer {
    pub(super) throughput: f64,
    pub(super) residence: Vec<f64>,
    pub(super) seen: Vec<f64>,
}

/// What an algorithm finds for an open class.
pub(super) struct OpenAnswer {
    pub(super) residence: Vec<f64>,
    pub(super) seen: Vec<f64>,
}

/// What an algorithm finds.
pub(super) struct Answer {
    pub(super) iterations: usize,
    pub(super) closed: Vec<ClosedAnswer>,
    pub(super) open: Vec<OpenAnswer>,
}

impl Problem {
    /// Validates the network and refuses it when open classes alone saturate a station.
    pub(super) fn new(network: &Network) -> Result<Self, SolveError> {
        network.validate()?;
        refuse_unknown(network)?;
        let mut closed = Vec::new();
        let mut open = Vec::new();
        let mut open_load = vec![0.0; network.stations.len()];
        for class in &network.classes {
            match class.workload {
                Workload::Open { arrival_rate } => {
                    for (load, demand) in open_load.iter_mut().zip(&class.demands) {
                        *load += arrival_rate * demand;
                    }
                    open.push(class.demands.clone());
                }
                Workload::Closed {
                    population,
                    think_time,
                } => closed.push(ClosedClass {
                    population,
                    think_time,
                    demands: class.demands.clone(),
                }),
            }
        }
        refuse_saturated(network, &open_load)?;
        let population: f64 = closed.iter().map(|class| class.population).sum();
        let centers = network
            .stations
            .iter()
            .zip(open_load)
            .map(|(station, open_load)| Center {
                // With no more customers than servers, nobody waits.
                servers: match station.kind {
                    StationKind::Queueing { servers }
                        if open_load > 0.0 || population > f64::from(servers) =>
                    {
                        Some(servers)
                    }
                    _ => None,
                },
                open_load,
            })
            .collect();
        Ok(Self {
            centers,
            closed,
            open,
        })
    }

    /// Puts an algorithm's answer in the order of the network.
    pub(super) fn solution(network: &Network, method: Method, answer: Answer) -> Solution {
        let Answer {
            iterations,
            closed,
            open,
        } = answer;
        let (mut closed, mut open) = (closed.into_iter(), open.into_iter());
        let mut classes = Vec::with_capacity(network.classes.len());
        for class in &network.classes {
            let (throughput, residence, seen) = match class.workload {
                Workload::Open { arrival_rate } => {
                    let found = open.next().expect("one answer for each open class");
                    (arrival_rate, found.residence, found.seen)
                }
                Workload::Closed { .. } => {
                    let found = closed.next().expect("one answer for each closed class");
                    (found.throughput, found.residence, found.seen)
                }
            };
            let speeds = network.stations.iter().map(|s| s.kind.greatest_speed());
            classes.push(ClassSolution {
                throughput,
                response_time: residence.iter().sum(),
                queue_length: residence.iter().map(|time| throughput * time).collect(),
                residence_time: residence,
                seen_queue_length: seen,
                utilization: class
                    .demands
                    .iter()
                    .zip(speeds)
                    .map(|(demand, speed)| throughput * demand / speed)
                    .collect(),
                pool_wait: vec![0.0; network.pools.len()],
                fork_time: vec![0.0; class.forks.len()],
                knee: knee(network, class),
            });
        }
        Solution {
            method,
            iterations,
            stations: stations(network, &classes),
            classes,
            pools: Vec::new(),
            approximations: Vec::new(),
        }
    }

    /// Open classes' answers, given what closed classes leave at each station.
    ///
    /// `backlog` is the mean number of closed customers at a station of one server, or of those
    /// waiting at a station of several; `busy` is the mean number of them in service.
    pub(super) fn open_answers(&self, backlog: &[f64], busy: &[f64]) -> Vec<OpenAnswer> {
        let mut per_demand = Vec::with_capacity(self.centers.len());
        let mut seen = Vec::with_capacity(self.centers.len());
        for ((center, &backlog), &busy) in self.centers.iter().zip(backlog).zip(busy) {
            let open = center.open_utilization();
            let (factor, found) = match center.servers {
                None => (1.0, center.open_load + busy),
                Some(1) => (
                    (1.0 + backlog) / (1.0 - open),
                    (backlog + open) / (1.0 - open),
                ),
                Some(servers) => {
                    let all_busy = busy_probability(servers, center.open_load + busy);
                    let wait = (backlog + all_busy) / (1.0 - open) / f64::from(servers);
                    let waiting = (backlog + open * all_busy) / (1.0 - open);
                    (1.0 + wait, waiting + center.open_load + busy)
                }
            };
            per_demand.push(factor);
            seen.push(found);
        }
        self.open
            .iter()
            .map(|demands| OpenAnswer {
                residence: demands
                    .iter()
                    .zip(&per_demand)
                    .map(|(d, factor)| d * factor)
                    .collect(),
                seen: seen.clone(),
            })
            .collect()
    }
}

/// Means of each station from those of the classes.
fn stations(network: &Network, classes: &[ClassSolution]) -> Vec<StationSolution> {
    let sum = |part: &dyn Fn(&ClassSolution) -> f64| classes.iter().map(part).sum::<f64>();
    (0..network.stations.len())
        .map(|station_idx| StationSolution {
            // Rounding may pass 1 by a last digit.
            utilization: sum(&|found| found.utilization[station_idx]).min(1.0),
            throughput: network
                .classes
                .iter()
                .zip(classes)
                .filter(|(class, _)| class.demands[station_idx] > 0.0)
                .map(|(class, found)| found.throughput * class.visits_at(station_idx))
                .sum(),
            queue_length: sum(&|found| found.queue_length[station_idx]),
        })
        .collect()
}

/// N* of a closed class alone.
fn knee(network: &Network, class: &Class) -> Option<f64> {
    let Workload::Closed { think_time, .. } = class.workload else {
        return None;
    };
    let slowest = network
        .stations
        .iter()
        .zip(&class.demands)
        .map(|(station, demand)| demand / station.kind.greatest_speed())
        .fold(0.0, f64::max);
    (slowest > 0.0).then(|| (class.demands.iter().sum::<f64>() + think_time) / slowest)
}

/// Probability that all `servers` are busy at a mean of `busy` busy ones.
pub(super) fn busy_probability(servers: u32, busy: f64) -> f64 {
    erlang_c(servers, busy.clamp(0.0, f64::from(servers)))
}

fn refuse_saturated(network: &Network, open_load: &[f64]) -> Result<(), SolveError> {
    let mut worst: Option<(&str, f64)> = None;
    for (station, load) in network.stations.iter().zip(open_load) {
        let utilization = load / station.kind.last_speed();
        if utilization >= 1.0 && worst.is_none_or(|(_, most)| utilization > most) {
            worst = Some((&station.name, utilization));
        }
    }
    worst.map_or(Ok(()), |(station, utilization)| {
        Err(SolveError::Saturated {
            station: station.to_owned(),
            utilization,
        })
    })
}

/// What no method knows yet.
fn refuse_unknown(network: &Network) -> Result<(), SolveError> {
    let refuse = |reason: String| {
        Err(SolveError::Unsuitable {
            method: Method::Exact,
            reason,
        })
    };
    for station in &network.stations {
        if matches!(
            station.kind,
            StationKind::LoadDependent { .. } | StationKind::Link { .. }
        ) || !matches!(station.discipline, Discipline::Ps | Discipline::LcfsPr)
        {
            return refuse(format!(
                "station `{}` is of a kind not solved yet",
                station.name
            ));
        }
    }
    if !network.pools.is_empty() {
        return refuse("it has pools".to_owned());
    }
    if network.classes.iter().any(|class| !class.forks.is_empty()) {
        return refuse("it has forks".to_owned());
    }
    Ok(())
}

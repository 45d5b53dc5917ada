//! A validated network in the shape that algorithms want: closed and open classes apart.
//!
//! Open classes reach the algorithms for closed ones only as an offered load per station, since
//! their throughput is given (Lazowska et al. 1984, chapter 7.4).

use super::closed_forms::erlang_c;
use super::levels::Levels;
use super::network::{Class, Discipline, Network, StationKind, Workload};
use super::solution::{ClassSolution, Method, Solution, SolveError, StationSolution};

/// How a station serves, as the algorithms see it.
pub(super) enum Service {
    /// Nobody can ever wait.
    Delay,
    /// Servers, m.
    Servers(u32),
    /// Speeds with 1, 2, … customers, the last for all beyond.
    Speeds(Vec<f64>),
}

/// A station as the algorithms see it.
pub(super) struct Center {
    pub(super) service: Service,
    /// Work that open classes bring, a = Σ λ·D, in busy servers.
    pub(super) open_load: f64,
    /// Effective speeds at a station of load-dependent speed.
    levels: Option<Levels>,
}

impl Center {
    /// From a station that `open_load` visits, beside at most `population` closed customers.
    fn new(kind: &StationKind, open_load: f64, population: f64) -> Self {
        // With no more customers than servers, nobody waits.
        let crowded = |servers: f64| open_load > 0.0 || population > servers;
        let service = match kind {
            StationKind::Queueing { servers } if crowded(f64::from(*servers)) => {
                Service::Servers(*servers)
            }
            StationKind::Link { capacity } if *capacity < 1.0 || crowded(*capacity) => {
                Service::Speeds(link_speeds(*capacity))
            }
            StationKind::LoadDependent { speeds } => Service::Speeds(speeds.clone()),
            StationKind::Delay | StationKind::Queueing { .. } | StationKind::Link { .. } => {
                Service::Delay
            }
        };
        let levels = match &service {
            Service::Speeds(speeds) => Some(Levels::new(speeds, open_load, population)),
            _ => None,
        };
        Self {
            service,
            open_load,
            levels,
        }
    }

    /// Approximate residence over demand at a station of load-dependent speed, for one who finds
    /// `found` of `others` closed customers there; 1 at any other station.
    pub(super) fn factor(&self, found: f64, others: f64) -> f64 {
        let levels = self.levels.as_ref();
        levels.map_or(1.0, |levels| levels.factor(found, others))
    }

    /// The most that it can do; infinite at a delay.
    pub(super) fn greatest_speed(&self) -> f64 {
        match &self.service {
            Service::Delay => f64::INFINITY,
            Service::Servers(servers) => f64::from(*servers),
            Service::Speeds(speeds) => speeds.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Speeds with 1, 2, … customers, the last for all beyond; none at a delay.
    pub(super) fn speeds(&self) -> Vec<f64> {
        match &self.service {
            Service::Delay => Vec::new(),
            Service::Servers(servers) => (1..=*servers).map(f64::from).collect(),
            Service::Speeds(speeds) => speeds.clone(),
        }
    }

    /// Busy fraction of a server due to open classes.
    pub(super) fn open_utilization(&self) -> f64 {
        match &self.service {
            Service::Delay => 0.0,
            Service::Servers(servers) => self.open_load / f64::from(*servers),
            Service::Speeds(speeds) => self.open_load / speeds[speeds.len() - 1],
        }
    }

    /// Effective speeds with 1, 2, … closed customers; none at a delay.
    pub(super) fn levels(&self, population: f64) -> Option<Levels> {
        let speeds = self.speeds();
        (!speeds.is_empty()).then(|| Levels::new(&speeds, self.open_load, population))
    }

    /// How many effective speeds there are before they no longer change; 1 where they never do.
    pub(super) fn level_count(&self, population: f64) -> f64 {
        let count = match &self.service {
            Service::Delay => return 1.0,
            Service::Servers(servers) => f64::from(*servers),
            Service::Speeds(speeds) => speeds.len() as f64,
        };
        if self.open_load > 0.0 {
            count + 1.0
        } else {
            count.min(population.max(1.0))
        }
    }
}

/// n streams of at most `capacity` together: 1, 2, …, c.
fn link_speeds(capacity: f64) -> Vec<f64> {
    let mut speeds: Vec<f64> = (1..=capacity as u32).map(f64::from).collect();
    if capacity.fract() > 0.0 {
        speeds.push(capacity);
    }
    speeds
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

/// What an exact algorithm finds at each station in some state of the network.
#[derive(Clone)]
pub(super) struct Found {
    /// Mean number of closed customers.
    pub(super) number: Vec<f64>,
    /// Residence over demand of one who arrives.
    pub(super) factor: Vec<f64>,
}

impl Found {
    /// Nobody anywhere, and whoever arrives stays `factor` of its demand.
    pub(super) fn nobody(factor: Vec<f64>) -> Self {
        Self {
            number: vec![0.0; factor.len()],
            factor,
        }
    }
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
    /// Closed customers of all classes.
    pub(super) fn population(&self) -> f64 {
        self.closed.iter().map(|class| class.population).sum()
    }

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
            .map(|(station, open_load)| Center::new(&station.kind, open_load, population))
            .collect();
        Ok(Self {
            centers,
            closed,
            open,
        })
    }

    /// The answer from what each closed class finds, and what an open one finds. An open customer
    /// stays as long as a closed one, so Little's law gives the open ones at a station.
    pub(super) fn exact_answer(
        &self,
        iterations: usize,
        rates: &[f64],
        by_class: &[&Found],
        full: &Found,
    ) -> Answer {
        let residence = |demands: &[f64], found: &Found| {
            demands
                .iter()
                .zip(&found.factor)
                .map(|(d, f)| d * f)
                .collect()
        };
        let seen = |found: &Found| {
            let stations = self.centers.iter().zip(&found.number).zip(&found.factor);
            stations
                .map(|((center, number), factor)| number + center.open_load * factor)
                .collect()
        };
        let closed = self.closed.iter().zip(by_class).zip(rates);
        Answer {
            iterations,
            closed: closed
                .map(|((class, found), &throughput)| ClosedAnswer {
                    throughput,
                    residence: residence(&class.demands, found),
                    seen: seen(found),
                })
                .collect(),
            open: self
                .open
                .iter()
                .map(|demands| OpenAnswer {
                    residence: residence(demands, full),
                    seen: seen(full),
                })
                .collect(),
        }
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
            let (factor, found) = match center.service {
                Service::Delay => (1.0, center.open_load + busy),
                Service::Servers(1) => (
                    (1.0 + backlog) / (1.0 - open),
                    (backlog + open) / (1.0 - open),
                ),
                Service::Servers(servers) => {
                    let all_busy = busy_probability(servers, center.open_load + busy);
                    let wait = (backlog + all_busy) / (1.0 - open) / f64::from(servers);
                    let waiting = (backlog + open * all_busy) / (1.0 - open);
                    (1.0 + wait, waiting + center.open_load + busy)
                }
                Service::Speeds(_) => {
                    let factor = center.factor(backlog, self.population());
                    (factor, backlog + center.open_load * factor)
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

pub(super) fn refuse_saturated(network: &Network, open_load: &[f64]) -> Result<(), SolveError> {
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
        if !matches!(station.discipline, Discipline::Ps | Discipline::LcfsPr) {
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

//! A validated network in the shape that algorithms want: closed and open classes apart.
//!
//! Open classes reach the algorithms for closed ones only as an offered load per station, since
//! their throughput is given (Lazowska et al. 1984, chapter 7.4).

use super::center::{Center, Service};
use super::closed_forms::erlang_c;
use super::form::{approximations, without_form};
use super::network::{Class, Discipline, Fork, Network, Station, StationKind, Workload};
use super::solution::{Approximation, SolveError};
use super::special::Special;

/// What a class' visits to a station are like.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    /// Visits, V.
    pub(super) count: f64,
    /// Service a visit, S.
    pub(super) service: f64,
    /// Squared coefficient of variation of the service.
    scv: f64,
    /// Rank; lower goes first.
    pub(super) priority: u8,
}

impl Visit {
    fn all(class: &Class) -> Vec<Self> {
        (0..class.demands.len())
            .map(|k| Self {
                count: class.visits_at(k),
                service: class.service_at(k),
                scv: class.scv_at(k),
                priority: class.priority,
            })
            .collect()
    }

    /// Mean rest of a service under way.
    pub(super) fn residual(&self) -> f64 {
        self.service * f64::midpoint(1.0, self.scv)
    }
}

/// A closed class: population N, think time Z, demands D.
#[derive(Clone)]
pub(super) struct ClosedClass {
    pub(super) population: f64,
    pub(super) think_time: f64,
    pub(super) demands: Vec<f64>,
    pub(super) forks: Vec<Fork>,
    /// At each station, if any has no product form.
    pub(super) visits: Vec<Visit>,
}

/// An open class: arrival rate λ, demands D.
#[derive(Clone)]
pub(super) struct OpenClass {
    pub(super) arrival_rate: f64,
    pub(super) demands: Vec<f64>,
    /// At each station, if any has no product form.
    pub(super) visits: Vec<Visit>,
}

/// What every algorithm works on.
#[derive(Clone)]
pub(super) struct Problem {
    pub(super) centers: Vec<Center>,
    pub(super) closed: Vec<ClosedClass>,
    pub(super) open: Vec<OpenClass>,
    /// What an answer rests on beyond product form.
    pub(super) approximations: Vec<Approximation>,
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
        Self { number: vec![0.0; factor.len()], factor }
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
    /// See [`Solution::excess`](super::Solution::excess).
    pub(super) excess: f64,
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
        let special = network.stations.iter().enumerate().map(|(k, _)| without_form(network, k));
        let special: Vec<Option<Discipline>> = special.collect::<Result<_, _>>()?;
        let any = special.iter().any(Option::is_some);
        let visits = |class: &Class| if any { Visit::all(class) } else { Vec::new() };
        let mut closed = Vec::new();
        let mut open = Vec::new();
        let mut open_load = vec![0.0; network.stations.len()];
        for class in &network.classes {
            match class.workload {
                Workload::Open { arrival_rate } => {
                    for (load, demand) in open_load.iter_mut().zip(&class.demands) {
                        *load += arrival_rate * demand;
                    }
                    open.push(OpenClass { arrival_rate, demands: class.demands.clone(), visits: visits(class) });
                }
                Workload::Closed { population, think_time } => closed.push(ClosedClass {
                    population,
                    think_time,
                    demands: class.demands.clone(),
                    forks: class.forks.clone(),
                    visits: visits(class),
                }),
            }
        }
        refuse_saturated(network, open_load.iter().copied())?;
        let population: f64 = closed.iter().map(|class| class.population).sum();
        let stations = network.stations.iter().zip(special).zip(open_load);
        let centers: Vec<Center> =
            stations.map(|((station, special), load)| Center::new(&station.kind, special, load, population)).collect();
        let approximations = approximations(network, &centers);
        Ok(Self { centers, closed, open, approximations })
    }

    /// Takes the demands, think times and rates of another network, if that has the same shape: the same closed
    /// customers, at stations of product form that serve as before.
    pub(super) fn renew(&mut self, network: &Network) -> Result<bool, SolveError> {
        network.validate()?;
        let plain = |station: &Station| {
            station.discipline == Discipline::Ps
                && matches!(station.kind, StationKind::Delay | StationKind::Queueing { .. })
        };
        let unforked = network.classes.iter().all(|class| class.forks.is_empty());
        let known = self.approximations.is_empty() && network.pools.is_empty() && unforked;
        if !known
            || network.stations.len() != self.centers.len()
            || network.classes.len() != self.closed.len() + self.open.len()
            || !network.stations.iter().all(plain)
        {
            return Ok(false);
        }
        let population = self.population();
        for center in &mut self.centers {
            center.open_load = 0.0;
        }
        let (mut closed, mut open) = (self.closed.iter_mut(), self.open.iter_mut());
        for class in &network.classes {
            match class.workload {
                Workload::Open { arrival_rate } => {
                    let Some(known) = open.next() else {
                        return Ok(false);
                    };
                    for (center, demand) in self.centers.iter_mut().zip(&class.demands) {
                        center.open_load += arrival_rate * demand;
                    }
                    known.arrival_rate = arrival_rate;
                    known.demands.copy_from_slice(&class.demands);
                }
                Workload::Closed { population, think_time } => {
                    let Some(known) = closed.next().filter(|c| c.population == population) else {
                        return Ok(false);
                    };
                    known.think_time = think_time;
                    known.demands.copy_from_slice(&class.demands);
                }
            }
        }
        refuse_saturated(network, self.centers.iter().map(|center| center.open_load))?;
        let stations = network.stations.iter().zip(&self.centers);
        Ok(stations.into_iter().all(|(station, center)| {
            let anew = Center::new(&station.kind, None, center.open_load, population);
            center.serves_as(&anew)
        }))
    }

    /// The answer from what each closed class finds, and what an open one finds. An open customer
    /// stays as long as a closed one, so Little's law gives the open ones at a station.
    pub(super) fn exact_answer(&self, iterations: usize, rates: &[f64], by_class: &[&Found], full: &Found) -> Answer {
        let residence =
            |demands: &[f64], found: &Found| demands.iter().zip(&found.factor).map(|(d, f)| d * f).collect();
        let seen = |found: &Found| {
            let stations = self.centers.iter().zip(&found.number).zip(&found.factor);
            stations.map(|((center, number), factor)| number + center.open_load * factor).collect()
        };
        let closed = self.closed.iter().zip(by_class).zip(rates);
        Answer {
            iterations,
            excess: 0.0,
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
                .map(|class| OpenAnswer { residence: residence(&class.demands, full), seen: seen(full) })
                .collect(),
        }
    }

    /// Open classes' answers, given what closed classes leave at each station.
    ///
    /// `backlog` is the mean number of closed customers at a station of one server, or of those
    /// waiting at a station of several; `busy` is the mean number of them in service; `numbers` are
    /// both for one class at a station without product form.
    pub(super) fn open_answers(
        &self,
        backlog: &[f64],
        busy: &[f64],
        numbers: impl Fn(usize, usize) -> (f64, f64),
    ) -> Vec<OpenAnswer> {
        let nobody = || OpenAnswer { residence: vec![0.0; self.centers.len()], seen: vec![0.0; self.centers.len()] };
        let mut answers: Vec<OpenAnswer> = self.open.iter().map(|_| nobody()).collect();
        for (k, center) in self.centers.iter().enumerate() {
            if let (Some(_), Service::Servers(servers)) = (center.special, &center.service) {
                let special = Special::new(self, k, *servers);
                let waits = special.open_waits(|class_idx| numbers(k, class_idx));
                let closed: f64 = (0..self.closed.len()).map(|idx| numbers(k, idx).0).sum();
                let seen = closed + special.open_number(&waits);
                for (open_idx, (answer, wait)) in answers.iter_mut().zip(&waits).enumerate() {
                    answer.residence[k] = special.open_residence(open_idx, *wait);
                    answer.seen[k] = seen;
                }
                continue;
            }
            let (factor, seen) = self.open_finds(center, backlog[k], busy[k]);
            for (answer, class) in answers.iter_mut().zip(&self.open) {
                answer.residence[k] = class.demands[k] * factor;
                answer.seen[k] = seen;
            }
        }
        answers
    }

    /// Residence over demand, and the number found, of an open customer.
    pub(super) fn open_finds(&self, center: &Center, backlog: f64, busy: f64) -> (f64, f64) {
        let open = center.open_utilization();
        match center.service {
            Service::Delay => (1.0, center.open_load + busy),
            Service::Servers(1) => ((1.0 + backlog) / (1.0 - open), (backlog + open) / (1.0 - open)),
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
        }
    }
}

/// Probability that all `servers` are busy at a mean of `busy` busy ones.
pub(super) fn busy_probability(servers: u32, busy: f64) -> f64 {
    erlang_c(servers, busy.clamp(0.0, f64::from(servers)))
}

pub(super) fn refuse_saturated(network: &Network, open_load: impl Iterator<Item = f64>) -> Result<(), SolveError> {
    let mut worst: Option<(usize, f64)> = None;
    for (place, (station, load)) in network.stations.iter().zip(open_load).enumerate() {
        let utilization = load / station.kind.last_speed();
        if utilization >= 1.0 && worst.is_none_or(|(_, most)| utilization > most) {
            worst = Some((place, utilization));
        }
    }
    worst.map_or(Ok(()), |(station, utilization)| {
        Err(SolveError::Saturated { station, name: network.stations[station].name.clone(), utilization })
    })
}

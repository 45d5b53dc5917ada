//! From a simulated model to an analytic network.

use super::Simplification;
use super::flows::Flows;
use super::usage::{Holding, Usage, Visits, hits, usage};
use crate::queueing;
use crate::queueing::network::{Class, Network, Pool, Station, StationKind, Workload};
use crate::sim::{self, Arrivals, Discipline, Distribution, Model, Source, Step};

/// A network for the analytic solvers, and what it takes otherwise than the model does.
///
/// Its stations and classes are the model's, in their order; after them come a delay for each lock
/// that is waited for, and a class for each piece of work that nobody waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Analytic {
    /// What the solvers take.
    pub network: Network,
    /// What it takes otherwise.
    pub simplifications: Vec<Simplification>,
    /// Hit ratio of each cache, in the model's order.
    pub hits: Vec<f64>,
    /// Its streams, where they are not Poisson and can be told apart by their variation.
    pub(super) flows: Option<Flows>,
    /// What each class of the network uses.
    pub(super) usages: Vec<Usage>,
    /// For each class beyond the model's: which class starts it, and how often.
    pub(super) spawned: Vec<(usize, f64)>,
    /// The delay that stands for each lock; none for a lock that is not used.
    pub(super) lock_stations: Vec<Option<usize>>,
}

impl Analytic {
    /// Sees a model as the analytic solvers do.
    ///
    /// ```
    /// use plimsoll_network::network::{self, Analytic};
    /// let text = "schema = 1\n[station.cpu]\n[class.jobs]\nrate = \"2 /s\"\nvisits.cpu = 3\nservice.cpu = \"50 ms\"\n";
    /// let file = network::parse("jobs.toml", text, &[]).unwrap();
    /// let analytic = Analytic::of(&file.model);
    /// assert!((analytic.network.classes[0].demands[0] - 0.15).abs() < 1e-12);
    /// assert!(analytic.simplifications.is_empty());
    /// ```
    pub fn of(model: &Model) -> Self {
        let mut builder = Builder::new(model);
        let hits = hits(model);
        for class in &model.classes {
            let usage = usage(model, &hits, &class.name, &class.program);
            let workload = builder.workload(class);
            builder.class(class.name.clone(), class.priority, workload, usage);
        }
        builder.spawn_all();
        let mut analytic = builder.finish(hits);
        analytic.flows = Flows::of(model);
        if analytic.flows.is_some() {
            for simplification in &mut analytic.simplifications {
                if let Simplification::PoissonArrivals { class } = simplification {
                    let class = std::mem::take(class);
                    *simplification = Simplification::RenewalArrivals { class };
                }
            }
        }
        analytic
    }

    /// Whether the network is the model, with nothing taken otherwise.
    pub fn is_exact(&self) -> bool {
        self.simplifications.is_empty()
    }

    /// The lock of the model that a station of the network stands for.
    pub(in crate::network) fn lock_at(&self, station: usize) -> Option<usize> {
        let mut stations = self.lock_stations.iter();
        stations.position(|own| *own == Some(station))
    }
}

struct Builder<'m> {
    model: &'m Model,
    stations: Vec<Station>,
    classes: Vec<Class>,
    usages: Vec<Usage>,
    spawned: Vec<(usize, f64)>,
    simplifications: Vec<Simplification>,
}

fn station(station: &sim::Station) -> Station {
    let discipline = match station.discipline {
        Discipline::Delay => return Station::delay(&station.name),
        Discipline::Fcfs => queueing::Discipline::Fcfs,
        Discipline::Ps => queueing::Discipline::Ps,
        Discipline::LcfsPr => queueing::Discipline::LcfsPr,
        Discipline::Priority => queueing::Discipline::Priority,
        Discipline::PreemptivePriority => queueing::Discipline::PreemptivePriority,
    };
    let kind = if !station.speeds.is_empty() {
        StationKind::LoadDependent { speeds: station.speeds.clone() }
    } else if station.servers.fract() == 0.0 {
        StationKind::Queueing { servers: station.servers as u32 }
    } else {
        StationKind::Link { capacity: station.servers }
    };
    Station::new(&station.name, kind).with_discipline(discipline)
}

/// Whether nothing in a program is drawn.
fn is_constant(program: &[Step]) -> bool {
    program.iter().all(|step| match step {
        Step::Serve { service, .. } | Step::Fixed { service, .. } => service.scv() == 0.0,
        Step::Lock(_) | Step::Unlock(_) | Step::Take { .. } | Step::Give { .. } => true,
        Step::Fork(branches) => branches.iter().all(|branch| is_constant(branch)),
        Step::Repeat { body, .. }
        | Step::Batches { body, .. }
        | Step::Bulk { body, .. }
        | Step::Timed { body, .. }
        | Step::Spawn(body) => is_constant(body),
        Step::Choose(_) | Step::Refer { .. } | Step::Wander(_) | Step::Sized { .. } => false,
    })
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model) -> Self {
        Self {
            model,
            stations: model.stations.iter().map(station).collect(),
            classes: Vec::new(),
            usages: Vec::new(),
            spawned: Vec::new(),
            simplifications: Vec::new(),
        }
    }

    fn simplify(&mut self, simplification: Simplification) {
        if !self.simplifications.contains(&simplification) {
            self.simplifications.push(simplification);
        }
    }

    fn workload(&mut self, class: &sim::Class) -> Workload {
        let poisson = |class: &sim::Class| Simplification::PoissonArrivals { class: class.name.clone() };
        let arrival_rate = match &class.source {
            Source::Closed { population, think } => {
                if think.scv() == 0.0 && is_constant(&class.program) {
                    self.simplify(Simplification::NoVariation { class: class.name.clone() });
                }
                return Workload::Closed { population: f64::from(*population), think_time: think.mean() };
            }
            Source::Open(Arrivals::Renewal(times)) => {
                if !matches!(times, Distribution::Exponential { .. }) {
                    self.simplify(poisson(class));
                }
                1.0 / times.mean()
            }
            Source::Open(Arrivals::Bursts { rates, stays }) => {
                self.simplify(poisson(class));
                let weighted = rates[0] * stays[0] + rates[1] * stays[1];
                weighted / (stays[0] + stays[1])
            }
            Source::Open(Arrivals::At(_) | Arrivals::Never) => {
                self.simplify(poisson(class));
                0.0
            }
        };
        Workload::Open { arrival_rate }
    }

    fn class(&mut self, name: String, priority: u8, workload: Workload, mut usage: Usage) {
        for simplification in std::mem::take(&mut usage.simplifications) {
            self.simplify(simplification);
        }
        let stations = &usage.stations;
        let mut class = Class::new(name, workload, stations.iter().map(|v| v.demand).collect())
            .with_visits(stations.iter().map(|v| v.count).collect())
            .with_scv(stations.iter().map(Visits::scv).collect())
            .with_priority(priority);
        for fork in &usage.forks {
            class = class.with_fork(fork.clone());
        }
        self.classes.push(class);
        self.usages.push(usage);
    }

    /// Work that nobody waits for, as classes of their own; it may start further work.
    fn spawn_all(&mut self) {
        let mut parent = 0;
        while parent < self.classes.len() {
            for (count, usage) in std::mem::take(&mut self.usages[parent].spawned) {
                let arrival_rate = match self.classes[parent].workload {
                    Workload::Open { arrival_rate } => arrival_rate * count,
                    // Found by iteration.
                    Workload::Closed { .. } => 0.0,
                };
                let class = &self.classes[parent];
                let (name, priority) = (format!("{}, spawned", class.name), class.priority);
                self.class(name, priority, Workload::Open { arrival_rate }, usage);
                self.spawned.push((parent, count));
            }
            parent += 1;
        }
    }

    /// A delay station, still without demands.
    fn delay(&mut self, name: &str) -> usize {
        self.stations.push(Station::delay(name));
        for class in &mut self.classes {
            class.demands.push(0.0);
            class.visits.push(1.0);
            class.scv.push(1.0);
        }
        self.stations.len() - 1
    }

    fn finish(mut self, hits: Vec<f64>) -> Analytic {
        let mut lock_stations = vec![None; self.model.locks.len()];
        for (lock, described) in self.model.locks.iter().enumerate() {
            let mut holds = self.usages.iter().flat_map(|usage| &usage.holds);
            if holds.any(|hold| hold.lock == lock) {
                let name = format!("lock {}", described.name);
                lock_stations[lock] = Some(self.delay(&name));
                self.simplify(Simplification::LockWaits);
            }
        }
        let mut pools: Vec<Pool> = Vec::new();
        for pool in 0..self.model.pools.len() {
            let found = self.pool(pool, &lock_stations);
            let shared = |new: &Pool| {
                let mut others = pools.iter().flat_map(|other| &other.stations);
                others.any(|station| new.stations.contains(station))
            };
            let why = match found {
                Ok(None) => continue,
                Ok(Some(new)) if shared(&new) => "it shares stations with another pool",
                Ok(Some(new)) => {
                    pools.push(new);
                    continue;
                }
                Err(why) => why,
            };
            let pool = self.model.pools[pool].name.clone();
            self.simplify(Simplification::PoolLeftOut { pool, why });
        }
        Analytic {
            network: Network { stations: self.stations, classes: self.classes, pools },
            simplifications: self.simplifications,
            hits,
            flows: None,
            usages: self.usages,
            spawned: self.spawned,
            lock_stations,
        }
    }

    /// A pool, if all classes hold one of it around whole stations; why not, otherwise.
    fn pool(&self, pool: usize, locks: &[Option<usize>]) -> Result<Option<Pool>, &'static str> {
        let mut stations: Vec<usize> = Vec::new();
        let mut holders: Vec<(usize, &Holding)> = Vec::new();
        for (class, usage) in self.usages.iter().enumerate() {
            let mut of_class = usage.pools.iter().filter(|held| held.pool == pool);
            let Some(held) = of_class.next() else {
                continue;
            };
            if of_class.next().is_some() || held.times != 1.0 {
                return Err("a class holds it other than once");
            }
            holders.push((class, held));
            stations.extend((0..held.visits.len()).filter(|&k| held.visits[k] > 0.0));
            stations.extend(held.locks.iter().filter_map(|&lock| locks[lock]));
        }
        let Some((_, first)) = holders.first() else {
            return Ok(None);
        };
        let count = first.count;
        if holders.iter().any(|(_, held)| held.count != count) {
            return Err("classes take different numbers of it");
        }
        for (class, held) in &holders {
            let all = &self.usages[*class].stations;
            let outside = stations.iter().any(|&k| k < all.len() && (all[k].count - held.visits[k]).abs() > 1e-9);
            if outside {
                return Err("a class visits the same station with and without it");
            }
        }
        stations.sort_unstable();
        stations.dedup();
        let classes = holders.iter().map(|(class, _)| *class).collect();
        let found = &self.model.pools[pool];
        let capacity = (found.capacity / count).max(1);
        Ok(Some(Pool::new(&found.name, capacity, stations, classes)))
    }
}

//! What stays the same in the iteration of [`super::solve`], and the balance of the work that is done later.
//!
//! Destaged pages, log lines and the other disks of a stripe load a station without the command waiting
//! for them: for the network they are an open stream, whose rate is the rate of those who cause it. A
//! closed group that fills a station with such work slows itself down, and plain repetition would swing
//! between full and empty; [`Frame::at_rest`] finds where it comes to rest by bisection, station after
//! station.
//!
//! The other threads of parallel clients, and the blocks of large syncs on links ([`super::threads`]), are closed classes
//! of their own.

use std::collections::BTreeMap;

use super::among::Among;
use super::flow::{Flow, LATER_MAX};
use super::piece::Piece;
use super::plant::Plant;
use super::threads::Threads;
use super::waking::Sleeping;
use crate::queueing::{Class, Flows, Network};
use crate::workload::{Arrival, Load};

/// Turns over the stations until their work for later is balanced.
const TURNS_MAX: usize = 30;
/// Relative change of a station's free time at which it is balanced.
const BALANCED: f64 = 1e-9;

/// Share of itself by which a crossing may be missed.
const CROSSED: f64 = 1e-12;

/// What stays the same in all rounds.
pub(super) struct Frame<'f, 'p> {
    pub(super) plant: &'f Plant<'p>,
    pub(super) load: &'f Load,
    pub(super) pieces: &'f [Piece<'p>],
    pub(super) lock_station: usize,
    /// Demand of each group a cycle at each station, as one of its threads sees it \[s\].
    pub(super) demands: Vec<Vec<f64>>,
    /// Processors that sleep while they are idle.
    pub(super) sleeping: Vec<Sleeping>,
    /// Other threads of parallel groups.
    pub(super) threads: Vec<Threads>,
    /// Work of a cycle of each group that it does not wait for, that of its other threads included.
    pub(super) unseen: Vec<Vec<f64>>,
    /// The part of it that is an open stream: of closed groups without that of the threads.
    pub(super) later: Vec<Vec<f64>>,
    /// Seconds of a closed group's cycle on an idle server.
    pub(super) cycle: Vec<Option<f64>>,
    /// Work of flushes by station of commits, over what it were if each commit had one of its own.
    pub(super) flushes: BTreeMap<usize, f64>,
    /// Stations where closed groups leave work for later, with the servers that open groups leave free.
    pub(super) contended: Vec<(usize, f64)>,
}

/// A closed group's cycle \[s\]: what stays, and what goes with the load of each station.
struct Cycle {
    group: usize,
    population: f64,
    fixed: f64,
    waits: Vec<f64>,
}

impl<'f, 'p> Frame<'f, 'p> {
    pub(super) fn new(plant: &'f Plant<'p>, load: &'f Load, pieces: &'f [Piece<'p>], lock_station: usize) -> Self {
        let n = plant.stations.len();
        let mut demands = vec![vec![0.0; n]; load.groups.len()];
        let mut later = demands.clone();
        for piece in pieces {
            let g = piece.group;
            for (k, seconds) in piece.waited().iter() {
                demands[g][k] += seconds * piece.weight;
            }
            for (k, seconds) in piece.cost.later().iter() {
                later[g][k] += seconds * piece.weight;
            }
        }
        let mut unseen = later.clone();
        let mut threads = Vec::new();
        for (g, (later, unseen)) in later.iter_mut().zip(&mut unseen).enumerate() {
            threads.extend(Threads::of(load, pieces, g, (later, unseen)));
            threads.extend(Threads::blocks(load, pieces, g, later));
        }
        let cycle = |(group, demands): (&crate::workload::Group, &Vec<f64>)| match group.arrival {
            Arrival::Closed { think_time, .. } => {
                let seconds = think_time + demands.iter().sum::<f64>();
                Some(seconds.max(f64::MIN_POSITIVE))
            }
            Arrival::Open { .. } => None,
        };
        let mut frame = Self {
            plant,
            load,
            pieces,
            lock_station,
            cycle: load.groups.iter().zip(&demands).map(cycle).collect(),
            flushes: BTreeMap::new(),
            contended: Vec::new(),
            demands,
            sleeping: Sleeping::all(plant),
            threads,
            unseen,
            later,
        };
        frame.flush();
        frame.contended = (0..n)
            .filter(|k| (0..load.groups.len()).any(|g| frame.closed_later(g, *k) > 0.0))
            .map(|k| (k, frame.free(k)))
            .filter(|(_, free)| free.is_finite() && *free > 0.0)
            .collect();
        frame
    }

    /// The network with nothing flowing yet: a class for each group, one for the other threads and one for the
    /// blocks of each that has some, and one for the work for later.
    pub(super) fn network(&self) -> Network {
        let groups = self.load.groups.iter().zip(&self.demands);
        let mut classes: Vec<Class> = groups
            .map(|(group, demands)| match group.arrival {
                Arrival::Closed { population, think_time } => {
                    Class::closed(group.clients.to_string(), population, think_time, demands.clone())
                }
                Arrival::Open { rate } => Class::open(group.clients.to_string(), rate, demands.clone()),
            })
            .collect();
        classes.extend(self.threads.iter().map(|threads| {
            let name = &self.load.groups[threads.group].clients;
            Class::closed(format!("threads of {name}"), threads.population, 0.0, threads.demands.clone())
        }));
        let nothing = vec![0.0; self.plant.stations.len()];
        classes.push(Class::open("later", 1.0, nothing));
        let stations = self.plant.stations.iter().map(|(s, _)| s.clone());
        Network::new(stations.collect(), classes)
    }

    /// Puts a flow into the network.
    pub(super) fn put(&self, flow: &Flow, network: &mut Network) {
        for (class, wait) in network.classes.iter_mut().zip(&flow.waits) {
            class.demands[self.lock_station] = *wait;
        }
        let threads = network.classes.iter_mut().skip(flow.waits.len());
        for (class, apart) in threads.zip(&flow.apart) {
            class.demands[self.lock_station] = *apart;
        }
        if let Some(later) = network.classes.last_mut() {
            later.demands = self.later(flow);
        }
    }

    /// Busy servers by station for work that nobody waits for.
    fn later(&self, flow: &Flow) -> Vec<f64> {
        let mut later: Vec<f64> = (0..self.plant.stations.len())
            .map(|k| {
                let open = self.open_rates().map(|(g, rate)| rate * self.later[g][k]);
                open.sum()
            })
            .collect();
        for ((k, free), spare) in self.contended.iter().zip(&flow.spare) {
            later[*k] += free * (1.0 - spare);
        }
        later
    }

    /// Busy share of each station at these rates, work for later included: the utilization law.
    pub(super) fn utilization(&self, rates: &[f64]) -> Vec<f64> {
        let busy = self.busy(rates).into_iter().enumerate();
        busy.map(|(k, busy)| (busy / self.servers(k)).min(1.0)).collect()
    }

    /// Busy servers of each station.
    pub(super) fn busy(&self, rates: &[f64]) -> Vec<f64> {
        let stations = 0..self.plant.stations.len();
        let busy = stations.map(|k| {
            let groups = rates.iter().enumerate();
            groups.map(|(g, rate)| rate * self.work(g, k)).sum()
        });
        busy.collect()
    }

    fn open_rates(&self) -> impl Iterator<Item = (usize, f64)> {
        let groups = self.load.groups.iter().enumerate();
        groups.filter_map(|(g, group)| match group.arrival {
            Arrival::Open { rate } => Some((g, rate)),
            Arrival::Closed { .. } => None,
        })
    }

    /// Work of a closed group's cycle that it leaves for later at a station.
    pub(super) fn closed_later(&self, g: usize, k: usize) -> f64 {
        self.cycle[g].map_or(0.0, |_| self.later[g][k])
    }

    fn left_by_closed(&self, k: usize, rates: &[f64]) -> f64 {
        let rates = rates.iter().enumerate();
        rates.map(|(g, rate)| rate * self.closed_later(g, k)).sum()
    }

    pub(super) fn servers(&self, k: usize) -> f64 {
        self.plant.stations[k].0.kind.last_speed()
    }

    /// What a cycle of a group works at a station, whether it waits for it or not \[s\].
    pub(super) fn work(&self, group: usize, k: usize) -> f64 {
        self.demands[group][k] + self.unseen[group][k]
    }

    /// Servers that open groups leave free.
    pub(super) fn free(&self, k: usize) -> f64 {
        let taken: f64 = self.open_rates().map(|(g, rate)| rate * (self.demands[g][k] + self.later[g][k])).sum();
        self.servers(k) - taken
    }

    /// What is spare at each station where closed groups come to rest, if nothing changed in `flows`,
    /// which was found with `before`, but that waiting goes with one over what is spare.
    ///
    /// A device that cannot keep up at any rate slows its clients down in the end; here its work is
    /// thinned to nearly all that is free.
    pub(super) fn at_rest(&self, before: &[f64], flows: &Flows) -> Vec<f64> {
        self.balanced(before, &self.cycles(flows))
    }

    /// What is spare where the clients of each closed group wait for nobody but each other and open streams.
    pub(super) fn spare_among(&self, groups: &[Option<Among>]) -> Vec<f64> {
        let closed = groups.iter().zip(&self.demands).enumerate();
        let cycles = closed.filter_map(|(g, (among, demands))| {
            let among = among.as_ref()?;
            let stays = demands.iter().zip(&among.stretch);
            let stays: Vec<f64> = stays.map(|(demand, stretch)| demand * stretch).collect();
            self.cycle_at(g, among.rate, &stays)
        });
        let all = vec![1.0; self.contended.len()];
        self.balanced(&all, &cycles.collect::<Vec<_>>())
    }

    /// What is spare where closed groups' cycles are these, which were found with so much spare `before`.
    fn balanced(&self, before: &[f64], cycles: &[Cycle]) -> Vec<f64> {
        let mut rates = vec![0.0; self.load.groups.len()];
        let mut spare = before.to_vec();
        let spared = |i: usize, spare: &[f64], rates: &mut [f64]| {
            for cycle in cycles {
                let waits = cycle.waits.iter().zip(before).zip(spare);
                let waits: f64 = waits.map(|((wait, before), now)| wait * before / now).sum();
                rates[cycle.group] = cycle.population / (cycle.fixed + waits);
            }
            let (k, free) = self.contended[i];
            1.0 - self.left_by_closed(k, rates) / free
        };
        for _ in 0..TURNS_MAX {
            let mut moved = 0.0_f64;
            for i in 0..spare.len() {
                let was = spare[i];
                // The more is spare the more comes, and the less is then spare: one crossing.
                let crossing = crossing(was, CROSSED, |tried| {
                    spare[i] = tried;
                    spared(i, &spare, &mut rates) - tried
                });
                spare[i] = crossing;
                moved = moved.max((spare[i] / was).ln().abs());
            }
            if moved < 4.0 * BALANCED {
                break;
            }
        }
        spare
    }

    fn cycles(&self, flows: &Flows) -> Vec<Cycle> {
        let groups = 0..self.load.groups.len();
        let closed = groups.filter(|g| self.cycle[*g].is_some());
        let cycles = closed.filter_map(|g| self.cycle_at(g, flows.throughput[g], flows.residence(g)));
        cycles.collect()
    }

    /// The cycle of a closed group that comes so often and stays so long at each station; none if it never comes.
    fn cycle_at(&self, group: usize, rate: f64, stays: &[f64]) -> Option<Cycle> {
        let Arrival::Closed { population, .. } = self.load.groups[group].arrival else {
            return None;
        };
        if rate <= 0.0 {
            return None;
        }
        let wait = |k: usize| {
            // At one server the service itself is stretched too.
            let several = self.servers(k) > 1.0;
            let served = if several { self.demands[group][k] } else { 0.0 };
            (stays[k] - served).max(0.0)
        };
        let waits: Vec<f64> = self.contended.iter().map(|(k, _)| wait(*k)).collect();
        let fixed = population / rate - waits.iter().sum::<f64>();
        Some(Cycle { group, population, fixed: fixed.max(0.0), waits })
    }
}

/// Where `excess`, which falls by more than its argument rises, is zero between nothing spare and all:
/// secants from `start`, and halves of the bracket where they leave it. Found to such a share of itself.
pub(super) fn crossing(start: f64, near: f64, mut excess: impl FnMut(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1.0 - LATER_MAX, 1.0);
    let (mut tried, mut last) = (start.clamp(low, high), None);
    while high - low > BALANCED * low {
        let found = excess(tried);
        // So steep that the crossing is no further away than this.
        if found.abs() <= near * tried {
            break;
        }
        if found < 0.0 {
            high = tried;
        } else {
            low = tried;
        }
        let secant = last.map(|(x, y): (f64, f64)| tried - found * (tried - x) / (found - y));
        last = Some((tried, found));
        tried = match secant {
            Some(next) if next > low && next < high => next,
            _ => f64::midpoint(low, high),
        };
    }
    tried
}

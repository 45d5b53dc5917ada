//! Pools as flow-equivalent servers.
//!
//! ```text
//!  outside ──► [ pool: waits while `capacity` are taken ] ──► stations inside ──► outside
//! becomes
//!  outside ──► [ one station whose speed with j customers is that of the inside with min(j, capacity) ]
//! ```
//!
//! The inside is solved alone with 1, 2, … customers; how fast it is makes the speeds of one
//! load-dependent station in the network outside (Chandy, Herzog and Woo 1975). Several classes that
//! hold the pool are inside in proportion to how many of them are at it, found by repetition; classes
//! that visit the inside without the pool are met there as a stream, and meet the holders as one.
//! Then the customers at the station are taken apart again: those beyond the capacity wait, the
//! others are where the inside has them.
//!
//! # Accuracy
//!
//! Exact for one class with one station inside and product form outside, and for a Poisson stream into
//! one station. With two stations inside, busy to 80 %, the throughput of 8 to 12 customers is 0.7 to
//! 1.3 % too low (against Markov chains, with a delay or another station outside). Several classes
//! wait in proportion to their work inside, although all wait alike in truth.
//!
//! # References
//!
//! - K. M. Chandy, U. Herzog, L. Woo, "Parametric analysis of queuing networks", IBM J. R&D 19(1),
//!   1975; C. H. Sauer and K. M. Chandy, *Computer Systems Performance Modeling*, 1981, 5.3.

mod apart;

use super::levels::Levels;
use super::network::{Class, Network, Pool, Station, Workload};
use super::solution::{Approximation, Method, Solution, SolveError};
use super::{mixed, solve as solve_any};

/// Most repetitions over shares and rates, and the change at which they end.
const MOST_ROUNDS: usize = 60;
const SETTLED: f64 = 1e-9;

/// A pool that can bind, and what its inside does.
struct Inside<'a> {
    pool_idx: usize,
    pool: &'a Pool,
    /// Classes that hold it and work inside.
    holders: Vec<usize>,
    /// Share of each holder among those at the pool.
    shares: Vec<f64>,
    /// Speeds with 1, 2, … inside.
    speeds: Vec<f64>,
    /// Numbers by level, then holder, then station inside.
    numbers: Vec<Vec<Vec<f64>>>,
}

impl<'a> Inside<'a> {
    fn new(network: &Network, pool_idx: usize, pool: &'a Pool) -> Option<Self> {
        let works = |class: &Class| pool.stations.iter().any(|&k| class.demands[k] > 0.0);
        let holders: Vec<usize> = (0..network.classes.len())
            .filter(|idx| pool.classes.contains(idx) && works(&network.classes[*idx]))
            .collect();
        let most: f64 = holders.iter().map(|&idx| customers(&network.classes[idx])).sum();
        if most <= f64::from(pool.capacity) {
            return None;
        }
        let weights = holders.iter().map(|&idx| {
            let class = &network.classes[idx];
            match class.workload {
                Workload::Open { arrival_rate } => arrival_rate * demand(class, pool),
                Workload::Closed { population, .. } => population,
            }
        });
        Some(Self {
            pool_idx,
            pool,
            shares: normal(weights.collect()),
            holders,
            speeds: Vec::new(),
            numbers: Vec::new(),
        })
    }

    /// Solves the inside with each number of customers.
    fn solve(&mut self, network: &Network, rates: &[f64]) -> Result<(), SolveError> {
        let stations: Vec<Station> = self.pool.stations.iter().map(|&k| network.stations[k].clone()).collect();
        let demands = |class: &Class| self.pool.stations.iter().map(|&k| class.demands[k]).collect();
        let part = |class: &Class, workload: Workload| {
            let inside = |values: &[f64]| {
                if values.is_empty() { Vec::new() } else { self.pool.stations.iter().map(|&k| values[k]).collect() }
            };
            Class::new(&class.name, workload, demands(class))
                .with_visits(inside(&class.visits))
                .with_scv(inside(&class.scv))
                .with_priority(class.priority)
        };
        let mut classes = Vec::new();
        for &idx in &self.holders {
            let workload = Workload::Closed { population: 0.0, think_time: 0.0 };
            classes.push(part(&network.classes[idx], workload));
        }
        for (idx, class) in network.classes.iter().enumerate() {
            if !self.holders.contains(&idx) && demand(class, self.pool) > 0.0 {
                let arrival_rate = rates[idx];
                classes.push(part(class, Workload::Open { arrival_rate }));
            }
        }
        let mut inner = Network::new(stations, classes);
        self.speeds.clear();
        self.numbers.clear();
        for level in 1..=self.pool.capacity {
            for (idx, share) in self.shares.iter().enumerate() {
                if let Workload::Closed { population, .. } = &mut inner.classes[idx].workload {
                    *population = share * f64::from(level);
                    if self.holders.len() == 1 {
                        *population = f64::from(level);
                    }
                }
            }
            let solution = solve_any(&inner)?;
            let holders = solution.classes.iter().zip(&inner.classes).take(self.holders.len());
            let work = holders.map(|(found, class)| found.throughput * class.demands.iter().sum::<f64>());
            self.speeds.push(work.sum());
            let found = solution.classes.into_iter().take(self.holders.len());
            self.numbers.push(found.map(|found| found.queue_length).collect());
        }
        Ok(())
    }

    /// Mean number of each holder at each station inside, and of all that wait, if `number` of
    /// `others` are at the pool.
    fn taken_apart(&self, number: f64, others: f64) -> (Vec<Vec<f64>>, f64) {
        let levels = Levels::new(&self.speeds, 0.0, f64::INFINITY);
        let top = self.speeds.len();
        let (mut below, waiting) = levels.distribution(number, others, top + 1);
        let rest = 1.0 - below.iter().sum::<f64>();
        below[top] += rest;
        let mut means = vec![vec![0.0; self.pool.stations.len()]; self.holders.len()];
        for (numbers, probability) in self.numbers.iter().zip(&below[1..]) {
            for (means, numbers) in means.iter_mut().zip(numbers) {
                for (mean, number) in means.iter_mut().zip(numbers) {
                    *mean += probability * number;
                }
            }
        }
        (means, waiting + rest)
    }
}

fn demand(class: &Class, pool: &Pool) -> f64 {
    pool.stations.iter().map(|&k| class.demands[k]).sum()
}

/// Most customers of a class.
fn customers(class: &Class) -> f64 {
    match class.workload {
        Workload::Open { .. } => f64::INFINITY,
        Workload::Closed { population, .. } => population,
    }
}

fn normal(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}

/// The network outside: a station in place of each inside, after all others.
fn outside(network: &Network, insides: &[Inside<'_>], rates: &[f64]) -> Network {
    let mut outer = Network::new(network.stations.clone(), network.classes.clone());
    for inside in insides {
        let name = inside.pool.name.clone();
        outer.stations.push(Station::load_dependent(name, inside.speeds.clone()));
        for (idx, class) in outer.classes.iter_mut().enumerate() {
            let holds = inside.holders.contains(&idx);
            let held = if holds { demand(class, inside.pool) } else { 0.0 };
            class.demands.push(held);
            for values in [&mut class.visits, &mut class.scv] {
                if !values.is_empty() {
                    values.push(1.0);
                }
            }
            if holds {
                for &k in &inside.pool.stations {
                    class.demands[k] = 0.0;
                }
            }
        }
    }
    // Whoever visits the inside without the pool meets the holders as a stream.
    let mut load = vec![0.0; outer.stations.len()];
    for inside in insides {
        for &k in &inside.pool.stations {
            if outer.classes.iter().any(|class| class.demands[k] > 0.0) {
                for &idx in &inside.holders {
                    load[k] += rates[idx] * network.classes[idx].demands[k];
                }
            }
        }
    }
    if load.iter().any(|&load| load > 0.0) {
        outer.classes.push(Class::open("holders of pools", 1.0, load));
    }
    outer
}

/// Solves a network with pools; by a given method outside, or by the best one.
pub(super) fn solve(network: &Network, method: Option<Method>) -> Result<Solution, SolveError> {
    network.validate()?;
    refuse(network, method)?;
    let pools = network.pools.iter().enumerate();
    let mut insides: Vec<Inside<'_>> = pools.filter_map(|(idx, pool)| Inside::new(network, idx, pool)).collect();
    let mut rates: Vec<f64> = network
        .classes
        .iter()
        .map(|class| match class.workload {
            Workload::Open { arrival_rate } => arrival_rate,
            Workload::Closed { .. } => 0.0,
        })
        .collect();
    let mut moved = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        for inside in &mut insides {
            inside.solve(network, &rates)?;
        }
        let outer = outside(network, &insides, &rates);
        let solution = match method {
            Some(method) => mixed::solve(&outer, method)?,
            None => solve_any(&outer)?,
        };
        moved = 0.0;
        for (rate, found) in rates.iter_mut().zip(&solution.classes) {
            if found.throughput > 0.0 {
                moved = moved.max((*rate / found.throughput - 1.0).abs());
            }
            *rate = found.throughput;
        }
        for (at, inside) in insides.iter_mut().enumerate() {
            let station = network.stations.len() + at;
            let number = |&idx: &usize| solution.classes[idx].queue_length[station];
            let shares = normal(inside.holders.iter().map(number).collect());
            for (share, now) in inside.shares.iter_mut().zip(shares) {
                moved = moved.max((*share - now).abs());
                *share = now;
            }
        }
        let simple = insides.iter().all(|inside| inside.holders.len() == 1);
        let alone = outer.classes.len() == network.classes.len();
        if moved < SETTLED || simple && alone && no_visitors(network, &insides) {
            return Ok(apart::solution(network, &insides, solution));
        }
    }
    Err(SolveError::NotConverged { iterations: MOST_ROUNDS, residual: moved })
}

/// Whether nobody visits an inside without holding its pool.
fn no_visitors(network: &Network, insides: &[Inside<'_>]) -> bool {
    insides.iter().all(|inside| {
        let classes = network.classes.iter().enumerate();
        classes.filter(|(idx, _)| !inside.holders.contains(idx)).all(|(_, class)| demand(class, inside.pool) == 0.0)
    })
}

fn refuse(network: &Network, method: Option<Method>) -> Result<(), SolveError> {
    if let Some(method @ (Method::Exact | Method::Convolution)) = method {
        return Err(SolveError::Unsuitable {
            method,
            reason: format!("it has no product form; it needs {}", Approximation::Pool),
        });
    }
    for pool in &network.pools {
        let forks = network.classes.iter().flat_map(|class| &class.forks);
        let mut branches = forks.flat_map(|fork| fork.branches.iter().flatten());
        if branches.any(|k| pool.stations.contains(k)) {
            return Err(SolveError::Unsupported { reason: format!("pool `{}` has a fork inside", pool.name) });
        }
    }
    Ok(())
}

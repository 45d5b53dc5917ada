//! A problem laid out for sweeps: flat rows, stations where nobody waits folded into think times.

use super::erlang::Erlang;
use crate::queueing::center::Service;
use crate::queueing::forks::longest;
use crate::queueing::network::{Discipline, Network};
use crate::queueing::problem::Problem;
use crate::queueing::solution::SolveError;
use crate::queueing::special::Special;

/// Stations a row is padded to a multiple of, so that sums run in four lanes.
pub(super) const LANES: usize = 4;

/// A station other than one server of product form.
#[derive(Clone)]
pub(super) enum Rule {
    /// m > 1 servers of product form.
    Servers(u32),
    /// Load-dependent speed.
    Speeds,
    /// Without product form.
    Special(Special),
}

/// Branches of a fork: delays, and columns of a row.
#[derive(Clone)]
pub(super) struct Branches(Vec<(f64, Vec<usize>)>);

/// The layout. A row of a class has a column for each station: first those of one server, padded,
/// then the others.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) problem: Problem,
    /// Station of each column; none where it is padding.
    pub(super) stations: Vec<Option<usize>>,
    /// Columns of one server.
    pub(super) singles: usize,
    /// The other columns.
    pub(super) rules: Vec<Rule>,
    /// Demand by class and column, at one server over what open classes leave.
    pub(super) demands: Vec<f64>,
    /// Think time and delays outside forks of each class.
    pub(super) think: Vec<f64>,
    /// Forks of each class.
    pub(super) forks: Vec<Vec<Branches>>,
}

impl Plan {
    pub(super) fn new(problem: Problem) -> Self {
        let is_single = |k: &usize| {
            let center = &problem.centers[*k];
            matches!(center.service, Service::Servers(1)) && center.special.is_none()
        };
        let all = 0..problem.centers.len();
        let mut stations: Vec<Option<usize>> = all.clone().filter(is_single).map(Some).collect();
        stations.resize(stations.len().next_multiple_of(LANES), None);
        let singles = stations.len();
        let mut rules = Vec::new();
        for k in all.filter(|k| !is_single(k)) {
            let center = &problem.centers[k];
            let rule = match (&center.special, &center.service) {
                (_, Service::Delay) => continue,
                (Some(_), Service::Servers(servers)) => Rule::Special(Special::new(&problem, k, *servers)),
                (_, Service::Servers(servers)) => Rule::Servers(*servers),
                (_, Service::Speeds(_)) => Rule::Speeds,
            };
            stations.push(Some(k));
            rules.push(rule);
        }
        let mut plan =
            Self { problem, stations, singles, rules, demands: Vec::new(), think: Vec::new(), forks: Vec::new() };
        plan.add_classes();
        plan
    }

    /// Takes the numbers of another network of the same shape, if it has that.
    pub(super) fn renew(&mut self, network: &Network) -> Result<bool, SolveError> {
        let renewed = self.problem.renew(network)?;
        if renewed {
            self.demands.clear();
            self.think.clear();
            self.forks.clear();
            self.add_classes();
        }
        Ok(renewed)
    }

    fn add_classes(&mut self) {
        let column = |k: usize| self.stations.iter().position(|station| *station == Some(k));
        for class in &self.problem.closed {
            let mut in_fork = Vec::new();
            if !class.forks.is_empty() {
                in_fork.resize(self.problem.centers.len(), false);
            }
            let mut forks = Vec::new();
            for fork in &class.forks {
                let branch = |stations: &Vec<usize>| {
                    let (mut delay, mut columns) = (0.0, Vec::new());
                    for &k in stations {
                        match column(k) {
                            Some(column) => columns.push(column),
                            None => delay += class.demands[k],
                        }
                    }
                    (delay, columns)
                };
                forks.push(Branches(fork.branches.iter().map(branch).collect()));
                for &k in fork.branches.iter().flatten() {
                    in_fork[k] = true;
                }
            }
            let mut think = class.think_time;
            for (k, center) in self.problem.centers.iter().enumerate() {
                if matches!(center.service, Service::Delay) && !in_fork.get(k).is_some_and(|&inside| inside) {
                    think += class.demands[k];
                }
            }
            self.think.push(think);
            self.forks.push(forks);
            for (idx, station) in self.stations.iter().enumerate() {
                let demand = station.map_or(0.0, |k| {
                    let spare = 1.0 - self.problem.centers[k].open_utilization();
                    let share = if idx < self.singles { spare } else { 1.0 };
                    class.demands[k] / share
                });
                self.demands.push(demand);
            }
        }
    }

    /// Whether some station serves better classes first.
    pub(super) fn ranks(&self) -> bool {
        let centers = self.problem.centers.iter();
        centers.filter_map(|center| center.special).any(Discipline::is_ranked)
    }

    /// What forks add to the sum of a class' residence times: less than nothing, as branches pass together.
    pub(super) fn overlap(&self, class_idx: usize, residence: &[f64]) -> f64 {
        let mut sum = 0.0;
        for Branches(branches) in &self.forks[class_idx] {
            let mut means = Vec::with_capacity(branches.len());
            for (delay, columns) in branches {
                let inside: f64 = columns.iter().map(|&c| residence[c]).sum();
                sum -= inside;
                means.push(delay + inside);
            }
            sum += longest(&means);
        }
        sum
    }

    /// Columns of a row.
    pub(super) fn columns(&self) -> usize {
        self.stations.len()
    }

    /// Numbers of one network: a row of numbers and one of busy servers for each class.
    pub(super) fn size(&self) -> usize {
        self.problem.closed.len() * (self.columns() + self.rules.len())
    }

    /// Places for what is known of Erlang's formula, by class and station.
    pub(super) fn erlangs(&self) -> Vec<Erlang> {
        let servers = |rule: &Rule| match rule {
            Rule::Servers(servers) => *servers,
            Rule::Speeds | Rule::Special(_) => 1,
        };
        let row = || self.rules.iter().map(|rule| Erlang::new(servers(rule)));
        self.problem.closed.iter().flat_map(|_| row()).collect()
    }
}

//! The engine of the approximate methods: flat rows, all networks of a method swept together.
//!
//! Schweitzer's method has one network. The Linearizer and AQL have one more for each class, with a
//! customer of it removed; what such a customer finds in the full network is what its own network
//! holds, and how that differs from the proportion gives the shifts for the others. All networks are
//! swept in turn and the shifts renewed after each round, until nothing moves: the same fixed point
//! as that of networks solved one inside the other, in fewer steps.

mod anderson;
mod capacity;
mod erlang;
mod plan;
mod read;
mod shifts;
mod sweep;

use super::network::Network;
use super::problem::Problem;
use super::solution::{Method, SolveError};
use anderson::Anderson;
use erlang::Erlang;
use plan::{Plan, Rule};
use sweep::{Case, Found, Scratch};

/// Most sweeps of a fixed point.
const MOST_SWEEPS: usize = 100_000;

/// Change of a number, as a fraction of its class' population, at which a fixed point is reached.
const TOLERANCE: f64 = 1e-12;

/// The same where several networks are swept together.
const JOINT_TOLERANCE: f64 = 1e-11;

/// What a station may be asked for beyond what it can do, as a fraction of that, before its formula for priorities is
/// given up: against simulations, up to here lengthening its times is the better correction.
const MOST_EXCESS: f64 = 0.03;

/// The networks of a method, what is written while they are swept, and where they came to rest.
#[derive(Clone)]
pub(super) struct Engine {
    plan: Plan,
    method: Method,
    overtaken: bool,
    /// Populations of each network, one after the other.
    populations: Vec<f64>,
    found: Vec<Found>,
    shifts: Vec<f64>,
    erlangs: Vec<Erlang>,
    scratch: Scratch,
    sweeps: usize,
    /// What the busiest station was asked for beyond what it can do, as a fraction of that.
    excess: f64,
    /// Numbers of all networks.
    lengths: Vec<f64>,
    /// Residence by class and column of the full network.
    residence: Vec<f64>,
    mixing: Anderson,
}

impl Engine {
    /// For a problem, from nothing or from where one came to rest that had as many classes and stations.
    pub(super) fn new(problem: Problem, method: Method, before: Option<Self>) -> Self {
        let plan = Plan::new(problem);
        let full: Vec<f64> = plan.problem.closed.iter().map(|c| c.population).collect();
        let networks = if method == Method::Schweitzer { 1 } else { full.len() + 1 };
        let mut populations = Vec::with_capacity(networks * full.len());
        for network in 0..networks {
            let start = populations.len();
            populations.extend(&full);
            if network > 0 {
                let one: &mut f64 = &mut populations[start + network - 1];
                *one = (*one - 1.0).max(0.0);
            }
        }
        let found = populations
            .chunks(full.len().max(1))
            .flat_map(|populations| {
                let total: f64 = populations.iter().sum();
                populations.iter().map(move |&population| match method {
                    Method::Aql => {
                        Found { all: if total > 0.0 { (total - 1.0).max(0.0) / total } else { 0.0 }, own: 0.0 }
                    }
                    _ => Found { all: 1.0, own: if population > 0.0 { population.min(1.0) / population } else { 0.0 } },
                })
            })
            .collect();
        let mut engine = Self {
            method,
            overtaken: false,
            populations,
            found,
            shifts: vec![0.0; networks * plan.size()],
            erlangs: plan.erlangs(),
            scratch: Scratch::new(&plan),
            sweeps: 0,
            excess: 0.0,
            lengths: Vec::new(),
            residence: vec![0.0; plan.problem.closed.len() * plan.columns()],
            mixing: Anderson::new(networks * plan.size()),
            plan,
        };
        match before {
            Some(rest) if rest.method == method && rest.lengths.len() == engine.shifts.len() => {
                // Of other stations, if the network has changed so much, they are worked out again.
                for (erlang, known) in engine.erlangs.iter_mut().zip(rest.erlangs) {
                    if erlang.is_of(&known) {
                        *erlang = known;
                    }
                }
                engine.lengths = rest.lengths;
            }
            _ => engine.lengths = engine.start(),
        }
        engine
    }

    /// Takes the numbers of another network, if that has the same shape and is to be solved by the same method.
    pub(super) fn renew(&mut self, network: &Network, method: Method) -> Result<bool, SolveError> {
        Ok(self.method == method && self.plan.renew(network)?)
    }

    /// Sweeps until no number changes by more than this, as a fraction of its class' population.
    pub(super) fn come_to_rest(&mut self, tolerance: Option<f64>) -> Result<(), SolveError> {
        let closely = if self.networks() == 1 { TOLERANCE } else { JOINT_TOLERANCE };
        let found = self.attempt(false, tolerance.unwrap_or(closely));
        let fits = found.is_ok() && self.excess <= MOST_EXCESS;
        if fits || !self.plan.ranks() {
            return found;
        }
        // Starved by better classes: the formula for those who wait already asks too much.
        self.lengths = self.start();
        self.attempt(true, closely)
    }

    /// Comes to rest, with no station asked for more than it can do.
    fn attempt(&mut self, overtaken: bool, tolerance: f64) -> Result<(), SolveError> {
        self.overtaken = overtaken;
        self.sweeps = 0;
        self.settle(tolerance)?;
        // What the classes of the full network find, which is not always the last one swept.
        let case = case((&self.plan, self.method, self.overtaken), (&self.populations, &self.found, &self.shifts), 0);
        let (lengths, columns) = (&self.lengths[..self.plan.size()], self.plan.columns());
        case.sum(lengths, &mut self.scratch);
        for (class_idx, population) in case.populations.iter().enumerate() {
            let cycle = case.arrive(class_idx, lengths, &mut self.erlangs, &mut self.scratch);
            let idle = *population <= 0.0;
            self.scratch.rates[class_idx] = if idle { 0.0 } else { population / cycle };
            self.residence[class_idx * columns..][..columns].copy_from_slice(&self.scratch.residence);
        }
        self.excess = self.respect_capacities();
        Ok(())
    }

    fn networks(&self) -> usize {
        let classes = self.plan.problem.closed.len();
        self.populations.len() / classes.max(1)
    }

    /// Everybody spread in proportion to demands.
    fn start(&self) -> Vec<f64> {
        let plan = &self.plan;
        let (classes, columns) = (plan.problem.closed.len(), plan.columns());
        let mut lengths = Vec::with_capacity(self.shifts.len());
        for populations in self.populations.chunks(classes.max(1)) {
            let mut busy = Vec::with_capacity(classes * plan.rules.len());
            for (class_idx, population) in populations.iter().enumerate() {
                let row = &plan.demands[class_idx * columns..][..columns];
                let cycle = plan.think[class_idx] + row.iter().sum::<f64>();
                for (column, demand) in row.iter().enumerate() {
                    let share = if cycle > 0.0 { population * demand / cycle } else { 0.0 };
                    let Some(rule) = column.checked_sub(plan.singles) else {
                        lengths.push(share);
                        continue;
                    };
                    let center = plan.stations[column].map(|k| &plan.problem.centers[k]);
                    let most = center.map_or(f64::INFINITY, super::center::Center::greatest_speed);
                    busy.push(share.min(most));
                    lengths.push(match plan.rules[rule] {
                        Rule::Servers(_) => (share - most).max(0.0),
                        Rule::Speeds | Rule::Special(_) => share,
                    });
                }
            }
            lengths.extend(busy);
        }
        lengths
    }

    /// Sweeps all networks once and renews the shifts.
    fn round(&mut self, lengths: &mut [f64], step: f64) -> f64 {
        let size = self.plan.size();
        let mut residual = 0.0_f64;
        for network in 0..self.networks() {
            let lengths = &mut lengths[network * size..][..size];
            let case = case(
                (&self.plan, self.method, self.overtaken),
                (&self.populations, &self.found, &self.shifts),
                network,
            );
            let moved = case.sweep(lengths, &mut self.erlangs, &mut self.scratch, step);
            residual = residual.max(moved);
        }
        self.sweeps += self.networks();
        self.renew_shifts(lengths);
        residual
    }

    /// Rounds until nothing moves.
    fn settle(&mut self, tolerance: f64) -> Result<(), SolveError> {
        let mut lengths = std::mem::take(&mut self.lengths);
        let settled = self.settle_from(&mut lengths, tolerance);
        self.lengths = lengths;
        settled
    }

    fn settle_from(&mut self, lengths: &mut [f64], tolerance: f64) -> Result<(), SolveError> {
        self.mixing.restart();
        let (mut step, mut previous, mut best) = (1.0_f64, f64::INFINITY, f64::INFINITY);
        let (mut plain, mut stale, mut patience) = (3_usize, 0_usize, 20_usize);
        self.renew_shifts(lengths);
        while self.sweeps < MOST_SWEEPS {
            self.mixing.leave(lengths);
            let residual = self.round(lengths, step);
            if residual < tolerance {
                return Ok(());
            }
            stale = if residual < 0.5 * best { 0 } else { stale + 1 };
            best = best.min(residual);
            if plain > 0 {
                // Without mixing; shorter steps if it swings.
                plain -= 1;
                if residual > previous {
                    step = (step * 0.7).max(0.05);
                }
                (stale, best) = (0, residual);
            } else if stale > patience {
                self.mixing.restart();
                plain = 4 * patience;
                patience *= 2;
            } else {
                self.mixing.mix(lengths);
                self.renew_shifts(lengths);
            }
            previous = residual;
        }
        Err(SolveError::NotConverged { iterations: self.sweeps, residual: previous })
    }
}

/// One of the networks.
fn case<'c>(
    (plan, method, overtaken): (&'c Plan, Method, bool),
    (populations, found, shifts): (&'c [f64], &'c [Found], &'c [f64]),
    network: usize,
) -> Case<'c> {
    let (classes, size) = (plan.problem.closed.len(), plan.size());
    Case {
        plan,
        populations: &populations[network * classes..][..classes],
        total: populations[network * classes..][..classes].iter().sum(),
        found: &found[network * classes..][..classes],
        shifts: &shifts[network * size..][..size],
        unshifted: method == Method::Schweitzer,
        overtaken,
    }
}

//! What classes experience where the sweeps came to rest.

use super::Engine;
use super::sweep::Case;
use crate::queueing::center::Service;
use crate::queueing::problem::{Answer, ClosedAnswer, OpenAnswer, Problem};
use crate::queueing::solution::{Approximation, Flows};

impl Engine {
    /// What answers rest on beyond product form.
    pub(in crate::queueing) fn approximations(&self) -> &[Approximation] {
        &self.plan.problem.approximations
    }

    /// Throughputs and residence times alone, of closed classes and of open ones in their order.
    pub(in crate::queueing) fn flows(&self, is_closed: impl Iterator<Item = bool>) -> Flows {
        let (plan, problem) = (&self.plan, &self.plan.problem);
        let (columns, n_stations) = (plan.columns(), problem.centers.len());
        let classes = problem.closed.len() + problem.open.len();
        let mut flows = Flows {
            method: self.method,
            throughput: Vec::with_capacity(classes),
            residence: Vec::with_capacity(classes * n_stations),
            stations: n_stations,
        };
        // Residence over demand of who is there by a stream.
        let mut factors = Vec::new();
        if !problem.open.is_empty() {
            let (backlog, busy) = left_by_closed(self);
            let centers = problem.centers.iter().zip(backlog).zip(busy);
            let factor = |((center, backlog), busy)| problem.open_finds(center, backlog, busy).0;
            factors.extend(centers.map(factor));
        }
        let (mut closed, mut open) = (0, problem.open.iter());
        for is_closed in is_closed {
            if is_closed {
                flows.throughput.push(self.scratch.rates[closed]);
                let from = flows.residence.len();
                flows.residence.extend(&problem.closed[closed].demands);
                let times = &self.residence[closed * columns..][..columns];
                for (station, time) in plan.stations.iter().zip(times) {
                    if let Some(k) = station {
                        flows.residence[from + k] = *time;
                    }
                }
                closed += 1;
            } else if let Some(class) = open.next() {
                flows.throughput.push(class.arrival_rate);
                let demands = class.demands.iter().zip(&factors);
                flows.residence.extend(demands.map(|(d, factor)| d * factor));
            }
        }
        flows
    }

    /// What classes experience at the fixed point.
    pub(in crate::queueing) fn answer(&mut self) -> Answer {
        let (plan, problem) = (&self.plan, &self.plan.problem);
        let (columns, n_stations) = (plan.columns(), problem.centers.len());
        let case = super::case((plan, self.method, self.overtaken), (&self.populations, &self.found, &self.shifts), 0);
        let lengths = &self.lengths[..plan.size()];
        let rates = &self.scratch.rates;
        let mut closed = Vec::with_capacity(problem.closed.len());
        for (class_idx, class) in problem.closed.iter().enumerate() {
            let mut residence = class.demands.clone();
            let mut seen = vec![0.0; n_stations];
            let times = &self.residence[class_idx * columns..][..columns];
            for (column, station) in plan.stations.iter().enumerate() {
                let Some(k) = *station else { continue };
                residence[k] = times[column];
                let open = problem.centers[k].open_utilization();
                seen[k] = match column.checked_sub(plan.singles) {
                    None => (case.seen(class_idx, column, lengths, &self.scratch) + open) / (1.0 - open),
                    Some(rule) => {
                        let totals = &self.scratch.totals;
                        case.at_rule(class_idx, rule, lengths, &mut self.erlangs, totals).1
                    }
                };
            }
            for (k, center) in problem.centers.iter().enumerate() {
                if matches!(center.service, Service::Delay) {
                    seen[k] = present(problem, rates, class_idx, k) + center.open_load;
                }
            }
            closed.push(ClosedAnswer { throughput: rates[class_idx], residence, seen });
        }
        Answer { iterations: self.sweeps, excess: self.excess, open: open_answers(self, &case, lengths), closed }
    }
}

/// Closed customers that one of a class finds at a delay.
fn present(problem: &Problem, rates: &[f64], class_idx: usize, k: usize) -> f64 {
    let present = problem.closed.iter().zip(rates).enumerate();
    present
        .map(|(other_idx, (other, rate))| {
            let own = if other_idx == class_idx { 1.0 } else { 0.0 };
            let others = (other.population - own).max(0.0);
            let share = if others > 0.0 { others / other.population } else { 0.0 };
            share * rate * other.demands[k]
        })
        .sum()
}

/// Of closed classes: how many are at each station, those waiting where there are several servers, and how
/// many servers they keep busy.
fn left_by_closed(engine: &Engine) -> (Vec<f64>, Vec<f64>) {
    let (plan, problem) = (&engine.plan, &engine.plan.problem);
    let n_stations = problem.centers.len();
    let (mut backlog, mut busy) = (vec![0.0; n_stations], vec![0.0; n_stations]);
    for (class, rate) in problem.closed.iter().zip(&engine.scratch.rates) {
        for (busy, demand) in busy.iter_mut().zip(&class.demands) {
            *busy += demand * rate;
        }
    }
    for (station, total) in plan.stations.iter().zip(&engine.scratch.totals) {
        if let Some(k) = *station {
            backlog[k] = *total;
        }
    }
    (backlog, busy)
}

fn open_answers(engine: &Engine, case: &Case<'_>, lengths: &[f64]) -> Vec<OpenAnswer> {
    let (plan, problem) = (&engine.plan, &engine.plan.problem);
    let (backlog, busy) = left_by_closed(engine);
    let mut rule_of = vec![0; problem.centers.len()];
    for (column, station) in plan.stations.iter().enumerate() {
        if let Some(k) = *station {
            rule_of[k] = column.saturating_sub(plan.singles);
        }
    }
    let numbers = |k: usize, class_idx: usize| case.at(class_idx, rule_of[k], lengths);
    problem.open_answers(&backlog, &busy, numbers)
}

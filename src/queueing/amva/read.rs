//! What classes experience where the sweeps came to rest.

use super::erlang::Erlang;
use super::sweep::{Case, Scratch};
use crate::queueing::center::Service;
use crate::queueing::problem::{Answer, ClosedAnswer, OpenAnswer};

/// What classes experience at the fixed point.
pub(super) fn answer(
    case: &Case<'_>,
    lengths: &[f64],
    erlangs: &mut [Erlang],
    scratch: &mut Scratch,
    sweeps: usize,
) -> Answer {
    let (plan, problem) = (case.plan, case.plan.problem);
    let rates = scratch.rates.clone();
    case.sum(lengths, scratch);
    let n_stations = problem.centers.len();
    let mut closed = Vec::with_capacity(problem.closed.len());
    for (class_idx, class) in problem.closed.iter().enumerate() {
        let mut residence = class.demands.clone();
        let mut seen = vec![0.0; n_stations];
        case.arrive(class_idx, lengths, erlangs, scratch);
        for (column, station) in plan.stations.iter().enumerate() {
            let Some(k) = *station else { continue };
            residence[k] = scratch.residence[column];
            let open = problem.centers[k].open_utilization();
            seen[k] = match column.checked_sub(plan.singles) {
                None => (case.seen(class_idx, column, lengths, scratch) + open) / (1.0 - open),
                Some(rule) => {
                    case.at_rule(class_idx, rule, lengths, erlangs, &scratch.totals)
                        .1
                }
            };
        }
        for (k, center) in problem.centers.iter().enumerate() {
            if matches!(center.service, Service::Delay) {
                let present = problem.closed.iter().zip(&rates).enumerate();
                let closed: f64 = present
                    .map(|(other_idx, (other, rate))| {
                        let own = if other_idx == class_idx { 1.0 } else { 0.0 };
                        let others = (other.population - own).max(0.0);
                        let share = if others > 0.0 {
                            others / other.population
                        } else {
                            0.0
                        };
                        share * rate * other.demands[k]
                    })
                    .sum();
                seen[k] = closed + center.open_load;
            }
        }
        closed.push(ClosedAnswer {
            throughput: rates[class_idx],
            residence,
            seen,
        });
    }
    Answer {
        iterations: sweeps,
        open: open_answers(case, lengths, scratch, &rates),
        closed,
    }
}

fn open_answers(
    case: &Case<'_>,
    lengths: &[f64],
    scratch: &Scratch,
    rates: &[f64],
) -> Vec<OpenAnswer> {
    let (plan, problem) = (case.plan, case.plan.problem);
    let n_stations = problem.centers.len();
    let (mut backlog, mut busy) = (vec![0.0; n_stations], vec![0.0; n_stations]);
    for (k, busy) in busy.iter_mut().enumerate() {
        let classes = problem.closed.iter().zip(rates);
        *busy = classes.map(|(class, rate)| class.demands[k] * rate).sum();
    }
    let mut rule_of = vec![0; n_stations];
    for (column, station) in plan.stations.iter().enumerate() {
        let Some(k) = *station else { continue };
        backlog[k] = scratch.totals[column];
        rule_of[k] = column.saturating_sub(plan.singles);
    }
    let numbers = |k: usize, class_idx: usize| case.at(class_idx, rule_of[k], lengths);
    problem.open_answers(&backlog, &busy, numbers)
}

//! Markov chains solved exactly: the truth where no formula is.
//!
//! States are found from a first one, in order of their distance from it, and eliminated from the
//! last to the first (Grassmann, Taksar and Heyman, Operations Research 33(5), 1985), which never
//! subtracts and so loses no digits.

use std::collections::BTreeMap;

use super::near;

/// Probabilities of the states that `next` reaches from `first`; `next` gives states and rates.
pub(super) fn stationary<S: Ord + Clone>(first: S, next: impl Fn(&S) -> Vec<(S, f64)>) -> Vec<(S, f64)> {
    let mut states = vec![first.clone()];
    let mut found = BTreeMap::from([(first, 0)]);
    let mut rates: Vec<BTreeMap<usize, f64>> = Vec::new();
    while let Some(state) = states.get(rates.len()).cloned() {
        let mut row = BTreeMap::new();
        for (target, rate) in next(&state) {
            let target_idx = *found.entry(target.clone()).or_insert_with(|| {
                states.push(target);
                states.len() - 1
            });
            if rate > 0.0 && target_idx != rates.len() {
                *row.entry(target_idx).or_insert(0.0) += rate;
            }
        }
        rates.push(row);
    }
    let mut weights = vec![1.0; states.len()];
    let leaving = eliminate(&mut rates);
    for idx in 1..states.len() {
        let inflow: f64 = leaving[idx].iter().map(|(from, rate)| weights[*from] * rate).sum();
        weights[idx] = inflow;
    }
    let sum: f64 = weights.iter().sum();
    states.into_iter().zip(weights.iter().map(|weight| weight / sum)).collect()
}

/// For each state, where it is entered from among those before it, and at which rate per stay.
fn eliminate(rates: &mut [BTreeMap<usize, f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut entered: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rates.len()];
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); rates.len()];
    for (from, row) in rates.iter().enumerate() {
        for to in row.keys() {
            sources[*to].push(from);
        }
    }
    for last in (1..rates.len()).rev() {
        let out: Vec<(usize, f64)> = rates[last].range(..last).map(|(to, rate)| (*to, *rate)).collect();
        let total: f64 = out.iter().map(|(_, rate)| rate).sum();
        for from in std::mem::take(&mut sources[last]) {
            if from >= last {
                continue;
            }
            let per_stay = rates[from][&last] / total;
            entered[last].push((from, per_stay));
            for (to, rate) in &out {
                if *to != from {
                    let entry = rates[from].entry(*to).or_insert_with(|| {
                        sources[*to].push(from);
                        0.0
                    });
                    *entry += per_stay * rate;
                }
            }
        }
    }
    entered
}

/// Mean of `value` over the states.
pub(super) fn mean<S>(states: &[(S, f64)], value: impl Fn(&S) -> f64) -> f64 {
    states.iter().map(|(state, p)| p * value(state)).sum()
}

#[test]
fn a_chain_of_one_queue_has_its_closed_form() {
    let states = stationary(0_u32, |&n| {
        let mut next = Vec::new();
        if n < 60 {
            next.push((n + 1, 0.5));
        }
        if n > 0 {
            next.push((n - 1, 1.0));
        }
        next
    });
    near(mean(&states, |&n| f64::from(n)), 1.0, 1e-9);
}

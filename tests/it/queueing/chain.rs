//! Markov chains small enough to be solved state by state: the independent truth for what follows
//! no formula.

use std::collections::BTreeMap;

/// States with their probabilities, from the rates at which each leads to others.
///
/// Gauss–Seidel on the balance equations, with the start state's own equation left to the sum of 1.
pub(super) fn stationary<S: Ord + Clone>(
    start: S,
    next: impl Fn(&S) -> Vec<(S, f64)>,
) -> Vec<(S, f64)> {
    let mut index = BTreeMap::from([(start.clone(), 0_usize)]);
    let mut states = vec![start];
    let mut enters: Vec<Vec<(usize, f64)>> = vec![Vec::new()];
    let mut leaves = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut sum = 0.0;
        for (state, rate) in next(&states[at]) {
            let to = *index.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                enters.push(Vec::new());
                states.len() - 1
            });
            if to != at && rate > 0.0 {
                enters[to].push((at, rate));
                sum += rate;
            }
        }
        leaves.push(sum);
        at += 1;
    }
    let mut p = vec![1.0 / states.len() as f64; states.len()];
    for _ in 0..100_000 {
        let mut change = 0.0_f64;
        for state in 0..states.len() {
            let enters = &enters[state];
            let now = enters
                .iter()
                .map(|(from, rate)| p[*from] * rate)
                .sum::<f64>()
                / leaves[state];
            change = change.max((now - p[state]).abs());
            p[state] = now;
        }
        let total: f64 = p.iter().sum();
        for p in &mut p {
            *p /= total;
        }
        if change < 1e-15 {
            break;
        }
    }
    states.into_iter().zip(p).collect()
}

/// Mean of a function of the state.
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
    super::near(mean(&states, |&n| f64::from(n)), 1.0, 1e-9);
}

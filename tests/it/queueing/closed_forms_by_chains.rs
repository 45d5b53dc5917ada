//! Formulas of single stations against Markov chains: exact ones agree, approximate ones are as good
//! as their documentation says.

use plimsoll::queueing::closed_forms::{
    FormulaError, QueueMeans, allen_cunneen, fork_join, ggm, mg1_batches, mg1_setup, mg1_vacations, mgm,
    mmm_preemptive, shared_link,
};

use super::chain;
use super::phases::{Phases, waiting_time};

#[track_caller]
fn agree(found: f64, truth: f64) {
    assert!((found / truth - 1.0).abs() < 1e-6, "{found}, not {truth}");
}

/// Two servers, two classes; the second is interrupted.
#[test]
fn interrupted_service_by_several_servers_is_a_markov_chains() {
    let (rates, most) = ([0.6, 0.5], 70);
    let found = chain::stationary((0_u32, 0_u32), |&(first, second)| {
        let mut next = Vec::new();
        if first < most {
            next.push(((first + 1, second), rates[0]));
        }
        if second < most {
            next.push(((first, second + 1), rates[1]));
        }
        let served = first.min(2);
        if served > 0 {
            next.push(((first - 1, second), f64::from(served)));
        }
        let rest = (2 - served).min(second);
        if rest > 0 {
            next.push(((first, second - 1), f64::from(rest)));
        }
        next
    });
    let means = mmm_preemptive(&rates, 1.0, 2).unwrap();
    agree(means[0].queue_length, chain::mean(&found, |s| f64::from(s.0)));
    agree(means[1].queue_length, chain::mean(&found, |s| f64::from(s.1)));
}

/// 2.5 streams fill the link.
#[test]
fn a_link_of_a_broken_number_of_streams_is_a_markov_chains() {
    let found = chain::stationary(0_u32, |&number| {
        let mut next = vec![(number + 1, if number < 400 { 2.0 } else { 0.0 })];
        if number == 400 {
            next.clear();
        }
        if number > 0 {
            next.push((number - 1, f64::from(number).min(2.5)));
        }
        next
    });
    let link = shared_link(2.0, 1.0, 2.5, 1.0).unwrap();
    agree(link.queue_length, chain::mean(&found, |n| f64::from(*n)));
}

/// Batches of one, two or five.
#[test]
fn batches_are_a_markov_chains() {
    let sizes = [(1, 0.5), (2, 0.3), (5, 0.2)];
    let found = chain::stationary(0_u32, |&number| {
        let mut next: Vec<_> = sizes
            .iter()
            .filter(|(size, _)| number + size <= 600)
            .map(|(size, probability)| (number + size, 0.3 * probability))
            .collect();
        if number > 0 {
            next.push((number - 1, 1.0));
        }
        next
    });
    let moment = |power: i32| -> f64 {
        sizes.iter().map(|(size, probability)| probability * f64::from(*size).powi(power)).sum()
    };
    let scv = moment(2) / moment(1).powi(2) - 1.0;
    let queue = mg1_batches(0.3, moment(1), scv, 1.0, 1.0).unwrap();
    agree(queue.queue_length, chain::mean(&found, |n| f64::from(*n)));
}

/// A server that is away or starting for an Erlang time of two phases (c² = 1/2).
#[test]
fn vacations_and_setups_are_markov_chains() {
    let (load, phase_rate, most) = (0.6, 0.4, 200_u32);
    let away = |is_setup: bool| {
        // Number, phase of absence; 0 is at work.
        chain::stationary((0_u32, 1_u8), |&(number, phase)| {
            let mut next = Vec::new();
            if number < most {
                next.push(((number + 1, phase), load));
            }
            match phase {
                0 if number > 1 => next.push(((number - 1, 0), 1.0)),
                0 => next.push(((0, 1), 1.0)),
                _ if is_setup && number == 0 => {}
                1 => next.push(((number, 2), phase_rate)),
                _ if number > 0 => next.push(((number, 0), phase_rate)),
                _ => next.push(((0, 1), phase_rate)),
            }
            next
        })
    };
    let number = |is_setup: bool| chain::mean(&away(is_setup), |s| f64::from(s.0));
    let time = 2.0 / phase_rate;
    let polled = mg1_vacations(load, 1.0, 1.0, time, 0.5).unwrap();
    agree(polled.queue_length, number(false));
    let started = mg1_setup(load, 1.0, 1.0, time, 0.5).unwrap();
    agree(started.queue_length, number(true));
}

/// Error of Wq against the Markov chain, of the approximation and of Allen and Cunneen's.
fn errors(arrival: f64, service: f64, m: u32, utilization: f64) -> (f64, f64) {
    // As good as infinitely many customers.
    let most = if utilization > 0.5 { 260 } else { 120 };
    let (a, s) = (Phases::of_scv(arrival), Phases::of_scv(service));
    let truth = waiting_time(a, s, m as usize, utilization, most);
    let rate = utilization * f64::from(m);
    let error = |found: Result<QueueMeans, FormulaError>| (found.unwrap().waiting_time / truth - 1.0).abs() * 100.0;
    let textbook = error(allen_cunneen(rate, arrival, 1.0, service, m));
    let found = error(if arrival == 1.0 { mgm(rate, 1.0, service, m) } else { ggm(rate, arrival, 1.0, service, m) });
    (found, textbook)
}

/// The documentation of `mgm` quotes these errors.
#[test]
fn m_g_m_is_as_good_as_documented() {
    for (scv, documented) in [(0.5, 2.5), (4.0, 4.0)] {
        for (m, utilization) in [(2, 0.5), (2, 0.8), (8, 0.5), (8, 0.8)] {
            let (found, textbook) = errors(1.0, scv, m, utilization);
            assert!(found < documented && found < textbook && textbook < 55.0);
        }
    }
}

/// The documentation of `ggm` quotes these errors.
#[test]
fn g_g_m_is_as_good_as_documented() {
    for (m, utilization, documented, of_textbook) in [
        (1, 0.8, 6.0, 8.0),
        (2, 0.8, 3.0, 10.0),
        (8, 0.8, 17.0, 21.0),
        (1, 0.5, 9.0, 29.0),
        (2, 0.5, 5.0, 42.0),
        (8, 0.5, 52.0, 141.0),
    ] {
        let variations = [(0.5, 1.0), (4.0, 1.0), (0.5, 0.5), (4.0, 4.0)];
        let (mut worst, mut worst_textbook) = (0.0_f64, 0.0_f64);
        for (arrival, service) in variations {
            let (found, textbook) = errors(arrival, service, m, utilization);
            worst = worst.max(found);
            worst_textbook = worst_textbook.max(textbook);
        }
        assert!((documented - 1.0..documented).contains(&worst), "{worst}");
        assert!((of_textbook - 1.0..of_textbook).contains(&worst_textbook), "{worst_textbook}");
    }
}

/// The documentation of `fork_join` quotes these errors. The customers that are not done are as many
/// as the longest of the branches' queues.
#[test]
fn the_fork_join_approximation_is_as_good_as_documented() {
    for (load, most) in [(0.3, 12_u32), (0.5, 18)] {
        let found = chain::stationary([0_u32; 3], |state| {
            let mut next = Vec::new();
            if state[2] < most {
                next.push((state.map(|number| number + 1), load));
            }
            for branch in 0..3 {
                let mut after = *state;
                if after[branch] > 0 {
                    after[branch] -= 1;
                    // Branches are alike: only their sorted queues matter.
                    after.sort_unstable();
                    next.push((after, 1.0));
                }
            }
            next
        });
        let truth = chain::mean(&found, |state| f64::from(state[2])) / load;
        let error = fork_join(load, 1.0, 3).unwrap() / truth - 1.0;
        assert!(error.abs() < 0.011, "ρ = {load}: R {truth}, error {error}");
    }
}

//! The customers at the station in place of a pool, put back where they are: waiting, and inside.

use super::{Inside, customers, demand};
use crate::queueing::assemble;
use crate::queueing::network::{Network, Pool, Workload};
use crate::queueing::problem::{Answer, ClosedAnswer, OpenAnswer};
use crate::queueing::solution::{Approximation, PoolSolution, Solution};

/// The answer for the stations inside, from that for the stations in their place.
pub(super) fn solution(network: &Network, insides: &[Inside<'_>], solution: Solution) -> Solution {
    let n_stations = network.stations.len();
    let mut waits = vec![vec![0.0; network.pools.len()]; network.classes.len()];
    let mut pools: Vec<PoolSolution> = network.pools.iter().map(|pool| free_pool(network, pool, &solution)).collect();
    let mut found = solution.classes;
    found.truncate(network.classes.len());
    for (at, inside) in insides.iter().enumerate() {
        let station = n_stations + at;
        let number = solution.stations[station].queue_length;
        let others = inside.holders.iter().map(|&idx| customers(&network.classes[idx])).sum();
        let (means, waiting) = inside.taken_apart(number, others);
        let held: f64 = means.iter().flatten().sum();
        let at_station: Vec<f64> =
            (0..inside.pool.stations.len()).map(|at| means.iter().map(|means| means[at]).sum()).collect();
        for ((&idx, means), share) in inside.holders.iter().zip(&means).zip(&inside.shares) {
            let class = &mut found[idx];
            let wait = waiting * share;
            let all = wait + means.iter().sum::<f64>();
            let time = class.residence_time[station];
            waits[idx][inside.pool_idx] = time * wait / all;
            let stations = inside.pool.stations.iter().zip(means).zip(&at_station);
            for ((&k, mean), all_there) in stations {
                class.residence_time[k] = time * mean / all;
                class.seen_queue_length[k] = *all_there;
            }
        }
        pools[inside.pool_idx] = PoolSolution {
            utilization: (held / f64::from(inside.pool.capacity)).min(1.0),
            waiting,
            throughput: inside.holders.iter().map(|&idx| found[idx].throughput).sum(),
        };
    }
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    for (class, mut found) in network.classes.iter().zip(found) {
        found.residence_time.truncate(n_stations);
        found.seen_queue_length.truncate(n_stations);
        let (residence, seen) = (found.residence_time, found.seen_queue_length);
        match class.workload {
            Workload::Open { .. } => open.push(OpenAnswer { residence, seen }),
            Workload::Closed { .. } => closed.push(ClosedAnswer { throughput: found.throughput, residence, seen }),
        }
    }
    let mut approximations = solution.approximations;
    approximations.push(Approximation::Pool);
    approximations.sort_unstable();
    let answer = Answer { iterations: solution.iterations, excess: solution.excess, closed, open };
    let mut whole = assemble::solution(network, solution.method, approximations, answer);
    for (class, waits) in whole.classes.iter_mut().zip(waits) {
        class.response_time += waits.iter().sum::<f64>();
        class.pool_wait = waits;
    }
    whole.pools = pools;
    whole
}

/// A pool that nobody can exhaust.
fn free_pool(network: &Network, pool: &Pool, solution: &Solution) -> PoolSolution {
    let (mut held, mut throughput) = (0.0, 0.0);
    for &idx in &pool.classes {
        if demand(&network.classes[idx], pool) > 0.0 {
            let found = &solution.classes[idx];
            held += pool.stations.iter().map(|&k| found.queue_length[k]).sum::<f64>();
            throughput += found.throughput;
        }
    }
    PoolSolution { utilization: (held / f64::from(pool.capacity)).min(1.0), waiting: 0.0, throughput }
}

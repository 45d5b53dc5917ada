//! From what an algorithm finds to a [`Solution`].

use super::forks::{longest, longest_of_stream};
use super::network::{Class, Network, Workload};
use super::problem::Answer;
use super::solution::{Approximation, ClassSolution, Method, Solution, StationSolution};

/// Puts an algorithm's answer in the order of the network.
pub(super) fn solution(
    network: &Network,
    method: Method,
    approximations: Vec<Approximation>,
    answer: Answer,
) -> Solution {
    let Answer { iterations, excess, closed, open } = answer;
    let (mut closed, mut open) = (closed.into_iter(), open.into_iter());
    let mut classes = Vec::with_capacity(network.classes.len());
    for class in &network.classes {
        let (throughput, residence, seen) = match class.workload {
            Workload::Open { arrival_rate } => {
                let found = open.next().expect("one answer for each open class");
                (arrival_rate, found.residence, found.seen)
            }
            Workload::Closed { .. } => {
                let found = closed.next().expect("one answer for each closed class");
                (found.throughput, found.residence, found.seen)
            }
        };
        let speeds = network.stations.iter().map(|s| s.kind.greatest_speed());
        classes.push(ClassSolution {
            throughput,
            response_time: 0.0,
            queue_length: residence.iter().map(|time| throughput * time).collect(),
            residence_time: residence,
            seen_queue_length: seen,
            utilization: class.demands.iter().zip(speeds).map(|(demand, speed)| throughput * demand / speed).collect(),
            pool_wait: vec![0.0; network.pools.len()],
            fork_time: vec![0.0; class.forks.len()],
            knee: knee(network, class),
        });
    }
    let stations = stations(network, &classes);
    for (class, found) in network.classes.iter().zip(&mut classes) {
        add_up(class, found, &stations);
    }
    Solution { method, iterations, stations, classes, pools: Vec::new(), approximations, excess }
}

/// Response time from residence times, with the time of each fork.
fn add_up(class: &Class, found: &mut ClassSolution, stations: &[StationSolution]) {
    let is_open = matches!(class.workload, Workload::Open { .. });
    let mut forks = class.forks.iter();
    let (total, times) = total_time(class, &found.residence_time, |means| {
        let inside = forks.next().into_iter().flat_map(|fork| fork.branches.iter().flatten());
        let busiest = inside.map(|&k| stations[k].utilization).fold(0.0, f64::max);
        if is_open { longest_of_stream(means, busiest) } else { longest(means) }
    });
    found.response_time = total;
    found.fork_time = times;
}

/// Sum of times at the stations, where of the branches of a fork the longest counts; and the time of
/// each fork.
fn total_time(class: &Class, times: &[f64], mut longest: impl FnMut(&[f64]) -> f64) -> (f64, Vec<f64>) {
    let mut outside = times.to_vec();
    let mut forks = Vec::with_capacity(class.forks.len());
    for fork in &class.forks {
        let mut means = Vec::with_capacity(fork.branches.len());
        for branch in &fork.branches {
            means.push(branch.iter().map(|&k| times[k]).sum());
            for &k in branch {
                outside[k] = 0.0;
            }
        }
        forks.push(longest(&means));
    }
    (outside.iter().sum::<f64>() + forks.iter().sum::<f64>(), forks)
}

/// Means of each station from those of the classes.
fn stations(network: &Network, classes: &[ClassSolution]) -> Vec<StationSolution> {
    let sum = |part: &dyn Fn(&ClassSolution) -> f64| classes.iter().map(part).sum::<f64>();
    (0..network.stations.len())
        .map(|station_idx| StationSolution {
            // Rounding may pass 1 by a last digit.
            utilization: sum(&|found| found.utilization[station_idx]).min(1.0),
            throughput: network
                .classes
                .iter()
                .zip(classes)
                .filter(|(class, _)| class.demands[station_idx] > 0.0)
                .map(|(class, found)| found.throughput * class.visits_at(station_idx))
                .sum(),
            queue_length: sum(&|found| found.queue_length[station_idx]),
        })
        .collect()
}

/// N* of a closed class alone.
fn knee(network: &Network, class: &Class) -> Option<f64> {
    let Workload::Closed { think_time, .. } = class.workload else {
        return None;
    };
    let slowest = network
        .stations
        .iter()
        .zip(&class.demands)
        .map(|(station, demand)| demand / station.kind.greatest_speed())
        .fold(0.0, f64::max);
    let alone = total_time(class, &class.demands, longest).0;
    (slowest > 0.0).then(|| (alone + think_time) / slowest)
}

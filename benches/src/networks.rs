//! How long exact and approximate solutions of queueing networks take, beside a hand-written loop.

use plimsoll::queueing::{Class, Method, Network, Station, mixed};

use crate::rounds::seconds_of;

/// Times the solvers and prints the table.
pub fn print(rounds: u64) {
    println!("| network | method | µs | hand-written loop, µs | ratio | throughput | by hand |");
    println!("|---|---|---|---|---|---|---|");
    let demands = vec![0.05, 0.1, 0.02, 0.08, 0.03, 0.07, 0.01, 0.09, 0.04, 0.06];
    let single = network(&[(10_000, 1.0, demands)]);
    line("1 class of 10,000, 10 stations", &single, Method::Exact, rounds);
    let three = network(&[
        (20, 1.0, vec![0.05, 0.1, 0.02, 0.08, 0.03]),
        (20, 2.0, vec![0.02, 0.03, 0.11, 0.04, 0.06]),
        (20, 0.5, vec![0.07, 0.01, 0.05, 0.09, 0.02]),
    ]);
    let name = "3 classes of 20, 5 stations";
    line(name, &three, Method::Exact, rounds);
    line(name, &three, Method::Schweitzer, rounds);
    line(name, &three, Method::Linearizer, rounds);
    let large: Vec<_> = (0..20)
        .map(|class| {
            let demand = |station: i32| 0.01 + f64::from((7 * class + 3 * station) % 11) * 0.01;
            (100, 5.0, (0..50).map(demand).collect())
        })
        .collect();
    let name = "20 classes of 100, 50 stations";
    line(name, &network(&large), Method::Schweitzer, rounds);
}

fn network(classes: &[(u32, f64, Vec<f64>)]) -> Network {
    let stations = (1..=classes[0].2.len()).map(|k| Station::queueing(format!("station {k}"), 1));
    let classes = classes.iter().enumerate().map(|(c, (population, think, demands))| {
        let name = format!("class {}", c + 1);
        Class::closed(name, f64::from(*population), *think, demands.clone())
    });
    Network::new(stations.collect(), classes.collect())
}

fn line(name: &str, network: &Network, method: Method, rounds: u64) {
    let hand = Closed::of(network);
    let by_hand = || match (method, hand.populations.len()) {
        (Method::Exact, 1) => hand.exact_single(),
        (Method::Exact, _) => hand.exact(),
        _ => hand.schweitzer(),
    };
    let ours = || mixed::solve(network, method).expect("the network is solved");
    let (own, other) = (seconds_of(rounds, ours), seconds_of(rounds, by_hand));
    println!(
        "| {name} | {method:?} | {:.1} | {:.1} | {:.2} | {:.9} | {:.9} |",
        own * 1e6,
        other * 1e6,
        own / other,
        ours().classes[0].throughput,
        by_hand(),
    );
}

/// A closed network of single servers as bare arrays; solutions give the first class' throughput.
struct Closed {
    populations: Vec<usize>,
    think: Vec<f64>,
    /// Class by class.
    demands: Vec<f64>,
    stations: usize,
}

impl Closed {
    fn of(network: &Network) -> Self {
        use plimsoll::queueing::Workload;
        let (mut populations, mut think) = (Vec::new(), Vec::new());
        for class in &network.classes {
            if let Workload::Closed { population, think_time } = class.workload {
                populations.push(population as usize);
                think.push(think_time);
            }
        }
        Self {
            populations,
            think,
            demands: network.classes.iter().flat_map(|c| c.demands.clone()).collect(),
            stations: network.stations.len(),
        }
    }

    /// Mean value analysis, one class (Reiser and Lavenberg 1980).
    fn exact_single(&self) -> f64 {
        let mut queue = vec![0.0; self.stations];
        let mut throughput = 0.0;
        for n in 1..=self.populations[0] {
            let mut response = 0.0;
            for (queue, demand) in queue.iter_mut().zip(&self.demands) {
                *queue = demand * (1.0 + *queue);
                response += *queue;
            }
            throughput = n as f64 / (self.think[0] + response);
            for queue in &mut queue {
                *queue *= throughput;
            }
        }
        throughput
    }

    /// Mean value analysis over the lattice of populations.
    fn exact(&self) -> f64 {
        let (classes, k) = (self.populations.len(), self.stations);
        let mut strides = vec![1; classes];
        for c in 1..classes {
            strides[c] = strides[c - 1] * (self.populations[c - 1] + 1);
        }
        let states = strides[classes - 1] * (self.populations[classes - 1] + 1);
        let mut queue = vec![0.0; states * k];
        let (mut counts, mut residence) = (vec![0; classes], vec![0.0; k]);
        let mut throughput = 0.0;
        for state in 1..states {
            // The next population vector, counted like digits.
            for (count, most) in counts.iter_mut().zip(&self.populations) {
                *count = (*count + 1) % (most + 1);
                if *count > 0 {
                    break;
                }
            }
            let (before, now) = queue.split_at_mut(state * k);
            let now = &mut now[..k];
            for c in 0..classes {
                if counts[c] == 0 {
                    continue;
                }
                let less = &before[(state - strides[c]) * k..][..k];
                let demands = &self.demands[c * k..][..k];
                let mut response = 0.0;
                for ((residence, demand), less) in residence.iter_mut().zip(demands).zip(less) {
                    *residence = demand * (1.0 + less);
                    response += *residence;
                }
                let rate = counts[c] as f64 / (self.think[c] + response);
                for (now, residence) in now.iter_mut().zip(&residence) {
                    *now += rate * residence;
                }
                if c == 0 {
                    throughput = rate;
                }
            }
        }
        throughput
    }

    /// Schweitzer's approximation (Schweitzer 1979; Bard 1979), to 1e-8 of the population.
    fn schweitzer(&self) -> f64 {
        let (classes, k) = (self.populations.len(), self.stations);
        let mut queue: Vec<f64> = Vec::with_capacity(classes * k);
        for population in &self.populations {
            queue.extend(vec![*population as f64 / k as f64; k]);
        }
        let (mut total, mut residence) = (vec![0.0; k], vec![0.0; k]);
        let mut throughput = 0.0;
        loop {
            total.fill(0.0);
            for row in queue.chunks_exact(k) {
                for (total, queue) in total.iter_mut().zip(row) {
                    *total += queue;
                }
            }
            let mut moved = 0.0_f64;
            for c in 0..classes {
                let population = self.populations[c] as f64;
                let (row, demands) = (&mut queue[c * k..][..k], &self.demands[c * k..][..k]);
                let mut response = 0.0;
                for i in 0..k {
                    residence[i] = demands[i] * (1.0 + total[i] - row[i] / population);
                    response += residence[i];
                }
                let rate = population / (self.think[c] + response);
                for (queue, residence) in row.iter_mut().zip(&residence) {
                    let now = rate * residence;
                    moved = moved.max((now - *queue).abs() / population);
                    *queue = now;
                }
                if c == 0 {
                    throughput = rate;
                }
            }
            if moved < 1e-8 {
                return throughput;
            }
        }
    }
}

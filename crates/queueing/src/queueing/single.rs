//! Exact mean value analysis of one closed class, for populations into the millions.
//!
//! Delays and servers of constant speed come first, by the arrival theorem. Each station whose speed
//! depends on the number there is then added to all populations at once: with X⁻(n) the throughput
//! without it and p(j|n) the probability of j customers at it,
//!
//! ```text
//! X(n) = 1/(p(0|n−1)/X⁻(n) + D·Σ_j p(j|n−1)/s_{j+1})
//! p(0|n) = p(0|n−1)·X(n)/X⁻(n)        p(j|n) = X(n)·D/s_j·p(j−1|n−1)
//! ```
//!
//! The textbook's p(0|n) = 1 − Σ p(j|n) cancels near saturation, drifts and turns negative; here
//! nothing is ever subtracted and the probabilities sum to 1 at each step by construction (the idea
//! is Reiser's of 1981, who takes p(0|n) from the network without the station). Beyond the last
//! speed the probabilities are kept as one sum, so the cost a customer is the number of speeds. The
//! station that is added last is the one whose means are read.
//!
//! # References
//!
//! - M. Reiser and S. S. Lavenberg, JACM 27(2), 1980; M. Reiser, "Mean-value analysis and
//!   convolution method for queue-dependent servers in closed queueing networks", Performance
//!   Evaluation 1(1), 1981.

use super::center::Service;
use super::problem::{Answer, Found, Problem};

/// Stations with a constant speed for whoever is there, in rows of four.
struct Fixed {
    /// Time in service alone.
    demands: Vec<[f64; 4]>,
    /// Residence with the customers so far.
    residence: Vec<[f64; 4]>,
}

impl Fixed {
    fn new(demands: &[f64]) -> Self {
        let mut rows = vec![[0.0; 4]; demands.len().div_ceil(4)];
        for (idx, demand) in demands.iter().enumerate() {
            rows[idx / 4][idx % 4] = *demand;
        }
        Self { residence: vec![[0.0; 4]; rows.len()], demands: rows }
    }

    /// Residence of one who finds what the throughput left; returns the sum.
    fn arrive(&mut self, throughput: f64) -> f64 {
        let mut sums = [0.0; 4];
        for (residence, demands) in self.residence.iter_mut().zip(&self.demands) {
            for lane in 0..4 {
                let ahead = demands[lane] * residence[lane];
                residence[lane] = demands[lane] + throughput * ahead;
                sums[lane] += residence[lane];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Mean number at a station.
    fn number(&self, idx: usize, throughput: f64) -> f64 {
        throughput * self.residence[idx / 4][idx % 4]
    }
}

/// A station whose speed depends on the number there, and how likely each number is.
#[derive(Clone)]
struct Marginal {
    /// D/s with 1, 2, … customers, the last for all beyond.
    times: Vec<f64>,
    /// Probability of each number below the last speed.
    below: Vec<f64>,
    /// Probability of more, and the part of the mean number that they make.
    tail: f64,
    tail_number: f64,
    /// Numbers below the last speed that occur.
    present: usize,
}

/// So improbable that nothing comes of it any more; what is smaller is slow to compute with.
const NEVER: f64 = 1e-290;

impl Marginal {
    fn new(times: Vec<f64>) -> Self {
        let mut below = vec![0.0; times.len()];
        below[0] = 1.0;
        Self { times, below, tail: 0.0, tail_number: 0.0, present: 1 }
    }

    /// One more customer; takes the throughput without this station, returns it with it.
    fn step(&mut self, without: f64) -> f64 {
        let top = self.times.len();
        let last = self.times[top - 1];
        let present = self.present;
        let mut work = last * self.tail;
        for (time, probability) in self.times[..present].iter().zip(&self.below) {
            work += time * probability;
        }
        let throughput = 1.0 / (self.below[0] / without + work);
        let enters = if present == top { self.below[top - 1] } else { 0.0 };
        self.tail_number = throughput * last * (top as f64 * enters + self.tail_number + self.tail);
        self.tail = throughput * last * (enters + self.tail);
        for number in (1..(present + 1).min(top)).rev() {
            self.below[number] = throughput * self.times[number - 1] * self.below[number - 1];
        }
        let idle = self.below[0] * throughput / without;
        self.below[0] = if idle < NEVER { 0.0 } else { idle };
        self.present = (present + 1).min(top);
        throughput
    }

    /// Mean number.
    fn number(&self) -> f64 {
        let below = self.below.iter().enumerate();
        self.tail_number + below.map(|(number, p)| number as f64 * p).sum::<f64>()
    }

    /// Mean residence of one who arrives now.
    fn residence(&self) -> f64 {
        let last = self.times[self.times.len() - 1];
        let mut sum = last * (self.tail_number + self.tail);
        for (number, (time, probability)) in self.times.iter().zip(&self.below).enumerate() {
            sum += (number + 1) as f64 * time * probability;
        }
        sum
    }
}

/// A problem with one class that has customers, taken apart.
struct Parts {
    /// Think time and demands at delays.
    think_time: f64,
    /// Stations of constant speed, and their service times.
    fixed: Vec<usize>,
    times: Vec<f64>,
    /// Stations whose speed depends on the number there.
    dependent: Vec<usize>,
    marginals: Vec<Marginal>,
    /// Residence over demand of one who arrives alone, of each station.
    first: Vec<f64>,
}

impl Parts {
    fn new(problem: &Problem, class_idx: usize) -> Self {
        let class = &problem.closed[class_idx];
        let mut parts = Self {
            think_time: class.think_time,
            fixed: Vec::new(),
            times: Vec::new(),
            dependent: Vec::new(),
            marginals: Vec::new(),
            first: Vec::new(),
        };
        for (station_idx, center) in problem.centers.iter().enumerate() {
            let demand = class.demands[station_idx];
            let Some(levels) = center.levels(class.population) else {
                parts.think_time += demand;
                parts.first.push(1.0);
                continue;
            };
            parts.first.push(levels.first());
            if demand == 0.0 {
            } else if levels.speeds.len() == 1 {
                parts.fixed.push(station_idx);
                parts.times.push(demand / levels.speeds[0]);
            } else {
                let times = levels.speeds.iter().map(|speed| demand / speed).collect();
                parts.dependent.push(station_idx);
                parts.marginals.push(Marginal::new(times));
            }
        }
        parts
    }

    /// Throughput with 1, 2, … customers at delays and stations of constant speed.
    fn base(&self, population: usize) -> Vec<f64> {
        let mut fixed = Fixed::new(&self.times);
        let mut throughput = 0.0;
        (1..=population)
            .map(|number| {
                throughput = number as f64 / (self.think_time + fixed.arrive(throughput));
                throughput
            })
            .collect()
    }
}

/// Adds a station to all populations; returns what it holds with one customer less, and with all.
fn add(marginal: &Marginal, throughputs: &mut [f64]) -> (Marginal, Marginal) {
    let (mut before, mut now) = (marginal.clone(), marginal.clone());
    let full = throughputs.len() - 1;
    for (idx, throughput) in throughputs.iter_mut().enumerate() {
        if idx == full {
            before.clone_from(&now);
        }
        *throughput = now.step(*throughput);
    }
    (before, now)
}

/// What is known of each station with one customer less, and with all.
struct Means {
    before: Found,
    full: Found,
}

impl Means {
    fn set(&mut self, station_idx: usize, number: (f64, f64), factor: (f64, f64)) {
        self.before.number[station_idx] = number.0;
        self.full.number[station_idx] = number.1;
        self.before.factor[station_idx] = factor.0;
        self.full.factor[station_idx] = factor.1;
    }
}

/// The class with customers, if there is just one.
pub(super) fn only_class(problem: &Problem) -> Option<usize> {
    let mut classes = problem.closed.iter().enumerate();
    let (class_idx, _) = classes.find(|(_, class)| class.population > 0.0)?;
    classes.all(|(_, class)| class.population == 0.0).then_some(class_idx)
}

/// Numbers computed for each customer.
pub(super) fn cost(problem: &Problem, class_idx: usize) -> f64 {
    let class = &problem.closed[class_idx];
    let (mut speeds, mut dependent) = (0.0, 0.0);
    for (center, demand) in problem.centers.iter().zip(&class.demands) {
        let count = center.level_count(class.population);
        if *demand > 0.0 && count > 1.0 {
            speeds += count;
            dependent += 1.0;
        }
    }
    let stations = problem.centers.len() as f64;
    class.population * (stations + speeds * (1.0 + dependent) / 2.0)
}

/// Solves a problem in which one class has customers.
pub(super) fn answer(problem: &Problem, class_idx: usize) -> Answer {
    let class = &problem.closed[class_idx];
    let parts = Parts::new(problem, class_idx);
    let population = class.population as usize;
    let mut means = Means { before: Found::nobody(parts.first.clone()), full: Found::nobody(parts.first.clone()) };
    // Throughputs with the first dependent stations, then the first two, and so on.
    let mut prefixes = vec![parts.base(population)];
    for (idx, marginal) in parts.marginals.iter().enumerate() {
        let mut throughputs = prefixes[idx].clone();
        add(marginal, &mut throughputs);
        prefixes.push(throughputs);
    }
    for (idx, &station_idx) in parts.dependent.iter().enumerate() {
        let mut throughputs = prefixes[idx].clone();
        for marginal in &parts.marginals[idx + 1..] {
            add(marginal, &mut throughputs);
        }
        let (before, full) = add(&parts.marginals[idx], &mut throughputs);
        let demand = class.demands[station_idx];
        let factor = |marginal: &Marginal| marginal.residence() / demand;
        means.set(station_idx, (before.number(), full.number()), (factor(&before), factor(&full)));
    }
    let throughputs = &prefixes[parts.marginals.len()];
    fixed_means(&parts, throughputs, &mut means);
    let x = (population.checked_sub(2).map_or(0.0, |idx| throughputs[idx]), throughputs[population - 1]);
    for (station_idx, center) in problem.centers.iter().enumerate() {
        if matches!(center.service, Service::Delay) {
            let demand = class.demands[station_idx];
            means.set(station_idx, (x.0 * demand, x.1 * demand), (1.0, 1.0));
        }
    }
    let found = |idx: usize| {
        if idx == class_idx { &means.before } else { &means.full }
    };
    let by_class: Vec<&Found> = (0..problem.closed.len()).map(found).collect();
    let mut rates = vec![0.0; problem.closed.len()];
    rates[class_idx] = x.1;
    problem.exact_answer(population, &rates, &by_class, &means.full)
}

/// Means of the stations of constant speed, given all throughputs.
fn fixed_means(parts: &Parts, throughputs: &[f64], means: &mut Means) {
    let mut fixed = Fixed::new(&parts.times);
    let mut throughput = 0.0;
    for next in &throughputs[..throughputs.len() - 1] {
        fixed.arrive(throughput);
        throughput = *next;
    }
    let before: Vec<f64> = (0..parts.times.len()).map(|idx| fixed.number(idx, throughput)).collect();
    fixed.arrive(throughput);
    throughput = throughputs[throughputs.len() - 1];
    for (idx, &station_idx) in parts.fixed.iter().enumerate() {
        let number = (before[idx], fixed.number(idx, throughput));
        let first = parts.first[station_idx];
        let factor = (first * (1.0 + number.0), first * (1.0 + number.1));
        means.set(station_idx, number, factor);
    }
}

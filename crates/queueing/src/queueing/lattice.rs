//! Exact mean value analysis of several closed classes: every population from none to the full one.
//!
//! Stations of constant speed follow from the arrival theorem. Each station whose speed depends on
//! the number there is then added to all populations, as in [`single`](super::single): with
//! `X_c⁻(n)` the throughputs without it, `p(0|n)/p(0|n − 1_c) = X_c(n)/X_c⁻(n)` for each class, and
//! the probabilities of all numbers sum to 1. Nothing is subtracted. p(0|n) may be far below what a
//! float can hold, so it is kept [`Scaled`].

use super::center::Service;
use super::levels::Levels;
use super::problem::{Answer, Found, Problem};
use super::scaled::Scaled;

/// Counts populations from none to the full one, the first class fastest.
pub(super) struct Populations {
    /// States between a population and the one with another customer of a class.
    pub(super) strides: Vec<usize>,
    /// Number of populations.
    pub(super) states: usize,
    limits: Vec<u32>,
}

impl Populations {
    pub(super) fn new(problem: &Problem) -> Self {
        let limits: Vec<u32> = problem.closed.iter().map(|class| class.population as u32).collect();
        let mut states = 1;
        let mut strides = Vec::with_capacity(limits.len());
        for limit in &limits {
            strides.push(states);
            states *= *limit as usize + 1;
        }
        Self { strides, states, limits }
    }

    /// Calls `visit` with each state and the customers of each class in it.
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, &[u32])) {
        let mut counts = vec![0; self.limits.len()];
        for state in 0..self.states {
            visit(state, &counts);
            for (count, limit) in counts.iter_mut().zip(&self.limits) {
                if *count < *limit {
                    *count += 1;
                    break;
                }
                *count = 0;
            }
        }
    }

    /// State that a customer of the class finds when all others are there.
    pub(super) fn found_by(&self, class_idx: usize) -> usize {
        let full = self.states - 1;
        if self.limits[class_idx] > 0 { full - self.strides[class_idx] } else { full }
    }
}

/// Stations of constant speed, and how long each class is elsewhere.
struct Fixed {
    stations: Vec<usize>,
    /// Time in service alone, by class and station.
    times: Vec<f64>,
    /// Think time and demands at delays of each class.
    think: Vec<f64>,
}

/// So short, beside a class' demands, that it changes no digit; but not zero.
const INSTANT: f64 = 1e-25;

impl Fixed {
    fn new(problem: &Problem, levels: &[Option<Levels>]) -> Self {
        let speed = |station_idx: usize| match &levels[station_idx] {
            Some(Levels { speeds, .. }) if speeds.len() == 1 => Some(speeds[0]),
            _ => None,
        };
        let stations: Vec<usize> = (0..levels.len()).filter(|&k| speed(k).is_some()).collect();
        let mut times = Vec::with_capacity(stations.len() * problem.closed.len());
        let mut think = Vec::with_capacity(problem.closed.len());
        for class in &problem.closed {
            let speeds = stations.iter().map(|&k| speed(k).unwrap_or(1.0));
            times.extend(stations.iter().zip(speeds).map(|(&k, s)| class.demands[k] / s));
            let delays = levels.iter().zip(&class.demands);
            let delay: f64 = delays.filter(|(l, _)| l.is_none()).map(|(_, d)| d).sum();
            let instant = class.demands.iter().sum::<f64>() * INSTANT;
            think.push((class.think_time + delay).max(instant));
        }
        Self { stations, times, think }
    }

    /// Throughputs by state and class, and mean numbers by state and station.
    fn visit(&self, populations: &Populations) -> (Vec<f64>, Vec<f64>) {
        let (n_stations, n_classes) = (self.stations.len(), self.think.len());
        let mut numbers = vec![0.0; populations.states * n_stations];
        let mut rates = vec![0.0; populations.states * n_classes];
        let mut residence = vec![0.0; n_stations];
        populations.for_each(|state, counts| {
            let (before, here) = numbers.split_at_mut(state * n_stations);
            let here = &mut here[..n_stations];
            let rates = &mut rates[state * n_classes..][..n_classes];
            for (class_idx, &count) in counts.iter().enumerate() {
                if count == 0 {
                    continue;
                }
                let found = (state - populations.strides[class_idx]) * n_stations;
                let found = &before[found..][..n_stations];
                let times = &self.times[class_idx * n_stations..][..n_stations];
                let mut cycle = self.think[class_idx];
                for ((time, demand), ahead) in residence.iter_mut().zip(times).zip(found) {
                    *time = demand + demand * ahead;
                    cycle += *time;
                }
                let rate = f64::from(count) / cycle;
                rates[class_idx] = rate;
                for (number, time) in here.iter_mut().zip(&residence) {
                    *number += rate * time;
                }
            }
        });
        (rates, numbers)
    }

    /// Mean numbers by state and station at given throughputs.
    fn numbers(&self, populations: &Populations, rates: &[f64]) -> Vec<f64> {
        let (n_stations, n_classes) = (self.stations.len(), self.think.len());
        let mut numbers = vec![0.0; populations.states * n_stations];
        populations.for_each(|state, counts| {
            let (before, here) = numbers.split_at_mut(state * n_stations);
            for (class_idx, &count) in counts.iter().enumerate() {
                if count == 0 {
                    continue;
                }
                let found = &before[(state - populations.strides[class_idx]) * n_stations..];
                let times = &self.times[class_idx * n_stations..];
                let rate = rates[state * n_classes + class_idx];
                for ((number, demand), ahead) in here.iter_mut().zip(times).zip(found).take(n_stations) {
                    *number += rate * demand * (1.0 + ahead);
                }
            }
        });
        numbers
    }
}

/// A station whose speed depends on the number there, at every population.
struct Dependent<'a> {
    populations: &'a Populations,
    levels: &'a Levels,
    demands: Vec<f64>,
    /// Probability of each number below the last speed, by state.
    below: Vec<f64>,
    /// Probability of nobody.
    idle: Vec<Scaled>,
    /// Probability of more than [`Self::below`] tells, and the part of the mean that they make.
    tail: Vec<(f64, f64)>,
    /// Mean time of a unit of work at the speed after an arrival.
    slowness: Vec<f64>,
}

impl<'a> Dependent<'a> {
    /// Adds the station to all populations: `rates` become those with it.
    fn add(
        problem: &Problem,
        populations: &'a Populations,
        (station_idx, levels): (usize, &'a Levels),
        rates: &mut [f64],
    ) -> Self {
        let count = levels.speeds.len();
        let demands = problem.closed.iter().map(|class| class.demands[station_idx]).collect();
        let mut added = Self {
            populations,
            levels,
            demands,
            below: vec![0.0; populations.states * count],
            idle: vec![Scaled::default(); populations.states],
            tail: vec![(0.0, 0.0); populations.states],
            slowness: vec![0.0; populations.states],
        };
        added.below[0] = 1.0;
        added.idle[0] = Scaled::ONE;
        added.slowness[0] = levels.first();
        let n_classes = problem.closed.len();
        populations.for_each(|state, counts| {
            if state > 0 {
                added.visit(state, counts, &mut rates[state * n_classes..][..n_classes]);
            }
        });
        added
    }

    /// One population, after all smaller ones.
    fn visit(&mut self, state: usize, counts: &[u32], rates: &mut [f64]) {
        let strides = &self.populations.strides;
        let present = |class_idx: &usize| counts[*class_idx] > 0;
        let classes = || (0..counts.len()).filter(present);
        let Some(reference) = classes().next() else {
            return;
        };
        let count = self.levels.speeds.len();
        let idle = self.idle[state - strides[reference]];
        // 1/p(0|n) over 1/p(0|n − 1_reference).
        let mut growth = idle.value();
        for class_idx in classes() {
            let before = state - strides[class_idx];
            rates[class_idx] *= idle.over(self.idle[before]);
            growth += rates[class_idx] * self.demands[class_idx] * self.slowness[before];
        }
        self.idle[state] = idle.times(1.0 / growth);
        let (earlier, here) = self.below.split_at_mut(state * count);
        let speeds = &self.levels.speeds;
        let last = speeds[count - 1];
        for class_idx in classes() {
            rates[class_idx] /= growth;
            let before = state - strides[class_idx];
            let work = rates[class_idx] * self.demands[class_idx];
            let found = &earlier[before * count..][..count];
            for (number, probability) in found[..count - 1].iter().enumerate() {
                here[number + 1] += work / speeds[number] * probability;
            }
            let (tail, number) = self.tail[before];
            let enters = found[count - 1];
            self.tail[state].0 += work / last * (enters + tail);
            self.tail[state].1 += work / last * (count as f64 * enters + number + tail);
        }
        here[0] = self.idle[state].value();
        let slow = here[..count].iter().zip(speeds).map(|(p, s)| p / s);
        self.slowness[state] = slow.sum::<f64>() + self.tail[state].0 / last;
    }

    /// Mean number and residence over demand at a population.
    fn read(&self, state: usize) -> (f64, f64) {
        let count = self.levels.speeds.len();
        let (tail, tail_number) = self.tail[state];
        let mut number = tail_number;
        let mut factor = (tail_number + tail) / self.levels.speeds[count - 1];
        let below = self.below[state * count..].iter().zip(&self.levels.speeds);
        for (idx, (probability, speed)) in below.enumerate() {
            number += idx as f64 * probability;
            factor += (idx + 1) as f64 * probability / speed;
        }
        (number, factor)
    }
}

/// Solves a problem of few states.
pub(super) fn answer(problem: &Problem) -> Answer {
    let populations = Populations::new(problem);
    let total: f64 = problem.closed.iter().map(|class| class.population).sum();
    let levels: Vec<Option<Levels>> = problem.centers.iter().map(|c| c.levels(total)).collect();
    let dependent: Vec<(usize, &Levels)> = levels
        .iter()
        .enumerate()
        .filter_map(|(k, levels)| Some((k, levels.as_ref()?)))
        .filter(|(k, levels)| levels.speeds.len() > 1 && problem.closed.iter().any(|c| c.demands[*k] > 0.0))
        .collect();
    let fixed = Fixed::new(problem, &levels);
    let (base, numbers) = fixed.visit(&populations);
    let first: Vec<f64> = levels.iter().map(|l| l.as_ref().map_or(1.0, Levels::first)).collect();
    let full = populations.states - 1;
    let found_by = (0..problem.closed.len()).map(|class_idx| populations.found_by(class_idx));
    let states: Vec<usize> = found_by.chain([full]).collect();
    let mut found = vec![Found::nobody(first.clone()); states.len()];
    let mut rates = None;
    for (idx, added) in dependent.iter().enumerate() {
        let mut others = base.clone();
        for (other_idx, other) in dependent.iter().enumerate() {
            if other_idx != idx {
                Dependent::add(problem, &populations, *other, &mut others);
            }
        }
        let station = Dependent::add(problem, &populations, *added, &mut others);
        for (found, &state) in found.iter_mut().zip(&states) {
            (found.number[added.0], found.factor[added.0]) = station.read(state);
        }
        rates = Some(others);
    }
    let (rates, numbers) = match rates {
        Some(rates) => {
            let numbers = fixed.numbers(&populations, &rates);
            (rates, numbers)
        }
        None => (base, numbers),
    };
    let n_classes = problem.closed.len();
    for (found, &state) in found.iter_mut().zip(&states) {
        let rates = &rates[state * n_classes..][..n_classes];
        let numbers = &numbers[state * fixed.stations.len()..];
        for (&station_idx, &number) in fixed.stations.iter().zip(numbers) {
            found.number[station_idx] = number;
            found.factor[station_idx] = first[station_idx] * (1.0 + number);
        }
        for (station_idx, center) in problem.centers.iter().enumerate() {
            if matches!(center.service, Service::Delay) {
                let classes = problem.closed.iter().zip(rates);
                found.number[station_idx] = classes.map(|(c, x)| c.demands[station_idx] * x).sum();
            }
        }
    }
    let by_class: Vec<&Found> = found[..n_classes].iter().collect();
    let rates = &rates[full * n_classes..];
    problem.exact_answer(populations.states, rates, &by_class, &found[n_classes])
}

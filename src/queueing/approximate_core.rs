//! The inner loop of approximate mean value analysis, shared by its two methods.

use super::problem::{ClosedAnswer, Problem, Service, busy_probability};
use super::solution::SolveError;

/// Most iterations of a fixed point.
const MOST_ITERATIONS: usize = 200_000;

/// Change of a queue, as a fraction of its class' population, at which a fixed point is reached.
const TOLERANCE: f64 = 1e-12;

/// What closed classes hold, by class and station.
#[derive(Clone)]
pub(super) struct Lengths {
    /// Mean number at a station of one server, mean number waiting at one of several, else zero.
    backlog: Vec<f64>,
    /// Mean number in service.
    busy: Vec<f64>,
}

impl Lengths {
    /// Everybody spread in proportion to demands.
    pub(super) fn start(problem: &Problem, populations: &[f64]) -> Self {
        let mut lengths = Self {
            backlog: Vec::new(),
            busy: Vec::new(),
        };
        for (class, population) in problem.closed.iter().zip(populations) {
            let cycle = class.think_time + class.demands.iter().sum::<f64>();
            for (center, demand) in problem.centers.iter().zip(&class.demands) {
                let share = if cycle > 0.0 {
                    population * demand / cycle
                } else {
                    0.0
                };
                let servers = center.greatest_speed();
                lengths.busy.push(share.min(servers));
                lengths.backlog.push(match center.service {
                    Service::Delay => 0.0,
                    Service::Servers(1) | Service::Speeds(_) => share,
                    Service::Servers(_) => (share - servers).max(0.0),
                });
            }
        }
        lengths
    }

    /// The same in proportion to another population.
    pub(super) fn scaled(&self, problem: &Problem, from: &[f64], to: &[f64]) -> Self {
        let n_stations = problem.centers.len();
        let mut scaled = self.clone();
        for (class_idx, (from, to)) in from.iter().zip(to).enumerate() {
            let factor = if *from > 0.0 { to / from } else { 0.0 };
            let range = class_idx * n_stations..(class_idx + 1) * n_stations;
            scaled.backlog[range.clone()]
                .iter_mut()
                .for_each(|length| *length *= factor);
            scaled.busy[range]
                .iter_mut()
                .for_each(|length| *length *= factor);
        }
        scaled
    }

    /// Backlog and busy servers of each station, over all classes.
    pub(super) fn totals(&self, n_stations: usize) -> (Vec<f64>, Vec<f64>) {
        let sum = |lengths: &[f64]| {
            let mut total = vec![0.0; n_stations];
            for row in lengths.chunks_exact(n_stations) {
                total
                    .iter_mut()
                    .zip(row)
                    .for_each(|(total, length)| *total += length);
            }
            total
        };
        (sum(&self.backlog), sum(&self.busy))
    }
}

/// How much the fraction of a class at a station grows when a customer is removed, for each
/// removed class; all zero in Schweitzer's method.
pub(super) struct Shifts {
    /// Whether nothing has been recorded.
    are_none: bool,
    by_removed: Vec<Lengths>,
}

impl Shifts {
    pub(super) fn none(problem: &Problem) -> Self {
        let zeros = vec![0.0; problem.closed.len() * problem.centers.len()];
        let none = Lengths {
            backlog: zeros.clone(),
            busy: zeros,
        };
        Self {
            are_none: true,
            by_removed: vec![none; problem.closed.len()],
        }
    }

    /// Records the shift from the full network to the one without a customer of a class.
    pub(super) fn record(
        &mut self,
        problem: &Problem,
        removed: usize,
        (full, populations): (&Lengths, &[f64]),
        (reduced, fewer): (&Lengths, &[f64]),
    ) {
        let n_stations = problem.centers.len();
        let shift = |full: &[f64], reduced: &[f64], out: &mut [f64]| {
            for (idx, out) in out.iter_mut().enumerate() {
                let (population, fewer) = (populations[idx / n_stations], fewer[idx / n_stations]);
                if fewer > 0.0 {
                    *out = reduced[idx] / fewer - full[idx] / population;
                }
            }
        };
        self.are_none = false;
        let out = &mut self.by_removed[removed];
        shift(&full.backlog, &reduced.backlog, &mut out.backlog);
        shift(&full.busy, &reduced.busy, &mut out.busy);
    }

    /// Moves halfway towards another.
    pub(super) fn halfway(&mut self, other: &Self) {
        for (one, other) in self.by_removed.iter_mut().zip(&other.by_removed) {
            let backlog = one.backlog.iter_mut().zip(&other.backlog);
            for (one, other) in backlog.chain(one.busy.iter_mut().zip(&other.busy)) {
                *one = (*one + other) / 2.0;
            }
        }
    }

    /// Largest difference.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let mut largest = 0.0_f64;
        for (one, other) in self.by_removed.iter().zip(&other.by_removed) {
            let backlog = one.backlog.iter().zip(&other.backlog);
            for (one, other) in backlog.chain(one.busy.iter().zip(&other.busy)) {
                largest = largest.max((one - other).abs());
            }
        }
        largest
    }
}

/// The fixed point at given shifts.
pub(super) struct Core<'a> {
    pub(super) problem: &'a Problem,
    pub(super) shifts: &'a Shifts,
    /// Whether a queue may grow by no more than the arriving customer. This keeps utilization at
    /// most 1 whatever the guess, but adds a false fixed point at saturation.
    pub(super) guarded: bool,
    /// Iterations so far.
    pub(super) iterations: usize,
}

impl Core<'_> {
    /// Iterates until queues no longer move.
    pub(super) fn fixed_point(
        &mut self,
        populations: &[f64],
        mut lengths: Lengths,
    ) -> Result<Lengths, SolveError> {
        let n_stations = self.problem.centers.len();
        let (mut step, mut previous) = (1.0_f64, f64::INFINITY);
        for _ in 0..MOST_ITERATIONS {
            self.iterations += 1;
            let target = self.improved(populations, &lengths);
            let mut residual = 0.0_f64;
            let mut damp = |now: &mut [f64], target: &[f64]| {
                for (idx, (now, target)) in now.iter_mut().zip(target).enumerate() {
                    let population = populations[idx / n_stations];
                    if population > 0.0 {
                        residual = residual.max((target - *now).abs() / population);
                    }
                    *now += step * (target - *now);
                }
            };
            damp(&mut lengths.backlog, &target.backlog);
            damp(&mut lengths.busy, &target.busy);
            if residual < TOLERANCE {
                return Ok(lengths);
            }
            if residual > previous {
                step = (step * 0.7).max(0.05);
            }
            previous = residual;
        }
        Err(SolveError::NotConverged {
            iterations: self.iterations,
            residual: previous,
        })
    }

    /// One step: what arrivals find, their residence, throughputs, and so the queues.
    fn improved(&self, populations: &[f64], lengths: &Lengths) -> Lengths {
        let mut improved = Lengths {
            backlog: Vec::new(),
            busy: Vec::new(),
        };
        let (total, _) = lengths.totals(self.problem.centers.len());
        for (class_idx, class) in self.problem.closed.iter().enumerate() {
            let found = self.arrival(class_idx, populations, lengths, &total);
            let cycle: f64 = class.think_time + found.residence.iter().sum::<f64>();
            let population = populations[class_idx];
            let throughput = if population > 0.0 {
                population / cycle
            } else {
                0.0
            };
            for (station_idx, center) in self.problem.centers.iter().enumerate() {
                let busy = throughput * class.demands[station_idx];
                let length = throughput * found.residence[station_idx];
                improved.busy.push(busy);
                improved.backlog.push(match center.service {
                    Service::Delay => 0.0,
                    Service::Servers(1) | Service::Speeds(_) => length,
                    Service::Servers(_) => (length - busy).max(0.0),
                });
            }
        }
        improved
    }

    /// What an arriving customer of a class finds and then experiences at each station.
    fn arrival(
        &self,
        class_idx: usize,
        populations: &[f64],
        lengths: &Lengths,
        total: &[f64],
    ) -> ClosedAnswer {
        let n_stations = self.problem.centers.len();
        let shifts = &self.shifts.by_removed[class_idx];
        let seen = |lengths: &[f64], shifts: &[f64], station_idx: usize| -> f64 {
            let mut sum = 0.0;
            for (other_idx, &population) in populations.iter().enumerate() {
                let own = if other_idx == class_idx { 1.0 } else { 0.0 };
                let others = (population - own).max(0.0);
                if others > 0.0 {
                    let idx = other_idx * n_stations + station_idx;
                    sum += (others * (lengths[idx] / population + shifts[idx])).max(0.0);
                }
            }
            sum
        };
        let own = populations[class_idx].min(1.0);
        let others = populations.iter().sum::<f64>() - own;
        let mut residence = Vec::with_capacity(n_stations);
        let mut found = Vec::with_capacity(n_stations);
        for (station_idx, center) in self.problem.centers.iter().enumerate() {
            let demand = self.problem.closed[class_idx].demands[station_idx];
            let open = center.open_utilization();
            let backlog = seen(&lengths.backlog, &shifts.backlog, station_idx);
            let busy = seen(&lengths.busy, &shifts.busy, station_idx);
            let least = if self.guarded {
                total[station_idx]
            } else {
                0.0
            };
            let (time, number) = match center.service {
                Service::Delay => (demand, busy + center.open_load),
                Service::Speeds(_) => {
                    let factor = center.factor(backlog.max(least - 1.0), others);
                    (demand * factor, backlog + center.open_load * factor)
                }
                Service::Servers(1) => {
                    let ahead = (1.0 + backlog).max(least);
                    (
                        demand * ahead / (1.0 - open),
                        (backlog + open) / (1.0 - open),
                    )
                }
                Service::Servers(servers) => {
                    let busy = busy + center.open_load;
                    // Whoever finds fewer others than servers does not wait; in between, for
                    // fractions of a customer, the step is a slope.
                    let fills = if center.open_load > 0.0 {
                        1.0
                    } else {
                        (others + 1.0 - f64::from(servers)).clamp(0.0, 1.0)
                    };
                    let backlog = if self.shifts.are_none && center.open_load == 0.0 {
                        // A saturated station of m servers has N − m waiting, so without one
                        // customer the proportion is (N − 1 − m)/(N − m), not (N − 1)/N.
                        let beyond = (others - f64::from(servers)).max(0.0);
                        let proportion = others / (others + 1.0);
                        backlog * beyond / (beyond + 1.0) / proportion.max(f64::MIN_POSITIVE)
                    } else {
                        fills * backlog
                    };
                    let all_busy = fills * busy_probability(servers, busy);
                    let ahead = (backlog + all_busy).max(least);
                    let wait = demand / f64::from(servers) * ahead / (1.0 - open);
                    let waiting = (backlog + open * all_busy) / (1.0 - open);
                    (demand + wait, waiting + busy.min(f64::from(servers)))
                }
            };
            residence.push(time);
            found.push(number);
        }
        ClosedAnswer {
            throughput: 0.0,
            residence,
            seen: found,
        }
    }

    /// Whether closed classes ask a station for more than open ones leave.
    pub(super) fn is_overloaded(&self, lengths: &Lengths) -> bool {
        let (_, busy) = lengths.totals(self.problem.centers.len());
        self.problem
            .centers
            .iter()
            .zip(busy)
            .any(|(center, busy)| busy + center.open_load > center.greatest_speed() * (1.0 + 1e-9))
    }

    /// Throughputs, residences and numbers found at the fixed point.
    pub(super) fn closed_answers(
        &self,
        populations: &[f64],
        lengths: &Lengths,
    ) -> Vec<ClosedAnswer> {
        let (total, _) = lengths.totals(self.problem.centers.len());
        let mut answers = Vec::with_capacity(populations.len());
        for (class_idx, class) in self.problem.closed.iter().enumerate() {
            let mut answer = self.arrival(class_idx, populations, lengths, &total);
            let cycle = class.think_time + answer.residence.iter().sum::<f64>();
            if populations[class_idx] > 0.0 {
                answer.throughput = populations[class_idx] / cycle;
            }
            answers.push(answer);
        }
        answers
    }
}

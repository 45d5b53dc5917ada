//! Exact solution of networks with multi-server stations by their normalization constants.
//!
//! A station's generating function is F(t) with t = Σ `D_c·z_c` + a, where a is the load of open
//! classes: eᵗ at a delay and Σ_{j<m} tʲ/j! + tᵐ/m! / (1 − t/m) at m servers. Multiplying a lattice
//! of constants by F needs only shifts, sums and products of positive numbers, so no digit is ever
//! cancelled. With G the constants of the whole network and H those without station k,
//! `R_kc = D_c·[F′H](N − 1_c)/G(N − 1_c)` and `Q_k = [t·F′·H](N)/G(N)`.

use super::exact::Populations;
use super::problem::{Answer, ClosedAnswer, OpenAnswer, Problem};

/// A positive number of any size: `fraction`·2^(256·`exponent`).
#[derive(Clone, Copy, Default)]
struct Scaled {
    fraction: f64,
    exponent: i64,
}

const BASE: f64 = 1.157_920_892_373_162e77; // 2^256
const HIGH: f64 = 3.402_823_669_209_385e38; // 2^128

impl Scaled {
    const ONE: Self = Self {
        fraction: 1.0,
        exponent: 0,
    };

    fn times(self, factor: f64) -> Self {
        Self {
            fraction: self.fraction * factor,
            exponent: self.exponent,
        }
        .normal()
    }

    fn plus(self, other: Self) -> Self {
        if other.fraction == 0.0 {
            return self;
        }
        if self.fraction == 0.0 {
            return other;
        }
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let fraction = match large.exponent - small.exponent {
            0 => large.fraction + small.fraction,
            1 => large.fraction + small.fraction / BASE,
            _ => large.fraction,
        };
        Self {
            fraction,
            exponent: large.exponent,
        }
        .normal()
    }

    /// Keeps the fraction within 2^±128.
    fn normal(mut self) -> Self {
        if self.fraction >= HIGH {
            self.fraction /= BASE;
            self.exponent += 1;
        } else if self.fraction > 0.0 && self.fraction < 1.0 / HIGH {
            self.fraction *= BASE;
            self.exponent -= 1;
        }
        self
    }

    fn over(self, other: Self) -> f64 {
        let exponent = (self.exponent - other.exponent).clamp(-8, 8) as i32;
        self.fraction / other.fraction * BASE.powi(exponent)
    }
}

/// One number for each population.
type Lattice = Vec<Scaled>;

/// Multiplications by t of one station.
struct Operator<'a> {
    populations: &'a Populations,
    /// Demand of each class.
    demands: Vec<f64>,
    open_load: f64,
}

impl Operator<'_> {
    /// `Σ D_c·x(n − 1_c)`.
    fn shifted(&self, lattice: &[Scaled], state: usize, counts: &[u32]) -> Scaled {
        let mut sum = Scaled::default();
        for (class_idx, &count) in counts.iter().enumerate() {
            if count > 0 && self.demands[class_idx] > 0.0 {
                let one_less = lattice[state - self.populations.strides[class_idx]];
                sum = sum.plus(one_less.times(self.demands[class_idx]));
            }
        }
        sum
    }

    /// t·x/divisor.
    fn multiplied(&self, lattice: &[Scaled], divisor: f64) -> Lattice {
        let mut product = vec![Scaled::default(); lattice.len()];
        self.populations.for_each(|state, counts| {
            let own = lattice[state].times(self.open_load);
            product[state] = self
                .shifted(lattice, state, counts)
                .plus(own)
                .times(1.0 / divisor);
        });
        product
    }

    /// x/(1 − t/servers).
    fn geometric(&self, lattice: &[Scaled], servers: f64) -> Lattice {
        let idle = 1.0 / (1.0 - self.open_load / servers);
        let mut sum = vec![Scaled::default(); lattice.len()];
        self.populations.for_each(|state, counts| {
            let before = self.shifted(&sum, state, counts).times(1.0 / servers);
            sum[state] = lattice[state].plus(before).times(idle);
        });
        sum
    }

    /// F·x, and the part of it in which all servers are busy.
    fn served(&self, lattice: &[Scaled], servers: u32) -> (Lattice, Lattice) {
        let mut sum = vec![Scaled::default(); lattice.len()];
        let mut term = lattice.to_vec();
        for busy in 1..=servers {
            add(&mut sum, &term, 1.0);
            term = self.multiplied(&term, f64::from(busy));
        }
        let all_busy = self.geometric(&term, f64::from(servers));
        add(&mut sum, &all_busy, 1.0);
        (sum, all_busy)
    }
}

fn add(sum: &mut [Scaled], lattice: &[Scaled], factor: f64) {
    for (sum, &term) in sum.iter_mut().zip(lattice) {
        *sum = sum.plus(term.times(factor));
    }
}

/// Servers of each station that has several.
pub(super) fn multi_servers(problem: &Problem) -> impl Iterator<Item = u32> {
    problem
        .centers
        .iter()
        .filter_map(|center| center.servers)
        .filter(|&servers| servers > 1)
}

/// Constants of all delays and think times: Π `Z_c`^`n_c`/`n_c`!.
fn delays(problem: &Problem, populations: &Populations) -> Lattice {
    let mut think: Vec<f64> = problem
        .closed
        .iter()
        .map(|class| class.think_time)
        .collect();
    for (station_idx, center) in problem.centers.iter().enumerate() {
        if center.servers.is_none() {
            for (think, class) in think.iter_mut().zip(&problem.closed) {
                *think += class.demands[station_idx];
            }
        }
    }
    let mut lattice = vec![Scaled::default(); populations.states];
    populations.for_each(|state, counts| {
        lattice[state] = match counts.iter().position(|&count| count > 0) {
            None => Scaled::ONE,
            Some(class_idx) => lattice[state - populations.strides[class_idx]]
                .times(think[class_idx])
                .times(1.0 / f64::from(counts[class_idx])),
        };
    });
    lattice
}

/// What is read off a station's lattice of F′·H.
struct Reader<'a> {
    problem: &'a Problem,
    populations: &'a Populations,
    constants: &'a [Scaled],
}

impl Reader<'_> {
    /// Whether the state holds a customer of the class.
    fn has(&self, state: usize, class_idx: usize) -> bool {
        let stride = self.populations.strides[class_idx];
        let size = self.problem.closed[class_idx].population as usize + 1;
        !(state / stride).is_multiple_of(size)
    }

    /// Throughput of the class at a state.
    fn throughput(&self, state: usize, class_idx: usize) -> f64 {
        if !self.has(state, class_idx) {
            return 0.0;
        }
        self.constants[state - self.populations.strides[class_idx]].over(self.constants[state])
    }

    /// Residence per demand and mean number at a station with F′·H, at a state.
    fn station(&self, derivative: &[Scaled], station_idx: usize, state: usize) -> (f64, f64) {
        let load = self.problem.centers[station_idx].open_load;
        let mut number = derivative[state].times(load);
        for (class_idx, class) in self.problem.closed.iter().enumerate() {
            if self.has(state, class_idx) {
                let one_less = derivative[state - self.populations.strides[class_idx]];
                number = number.plus(one_less.times(class.demands[station_idx]));
            }
        }
        let constant = self.constants[state];
        (derivative[state].over(constant), number.over(constant))
    }

    /// The same at a delay.
    fn delay(&self, station_idx: usize, state: usize) -> (f64, f64) {
        let mut number = self.problem.centers[station_idx].open_load;
        for (class_idx, class) in self.problem.closed.iter().enumerate() {
            number += class.demands[station_idx] * self.throughput(state, class_idx);
        }
        (1.0, number)
    }
}

/// The parts of a network to be convolved.
struct Convolution<'a> {
    problem: &'a Problem,
    operators: Vec<Operator<'a>>,
    /// Constants of everything but multi-server stations.
    base: Lattice,
}

impl<'a> Convolution<'a> {
    fn new(problem: &'a Problem, populations: &'a Populations) -> Self {
        let operators: Vec<Operator<'_>> = (0..problem.centers.len())
            .map(|station_idx| Operator {
                populations,
                demands: problem
                    .closed
                    .iter()
                    .map(|class| class.demands[station_idx])
                    .collect(),
                open_load: problem.centers[station_idx].open_load,
            })
            .collect();
        let mut base = delays(problem, populations);
        for (operator, center) in operators.iter().zip(&problem.centers) {
            if center.servers == Some(1) {
                base = operator.geometric(&base, 1.0);
            }
        }
        Self {
            problem,
            operators,
            base,
        }
    }

    /// Constants of the network without one of the multi-server stations, or with all of them.
    fn without(&self, left_out: Option<usize>) -> Lattice {
        let mut lattice = self.base.clone();
        for (station_idx, center) in self.problem.centers.iter().enumerate() {
            if let Some(servers) = center.servers.filter(|&servers| servers > 1)
                && Some(station_idx) != left_out
            {
                lattice = self.operators[station_idx].served(&lattice, servers).0;
            }
        }
        lattice
    }

    /// F′·H of a station; none at a delay, which needs no lattice.
    fn derivative(&self, station_idx: usize, constants: &[Scaled]) -> Option<Lattice> {
        let operator = &self.operators[station_idx];
        match self.problem.centers[station_idx].servers {
            None => None,
            // At one server F′ = F².
            Some(1) => Some(operator.geometric(constants, 1.0)),
            Some(servers) => {
                let others = self.without(Some(station_idx));
                let (mut sum, all_busy) = operator.served(&others, servers);
                let servers = f64::from(servers);
                add(
                    &mut sum,
                    &operator.geometric(&all_busy, servers),
                    1.0 / servers,
                );
                Some(sum)
            }
        }
    }
}

/// Residence per demand and number found at each station.
#[derive(Default)]
struct Found {
    factors: Vec<f64>,
    seen: Vec<f64>,
}

impl Found {
    fn push(&mut self, (factor, seen): (f64, f64)) {
        self.factors.push(factor);
        self.seen.push(seen);
    }

    fn residence(&self, demands: &[f64]) -> Vec<f64> {
        demands
            .iter()
            .zip(&self.factors)
            .map(|(demand, factor)| demand * factor)
            .collect()
    }
}

/// Solves a problem of few states.
pub(super) fn answer(problem: &Problem) -> Answer {
    let populations = Populations::new(problem);
    let convolution = Convolution::new(problem, &populations);
    let constants = convolution.without(None);
    let reader = Reader {
        problem,
        populations: &populations,
        constants: &constants,
    };
    let full = populations.states - 1;
    let mut by_class: Vec<Found> = problem.closed.iter().map(|_| Found::default()).collect();
    let mut by_open = Found::default();
    for station_idx in 0..problem.centers.len() {
        let derivative = convolution.derivative(station_idx, &constants);
        let read = |state: usize| match &derivative {
            None => reader.delay(station_idx, state),
            Some(derivative) => reader.station(derivative, station_idx, state),
        };
        for (class_idx, found) in by_class.iter_mut().enumerate() {
            found.push(read(populations.found_by(class_idx)));
        }
        by_open.push(read(full));
    }
    let closed = by_class
        .into_iter()
        .zip(&problem.closed)
        .enumerate()
        .map(|(class_idx, (found, class))| ClosedAnswer {
            throughput: reader.throughput(full, class_idx),
            residence: found.residence(&class.demands),
            seen: found.seen,
        })
        .collect();
    let open = problem
        .open
        .iter()
        .map(|demands| OpenAnswer {
            residence: by_open.residence(demands),
            seen: by_open.seen.clone(),
        })
        .collect();
    Answer {
        iterations: populations.states,
        closed,
        open,
    }
}

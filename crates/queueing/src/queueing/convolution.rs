//! Exact solution by normalization constants: the second method, which checks the first.
//!
//! A station's generating function is F(t) = `Σ_j tʲ/Π_{l ≤ j} s_l` with t = Σ `D_c·z_c` + a, where a
//! is the load of open classes: eᵗ at a delay, 1/(1 − t) at one server, and a geometric series beyond
//! the last speed of any other. Multiplying a lattice of constants by F needs only shifts, sums and
//! products of positive numbers, so no digit is ever cancelled. With G the constants of the whole
//! network and H those without station k, `R_kc = D_c·[F′H](N − 1_c)/G(N − 1_c)`.
//!
//! # References
//!
//! - J. P. Buzen, "Computational algorithms for closed queueing networks with exponential
//!   servers", CACM 16(9), 1973; M. Reiser and H. Kobayashi, IBM J. R&D 19(3), 1975.

use super::center::{Center, Service};
use super::lattice::Populations;
use super::problem::{Answer, Found, Problem};
use super::scaled::Scaled;

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
            product[state] = self.shifted(lattice, state, counts).plus(own).times(1.0 / divisor);
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

    /// `T_{m−1}`, where `T_j` = tʲ/Π s·x; `each` gets `T_j`, j + 1 and `s_{j+1}` for all before it.
    fn terms(&self, lattice: &[Scaled], speeds: &[f64], mut each: impl FnMut(&[Scaled], f64, f64)) -> Lattice {
        let mut term = lattice.to_vec();
        for (idx, &speed) in speeds[..speeds.len() - 1].iter().enumerate() {
            each(&term, (idx + 1) as f64, speed);
            term = self.multiplied(&term, speed);
        }
        term
    }

    /// F·x.
    fn served(&self, lattice: &[Scaled], speeds: &[f64]) -> Lattice {
        let mut sum = vec![Scaled::default(); lattice.len()];
        let last = self.terms(lattice, speeds, |term, _, _| add(&mut sum, term, 1.0));
        add(&mut sum, &self.geometric(&last, speeds[speeds.len() - 1]), 1.0);
        sum
    }

    /// F′·x = `Σ_{j<m} j/s_j·T_{j−1}` + (m − 1 + 1/(1 − t/s))/(s·(1 − t/s))·`T_{m−1}`.
    fn derived(&self, lattice: &[Scaled], speeds: &[f64]) -> Lattice {
        let speed = speeds[speeds.len() - 1];
        let mut sum = vec![Scaled::default(); lattice.len()];
        let last = self.terms(lattice, speeds, |term, number, speed| {
            add(&mut sum, term, number / speed);
        });
        let beyond = self.geometric(&last, speed);
        add(&mut sum, &beyond, (speeds.len() - 1) as f64 / speed);
        add(&mut sum, &self.geometric(&beyond, speed), 1.0 / speed);
        sum
    }
}

fn add(sum: &mut [Scaled], lattice: &[Scaled], factor: f64) {
    for (sum, &term) in sum.iter_mut().zip(lattice) {
        *sum = sum.plus(term.times(factor));
    }
}

/// Constants of all delays and think times: Π `Z_c`^`n_c`/`n_c`!.
fn delays(problem: &Problem, populations: &Populations) -> Lattice {
    let mut think: Vec<f64> = problem.closed.iter().map(|class| class.think_time).collect();
    for (station_idx, center) in problem.centers.iter().enumerate() {
        if matches!(center.service, Service::Delay) {
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

    /// Mean number of closed customers at a station with F′·H and residence per demand of one who
    /// arrives, at a state.
    fn station(&self, derivative: &[Scaled], station_idx: usize, state: usize) -> (f64, f64) {
        let mut number = Scaled::default();
        for (class_idx, class) in self.problem.closed.iter().enumerate() {
            if self.has(state, class_idx) {
                let one_less = derivative[state - self.populations.strides[class_idx]];
                number = number.plus(one_less.times(class.demands[station_idx]));
            }
        }
        let constant = self.constants[state];
        (number.over(constant), derivative[state].over(constant))
    }

    /// The same at a delay.
    fn delay(&self, station_idx: usize, state: usize) -> (f64, f64) {
        let mut number = 0.0;
        for (class_idx, class) in self.problem.closed.iter().enumerate() {
            number += class.demands[station_idx] * self.throughput(state, class_idx);
        }
        (number, 1.0)
    }
}

/// The parts of a network to be convolved.
struct Convolution<'a> {
    operators: Vec<Operator<'a>>,
    /// Speeds of each station; none at a delay.
    speeds: Vec<Vec<f64>>,
    /// Constants of all delays and stations of constant speed.
    base: Lattice,
}

impl<'a> Convolution<'a> {
    fn new(problem: &'a Problem, populations: &'a Populations) -> Self {
        let operators: Vec<Operator<'_>> = (0..problem.centers.len())
            .map(|station_idx| Operator {
                populations,
                demands: problem.closed.iter().map(|class| class.demands[station_idx]).collect(),
                open_load: problem.centers[station_idx].open_load,
            })
            .collect();
        let speeds: Vec<Vec<f64>> = problem.centers.iter().map(Center::speeds).collect();
        let mut base = delays(problem, populations);
        for (operator, speeds) in operators.iter().zip(&speeds) {
            if let [speed] = speeds[..] {
                base = operator.geometric(&base, speed);
            }
        }
        Self { operators, speeds, base }
    }

    /// Constants of the network without one of the stations of several speeds, or with all of them.
    fn without(&self, left_out: Option<usize>) -> Lattice {
        let mut lattice = self.base.clone();
        for (station_idx, speeds) in self.speeds.iter().enumerate() {
            if speeds.len() > 1 && Some(station_idx) != left_out {
                lattice = self.operators[station_idx].served(&lattice, speeds);
            }
        }
        lattice
    }

    /// F′·H of a station; none at a delay, which needs no lattice.
    fn derivative(&self, station_idx: usize, constants: &[Scaled]) -> Option<Lattice> {
        let operator = &self.operators[station_idx];
        match &self.speeds[station_idx][..] {
            [] => None,
            // At a constant speed F′ = F²/s.
            [speed] => {
                let mut product = operator.geometric(constants, *speed);
                for number in &mut product {
                    *number = number.times(1.0 / speed);
                }
                Some(product)
            }
            speeds => Some(operator.derived(&self.without(Some(station_idx)), speeds)),
        }
    }
}

/// Solves a problem of few states.
pub(super) fn answer(problem: &Problem) -> Answer {
    let populations = Populations::new(problem);
    let convolution = Convolution::new(problem, &populations);
    let constants = convolution.without(None);
    let reader = Reader { problem, populations: &populations, constants: &constants };
    let full = populations.states - 1;
    let n_stations = problem.centers.len();
    let mut by_class = vec![Found::nobody(vec![1.0; n_stations]); problem.closed.len()];
    let mut by_open = Found::nobody(vec![1.0; n_stations]);
    for station_idx in 0..n_stations {
        let derivative = convolution.derivative(station_idx, &constants);
        let read = |state: usize, found: &mut Found| {
            let (number, factor) = match &derivative {
                None => reader.delay(station_idx, state),
                Some(derivative) => reader.station(derivative, station_idx, state),
            };
            found.number[station_idx] = number;
            found.factor[station_idx] = factor;
        };
        for (class_idx, found) in by_class.iter_mut().enumerate() {
            read(populations.found_by(class_idx), found);
        }
        read(full, &mut by_open);
    }
    let rates: Vec<f64> = (0..problem.closed.len()).map(|class_idx| reader.throughput(full, class_idx)).collect();
    let by_class: Vec<&Found> = by_class.iter().collect();
    problem.exact_answer(populations.states, &rates, &by_class, &by_open)
}

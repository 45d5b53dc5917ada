//! Exact answers: mean value analysis, and convolution where stations have several servers.
//!
//! Mean value analysis visits every population from none to the full one and uses the arrival
//! theorem: a customer finds what the network without it would hold on average. With several
//! servers its textbook form subtracts probabilities and loses all digits near saturation, so such
//! networks are convolved instead, which only adds and multiplies; both give the same numbers.
//! Open classes may be present and are exact, too.
//!
//! # Assumptions
//!
//! Product form: Poisson arrivals, delays of any distribution, stations with processor sharing, or
//! first come first served with the same exponential service for all classes.
//!
//! # References
//!
//! - M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queueing networks",
//!   JACM 27(2), 1980, 313–322.
//! - J. P. Buzen, "Computational algorithms for closed queueing networks with exponential
//!   servers", CACM 16(9), 1973; M. Reiser and H. Kobayashi, IBM J. R&D 19(3), 1975.
//! - E. D. Lazowska et al., *Quantitative System Performance*, 1984, chapters 6, 7 and 8.

use super::convolution;
use super::mixed;
use super::network::Network;
use super::problem::{Answer, ClosedAnswer, Problem};
use super::solution::{Method, Solution, SolveError};

/// Most steps (state × station × class) of an exact solution, about a second and 200 MB.
pub const STEP_LIMIT: f64 = 1e8;

/// Most numbers kept at a time.
const CELL_LIMIT: f64 = 2e7;

/// Solves a network exactly: closed classes with whole populations, open classes as well.
///
/// ```
/// use plimsoll::queueing::{exact, network::{Class, Network, Station}};
///
/// // Lazowska et al. 1984, page 142.
/// let network = Network::new(
///     vec![Station::queueing("cpu", 1), Station::queueing("disk", 1)],
///     vec![
///         Class::closed("A", 1.0, 0.0, vec![1.0, 3.0]),
///         Class::closed("B", 1.0, 0.0, vec![2.0, 4.0]),
///     ],
/// );
/// let solution = exact::solve(&network).unwrap();
/// assert!((solution.classes[0].throughput - 3.0 / 19.0).abs() < 1e-12);
/// ```
pub fn solve(network: &Network) -> Result<Solution, SolveError> {
    mixed::solve(network, Method::Exact)
}

/// What an exact solution costs.
pub(super) struct Cost {
    /// Populations to visit.
    pub(super) states: f64,
    /// States × stations × classes, for all servers.
    pub(super) steps: f64,
    /// Numbers kept at a time.
    cells: f64,
}

pub(super) fn cost(problem: &Problem) -> Cost {
    let states: f64 = problem
        .closed
        .iter()
        .map(|class| class.population + 1.0)
        .product();
    let n_classes = problem.closed.len().max(1) as f64;
    let n_stations = problem.centers.len() as f64;
    let servers: Vec<f64> = convolution::multi_servers(problem).map(f64::from).collect();
    let rounds = 1.0 + servers.len() as f64;
    let operators = n_stations + servers.iter().sum::<f64>();
    if servers.is_empty() {
        Cost {
            states,
            steps: states * n_stations * n_classes,
            cells: states * n_stations,
        }
    } else {
        Cost {
            states,
            steps: states * n_classes * rounds * operators,
            cells: states * 6.0,
        }
    }
}

/// Solves what has been checked; refuses fractions and what is too large.
pub(super) fn answer(problem: &Problem) -> Result<Answer, SolveError> {
    if let Some(class) = problem
        .closed
        .iter()
        .find(|class| class.population.fract() != 0.0)
    {
        return Err(SolveError::Unsuitable {
            method: Method::Exact,
            reason: format!("a population of {} is not a whole number", class.population),
        });
    }
    let Cost { steps, cells, .. } = cost(problem);
    if steps > STEP_LIMIT {
        return Err(SolveError::TooLarge {
            cost: steps,
            limit: STEP_LIMIT,
        });
    }
    if cells > CELL_LIMIT {
        return Err(SolveError::TooLarge {
            cost: cells,
            limit: CELL_LIMIT,
        });
    }
    if convolution::multi_servers(problem).next().is_some() {
        Ok(convolution::answer(problem))
    } else {
        Ok(mean_value_analysis(problem))
    }
}

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
        let limits: Vec<u32> = problem
            .closed
            .iter()
            .map(|class| class.population as u32)
            .collect();
        let mut states = 1;
        let mut strides = Vec::with_capacity(limits.len());
        for limit in &limits {
            strides.push(states);
            states *= *limit as usize + 1;
        }
        Self {
            strides,
            states,
            limits,
        }
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
        if self.limits[class_idx] > 0 {
            full - self.strides[class_idx]
        } else {
            full
        }
    }
}

/// Mean value analysis of stations with one server and delays.
fn mean_value_analysis(problem: &Problem) -> Answer {
    let n_stations = problem.centers.len();
    let populations = Populations::new(problem);
    // Open classes slow a server down for closed ones (Lazowska et al. 1984, 7.4.1).
    let inflated: Vec<Vec<f64>> = problem
        .closed
        .iter()
        .map(|class| {
            let centers = problem.centers.iter().zip(&class.demands);
            centers
                .map(|(center, demand)| demand / (1.0 - center.open_utilization()))
                .collect()
        })
        .collect();
    // Closed customers at each station in each state.
    let mut queue = vec![0.0; populations.states * n_stations];
    let mut residence = vec![0.0; n_stations];
    let mut throughput = vec![0.0; problem.closed.len()];
    populations.for_each(|state, counts| {
        let (before, here) = queue.split_at_mut(state * n_stations);
        for (class_idx, &count) in counts.iter().enumerate() {
            if count == 0 {
                continue;
            }
            let found = (state - populations.strides[class_idx]) * n_stations;
            let found = &before[found..found + n_stations];
            let mut cycle = problem.closed[class_idx].think_time;
            for (station_idx, time) in residence.iter_mut().enumerate() {
                let waits = problem.centers[station_idx].servers.is_some();
                let ahead = if waits { found[station_idx] } else { 0.0 };
                *time = inflated[class_idx][station_idx] * (1.0 + ahead);
                cycle += *time;
            }
            let rate = f64::from(count) / cycle;
            throughput[class_idx] = rate;
            for (length, time) in here.iter_mut().zip(&residence) {
                *length += rate * time;
            }
        }
    });
    let at = |state: usize| &queue[state * n_stations..(state + 1) * n_stations];
    let mut closed = Vec::with_capacity(problem.closed.len());
    for (class_idx, class) in problem.closed.iter().enumerate() {
        let found = at(populations.found_by(class_idx));
        let mut residence = Vec::with_capacity(n_stations);
        let mut seen = Vec::with_capacity(n_stations);
        for (station_idx, center) in problem.centers.iter().enumerate() {
            let ahead = found[station_idx];
            let open = center.open_utilization();
            let demand = inflated[class_idx][station_idx];
            if center.servers.is_some() {
                residence.push(demand * (1.0 + ahead));
                seen.push((ahead + open) / (1.0 - open));
            } else {
                residence.push(demand);
                seen.push(ahead + center.open_load);
            }
        }
        let throughput = if class.population > 0.0 {
            throughput[class_idx]
        } else {
            0.0
        };
        closed.push(ClosedAnswer {
            throughput,
            residence,
            seen,
        });
    }
    let full = at(populations.states - 1);
    let open = problem.open_answers(full, full);
    Answer {
        iterations: populations.states,
        closed,
        open,
    }
}

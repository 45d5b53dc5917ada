//! Exact answers: mean value analysis, and convolution as a check.
//!
//! Mean value analysis visits every population from none to the full one and uses the arrival
//! theorem: a customer finds what the network without it would hold on average. One closed class is
//! solved in time proportional to its population (`single`), up to millions; several in time
//! proportional to the product of theirs (`lattice`). Convolution ([`Method::Convolution`]) is
//! another way to the same numbers. Neither subtracts anywhere. Stations may have several servers or
//! load-dependent speed, and open classes may be present: they are exact, too.
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
//! - E. D. Lazowska et al., *Quantitative System Performance*, 1984, chapters 6, 7 and 8.

use super::convolution;
use super::lattice;
use super::mixed;
use super::network::Network;
use super::problem::{Answer, Problem};
use super::single;
use super::solution::{Method, Solution, SolveError};

/// Most steps of an exact solution: numbers computed, about a second or two.
pub const STEP_LIMIT: f64 = 1e9;

/// Most numbers kept at a time.
const CELL_LIMIT: f64 = 3e7;

/// Solves a network exactly: closed classes with whole populations, open classes as well.
///
/// ```
/// use plimsoll_queueing::queueing::{exact, network::{Class, Network, Station}};
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
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// Numbers computed.
    pub(super) steps: f64,
    /// Numbers kept at a time.
    cells: f64,
}

/// What mean value analysis costs.
pub(super) fn cost(problem: &Problem) -> Cost {
    if let Some(class_idx) = single::only_class(problem) {
        let class = &problem.closed[class_idx];
        let dependent = counts(problem).filter(|&count| count > 1.0).count();
        return Cost { steps: single::cost(problem, class_idx), cells: class.population * (1.0 + dependent as f64) };
    }
    let stations = problem.centers.len() as f64;
    let dependent = counts(problem).filter(|&count| count > 1.0);
    let (speeds, rounds) = dependent.fold((0.0, 0.0), |(sum, n), count| (sum + count, n + 1.0));
    let widest = counts(problem).fold(1.0, f64::max);
    let (states, classes) = (states(problem), problem.closed.len().max(1) as f64);
    Cost {
        steps: states * classes * (stations + rounds * (6.0 * rounds + speeds)),
        cells: states * (stations + 2.0 * classes + if rounds > 0.0 { widest + 6.0 } else { 0.0 }),
    }
}

/// What convolution costs: scaled numbers take several steps each.
fn convolution_cost(problem: &Problem) -> Cost {
    let stations = problem.centers.len() as f64;
    let rounds = counts(problem).filter(|&count| count > 1.0).count() as f64 + 1.0;
    let speeds: f64 = counts(problem).sum();
    let (states, classes) = (states(problem), problem.closed.len().max(1) as f64);
    Cost { steps: 10.0 * states * classes * rounds * (stations + speeds), cells: states * 12.0 }
}

fn states(problem: &Problem) -> f64 {
    let sizes = problem.closed.iter().map(|class| class.population + 1.0);
    sizes.product()
}

/// Speeds of each station that matter.
fn counts(problem: &Problem) -> impl Iterator<Item = f64> {
    let population: f64 = problem.closed.iter().map(|class| class.population).sum();
    let centers = problem.centers.iter();
    centers.map(move |center| center.level_count(population))
}

/// Solves what has been checked; refuses fractions and what is too large.
pub(super) fn answer(problem: &Problem, method: Method) -> Result<Answer, SolveError> {
    if let Some(approximation) = problem.approximations.first() {
        return Err(SolveError::Unsuitable {
            method,
            reason: format!("it has no product form; it needs {approximation}"),
        });
    }
    if let Some(class) = problem.closed.iter().find(|class| class.population.fract() != 0.0) {
        return Err(SolveError::Unsuitable {
            method,
            reason: format!("a population of {} is not a whole number", class.population),
        });
    }
    let Cost { steps, cells } = match method {
        Method::Convolution => convolution_cost(problem),
        _ => cost(problem),
    };
    for (cost, limit) in [(steps, STEP_LIMIT), (cells, CELL_LIMIT)] {
        if cost > limit {
            return Err(SolveError::TooLarge { cost, limit });
        }
    }
    Ok(match (method, single::only_class(problem)) {
        (Method::Convolution, _) => convolution::answer(problem),
        (_, Some(class_idx)) => single::answer(problem, class_idx),
        (_, None) => lattice::answer(problem),
    })
}

//! Solves one network after the other, each from where the last one came to rest.

use super::amva::{self, Rest};
use super::assemble;
use super::exact;
use super::network::Network;
use super::pools;
use super::problem::{Answer, Problem};
use super::solution::{Method, Solution, SolveError};

/// Solves networks of which each differs little from the last, as in an iteration over something
/// that is no station: approximate methods start from where they came to rest. The answer is the same
/// as without it, but for the last digits (1e-9), and takes fewer sweeps.
///
/// ```
/// use plimsoll::queueing::{Class, Method, Network, Solver, Station};
///
/// let network = |think_time: f64| {
///     Network::new(
///         vec![Station::queueing("processor", 4), Station::queueing("disk", 1)],
///         vec![Class::closed("users", 100.0, think_time, vec![0.2, 0.05])],
///     )
/// };
/// let mut solver = Solver::new();
/// let first = solver.solve(&network(10.0), Method::Linearizer).unwrap();
/// let second = solver.solve(&network(10.001), Method::Linearizer).unwrap();
/// assert!(second.iterations < first.iterations);
/// ```
#[derive(Default)]
pub struct Solver {
    rest: Option<Rest>,
}

impl Solver {
    /// A solver that has solved nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves a network by a given method; see [`mixed::solve`](super::mixed::solve).
    pub fn solve(&mut self, network: &Network, method: Method) -> Result<Solution, SolveError> {
        if !network.pools.is_empty() {
            return pools::solve(network, Some(method));
        }
        let problem = Problem::new(network)?;
        let answer = match method {
            Method::ClosedForm => closed_form(&problem)?,
            Method::Exact | Method::Convolution => exact::answer(&problem, method)?,
            Method::Linearizer | Method::Aql | Method::Schweitzer => {
                amva::answer(&problem, method, &mut self.rest)?
            }
        };
        Ok(assemble::solution(
            network,
            method,
            problem.approximations,
            answer,
        ))
    }
}

fn closed_form(problem: &Problem) -> Result<Answer, SolveError> {
    if !problem.closed.is_empty() {
        return Err(SolveError::Unsuitable {
            method: Method::ClosedForm,
            reason: "it has closed classes".to_owned(),
        });
    }
    let nobody = vec![0.0; problem.centers.len()];
    let open = problem.open_answers(&nobody, &nobody, |_, _| (0.0, 0.0));
    Ok(Answer {
        iterations: 1,
        closed: Vec::new(),
        open,
    })
}

//! Solves one network after the other, each from where the last one came to rest.

use super::amva::Engine;
use super::assemble;
use super::exact;
use super::network::{Network, Workload};
use super::pools;
use super::problem::{Answer, Problem};
use super::solution::{Approximation, Flows, Method, Solution, SolveError};

/// Solves networks of which each differs little from the last, as in an iteration over something
/// that is no station: approximate methods start from where they came to rest. The answer is the same
/// as without it, but for the last digits (1e-9), and takes fewer sweeps.
///
/// ```
/// use plimsoll_queueing::queueing::{Class, Method, Network, Solver, Station};
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
#[derive(Clone, Default)]
pub struct Solver {
    engine: Option<Engine>,
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
        let (answer, approximations) = match method {
            Method::Linearizer | Method::Aql | Method::Schweitzer => {
                let engine = self.engine_at_rest(network, method, None)?;
                let mut approximations = engine.approximations().to_vec();
                if network.stations.iter().any(|station| station.kind.slows_down()) {
                    approximations.push(Approximation::FallingSpeeds);
                }
                (engine.answer(), approximations)
            }
            _ => {
                let problem = Problem::new(network)?;
                let answer = match method {
                    Method::ClosedForm => closed_form(&problem)?,
                    _ => exact::answer(&problem, method)?,
                };
                (answer, problem.approximations)
            }
        };
        Ok(assemble::solution(network, method, approximations, answer))
    }

    /// Throughputs and residence times alone, which cost less than a whole solution. An approximate method stops where
    /// no number of customers changes by more than `tolerance`, as a fraction of its class' population, in a
    /// sweep; as late as for a solution if none is given.
    ///
    /// ```
    /// use plimsoll_queueing::queueing::{Class, Method, Network, Solver, Station};
    ///
    /// let network = Network::new(
    ///     vec![Station::queueing("processor", 4), Station::queueing("disk", 1)],
    ///     vec![Class::closed("users", 100.0, 10.0, vec![0.2, 0.05])],
    /// );
    /// let solution = Solver::new().solve(&network, Method::Schweitzer).unwrap();
    /// let flows = Solver::new().flows(&network, Method::Schweitzer, Some(1e-9)).unwrap();
    /// assert!((flows.throughput[0] / solution.classes[0].throughput - 1.0).abs() < 1e-7);
    /// assert!((flows.residence(0)[1] / solution.classes[0].residence_time[1] - 1.0).abs() < 1e-6);
    /// ```
    pub fn flows(&mut self, network: &Network, method: Method, tolerance: Option<f64>) -> Result<Flows, SolveError> {
        let swept = matches!(method, Method::Linearizer | Method::Aql | Method::Schweitzer);
        if !swept || !network.pools.is_empty() {
            return Ok(Flows::of(&self.solve(network, method)?));
        }
        let engine = self.engine_at_rest(network, method, tolerance)?;
        let classes = network.classes.iter();
        Ok(engine.flows(classes.map(|c| matches!(c.workload, Workload::Closed { .. }))))
    }

    /// The engine for a network, come to rest.
    fn engine_at_rest(
        &mut self,
        network: &Network,
        method: Method,
        tolerance: Option<f64>,
    ) -> Result<&mut Engine, SolveError> {
        let mut before = self.engine.take();
        let renewed = match &mut before {
            Some(engine) => engine.renew(network, method)?,
            None => false,
        };
        let mut engine = match before {
            Some(engine) if renewed => engine,
            before => {
                let problem = Problem::new(network)?;
                if !fits(&problem, method) {
                    return Err(SolveError::Unsuitable {
                        method,
                        reason: format!(
                            "it keeps a network for each of {} classes at {} stations, more than there is room for; Schweitzer's method keeps one",
                            problem.closed.len(),
                            problem.centers.len()
                        ),
                    });
                }
                Engine::new(problem, method, before)
            }
        };
        engine.come_to_rest(tolerance)?;
        Ok(self.engine.insert(engine))
    }
}

/// Most numbers that the networks of a method hold together; of each there are a dozen copies, so that a
/// solution takes some 100 MB at most, and hundreds of sweeps some seconds.
const NUMBERS_MAX: usize = 1_000_000;

/// Whether the networks of an approximate method have room.
pub(super) fn fits(problem: &Problem, method: Method) -> bool {
    let classes = problem.closed.len();
    let networks = if method == Method::Schweitzer { 1 } else { classes + 1 };
    // A number of customers and one of busy servers for each class at each station.
    let numbers = networks * classes * 2 * problem.centers.len();
    numbers <= NUMBERS_MAX || method == Method::Schweitzer
}

fn closed_form(problem: &Problem) -> Result<Answer, SolveError> {
    if !problem.closed.is_empty() {
        return Err(SolveError::Unsuitable { method: Method::ClosedForm, reason: "it has closed classes".to_owned() });
    }
    let nobody = vec![0.0; problem.centers.len()];
    let open = problem.open_answers(&nobody, &nobody, |_, _| (0.0, 0.0));
    Ok(Answer { iterations: 1, excess: 0.0, closed: Vec::new(), open })
}

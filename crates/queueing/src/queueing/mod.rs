//! Queueing networks: exact and approximate solutions, bounds, single stations and locks.
//!
//! ```text
//!             ┌─────────── think Z ◄──────────────┐
//!             ▼                                   │
//!  N closed ──┴─► [station 1] ─► [station 2] ─ … ─┴─► response
//!  λ open   ────► [  m srv  ] ─► [  delay  ] ─ … ───► leaves
//! ```
//!
//! It knows demands in seconds, rates in 1/s, populations and numbers of servers. It must not know
//! what a station stands for, read a file or a clock, draw a random number, start a thread, or use
//! another module of this crate: the same network gives the same digits everywhere.
//!
//! [`solve`] picks a method; the modules hold each of them. Every answer obeys Little's law and the
//! utilization law, so an answer can be checked without knowing how it came about.

mod amva;
mod assemble;
mod center;
mod convolution;
mod forks;
mod form;
mod lattice;
mod levels;
mod pools;
mod problem;
mod scaled;
mod single;
mod special;

pub mod approximate;
pub mod bounds;
pub mod closed_forms;
pub mod decomposition;
pub mod exact;
pub mod locks;
pub mod mixed;
pub mod network;
pub mod solution;
pub mod solver;

pub use network::{Class, Discipline, Fork, Network, NetworkError, Pool, Station, StationKind, Workload};
pub use solution::{Approximation, ClassSolution, Flows, Method, PoolSolution, Solution, SolveError, StationSolution};

pub use solver::Solver;

use problem::Problem;

/// Most steps of an exact solution that [`solve`] takes: some ten milliseconds.
pub const EXACT_STEPS: f64 = 1e7;

/// Solves a network by the best method that is fast: closed forms without closed classes, exactly
/// where populations are whole and states few, else by the Linearizer, and by Schweitzer's
/// approximation if that should not converge or has no room. The solution says which.
///
/// ```
/// use plimsoll_queueing::queueing::{Class, Network, Station, solve};
///
/// // Jain's terminals: 20 users who think for 4 s.
/// let network = Network::new(
///     ["cpu", "disk A", "disk B"].map(|name| Station::queueing(name, 1)).into(),
///     vec![Class::closed("users", 20.0, 4.0, vec![2.0, 3.0, 1.0])],
/// );
/// let solution = solve(&network).unwrap();
/// assert!((solution.stations[1].queue_length - 16.176_651).abs() < 1e-6);
/// ```
pub fn solve(network: &Network) -> Result<Solution, SolveError> {
    if !network.pools.is_empty() {
        return pools::solve(network, None);
    }
    mixed::solve(network, best_method(network)?).or_else(|error| match error {
        SolveError::NotConverged { .. } => mixed::solve(network, Method::Schweitzer),
        error => Err(error),
    })
}

fn best_method(network: &Network) -> Result<Method, SolveError> {
    let problem = Problem::new(network)?;
    let cost = exact::cost(&problem);
    let whole = problem.closed.iter().all(|class| class.population.fract() == 0.0);
    Ok(if problem.closed.is_empty() {
        Method::ClosedForm
    } else if whole && problem.approximations.is_empty() && cost.steps <= EXACT_STEPS {
        Method::Exact
    } else if solver::fits(&problem, Method::Linearizer) {
        Method::Linearizer
    } else {
        Method::Schweitzer
    })
}

//! Open and closed classes together, by any method.
//!
//! Open classes have a given throughput; they take part of each server, and closed classes share
//! the rest: at one server their demands grow to D/(1 − `U_open`). At m servers the wait of both is
//! D/m·(waiting + P(all busy))/(1 − `U_open`), which is M/M/m when no closed class is there; the
//! exact method needs no such step. Open customers then find the closed ones on arrival.
//!
//! # References
//!
//! - E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, *Quantitative System Performance*,
//!   1984, chapter 7.4.

use super::network::Network;
use super::solution::{Method, Solution, SolveError};
use super::solver::Solver;

/// Solves a network by a given method; each accepts closed classes, open ones, or both, except
/// that closed forms need open classes only.
///
/// ```
/// use plimsoll_queueing::queueing::{Method, mixed, network::{Class, Network, Station}};
///
/// // Lazowska et al. 1984, page 148.
/// let network = Network::new(
///     vec![Station::queueing("cpu", 1), Station::queueing("disk", 1)],
///     vec![
///         Class::open("A", 1.0, vec![0.25, 1.0 / 6.0]),
///         Class::open("B", 0.5, vec![0.5, 1.0]),
///         Class::closed("C", 1.0, 0.0, vec![0.5, 1.0]),
///         Class::closed("D", 1.0, 0.0, vec![1.0, 4.0 / 3.0]),
///     ],
/// );
/// let solution = mixed::solve(&network, Method::Exact).unwrap();
/// assert!((solution.classes[2].queue_length[0] - 4.0 / 19.0).abs() < 1e-12);
/// ```
pub fn solve(network: &Network, method: Method) -> Result<Solution, SolveError> {
    Solver::new().solve(network, method)
}

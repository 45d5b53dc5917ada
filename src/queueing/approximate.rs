//! Approximate mean value analysis: Schweitzer's and Bard's fixed point, and the Linearizer.
//!
//! Both guess what an arriving customer finds from what the full network holds, and repeat until
//! the guess no longer moves. Schweitzer assumes that with one customer of a class less, the
//! class' queues shrink in proportion; the Linearizer also solves the networks with one customer
//! less and corrects the proportion. Cost does not grow with the population, and populations may
//! be fractions; below one customer a class never finds its own.
//!
//! # Several servers
//!
//! Seidmann's transformation replaces m servers by one that is m times as fast, demand D/m, and a
//! delay D·(m − 1)/m. It is right when idle and when saturated, but between them it lets customers
//! wait although servers are free. Here the wait is D/m·(waiting + P(all busy)), which is exact
//! given its two terms; the probability is Erlang's C at the load that the customer finds, so an
//! open stream gets M/M/m. Near saturation both are the same. With no more customers than servers
//! nobody waits at all.
//!
//! # Accuracy
//!
//! Against exact throughputs of thousands of random networks with one to three classes of up to 8
//! customers: Schweitzer is 2.7 % off on average and 11 % in the 99th percentile, worst where a
//! class has one customer; the Linearizer 0.2 % and 0.8 %, with several servers 2.1 %.
//!
//! # Assumptions
//!
//! As in [`exact`](super::exact). The loop is damped when it oscillates, and no order depends on a
//! hash: the same network gives the same digits.
//!
//! # References
//!
//! - P. J. Schweitzer, "Approximate analysis of multiclass closed networks of queues", 1979;
//!   Y. Bard, "Some extensions to multiclass queueing network analysis", 1979.
//! - K. M. Chandy and D. Neuse, "Linearizer: a heuristic algorithm for queueing network models of
//!   computing systems", CACM 25(2), 1982, 126–134.
//! - E. de Souza e Silva and R. R. Muntz, "A note on the computational cost of the Linearizer
//!   algorithm for queueing networks", IEEE TC 39(6), 1990.
//! - A. Seidmann, P. J. Schweitzer, S. Shalev-Oren, "Computerized closed queueing network models
//!   of flexible manufacturing systems", Large Scale Systems 12, 1987.

use super::mixed;
use super::network::Network;
use super::solution::{Method, Solution, SolveError};

/// Solves a network by Schweitzer's and Bard's fixed point.
///
/// ```
/// use plimsoll::queueing::{Class, Network, Station, approximate};
///
/// // Jain's terminals: the exact throughput is 0.333 247.
/// let network = Network::new(
///     ["cpu", "disk A", "disk B"].map(|name| Station::queueing(name, 1)).into(),
///     vec![Class::closed("users", 20.0, 4.0, vec![2.0, 3.0, 1.0])],
/// );
/// let solution = approximate::solve(&network).unwrap();
/// assert!((solution.classes[0].throughput - 0.333_247).abs() < 0.004);
/// ```
pub fn solve(network: &Network) -> Result<Solution, SolveError> {
    mixed::solve(network, Method::Schweitzer)
}

/// Solves a network by the Linearizer, iterated until it settles.
///
/// ```
/// use plimsoll::queueing::{Class, Network, Station, approximate};
///
/// // Jain's terminals: the exact throughput is 0.333 247.
/// let network = Network::new(
///     ["cpu", "disk A", "disk B"].map(|name| Station::queueing(name, 1)).into(),
///     vec![Class::closed("users", 20.0, 4.0, vec![2.0, 3.0, 1.0])],
/// );
/// let solution = approximate::linearizer(&network).unwrap();
/// assert!((solution.classes[0].throughput - 0.333_247).abs() < 0.001);
/// ```
pub fn linearizer(network: &Network) -> Result<Solution, SolveError> {
    mixed::solve(network, Method::Linearizer)
}

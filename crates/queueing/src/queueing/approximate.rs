//! Approximate mean value analysis: Schweitzer's and Bard's fixed point, the Linearizer, and AQL.
//!
//! Both guess what an arriving customer finds from what the full network holds, and repeat until
//! the guess no longer moves. Schweitzer assumes that with one customer of a class less, the
//! class' queues shrink in proportion; the Linearizer also solves the networks with one customer
//! less and corrects the proportion, AQL ([`Method::Aql`]) that of all classes together. Cost does not grow with the population, and populations may
//! be fractions; below one customer a class never finds its own.
//!
//! # Several servers
//!
//! Seidmann's transformation replaces m servers by one that is m times as fast, demand D/m, and a
//! delay D·(m − 1)/m. It is right when idle and when saturated, but between them it lets customers
//! wait although servers are free. Here the wait is D/m·(waiting + P(all busy)), which is exact
//! given its two terms; the probability is Erlang's C at the load that the customer finds, so an
//! open stream gets M/M/m. Near saturation both are the same. With no more customers than servers
//! nobody waits at all. Rolia's correction takes the power `(U/m)^m` for the probability and all who are
//! there for those who wait.
//!
//! Residence time at m servers of 1 s, beside a disk four fifths as busy and 1 s of thinking, N
//! customers: error against the exact load-dependent answer, which the simulator confirms to 1 % (a
//! test, `several_servers`, prints twenty such rows). Seidmann's network is solved exactly and Rolia's by the
//! recursion over all populations, so that only their corrections are in error; with that recursion
//! Rolia's asks more of 16 servers than they have.
//!
//! | m, N | exact | Linearizer | Schweitzer | Seidmann | Rolia |
//! |---|---|---|---|---|---|
//! | 2, 4 | 1.231 s | +3.0 % | +2.5 % | +13.5 % | −0.3 % |
//! | 2, 12 | 3.698 s | +0.2 % | +6.4 % | +1.8 % | +17.7 % |
//! | 4, 8 | 1.155 s | +2.4 % | +5.3 % | +16.7 % | +7.1 % |
//! | 4, 24 | 4.092 s | +0.8 % | +4.9 % | +0.7 % | +14.8 % |
//! | 8, 16 | 1.107 s | +1.4 % | +6.2 % | +15.5 % | +7.5 % |
//! | 8, 48 | 4.502 s | +0.3 % | +2.0 % | +0.04 % | +13.8 % |
//! | 16, 32 | 1.077 s | +0.5 % | +6.0 % | +12.8 % | +5.4 % |
//! | 16, 96 | 4.750 s | +0.05 % | +0.7 % | 0.00 % | −37.7 % |
//! | mean of all twenty | | 0.94 % | 3.4 % | 8.7 % | 9.7 % |
//!
//! # Load-dependent speed
//!
//! Whoever finds q customers on average stays as long as if the others came in proportion to how many
//! are elsewhere, which is exact where the rest of the network is a delay.
//!
//! # Accuracy
//!
//! Throughputs of 300 random networks each, one to three classes of up to 8 customers, against exact
//! ones (a test prints it): mean error, 99th percentile.
//!
//! | stations | Schweitzer | Linearizer | AQL | Seidmann's servers, else exact | Rolia's, recursion |
//! |---|---|---|---|---|---|
//! | one server | 2.8 %, 7.4 % | 0.13 %, 0.6 % | 0.14 %, 0.8 % | | |
//! | 1 to 8 servers | 2.1 %, 8.7 % | 0.21 %, 1.3 % | 0.22 %, 1.4 % | 2.2 %, 9.0 % | 5.8 %, 56 % |
//! | links | 2.3 %, 8.5 % | 0.17 %, 0.7 % | 0.18 %, 0.9 % | | |
//! | speeds that rise and fall at random | 4.4 %, 22 % | 2.3 %, 33 % | 2.4 %, 33 % | | |
//!
//! AQL is not better than the Linearizer, and here not faster. Speeds that fall again with more
//! customers make a station have two ways to be; no mean value tells which: use an exact method.
//!
//! # Assumptions
//!
//! As in [`exact`](super::exact). The loop is mixed (Anderson 1965) and damped when it swings, and no
//! order depends on a hash: the same network gives the same digits.
//!
//! # References
//!
//! - P. J. Schweitzer, "Approximate analysis of multiclass closed networks of queues", 1979;
//!   Y. Bard, "Some extensions to multiclass queueing network analysis", 1979.
//! - K. M. Chandy and D. Neuse, "Linearizer: a heuristic algorithm for queueing network models of
//!   computing systems", CACM 25(2), 1982, 126–134.
//! - E. de Souza e Silva and R. R. Muntz, "A note on the computational cost of the Linearizer
//!   algorithm for queueing networks", IEEE TC 39(6), 1990.
//! - J. Zahorjan, D. L. Eager, H. M. Sweillam, "Accuracy, speed, and convergence of approximate mean
//!   value analysis", Performance Evaluation 8(4), 1988.
//! - A. Seidmann, P. J. Schweitzer, S. Shalev-Oren, "Computerized closed queueing network models
//!   of flexible manufacturing systems", Large Scale Systems 12, 1987.
//! - J. A. Rolia, "Predicting the performance of software systems", thesis, University of Toronto 1992, page 157 (as LQNS 6.2 has it);
//!   J. A. Rolia and K. C. Sevcik, "The method of layers", IEEE TSE 21(8), 1995.

use super::mixed;
use super::network::Network;
use super::solution::{Method, Solution, SolveError};

/// Solves a network by Schweitzer's and Bard's fixed point.
///
/// ```
/// use plimsoll_queueing::queueing::{Class, Network, Station, approximate};
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
/// use plimsoll_queueing::queueing::{Class, Network, Station, approximate};
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

//! Fork and join: a customer is done when its parts at all branches are.
//!
//! # References
//!
//! - L. Flatto and S. Hahn, "Two parallel queues created by arrivals with two demands I", SIAM J.
//!   Applied Mathematics 44(5), 1984; A. Thomasian, ACM Computing Surveys 47(2), 2014, equation 6.
//! - R. Nelson and A. N. Tantawi, "Approximate analysis of fork/join synchronization in parallel
//!   queues", IEEE Transactions on Computers 37(6), 1988: K branches.

use super::{FormulaError, mm1, positive};

/// Fork and join over two M/M/1 branches: mean time until both parts are done, in seconds, at
/// arrival rate λ in 1/s and mean service time S in seconds in each branch.
///
/// ```
/// let both = plimsoll_queueing::queueing::closed_forms::fork_join2(0.5, 1.0).unwrap();
/// assert!((both - 2.875).abs() < 1e-12);
/// ```
pub fn fork_join2(arrival_rate: f64, service_time: f64) -> Result<f64, FormulaError> {
    let branch = mm1(arrival_rate, service_time)?;
    Ok((12.0 - branch.utilization) / 8.0 * branch.response_time)
}

/// Fork and join over K M/M/1 `branches`, approximately (Nelson and Tantawi): mean time until all
/// parts are done, in seconds, at arrival rate λ in 1/s and mean service time S in seconds in each
/// branch. Within 5 % of their simulations up to 32 branches, within 1.1 % of a Markov chain of three
/// at loads of 0.3 and 0.5; exact for one and two.
///
/// `R_K = (H_K/H_2 + (1 − H_K/H_2)·4ρ/11)·R_2`, with the harmonic numbers H.
///
/// ```
/// // Almost without load it is the longest of K services, S·H_K: 25/12 for four.
/// let idle = plimsoll_queueing::queueing::closed_forms::fork_join(1e-9, 1.0, 4).unwrap();
/// assert!((idle - 25.0 / 12.0).abs() < 1e-8);
/// ```
pub fn fork_join(arrival_rate: f64, service_time: f64, branches: u32) -> Result<f64, FormulaError> {
    positive("number of branches", f64::from(branches))?;
    if branches == 1 {
        return Ok(mm1(arrival_rate, service_time)?.response_time);
    }
    let two = fork_join2(arrival_rate, service_time)?;
    let more = harmonic(branches) / 1.5;
    let utilization = arrival_rate * service_time;
    Ok((more + (1.0 - more) * 4.0 * utilization / 11.0) * two)
}

/// `H_K = 1 + 1/2 + … + 1/K`.
fn harmonic(terms: u32) -> f64 {
    (1..=terms).rev().map(|term| 1.0 / f64::from(term)).sum()
}

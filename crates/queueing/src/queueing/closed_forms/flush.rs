//! Commits that share flushes: a flusher takes all who wait.
//!
//! The formula follows from renewal: a flush and the idle time after it are a cycle, and flushes
//! chain for as long as somebody arrived during the last one.

use super::{FormulaError, check};

/// Means of commits that share flushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupCommitMeans {
    /// Fraction of time a flush is under way, in [0, 1).
    pub utilization: f64,
    /// Time until the own flush starts, Wq, in seconds.
    pub waiting_time: f64,
    /// Time until the own flush is done, R = Wq + D, in seconds.
    pub response_time: f64,
    /// Mean commits in a flush, at least 1.
    pub batch: f64,
}

/// Group commit: a flusher that takes all who wait, each flush lasting D = `flush_time` seconds,
/// at λ = `arrival_rate` commits a second. A commit that arrives during a flush waits for the next.
///
/// Busy = D·e^(λD) / (D·e^(λD) + 1/λ), Wq = busy·D/2, batch = λD/busy. There is no limit of rate;
/// without sharing it would be 1/D.
///
/// ```
/// let commits = plimsoll_queueing::queueing::closed_forms::group_commit(1000.0, 0.001).unwrap();
/// assert!((commits.batch - 1.367_879).abs() < 1e-6);
/// ```
pub fn group_commit(arrival_rate: f64, flush_time: f64) -> Result<GroupCommitMeans, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("flush time", flush_time)?;
    let in_flush = check("commits in a flush time", arrival_rate * flush_time)?;
    // The formula divided by e^(λD)/λ, which cannot overflow.
    let batch = in_flush + (-in_flush).exp();
    let utilization = in_flush / batch;
    let waiting_time = utilization * flush_time / 2.0;
    let response_time = waiting_time + flush_time;
    Ok(GroupCommitMeans { utilization, waiting_time, response_time, batch })
}

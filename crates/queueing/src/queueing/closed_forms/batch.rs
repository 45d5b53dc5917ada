//! Customers that arrive in batches.
//!
//! # References
//!
//! - D. Gross, J. F. Shortle, J. M. Thompson, C. M. Harris, *Fundamentals of Queueing Theory*, 4th
//!   edition, 2008, section 3.1: M^X/M/1.
//! - M. L. Chaudhry and J. G. C. Templeton, *A First Course in Bulk Queues*, 1983: M^X/G/1.

use super::{FormulaError, QueueMeans, check, means};

/// M^X/G/1: batches at `batch_rate` in 1/s, each of `batch_mean` g ≥ 1 customers on average with
/// squared coefficient of variation `batch_scv`; mean service time S in seconds with squared
/// coefficient of variation `scv`. Means are those of a customer, at the rate λ·g.
///
/// A customer waits for what was there, as in M/G/1, and for those of its batch before it:
/// Wq = (ρ·S(1 + c²) + (E\[X²\]/g − 1)·S) / (2(1 − ρ)).
///
/// ```
/// // Batches of one or two, evenly: 20 an hour; service 1 min, exponential (ρ = 1/2).
/// // L = (ρ + λ·E[X²]·S)/(2(1 − ρ)) = (0.5 + 20/60·2.5)/1.
/// let batches = plimsoll_queueing::queueing::closed_forms::mg1_batches;
/// let queue = batches(20.0 / 3600.0, 1.5, 1.0 / 9.0, 60.0, 1.0).unwrap();
/// assert!((queue.queue_length - (0.5 + 5.0 / 6.0)).abs() < 1e-12);
/// ```
pub fn mg1_batches(
    batch_rate: f64,
    batch_mean: f64,
    batch_scv: f64,
    service_time: f64,
    scv: f64,
) -> Result<QueueMeans, FormulaError> {
    check("batch rate", batch_rate)?;
    check("squared coefficient of variation of batches", batch_scv)?;
    check("squared coefficient of variation", scv)?;
    if check("mean batch", batch_mean)? < 1.0 {
        return Err(FormulaError::Argument { name: "mean batch", value: batch_mean });
    }
    // E[X²]/g − 1: twice the mean number of one's batch that goes before.
    let before = batch_mean * (1.0 + batch_scv) - 1.0;
    means(batch_rate * batch_mean, service_time, 1, |utilization| {
        (utilization * (1.0 + scv) + before) * service_time / (2.0 * (1.0 - utilization))
    })
}

//! Estimators: means with intervals, batches, warm-up, quantiles.
//!
//! Knows numbers that were observed one after another. Must not know what they mean. Every estimator
//! keeps a bounded number of figures, however many observations it has seen.
//!
//! - [`interval`]: Student's t; the mean of independent values, the ratio of two sums;
//! - [`welford`]: mean and variance in one pass;
//! - [`batch`]: 10 to 20 batches of a run of unknown length;
//! - [`warm_up`]: how much of a series to leave out (MSER-5);
//! - [`histogram`]: counts with bounded relative error, quantiles and their intervals.

pub mod batch;
pub mod histogram;
pub mod interval;
mod median;
pub mod warm_up;
pub mod welford;

pub use batch::Batches;
pub use histogram::Histogram;
pub use interval::{Interval, student_t};
pub use median::median;
pub use welford::Welford;

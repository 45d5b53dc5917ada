//! Bounds that hold the exact answer, in microseconds of arithmetic.
//!
//! [`asymptotic`], [`balanced_job`] and [`proportional`] take the demands of one class;
//! [`of_network`] takes any network and says for each class how much it can get and how long that
//! takes, for each station how busy it is, and where and when a class saturates.

mod classes;
mod product_form;
mod single;
mod stretch;
mod view;

pub use classes::{ClassBounds, Limit, NetworkBounds, StationBounds, of_network};
pub use single::{asymptotic, balanced_job, knee_population, proportional, saturation_throughput};

/// An interval that holds the exact answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least throughput, X, in 1/s.
    pub throughput_low: f64,
    /// Greatest throughput, X, in 1/s.
    pub throughput_high: f64,
    /// Least response time, R, in seconds.
    pub response_time_low: f64,
    /// Greatest response time, R, in seconds.
    pub response_time_high: f64,
}

impl Bounds {
    /// Bounds from those of N/X = R + Z.
    fn from_cycle(population: f64, think_time: f64, cycle_low: f64, cycle_high: f64) -> Self {
        let rate = |cycle: f64| {
            if population > 0.0 { population / cycle } else { 0.0 }
        };
        Self {
            throughput_low: rate(cycle_high),
            throughput_high: rate(cycle_low),
            response_time_low: (cycle_low - think_time).max(0.0),
            response_time_high: (cycle_high - think_time).max(0.0),
        }
    }
}

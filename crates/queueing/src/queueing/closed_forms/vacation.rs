//! A server that goes away when nobody is there, or that must start before it serves.
//!
//! # References
//!
//! - S. W. Fuhrmann and R. B. Cooper, "Stochastic decompositions in the M/G/1 queue with generalized
//!   vacations", Operations Research 33(5), 1985: what is found in an M/G/1 and what is found of a
//!   vacation add up.
//! - P. D. Welch, "On a generalized M/G/1 queuing process in which the first customer of each busy
//!   period receives exceptional service", Operations Research 12(5), 1964: setup.

use super::{FormulaError, QueueMeans, check, general::mg1, means};

/// M/G/1 with multiple vacations: a server that finds nobody goes away for a mean time V =
/// `vacation_time` in seconds with squared coefficient of variation `vacation_scv`, again and again
/// until it finds somebody. Arrivals λ in 1/s, mean service time S in seconds, c² of the service.
///
/// Wq is that of M/G/1 and the rest of a vacation, V(1 + c²)/2.
///
/// ```
/// // A poller that looks every 10 ms, exactly: an idle system costs 5 ms.
/// let vacations = plimsoll_queueing::queueing::closed_forms::mg1_vacations;
/// let polled = vacations(1e-9, 0.001, 1.0, 0.010, 0.0).unwrap();
/// assert!((polled.waiting_time - 0.005).abs() < 1e-9);
/// ```
pub fn mg1_vacations(
    arrival_rate: f64,
    service_time: f64,
    scv: f64,
    vacation_time: f64,
    vacation_scv: f64,
) -> Result<QueueMeans, FormulaError> {
    check("vacation time", vacation_time)?;
    check("squared coefficient of variation of vacations", vacation_scv)?;
    let rest = vacation_time * (1.0 + vacation_scv) / 2.0;
    delayed(arrival_rate, service_time, scv, rest)
}

/// M/G/1 whose server stops when nobody is there and needs a mean time D = `setup_time` in seconds,
/// with squared coefficient of variation `setup_scv`, to start for the first who comes: a disk that
/// spins up. Arrivals λ in 1/s, mean service time S in seconds, c² of the service.
///
/// Wq is that of M/G/1 and (2D + λ·E\[D²\]) / (2(1 + λ·D)).
///
/// ```
/// // An exponential setup adds its mean at any load.
/// let setup = plimsoll_queueing::queueing::closed_forms::mg1_setup;
/// let disk = setup(1.0, 0.5, 4.0, 8.0, 1.0).unwrap();
/// assert!((disk.response_time - (1.75 + 8.0)).abs() < 1e-12);
/// ```
pub fn mg1_setup(
    arrival_rate: f64,
    service_time: f64,
    scv: f64,
    setup_time: f64,
    setup_scv: f64,
) -> Result<QueueMeans, FormulaError> {
    check("setup time", setup_time)?;
    check("squared coefficient of variation of setups", setup_scv)?;
    let arrivals = check("arrivals in a setup", arrival_rate * setup_time)?;
    let delay = setup_time * (1.0 + arrivals * (1.0 + setup_scv) / 2.0) / (1.0 + arrivals);
    delayed(arrival_rate, service_time, scv, delay)
}

/// M/G/1 and a delay that adds to its wait (decomposition).
fn delayed(arrival_rate: f64, service_time: f64, scv: f64, delay: f64) -> Result<QueueMeans, FormulaError> {
    let undelayed = mg1(arrival_rate, service_time, scv)?;
    means(arrival_rate, service_time, 1, |_| undelayed.waiting_time + delay)
}

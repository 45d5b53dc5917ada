//! Stations with general service or arrivals: M/G/1, and M/G/m and G/G/m approximately.
//!
//! # References
//!
//! - L. Kleinrock, *Queueing Systems*, volume 1, 1975, section 5.6: Pollaczek–Khinchine; volume 2,
//!   1976, section 4.4: processor sharing.
//! - A. O. Allen, *Probability, Statistics, and Queueing Theory with Computer Science
//!   Applications*, 2nd edition, 1990, section 5.3: the Allen–Cunneen approximation.
//! - G. P. Cosmetatos, "Some approximate equilibrium results for the multi-server queue (M/G/r)",
//!   Operational Research Quarterly 27, 1976: M/D/m.
//! - T. Kimura, "A two-moment approximation for the mean waiting time in the GI/G/s queue",
//!   Management Science 32(6), 1986: between M/D/m and M/M/m.
//! - W. Whitt, "Approximations for the GI/G/m queue", Production and Operations Management 2(2),
//!   1993, equations 2.16 to 2.25.
//! - W. Krämer and M. Langenbach-Belz, "Approximate formulae for the delay in the queueing system
//!   GI/G/1", ITC 8, 1976.

use super::{FormulaError, QueueMeans, check, erlang, means};

/// M/G/1, first come first served (Pollaczek–Khinchine): arrival rate λ in 1/s, mean service time
/// S in seconds, squared coefficient of variation c² of the service.
///
/// ```
/// let queue = plimsoll_queueing::queueing::closed_forms::mg1(1.0, 0.5, 4.0).unwrap();
/// assert!((queue.response_time - 1.75).abs() < 1e-12);
/// ```
pub fn mg1(arrival_rate: f64, service_time: f64, scv: f64) -> Result<QueueMeans, FormulaError> {
    check("squared coefficient of variation", scv)?;
    means(arrival_rate, service_time, 1, |utilization| {
        utilization * service_time * (1.0 + scv) / (2.0 * (1.0 - utilization))
    })
}

/// M/G/1, processor sharing: arrival rate λ in 1/s, mean service time S in seconds. The
/// distribution of the service does not matter; "waiting" is the time that sharing adds.
///
/// ```
/// let queue = plimsoll_queueing::queueing::closed_forms::mg1_ps(1.0, 0.5).unwrap();
/// assert!((queue.response_time - 1.0).abs() < 1e-12);
/// ```
pub fn mg1_ps(arrival_rate: f64, service_time: f64) -> Result<QueueMeans, FormulaError> {
    mg1(arrival_rate, service_time, 1.0)
}

/// M/G/m, first come first served, approximately: Kimura's harmonic mean between M/D/m (by
/// Cosmetatos) and M/M/m. Arrival rate λ in 1/s, mean service time S in seconds with squared
/// coefficient of variation `scv`, m servers.
///
/// Exact at m = 1 and at c² = 1. Against Markov chains at ρ = 0.5 and 0.8 with 2 and 8 servers, Wq is
/// within 2.5 % at c² = 1/2 and within 4 % at c² = 4; [`allen_cunneen`] is off by up to 54 %.
///
/// ```
/// // M/H2/2 at ρ = 0.8, c² = 4: the Markov chain says 4.2854.
/// let queue = plimsoll_queueing::queueing::closed_forms::mgm(1.6, 1.0, 4.0, 2).unwrap();
/// assert!((queue.waiting_time / 4.2854 - 1.0).abs() < 0.004);
/// ```
pub fn mgm(arrival_rate: f64, service_time: f64, scv: f64, servers: u32) -> Result<QueueMeans, FormulaError> {
    check("squared coefficient of variation", scv)?;
    means(arrival_rate, service_time, servers, |utilization| {
        let exponential = erlang::mean_wait(arrival_rate, service_time, servers, utilization);
        if exponential == 0.0 {
            return 0.0;
        }
        // (1 + c²) / (2c²/W_M + (1 − c²)/W_D) with W_D = W_M(1 + γ)/2.
        let gamma = cosmetatos(servers, utilization);
        exponential * (1.0 + scv) * (1.0 + gamma) / (2.0 * (1.0 + scv * gamma))
    })
}

/// What a second server and more add to the wait of M/D/m, as a fraction of half that of M/M/m.
fn cosmetatos(servers: u32, utilization: f64) -> f64 {
    let m = f64::from(servers);
    (1.0 - utilization) * (m - 1.0) * ((4.0 + 5.0 * m).sqrt() - 2.0) / (16.0 * m * utilization)
}

/// G/G/m, first come first served, approximately (Allen and Cunneen): arrival rate λ in 1/s with
/// squared coefficient of variation `arrival_scv` of the times between arrivals, mean service time S
/// in seconds with `service_scv`, m servers.
///
/// Wq = (c² of arrivals + c² of service)/2 · Wq of M/M/m: exact for M/M/m and M/G/1. It is the formula
/// of textbooks; [`mgm`] and [`ggm`] are better, and [`ggm`] says how much.
///
/// ```
/// // Menascé, Almeida and Dowdy, "Performance by Design", example 11.8 (with one server): 80
/// // requests/s, service 9 ms, coefficients of variation 2 and 1/3.
/// let store = plimsoll_queueing::queueing::closed_forms::allen_cunneen;
/// let store = store(80.0, 4.0, 0.009, 1.0 / 9.0, 1).unwrap();
/// assert!((store.waiting_time - 0.0476).abs() < 1e-4);
/// ```
pub fn allen_cunneen(
    arrival_rate: f64,
    arrival_scv: f64,
    service_time: f64,
    service_scv: f64,
    servers: u32,
) -> Result<QueueMeans, FormulaError> {
    varied(arrival_rate, arrival_scv, service_time, service_scv, servers, |_| 1.0)
}

/// G/G/m, first come first served, approximately (Whitt; Krämer and Langenbach-Belz for one server),
/// from the same numbers as [`allen_cunneen`]. For Poisson arrivals [`mgm`] is better.
///
/// Errors of Wq against Markov chains of two-phase times with c² of 1/2, 1 and 4,
/// those of arrivals not 1:
///
/// | | m = 1 | m = 2 | m = 8 | Allen–Cunneen, m = 1, 2, 8 |
/// |---|---|---|---|---|
/// | ρ = 0.8 | 6 % | 3 % | 17 % | 8 %, 10 %, 21 % |
/// | ρ = 0.5 | 9 % | 5 % | 52 % | 29 %, 42 %, 141 % |
///
/// At ρ = 0.5 eight servers make waits of 0.3 % to 9 % of a service time, so that the error of the
/// response time is below 4 %.
///
/// ```
/// // E2/M/1 at ρ = 0.8: exactly 2.8440; Allen and Cunneen say 3.
/// let queue = plimsoll_queueing::queueing::closed_forms::ggm(0.8, 0.5, 1.0, 1.0, 1).unwrap();
/// assert!((queue.waiting_time / 2.8440 - 1.0).abs() < 0.03);
/// ```
pub fn ggm(
    arrival_rate: f64,
    arrival_scv: f64,
    service_time: f64,
    service_scv: f64,
    servers: u32,
) -> Result<QueueMeans, FormulaError> {
    varied(arrival_rate, arrival_scv, service_time, service_scv, servers, |utilization| match servers {
        _ if utilization == 0.0 => 1.0,
        1 => langenbach_belz(arrival_scv, service_scv, utilization),
        _ => whitt(arrival_scv, service_scv, servers, utilization),
    })
}

/// Wq of M/M/m times the mean variation and a factor of the utilization.
fn varied(
    arrival_rate: f64,
    arrival_scv: f64,
    service_time: f64,
    service_scv: f64,
    servers: u32,
    factor: impl FnOnce(f64) -> f64,
) -> Result<QueueMeans, FormulaError> {
    check("squared coefficient of variation of arrivals", arrival_scv)?;
    check("squared coefficient of variation", service_scv)?;
    let variation = f64::midpoint(arrival_scv, service_scv);
    means(arrival_rate, service_time, servers, |utilization| {
        let exponential = erlang::mean_wait(arrival_rate, service_time, servers, utilization);
        variation * factor(utilization) * exponential
    })
}

fn langenbach_belz(arrival_scv: f64, service_scv: f64, utilization: f64) -> f64 {
    let free = 1.0 - utilization;
    let exponent = if arrival_scv + service_scv == 0.0 {
        return 1.0;
    } else if arrival_scv < 1.0 {
        let short = 1.0 - arrival_scv;
        2.0 * free * short * short / (3.0 * utilization * (arrival_scv + service_scv))
    } else {
        free * (arrival_scv - 1.0) / (arrival_scv + 4.0 * service_scv)
    };
    (-exponent).exp()
}

/// Whitt's factor φ: M/D/m (φ1) where arrivals vary more, D/M/m (φ3) where service does, and where
/// both do alike ψ, which is 1 from c² = 1 on.
fn whitt(arrival_scv: f64, service_scv: f64, servers: u32, utilization: f64) -> f64 {
    let gamma = cosmetatos(servers, utilization).min(0.24);
    let (a, s) = (arrival_scv, service_scv);
    let constant_service = 1.0 + gamma;
    let fewer = 2.0 * (1.0 - utilization) / (3.0 * utilization);
    let constant_arrivals = (1.0 - 4.0 * gamma) * (-fewer).exp();
    let both = f64::midpoint(constant_service, constant_arrivals).min(1.0);
    let alike = both.powf((2.0 - a - s).max(0.0));
    if a + s == 0.0 {
        alike
    } else if a >= s {
        (4.0 * (a - s) * constant_service + s * alike) / (4.0 * a - 3.0 * s)
    } else {
        ((s - a) * constant_arrivals + (s + 3.0 * a) * alike) / (2.0 * (a + s))
    }
}

//! Classes with priorities at one station: who is served next, and whether service is interrupted.
//!
//! Classes are in order of priority, the first served first; σ is the load of a class and of all
//! before it.
//!
//! # References
//!
//! - A. Cobham, "Priority assignment in waiting line problems", Operations Research 2(1), 1954:
//!   without interruption, M/G/1 and M/M/m.
//! - L. Kleinrock, *Queueing Systems*, volume 2, 1976, sections 3.3 and 3.4: with interruption.
//! - F. S. Hillier and G. J. Lieberman, *Introduction to Operations Research*, "Priority-discipline
//!   queueing models": M/M/m with interruption from the fact that a class does not feel those
//!   behind it.

use super::{FormulaError, QueueMeans, check, erlang, positive};

/// A class of customers at a station with priorities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorityClass {
    /// Arrivals per time, λ, in 1/s.
    pub arrival_rate: f64,
    /// Mean service time, S, in seconds.
    pub service_time: f64,
    /// Squared coefficient of variation of the service, c².
    pub scv: f64,
}

/// M/G/1 with priorities, service not interrupted (Cobham): means of each class, whose utilization
/// is its own share of the server.
///
/// `R_k = S_k + W0 / ((1 − σ_{k−1})(1 − σ_k))` with `W0 = Σ λ_i·S_i²(1 + c_i²)/2` over all classes.
///
/// ```
/// use plimsoll_queueing::queueing::closed_forms::{PriorityClass, mg1_priority};
///
/// // Hillier and Lieberman's hospital: critical, serious and stable patients, one doctor.
/// let patients = [0.2, 0.6, 1.2].map(|arrival_rate| PriorityClass {
///     arrival_rate,
///     service_time: 1.0 / 3.0,
///     scv: 1.0,
/// });
/// let found = mg1_priority(&patients).unwrap();
/// // By hand: W0 = 2/9, so that 5/21 h, 25/77 h and 10/11 h.
/// assert!((found[0].waiting_time - 5.0 / 21.0).abs() < 1e-12);
/// assert!((found[2].waiting_time - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn mg1_priority(classes: &[PriorityClass]) -> Result<Vec<QueueMeans>, FormulaError> {
    check_classes(classes)?;
    let residual: f64 = classes.iter().map(residual).sum();
    let mut before = 0.0;
    Ok(classes
        .iter()
        .map(|class| {
            let own = class.arrival_rate * class.service_time;
            let waiting_time = residual / ((1.0 - before) * (1.0 - before - own));
            before += own;
            class_means(class.arrival_rate, own, waiting_time, class.service_time)
        })
        .collect())
}

/// M/G/1 with priorities, service interrupted by whoever goes before and resumed later: means of
/// each class, whose waiting time includes interruptions.
///
/// `R_k = S_k/(1 − σ_{k−1}) + W0_k / ((1 − σ_{k−1})(1 − σ_k))` with `W0_k` over classes up to k.
///
/// ```
/// use plimsoll_queueing::queueing::closed_forms::{PriorityClass, mg1_preemptive};
///
/// let patients = [0.2, 0.6, 1.2].map(|arrival_rate| PriorityClass {
///     arrival_rate,
///     service_time: 1.0 / 3.0,
///     scv: 1.0,
/// });
/// let found = mg1_preemptive(&patients).unwrap();
/// assert!((found[0].waiting_time - 1.0 / 42.0).abs() < 1e-12);
/// assert!((found[2].waiting_time - 34.0 / 33.0).abs() < 1e-12);
/// ```
pub fn mg1_preemptive(classes: &[PriorityClass]) -> Result<Vec<QueueMeans>, FormulaError> {
    check_classes(classes)?;
    let (mut before, mut residuals) = (0.0, 0.0);
    Ok(classes
        .iter()
        .map(|class| {
            let own = class.arrival_rate * class.service_time;
            residuals += residual(class);
            let free = 1.0 - before;
            let interrupted = class.service_time * before / free;
            let waiting_time = interrupted + residuals / (free * (free - own));
            before += own;
            class_means(class.arrival_rate, own, waiting_time, class.service_time)
        })
        .collect())
}

/// M/M/m with priorities, service not interrupted (Cobham): all classes are served for the same
/// mean time S in seconds by m servers; `arrival_rates` λ in 1/s, in order of priority.
///
/// `Wq_k = C(m, a)·S/m / ((1 − σ_{k−1})(1 − σ_k))`, with Erlang's C at the load a of all classes.
///
/// ```
/// // The hospital with a second doctor.
/// let rates = [0.2, 0.6, 1.2];
/// let found =
///     plimsoll_queueing::queueing::closed_forms::mmm_priority(&rates, 1.0 / 3.0, 2).unwrap();
/// // By hand: C(2, 2/3) = 1/6 and Wq = 1/36 over (1 − 2/15)(1 − 1/3).
/// assert!((found[2].waiting_time - 5.0 / 104.0).abs() < 1e-12);
/// ```
pub fn mmm_priority(arrival_rates: &[f64], service_time: f64, servers: u32) -> Result<Vec<QueueMeans>, FormulaError> {
    let offered = check_rates(arrival_rates, service_time, servers)?;
    let per_server = service_time / f64::from(servers);
    let residual = erlang::erlang_c(servers, offered) * per_server;
    let mut before = 0.0;
    Ok(arrival_rates
        .iter()
        .map(|rate| {
            let own = rate * per_server;
            let waiting_time = residual / ((1.0 - before) * (1.0 - before - own));
            before += own;
            class_means(*rate, own, waiting_time, service_time)
        })
        .collect())
}

/// M/M/m with priorities, service interrupted and resumed: all classes are served for the same mean
/// time S in seconds by m servers; `arrival_rates` λ in 1/s, in order of priority.
///
/// The classes up to k together are an M/M/m, since those behind them are not there for them; a
/// class has what its predecessors leave of that.
///
/// ```
/// let rates = [0.2, 0.6, 1.2];
/// let found =
///     plimsoll_queueing::queueing::closed_forms::mmm_preemptive(&rates, 1.0 / 3.0, 2).unwrap();
/// assert!((found[2].waiting_time - 0.065_42).abs() < 5e-6);
/// ```
pub fn mmm_preemptive(arrival_rates: &[f64], service_time: f64, servers: u32) -> Result<Vec<QueueMeans>, FormulaError> {
    check_rates(arrival_rates, service_time, servers)?;
    let per_server = service_time / f64::from(servers);
    let mut before = 0.0;
    Ok(arrival_rates
        .iter()
        .map(|rate| {
            let own = rate * per_server;
            let waiting_time = service_time * marginal_queue(servers, before, own);
            before += own;
            class_means(*rate, own, waiting_time, service_time)
        })
        .collect())
}

/// Waiting customers that a load adds, per busy server that it adds: (Lq(ρ + δ) − Lq(ρ))/(m·δ) of an
/// M/M/m, with utilizations ρ = `before` and δ = `own`.
fn marginal_queue(servers: u32, before: f64, own: f64) -> f64 {
    let m = f64::from(servers);
    if own > 1e-5 * (1.0 - before) {
        let waiting = |utilization: f64| erlang::erlang_c(servers, utilization * m) * utilization / (1.0 - utilization);
        return (waiting(before + own) - waiting(before)) / (m * own);
    }
    // The difference would cancel: the derivative at the middle, whose error is of second order.
    let middle = before + own / 2.0;
    let waits = erlang::erlang_c(servers, middle * m);
    if waits == 0.0 {
        // The first customers of all.
        return 0.0;
    }
    // d ln C / dρ, from C = B/(1 − ρ(1 − B)) and d ln B / d ln a = m − a(1 − B).
    let lost = erlang::erlang_b(servers, middle * m);
    let slope_lost = lost * (m / middle - m * (1.0 - lost));
    let below = 1.0 - middle * (1.0 - lost);
    let slope = (slope_lost - lost * (middle * slope_lost - (1.0 - lost)) / below) / below;
    let free = 1.0 - middle;
    (slope * middle / free + waits / (free * free)) / m
}

/// Mean rest of a service that an arrival finds under way, in seconds.
fn residual(class: &PriorityClass) -> f64 {
    class.arrival_rate * class.service_time * class.service_time * (1.0 + class.scv) / 2.0
}

fn class_means(arrival_rate: f64, utilization: f64, waiting_time: f64, service_time: f64) -> QueueMeans {
    let response_time = waiting_time + service_time;
    QueueMeans { utilization, waiting_time, response_time, queue_length: arrival_rate * response_time }
}

fn check_classes(classes: &[PriorityClass]) -> Result<(), FormulaError> {
    let mut utilization = 0.0;
    for class in classes {
        check("arrival rate", class.arrival_rate)?;
        check("service time", class.service_time)?;
        check("squared coefficient of variation", class.scv)?;
        utilization += class.arrival_rate * class.service_time;
    }
    refuse_saturated(utilization)
}

/// Offered load of all classes, a.
fn check_rates(arrival_rates: &[f64], service_time: f64, servers: u32) -> Result<f64, FormulaError> {
    check("service time", service_time)?;
    let servers = positive("number of servers", f64::from(servers))?;
    let mut offered = 0.0;
    for rate in arrival_rates {
        offered += check("arrival rate", *rate)? * service_time;
    }
    refuse_saturated(offered / servers)?;
    Ok(offered)
}

fn refuse_saturated(utilization: f64) -> Result<(), FormulaError> {
    if utilization < 1.0 { Ok(()) } else { Err(FormulaError::Saturated { utilization }) }
}

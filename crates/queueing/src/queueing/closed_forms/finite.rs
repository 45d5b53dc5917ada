//! Stations with finitely many places or finitely many customers.
//!
//! Both are birth–death chains of so few states that they are summed one by one, in weights
//! relative to the largest so far, so that none overflows.
//!
//! # References
//!
//! - L. Kleinrock, *Queueing Systems*, volume 1, 1975, sections 3.6 (M/M/m/K) and 3.8 (M/M/m//N).
//! - C. Palm, "Arbetskraftens fördelning vid betjäning av automatmaskiner", 1947: the machine
//!   repairman.

use super::{FormulaError, check, positive};

/// Means of a station that turns customers away when its places are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiniteQueueMeans {
    /// Probability that nobody is there, `p_0`.
    pub empty_probability: f64,
    /// Fraction of arrivals turned away, `p_K`.
    pub blocking_probability: f64,
    /// Completions per time, X, in 1/s.
    pub throughput: f64,
    /// Busy fraction of a server, U, in [0, 1].
    pub utilization: f64,
    /// Time before service of those let in, Wq, in seconds.
    pub waiting_time: f64,
    /// Waiting and service of those let in, R, in seconds.
    pub response_time: f64,
    /// Mean number, L, waiting and in service.
    pub queue_length: f64,
}

/// Means of a station that finitely many customers visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiniteSourceMeans {
    /// Probability that nobody is there (all machines run), `p_0`.
    pub empty_probability: f64,
    /// Completions per time, X, in 1/s.
    pub throughput: f64,
    /// Busy fraction of a server, U, in [0, 1].
    pub utilization: f64,
    /// Time before service, Wq, in seconds.
    pub waiting_time: f64,
    /// Waiting and service, R, in seconds.
    pub response_time: f64,
    /// Mean number, L, waiting and in service.
    pub queue_length: f64,
}

/// Most places of a finite queue, which are summed one by one.
const MOST_PLACES: u32 = 10_000_000;

/// A birth–death chain in steady state.
struct Chain {
    empty: f64,
    full: f64,
    /// Mean number, waiting and in service.
    number: f64,
    /// Mean number in service.
    in_service: f64,
}

/// States 0 to `places`, `servers` of which are served at once; `offered` says the births at one
/// place below `place`, in units of the rate of one server.
fn chain(places: u32, servers: u32, offered: impl Fn(u32) -> f64) -> Chain {
    let (mut weight, mut sum, mut first) = (1.0_f64, 1.0_f64, 1.0_f64);
    let (mut number, mut in_service) = (0.0_f64, 0.0_f64);
    for place in 1..=places {
        let active = f64::from(place.min(servers));
        weight *= offered(place) / active;
        sum += weight;
        number += f64::from(place) * weight;
        in_service += active * weight;
        if weight > 1e100 {
            for value in [&mut sum, &mut first, &mut number, &mut in_service, &mut weight] {
                *value *= 1e-100;
            }
        }
    }
    Chain { empty: first / sum, full: weight / sum, number: number / sum, in_service: in_service / sum }
}

impl Chain {
    /// Mean wait by Little's law over those who wait, in seconds.
    fn waiting_time(&self, throughput: f64) -> f64 {
        if throughput > 0.0 { (self.number - self.in_service).max(0.0) / throughput } else { 0.0 }
    }
}

fn check_places(name: &'static str, places: u32, least: u32) -> Result<(), FormulaError> {
    if (least..=MOST_PLACES).contains(&places) {
        Ok(())
    } else {
        Err(FormulaError::Argument { name, value: f64::from(places) })
    }
}

/// M/M/m/K: arrival rate λ in 1/s, mean service time S in seconds, m servers and `places` K for
/// customers, those in service included (m ≤ K ≤ 10 million). Any load has a steady state.
///
/// ```
/// let queue = plimsoll_queueing::queueing::closed_forms::mmmk(3.0, 0.5, 2, 5).unwrap();
/// assert!((queue.queue_length - 2.00595).abs() < 1e-5);
/// ```
pub fn mmmk(arrival_rate: f64, service_time: f64, servers: u32, places: u32) -> Result<FiniteQueueMeans, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("service time", service_time)?;
    let offered = check("offered load", arrival_rate * service_time)?;
    positive("number of servers", f64::from(servers))?;
    check_places("number of places", places, servers)?;
    let chain = chain(places, servers, |_| offered);
    let throughput = arrival_rate * (1.0 - chain.full);
    let waiting_time = chain.waiting_time(throughput);
    Ok(FiniteQueueMeans {
        empty_probability: chain.empty,
        blocking_probability: chain.full,
        throughput,
        utilization: chain.in_service / f64::from(servers),
        waiting_time,
        response_time: waiting_time + service_time,
        queue_length: chain.number,
    })
}

/// M/M/m//N, the machine repairman: `machines` N (1 to 10 million), each running for a mean time
/// Z > 0 in seconds before it needs one of m `servers` for a mean time S in seconds. It always has
/// a steady state.
///
/// ```
/// // Ross's job shop: 3 machines that run for 10 h, 2 repairmen who need 8 h.
/// let shop = plimsoll_queueing::queueing::closed_forms::machine_repairman(3, 10.0, 8.0, 2).unwrap();
/// assert!((shop.queue_length - 1068.0 / 761.0).abs() < 1e-12);
/// ```
pub fn machine_repairman(
    machines: u32,
    running_time: f64,
    service_time: f64,
    servers: u32,
) -> Result<FiniteSourceMeans, FormulaError> {
    positive("running time", running_time)?;
    check("service time", service_time)?;
    let ratio = check("service time over running time", service_time / running_time)?;
    positive("number of servers", f64::from(servers))?;
    check_places("number of machines", machines, 1)?;
    let chain = chain(machines, servers, |place| f64::from(machines - place + 1) * ratio);
    let throughput = (f64::from(machines) - chain.number) / running_time;
    let waiting_time = chain.waiting_time(throughput);
    Ok(FiniteSourceMeans {
        empty_probability: chain.empty,
        throughput,
        utilization: chain.in_service / f64::from(servers),
        waiting_time,
        response_time: waiting_time + service_time,
        queue_length: chain.number,
    })
}

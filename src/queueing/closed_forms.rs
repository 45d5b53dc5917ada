//! Formulas of single stations: M/M/1, M/M/m, Erlang, M/G/1, group commit, fork and join.
//!
//! Rates are in 1/s and times in seconds; ρ is the utilization. A formula refuses numbers it is
//! not defined for and says `Saturated` where a queue grows for ever.
//!
//! # Assumptions
//!
//! Poisson arrivals; exponential service unless the name has a G or the text says otherwise.
//!
//! # References
//!
//! - L. Kleinrock, *Queueing Systems*, volume 1, 1975: M/M/m, M/M/m/K, Pollaczek–Khinchine.
//! - A. K. Erlang, "Løsning af nogle problemer fra sandsynlighedsregningen", 1917.
//! - L. Flatto and S. Hahn, "Two parallel queues created by arrivals with two demands I", SIAM J.
//!   Applied Mathematics 44(5), 1984; A. Thomasian, ACM Computing Surveys 47(2), 2014, equation 6.

use thiserror::Error;

/// Why a formula has no value.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FormulaError {
    /// An argument that is negative, not finite, or zero where it must not be.
    #[error("{name} is {value}, for which the formula is not defined")]
    Argument {
        /// Name of the argument.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The queue grows for ever.
    #[error("the queue is saturated: utilization {utilization:.4}")]
    Saturated {
        /// Utilization, ρ, at least 1.
        utilization: f64,
    },
}

/// Means of a single station without limit of places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueMeans {
    /// Busy fraction of a server, ρ, in [0, 1).
    pub utilization: f64,
    /// Time before service, Wq, in seconds.
    pub waiting_time: f64,
    /// Waiting and service, R, in seconds.
    pub response_time: f64,
    /// Mean number, L, waiting and in service.
    pub queue_length: f64,
}

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

/// Most places of a finite queue, which are summed one by one.
const MOST_PLACES: u32 = 10_000_000;

fn check(name: &'static str, value: f64) -> Result<f64, FormulaError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(FormulaError::Argument { name, value })
    }
}

fn means(
    arrival_rate: f64,
    service_time: f64,
    servers: u32,
    wait: impl FnOnce(f64) -> f64,
) -> Result<QueueMeans, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("service time", service_time)?;
    if servers == 0 {
        return Err(FormulaError::Argument {
            name: "number of servers",
            value: 0.0,
        });
    }
    let utilization = arrival_rate * service_time / f64::from(servers);
    if utilization >= 1.0 {
        return Err(FormulaError::Saturated { utilization });
    }
    let waiting_time = wait(utilization);
    let response_time = waiting_time + service_time;
    let queue_length = arrival_rate * response_time;
    Ok(QueueMeans {
        utilization,
        waiting_time,
        response_time,
        queue_length,
    })
}

/// M/M/1: arrival rate λ in 1/s, mean service time S in seconds.
///
/// ```
/// // Hillier and Lieberman's hospital: 2 patients an hour, 3 treated an hour.
/// let hospital = plimsoll::queueing::closed_forms::mm1(2.0, 1.0 / 3.0).unwrap();
/// assert!((hospital.response_time - 1.0).abs() < 1e-12);
/// ```
pub fn mm1(arrival_rate: f64, service_time: f64) -> Result<QueueMeans, FormulaError> {
    mg1(arrival_rate, service_time, 1.0)
}

/// M/M/m: arrival rate λ in 1/s, mean service time S in seconds, m servers.
///
/// ```
/// let queue = plimsoll::queueing::closed_forms::mmm(6.4, 1.0, 8).unwrap();
/// assert!((queue.response_time - 1.286_028_1).abs() < 1e-6);
/// ```
pub fn mmm(arrival_rate: f64, service_time: f64, servers: u32) -> Result<QueueMeans, FormulaError> {
    means(arrival_rate, service_time, servers, |utilization| {
        let all_busy = erlang_c(servers, arrival_rate * service_time);
        all_busy * service_time / (f64::from(servers) * (1.0 - utilization))
    })
}

/// Erlang's B: fraction of arrivals lost by m `servers` without waiting places at an offered load
/// a = λ·S.
///
/// The load must be at least 0; with no server everything is lost.
///
/// ```
/// // 15 lines lose 1 % at 8.108 erlangs.
/// let lost = plimsoll::queueing::closed_forms::erlang_b(15, 8.108);
/// assert!((lost - 0.01).abs() < 1e-5);
/// ```
pub fn erlang_b(servers: u32, offered_load: f64) -> f64 {
    let mut lost = 1.0;
    for servers in 1..=servers {
        lost = offered_load * lost / (f64::from(servers) + offered_load * lost);
    }
    lost
}

/// Erlang's C: fraction of arrivals that wait for one of m `servers` at an offered load a = λ·S
/// from 0 to m; 1 from there on.
///
/// ```
/// let waiting = plimsoll::queueing::closed_forms::erlang_c(8, 6.4);
/// assert!((waiting - 0.457_644_9).abs() < 1e-7);
/// ```
pub fn erlang_c(servers: u32, offered_load: f64) -> f64 {
    if offered_load >= f64::from(servers) {
        return 1.0;
    }
    let lost = erlang_b(servers, offered_load);
    let utilization = offered_load / f64::from(servers);
    lost / (1.0 - utilization * (1.0 - lost))
}

/// M/M/m/K: arrival rate λ in 1/s, mean service time S in seconds, m servers and `places` K for
/// customers, those in service included (m ≤ K ≤ 10 million). Any load has a steady state.
///
/// ```
/// let queue = plimsoll::queueing::closed_forms::mmmk(3.0, 0.5, 2, 5).unwrap();
/// assert!((queue.queue_length - 2.00595).abs() < 1e-5);
/// ```
pub fn mmmk(
    arrival_rate: f64,
    service_time: f64,
    servers: u32,
    places: u32,
) -> Result<FiniteQueueMeans, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("service time", service_time)?;
    let offered = check("offered load", arrival_rate * service_time)?;
    if servers == 0 {
        return Err(FormulaError::Argument {
            name: "number of servers",
            value: 0.0,
        });
    }
    if places < servers || places > MOST_PLACES {
        return Err(FormulaError::Argument {
            name: "number of places",
            value: f64::from(places),
        });
    }
    // Weights relative to the largest so far, so that none overflows.
    let (mut weight, mut sum, mut first) = (1.0_f64, 1.0_f64, 1.0_f64);
    let (mut number, mut in_service) = (0.0_f64, 0.0_f64);
    for place in 1..=places {
        let active = f64::from(place.min(servers));
        weight *= offered / active;
        sum += weight;
        number += f64::from(place) * weight;
        in_service += active * weight;
        if weight > 1e100 {
            for value in [
                &mut sum,
                &mut first,
                &mut number,
                &mut in_service,
                &mut weight,
            ] {
                *value *= 1e-100;
            }
        }
    }
    let blocking_probability = weight / sum;
    let throughput = arrival_rate * (1.0 - blocking_probability);
    let queue_length = number / sum;
    let waiting_number = (number - in_service).max(0.0) / sum;
    let waiting_time = if throughput > 0.0 {
        waiting_number / throughput
    } else {
        0.0
    };
    Ok(FiniteQueueMeans {
        empty_probability: first / sum,
        blocking_probability,
        throughput,
        utilization: in_service / sum / f64::from(servers),
        waiting_time,
        response_time: waiting_time + service_time,
        queue_length,
    })
}

/// M/G/1, first come first served (Pollaczek–Khinchine): arrival rate λ in 1/s, mean service time
/// S in seconds, squared coefficient of variation c² of the service.
///
/// ```
/// let queue = plimsoll::queueing::closed_forms::mg1(1.0, 0.5, 4.0).unwrap();
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
/// let queue = plimsoll::queueing::closed_forms::mg1_ps(1.0, 0.5).unwrap();
/// assert!((queue.response_time - 1.0).abs() < 1e-12);
/// ```
pub fn mg1_ps(arrival_rate: f64, service_time: f64) -> Result<QueueMeans, FormulaError> {
    mg1(arrival_rate, service_time, 1.0)
}

/// Group commit: a flusher that takes all who wait, each flush lasting D = `flush_time` seconds,
/// at λ = `arrival_rate` commits a second. A commit that arrives during a flush waits for the next.
///
/// Busy = D·e^(λD) / (D·e^(λD) + 1/λ), Wq = busy·D/2, batch = λD/busy. There is no limit of rate;
/// without sharing it would be 1/D.
///
/// ```
/// let commits = plimsoll::queueing::closed_forms::group_commit(1000.0, 0.001).unwrap();
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
    Ok(GroupCommitMeans {
        utilization,
        waiting_time,
        response_time,
        batch,
    })
}

/// Fork and join over two M/M/1 branches: mean time until both parts are done, in seconds, at
/// arrival rate λ in 1/s and mean service time S in seconds in each branch.
///
/// ```
/// let both = plimsoll::queueing::closed_forms::fork_join2(0.5, 1.0).unwrap();
/// assert!((both - 2.875).abs() < 1e-12);
/// ```
pub fn fork_join2(arrival_rate: f64, service_time: f64) -> Result<f64, FormulaError> {
    let branch = mm1(arrival_rate, service_time)?;
    Ok((12.0 - branch.utilization) / 8.0 * branch.response_time)
}

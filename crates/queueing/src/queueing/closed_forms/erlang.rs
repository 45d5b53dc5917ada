//! Erlang's formulas and the stations that rest on them: M/M/1 and M/M/m.
//!
//! # References
//!
//! - A. K. Erlang, "Løsning af nogle problemer fra sandsynlighedsregningen", 1917.
//! - L. Kleinrock, *Queueing Systems*, volume 1, 1975, chapter 3: M/M/1, M/M/m.
//! - D. L. Jagerman, "Some properties of the Erlang loss function", Bell System Technical Journal
//!   53(3), 1974: the derivative that finds a load for a loss.

use super::{FormulaError, QueueMeans, check, means, positive};

/// M/M/1: arrival rate λ in 1/s, mean service time S in seconds.
///
/// ```
/// // Hillier and Lieberman's hospital: 2 patients an hour, 3 treated an hour.
/// let hospital = plimsoll_queueing::queueing::closed_forms::mm1(2.0, 1.0 / 3.0).unwrap();
/// assert!((hospital.response_time - 1.0).abs() < 1e-12);
/// ```
pub fn mm1(arrival_rate: f64, service_time: f64) -> Result<QueueMeans, FormulaError> {
    mmm(arrival_rate, service_time, 1)
}

/// M/M/m: arrival rate λ in 1/s, mean service time S in seconds, m servers.
///
/// ```
/// let queue = plimsoll_queueing::queueing::closed_forms::mmm(6.4, 1.0, 8).unwrap();
/// assert!((queue.response_time - 1.286_028_1).abs() < 1e-6);
/// ```
pub fn mmm(arrival_rate: f64, service_time: f64, servers: u32) -> Result<QueueMeans, FormulaError> {
    means(arrival_rate, service_time, servers, |utilization| {
        mean_wait(arrival_rate, service_time, servers, utilization)
    })
}

/// Wq of M/M/m in seconds, at a utilization below 1.
pub(super) fn mean_wait(arrival_rate: f64, service_time: f64, servers: u32, utilization: f64) -> f64 {
    let all_busy = erlang_c(servers, arrival_rate * service_time);
    all_busy * service_time / (f64::from(servers) * (1.0 - utilization))
}

/// Erlang's B: fraction of arrivals lost by m `servers` without waiting places at an offered load
/// a = λ·S.
///
/// The load must be at least 0; with no server everything is lost.
///
/// ```
/// // 15 lines lose 1 % at 8.108 erlangs.
/// let lost = plimsoll_queueing::queueing::closed_forms::erlang_b(15, 8.108);
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
/// let waiting = plimsoll_queueing::queueing::closed_forms::erlang_c(8, 6.4);
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

/// Inverse of [`erlang_b`] in the load: the offered load a, in erlangs, of which m `servers` lose
/// the fraction `lost`, above 0 and below 1.
///
/// ```
/// // 15 lines may lose 1 %: they carry 8.108 erlangs.
/// let load = plimsoll_queueing::queueing::closed_forms::erlang_b_load(15, 0.01).unwrap();
/// assert!((load - 8.108).abs() < 5e-4);
/// ```
pub fn erlang_b_load(servers: u32, lost: f64) -> Result<f64, FormulaError> {
    positive("number of servers", f64::from(servers))?;
    positive("fraction lost", lost)?;
    if lost >= 1.0 {
        return Err(FormulaError::Argument { name: "fraction lost", value: lost });
    }
    // A server carries at most 1 erlang: a(1 − B) < m bounds the load.
    let (mut low, mut high) = (0.0, f64::from(servers) / (1.0 - lost));
    let mut load = f64::midpoint(low, high);
    // Newton steps in the logarithms, halved intervals where they leave what is known.
    for _ in 0..200 {
        let found = erlang_b(servers, load);
        if found < lost {
            low = load;
        } else {
            high = load;
        }
        // d ln B / d ln a = m − a(1 − B).
        let slope = f64::from(servers) - load * (1.0 - found);
        let newton = load * ((lost / found).ln() / slope).exp();
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - load).abs() <= 1e-14 * load {
            return Ok(next);
        }
        load = next;
    }
    Ok(load)
}

/// Inverse of [`erlang_b`] in the servers: fewest servers that lose at most the fraction `lost`,
/// above 0, of an offered load a in erlangs.
///
/// ```
/// // The other way round: 8.1 erlangs need 15 lines.
/// let lines = plimsoll_queueing::queueing::closed_forms::erlang_b_servers(8.1, 0.01).unwrap();
/// assert_eq!(lines, 15);
/// ```
pub fn erlang_b_servers(offered_load: f64, lost: f64) -> Result<u32, FormulaError> {
    check("offered load", offered_load)?;
    positive("fraction lost", lost)?;
    let mut found = 1.0;
    for servers in 0..MOST_SERVERS {
        if servers > 0 {
            found = offered_load * found / (f64::from(servers) + offered_load * found);
        }
        if found <= lost {
            return Ok(servers);
        }
    }
    Err(FormulaError::Argument { name: "offered load", value: offered_load })
}

/// Most servers that [`erlang_b_servers`] tries.
const MOST_SERVERS: u32 = 10_000_000;

//! A link that streams share, each limited by its window over the round trip.
//!
//! # References
//!
//! - K. Lindberger, "Balancing quality of service, pricing and utilisation in multiservice networks
//!   with stream and elastic traffic", ITC 16, 1999: M/G/R processor sharing.
//! - J. W. Cohen, "The multiple phase service network with generalized processor sharing", Acta
//!   Informatica 12(3), 1979: only the mean size matters.

use super::{FormulaError, QueueMeans, check, positive};

/// What one stream can get at most, in bytes/s: `window` bytes on their way a round trip (seconds),
/// and never more than the `bandwidth` in bytes/s.
///
/// ```
/// // 64 KiB over 140 ms is 468 KB/s, however wide the link.
/// let limit = plimsoll_queueing::queueing::closed_forms::stream_limit(125e6, 65_536.0, 0.140).unwrap();
/// assert!((limit - 468_114.3).abs() < 0.1);
/// ```
pub fn stream_limit(bandwidth: f64, window: f64, round_trip: f64) -> Result<f64, FormulaError> {
    check("bandwidth", bandwidth)?;
    check("window", window)?;
    check("round trip", round_trip)?;
    Ok(if window >= bandwidth * round_trip { bandwidth } else { window / round_trip })
}

/// Transfers over a shared link: n of them get `min(limit, bandwidth/n)` each. Transfers start at
/// `arrival_rate` λ in 1/s, in a Poisson stream, with a mean size in bytes; `limit` and `bandwidth`
/// in bytes/s, the limit above 0. The distribution of the sizes does not matter (the link shares
/// like a processor of bandwidth/limit servers, a number that need not be whole).
///
/// The waiting time is what sharing adds to a transfer that is alone.
///
/// ```
/// // With a limit of the whole bandwidth: M/G/1-PS. 50 transfers/s of 1 MB over 100 MB/s.
/// let link = plimsoll_queueing::queueing::closed_forms::shared_link(50.0, 1e6, 100e6, 100e6).unwrap();
/// assert!((link.response_time - 0.020).abs() < 1e-12);
/// ```
pub fn shared_link(arrival_rate: f64, size: f64, bandwidth: f64, limit: f64) -> Result<QueueMeans, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("size", size)?;
    positive("bandwidth", bandwidth)?;
    let limit = positive("limit of a stream", limit)?.min(bandwidth);
    let utilization = check("utilization", arrival_rate * size / bandwidth)?;
    if utilization >= 1.0 {
        return Err(FormulaError::Saturated { utilization });
    }
    let service_time = size / limit;
    let streams = bandwidth / limit;
    if streams > MOST_STREAMS {
        return Err(FormulaError::Argument { name: "streams at their limit", value: streams });
    }
    let waiting_time = if utilization == 0.0 { 0.0 } else { slowed(streams, utilization) * service_time };
    let response_time = waiting_time + service_time;
    Ok(QueueMeans { utilization, waiting_time, response_time, queue_length: arrival_rate * response_time })
}

/// Most streams that a link is computed for.
const MOST_STREAMS: f64 = 1e7;

/// What sharing adds to a transfer, in units of the transfer alone.
///
/// With R = `streams` and k its whole part, state n ≤ k has weight aⁿ/n! with a = ρR, and beyond k
/// each weight is ρ times the last. Waiting bandwidth is `Σ_{n>k} (n − R)·p_n`, and Little's law
/// makes a time of it.
fn slowed(streams: f64, utilization: f64) -> f64 {
    let offered = utilization * streams;
    // Loss of a system with k places, as in Erlang's B: weight of state k over the sum up to it.
    let whole = streams.floor();
    let full = super::erlang_b(whole as u32, offered);
    // Weights beyond k, relative to that of k: ρ, ρ², …
    let free = 1.0 - utilization;
    let beyond = utilization / free;
    let excess = utilization / (free * free) - (streams - whole) * beyond;
    full * excess / (1.0 + full * beyond) / offered
}

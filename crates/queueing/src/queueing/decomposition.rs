//! Open networks whose streams are not Poisson: each station by itself, told apart by the rate and the
//! variation c² of its arrivals.
//!
//! A stream that leaves a station of utilization ρ varies as its arrivals did as far as the station was
//! idle, and as its services do as far as it was busy; a part of a stream, drawn at random, is nearer
//! to Poisson; several streams together vary as a mean of them and of Poisson. The equations are
//! linear. Exact where all is Poisson and exponential.
//!
//! # Assumptions
//!
//! First come, first served. Times between arrivals are taken as independent, which they are not after
//! a station or where streams meet; a customer who comes straight back to a station is one of its
//! stream like any other.
//!
//! # Accuracy
//!
//! Response times against the simulator, c² of arrivals 1/4 and 4 (the test
//! `cargo test --no-default-features streams_that_are_not_poisson -- --nocapture` prints them):
//!
//! | network | decomposition | rate alone, as Poisson |
//! |---|---|---|
//! | one station, ρ 0.8 | +1.3 %, −4.6 % | +53 %, −54 % |
//! | two in a row, ρ 0.8 and 0.6 | +1.6 %, −3.1 % | +39 %, −47 % |
//! | three in a row, ρ 0.5, 0.9 and 0.7 of two servers | +8.0 %, −12.3 % | +38 %, −50 % |
//! | constant services in a row, ρ 0.7 and 0.8 | +1.9 %, −3.6 % | +117 %, −48 % |
//! | met by a Poisson stream at the second, ρ 0.6 and 0.8 | +5.0 %, −7.9 % | +27 %, −37 % |
//! | mean | 4.9 % | 51 % |
//!
//! Where half of a stream goes twice in a row to the same station: −15 %.
//!
//! # References
//!
//! - W. Whitt, "The queueing network analyzer", Bell System Technical Journal 62(9), 1983: equations
//!   24 (merging), 36 (splitting), 39 (departures).
//! - P. J. Kühn, "Approximate analysis of general queuing networks by decomposition", IEEE Trans.
//!   Communications 27(1), 1979: the idea.

use super::closed_forms::{FormulaError, ggm, mgm};

/// Rounds of the linear equations at most, and the change at which they end.
const ROUNDS: usize = 10_000;
const CHANGE: f64 = 1e-12;
/// Below this services are taken to vary so much for departures (Whitt 1983, eq. 39).
const LEAST_SCV: f64 = 0.2;

/// A station as the streams see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// Parallel servers, m; 0 for a delay.
    pub servers: u32,
    /// Mean service time of whoever comes, S, in seconds.
    pub service_time: f64,
    /// Squared coefficient of variation of it.
    pub service_scv: f64,
}

/// A stream from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arriving {
    /// Arrivals a second.
    pub rate: f64,
    /// Squared coefficient of variation of the times between them.
    pub scv: f64,
}

/// What arrives at a station, and how long it waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// Squared coefficient of variation of the times between arrivals.
    pub arrival_scv: f64,
    /// Mean wait of a visit, in seconds.
    pub time: f64,
}

/// Waits at each station. `flows[i][k]` customers a second go from i to station k, where i counts
/// the stations first and then the streams from outside.
///
/// ```
/// use plimsoll_queueing::queueing::decomposition::{Arriving, Served, waits};
/// // Poisson and exponential: M/M/1 twice, W = S·ρ/(1 − ρ).
/// let station = Served { servers: 1, service_time: 0.8, service_scv: 1.0 };
/// let flows = [vec![0.0, 1.0], vec![0.0, 0.0], vec![1.0, 0.0]];
/// let found = waits(&[station; 2], &[Arriving { rate: 1.0, scv: 1.0 }], &flows).unwrap();
/// assert!(found.iter().all(|w| (w.time - 3.2).abs() < 1e-12));
/// ```
pub fn waits(stations: &[Served], streams: &[Arriving], flows: &[Vec<f64>]) -> Result<Vec<Waiting>, FormulaError> {
    let n = stations.len();
    let rate = |k: usize| flows.iter().map(|row| row[k]).sum::<f64>();
    let rates: Vec<f64> = (0..n).map(rate).collect();
    let busy: Vec<f64> = stations
        .iter()
        .zip(&rates)
        .map(|(s, rate)| match s.servers {
            0 => 0.0,
            m => (rate * s.service_time / f64::from(m)).min(1.0),
        })
        .collect();
    // Share of each origin in what arrives.
    let share = |i: usize, k: usize| flows[i][k] / rates[k].max(f64::MIN_POSITIVE);
    let weights: Vec<f64> = (0..n)
        .map(|k| {
            let squares: f64 = (0..flows.len()).map(|i| share(i, k).powi(2)).sum();
            let many = 1.0 / squares.max(f64::MIN_POSITIVE);
            1.0 / (1.0 + 4.0 * (1.0 - busy[k]).powi(2) * (many - 1.0))
        })
        .collect();
    let mut arrivals = vec![1.0; n];
    for _ in 0..ROUNDS {
        let mut change: f64 = 0.0;
        for k in 0..n {
            if rates[k] <= 0.0 {
                continue;
            }
            let from = |i: usize| {
                if flows[i][k] <= 0.0 {
                    return 0.0;
                }
                let (leaving, scv) = match i.checked_sub(n) {
                    Some(stream) => (streams[stream].rate, streams[stream].scv),
                    None => (rates[i], departures(&stations[i], arrivals[i], busy[i])),
                };
                share(i, k) * (1.0 + flows[i][k] / leaving * (scv - 1.0))
            };
            let together: f64 = (0..flows.len()).map(from).sum();
            let scv = 1.0 + weights[k] * (together - 1.0);
            change = change.max((scv - arrivals[k]).abs());
            arrivals[k] = scv;
        }
        if change < CHANGE {
            break;
        }
    }
    let each = stations.iter().zip(&rates).zip(&arrivals);
    each.map(|((station, &rate), &arrival_scv)| {
        let time = if station.servers == 0 || rate <= 0.0 || station.service_time <= 0.0 {
            0.0
        } else {
            let (time, scv, m) = (station.service_time, station.service_scv, station.servers);
            if (arrival_scv - 1.0).abs() < 1e-9 {
                mgm(rate, time, scv, m)?.waiting_time
            } else {
                ggm(rate, arrival_scv, time, scv, m)?.waiting_time
            }
        };
        Ok(Waiting { arrival_scv, time })
    })
    .collect()
}

/// Variation of what leaves a station.
fn departures(station: &Served, arrival_scv: f64, busy: f64) -> f64 {
    if station.servers == 0 {
        return arrival_scv;
    }
    let squared = busy * busy;
    let own = (station.service_scv.max(LEAST_SCV) - 1.0) / f64::from(station.servers).sqrt();
    1.0 + (1.0 - squared) * (arrival_scv - 1.0) + squared * own
}

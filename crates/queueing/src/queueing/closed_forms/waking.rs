//! Servers that sleep while they are idle: the longer, the longer they take to wake (exceptional first service, P. D. Welch, "On a
//! generalized M/G/1 queuing process in which the first customer of each busy period receives exceptional service", Operations
//! Research 12(5), 1964).

use super::{FormulaError, check, positive};

/// The share of a wake-up delay that a customer meets on the mean, in \[0, 1\]: at `servers` servers of which `busy` are, to which
/// customers come at `arrival_rate` a second, where one that was idle for t has 1 − e^(−t/τ) of the delay, τ = `after` seconds.
///
/// The server that became idle last is the next that is taken. Who finds k − 1 customers there then has one that was idle since k
/// were there. In a birth–death process, which looks the same backwards in time, that is as long ago as k will be there again:
/// hₖ(s) = λ / (s + λ + μₖ₋₁ (1 − hₖ₋₁(s))) at s = 1/τ, with μₖ = k/S; at one server, (1 − ρ) / (1 + λτ). What the delay itself adds
/// to busy periods is left out.
///
/// ```
/// let share = plimsoll_queueing::queueing::closed_forms::woken(100.0, 0.5, 1, 0.01).unwrap();
/// assert!((share - 0.5 / 2.0).abs() < 1e-12);
/// ```
pub fn woken(arrival_rate: f64, busy: f64, servers: u32, after: f64) -> Result<f64, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("busy servers", busy)?;
    positive("number of servers", f64::from(servers))?;
    positive("time constant", after)?;
    let places = f64::from(servers);
    if busy >= places {
        return Ok(0.0);
    }
    // Of p0: the probability of k − 1 customers, and the death rate there over the arrival rate, times λτ.
    let (mut here, mut sum, mut met, mut reached) = (1.0, 0.0, 0.0, 0.0);
    let come = arrival_rate * after;
    for k in 1..=servers {
        let before = f64::from(k - 1);
        let leave = if busy > 0.0 { before / busy * come } else { 0.0 };
        reached = come / (1.0 + come + leave * (1.0 - reached));
        sum += here;
        met += here * (1.0 - reached);
        here *= busy / f64::from(k);
    }
    Ok(met / (sum + here * places / (places - busy)))
}

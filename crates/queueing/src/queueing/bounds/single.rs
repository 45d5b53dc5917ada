//! Bounds on a closed network with one class, in microseconds of arithmetic.
//!
//! Demands D are in seconds, one per queueing station with one server; demands at delays belong
//! into the think time Z. Throughput X is in 1/s and the response time R = N/X − Z in seconds.
//!
//! # References
//!
//! - E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, *Quantitative System Performance*,
//!   1984, chapter 5: asymptotic bounds and balanced system bounds.
//! - J. Zahorjan et al., "Balanced job bound analysis of queueing networks", CACM 25(2), 1982.
//! - C.-H. Hsieh and S. S. Lam, "Two classes of performance bounds for closed queueing networks",
//!   Performance Evaluation 7(1), 1987: proportional bounds.

use super::Bounds;

fn total(demands: &[f64]) -> f64 {
    demands.iter().sum()
}

fn largest(demands: &[f64]) -> f64 {
    demands.iter().copied().fold(0.0, f64::max)
}

/// No network does better than `1/D_max`, in 1/s; infinite without demands.
///
/// ```
/// use plimsoll_queueing::queueing::bounds::saturation_throughput;
/// assert!((saturation_throughput(&[9.2, 8.0]) - 0.108_696).abs() < 1e-6);
/// ```
pub fn saturation_throughput(demands: &[f64]) -> f64 {
    1.0 / largest(demands)
}

/// `N* = (D + Z)/D_max`, where the bounds for few and for many customers cross; infinite without
/// demands.
///
/// ```
/// use plimsoll_queueing::queueing::bounds::knee_population;
/// assert_eq!(knee_population(&[2.0, 3.0, 1.0], 6.0), 4.0);
/// ```
pub fn knee_population(demands: &[f64], think_time: f64) -> f64 {
    if largest(demands) == 0.0 {
        return f64::INFINITY;
    }
    (total(demands) + think_time) / largest(demands)
}

/// Asymptotic bounds: X ≤ min(N/(D + Z), `1/D_max`), X ≥ N/(N·D + Z), for a population N and a
/// think time Z in seconds.
///
/// ```
/// // Bolch et al., example 9.6.
/// let bounds = plimsoll_queueing::queueing::bounds::asymptotic(&[9.2, 8.0], 120.0, 20.0);
/// assert!((bounds.throughput_high - 0.108_696).abs() < 1e-6);
/// assert!((bounds.response_time_low - 64.0).abs() < 1e-12);
/// ```
pub fn asymptotic(demands: &[f64], think_time: f64, population: f64) -> Bounds {
    let demand = total(demands);
    let low = (demand + think_time).max(population * largest(demands));
    let high = population.max(1.0) * demand + think_time;
    Bounds::from_cycle(population, think_time, low, high)
}

/// Balanced job bounds, tighter than the asymptotic ones, for a population N ≥ 1 and a think time
/// Z in seconds.
///
/// ```
/// use plimsoll_queueing::queueing::bounds::balanced_job;
/// let bounds = balanced_job(&[0.1, 0.1, 0.09, 0.08], 0.0, 5.0);
/// assert!(bounds.throughput_low < 6.7148 && 6.7148 < bounds.throughput_high);
/// ```
pub fn balanced_job(demands: &[f64], think_time: f64, population: f64) -> Bounds {
    let demand = total(demands);
    if demand == 0.0 {
        return asymptotic(demands, think_time, population);
    }
    let others = (population - 1.0).max(0.0);
    // A station without demand is not there.
    let n_stations = demands.iter().filter(|&&demand| demand > 0.0).count() as f64;
    let fair = others * (demand / n_stations) / (1.0 + think_time / demand);
    let low = (demand + think_time + fair).max(population * largest(demands));
    let worst = others * largest(demands) / (1.0 + think_time / (population.max(1.0) * demand));
    Bounds::from_cycle(population, think_time, low, demand + think_time + worst)
}

/// Hsieh's and Lam's proportional bounds, for a population N ≥ 1 without think time.
///
/// ```
/// let bounds = plimsoll_queueing::queueing::bounds::proportional(&[0.1, 0.1, 0.09, 0.08], 5.0);
/// assert!((bounds.throughput_low - 6.6600).abs() < 1e-4);
/// assert!((bounds.throughput_high - 6.7297).abs() < 1e-4);
/// ```
pub fn proportional(demands: &[f64], population: f64) -> Bounds {
    let (demand, most) = (total(demands), largest(demands));
    if demand == 0.0 {
        return asymptotic(demands, 0.0, population);
    }
    let others = (population - 1.0).max(0.0);
    // Powers of D/D_max do not underflow together.
    let power_sum = |power: f64| -> f64 { demands.iter().filter(|&&d| d > 0.0).map(|d| (d / most).powf(power)).sum() };
    let fair = others * most * power_sum(2.0) / power_sum(1.0);
    let worst = others * most * power_sum(population) / power_sum(population - 1.0);
    let low = (demand + fair).max(population * most);
    Bounds::from_cycle(population, 0.0, low, demand + worst)
}

//! How much of the beginning of a series to leave out: MSER-5.
//!
//! The marginal standard error rule cuts where the standard error of the mean of the rest is least: a
//! longer cut loses observations, a shorter one keeps those of the empty start. It looks at means of
//! five observations each. A cut in the second half means that the series is too short to tell.
//!
//! # References
//!
//! - K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
//!   Simulation 69(6), 1997.
//! - S. C. Spratt, "Heuristics for the startup problem", M.S. thesis, University of Virginia, 1998.
//! - K. Hoad, S. Robinson, R. Davies, "Automating warm-up length estimation", Journal of the
//!   Operational Research Society 61(9), 2010.

/// Observations in one of the means that MSER-5 looks at.
const GROUP: usize = 5;

/// Observations to leave out at the beginning, a multiple of five; none where the cut would lie in the
/// second half, and with fewer than ten means, which cannot tell.
///
/// ```
/// use plimsoll_queueing::stats::warm_up::mser5;
/// let ramp = |n: i32| f64::from((n - 40).min(0));
/// let series: Vec<f64> = (0..400).map(|n| ramp(n) + f64::from(n % 3)).collect();
/// assert_eq!(mser5(&series), Some(40));
/// let growing: Vec<f64> = (0..400).map(f64::from).collect();
/// assert_eq!(mser5(&growing), None);
/// // Three customers who never leave, but for rounding.
/// let constant: Vec<f64> = (0..400).map(|n| 3.0 + 1e-13 * f64::from(n)).collect();
/// assert_eq!(mser5(&constant), Some(0));
/// ```
pub fn mser5(series: &[f64]) -> Option<usize> {
    let means: Vec<f64> = series.chunks_exact(GROUP).map(|group| group.iter().sum::<f64>() / GROUP as f64).collect();
    let m = means.len();
    if m < 10 {
        return None;
    }
    if is_constant(&means) {
        return Some(0);
    }
    let origin = means[m - 1];
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, m);
    for (d, mean) in means.iter().enumerate().rev() {
        sum += mean - origin;
        squares += (mean - origin) * (mean - origin);
        let rest = (m - d) as f64;
        // The last few are always close together by chance.
        if m - d < GROUP {
            continue;
        }
        let error = (squares - sum * sum / rest).max(0.0) / (rest * rest);
        if error <= best.0 {
            best = (error, d);
        }
    }
    (best.1 <= m / 2).then_some(best.1 * GROUP)
}

/// Whether a series varies by rounding alone, as the number of customers who never think does.
fn is_constant(series: &[f64]) -> bool {
    const ROUNDING: f64 = 1e-9;
    let least = series.iter().copied().fold(f64::INFINITY, f64::min);
    let most = series.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - least <= ROUNDING * most.abs().max(least.abs())
}

/// Correlation of neighbours in a series, in \[−1, 1\]; 0 for a constant one.
///
/// ```
/// let swinging = [1.0, -1.0, 1.0, -1.0];
/// assert_eq!(plimsoll_queueing::stats::warm_up::lag1(&swinging), -0.75);
/// ```
pub fn lag1(series: &[f64]) -> f64 {
    if is_constant(series) {
        return 0.0;
    }
    let mean = series.iter().sum::<f64>() / series.len().max(1) as f64;
    let squares: f64 = series.iter().map(|v| (v - mean) * (v - mean)).sum();
    let products: f64 = series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if squares > 0.0 { products / squares } else { 0.0 }
}

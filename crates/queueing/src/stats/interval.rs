//! Confidence intervals by Student's t.
//!
//! # References
//!
//! - "Student" (W. S. Gosset), "The probable error of a mean", Biometrika 6(1), 1908.
//! - W. G. Cochran, "Sampling Techniques", 3rd ed., Wiley 1977, section 6.4: the ratio of two sums.
//! - S. Asmussen, P. W. Glynn, "Stochastic Simulation", Springer 2007, section III.5a: sectioning.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// An estimate with half the width of its confidence interval, in the unit of what was observed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Half the width; infinite where fewer than two values are there to tell.
    pub half_width: f64,
}

/// Two-sided quantile of Student's t: what a standard error is multiplied by for an interval of the
/// given confidence with so many degrees of freedom. Infinite with none.
///
/// ```
/// // Any table: 2.093 for 95 % with 19 degrees of freedom.
/// assert!((plimsoll_queueing::stats::student_t(0.95, 19) - 2.093_024).abs() < 1e-5);
/// ```
pub fn student_t(confidence: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return f64::INFINITY;
    }
    let upper = f64::midpoint(1.0, confidence.clamp(0.0, 1.0 - 1e-12));
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(upper))
}

/// Interval of the mean of independent values.
///
/// ```
/// // 1, 2, 3: mean 2, standard error 1/√3, t = 4.302 65.
/// let mean = plimsoll_queueing::stats::interval::mean(&[1.0, 2.0, 3.0], 0.95);
/// assert!((mean.half_width - 4.302_653 / 3f64.sqrt()).abs() < 1e-5);
/// ```
pub fn mean(values: &[f64], confidence: f64) -> Interval {
    let n = values.len();
    if n == 0 {
        return Interval::unknown(0.0);
    }
    let value = values.iter().sum::<f64>() / n as f64;
    let squares: f64 = values.iter().map(|v| (v - value) * (v - value)).sum();
    Interval::from_squares(value, squares, n, 1.0, confidence)
}

/// Interval of Σa/Σb over independent pairs (a, b), such as sums and counts of batches, by the
/// residuals a − (Σa/Σb)·b (Cochran 1977, eq. 6.13). Batches without any count thus do no harm.
///
/// ```
/// let ratio = plimsoll_queueing::stats::interval::ratio([(2.0, 1.0), (6.0, 3.0)], 0.95);
/// assert_eq!((ratio.value, ratio.half_width), (2.0, 0.0));
/// ```
pub fn ratio(pairs: impl IntoIterator<Item = (f64, f64)> + Clone, confidence: f64) -> Interval {
    let (mut n, mut above, mut below) = (0, 0.0, 0.0);
    for (a, b) in pairs.clone() {
        n += 1;
        above += a;
        below += b;
    }
    if below == 0.0 {
        return Interval::unknown(0.0);
    }
    let value = above / below;
    let squares = pairs.into_iter().map(|(a, b)| (a - value * b) * (a - value * b)).sum();
    Interval::from_squares(value, squares, n, below / n as f64, confidence)
}

/// Interval of Σa/Σb over independent observations (a, b, c), where nothing is expected of c: a control variate. Of the residuals of
/// [`ratio`], what goes with c is taken off (Lavenberg, Moeller and Welch 1982): with the slope β of their regression on c the value
/// is Σa/Σb − β·Σc/Σb. The slope takes a degree of freedom. Where there are fewer than ten observations, or c does not vary, it is
/// [`ratio`].
///
/// ```
/// use plimsoll_queueing::stats::interval::{controlled, ratio};
/// // Each observation is 3 and twice what its control happens to be: with the control nothing is left to chance.
/// let chance = [0.4, -0.2, 0.1, -0.5, 0.3, 0.2, -0.1, 0.6, -0.3, -0.2];
/// let found = controlled(&chance.map(|c| [3.0 + 2.0 * c, 1.0, c]), 0.95);
/// assert!((found.value - 3.0).abs() < 1e-12 && found.half_width < 1e-12);
/// assert!(ratio(chance.map(|c| (3.0 + 2.0 * c, 1.0)), 0.95).half_width > 0.4);
/// ```
pub fn controlled(observed: &[[f64; 3]], confidence: f64) -> Interval {
    /// With fewer, the slope costs more than it gives.
    const LEAST: usize = 10;
    let all = || observed.iter().copied();
    let plain = ratio(all().map(|[a, b, _]| (a, b)), confidence);
    let (below, controls) = all().fold((0.0, 0.0), |(b, c), one| (b + one[1], c + one[2]));
    if observed.len() < LEAST || below == 0.0 {
        return plain;
    }
    // Residuals of the ratio, and of the controls from their own mean, each by the counts of its observation.
    let residuals = || all().map(|[a, b, c]| (a - plain.value * b, c - controls / below * b));
    let (with, alone) = residuals().fold((0.0, 0.0), |(with, alone), (a, c)| (with + a * c, alone + c * c));
    if alone <= 0.0 {
        return plain;
    }
    let slope = with / alone;
    let squares: f64 = residuals().map(|(a, c)| (a - slope * c).powi(2)).sum();
    let n = observed.len();
    let value = plain.value - slope * controls / below;
    // Of n observations the ratio and the slope leave n − 2; where the control happens to lie adds to the error of the slope.
    let freedom = n as f64 - 2.0;
    let variance = squares / freedom * (1.0 / n as f64 + (controls / n as f64).powi(2) / alone);
    let error = variance.sqrt() / (below / n as f64);
    Interval { value, half_width: student_t(confidence, n - 2) * error }
}

/// Interval of Σa'/Σb' − Σa/Σb over pairs of observations ((a, b), (a', b')) that belong together, such
/// as replications of two alternatives with the same random numbers: Student's interval of the paired
/// differences of the residuals of [`ratio`]. With equal b it is the paired t-interval.
///
/// ```
/// // Differences of 1, 2 and 3: mean 2, standard error 1/√3, t = 4.302 65.
/// let pair = |a: f64, b: f64| [(a, 1.0), (b, 1.0)];
/// let apart = plimsoll_queueing::stats::interval::paired(&[pair(5.0, 6.0), pair(9.0, 11.0), pair(4.0, 7.0)], 0.95);
/// assert!((apart.value - 2.0).abs() < 1e-12);
/// assert!((apart.half_width - 4.302_653 / 3f64.sqrt()).abs() < 1e-5);
/// ```
pub fn paired(pairs: &[[(f64, f64); 2]], confidence: f64) -> Interval {
    let [first, second] = residuals(pairs);
    let (Some(first), Some(second)) = (first, second) else {
        return Interval::unknown(0.0);
    };
    let apart = first.each.iter().zip(&second.each).map(|(a, b)| b - a);
    let squares = apart.map(|e| e * e).sum();
    let value = second.ratio - first.ratio;
    Interval::from_squares(value, squares, pairs.len(), 1.0, confidence)
}

/// Correlation of the two ratios of such pairs, −1 to 1; none where one of them does not vary.
///
/// ```
/// let pair = |a: f64, b: f64| [(a, 1.0), (b, 1.0)];
/// let same = plimsoll_queueing::stats::interval::correlation(&[pair(1.0, 10.0), pair(2.0, 20.0)]);
/// assert!((same.unwrap() - 1.0).abs() < 1e-12);
/// ```
pub fn correlation(pairs: &[[(f64, f64); 2]]) -> Option<f64> {
    let [first, second] = residuals(pairs);
    let (first, second) = (first?.each, second?.each);
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = (sum(&first, &first) * sum(&second, &second)).sqrt();
    (scale > 0.0).then(|| sum(&first, &second) / scale)
}

/// Interval of a value that was found from everything at once, by what was found from each of several
/// independent sections (Asmussen and Glynn 2007, section III.5a).
///
/// ```
/// let all = plimsoll_queueing::stats::interval::sections(2.0, &[1.0, 2.0, 3.0], 0.95);
/// assert!((all.half_width - 4.302_653 / 3f64.sqrt()).abs() < 1e-5);
/// ```
pub fn sections(value: f64, each: &[f64], confidence: f64) -> Interval {
    let squares = each.iter().map(|e| (e - value) * (e - value)).sum();
    Interval::from_squares(value, squares, each.len(), 1.0, confidence)
}

/// A ratio of sums, and how far each observation is from it.
struct Residuals {
    ratio: f64,
    each: Vec<f64>,
}

fn residuals(pairs: &[[(f64, f64); 2]]) -> [Option<Residuals>; 2] {
    [0, 1].map(|side| {
        let all = || pairs.iter().map(|pair| pair[side]);
        let (above, below) = all().fold((0.0, 0.0), |sums, (a, b)| (sums.0 + a, sums.1 + b));
        (below > 0.0).then(|| {
            let (ratio, scale) = (above / below, below / pairs.len() as f64);
            Residuals { ratio, each: all().map(|(a, b)| (a - ratio * b) / scale).collect() }
        })
    })
}

impl Interval {
    /// A value of which nothing is known.
    pub fn unknown(value: f64) -> Self {
        Self { value, half_width: f64::INFINITY }
    }

    /// Half-width over the value; 0 where both are 0.
    pub fn relative(&self) -> f64 {
        if self.half_width == 0.0 { 0.0 } else { self.half_width / self.value.abs() }
    }

    /// From the sum of squared residuals of n values, each divided by `scale`.
    fn from_squares(value: f64, squares: f64, n: usize, scale: f64, confidence: f64) -> Self {
        if n < 2 {
            return Self::unknown(value);
        }
        let error = (squares / (n as f64 * (n as f64 - 1.0))).sqrt() / scale.abs();
        Self { value, half_width: student_t(confidence, n - 1) * error }
    }
}

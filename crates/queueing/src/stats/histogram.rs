//! Counts of positive values with bounded relative error, and quantiles from them.
//!
//! Buckets are the leading bits of the number itself: its exponent and seven bits of its mantissa, so
//! each octave has 128 of them and the middle of a bucket is within 0.4 % of all that is in it. A
//! value thus finds its bucket by a shift. Values below 2⁻³⁴ (0.06 ns, if they are seconds) count as 0
//! and those above 2³⁰ (34 years) as the last bucket.
//!
//! # References
//!
//! - C. Masson, J. Rim, H. Lee, "`DDSketch`: a fast and fully-mergeable quantile sketch with relative-error
//!   guarantees", VLDB 12(12), 2019: logarithmic buckets.
//! - D. M. Conover, "Practical Nonparametric Statistics", 3rd ed., Wiley 1999, section 3.2: intervals of
//!   a quantile from those of a probability.

use super::interval::{self, Interval};

/// Bits of the mantissa that tell buckets apart.
const BITS: u32 = 7;
/// How far a number's bits are shifted to its bucket.
const SHIFT: u32 = f64::MANTISSA_DIGITS - 1 - BITS;
/// Bucket number, before it is made to start at 1, of 2⁻³⁴.
const BASE: i64 = (1023 - 34) << BITS;
/// Octaves from 2⁻³⁴ to 2³⁰.
const OCTAVES: i64 = 64;
/// Buckets: one for zero, and those of each octave.
const BUCKETS: usize = 1 + ((OCTAVES as usize) << BITS);

/// Greatest relative error of a value that is told from its bucket.
pub const ERROR: f64 = 1.0 / (2 << BITS) as f64;

/// A histogram; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Number of the first bucket that is kept.
    first: usize,
    counts: Vec<u32>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// Everything in some histograms.
    pub fn merged<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self { first: 0, counts: Vec::new() };
        for one in all {
            sum.merge(one);
        }
        sum
    }

    /// An empty one with room for every value.
    pub fn new() -> Self {
        Self { first: 0, counts: vec![0; BUCKETS] }
    }

    /// Counts one value; negative ones count as 0. Only for one with room, as [`Histogram::new`] makes.
    #[inline]
    pub fn record(&mut self, value: f64) {
        let bucket = bucket_of(value);
        if let Some(count) = self.counts.get_mut(bucket) {
            *count += 1;
        }
    }

    /// What was counted, in as little room as it takes; nothing is left here.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let used = |count: &u32| *count > 0;
        let first = self.counts.iter().position(used).unwrap_or(0);
        let end = self.counts.iter().rposition(used).map_or(first, |l| l + 1);
        let counts = self.counts[first..end].to_vec();
        self.counts[first..end].fill(0);
        Self { first, counts }
    }

    /// Adds another's counts.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.is_empty() {
            return;
        }
        if self.counts.is_empty() {
            self.first = other.first;
        }
        if other.first < self.first {
            let ahead = self.first - other.first;
            self.counts.splice(0..0, std::iter::repeat_n(0, ahead));
            self.first = other.first;
        }
        let offset = other.first - self.first;
        let needed = offset + other.counts.len();
        if self.counts.len() < needed {
            self.counts.resize(needed, 0);
        }
        for (ours, theirs) in self.counts[offset..].iter_mut().zip(&other.counts) {
            *ours = ours.saturating_add(*theirs);
        }
    }

    /// Values that were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(*count)).sum()
    }

    /// Number of values in buckets up to and with that of `value`.
    pub fn count_to(&self, value: f64) -> u64 {
        let end = (bucket_of(value) + 1).saturating_sub(self.first);
        self.counts.iter().take(end).map(|count| u64::from(*count)).sum()
    }

    /// The value that a fraction `probability` of all does not exceed; 0 when empty. Within 0.4 %.
    ///
    /// ```
    /// let mut histogram = plimsoll_queueing::stats::Histogram::new();
    /// for value in 1..=1000 {
    ///     histogram.record(f64::from(value));
    /// }
    /// assert!((histogram.quantile(0.95) / 950.0 - 1.0).abs() < 0.005);
    /// ```
    pub fn quantile(&self, probability: f64) -> f64 {
        let all = self.count();
        let rank = ((probability * all as f64).ceil() as u64).clamp(1, all.max(1));
        let mut passed = 0;
        for (idx, count) in self.counts.iter().enumerate() {
            passed += u64::from(*count);
            if passed >= rank {
                return middle(self.first + idx);
            }
        }
        0.0
    }
}

/// A quantile of everything in some batches and its interval: the fraction of each batch that lies
/// below the quantile has an interval over the batches, and the values at both its ends bound the
/// quantile.
pub fn quantile_interval<'a>(
    batches: impl IntoIterator<Item = &'a Histogram> + Clone,
    probability: f64,
    confidence: f64,
) -> Interval {
    let all = Histogram::merged(batches.clone());
    let value = all.quantile(probability);
    let below = batches.into_iter().map(|batch| (batch.count_to(value) as f64, batch.count() as f64));
    let fractions: Vec<(f64, f64)> = below.collect();
    let fraction = interval::ratio(fractions.iter().copied(), confidence);
    if !fraction.half_width.is_finite() {
        return Interval::unknown(value);
    }
    let low = all.quantile((probability - fraction.half_width).max(0.0));
    let high = all.quantile((probability + fraction.half_width).min(1.0));
    Interval { value, half_width: (high - value).max(value - low) }
}

#[inline]
fn bucket_of(value: f64) -> usize {
    // The bits of a negative number are negative, too.
    let bits = value.to_bits().cast_signed() >> SHIFT;
    (bits - BASE + 1).clamp(0, OCTAVES << BITS) as usize
}

/// Middle of a bucket.
fn middle(bucket: usize) -> f64 {
    if bucket == 0 {
        return 0.0;
    }
    let bits = bucket as u64 - 1 + BASE.cast_unsigned();
    let (low, high) = (f64::from_bits(bits << SHIFT), f64::from_bits((bits + 1) << SHIFT));
    f64::midpoint(low, high)
}

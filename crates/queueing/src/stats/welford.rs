//! Mean and variance in one pass, without loss of digits.
//!
//! # References
//!
//! - B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
//!   Technometrics 4(3), 1962.
//! - T. F. Chan, G. H. Golub, R. J. `LeVeque`, "Updating formulae and a pairwise algorithm for computing
//!   sample variances", COMPSTAT 1982: [`Welford::merge`].

/// Running mean, variance and extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welford {
    count: u64,
    mean: f64,
    squares: f64,
    least: f64,
    greatest: f64,
}

impl Default for Welford {
    fn default() -> Self {
        Self { count: 0, mean: 0.0, squares: 0.0, least: f64::INFINITY, greatest: f64::NEG_INFINITY }
    }
}

impl Welford {
    /// Takes one observation.
    ///
    /// ```
    /// let mut seen = plimsoll_queueing::stats::Welford::default();
    /// for value in [4.0, 7.0, 13.0, 16.0] {
    ///     seen.record(value + 1e9);
    /// }
    /// assert_eq!((seen.mean(), seen.variance()), (1e9 + 10.0, 30.0));
    /// ```
    pub fn record(&mut self, value: f64) {
        self.count += 1;
        let ahead = value - self.mean;
        self.mean += ahead / self.count as f64;
        self.squares += ahead * (value - self.mean);
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// Takes all that another one has seen.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (ours, theirs) = (self.count as f64, other.count as f64);
        let (all, apart) = (ours + theirs, other.mean - self.mean);
        self.mean += apart * theirs / all;
        self.squares += other.squares + apart * apart * ours * theirs / all;
        self.count += other.count;
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }

    /// Observations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean; 0 without observations.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Sample variance (n − 1 below); 0 with fewer than two observations.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 }
    }

    /// Least observation; infinite without any.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// Greatest observation; minus infinite without any.
    pub fn greatest(&self) -> f64 {
        self.greatest
    }
}

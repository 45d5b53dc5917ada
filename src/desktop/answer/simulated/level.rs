//! A number that changes in steps, kept as its mean over equal bins of time.

/// Bins of a run.
pub(super) const BINS: usize = 480;

/// A number over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// What it is now.
    value: f64,
    /// Since when \[s\].
    since: f64,
    /// Its integral over the open bin \[s\].
    area: f64,
    /// Length of a bin \[s\].
    bin: f64,
    /// When the open bin ends \[s\].
    end: f64,
    /// Means of the bins that are over.
    means: Vec<f32>,
}

impl Level {
    /// Nothing from 0 on.
    pub(super) fn new(bin: f64) -> Self {
        Self { value: 0.0, since: 0.0, area: 0.0, bin, end: bin, means: Vec::new() }
    }

    /// Goes on to a time as it is.
    #[inline]
    pub(super) fn settle(&mut self, time: f64) {
        while time >= self.end {
            self.area += self.value * (self.end - self.since);
            self.means.push((self.area / self.bin) as f32);
            self.area = 0.0;
            self.since = self.end;
            self.end = self.bin * (self.means.len() + 1) as f64;
        }
        self.area += self.value * (time - self.since);
        self.since = time;
    }

    /// Is another number from a time on.
    #[inline]
    pub(super) fn set(&mut self, time: f64, value: f64) {
        if value != self.value {
            self.settle(time);
            self.value = value;
        }
    }

    /// Is so much more from a time on.
    #[inline]
    pub(super) fn add(&mut self, time: f64, more: f64) {
        self.settle(time);
        // What was counted down to nothing is nothing.
        self.value = (self.value + more).max(0.0);
    }

    /// Mean of a bin; of the open one so far, none of one to come.
    pub fn mean(&self, index: usize) -> Option<f64> {
        if let Some(mean) = self.means.get(index) {
            return Some(f64::from(*mean));
        }
        let began = self.end - self.bin;
        let passed = self.since - began;
        (index == self.means.len() && passed > 0.0).then(|| self.area / passed)
    }

    /// Means of all bins so far.
    pub fn means(&self) -> Vec<f32> {
        let open = self.mean(self.means.len()).map(|mean| mean as f32);
        self.means.iter().copied().chain(open).collect()
    }

    /// The greatest mean of a bin.
    pub fn peak(&self) -> f64 {
        let means = self.means.iter().map(|mean| f64::from(*mean));
        means.fold(self.mean(self.means.len()).unwrap_or(0.0), f64::max)
    }

    /// Mean from the beginning on.
    pub fn overall(&self) -> f64 {
        let closed: f64 = self.means.iter().map(|mean| f64::from(*mean)).sum();
        (closed * self.bin + self.area) / self.since.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_steps() {
        let mut level = Level::new(10.0);
        level.add(5.0, 2.0); // 0 until 5, then 2
        level.add(25.0, 1.0); // 3 from 25 on
        level.settle(35.0);
        assert_eq!(level.means(), [1.0, 2.0, 2.5, 3.0]);
        assert_eq!(level.mean(3), Some(3.0));
        assert_eq!(level.mean(4), None);
        assert_eq!(level.peak(), 3.0);
        assert!((level.overall() - 70.0 / 35.0).abs() < 1e-6);
    }

    #[test]
    fn a_bin_that_has_just_begun_has_no_mean() {
        let mut level = Level::new(10.0);
        level.add(0.0, 4.0);
        level.settle(10.0);
        assert_eq!(level.means(), [4.0]);
    }
}

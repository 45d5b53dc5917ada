//! Response times of a class or an activity.

use crate::stats::Histogram;

/// What is counted of something that is timed.
#[derive(Clone, Debug, Default)]
pub(in crate::sim) struct Timing {
    pub(in crate::sim) count: u64,
    pub(in crate::sim) sum: f64,
    /// Sum of what was drawn for the sizes of what completed, over its mean, less 1: nothing is expected of it.
    pub(in crate::sim) control: f64,
    pub(in crate::sim) lock_wait: f64,
    pub(in crate::sim) longest: f64,
    pub(in crate::sim) histogram: Histogram,
}

impl Timing {
    #[inline(always)]
    pub(in crate::sim) fn record(&mut self, response: f64) {
        self.count += 1;
        self.sum += response;
        if response > self.longest {
            self.longest = response;
        }
        self.histogram.record(response);
    }
}

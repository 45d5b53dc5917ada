//! How much of its time the work that arrives needs of the busiest resource or lock, with the error of that.
//!
//! Near saturation a time says little: a resource that is asked for 80 % of its time may be asked for 110 % if the numbers err
//! so far. Utilization errs as times do (delta method on the logarithmic scale, [`super::interval`]).

use super::prediction::{Interval, Prediction};
use super::resource::Resource;
use super::unmeasured::Unmeasured;
use crate::units::significant;

/// A resource below this utilization is not asked for more than it has by any error that is stated.
const LEAST: f64 = 0.1;

/// The busiest resource or lock, judged by the upper end of its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Busiest {
    /// Which.
    pub resource: Resource,
    /// Busy share; what lies above 1 queues up.
    pub utilization: Interval,
}

impl Busiest {
    /// Chance in percent that it cannot keep up, where the interval leaves that open.
    pub fn overload_chance(&self) -> Option<u32> {
        self.utilization.chance_above(1.0)
    }

    /// The interval, to follow what it is asked for: " (80 % interval of the share of its time that it needs: 92 to 130 %)".
    pub fn doubt(&self) -> String {
        let [low, high] = [self.utilization.low, self.utilization.high].map(|share| significant(100.0 * share, 2));
        format!(" (80 % interval of the time that it needs: {low} to {high} % of what there is)")
    }
}

/// A resource or lock whose utilization is followed through shifts of the numbers.
pub(super) struct Busy {
    resource: Resource,
    utilization: f64,
}

impl Busy {
    /// Those of a prediction that may saturate.
    pub(super) fn most(prediction: &Prediction) -> Vec<Self> {
        let busy = prediction.busy().filter(|(_, used)| *used >= LEAST);
        busy.map(|(resource, used)| Self::of(resource, used)).collect()
    }

    /// Logarithm of what it is asked for in another prediction over that in its own.
    pub(super) fn change(&self, shifted: &Prediction) -> f64 {
        let same = shifted.busy().find(|(one, _)| **one == self.resource);
        let ratio = same.map_or(1.0, |(_, used)| used / self.utilization);
        if ratio > 0.0 { ratio.ln() } else { 0.0 }
    }

    /// One with the share of its time that it is asked for.
    pub(super) fn of(resource: &Resource, utilization: f64) -> Self {
        let resource = resource.clone();
        Self { resource, utilization }
    }

    /// The same with its error, from the variance of its logarithm and what nobody measured.
    pub(super) fn erring(self, variance: f64, unmeasured: &Unmeasured) -> Busiest {
        // The holds of a lock are times at several resources.
        let beyond = if self.resource.is_lock() { 0.0 } else { unmeasured.variance_of(self.resource.kind()) };
        Busiest { resource: self.resource, utilization: Interval::around(self.utilization, (variance + beyond).sqrt()) }
    }
}

//! Axes of charts: where a value lies on the screen, and which values are written beside an axis.

use crate::page::{Axis, Measure};

/// From values to places on the screen and back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    log: bool,
    low: f64,
    high: f64,
    from: f32,
    to: f32,
}

impl Scale {
    /// An axis from one place to another.
    pub(super) fn new(axis: &Axis, from: f32, to: f32) -> Self {
        let log = axis.log && axis.range.0 > 0.0;
        let bend = |v: f64| if log { v.ln() } else { v };
        let (low, high) = (bend(axis.range.0), bend(axis.range.1));
        Self {
            log,
            low,
            high: if high > low { high } else { low + 1.0 },
            from,
            to,
        }
    }

    /// Where a value lies; what is beyond all numbers lies far out.
    pub(super) fn place(&self, value: f64) -> f32 {
        let bent = if self.log {
            value.max(f64::MIN_POSITIVE).ln()
        } else {
            value
        };
        let share = ((bent - self.low) / (self.high - self.low)).clamp(-10.0, 10.0);
        self.from + (self.to - self.from) * share as f32
    }

    /// The value at a place.
    pub(super) fn value(&self, place: f32) -> f64 {
        let share = f64::from((place - self.from) / (self.to - self.from));
        let bent = self.low + (self.high - self.low) * share;
        if self.log { bent.exp() } else { bent }
    }
}

/// Values to write beside an axis, about so many.
pub(super) fn ticks(axis: &Axis, wanted: usize) -> Vec<f64> {
    let (low, high) = axis.range;
    let wanted = wanted.clamp(2, 12);
    if !(low.is_finite() && high.is_finite() && high > low) {
        return Vec::new();
    }
    if axis.log && low > 0.0 {
        return log_ticks(axis.measure, low, high, wanted);
    }
    let rough = (high - low) / wanted as f64;
    let decade = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * decade);
    let step = steps.into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(decade * 10.0);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

/// Decades, and 2 and 5 of each where there is room; of times beyond a minute what clocks have.
fn log_ticks(measure: Measure, low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let mut all: Vec<f64> = Vec::new();
    for decade in first..=last {
        let one = 10f64.powi(decade);
        all.extend([1.0, 2.0, 5.0].map(|step| step * one));
    }
    if measure == Measure::Time {
        all.retain(|v| *v < 60.0);
        all.extend([1.0, 2.0, 5.0, 10.0, 30.0].map(|minutes| minutes * 60.0));
        all.extend([1.0, 3.0, 12.0, 24.0, 96.0].map(|hours| hours * 3600.0));
    }
    all.retain(|v| (low..=high).contains(v));
    // Where it gets too narrow, decades alone, and then only some of them.
    let is_decade =
        |v: &f64| (v.log10() - v.log10().round()).abs() < 1e-9 || [60.0, 600.0, 3600.0].contains(v);
    if all.len() > wanted {
        all.retain(is_decade);
    }
    let every = all.len().div_ceil(wanted).max(1);
    all.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(log: bool, range: (f64, f64), measure: Measure) -> Axis {
        Axis {
            label: String::new(),
            measure,
            log,
            range,
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let linear = ticks(&axis(false, (0.0, 3.7), Measure::Times), 5);
        assert_eq!(linear, [0.0, 1.0, 2.0, 3.0]);
        let log = ticks(&axis(true, (0.004, 90.0), Measure::Time), 6);
        assert_eq!(log, [0.01, 0.1, 1.0, 10.0, 60.0]);
        assert_eq!(ticks(&axis(false, (1.0, 1.0), Measure::Times), 5), [0.0; 0]);
    }

    #[test]
    fn a_place_is_that_of_its_value() {
        for log in [false, true] {
            let scale = Scale::new(&axis(log, (0.1, 50.0), Measure::Time), 10.0, 310.0);
            for value in [0.1, 1.0, 7.0, 50.0] {
                let back = scale.value(scale.place(value));
                assert!((back / value - 1.0).abs() < 1e-4, "{value}: {back}");
            }
            assert!(scale.place(f64::INFINITY).is_finite());
        }
    }
}

//! Where a value lies on an axis, and which values are written beside it: plotters' coordinates and its steps.

use plotters::coord::ranged1d::{BoldPoints, Ranged, ReversibleRanged};
use plotters::coord::types::RangedCoordf64;

use crate::chart::{Axis, Measure};

/// plotters places values on whole numbers: so many to an axis.
const FINE: i32 = 1_000_000;

/// From values to places and back.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    log: bool,
    /// Ends of the axis, as logarithms where it is logarithmic.
    ends: (f64, f64),
    /// Where they lie \[px\].
    places: (f64, f64),
}

impl Scale {
    /// An axis between two places \[px\].
    pub fn new(axis: &Axis, from: f64, to: f64) -> Self {
        let log = axis.log && axis.range.0 > 0.0;
        let bend = |v: f64| if log { v.ln() } else { v };
        let (low, high) = (bend(axis.range.0), bend(axis.range.1));
        let high = if high > low { high } else { low + 1.0 };
        Self { log, ends: (low, high), places: (from, to) }
    }

    fn coord(&self) -> RangedCoordf64 {
        (self.ends.0..self.ends.1).into()
    }

    /// Where a value lies \[px\]; what is beyond the axis lies at most ten times as far out.
    pub fn place(&self, value: f64) -> f64 {
        let bent = if self.log { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let share = f64::from(self.coord().map(&bent, (0, FINE))) / f64::from(FINE);
        self.places.0 + (self.places.1 - self.places.0) * share.clamp(-10.0, 10.0)
    }

    /// The value at a place; beyond an end that of the end.
    pub fn value(&self, place: f64) -> f64 {
        let share = (place - self.places.0) / (self.places.1 - self.places.0);
        let at = (share.clamp(0.0, 1.0) * f64::from(FINE)).round() as i32;
        let bent = self.coord().unmap(at, (0, FINE)).unwrap_or(self.ends.0);
        if self.log { bent.exp() } else { bent }
    }
}

/// Values to write beside an axis, at most about so many.
pub(crate) fn ticks(axis: &Axis, most: usize) -> Vec<f64> {
    let (low, high) = axis.range;
    let most = most.clamp(2, 12);
    if !(low.is_finite() && high.is_finite() && high > low) {
        return Vec::new();
    }
    if axis.log && low > 0.0 {
        return log_ticks(axis.measure, (low, high), most);
    }
    let mut points = RangedCoordf64::from(low..high).key_points(BoldPoints(most));
    if let Measure::Year(_) = axis.measure {
        points.retain(|year| (year - year.round()).abs() < 1e-9);
    }
    points
}

/// Decades, and 2 and 5 of each where there is room; of times beyond a minute what clocks and calendars have.
fn log_ticks(measure: Measure, (low, high): (f64, f64), most: usize) -> Vec<f64> {
    /// Minutes, hours and days \[s\], and steps between them.
    const LONG: [f64; 7] = [60.0, 600.0, 3600.0, 36e3, 864e3, 864e4, 864e5];
    const BETWEEN: [f64; 6] = [120.0, 300.0, 1800.0, 10_800.0, 86_400.0, 345_600.0];
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let mut decades: Vec<f64> = (first..=last).map(|decade| 10f64.powi(decade)).collect();
    let mut all: Vec<f64> = decades.iter().flat_map(|one| [1.0, 2.0, 5.0].map(|step| step * one)).collect();
    if measure == Measure::Time {
        for (ticks, more) in [(&mut decades, &LONG[..]), (&mut all, &[LONG.as_slice(), &BETWEEN].concat())] {
            ticks.retain(|v| *v < 60.0);
            ticks.extend(more);
            ticks.sort_by(f64::total_cmp);
        }
    }
    for ticks in [&mut decades, &mut all] {
        ticks.retain(|v| (low..=high).contains(v));
    }
    // Where it gets too narrow, decades alone, and then only some of them.
    let shown = if all.len() > most { decades } else { all };
    let every = shown.len().div_ceil(most).max(1);
    shown.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(log: bool, range: (f64, f64), measure: Measure) -> Axis {
        Axis { label: String::new(), measure, log, range }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let linear = ticks(&axis(false, (0.0, 3.7), Measure::Times), 5);
        assert_eq!(linear, [0.0, 1.0, 2.0, 3.0]);
        let log = ticks(&axis(true, (0.004, 90.0), Measure::Time), 6);
        assert_eq!(log, [0.01, 0.1, 1.0, 10.0, 60.0]);
        assert_eq!(ticks(&axis(false, (1.0, 1.0), Measure::Times), 5), [0.0; 0]);
        let years = Measure::Year(2026);
        let shown = ticks(&axis(false, (0.0, 3.0), years), 8).into_iter();
        assert_eq!(shown.map(|at| years.show(at)).collect::<Vec<_>>(), ["2026", "2027", "2028", "2029"]);
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

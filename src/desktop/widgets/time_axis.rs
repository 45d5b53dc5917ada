//! Where time lies on the screen: shared by the rows of a timeline.

use egui::Rangef;

/// A part of the time of a log or a simulation across a part of the screen; what lies outside of it is cut off by the
/// painter.
#[derive(Debug, Clone, Copy)]
pub struct TimeAxis {
    /// Its ends on the screen.
    pub x: Rangef,
    /// The time at its left end \[s\].
    pub from: f64,
    /// The time at its right end \[s\].
    pub until: f64,
}

impl TimeAxis {
    /// Where a time is.
    pub fn x(self, time: f64) -> f32 {
        let share = (time - self.from) / (self.until - self.from);
        self.x.min + self.x.span() * share.clamp(-10.0, 10.0) as f32
    }

    /// Which time a place has; outside of the axis that of its nearer end.
    pub fn time(self, x: f32) -> f64 {
        let share = (x - self.x.min) / self.x.span().max(1.0);
        self.from + f64::from(share.clamp(0.0, 1.0)) * (self.until - self.from)
    }

    /// The part that is shown after zooming in by a factor around a place, no shorter than `shortest` \[s\]; none is all
    /// of it, from 0 to `all` \[s\].
    pub fn zoomed(self, by: f32, around: f32, all: f64, shortest: f64) -> Option<(f64, f64)> {
        let middle = self.time(around);
        let length = (self.until - self.from) / f64::from(by);
        let length = length.clamp(shortest.min(all), all);
        if length > all * 0.999 {
            return None;
        }
        let share = (middle - self.from) / (self.until - self.from);
        let from = (middle - share * length).clamp(0.0, all - length);
        Some((from, from + length))
    }

    /// The part that is shown after moving by so many seconds, at most to the ends.
    pub fn moved(self, by: f64, all: f64) -> Option<(f64, f64)> {
        let length = self.until - self.from;
        if length >= all {
            return None;
        }
        let from = (self.from + by).clamp(0.0, all - length);
        Some((from, from + length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: TimeAxis = TimeAxis {
        x: Rangef {
            min: 100.0,
            max: 1100.0,
        },
        from: 0.0,
        until: 1000.0,
    };

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        let (from, until) = AXIS.zoomed(4.0, 600.0, 1000.0, 5.0).unwrap_or_default();
        assert_eq!((from, until), (375.0, 625.0));
        let near = TimeAxis {
            from,
            until,
            ..AXIS
        };
        assert!((near.time(600.0) - AXIS.time(600.0)).abs() < 1e-9);
        assert_eq!(near.zoomed(0.01, 600.0, 1000.0, 5.0), None, "all of it");
        assert_eq!(AXIS.zoomed(1e6, 600.0, 1000.0, 5.0), Some((497.5, 502.5)));
    }

    #[test]
    fn moving_stops_at_the_ends() {
        let near = TimeAxis {
            from: 100.0,
            until: 300.0,
            ..AXIS
        };
        assert_eq!(near.moved(-500.0, 1000.0), Some((0.0, 200.0)));
        assert_eq!(near.moved(5000.0, 1000.0), Some((800.0, 1000.0)));
        assert_eq!(AXIS.moved(10.0, 1000.0), None, "all of it is shown");
    }
}

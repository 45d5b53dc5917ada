//! What lies on a chart beside its lines, and how lines are read: plain data.

/// A value beside the lines, with what it may be in truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whisker {
    /// Which series' colour.
    pub index: usize,
    /// Where.
    pub x: f64,
    /// Low end, value, high end.
    pub y: (f64, f64, f64),
}

/// A point beside the lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Which series' colour and shape.
    pub index: usize,
    /// Where.
    pub at: (f64, f64),
}

/// The value of a line at an x between its points; `None` outside of them.
///
/// ```
/// use plimsoll::desktop::widgets::plot_data::between;
/// let line = [(0.0, 1.0), (2.0, 5.0)];
/// assert_eq!(between(&line, 1.0), Some(3.0));
/// assert_eq!(between(&line, 2.5), None);
/// ```
pub fn between(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let after = points.partition_point(|(at, _)| *at < x);
    let (b, y_b) = *points.get(after)?;
    if b == x {
        return Some(y_b);
    }
    let (a, y_a) = *points.get(after.checked_sub(1)?)?;
    let y = y_a + (y_b - y_a) * (x - a) / (b - a);
    y.is_finite().then_some(y)
}

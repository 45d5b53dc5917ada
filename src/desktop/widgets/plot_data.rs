//! What lies on a chart beside its lines: plain data.

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

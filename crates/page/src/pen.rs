//! What pictures are drawn with: a layout is written once, for every [`Pen`].
//!
//! Lengths are in pixels of the picture, x to the right and y down. Text is placed by the middle of its height.

use crate::diagram::Rect;

/// A place: x and y \[px\].
pub type Point = (f64, f64);

/// A colour by its role; a theme says which it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ink {
    /// Behind everything.
    Paper,
    /// Boxes on it.
    Card,
    /// Text and axes.
    Text,
    /// Text that stands back.
    Muted,
    /// Grids and edges of boxes.
    Line,
    /// What is looked at.
    Accent,
    /// Well.
    Good,
    /// Careful.
    Warning,
    /// Limits, targets, what is wrong.
    Limit,
    /// The line of this index.
    Series(usize),
    /// How busy something is, in \[0, 1\].
    Busy(f64),
    /// Text on [`Ink::Busy`].
    OnBusy(f64),
}

impl Ink {
    /// The colour, so much of which is seen: 0 is nothing, 1 all of it.
    pub fn faded(self, share: f64) -> Paint {
        Paint { ink: self, share }
    }

    /// A line in this colour, so many pixels wide.
    pub fn stroke(self, width: f64) -> Stroke {
        Stroke { paint: self.into(), width, is_dashed: false }
    }
}

/// A colour that may be seen through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paint {
    /// The colour.
    pub ink: Ink,
    /// How much of it is seen, in \[0, 1\].
    pub share: f64,
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Self {
        ink.faded(1.0)
    }
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub paint: Paint,
    /// Its width \[px\].
    pub width: f64,
    /// Whether it is dashed.
    pub is_dashed: bool,
}

impl Stroke {
    /// The same, dashed and a little paler.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { paint: self.paint.ink.faded(0.8), is_dashed: true, ..self }
    }
}

/// Which part of a text lies at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
    /// Its middle; it runs upward.
    Upright,
}

/// How text is written, in one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Font {
    /// Its size \[px\].
    pub size: f64,
    /// Its colour.
    pub ink: Ink,
    /// Whether it is semibold.
    pub is_strong: bool,
    /// Which part of it lies at its place.
    pub anchor: Anchor,
    /// It is cut with an ellipsis where it is wider than this \[px\].
    pub room: f64,
}

impl Font {
    /// Regular text of this size and colour that begins at its place.
    pub fn new(size: f64, ink: Ink) -> Self {
        Self { size, ink, is_strong: false, anchor: Anchor::Start, room: f64::INFINITY }
    }

    /// The same in semibold where `is_strong`.
    #[must_use]
    pub fn strong(self, is_strong: bool) -> Self {
        Self { is_strong, ..self }
    }

    /// The same elsewhere at its place.
    #[must_use]
    pub fn at(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// The same in so much room \[px\].
    #[must_use]
    pub fn within(self, room: f64) -> Self {
        Self { room, ..self }
    }
}

/// Where pointing at something tells more of it.
#[derive(Debug, Clone, Copy)]
pub enum Place<'p> {
    /// In a rectangle.
    Box(Rect),
    /// Near a line.
    Along(&'p [Point]),
}

/// What is told of a part of a picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tooltip<'t> {
    /// Its name, then more of it, a line each.
    pub words: &'t [&'t str],
    /// The id of what it depends on most, which can be explained; empty if there is none.
    pub about: &'t str,
}

/// Draws a picture.
pub trait Pen {
    /// How wide a text is \[px\].
    fn width(&self, text: &str, font: Font) -> f64;

    /// A line through points.
    fn line(&mut self, points: &[Point], stroke: Stroke);

    /// What lies between two lines whose points have the same x.
    fn area(&mut self, upper: &[Point], lower: &[Point], paint: Paint);

    /// A rectangle with round corners, and its edge.
    fn rect(&mut self, rect: Rect, radius: f64, fill: impl Into<Paint>, edge: Option<Stroke>);

    /// A disc, and its edge.
    fn dot(&mut self, at: Point, radius: f64, fill: impl Into<Paint>, edge: Option<Stroke>);

    /// Text.
    fn text(&mut self, at: Point, text: &str, font: Font);

    /// A part that tells more of itself when it is pointed at; `draw` learns whether it is.
    fn with_tooltip(&mut self, place: Place<'_>, tooltip: &Tooltip<'_>, draw: impl FnOnce(&mut Self, bool));

    /// A point of a line that tells its numbers, where lines cannot be read everywhere.
    fn reading(&mut self, at: Point, ink: Ink, words: &str);
}

/// Middles of labels near those that are wanted, in the same order, so that labels of these heights do not lie on each other;
/// within the ends as far as there is room, else below.
pub fn spread(wanted: &[f64], heights: &[f64], (first, last): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut middles = wanted.to_vec();
    let mut free = first;
    for i in &order {
        middles[*i] = middles[*i].max(free + heights[*i] / 2.0);
        free = middles[*i] + heights[*i] / 2.0;
    }
    let mut free = last.max(first + heights.iter().sum::<f64>());
    for i in order.iter().rev() {
        middles[*i] = middles[*i].min(free - heights[*i] / 2.0);
        free = middles[*i] - heights[*i] / 2.0;
    }
    middles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_moved_apart_and_stay_in_order() {
        let wanted = [10.0, 11.0, 50.0, 12.0];
        let places = spread(&wanted, &[8.0; 4], (0.0, 60.0));
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|w| w[1] - w[0] >= 8.0), "{places:?}");
        assert!(places[0] < places[1] && places[1] < places[3] && places[3] < places[2]);
        assert!(sorted[3] <= 56.0);
        let full = spread(&[5.0; 9], &[8.0; 9], (0.0, 20.0));
        assert_eq!(full[8], 68.0, "what has no room goes out below");
    }
}

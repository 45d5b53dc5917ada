//! The load line: today's peak, the load at the horizon and the largest load that is carried, on one bar.

use crate::diagram::Rect;
use crate::pen::{Font, Ink, Pen, Point};

/// Multiples of today's peak load on one scale, and how each is called.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadLine {
    /// Today, at 1.
    pub today: String,
    /// Where growth is at the end of the horizon; 1 without growth.
    pub horizon: (f64, String),
    /// The largest multiple that is carried.
    pub limit: (f64, String),
}

/// Height of the bar and of a row of labels, in units of the size of text.
const BAR: f64 = 1.45;
const ROW: f64 = 1.4;
/// A limit beyond so many times the horizon is drawn at the end of the bar.
const FAR: f64 = 3.0;

impl LoadLine {
    /// How high it is in text of a size \[px\].
    pub fn height(text: f64) -> f64 {
        (BAR + 2.0 * ROW) * text
    }

    /// All of it in words.
    pub fn words(&self) -> String {
        [&self.today, &self.horizon.1, &self.limit.1].map(String::as_str).join("; ")
    }

    /// Whether the limit lies before today, before the horizon, or behind it.
    fn ink(&self) -> Ink {
        match self.limit.0 {
            limit if limit < 1.0 => Ink::Limit,
            limit if limit < self.horizon.0 => Ink::Warning,
            _ => Ink::Good,
        }
    }

    /// Draws it over a width \[px\] in text of a size \[px\].
    pub fn draw<P: Pen>(&self, pen: &mut P, width: f64, text: f64) {
        let (horizon, limit) = (self.horizon.0, self.limit.0);
        let needed = horizon.max(1.0);
        let is_far = limit > FAR * needed;
        let end = if is_far { FAR * needed } else { 1.12 * limit.max(needed) };
        let x = |load: f64| width * (load / end).clamp(0.0, 1.0);
        let (top, bottom) = (ROW * text, (ROW + BAR) * text);
        let ink = self.ink();
        let bars = [(end, Ink::Limit.faded(0.22)), (limit, ink.faded(0.45)), (limit.min(1.0), ink.into())];
        for (load, paint) in bars {
            pen.rect(Rect::new(0.0, top, x(load), bottom - top), 5.0, paint, None);
        }
        let strokes = [(1.0, 2.0, Ink::Text), (horizon, 2.0, Ink::Muted), (limit, 3.0, ink)];
        for (load, wide, ink) in strokes.into_iter().take(if is_far { 2 } else { 3 }) {
            pen.line(&[(x(load), top - wide), (x(load), bottom + wide)], ink.stroke(wide));
        }
        let limit_label = format!("{}{}", self.limit.1, if is_far { " →" } else { "" });
        // The two labels below lie beside each other: the first leaves room for the second.
        let room = width - pen.width(&limit_label, Font::new(text, ink)) - text;
        let mut label = |shown: &str, (at, y): Point, ink: Ink, room: Point| {
            let font = Font::new(text, ink);
            let own = pen.width(shown, font);
            let left = (at - own / 2.0).min(room.1 - own).max(room.0);
            pen.text((left, y), shown, font.within(width - left));
            left + own
        };
        let (above, below) = (top - 0.8 * text, bottom + 0.75 * text);
        label(&self.horizon.1, (x(horizon), above), Ink::Muted, (0.0, width));
        let at = if is_far { width } else { x(limit) };
        let end = label(&self.today, (x(1.0), below), Ink::Text, (0.0, room));
        label(&limit_label, (at, below), ink, (end + text, width));
    }
}

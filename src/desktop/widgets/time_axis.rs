//! Where time lies on the screen, and what the rows of a timeline share.

use egui::{Color32, CornerRadius, Mesh, Rangef, Rect, Response, RichText, Sense, Shape, Stroke, StrokeKind, Ui, Vec2};

use super::subhead;
use crate::desktop::theme::Theme;

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
    /// Across a row, with room at its left for names, at least and at most, and at its right for numbers \[points\].
    pub fn of_row(row: Rect, names: (f32, f32), numbers: f32, (from, until): (f64, f64)) -> Self {
        let names = (row.width() * 0.2).clamp(names.0, names.1);
        let left = row.left() + names.min(row.width() * 0.3);
        let right = (row.right() - numbers).max(left + 1.0);
        let x = Rangef::new(left, right);
        Self { x, from, until }
    }

    /// Where a stretch of time is, as far as it is shown: wide enough to be seen.
    pub fn stretch(self, from: f64, until: f64) -> Option<Rangef> {
        let from = self.x(from);
        let until = self.x(until).max(from + 1.5);
        let shown = Rangef::new(from.max(self.x.min), until.min(self.x.max));
        (shown.min < shown.max).then_some(shown)
    }

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

/// A hold of a lock.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// From when to when it is drawn \[s\].
    pub drawn: (f64, f64),
    /// How long it was \[s\].
    pub seconds: f64,
    /// In which colour.
    pub color: Color32,
}

/// Holds as bars that stand on the bottom of their band: the longer, the higher, on a logarithmic scale from the shortest to the
/// longest \[s\].
pub fn holds(ui: &Ui, axis: TimeAxis, y: Rangef, holds: impl Iterator<Item = Held>, (shortest, longest): (f64, f64)) {
    let whole = (longest / shortest).max(2.0).ln();
    let mut mesh = Mesh::default();
    for hold in holds {
        if let Some(x) = axis.stretch(hold.drawn.0, hold.drawn.1) {
            let share = (hold.seconds / shortest).max(1.0).ln() / whole;
            let top = y.max - y.span() * share.clamp(0.1, 1.0) as f32;
            let bar = Rect::from_x_y_ranges(x, Rangef::new(top, y.max));
            mesh.add_colored_rect(bar, hold.color);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// What the colours of holds mean.
pub fn legend(ui: &mut Ui, title: &str, [written, read]: [&str; 2], longest: &str) {
    let theme = Theme::of(ui);
    let small = |words: &str| RichText::new(words).small().color(theme.muted);
    ui.horizontal_wrapped(|ui| {
        if !title.is_empty() {
            subhead(ui, title);
        }
        for (color, words) in [(theme.series(1), written), (theme.series(0), read), (theme.muted, "commands that wait")]
        {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
            ui.painter().rect_filled(rect, CornerRadius::same(2), color);
            ui.label(small(words));
        }
        let words = format!("a taller bar is a longer hold, at most {longest}");
        ui.label(small(&words));
    });
}

/// The ground of a row.
pub fn ground(ui: &Ui, plot: Rect) {
    let color = Theme::faded(Theme::of(ui).line, 0.35);
    ui.painter().rect_filled(plot, CornerRadius::same(2), color);
}

/// Whether an axis has the focus, and thereby the arrow keys; a frame shows it.
pub fn has_arrows(ui: &Ui, response: &Response, vertical_arrows: bool) -> bool {
    if !response.has_focus() {
        return false;
    }
    let arrows = egui::EventFilter { horizontal_arrows: true, vertical_arrows, ..egui::EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let stroke = Stroke::new(1.0, Theme::of(ui).accent);
    let radius = CornerRadius::same(4);
    ui.painter().rect_stroke(response.rect, radius, stroke, StrokeKind::Inside);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: TimeAxis = TimeAxis { x: Rangef { min: 100.0, max: 1100.0 }, from: 0.0, until: 1000.0 };

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        let (from, until) = AXIS.zoomed(4.0, 600.0, 1000.0, 5.0).unwrap_or_default();
        assert_eq!((from, until), (375.0, 625.0));
        let near = TimeAxis { from, until, ..AXIS };
        assert!((near.time(600.0) - AXIS.time(600.0)).abs() < 1e-9);
        assert_eq!(near.zoomed(0.01, 600.0, 1000.0, 5.0), None, "all of it");
        assert_eq!(AXIS.zoomed(1e6, 600.0, 1000.0, 5.0), Some((497.5, 502.5)));
    }

    #[test]
    fn moving_stops_at_the_ends() {
        let near = TimeAxis { from: 100.0, until: 300.0, ..AXIS };
        assert_eq!(near.moved(-500.0, 1000.0), Some((0.0, 200.0)));
        assert_eq!(near.moved(5000.0, 1000.0), Some((800.0, 1000.0)));
        assert_eq!(AXIS.moved(10.0, 1000.0), None, "all of it is shown");
    }
}

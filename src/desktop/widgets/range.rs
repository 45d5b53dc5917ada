//! Ranges on a logarithmic axis that several rows share: where a time lies, how well it is known, and the
//! target that it is compared with.

use egui::{Align2, CornerRadius, Rect, Stroke, TextStyle, Ui};

use super::Tone;
use crate::desktop::theme::Theme;
use crate::page::Range;
use crate::units::grouped;

/// An axis of times \[s\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogAxis {
    /// Exponent of ten at its left end.
    pub first: i32,
    /// Exponent of ten at its right end.
    pub last: i32,
}

impl LogAxis {
    /// Whole decades around some values; those that are no positive numbers do not count.
    pub fn around(values: impl IntoIterator<Item = f64>) -> Self {
        let logs = values.into_iter().filter(|v| *v > 0.0 && v.is_finite());
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v.log10()), high.max(v.log10())));
        if low > high {
            return Self { first: -1, last: 1 };
        }
        let first = low.floor() as i32;
        Self { first, last: (high.ceil() as i32).max(first + 1) }
    }

    /// Where a value lies from left to right, in \[0, 1\].
    pub fn place(self, value: f64) -> f32 {
        let decades = f64::from(self.last - self.first);
        let at = (value.max(1e-12).log10() - f64::from(self.first)) / decades;
        at.clamp(0.0, 1.0) as f32
    }

    fn x(self, rect: Rect, value: f64) -> f32 {
        rect.left() + rect.width() * self.place(value)
    }

    /// "10 ms" at each decade, across the middle of a rectangle.
    pub fn ticks(self, ui: &Ui, rect: Rect) {
        let theme = Theme::of(ui);
        let font = TextStyle::Small.resolve(ui.style());
        let decades = self.last - self.first;
        // Labels that would touch are left out.
        let step = ((84.0 * decades as f32 / rect.width().max(1.0)).ceil() as i32).max(1);
        for exponent in (self.first..=self.last).step_by(step.unsigned_abs() as usize) {
            let x = self.x(rect, 10f64.powi(exponent));
            let align = match exponent {
                e if e == self.first => Align2::LEFT_CENTER,
                e if e == self.last => Align2::RIGHT_CENTER,
                _ => Align2::CENTER_CENTER,
            };
            let at = egui::pos2(x, rect.center().y);
            ui.painter().text(at, align, decade(exponent), font.clone(), theme.muted);
        }
    }
}

/// "10 ms", "1 s", "100 s".
fn decade(exponent: i32) -> String {
    let (unit, zeros) = match exponent {
        ..-6 => return format!("1e{exponent} s"),
        -6..-3 => ("µs", exponent + 6),
        -3..0 => ("ms", exponent + 3),
        _ => ("s", exponent),
    };
    format!("{} {unit}", grouped(10f64.powi(zeros)))
}

/// Paints a range over a rectangle; the decades are marked faintly behind it.
pub fn range_bar(ui: &Ui, rect: Rect, axis: LogAxis, range: &Range, tone: Tone) {
    let theme = Theme::of(ui);
    let painter = ui.painter();
    for exponent in axis.first..=axis.last {
        let x = axis.x(rect, 10f64.powi(exponent));
        painter.vline(x, rect.y_range(), Stroke::new(1.0, theme.line));
    }
    let color = match tone {
        Tone::Plain => theme.accent,
        tone => tone.color(theme),
    };
    let middle = rect.center().y;
    let (left, right) = (axis.x(rect, range.low), axis.x(rect, range.high));
    if right > left {
        let band = Rect::from_x_y_ranges(left..=right, middle - 4.0..=middle + 4.0);
        painter.rect_filled(band, CornerRadius::same(4), Theme::faded(color, 0.3));
    }
    painter.circle_filled(egui::pos2(axis.x(rect, range.value), middle), 4.5, color);
    if let Some(target) = range.target {
        let x = axis.x(rect, target);
        let ends = middle - 9.0..=middle + 9.0;
        painter.vline(x, ends, Stroke::new(2.0, theme.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_holds_all_its_values_between_whole_decades() {
        let axis = LogAxis::around([0.02, 0.4, 3.0]);
        assert_eq!(axis, LogAxis { first: -2, last: 1 });
        assert!((axis.place(0.01)).abs() < 1e-6);
        assert!((axis.place(10.0) - 1.0).abs() < 1e-6);
        assert!((axis.place(0.1) - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(LogAxis::around([f64::NAN, 0.0]).place(1e9), 1.0);
    }

    #[test]
    fn decades_have_units() {
        assert_eq!(decade(-3), "1 ms");
        assert_eq!(decade(-4), "100 µs");
        assert_eq!(decade(2), "100 s");
        assert_eq!(decade(4), "10,000 s");
    }
}

//! The load line: today's peak, the load at the horizon and the largest load that is carried, on one bar.

use std::sync::Arc;

use egui::{
    Align2, CornerRadius, Galley, Pos2, Rangef, Rect, Role, Sense, Stroke, TextStyle, Ui, Vec2,
};

use super::Tone;
use super::text::{Ink, laid_out};
use crate::desktop::theme::Theme;
use crate::report::LoadLine;

/// Height of the bar and of a row of labels \[points\].
const BAR: f32 = 18.0;
const ROW: f32 = 17.0;
/// Between two labels in a row \[points\].
const APART: f32 = 14.0;
/// A limit beyond so many times the horizon is drawn at the end of the bar.
const FAR: f64 = 3.0;

/// Paints the line over the available width.
pub fn load_line(ui: &mut Ui, line: &LoadLine) {
    let theme = Theme::of(ui);
    let size = Vec2::new(ui.available_width().max(80.0), ROW + BAR + ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let today = format!("today {:.0} people", line.people);
    let horizon = format!("{}: {:.1} × today", line.horizon_label, line.horizon);
    let limit = format!("limit {}, {:.1} × today", line.limit_label, line.limit);
    let words = [&today, &horizon, &limit].map(String::as_str).join("; ");
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &words));
    let needed = line.horizon.max(1.0);
    let is_far = line.limit > FAR * needed;
    let end = if is_far {
        FAR * needed
    } else {
        1.12 * line.limit.max(needed)
    };
    let bar = Rect::from_min_size(rect.min + Vec2::new(0.0, ROW), Vec2::new(rect.width(), BAR));
    let x = |load: f64| bar.left() + bar.width() * (load / end).clamp(0.0, 1.0) as f32;
    let painter = ui.painter();
    let radius = CornerRadius::same(5);
    painter.rect_filled(bar, radius, Theme::faded(theme.bad, 0.22));
    let tone = tone(line);
    let mut carried = bar;
    carried.set_right(x(line.limit));
    painter.rect_filled(carried, radius, Theme::faded(tone.color(theme), 0.45));
    let mut used = bar;
    used.set_right(x(line.limit.min(1.0)));
    painter.rect_filled(used, radius, tone.color(theme));
    let limit = if is_far {
        format!("{limit} →")
    } else {
        limit
    };
    let label = |text: &str, color| {
        let ink = Ink::new(ui, &TextStyle::Small, color);
        laid_out(ui, text, &ink, bar.width(), 1)
    };
    let (below, above) = (bar.bottom() + 2.0, bar.top() - 2.0);
    let horizon = label(&horizon, theme.muted);
    place(
        ui,
        horizon,
        x(line.horizon),
        above,
        Align2::LEFT_BOTTOM,
        bar.x_range(),
    );
    // Today's label leaves room for that of the limit behind it.
    let limit = label(&limit, tone.color(theme));
    let room = Rangef::new(bar.left(), bar.right() - limit.size().x - APART);
    let today = label(&today, theme.text);
    let end = place(ui, today, x(1.0), below, Align2::LEFT_TOP, room);
    let at = if is_far { bar.right() } else { x(line.limit) };
    let room = Rangef::new(end + APART, bar.right());
    place(ui, limit, at, below, Align2::LEFT_TOP, room);
    for (load, color) in [(1.0, theme.text), (line.horizon, theme.muted)] {
        let stroke = Stroke::new(2.0, color);
        painter.vline(x(load), bar.y_range().expand(2.0), stroke);
    }
    if !is_far {
        let stroke = Stroke::new(3.0, tone.color(theme));
        painter.vline(x(line.limit), bar.y_range().expand(3.0), stroke);
    }
}

/// Whether the limit lies before today, before the horizon, or behind it.
fn tone(line: &LoadLine) -> Tone {
    if line.limit < 1.0 {
        Tone::Bad
    } else if line.limit < line.horizon {
        Tone::Warning
    } else {
        Tone::Good
    }
}

/// Paints a label, centred on a place as far as its room allows; gives its right end.
fn place(ui: &Ui, label: Arc<Galley>, x: f32, y: f32, anchor: Align2, room: Rangef) -> f32 {
    let size = label.size();
    let most = (room.max - size.x).max(room.min);
    let left = (x - size.x / 2.0).clamp(room.min, most);
    let rect = anchor.anchor_size(Pos2::new(left, y), size);
    ui.painter().galley(rect.min, label, Theme::of(ui).text);
    left + size.x
}

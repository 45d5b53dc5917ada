//! The load line: today's peak, the load at the horizon and the largest load that is carried, on one bar.

use egui::{Align2, CornerRadius, FontId, Pos2, Rect, Role, Sense, Stroke, TextStyle, Ui, Vec2};

use super::Tone;
use crate::desktop::theme::Theme;
use crate::report::LoadLine;

/// Height of the bar and of a row of labels \[points\].
const BAR: f32 = 18.0;
const ROW: f32 = 17.0;
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
    let font = TextStyle::Small.resolve(ui.style());
    let place = Labels {
        ui,
        font: &font,
        bar,
    };
    let below = bar.bottom() + 2.0;
    let end_of_today = place.label(
        x(1.0),
        below,
        Align2::LEFT_TOP,
        &today,
        theme.text,
        bar.left(),
    );
    let above = bar.top() - 2.0;
    place.label(
        x(line.horizon),
        above,
        Align2::LEFT_BOTTOM,
        &horizon,
        theme.muted,
        bar.left(),
    );
    let at = if is_far { bar.right() } else { x(line.limit) };
    let limit = if is_far {
        format!("{limit} →")
    } else {
        limit
    };
    let color = tone.color(theme);
    place.label(
        at,
        below,
        Align2::LEFT_TOP,
        &limit,
        color,
        end_of_today + 14.0,
    );
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

struct Labels<'a> {
    ui: &'a Ui,
    font: &'a FontId,
    bar: Rect,
}

impl Labels<'_> {
    /// Centred on a place as far as the bar and what stands before it allow; gives its right end.
    fn label(
        &self,
        x: f32,
        y: f32,
        anchor: Align2,
        text: &str,
        color: egui::Color32,
        from: f32,
    ) -> f32 {
        let painter = self.ui.painter();
        let galley = painter.layout_no_wrap(text.to_owned(), self.font.clone(), color);
        let width = galley.size().x;
        let most = (self.bar.right() - width).max(from);
        let left = (x - width / 2.0).clamp(from, most);
        let rect = anchor.anchor_size(Pos2::new(left, y), galley.size());
        painter.galley(rect.min, galley, color);
        left + width
    }
}

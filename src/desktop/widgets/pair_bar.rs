//! How busy something is before and after: a bar with a notch where it was.

use egui::{Align2, CornerRadius, Pos2, Rect, Response, Sense, Stroke, TextStyle, Ui, Vec2};
use egui::{Role, WidgetInfo};

use super::super::theme::Theme;

/// Paints the bar: `after` as its length, `before` as a notch, both in words behind it; `name` is for those who do not see it.
pub fn pair_bar(
    ui: &mut Ui,
    width: f32,
    (name, words): (&str, &str),
    before: Option<f64>,
    after: Option<f64>,
) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 18.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, format!("{name}: {words}")));
    let room = (rect.width() - 104.0).max(10.0);
    let rail = Rect::from_min_size(rect.min + Vec2::new(0.0, 3.0), Vec2::new(room, 12.0));
    let painter = ui.painter();
    let radius = CornerRadius::same(3);
    painter.rect_filled(rail, radius, theme.idle());
    let length = |share: f64| room * share.clamp(0.0, 1.0) as f32;
    if let Some(after) = after {
        let mut full = rail;
        full.set_width(length(after).max(1.0));
        painter.rect_filled(full, radius, theme.busy(after));
    }
    if let Some(before) = before {
        let x = rail.left() + length(before);
        let notch = Stroke::new(2.0, theme.text);
        painter.vline(x, rail.top() - 3.0..=rail.bottom() + 3.0, notch);
    }
    let font = TextStyle::Small.resolve(ui.style());
    let place = Pos2::new(rail.right() + 8.0, rect.center().y);
    painter.text(place, Align2::LEFT_CENTER, words, font, theme.text);
    response
}

//! A card that is a button: several lines that lead somewhere together.

use egui::{CornerRadius, CursorIcon, Frame, Margin, Response, Sense, Stroke, StrokeKind, Ui, Vec2};
use egui::{WidgetInfo, accesskit::Role};

use crate::desktop::theme::Theme;

/// Paints it; `name` is what a screen reader reads.
pub fn link_card(ui: &mut Ui, size: Vec2, name: &str, add: impl FnOnce(&mut Ui)) -> Response {
    const MARGIN: i8 = 10;
    const LINE: f32 = 1.0;
    let theme = Theme::of(ui);
    let inner = (size - Vec2::splat(2.0 * (f32::from(MARGIN) + LINE))).max(Vec2::splat(1.0));
    let painted = Frame::new()
        .fill(theme.card)
        .stroke(Stroke::new(LINE, theme.line))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::same(MARGIN))
        .show(ui, |ui| {
            ui.set_width(inner.x);
            ui.set_min_height(inner.y);
            // Words that could be marked would take the clicks.
            ui.style_mut().interaction.selectable_labels = false;
            ui.vertical(add);
        });
    let response = painted.response.interact(Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.hovered() || response.has_focus() {
        let width = if response.has_focus() { 2.0 } else { 1.0 };
        ui.painter().rect_stroke(
            response.rect,
            CornerRadius::same(8),
            Stroke::new(width, theme.accent),
            StrokeKind::Inside,
        );
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

//! Text that leads to the origin of its figure, underlined while it is pointed at or has the focus.

use egui::{CursorIcon, Label, Response, Role, Sense, Stroke, Ui, WidgetInfo};

use super::super::theme::Theme;

/// Paints a text; it leads somewhere if `leads`. The hover text may be empty.
pub fn lead(ui: &mut Ui, label: Label, leads: bool, about: &str) -> Response {
    let words = label.text().to_owned();
    if !leads {
        let response = ui.add(label);
        return if about.is_empty() {
            response
        } else {
            response.on_hover_text(about)
        };
    }
    let response = ui.add(label.sense(Sense::click()));
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &words));
    if response.hovered() || response.has_focus() {
        let rect = response.rect;
        let stroke = Stroke::new(1.0, Theme::of(ui).accent);
        ui.painter().hline(rect.x_range(), rect.bottom(), stroke);
    }
    response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text(about)
}

//! Paints the heads of the comparison: what a column is, and what moves or unpins it.

use egui::{RichText, Ui, Vec2};

use super::data::Column;
use crate::desktop::command::{Command, Edit};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{Tone, chip};

/// The name of a column, what is to know of it, and what moves it.
pub(super) fn head(ui: &mut Ui, column: &Column, place: usize, pins: usize, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = Vec2::splat(4.0);
    ui.horizontal(|ui| {
        let (dot, _) = ui.allocate_exact_size(Vec2::splat(10.0), egui::Sense::hover());
        ui.painter().circle_filled(dot.center(), 5.0, theme.series(place));
        let name = RichText::new(&column.title).family(theme::strong());
        ui.add(egui::Label::new(name).truncate()).on_hover_text(&column.name);
    });
    let about = RichText::new(&column.about).small().color(theme.muted);
    ui.add(egui::Label::new(about).truncate());
    ui.horizontal(|ui| {
        if column.problem.is_some() {
            chip(ui, "saturated", Tone::Bad);
        } else if column.is_on_front {
            chip(ui, "Pareto front", Tone::Good)
                .on_hover_text("No other here is at least as good by every criterion and better by one");
        }
        if let Some(pin) = column.pin {
            moves(ui, column, pin, pins, out);
        }
    });
}

/// Moves or unpins a pinned layout.
fn moves(ui: &mut Ui, column: &Column, pin: usize, pins: usize, out: &mut Vec<Command>) {
    ui.spacing_mut().button_padding = Vec2::new(5.0, 1.0);
    let to = |to| Edit::MovePin { from: pin, to };
    let buttons = [
        ("←", "Move to the left", pin.checked_sub(1).map(to)),
        ("→", "Move to the right", Some(pin + 1).filter(|p| *p < pins).map(to)),
        ("×", "Unpin", Some(Edit::Unpin(pin))),
    ];
    for (sign, about, edit) in buttons {
        let response = ui.add_enabled(edit.is_some(), egui::Button::new(sign).small());
        let label = format!("{about}: {}", column.name);
        let is_enabled = edit.is_some();
        response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, is_enabled, &label));
        if response.on_hover_text(label.as_str()).clicked() {
            out.extend(edit.map(Command::edit));
        }
    }
}

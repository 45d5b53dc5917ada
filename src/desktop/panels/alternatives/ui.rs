//! Paints the other layouts.

use egui::Ui;

use super::data::Other;
use crate::desktop::command::{Command, Edit};
use crate::desktop::widgets::table::{Cell, Column, Table, within};

/// Paints the other layouts as a table.
pub fn show(ui: &mut Ui, others: &[Other], out: &mut Vec<Command>) {
    let columns = [
        Column::text("Layout", 2.1),
        Column::text("Protocols, filesystem", 1.6),
        Column::text("Edges", 0.8),
        Column::number("Score", 0.6),
        Column::text("Why not", 3.6),
        Column::text("", 0.75),
    ];
    let table = Table::new(ui, &columns);
    for (place, other) in others.iter().enumerate() {
        let row = table.row(
            ui,
            &[
                Cell::new(&other.title).below(&other.layout),
                Cell::new(&other.built),
                Cell::new(&other.edges),
                Cell::new(&other.score),
                Cell::new(&other.why_not),
                Cell::room(26.0),
            ],
        );
        let (Some(pin), Some(cell)) = (&other.pin, row.cells.last()) else {
            continue;
        };
        within(ui, *cell, |ui| {
            ui.push_id(("pin", place), |ui| button(ui, other, pin, out));
        });
    }
}

fn button(ui: &mut Ui, other: &Other, pin: &crate::desktop::state::Pin, out: &mut Vec<Command>) {
    let (word, about, edit) = match other.pinned_at {
        None => (
            "Pin",
            "Compare it with the recommendation",
            Edit::Pin(pin.clone()),
        ),
        Some(index) => ("Unpin", "Compare it no longer", Edit::Unpin(index)),
    };
    let response = ui.add(egui::Button::new(word).selected(other.pinned_at.is_some()));
    let label = format!("{word} {}", pin.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, &label));
    if response
        .on_hover_text(format!("{about}: {}", pin.name))
        .clicked()
    {
        out.push(Command::edit(edit));
    }
}

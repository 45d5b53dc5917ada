//! Paints the table of the comparison: a column a layout, which scrolls sideways when there are many.

use egui::{RichText, ScrollArea, Ui, Vec2};

use super::data::{Column, Data};
use super::measures::Measure;
use crate::desktop::command::{Command, Edit};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::table::{self, Cell, Table, within};
use crate::desktop::widgets::{Tone, chip};

/// The least width of a layout's column.
const LEAST: f32 = 165.0;
/// The width of the names of the rows.
const NAMES: f32 = 180.0;
const HEAD: f32 = 84.0;

pub(super) fn table(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let width = (NAMES + (LEAST + 14.0) * data.columns.len() as f32).max(ui.available_width());
    ScrollArea::horizontal().id_salt("compared").show(ui, |ui| {
        ui.set_width(width);
        let mut columns = vec![table::Column::text("", NAMES)];
        let each = (width - NAMES) / data.columns.len().max(1) as f32;
        columns.extend(data.columns.iter().map(|_| table::Column::text("", each)));
        let table = Table::new(ui, &columns);
        heads(ui, &table, data, out);
        let mut equal: Vec<&str> = Vec::new();
        for (place, group) in data.groups.iter().enumerate() {
            // The short answer stands whole.
            let is_hidden = |m: &&Measure| place > 0 && is_equal(m);
            let (same, unlike): (Vec<_>, Vec<_>) = group.measures.iter().partition(is_hidden);
            equal.extend(same.iter().map(|measure| measure.name.as_str()));
            if unlike.is_empty() {
                continue;
            }
            table.section(ui, &group.title);
            for measure in unlike {
                let mut cells = vec![Cell::new(&measure.name)];
                cells.extend(measure.figures.iter().map(|figure| {
                    let cell = Cell::new(&figure.text)
                        .below(&figure.difference)
                        .hover(&figure.hover)
                        .leads(figure.origin.is_some());
                    match figure.tone {
                        Tone::Plain => cell,
                        tone => cell.tone(tone),
                    }
                }));
                let row = table.row(ui, &cells);
                let clicked = row.clicked.and_then(|place| place.checked_sub(1));
                let origin = clicked.and_then(|place| measure.figures[place].origin.clone());
                out.extend(origin.map(Command::Explain));
            }
        }
        if !equal.is_empty() {
            table.note(ui, &format!("Equal in all columns: {}.", equal.join(", ")));
        }
        table.section(ui, "Why not");
        let mut cells = vec![Cell::new("")];
        cells.extend(data.columns.iter().map(|c| Cell::new(&c.why_not)));
        table.row(ui, &cells);
    });
}

/// Whether a row shows the same for every layout: then it is left out.
fn is_equal(measure: &Measure) -> bool {
    let mut figures = measure.figures.iter();
    let first = figures.next();
    let is_alone = measure.figures.len() < 2;
    !is_alone && figures.all(|figure| Some(&figure.text) == first.map(|f| &f.text))
}

fn heads(ui: &mut Ui, table: &Table<'_>, data: &Data, out: &mut Vec<Command>) {
    let mut cells = vec![Cell::new("")];
    cells.extend(data.columns.iter().map(|_| Cell::room(HEAD)));
    let row = table.row(ui, &cells);
    for (place, (column, cell)) in data.columns.iter().zip(&row.cells[1..]).enumerate() {
        within(ui, *cell, |ui| {
            ui.push_id(("column", place), |ui| {
                ui.vertical(|ui| head(ui, column, place, data.columns.len() - 1, out));
            });
        });
    }
}

fn head(ui: &mut Ui, column: &Column, place: usize, pins: usize, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = Vec2::splat(4.0);
    ui.horizontal(|ui| {
        let (dot, _) = ui.allocate_exact_size(Vec2::splat(10.0), egui::Sense::hover());
        ui.painter()
            .circle_filled(dot.center(), 5.0, theme.series(place));
        let title = column.name.split(" · ").next().unwrap_or_default();
        let name = RichText::new(title).family(theme::strong());
        ui.add(egui::Label::new(name).truncate())
            .on_hover_text(&column.name);
    });
    let about = RichText::new(&column.about).small().color(theme.muted);
    ui.add(egui::Label::new(about).truncate());
    ui.horizontal(|ui| {
        if column.problem.is_some() {
            chip(ui, "saturated", Tone::Bad);
        } else if column.is_on_front {
            chip(ui, "Pareto front", Tone::Good).on_hover_text(
                "No other here is at least as good by every criterion and better by one",
            );
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
        (
            "→",
            "Move to the right",
            Some(pin + 1).filter(|p| *p < pins).map(to),
        ),
        ("×", "Unpin", Some(Edit::Unpin(pin))),
    ];
    for (sign, about, edit) in buttons {
        let response = ui.add_enabled(edit.is_some(), egui::Button::new(sign).small());
        let label = format!("{about}: {}", column.name);
        let is_enabled = edit.is_some();
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::accesskit::Role::Button, is_enabled, &label)
        });
        if response.on_hover_text(label.as_str()).clicked() {
            out.extend(edit.map(Command::edit));
        }
    }
}

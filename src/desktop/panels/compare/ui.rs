//! Paints the comparison: the table, and what else could be pinned.

use egui::{ScrollArea, Ui};

use super::against::OtherSite;
use super::data::Data;
use super::others::Other;
use super::{ui_against, ui_heads};
use crate::desktop::command::{Command, Edit};
use crate::desktop::state::Pin;
use crate::desktop::theme;
use crate::desktop::widgets;
use crate::desktop::widgets::page::{self, ORIGIN, View};
use crate::page::Block;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, other: &OtherSite, out: &mut Vec<Command>) {
    widgets::head(
        ui,
        "Compare",
        "The recommendation beside the best layout of each other family, or beside those that you pin.",
    );
    ui_against::show(ui, other, out);
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    if let Some(pin) = &data.tried {
        let button = ui.button(format!("Pin the what-if as “{}”", pin.name));
        let about = "Compare the what-if with the others";
        if button.on_hover_text(about).clicked() {
            out.push(Command::edit(Edit::Pin(pin.clone())));
        }
        ui.add_space(theme::GAP);
    }
    if data.columns.len() == 1 {
        nothing_pinned(ui, data, out);
    }
    widgets::card(ui, |ui| table(ui, data, out));
    ui.add_space(theme::GAP);
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "All layouts that were considered");
        others(ui, data, out);
    });
}

/// The least width of a column, and the height of its head \[points\].
const LEAST: f32 = 180.0;
const HEAD: f32 = 84.0;

/// A column a layout, which scrolls sideways when there are many.
fn table(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let Some(found) = &data.found else { return };
    let width = (LEAST * (data.columns.len() + 1) as f32).max(ui.available_width());
    ScrollArea::horizontal().id_salt("compared").show(ui, |ui| {
        ui.set_width(width);
        let mut moved = Vec::new();
        for block in &found.blocks {
            let Block::Table(table) = block else {
                page::blocks(ui, std::slice::from_ref(block), None);
                continue;
            };
            let mut head = |ui: &mut Ui, place: usize| {
                let pins = data.columns.len() - 1;
                ui.vertical(|ui| ui_heads::head(ui, &data.columns[place], place, pins, &mut moved));
            };
            let view = View { leads: Some(ORIGIN), heads: Some((HEAD, &mut head)), ..View::default() };
            let clicked = page::table_in(ui, table, view);
            out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
        }
        out.extend(moved);
    });
}

/// What to do where nothing is pinned yet.
fn nothing_pinned(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    const FIRST: usize = 3;
    let pins = data.others.iter().filter_map(|other| other.pin.clone());
    let pins: Vec<Pin> = pins.take(FIRST).collect();
    widgets::wide_card(ui, |ui| {
        ui.label("No layout is pinned. Pin layouts below, or a what-if.");
        let about = "Compare the best of the other layouts with the recommendation";
        if pins.is_empty() {
            return;
        }
        if ui.button("Pin the next best").on_hover_text(about).clicked() {
            let edits = pins.into_iter().map(|pin| Command::edit(Edit::Pin(pin)));
            out.extend(edits);
        }
    });
    ui.add_space(theme::GAP);
}

/// The other layouts, with a button for each to pin it or to let it go.
fn others(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    /// The button is worth so many characters of a column.
    const BUTTON: f32 = 9.0;
    let Some(advised) = &data.advised else { return };
    let mut paint = |ui: &mut Ui, place: usize| {
        if let Some(other) = data.others.get(place) {
            button(ui, other, out);
        }
    };
    let view = View { controls: Some((BUTTON, &mut paint)), ..View::default() };
    page::table_in(ui, &advised.layouts, view);
}

fn button(ui: &mut Ui, other: &Other, out: &mut Vec<Command>) {
    let Some(pin) = &other.pin else { return };
    let (word, about, edit) = match other.pinned_at {
        None => ("Pin", "Compare it with the recommendation", Edit::Pin(pin.clone())),
        Some(index) => ("Unpin", "Compare it no longer", Edit::Unpin(index)),
    };
    let response = ui.add(egui::Button::new(word).selected(other.pinned_at.is_some()));
    let label = format!("{word} {}", pin.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, &label));
    if response.on_hover_text(format!("{about}: {}", pin.name)).clicked() {
        out.push(Command::edit(edit));
    }
}

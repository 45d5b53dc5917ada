//! Paints the simulation panel and asks.

mod charts;
mod controls;
mod results;

use egui::Ui;

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::theme;
use crate::desktop::widgets;

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::head(
        ui,
        "Simulate",
        "A day of the deployment, event by event: what the averages of the other panels cannot show.",
    );
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    widgets::card(ui, |ui| controls::show(ui, data, out));
    if let Some(shown) = &data.shown {
        ui.add_space(theme::GAP);
        widgets::card(ui, |ui| charts::show(ui, shown, out));
        ui.add_space(theme::GAP);
        widgets::card(ui, |ui| results::blame(ui, shown));
        if !shown.responses.is_empty() {
            ui.add_space(theme::GAP);
            widgets::card(ui, |ui| results::responses(ui, shown));
        }
    }
}

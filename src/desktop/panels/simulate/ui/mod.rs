//! Paints the simulation panel and asks.

mod charts;
mod controls;
mod results;

use egui::Ui;

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::theme;
use crate::desktop::widgets::{self, page};
use crate::page::Table;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, engine: &Engine, out: &mut Vec<Command>) {
    widgets::head(
        ui,
        "Simulate",
        "The deployment command by command over a day: bursts, long lock holds and failures.",
    );
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    widgets::card(ui, |ui| controls::show(ui, data, engine, out));
    if data.shown.is_none() {
        ui.add_space(theme::GAP);
        widgets::card(ui, to_come);
    }
    if let Some(shown) = &data.shown {
        ui.add_space(theme::GAP);
        if !shown.result.is_empty() {
            let text = egui::RichText::new(&shown.result).text_style(theme::subtitle());
            widgets::wide_card(ui, |ui| {
                ui.add(egui::Label::new(text).wrap());
            });
            ui.add_space(theme::GAP);
        }
        widgets::card(ui, |ui| charts::show(ui, shown, out));
        ui.add_space(theme::GAP);
        widgets::card(ui, |ui| results::blame(ui, shown, out));
        if !shown.responses.is_empty() {
            ui.add_space(theme::GAP);
            widgets::card(ui, |ui| results::responses(ui, shown, out));
        }
    }
}

/// What a run shows, before there is one.
fn to_come(ui: &mut Ui) {
    const PARTS: [(&str, &str); 5] = [
        ("In the system", "commands between request and response at each moment"),
        ("How busy", "every processor, network and set of disks, minute by minute"),
        ("Locks", "how long each table is held, by which command, and how many commands wait"),
        ("Lock waits", "the seconds that each kind of work waits for each other kind"),
        ("Response times", "mean, percentiles and the longest of each kind of work"),
    ];
    ui.set_min_width(ui.available_width());
    widgets::subhead(ui, "No simulation yet");
    widgets::muted(ui, "Run (F5) takes some seconds. It shows while it runs:");
    ui.add_space(theme::GAP);
    let rows = PARTS.map(|(title, about)| vec![title.to_owned(), about.to_owned()]);
    page::table(ui, &Table::new(&["", ""]).with(rows), None);
}

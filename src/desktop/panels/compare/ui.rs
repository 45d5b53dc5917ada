//! Paints the comparison: the table, the criteria, and what else could be pinned.

use egui::Ui;

use super::against::OtherSite;
use super::data::Data;
use super::{ui_against, ui_table};
use crate::desktop::command::{Command, Edit};
use crate::desktop::panels::alternatives;
use crate::desktop::state::Pin;
use crate::desktop::theme;
use crate::desktop::widgets;
use crate::desktop::widgets::parallel::parallel;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(
    ui: &mut Ui,
    data: &Data,
    other: &OtherSite,
    out: &mut Vec<Command>,
) {
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
    widgets::card(ui, |ui| ui_table::table(ui, data, out));
    ui.add_space(theme::GAP);
    if !data.lines.is_empty() {
        widgets::card(ui, |ui| {
            widgets::subhead(ui, "By criterion");
            widgets::muted(
                ui,
                "Each vertical line is a criterion, 1 is best. Performance is relative to the best times of all layouts \
                 of this site.",
            );
            ui.add_space(theme::GAP);
            parallel(ui, &data.axes, &data.lines);
        });
        ui.add_space(theme::GAP);
    }
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "All layouts that were considered");
        alternatives::show(ui, &data.others, out);
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
        if ui
            .button("Pin the next best")
            .on_hover_text(about)
            .clicked()
        {
            let edits = pins.into_iter().map(|pin| Command::edit(Edit::Pin(pin)));
            out.extend(edits);
        }
    });
    ui.add_space(theme::GAP);
}

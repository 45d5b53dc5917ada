//! Paints the comparison: the table, the criteria, and what else could be pinned.

use egui::Ui;

use super::data::Data;
use super::ui_table;
use crate::desktop::command::{Command, Edit};
use crate::desktop::panels::alternatives;
use crate::desktop::state::Pin;
use crate::desktop::theme;
use crate::desktop::widgets;
use crate::desktop::widgets::parallel::parallel;

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::head(
        ui,
        "Compare",
        "Pin layouts to hold them against the recommendation.",
    );
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    if let Some(pin) = &data.tried {
        let button = ui.button(format!("Pin what is tried in What if as “{}”", pin.name));
        let about = "Keep the change of the what-if panel beside the others";
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
                "Each upright line is a criterion, 1 is best. Performance is held against the best times of all \
                 deployments that were solved.",
            );
            ui.add_space(theme::GAP);
            parallel(ui, &data.axes, &data.lines);
        });
        ui.add_space(theme::GAP);
    }
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "What else was considered");
        alternatives::show(ui, &data.others, out);
    });
}

/// What to do where nothing is pinned yet.
fn nothing_pinned(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    const FIRST: usize = 3;
    let pins = data.others.iter().filter_map(|other| other.pin.clone());
    let pins: Vec<Pin> = pins.take(FIRST).collect();
    widgets::card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.label("Nothing is pinned yet. Pin layouts below, or what is tried in What if.");
        let about = "Hold the best of the other layouts against the recommendation";
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

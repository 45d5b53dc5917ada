//! Paints the recommendation: the sentence, key figures, the layout, and then why.

use egui::{RichText, Ui};

use super::data::Data;
use super::volumes::Volume;
use super::{ui_load, ui_reasons};
use crate::desktop::command::Command;
use crate::desktop::panels::{
    alternatives,
    hang::{follow_cell, told},
};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::tiles::{self, tiles};

/// From this width on findings stand beside the diagram.
const WIDE: f32 = 1350.0;
/// From this width on short tables stand side by side.
const MIDDLE: f32 = 860.0;

pub(super) fn show(
    ui: &mut Ui,
    data: &Data,
    text: impl FnOnce() -> String,
    out: &mut Vec<Command>,
) {
    widgets::head(ui, "Recommendation", "");
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    sentence(ui, data);
    key_figures(ui, data, out);
    if ui.available_width() >= WIDE {
        ui.columns_const(|[left, right]| {
            // Columns stretch what they hold; text and chips are not to be stretched.
            left.vertical(|ui| layout(ui, data));
            right.vertical(|ui| ui_reasons::findings(ui, data, 1, out));
        });
    } else {
        layout(ui, data);
        gap(ui);
        let columns = if ui.available_width() >= MIDDLE { 2 } else { 1 };
        ui_reasons::findings(ui, data, columns, out);
    }
    gap(ui);
    volumes(ui, data, out);
    gap(ui);
    ui_load::responses(ui, data, out);
    gap(ui);
    beside(
        ui,
        out,
        |ui, out| ui_load::resources(ui, data, out),
        |ui, out| ui_load::locks(ui, data, out),
    );
    gap(ui);
    beside(
        ui,
        out,
        |ui, out| ui_reasons::sureness(ui, data, out),
        |ui, out| ui_reasons::questions(ui, data, out),
    );
    gap(ui);
    ui_reasons::criteria(ui, data, out);
    gap(ui);
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "The other layouts, and why not");
        widgets::muted(
            ui,
            "Best first; the best number of edges stands for the others. What is pinned stands in Compare.",
        );
        alternatives::show(ui, &data.others, out);
    });
    gap(ui);
    folds(ui, data, text, out);
}

pub(super) fn gap(ui: &mut Ui) {
    ui.add_space(theme::GAP);
}

/// Two parts beside each other where there is room, below each other where there is not.
fn beside(
    ui: &mut Ui,
    out: &mut Vec<Command>,
    first: impl FnOnce(&mut Ui, &mut Vec<Command>),
    second: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    if ui.available_width() >= MIDDLE {
        ui.columns_const(|[left, right]| {
            left.vertical(|ui| first(ui, out));
            right.vertical(|ui| second(ui, out));
        });
    } else {
        first(ui, out);
        gap(ui);
        second(ui, out);
    }
}

fn sentence(ui: &mut Ui, data: &Data) {
    let theme = Theme::of(ui);
    widgets::card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        let text = RichText::new(&data.sentence).text_style(theme::subtitle());
        ui.add(egui::Label::new(text).wrap());
        for warning in &data.warnings {
            let text = RichText::new(warning.trim()).small().color(theme.warning);
            ui.add(egui::Label::new(text).wrap());
        }
    });
    gap(ui);
}

fn key_figures(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let shown: Vec<tiles::Tile<'_>> = data
        .tiles
        .iter()
        .map(|tile| tiles::Tile {
            label: &tile.label,
            figure: &tile.figure,
            note: &tile.note,
            tone: tile.tone,
            hover: &tile.hover,
            is_link: tile.origin.is_some(),
        })
        .collect();
    let clicked = tiles(ui, &shown).and_then(|place| data.tiles[place].origin.clone());
    out.extend(clicked.map(Command::Explain));
    gap(ui);
}

fn layout(ui: &mut Ui, data: &Data) {
    widgets::card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        widgets::subhead(ui, "The layout");
        widgets::muted(ui, &data.servers.join(" · "));
        gap(ui);
        if let Some(diagram) = &data.diagram {
            widgets::diagram::diagram(ui, diagram);
        }
    });
}

fn volumes(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "Volumes");
        let columns = [
            Column::text("Volume", 1.1),
            Column::text("Mount point", 1.5),
            Column::text("Protocol, device", 1.5),
            Column::text("RAID and disks", 1.8),
            Column::text("Filesystem", 0.9),
            Column::number("Size today", 1.3),
            Column::number("At the horizon", 1.3),
            Column::number("At the peak", 1.0),
        ];
        let table = Table::new(ui, &columns);
        let mut server = "";
        let mut rest = data.volumes.as_slice();
        while let [volume, after @ ..] = rest {
            if volume.server != server {
                server = &volume.server;
                table.section(ui, server);
            }
            roles(ui, &table, volume, out);
            let note = |v: &Volume| (v.server.clone(), v.why.clone(), v.options.clone());
            // The same reason for several is told once, below the last of them.
            if after.first().map(note) != Some(note(volume)) {
                table.note(ui, &reason(volume));
            }
            rest = after;
        }
    });
}

fn roles(ui: &mut Ui, table: &Table<'_>, volume: &Volume, out: &mut Vec<Command>) {
    for (place, role) in volume.roles.iter().enumerate() {
        // What is the same as in the row above is not said again.
        let once = |text| if place == 0 { text } else { "" };
        let (today, later) = (&role.size, &role.size_at_horizon);
        // Each of the last three columns leads somewhere of its own.
        let hangs = [&role.from, &role.grows_by, &role.busy_hang].map(Option::as_ref);
        let about = ["", "", role.busy.as_str()];
        let about: [String; 3] = std::array::from_fn(|i| told(about[i], hangs[i]));
        let figure = |place: usize, text, below| {
            let cell = Cell::new(text).below(below);
            cell.hover(&about[place]).leads(hangs[place].is_some())
        };
        let row = table.row(
            ui,
            &[
                Cell::new(&role.name).strong(),
                Cell::new(once(&volume.mount_point)),
                Cell::new(once(&volume.protocol)).below(once(&volume.device)),
                Cell::new(once(&volume.raid)),
                Cell::new(once(&volume.filesystem)),
                figure(0, &today.0, &today.1),
                figure(1, &later.0, &later.1),
                figure(2, &role.transfer, &role.requests),
            ],
        );
        let first = row.cells.len() - hangs.len();
        follow_cell(&row, first, &hangs, out);
    }
}

fn reason(volume: &Volume) -> String {
    let mut why = volume.why.clone();
    if let Some(first) = why.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    let why = why.trim_end_matches('.');
    match volume.options.as_str() {
        "" => format!("{why}."),
        options => format!("{why}. Mount options: {options}"),
    }
}

fn folds(ui: &mut Ui, data: &Data, text: impl FnOnce() -> String, out: &mut Vec<Command>) {
    let title = format!("{} numbers that this rests on", data.numbers.len());
    egui::CollapsingHeader::new(title)
        .id_salt("numbers")
        .show(ui, |ui| {
            widgets::card(ui, |ui| ui_reasons::numbers(ui, data, out));
        });
    egui::CollapsingHeader::new("As text")
        .id_salt("as text")
        .show(ui, |ui| {
            let text = text();
            let button = ui.button("Copy the text");
            if button
                .on_hover_text("The whole advice, as the command line prints it")
                .clicked()
            {
                out.push(Command::Copy {
                    what: "the advice".to_owned(),
                    text: text.clone(),
                });
            }
            egui::ScrollArea::horizontal()
                .id_salt("text")
                .show(ui, |ui| {
                    let text = RichText::new(&text).monospace();
                    ui.add(egui::Label::new(text).extend().selectable(true));
                });
        });
}

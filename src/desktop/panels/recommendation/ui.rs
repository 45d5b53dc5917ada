//! Paints the recommendation: the verdict, key figures, the layout, what to do; below them the tables.

use egui::{RichText, Ui, Vec2};

use super::data::Data;
use super::figures::Tile;
use super::volumes::Volume;
use super::{hero, ui_load, ui_reasons};
use crate::desktop::command::Command;
use crate::desktop::panels::Panel;
use crate::desktop::panels::drivers::{follow_cell, hover_text};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::tiles::{self, tiles};
use crate::desktop::widgets::{self, Tone, gap};
use crate::report::Answer;

/// Opacity of what is of answers that have changed since.
const STALE: f32 = 0.45;
/// From this width on the screen has two columns.
const WIDE: f32 = 1350.0;
/// From this width on short tables stand side by side.
const MIDDLE: f32 = 860.0;
/// Findings of the first screen.
const FIRST: usize = 3;
/// The same where the screen is low.
const FIRST_LOW: usize = 2;
/// Below this height the screen is low \[points\].
const LOW: f32 = 760.0;
/// Height that the drawing leaves to what stands above it, in one column and in two \[points\].
const ABOVE: (f32, f32) = (318.0, 330.0);

/// Paints the panel.
pub(in crate::desktop::panels) fn show(
    ui: &mut Ui,
    data: &Data,
    text: impl FnOnce() -> String,
    out: &mut Vec<Command>,
) {
    let Some(answer) = &data.answer else {
        widgets::head(ui, "Recommendation", "");
        ui.label(data.waiting.as_deref().unwrap_or_default());
        return;
    };
    if data.is_stale {
        // Of before, until the new one is there.
        ui.multiply_opacity(STALE);
    }
    let room = ui.clip_rect().height();
    if ui.available_width() >= WIDE {
        ui.columns_const(|[left, right]| {
            left.vertical(|ui| {
                hero::show(ui, data, answer);
                key_figures(ui, &data.tiles, out);
                layout(ui, data, room - ABOVE.1);
            });
            right.vertical(|ui| {
                first(ui, data, answer, out);
                gap(ui);
                limits(ui, answer);
                gap(ui);
                ui_reasons::questions(ui, answer, out);
            });
        });
    } else {
        hero::show(ui, data, answer);
        key_figures(ui, &data.tiles, out);
        if ui.available_width() >= MIDDLE && data.diagram.is_some() {
            let width = ui.available_width() - theme::GAP;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = theme::GAP;
                let part = |ui: &mut Ui, width: f32, add: &mut dyn FnMut(&mut Ui)| {
                    let size = Vec2::new(width, 0.0);
                    let down = egui::Layout::top_down(egui::Align::Min);
                    ui.allocate_ui_with_layout(size, down, |ui| {
                        ui.set_width(width);
                        add(ui);
                    });
                };
                part(ui, width * 0.56, &mut |ui| {
                    layout(ui, data, room - ABOVE.0);
                });
                part(ui, width * 0.44, &mut |ui| first(ui, data, answer, out));
            });
        } else {
            layout(ui, data, f32::INFINITY);
            gap(ui);
            first(ui, data, answer, out);
        }
        gap(ui);
        limits(ui, answer);
        gap(ui);
        ui_reasons::questions(ui, answer, out);
    }
    if data.waiting.is_some() {
        return;
    }
    gap(ui);
    ui_load::responses(ui, data, out);
    gap(ui);
    volumes(ui, data, out);
    gap(ui);
    beside(
        ui,
        out,
        |ui, out| ui_load::resources(ui, data, out),
        |ui, out| ui_load::locks(ui, data, out),
    );
    gap(ui);
    key_figures(ui, &data.more, out);
    ui_reasons::sureness(ui, data, out);
    gap(ui);
    let columns = if ui.available_width() >= MIDDLE { 2 } else { 1 };
    ui_reasons::findings(ui, answer, columns, out);
    gap(ui);
    if ui.button("Compare with the other layouts").clicked() {
        out.push(Command::Show(Panel::Compare));
    }
    gap(ui);
    folds(ui, data, text, out);
}

/// The gravest findings in short, or why nothing is recommended.
fn first(ui: &mut Ui, data: &Data, answer: &Answer, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    widgets::wide_card(ui, |ui| {
        if data.waiting.is_some() {
            widgets::subhead(ui, "Why not");
            for reason in &answer.why_not {
                ui.add(egui::Label::new(reason).wrap());
            }
            return;
        }
        widgets::subhead(ui, "What to do first");
        if answer.findings.is_empty() {
            widgets::muted(ui, "There are no findings.");
        }
        let shown = if ui.clip_rect().height() < LOW {
            FIRST_LOW
        } else {
            FIRST
        };
        for finding in answer.findings.iter().take(shown) {
            gap(ui);
            let message = RichText::new(&finding.message);
            let message = message
                .small()
                .color(Tone::from(finding.severity).color(theme));
            ui.add(egui::Label::new(message).wrap());
            ui.add(egui::Label::new(&finding.action).wrap());
            let code = ui.link(RichText::new(finding.rule).small().color(theme.muted));
            if code.on_hover_text("The rule and its evidence").clicked() {
                out.push(Command::Explain(finding.rule.to_owned()));
            }
        }
        let more = answer.findings.len().saturating_sub(shown);
        if more > 0 {
            gap(ui);
            widgets::muted(ui, &format!("{more} more below"));
        }
    });
}

/// What ends the use of the deployment, soonest first.
fn limits(ui: &mut Ui, answer: &Answer) {
    if answer.limits.is_empty() {
        return;
    }
    widgets::card(ui, |ui| {
        widgets::subhead(ui, "Limits");
        let columns = [
            Column::text("", 0.6),
            Column::text("When", 1.0),
            Column::text("What happens", 4.0),
        ];
        let table = Table::new(ui, &columns);
        for limit in &answer.limits {
            table.row(
                ui,
                &[
                    Cell::new(limit.what),
                    Cell::new(&limit.when),
                    Cell::new(&limit.text),
                ],
            );
        }
    });
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

fn key_figures(ui: &mut Ui, figures: &[Tile], out: &mut Vec<Command>) {
    if figures.is_empty() {
        return;
    }
    let shown: Vec<tiles::Tile<'_>> = figures
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
    let clicked = tiles(ui, &shown).and_then(|place| figures[place].origin.clone());
    out.extend(clicked.map(Command::Explain));
    gap(ui);
}

fn layout(ui: &mut Ui, data: &Data, height: f32) {
    /// Lines and margins of the card around the drawing.
    const AROUND: f32 = 96.0;
    let Some(diagram) = &data.diagram else {
        return;
    };
    widgets::wide_card(ui, |ui| {
        let title = data.answer.as_ref().and_then(|a| a.layout.as_ref());
        let (title, servers) = title.map_or(("", ""), |l| (&*l.title, &*l.servers));
        ui.add(egui::Label::new(RichText::new(title).text_style(theme::subtitle())).truncate());
        let servers = RichText::new(servers).small().color(Theme::of(ui).muted);
        ui.add(egui::Label::new(servers).truncate());
        gap(ui);
        widgets::diagram::diagram(ui, diagram, (height - AROUND).max(150.0));
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
            // The same reason for several stands once, below the last of them.
            if after.first().map(note) != Some(note(volume)) {
                table.note(ui, &reason(volume));
            }
            rest = after;
        }
    });
}

fn roles(ui: &mut Ui, table: &Table<'_>, volume: &Volume, out: &mut Vec<Command>) {
    for (place, role) in volume.roles.iter().enumerate() {
        // What is the same as in the row above is not repeated.
        let once = |text| if place == 0 { text } else { "" };
        let (today, later) = (&role.size, &role.size_at_horizon);
        // Each of the last three columns leads somewhere of its own.
        let drivers = [&role.from, &role.grows_by, &role.busy_driver].map(Option::as_ref);
        let about = ["", "", role.busy.as_str()];
        let about: [String; 3] = std::array::from_fn(|i| hover_text(about[i], drivers[i]));
        let figure = |place: usize, text, below| {
            let cell = Cell::new(text).below(below);
            cell.hover(&about[place]).leads(drivers[place].is_some())
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
        let first = row.cells.len() - drivers.len();
        follow_cell(&row, first, &drivers, out);
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
    let title = format!("{} numbers of this prediction", data.numbers.len());
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

//! Paints the result of a rehearsal: what was measured, beside what was predicted.

use egui::{Align, CollapsingHeader, Label, Layout, RichText, Ui};

use super::super::data::Data;
use super::{running, says};
use crate::desktop::answer::RehearsalResult;
use crate::desktop::command::Command;
use crate::desktop::panels::rehearsal::RehearsalCommand;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::{self, Tone, chip, gap, grid::grid};
use crate::diag::harmless_line;
use crate::page;
use crate::rehearse::Rehearsed;

/// From this width on two tables stand side by side.
const WIDE: f32 = 900.0;

pub(super) fn show(ui: &mut Ui, data: &Data, result: &RehearsalResult, out: &mut Vec<Command>) {
    head(ui, data, result, out);
    let said = &result.said;
    widgets::card(ui, |ui| verdict(ui, result));
    gap(ui);
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Each kind of work, measured beside predicted");
        times(ui, &said.times);
        for about in &said.about_times {
            widgets::muted(ui, about);
        }
    });
    gap(ui);
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Where the mean time goes");
        widgets::muted(ui, "measured | predicted");
        let mut causes = said.causes.clone();
        if let Some(first) = causes.heads.first_mut() {
            // The title has it already.
            "kind of work".clone_into(&mut first.text);
        }
        ui.push_id("causes", |ui| grid(ui, &causes, None));
    });
    gap(ui);
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Who waited for whom at table locks");
        match &said.waits {
            Some(waits) => {
                ui.push_id("waits", |ui| grid(ui, waits, None));
            }
            None => widgets::muted(ui, "No command waited for a table."),
        }
    });
    gap(ui);
    busy(ui, result);
    gap(ui);
    more(ui, data, result);
}

fn head(ui: &mut Ui, data: &Data, result: &RehearsalResult, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Rehearsal").text_style(theme::title()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let back = if data.site.is_some() {
                "New rehearsal"
            } else {
                "Close"
            };
            let about = "Let go of this result, back to the settings";
            if ui.button(back).on_hover_text(about).clicked() {
                out.push(Command::Rehearsal(RehearsalCommand::Close));
            }
            if ui
                .button("Open…")
                .on_hover_text("Another saved rehearsal")
                .clicked()
            {
                out.push(Command::Rehearsal(RehearsalCommand::AskOpen));
            }
            let about = "The same file as plimsoll rehearse --save";
            if ui.button("Save…").on_hover_text(about).clicked() {
                out.push(Command::Rehearsal(RehearsalCommand::AskSave));
            }
        });
    });
    let found = &result.found;
    let on = &found.environment;
    let mut folders = vec![&on.db_folder, &on.journal_folder, &on.depot_folder];
    folders.dedup();
    let folders: Vec<String> = folders.into_iter().map(|f| harmless_line(f)).collect();
    let mut words = format!(
        "{}, {} in {}",
        harmless_line(&found.when),
        harmless_line(&found.site),
        folders.join(", ")
    );
    if let Some(file) = &result.file {
        words = format!("{words}; {}", harmless_line(&file.to_string_lossy()));
    }
    let words = RichText::new(words).small().color(theme.muted);
    ui.add(Label::new(words).truncate());
    gap(ui);
}

/// What became of the load, and how well it was predicted.
fn verdict(ui: &mut Ui, result: &RehearsalResult) {
    ui.set_min_width(ui.available_width());
    let (found, said) = (&result.found, &result.said);
    ui.horizontal_wrapped(|ui| chips(ui, found));
    let [first, second] = &said.judgement;
    let first = RichText::new(first).text_style(theme::subtitle());
    ui.add(Label::new(first).wrap());
    says(ui, second);
    for sentence in &said.opening {
        widgets::muted(ui, sentence);
    }
}

fn chips(ui: &mut Ui, found: &Rehearsed) {
    if found.saturated {
        chip(ui, "saturated", Tone::Bad);
    } else {
        chip(ui, "carried the load", Tone::Good);
    }
    if found.saturated == found.predicted_saturated.is_some() {
        chip(ui, "as predicted", Tone::Plain);
    } else {
        chip(ui, "predicted otherwise", Tone::Warning);
    }
}

/// The table of times; whether a mean is inside the prediction's interval has a colour.
fn times(ui: &mut Ui, grid: &page::Table) {
    let last = grid.heads.len().saturating_sub(1);
    let columns = grid.heads.iter().enumerate().map(|(place, head)| {
        if place == 0 {
            Column::text(&head.text, 2.3)
        } else if head.right {
            Column::number(&head.text, 1.0)
        } else {
            Column::text(&head.text, 0.7)
        }
    });
    let columns: Vec<Column<'_>> = columns.collect();
    let table = Table::new(ui, &columns);
    for row in &grid.rows {
        let cells = row.cells.iter().enumerate().map(|(place, cell)| {
            let shown = Cell::new(&cell.text);
            match cell.text.as_str() {
                "yes" if place == last => shown.tone(Tone::Good),
                "no" if place == last => shown.tone(Tone::Warning),
                _ => shown,
            }
        });
        let cells: Vec<Cell<'_>> = cells.collect();
        table.row(ui, &cells);
    }
}

/// How busy what was, measured and predicted.
fn busy(ui: &mut Ui, result: &RehearsalResult) {
    let said = &result.said;
    let one = |ui: &mut Ui, title: &str, table: &page::Table, none: &str| {
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, title);
            if table.rows.is_empty() {
                widgets::muted(ui, none);
            } else {
                ui.push_id(title, |ui| grid(ui, table, None));
            }
        });
    };
    let measured = |ui: &mut Ui| {
        one(
            ui,
            "Utilisation, measured",
            &said.busy,
            "The kernel counted nothing.",
        );
    };
    let predicted = |ui: &mut Ui| {
        one(
            ui,
            "Utilisation, predicted",
            &said.predicted_busy,
            "The model predicts none of a load that saturates.",
        );
    };
    if ui.available_width() >= WIDE {
        ui.columns_const(|[left, right]| {
            left.vertical(measured);
            right.vertical(predicted);
        });
    } else {
        measured(ui);
        gap(ui);
        predicted(ui);
    }
}

/// What is looked at less often.
fn more(ui: &mut Ui, data: &Data, result: &RehearsalResult) {
    let said = &result.said;
    if let Some(course) = &data.course {
        CollapsingHeader::new("Over the time")
            .id_salt("over the time")
            .show(ui, |ui| {
                widgets::card(ui, |ui| running::charts(ui, course));
            });
    }
    if !said.differences.is_empty() {
        CollapsingHeader::new("Kinds of work that are far off")
            .id_salt("differences")
            .show(ui, |ui| {
                for line in &said.differences {
                    says(ui, line);
                }
            });
    }
    CollapsingHeader::new("Processor time of a unit of work on this machine")
        .id_salt("units")
        .show(ui, |ui| {
            widgets::card(ui, |ui| {
                ui.set_max_width(640.0);
                grid(ui, &said.units, None);
            });
        });
    CollapsingHeader::new("Notes")
        .id_salt("notes")
        .default_open(!result.found.environment.warnings.is_empty())
        .show(ui, |ui| {
            for note in &said.notes {
                says(ui, &format!("Note: {note}"));
            }
        });
}

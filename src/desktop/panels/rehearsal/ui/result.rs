//! Paints the result of a rehearsal: what was measured, beside what was predicted.

use egui::{Align, CollapsingHeader, Label, Layout, RichText, Ui};

use super::super::data::Data;
use super::running;
use crate::desktop::answer::RehearsalResult;
use crate::desktop::command::Command;
use crate::desktop::panels::rehearsal::RehearsalCommand;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, Tone, chip, gap, page};
use crate::diag::harmless_line;
use crate::rehearse::Rehearsed;

/// Sections that are looked at less often.
const FOLDED: [&str; 3] = ["off", "units", "notes"];

pub(super) fn show(ui: &mut Ui, data: &Data, result: &RehearsalResult, out: &mut Vec<Command>) {
    head(ui, data, result, out);
    let sections = result.page.sections.iter();
    let (folded, open): (Vec<_>, Vec<_>) =
        sections.partition(|section| FOLDED.contains(&section.anchor));
    for section in open {
        widgets::wide_card(ui, |ui| {
            if section.anchor == "verdict" {
                ui.horizontal_wrapped(|ui| chips(ui, &result.found));
                widgets::muted(ui, &result.page.heading);
            } else {
                widgets::subhead(ui, section.title);
            }
            page::blocks(ui, &section.blocks, None);
        });
        gap(ui);
    }
    if let Some(course) = &data.course {
        CollapsingHeader::new("Over the time")
            .id_salt("over the time")
            .show(ui, |ui| {
                widgets::card(ui, |ui| running::charts(ui, course));
            });
    }
    let is_warned = !result.found.environment.warnings.is_empty();
    for section in folded {
        page::folded(ui, section, is_warned && section.anchor == "notes");
    }
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

/// What became of the load.
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

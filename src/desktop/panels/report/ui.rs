//! Paints the report panel.

use egui::{CollapsingHeader, RichText, Ui};

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::panels::report::ReportCommand;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;
use crate::emit::{ConfigFile, ConfigLine};

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::head(
        ui,
        "Report",
        "The hand-over document and the configuration of each server. Nothing is sent anywhere.",
    );
    let Some(advised) = &data.advised else {
        ui.label(data.waiting.as_deref().unwrap_or_default());
        return;
    };
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(advised.answer.sentence()).text_style(theme::subtitle()));
        ui.add_space(theme::GAP);
        ui.horizontal_wrapped(|ui| {
            let export = egui::Button::new("Export report…").shortcut_text("Ctrl+E");
            if ui.add(export).on_hover_text("One file to read, print or hand over: .html, .md or .json.").clicked() {
                out.push(Command::Report(ReportCommand::AskExport));
            }
            let folder = egui::Button::new("Save hand-over folder…").shortcut_text("Ctrl+Shift+E");
            let about = "Report and configuration of each server, as files in a folder.";
            if ui.add(folder).on_hover_text(about).clicked() {
                out.push(Command::Report(ReportCommand::AskHandover));
            }
            widgets::muted(
                ui,
                "The ending of the name decides: .html to read and print, .md for a wiki, .json for programs.",
            );
        });
    });
    ui.add_space(theme::WIDE_GAP);
    widgets::subhead(ui, "Configuration");
    widgets::muted(ui, "Read each file before you use it. Devices to format are left for you to fill in.");
    let files = &advised.configuration;
    for files in files.chunk_by(|one, next| one.server == next.server) {
        ui.add_space(theme::GAP);
        widgets::card(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new(&files[0].server).family(theme::strong()));
            for file in files {
                one_file(ui, file, out);
            }
        });
    }
}

fn one_file(ui: &mut Ui, file: &ConfigFile, out: &mut Vec<Command>) {
    CollapsingHeader::new(&file.name).id_salt(file.path()).show(ui, |ui| {
        let theme = Theme::of(ui);
        widgets::muted(ui, &file.title);
        if ui.button(format!("Copy {}", file.name)).on_hover_text("All lines, without their reasons.").clicked() {
            let lines: Vec<&str> = file.lines.iter().map(|line| line.text.as_str()).collect();
            out.push(Command::Copy { what: file.path(), text: format!("{}\n", lines.join("\n")) });
        }
        let mut above: Option<&ConfigLine> = None;
        for line in &file.lines {
            if above.is_none_or(|above| above.reason != line.reason) {
                ui.add_space(4.0);
                reason(ui, line, out);
            }
            let text = RichText::new(&line.text).monospace().color(theme.text);
            ui.add(egui::Label::new(text).wrap().selectable(true));
            above = Some(line);
        }
    });
}

fn reason(ui: &mut Ui, line: &ConfigLine, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&line.reason).small().color(theme.muted));
        for id in &line.evidence {
            let text = RichText::new(id).small().color(theme.accent);
            let link = egui::Button::new(text).frame(false).small();
            if ui.add(link).on_hover_text("Its origin").clicked() {
                out.push(Command::Explain(id.clone()));
            }
        }
    });
}

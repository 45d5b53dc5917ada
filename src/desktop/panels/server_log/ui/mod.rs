//! Paints what a server log says.

mod first;
mod lanes;

use egui::{Align, Label, Layout, ProgressBar, RichText, Ui};

use super::data::{Data, files};
use crate::desktop::answer::Read;
use crate::desktop::command::Command;
use crate::desktop::panels::server_log::LogCommand;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, gap, page};
use crate::report::serverlog::chain_anchor;

/// Sections that have a place of their own; the others are folded at the end.
const PLACED: [&str; 6] = ["now", "quality", "talk", "change", "culprits", "answers"];

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    head(ui, data, out);
    if let Some((share, files)) = &data.progress {
        ui.label(format!("Reading {files}"));
        ui.add(ProgressBar::new(*share as f32).desired_width(420.0).show_percentage());
        gap(ui);
        if ui.button("Stop reading").clicked() {
            out.push(Command::Log(LogCommand::Close));
        }
        return;
    }
    let Some(read) = data.read() else {
        nothing(ui, data, out);
        return;
    };
    first::now(ui, read);
    first::quality(ui, read);
    gap(ui);
    first::points(ui, read);
    gap(ui);
    first::happens(ui, read);
    gap(ui);
    if let Some(timeline) = &data.timeline {
        widgets::card(ui, |ui| lanes::show(ui, timeline, out));
        gap(ui);
    }
    chains(ui, data, read, out);
    answers(ui, data, read, out);
    let sections = read.sections.iter();
    for section in sections.filter(|section| !PLACED.contains(&section.anchor)) {
        page::folded(ui, section, false);
    }
}

fn head(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let what = data.read().map_or("Server log", |read| read.first.what);
        ui.label(RichText::new(what).text_style(theme::title()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if data.logged.is_some() {
                let close = ui.button("Close");
                if close.on_hover_text("Let go of this log").clicked() {
                    out.push(Command::Log(LogCommand::Close));
                }
                if ui.button("Open another log…").clicked() {
                    out.push(Command::Log(LogCommand::Ask));
                }
            }
        });
    });
    if let (Some(read), Some(logged)) = (data.read(), &data.logged) {
        let first = &read.first;
        ui.add(Label::new(format!("{}. {}.", first.span, first.who)).wrap());
        let words = RichText::new(files(logged)).small().color(theme.muted);
        ui.add(Label::new(words).truncate());
    }
    gap(ui);
}

/// No log, or files that are none.
fn nothing(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    widgets::wide_card(ui, |ui| {
        let words = data.waiting.as_deref().unwrap_or_default();
        let color = if data.is_refused { theme.bad } else { theme.text };
        ui.add(Label::new(RichText::new(words).color(color)).wrap());
        gap(ui);
        ui.horizontal(|ui| {
            if ui.button("Open server log…").clicked() {
                out.push(Command::Log(LogCommand::Ask));
            }
            if data.is_refused && ui.button("Close").clicked() {
                out.push(Command::Log(LogCommand::Close));
            }
        });
        if !data.is_refused {
            gap(ui);
            widgets::muted(
                ui,
                "The log is read on this machine; nothing of it is kept or sent. Logs with server=3 and track=1 have the \
                 most detail.",
            );
        }
    });
}

/// Root culprits and their victims; a row leads to its time.
fn chains(ui: &mut Ui, data: &Data, read: &Read, out: &mut Vec<Command>) {
    let Some(section) = read.section("culprits") else {
        return;
    };
    let leads = (!data.spans.is_empty()).then_some("Show this time in the lanes above");
    if let Some(clicked) = page::section(ui, section, leads) {
        let mut spans = data.spans.iter().enumerate();
        let span = spans.find(|(place, _)| chain_anchor(*place) == clicked);
        out.extend(span.map(|(_, span)| Command::Log(LogCommand::Zoom(Some(*span)))));
    }
    gap(ui);
}

/// What the log answers of the questionnaire.
fn answers(ui: &mut Ui, data: &Data, read: &Read, out: &mut Vec<Command>) {
    let Some(section) = read.section("answers") else {
        return;
    };
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, section.title);
        page::blocks(ui, &section.blocks, None);
        if read.answers.is_empty() {
            widgets::muted(ui, "This log answers no question.");
            return;
        }
        gap(ui);
        ui.horizontal_wrapped(|ui| {
            let button = ui.button("Use these answers in the questionnaire");
            let about = "Writes them as measured, in one step that can be undone. Answers that somebody stated stay.";
            if button.on_hover_text(about).clicked() {
                out.push(Command::Log(LogCommand::Use));
            }
            if !data.has_site {
                widgets::muted(ui, "A new site begins with them.");
            }
        });
    });
    gap(ui);
}

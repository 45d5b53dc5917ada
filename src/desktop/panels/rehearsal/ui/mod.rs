//! Paints a rehearsal: the settings and what they do, the curves while it runs, the result.

mod form;
mod plan;
mod result;
mod running;

use egui::{Label, RichText, Ui};

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::panels::rehearsal::RehearsalCommand;
use crate::desktop::theme::Theme;
use crate::desktop::widgets::{self, gap};

const ABOUT: &str = "The site's own load on a volume of this machine, without p4d: measured, and beside each figure what the model predicts.";

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    if let Some(running) = &data.running {
        running::show(ui, data, running, out);
    } else if let Some(result) = &data.result {
        result::show(ui, data, result, out);
    } else {
        prepare(ui, data, out);
    }
}

/// A sentence.
fn says(ui: &mut Ui, text: &str) {
    ui.add(Label::new(text).wrap());
}

/// A sentence about what is wrong.
fn fault(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).bad;
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
}

fn prepare(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    widgets::head(ui, "Rehearsal", ABOUT);
    if let Some(problem) = &data.problem {
        widgets::wide_card(ui, |ui| {
            fault(ui, problem);
            gap(ui);
            if ui.button("Back to the settings").clicked() {
                out.push(Command::Rehearsal(RehearsalCommand::Close));
            }
        });
        return;
    }
    if data.site.is_none() {
        widgets::wide_card(ui, |ui| {
            says(ui, data.why_not.as_deref().unwrap_or_default());
            gap(ui);
            ui.horizontal(|ui| {
                if ui.button("Open site file…").clicked() {
                    out.push(Command::AskOpen);
                }
                if ui.button("Open saved rehearsal…").clicked() {
                    out.push(Command::Rehearsal(RehearsalCommand::AskOpen));
                }
            });
        });
        return;
    }
    widgets::card(ui, |ui| form::show(ui, data, out));
    gap(ui);
    widgets::card(ui, |ui| plan::show(ui, data, out));
}

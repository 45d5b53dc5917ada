//! Paints what a rehearsal will do and what it refuses, and the button that starts it.

use egui::{Button, RichText, Ui};

use super::super::data::Data;
use super::{fault, says};
use crate::desktop::answer::RehearsalPlan;
use crate::desktop::command::Command;
use crate::desktop::panels::rehearsal::RehearsalCommand;
use crate::desktop::theme::Theme;
use crate::desktop::widgets::{self, Tone, chip, gap, page};

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    ui.horizontal(|ui| {
        widgets::subhead(ui, "What will be done");
        if data.is_planning {
            chip(ui, "checking", Tone::Plain);
        }
    });
    if let Some(plan) = &data.plan {
        if !plan.sentence.is_empty() {
            says(ui, &plan.sentence);
        }
        for place in &plan.places {
            widgets::muted(ui, place);
        }
        leftovers(ui, plan, out);
        for warning in &plan.warnings {
            says(ui, &format!("Note: {warning}."));
        }
        if let Some(refused) = &plan.refused {
            gap(ui);
            fault(ui, refused);
        }
    }
    gap(ui);
    buttons(ui, data, out);
    if let Some(plan) = &data.plan {
        details(ui, plan);
    }
}

fn buttons(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        let can_start = data.why_not.is_none() && !data.is_planning;
        let text = RichText::new("Start rehearsal");
        let start = if can_start {
            Button::new(text.color(theme.on_accent)).fill(theme.accent)
        } else {
            Button::new(text)
        };
        let start = ui.add_enabled(can_start, start);
        let start = start.on_hover_text("F8");
        if start.clicked() {
            out.push(Command::Rehearsal(RehearsalCommand::Start));
        }
        if ui.button("Open saved rehearsal…").clicked() {
            out.push(Command::Rehearsal(RehearsalCommand::AskOpen));
        }
        let is_said = data.plan.as_ref().is_some_and(|p| p.refused.is_some());
        if let Some(why) = data.why_not.as_ref().filter(|_| !is_said) {
            ui.label(RichText::new(why).color(theme.muted));
        }
    });
    widgets::muted(
        ui,
        "It works in fresh folders in those that are chosen and touches nothing else. Stopping it, closing the window or an error \
         removes everything that it wrote.",
    );
}

fn leftovers(ui: &mut Ui, plan: &RehearsalPlan, out: &mut Vec<Command>) {
    for line in &plan.cleaned {
        widgets::muted(ui, line);
    }
    if plan.leftovers.is_empty() {
        return;
    }
    gap(ui);
    for leftover in &plan.leftovers {
        says(ui, &format!("A killed run left {leftover}."));
    }
    let remove = ui.button("Remove what killed runs left");
    if remove.on_hover_text("--clean").clicked() {
        out.push(Command::Rehearsal(RehearsalCommand::Clean));
    }
}

fn details(ui: &mut Ui, plan: &RehearsalPlan) {
    if plan.kinds.rows.is_empty() {
        return;
    }
    gap(ui);
    egui::CollapsingHeader::new(format!("{} kinds of work", plan.kinds.rows.len()))
        .id_salt("planned kinds")
        .show(ui, |ui| {
            ui.set_max_width(560.0);
            page::table(ui, &plan.kinds, None);
        });
    egui::CollapsingHeader::new("What differs from the site")
        .id_salt("planned notes")
        .show(ui, |ui| {
            for note in &plan.notes {
                says(ui, &format!("Note: {note}."));
            }
        });
}

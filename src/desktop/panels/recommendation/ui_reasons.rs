//! Paints findings and unanswered questions.

use egui::{RichText, Ui};

use crate::desktop::command::Command;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, chip, gap, page};
use crate::report::{Answer, FindingRow};

/// Hover text of a link to an origin.
const ORIGIN: &str = "Its origin";

/// A name that leads to its origin.
fn origin(ui: &mut Ui, name: &str, out: &mut Vec<Command>) {
    let text = RichText::new(name).small().color(Theme::of(ui).accent);
    if ui.link(text).on_hover_text(ORIGIN).clicked() {
        out.push(Command::Explain(name.to_owned()));
    }
}

/// What is risky, each as a card, in so many columns.
pub(super) fn findings(ui: &mut Ui, answer: &Answer, columns: usize, out: &mut Vec<Command>) {
    let title = match answer.findings.len() {
        0 => "No findings".to_owned(),
        1 => "One finding".to_owned(),
        n => format!("{n} findings"),
    };
    widgets::subhead(ui, &title);
    gap(ui);
    ui.columns(columns, |columns| {
        for (place, finding) in answer.findings.iter().enumerate() {
            // The next card goes where there is most room left: cards are of unlike heights.
            let shortest = (0..columns.len())
                .min_by(|a, b| bottom(&columns[*a]).total_cmp(&bottom(&columns[*b])))
                .unwrap_or(0);
            let column = &mut columns[shortest];
            column.push_id(place, |ui| {
                ui.vertical(|ui| widgets::card(ui, |ui| one(ui, finding, out)));
            });
            gap(column);
        }
    });
}

fn bottom(ui: &Ui) -> f32 {
    ui.cursor().top()
}

fn one(ui: &mut Ui, finding: &FindingRow, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.set_min_width(ui.available_width());
    ui.horizontal(|ui| {
        chip(ui, finding.severity.word(), finding.severity.into());
        origin(ui, finding.rule, out);
    });
    let message = RichText::new(&finding.message).family(theme::strong());
    ui.add(egui::Label::new(message).wrap());
    ui.add(egui::Label::new(format!("→ {}", finding.action)).wrap());
    // Lines of small text, not of buttons.
    ui.spacing_mut().interact_size.y = 0.0;
    ui.spacing_mut().item_spacing.y = 3.0;
    for (id, text) in &finding.evidence {
        ui.horizontal_wrapped(|ui| {
            // What the model says has no place of its own.
            if id == "model" {
                ui.label(RichText::new("model").small().color(theme.muted));
            } else {
                origin(ui, id, out);
            }
            ui.label(RichText::new(text).small().color(theme.muted));
        });
    }
}

/// Unanswered questions with what another answer would do.
pub(super) fn questions(ui: &mut Ui, answer: &Answer, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Unanswered questions that change this answer most");
        if answer.questions.is_empty() {
            widgets::muted(ui, "No unanswered question changes it.");
            return;
        }
        let table = answer.questions_table();
        let clicked = page::table(ui, &table, Some("Answer this question"));
        out.extend(clicked.map(|path| Command::Seek(path.to_owned())));
    });
}

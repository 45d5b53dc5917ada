//! Paints reasons: findings, how sure the choice is, unanswered questions and numbers.

use egui::{RichText, Ui};

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::{self, Tone, chip, gap};
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

/// How sure the choice is, and on what that depends.
pub(super) fn sureness(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let sureness = &data.sureness;
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "How sure the choice is");
        let (word, tone) = if sureness.is_tied {
            ("tie", Tone::Warning)
        } else {
            ("clear", Tone::Good)
        };
        if !sureness.rivals.is_empty() {
            chip(ui, word, tone);
        }
        ui.add(egui::Label::new(&sureness.verdict).wrap());
        if sureness.rivals.is_empty() {
            return;
        }
        let columns = [
            Column::text("Next layouts", 2.2),
            Column::number("Lead, one sigma", 1.5),
            Column::number("Chance to be better", 1.1),
            Column::text("Verdict", 1.4),
        ];
        let table = Table::new(ui, &columns);
        for rival in &sureness.rivals {
            let (verdict, tone) = if rival.is_tied {
                ("tied", Tone::Warning)
            } else {
                ("worse", Tone::Plain)
            };
            table.row(
                ui,
                &[
                    Cell::new(&rival.layout),
                    Cell::new(&rival.lead),
                    Cell::new(&rival.chance),
                    Cell::new(verdict).tone(tone),
                ],
            );
        }
        if sureness.doubts.is_empty() {
            return;
        }
        gap(ui);
        let columns = [
            Column::text("The lead over the first of them depends on", 2.2),
            Column::text("Share of its variance", 1.8),
        ];
        let table = Table::new(ui, &columns);
        for doubt in &sureness.doubts {
            let name = Cell::new(&doubt.words);
            let name = match doubt.origin {
                Some(_) => name.link().hover(ORIGIN),
                None => name,
            };
            let row = table.row(ui, &[name, Cell::room(20.0)]);
            if row.clicked == Some(0) {
                out.extend(doubt.origin.clone().map(Command::Explain));
            }
            widgets::share_in(ui, row.cells[1], doubt.share);
        }
    });
}

/// Unanswered questions with what another answer would do.
pub(super) fn questions(ui: &mut Ui, answer: &Answer, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "Unanswered questions that change this answer most");
        if answer.questions.is_empty() {
            widgets::muted(ui, "No unanswered question changes it.");
            return;
        }
        let columns = [
            Column::text("Question", 2.4),
            Column::text("Assumed", 1.1),
            Column::text("With another answer", 2.2),
        ];
        let table = Table::new(ui, &columns);
        for asked in &answer.questions {
            let row = table.row(
                ui,
                &[
                    Cell::new(&asked.question)
                        .link()
                        .hover("Answer this question"),
                    Cell::new(&asked.assumed),
                    Cell::new(&asked.case),
                ],
            );
            if row.clicked == Some(0) {
                out.push(Command::Seek(asked.path.clone()));
            }
        }
    });
}

/// The numbers behind the prediction.
pub(super) fn numbers(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let columns = [
        Column::text("Number", 3.0),
        Column::text("Value", 2.0),
        Column::text("Origin", 1.0),
        Column::number("One sigma", 1.0),
    ];
    let table = Table::new(ui, &columns);
    for number in &data.numbers {
        let row = table.row(
            ui,
            &[
                Cell::new(&number.name).link().hover(ORIGIN),
                Cell::new(&number.value),
                Cell::new(&number.kind),
                Cell::new(&number.spread),
            ],
        );
        if row.clicked == Some(0) {
            out.push(Command::Explain(number.name.clone()));
        }
    }
}

//! Paints findings and unanswered questions.

use egui::Ui;

use crate::desktop::command::Command;
use crate::desktop::widgets::page::{self, EVIDENCE};
use crate::desktop::widgets::{self, gap};
use crate::report::Answer;

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
            let shortest =
                (0..columns.len()).min_by(|a, b| bottom(&columns[*a]).total_cmp(&bottom(&columns[*b]))).unwrap_or(0);
            let column = &mut columns[shortest];
            column.push_id(place, |ui| {
                ui.vertical(|ui| {
                    widgets::wide_card(ui, |ui| {
                        let card = [finding.card()];
                        let clicked = page::blocks(ui, &card, Some(EVIDENCE));
                        out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
                    });
                });
            });
            gap(column);
        }
    });
}

fn bottom(ui: &Ui) -> f32 {
    ui.cursor().top()
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

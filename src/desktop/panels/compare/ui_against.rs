//! Paints the comparison with another site.

use egui::{Label, Ui};

use super::against::OtherSite;
use crate::desktop::command::Command;
use crate::desktop::panels::compare::CompareCommand;
use crate::desktop::theme;
use crate::desktop::widgets::table::{Cell, Column, Table};
use crate::desktop::widgets::{self, Tone, chip};
use crate::report::AgainstAnswer;

pub(super) fn show(ui: &mut Ui, other: &OtherSite, out: &mut Vec<Command>) {
    let about = "What changes from this site to another, and which answers are behind it";
    ui.horizontal(|ui| {
        let word = if other.title.is_some() {
            "Open another site…"
        } else {
            "Compare with another site…"
        };
        if ui.button(word).on_hover_text(about).clicked() {
            out.push(Command::Compare(CompareCommand::Ask));
        }
        if other.title.is_some() && ui.button("Close the other site").clicked() {
            out.push(Command::Compare(CompareCommand::Close));
        }
    });
    ui.add_space(theme::GAP);
    let Some(title) = &other.title else { return };
    widgets::wide_card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            widgets::subhead(ui, title);
            if other.is_stale {
                chip(ui, "computing anew", Tone::Plain);
            }
        });
        if let Some(waiting) = &other.waiting {
            ui.add(Label::new(waiting).wrap());
        } else if let Some(found) = &other.found {
            differences(ui, &found.answer, out);
        }
    });
    ui.add_space(theme::GAP);
}

fn differences(ui: &mut Ui, answer: &AgainstAnswer, out: &mut Vec<Command>) {
    for line in &answer.made_with {
        widgets::muted(ui, line);
    }
    results(ui, answer);
    if let Some(answers) = &answer.answers {
        ui.add_space(theme::GAP);
        widgets::subhead(ui, AgainstAnswer::ANSWERS);
        if answers.is_empty() {
            widgets::muted(ui, "None.");
        } else {
            table(ui, &AgainstAnswer::ANSWER_HEADS, answers, Some(out));
        }
    }
    if !answer.assumptions.is_empty() {
        ui.add_space(theme::GAP);
        widgets::subhead(ui, AgainstAnswer::ASSUMPTIONS);
        let heads = &AgainstAnswer::ASSUMPTION_HEADS;
        table(ui, heads, &answer.assumptions, Some(out));
    }
    for (title, rules) in answer.findings() {
        if rules.is_empty() {
            continue;
        }
        ui.add_space(theme::GAP);
        widgets::subhead(ui, title);
        ui.horizontal_wrapped(|ui| {
            for rule in rules {
                ui.push_id((title, rule), |ui| {
                    let link = ui.link(rule).on_hover_text("The rule and its evidence");
                    if link.clicked() {
                        out.push(Command::Explain(rule.clone()));
                    }
                });
            }
        });
    }
}

fn results(ui: &mut Ui, answer: &AgainstAnswer) {
    ui.add_space(theme::GAP);
    widgets::subhead(ui, AgainstAnswer::RESULTS);
    if answer.results.is_empty() {
        widgets::muted(ui, AgainstAnswer::NO_RESULT);
    } else {
        table(ui, &AgainstAnswer::RESULT_HEADS, &answer.results, None);
    }
}

/// A table; where `out` is given the first cell leads to its question.
fn table<const N: usize>(
    ui: &mut Ui,
    heads: &[&'static str; N],
    rows: &[[String; N]],
    mut out: Option<&mut Vec<Command>>,
) {
    let columns: Vec<Column<'_>> = heads
        .iter()
        .map(|head| match head.strip_prefix('>') {
            Some(head) => Column::number(head, 1.0),
            None => Column::text(head, 1.6),
        })
        .collect();
    let table = Table::new(ui, &columns);
    for row in rows {
        let cells = row.iter().enumerate().map(|(place, text)| {
            let cell = Cell::new(text);
            if place == 0 && out.is_some() {
                cell.link().hover("Go to this question")
            } else {
                cell
            }
        });
        let cells: Vec<Cell<'_>> = cells.collect();
        let clicked = table.row(ui, &cells).clicked;
        if let (Some(0), Some(out)) = (clicked, &mut out) {
            out.push(Command::Seek(row[0].clone()));
        }
    }
}

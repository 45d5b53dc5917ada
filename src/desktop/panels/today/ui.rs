//! Paints today's system, and what to change first.

use egui::{Label, RichText, Ui};

use super::data::Data;
use crate::desktop::answer::FromToday;
use crate::desktop::command::Command;
use crate::desktop::inquiry::{Inquire, Part};
use crate::desktop::panels::Panel;
use crate::desktop::theme;
use crate::desktop::widgets::page::{self, EVIDENCE, View};
use crate::desktop::widgets::{self, Tone, chip, gap};
use crate::page::Block;
use crate::report::{FindingRow, TodayAnswer, taken_section};

/// From this width on two parts stand side by side.
const WIDE: f32 = 900.0;
/// Findings that are shown at once.
const FINDINGS: usize = 3;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let about = "Today's system, what limits it, and what to change first.";
    widgets::head(ui, "Today", about);
    let Some(found) = &data.found else {
        nothing(ui, data, out);
        return;
    };
    if found.is_assumed {
        describe(
            ui,
            "Today's system is not stated: the estimate assumes everything on one volume. State its volumes, or name its \
             layout.",
            out,
        );
    }
    verdict(ui, data, found);
    if ui.available_width() >= WIDE {
        ui.columns_const(|[left, right]| {
            left.vertical(|ui| place(ui, found));
            right.vertical(|ui| findings(ui, &found.answer, out));
        });
    } else {
        place(ui, found);
        gap(ui);
        findings(ui, &found.answer, out);
    }
    gap(ui);
    changes(ui, data, &found.answer, out);
    taken(ui, &found.answer);
}

/// Why there is nothing, and where to go.
fn nothing(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let words = data.waiting.as_deref().unwrap_or_default();
    if data.is_refused {
        describe(ui, words, out);
    } else {
        ui.label(words);
    }
}

/// What must be said first, with the ways to the questions.
fn describe(ui: &mut Ui, words: &str, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        ui.add(Label::new(words).wrap());
        gap(ui);
        ui.horizontal_wrapped(|ui| {
            let volumes = ui.button("Describe today's volumes");
            let about = "Questions, Today: where database, journal, log and depot lie";
            if volumes.on_hover_text(about).clicked() {
                out.push(Command::Inquire(Inquire::Part(Part::Today)));
                out.push(Command::Show(Panel::Questionnaire));
            }
            let layout = ui.button("Name today's layout");
            let about = "infrastructure.current_layout: enough where the catalogue has it";
            if layout.on_hover_text(about).clicked() {
                let field = "infrastructure.current_layout";
                out.push(Command::Seek(field.to_owned()));
            }
        });
    });
    gap(ui);
}

/// The first sentence stands out. That the system is assumed is said above, with the ways to the questions.
fn verdict(ui: &mut Ui, data: &Data, found: &FromToday) {
    let answer = &found.answer;
    let said = &answer.verdict[usize::from(found.is_assumed)..];
    widgets::wide_card(ui, |ui| {
        ui.horizontal(|ui| {
            if answer.meets_targets {
                chip(ui, "carries its work", Tone::Good);
            } else {
                chip(ui, "falls short", Tone::Bad);
            }
            if data.is_stale {
                chip(ui, "computing anew", Tone::Plain);
            }
        });
        if let [first, rest @ ..] = said {
            let first = RichText::new(first).text_style(theme::subtitle());
            ui.add(Label::new(first).wrap());
            ui.add(Label::new(rest.join(" ")).wrap());
        }
    });
    gap(ui);
}

/// Where everything lies.
fn place(ui: &mut Ui, found: &FromToday) {
    let answer = &found.answer;
    widgets::wide_card(ui, |ui| {
        ui.horizontal(|ui| {
            widgets::subhead(ui, TodayAnswer::VOLUMES);
            if found.is_assumed {
                chip(ui, "assumed", Tone::Warning);
            }
        });
        page::table(ui, &answer.volumes_table(), None);
    });
}

fn findings(ui: &mut Ui, answer: &TodayAnswer, out: &mut Vec<Command>) {
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, TodayAnswer::FINDINGS);
        if answer.findings.is_empty() {
            widgets::muted(ui, "There are no findings.");
        }
        let (first, more) = answer.findings.split_at(answer.findings.len().min(FINDINGS));
        cards(ui, first, out);
        if !more.is_empty() {
            egui::CollapsingHeader::new(format!("{} more", more.len()))
                .id_salt("more findings")
                .show(ui, |ui| cards(ui, more, out));
        }
    });
}

fn cards(ui: &mut Ui, findings: &[FindingRow], out: &mut Vec<Command>) {
    let cards: Vec<Block> = findings.iter().map(FindingRow::card).collect();
    let clicked = page::blocks(ui, &cards, Some(EVIDENCE));
    out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
}

/// What to change first, and everything about the change that is looked at.
fn changes(ui: &mut Ui, data: &Data, answer: &TodayAnswer, out: &mut Vec<Command>) {
    let shown = answer.change(data.selected.as_deref());
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, TodayAnswer::CHANGES);
        ui.add(Label::new(&answer.plan_verdict).wrap());
        widgets::muted(ui, "Grades of cost go from 0 to 5 and are assumed.");
        let table = answer.changes_table();
        let view = View {
            leads: Some("Show its steps below"),
            selected: shown.as_ref().map(|(anchor, ..)| anchor.as_str()),
            ..View::default()
        };
        let clicked = page::table_in(ui, &table, view);
        out.extend(clicked.map(|anchor| Command::ChooseChange(anchor.to_owned())));
    });
    gap(ui);
    if let Some((_, title, blocks)) = &shown {
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, title);
            page::blocks(ui, blocks, None);
        });
        gap(ui);
    }
}

/// What nobody stated of it.
fn taken(ui: &mut Ui, answer: &TodayAnswer) {
    if let Some(section) = taken_section(answer) {
        page::folded(ui, &section, false);
    }
}

//! Paints the recommendation: the verdict, key figures, the layout, what to do; below them the tables.

use egui::{RichText, Ui, Vec2};

use super::data::Data;
use super::{hero, ui_reasons};
use crate::desktop::command::Command;
use crate::desktop::panels::Panel;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::page::{self, ORIGIN};
use crate::desktop::widgets::tiles::tiles;
use crate::desktop::widgets::{self, Tone, gap};
use crate::page::Table;
use crate::report::Answer;

/// Opacity of what is of answers that have changed since.
const STALE: f32 = 0.45;
/// From this width on the screen has two columns.
const WIDE: f32 = 1350.0;
/// From this width on short tables stand side by side.
const MIDDLE: f32 = 860.0;
/// Findings of the first screen.
const FIRST: usize = 3;
/// The same where the screen is low.
const FIRST_LOW: usize = 2;
/// Below this height the screen is low \[points\].
const LOW: f32 = 760.0;
/// Height that the drawing leaves to what stands above it, in one column and in two \[points\].
const ABOVE: (f32, f32) = (318.0, 330.0);

/// Paints the panel.
pub(in crate::desktop::panels) fn show<'t>(
    ui: &mut Ui,
    data: &Data,
    text: impl FnOnce() -> &'t str,
    out: &mut Vec<Command>,
) {
    let Some(answer) = &data.answer else {
        widgets::head(ui, "Recommendation", "");
        ui.label(data.waiting.as_deref().unwrap_or_default());
        return;
    };
    if data.is_stale {
        // Of before, until the new one is there.
        ui.multiply_opacity(STALE);
    }
    let room = ui.clip_rect().height();
    if ui.available_width() >= WIDE {
        ui.columns_const(|[left, right]| {
            left.vertical(|ui| {
                hero::show(ui, data, answer);
                key_figures(ui, &data.figures, out);
                layout(ui, data, room - ABOVE.1);
            });
            right.vertical(|ui| {
                first(ui, data, answer, out);
                gap(ui);
                limits(ui, answer);
                gap(ui);
                ui_reasons::questions(ui, answer, out);
            });
        });
    } else {
        hero::show(ui, data, answer);
        key_figures(ui, &data.figures, out);
        if ui.available_width() >= MIDDLE && data.diagram().is_some() {
            let width = ui.available_width() - theme::GAP;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = theme::GAP;
                let part = |ui: &mut Ui, width: f32, add: &mut dyn FnMut(&mut Ui)| {
                    let size = Vec2::new(width, 0.0);
                    let down = egui::Layout::top_down(egui::Align::Min);
                    ui.allocate_ui_with_layout(size, down, |ui| {
                        ui.set_width(width);
                        add(ui);
                    });
                };
                part(ui, width * 0.56, &mut |ui| {
                    layout(ui, data, room - ABOVE.0);
                });
                part(ui, width * 0.44, &mut |ui| first(ui, data, answer, out));
            });
        } else {
            layout(ui, data, f32::INFINITY);
            gap(ui);
            first(ui, data, answer, out);
        }
        gap(ui);
        limits(ui, answer);
        gap(ui);
        ui_reasons::questions(ui, answer, out);
    }
    if data.waiting.is_some() {
        return;
    }
    for anchor in ["peak", "layout"] {
        section(ui, data, anchor, out);
    }
    gap(ui);
    let columns = if ui.available_width() >= MIDDLE { 2 } else { 1 };
    ui_reasons::findings(ui, answer, columns, out);
    section(ui, data, "alternatives", out);
    gap(ui);
    if ui.button("Compare with the other layouts").clicked() {
        out.push(Command::Show(Panel::Compare));
    }
    for anchor in ["recovery", "bill"] {
        section(ui, data, anchor, out);
    }
    gap(ui);
    folds(ui, data, text, out);
}

/// A section of the report. What a figure depends on is explained on a click.
fn section(ui: &mut Ui, data: &Data, anchor: &str, out: &mut Vec<Command>) {
    if let Some(section) = data.section(anchor) {
        gap(ui);
        let clicked = page::section(ui, section, Some(ORIGIN));
        out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
    }
}

/// The gravest findings in short, or why nothing is recommended.
fn first(ui: &mut Ui, data: &Data, answer: &Answer, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    widgets::wide_card(ui, |ui| {
        if data.waiting.is_some() {
            widgets::subhead(ui, "Why not");
            for reason in &answer.why_not {
                ui.add(egui::Label::new(reason).wrap());
            }
            return;
        }
        widgets::subhead(ui, "What to do first");
        if answer.findings.is_empty() {
            widgets::muted(ui, "There are no findings.");
        }
        let shown = if ui.clip_rect().height() < LOW { FIRST_LOW } else { FIRST };
        for finding in answer.findings.iter().take(shown) {
            gap(ui);
            let message = RichText::new(&finding.message);
            let message = message.small().color(Tone::from(finding.severity).color(theme));
            ui.add(egui::Label::new(message).wrap());
            ui.add(egui::Label::new(&finding.action).wrap());
            let code = ui.link(RichText::new(finding.rule).small().color(theme.muted));
            if code.on_hover_text("The rule and its evidence").clicked() {
                out.push(Command::Explain(finding.rule.to_owned()));
            }
        }
        let more = answer.findings.len().saturating_sub(shown);
        if more > 0 {
            gap(ui);
            widgets::muted(ui, &format!("{more} more below"));
        }
    });
}

/// What ends the use of the deployment, soonest first.
fn limits(ui: &mut Ui, answer: &Answer) {
    if !answer.limits.is_empty() {
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, "Limits");
            page::table(ui, &answer.limits_table(), None);
        });
    }
}

fn key_figures(ui: &mut Ui, figures: &Table, out: &mut Vec<Command>) {
    if !figures.is_empty() {
        let clicked = tiles(ui, figures, ORIGIN);
        out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
        gap(ui);
    }
}

fn layout(ui: &mut Ui, data: &Data, height: f32) {
    /// Lines and margins of the card around the drawing.
    const AROUND: f32 = 96.0;
    let Some(diagram) = data.diagram() else {
        return;
    };
    widgets::wide_card(ui, |ui| {
        let title = data.answer.as_ref().and_then(|a| a.layout.as_ref());
        let (title, servers) = title.map_or(("", ""), |l| (&*l.title, &*l.servers));
        ui.add(egui::Label::new(RichText::new(title).text_style(theme::subtitle())).truncate());
        let servers = RichText::new(servers).small().color(Theme::of(ui).muted);
        ui.add(egui::Label::new(servers).truncate());
        gap(ui);
        widgets::pictures::diagram(ui, diagram, (height - AROUND).max(150.0));
    });
}

fn folds<'t>(ui: &mut Ui, data: &Data, text: impl FnOnce() -> &'t str, out: &mut Vec<Command>) {
    if let Some(numbers) = data.section("numbers") {
        egui::CollapsingHeader::new(numbers.title).id_salt("numbers").show(ui, |ui| {
            widgets::card(ui, |ui| {
                let clicked = page::blocks(ui, &numbers.blocks, Some(ORIGIN));
                out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
            });
        });
    }
    egui::CollapsingHeader::new("As text").id_salt("as text").show(ui, |ui| {
        let text = text();
        let button = ui.button("Copy the text");
        if button.on_hover_text("The whole advice, as the command line prints it").clicked() {
            out.push(Command::Copy { what: "the advice".to_owned(), text: text.to_owned() });
        }
        egui::ScrollArea::horizontal().id_salt("text").show(ui, |ui| {
            let text = RichText::new(text).monospace();
            ui.add(egui::Label::new(text).extend().selectable(true));
        });
    });
}

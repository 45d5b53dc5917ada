//! The origin of a number: everything that is known of it, and what to look at next.

use egui::{Grid, Label, RichText, Ui};

use super::{link, table};
use crate::desktop::command::Command;
use crate::desktop::panels::evidence::figures::Figures;
use crate::desktop::panels::evidence::origin::Origin;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, Tone};
use crate::report::explanation::Block;

pub(super) fn show(ui: &mut Ui, origin: &Origin, out: &mut Vec<Command>) {
    let back: String = origin.back.chars().take(60).collect();
    let button = ui.button(format!("← {back}"));
    if button.on_hover_text("The panel before.").clicked() {
        out.push(Command::Back);
    }
    ui.add_space(theme::GAP);
    ui.horizontal_wrapped(|ui| {
        let title = RichText::new(&origin.id).text_style(theme::title());
        ui.add(Label::new(title).wrap());
        if let Some(found) = &origin.explanation {
            widgets::chip(ui, found.kind, Tone::Accent);
        }
    });
    let Some(found) = &origin.explanation else {
        ui.label("Nothing has this name.");
        if let Some(nearest) = &origin.nearest {
            ui.horizontal_wrapped(|ui| {
                ui.label("Did you mean");
                link(ui, nearest, out);
            });
        }
        return;
    };
    if !found.title.is_empty() {
        let title = RichText::new(&found.title).text_style(theme::subtitle());
        ui.add(Label::new(title).wrap());
    }
    ui.add_space(theme::GAP);
    remedy(ui, origin, out);
    widgets::wide_card(ui, |ui| {
        if let Some(answer) = &origin.answer {
            facts(ui, "answer", &[("answered".to_owned(), answer.clone())]);
        }
        for (n, block) in found.blocks.iter().enumerate() {
            if n > 0 {
                ui.add_space(theme::GAP);
            }
            paint(ui, n, block, out);
        }
    });
    if !origin.figures.is_empty() {
        ui.add_space(theme::GAP);
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, "The model's predictions");
            table::show(ui, &Figures::default(), &origin.figures, out);
        });
    }
    if !origin.links.is_empty() {
        ui.add_space(theme::GAP);
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, "See also");
            ui.horizontal_wrapped(|ui| {
                for id in &origin.links {
                    link(ui, id, out);
                }
            });
        });
    }
}

/// What to do about it comes before where it comes from.
fn remedy(ui: &mut Ui, origin: &Origin, out: &mut Vec<Command>) {
    if origin.remedies.is_empty() && !origin.is_open {
        return;
    }
    widgets::wide_card(ui, |ui| {
        widgets::subhead(ui, "What to do");
        for found in &origin.remedies {
            ui.add(Label::new(RichText::new(&found.message).family(theme::strong())).wrap());
            ui.add(Label::new(&found.action).wrap());
            if found.rule != origin.id {
                link(ui, found.rule, out);
            }
        }
        if origin.is_open {
            ui.add(Label::new("This question is not answered; its value is assumed.").wrap());
            if ui.button("Answer this question").clicked() {
                out.push(Command::Seek(origin.id.clone()));
            }
        }
    });
    ui.add_space(theme::GAP);
}

fn paint(ui: &mut Ui, number: usize, block: &Block, out: &mut Vec<Command>) {
    match block {
        Block::Text(text) => {
            ui.add(Label::new(text).wrap());
        }
        Block::Docs(docs) => documentation(ui, docs),
        Block::Facts(pairs) => facts(ui, &format!("facts {number}"), pairs),
        Block::Rows { heads, rows } => {
            let is_data = heads.first() == Some(&"datum");
            cells(ui, &format!("rows {number}"), heads, rows, is_data, out);
        }
    }
}

/// Paragraphs under headings.
fn documentation(ui: &mut Ui, docs: &str) {
    for part in docs.split("\n\n") {
        let mut lines = part.lines().peekable();
        if let Some(title) = lines.peek().and_then(|line| line.strip_prefix("### ")) {
            ui.add_space(theme::GAP / 2.0);
            widgets::subhead(ui, title);
            lines.next();
        }
        let text = lines.collect::<Vec<&str>>().join(" ");
        if !text.is_empty() {
            ui.add(Label::new(text).wrap());
        }
    }
}

fn facts(ui: &mut Ui, salt: &str, pairs: &[(String, String)]) {
    /// Room for the names.
    const NAMES: f32 = 110.0;
    let theme = Theme::of(ui);
    let room = (ui.available_width() - NAMES - theme::WIDE_GAP).max(40.0);
    Grid::new(salt)
        .num_columns(2)
        .min_col_width(NAMES)
        .spacing([theme::WIDE_GAP, 4.0])
        .show(ui, |ui| {
            for (name, value) in pairs {
                ui.label(RichText::new(name).color(theme.muted));
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(Label::new(value).wrap());
                });
                ui.end_row();
            }
        });
}

fn cells(
    ui: &mut Ui,
    salt: &str,
    heads: &[&str],
    rows: &[Vec<String>],
    is_data: bool,
    out: &mut Vec<Command>,
) {
    let theme = Theme::of(ui);
    let columns = heads.len().max(1);
    let room = (ui.available_width() - theme::WIDE_GAP * columns as f32) / columns as f32;
    Grid::new(salt)
        .num_columns(columns)
        .spacing([theme::WIDE_GAP, 4.0])
        .show(ui, |ui| {
            for head in heads {
                ui.label(RichText::new(*head).small().color(theme.muted));
            }
            ui.end_row();
            for row in rows {
                for (n, cell) in row.iter().enumerate() {
                    if is_data && n == 0 {
                        link(ui, cell, out);
                        continue;
                    }
                    ui.scope(|ui| {
                        ui.set_max_width(room.max(60.0));
                        ui.add(Label::new(cell).wrap());
                    });
                }
                ui.end_row();
            }
        });
}

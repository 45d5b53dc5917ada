//! The origin of a number: everything that is known of it, and what to look at next.

use egui::{Label, RichText, Ui};

use super::{link, table};
use crate::desktop::command::Command;
use crate::desktop::panels::evidence::origin::Origin;
use crate::desktop::theme;
use crate::desktop::widgets::{self, Tone, page};
use crate::report::explanation::facts_table;

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
            page::table(ui, &facts_table(vec![("answered", answer.clone())]), None);
        }
        let clicked = page::blocks(ui, &found.blocks, Some("Its origin"));
        out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
    });
    if !origin.figures.rows.is_empty() {
        ui.add_space(theme::GAP);
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, "The model's predictions");
            table(ui, &origin.figures, out);
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
            ui.add(Label::new(RichText::new(found.message.to_string()).family(theme::strong())).wrap());
            ui.add(Label::new(found.action.to_string()).wrap());
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

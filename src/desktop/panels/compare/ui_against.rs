//! Paints the comparison with another site.

use egui::{Label, Ui};

use super::against::OtherSite;
use crate::desktop::command::Command;
use crate::desktop::panels::compare::CompareCommand;
use crate::desktop::theme;
use crate::desktop::widgets::{self, Tone, chip, page};
use crate::page::Section;

pub(super) fn show(ui: &mut Ui, other: &OtherSite, out: &mut Vec<Command>) {
    let about = "What changes from this site to another, and which answers are behind it";
    ui.horizontal(|ui| {
        let word = if other.title.is_some() { "Open another site…" } else { "Compare with another site…" };
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
            differences(ui, &found.sections, out);
        }
    });
    ui.add_space(theme::GAP);
}

fn differences(ui: &mut Ui, sections: &[Section], out: &mut Vec<Command>) {
    for section in sections.iter().filter(|section| !section.blocks.is_empty()) {
        ui.add_space(theme::GAP);
        widgets::subhead(ui, section.title);
        let (about, command): (_, fn(String) -> Command) = match section.anchor {
            "findings" => ("The rule and its evidence", Command::Explain),
            _ => ("Go to this question", Command::Seek),
        };
        let clicked = ui.push_id(section.title, |ui| page::blocks(ui, &section.blocks, Some(about)));
        out.extend(clicked.inner.map(|id| command(id.to_owned())));
    }
}

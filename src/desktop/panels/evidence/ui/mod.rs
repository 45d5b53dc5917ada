//! Paints the evidence panel and asks.

mod origin;

use egui::{Label, RichText, Ui};

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::engine::Engine;
use crate::desktop::state::{EvidencePart, EvidenceView, FigureOrder};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, page};
use crate::page::Table;

const PARTS: [(EvidencePart, &str); 3] = [
    (EvidencePart::Figures, "Published against predicted"),
    (EvidencePart::Parameters, "Parameters"),
    (EvidencePart::Sources, "Sources"),
];

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, engine: &Engine, out: &mut Vec<Command>) {
    if let Some(found) = &data.origin {
        origin::show(ui, found, out);
        return;
    }
    widgets::head(
        ui,
        "Evidence",
        "Published measurements, the model's predictions of them, and the parameters fitted to them.",
    );
    ui.horizontal_wrapped(|ui| {
        for (part, title) in PARTS {
            if ui.selectable_label(data.view.part == part, title).clicked() {
                out.push(Command::Look(EvidenceView { part, ..data.view.clone() }));
            }
        }
    });
    ui.add_space(theme::GAP);
    match data.view.part {
        EvidencePart::Figures => all_figures(ui, data, out),
        EvidencePart::Parameters => {
            widgets::wide_card(ui, |ui| {
                let about = "Each is a factor on numbers of the model, before any datum and after all.";
                widgets::muted(ui, about);
                let clicked = page::blocks(ui, &data.parameters, Some("Its origin"));
                out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
            });
        }
        EvidencePart::Sources => sources(ui, engine, out),
    }
}

fn all_figures(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    if let Some(waiting) = &data.figures.waiting {
        ui.label(waiting);
        return;
    }
    widgets::wide_card(ui, |ui| {
        filter(ui, data, out);
        ui.add(Label::new(&data.figures.summary).wrap());
    });
    ui.add_space(theme::GAP);
    widgets::wide_card(ui, |ui| {
        order(ui, data, out);
        table(ui, &data.figures.table, out);
    });
}

/// Chips that choose a source.
fn filter(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let mut choose = |source: Option<String>| {
        out.push(Command::Look(EvidenceView { source, ..data.view.clone() }));
    };
    ui.horizontal_wrapped(|ui| {
        let all = ui.selectable_label(data.view.source.is_none(), "All sources");
        if all.clicked() {
            choose(None);
        }
        for source in &data.figures.sources {
            let is_chosen = data.view.source.as_ref() == Some(source);
            let chip = ui.selectable_label(is_chosen, source);
            if chip.on_hover_text("Only the figures of this source.").clicked() {
                choose((!is_chosen).then(|| source.clone()));
            }
        }
    });
}

const ORDERS: [(FigureOrder, &str); 3] = [
    (FigureOrder::Error, "largest error first"),
    (FigureOrder::Datum, "by datum"),
    (FigureOrder::File, "as in the files"),
];

/// In which order.
fn order(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        widgets::subhead(ui, "Figures");
        for (order, title) in ORDERS {
            if ui.selectable_label(data.view.order == order, title).clicked() {
                out.push(Command::Look(EvidenceView { order, ..data.view.clone() }));
            }
        }
    });
}

/// A table whose rows lead to the origin of what they name.
fn table(ui: &mut Ui, shown: &Table, out: &mut Vec<Command>) {
    let clicked = page::table(ui, shown, Some("Its origin"));
    out.extend(clicked.map(|id| Command::Explain(id.to_owned())));
}

/// Who published what, and how much was taken from it.
fn sources(ui: &mut Ui, engine: &Engine, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    for source in engine.calibration.sources.values() {
        let by = format!("{}, {}", source.authors.join(", "), source.published);
        let values: usize = source.data.iter().map(|d| d.values.len()).sum();
        let counts = format!(
            "{}; {} data, {values} figures, {} set-ups",
            source.document,
            source.data.len(),
            source.setups.len()
        );
        widgets::wide_card(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                link(ui, &source.id, out);
                ui.label(RichText::new(&source.title).text_style(theme::subtitle()));
            });
            ui.add(Label::new(RichText::new(by).color(theme.muted)).wrap());
            ui.add(Label::new(&source.summary).wrap());
            widgets::muted(ui, &counts);
        });
        ui.add_space(theme::GAP);
    }
}

/// An id that leads to its origin.
fn link(ui: &mut Ui, id: &str, out: &mut Vec<Command>) {
    let shown: String = id.chars().take(60).collect();
    if ui.link(shown).on_hover_text(format!("Origin of {id}")).clicked() {
        out.push(Command::Explain(id.to_owned()));
    }
}

//! Paints the recommendation.

use egui::{RichText, Ui};

use super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::widgets;

pub(super) fn show(ui: &mut Ui, data: &Data, _out: &mut Vec<Command>) {
    widgets::head(ui, "Recommendation", "");
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    widgets::card(ui, |ui| {
        ui.label(RichText::new(&data.sentence).text_style(crate::desktop::theme::subtitle()));
    });
    ui.add(egui::Label::new(RichText::new(&data.text).monospace()).extend());
}

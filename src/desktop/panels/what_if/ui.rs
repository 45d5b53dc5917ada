//! Paints the panel: its head with what can be done, controls left, results right.

use std::sync::Arc;

use egui::{Align, Layout, RichText, ScrollArea, Ui, Vec2};

use super::data::Data;
use super::{controls, results};
use crate::advisor::what_if::Change;
use crate::desktop::command::{Command, Edit};
use crate::desktop::state::{Pin, State};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;

/// A card's margins and lines on both sides \[points\].
const AROUND: f32 = 34.0;
/// The narrowest that results can be read in \[points\].
const RESULTS_MIN: f32 = 360.0;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, state: &State, data: &Data, out: &mut Vec<Command>) {
    head(ui, state, data, out);
    if let Some(waiting) = &data.waiting {
        ui.label(waiting);
        return;
    }
    // Both columns scroll by themselves, so that a slider and what it does stay in sight together.
    let height = (ui.clip_rect().bottom() - ui.cursor().top() - 8.0).max(240.0);
    let left = controls::WIDTH + AROUND;
    let right = ui.available_width() - left - theme::GAP * 2.0;
    if right < RESULTS_MIN {
        widgets::card(ui, |ui| controls::show(ui, state, data, f32::INFINITY, out));
        ui.add_space(theme::GAP);
        results::show(ui, data, out);
        return;
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP * 2.0;
        column(ui, left, height, |ui| {
            widgets::card(ui, |ui| {
                controls::show(ui, state, data, height - AROUND, out);
            });
        });
        column(ui, right, height, |ui| {
            ScrollArea::vertical().id_salt("results").max_height(height).auto_shrink([false, false]).show(ui, |ui| {
                results::show(ui, data, out);
                widgets::scroll::follow(ui);
            });
        });
    });
}

fn column(ui: &mut Ui, width: f32, height: f32, add: impl FnOnce(&mut Ui)) {
    let size = Vec2::new(width, height);
    ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP;
        ui.set_width(width);
        add(ui);
    });
}

fn head(ui: &mut Ui, state: &State, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new("What if").text_style(theme::title()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let is_changed = !state.scenario.change.is_none();
            let reset = ui.add_enabled(is_changed, egui::Button::new("Reset all"));
            if reset.on_hover_text("Back to the recommendation.").clicked() {
                out.push(Command::edit(Edit::Change(Arc::new(Change::default()))));
            }
            let pin = ui.add_enabled(is_changed, egui::Button::new("Pin"));
            if pin.on_hover_text("Keep this as a column of the comparison.").clicked() {
                out.push(Command::edit(Edit::Pin(Pin {
                    name: data.pin.clone(),
                    title: data.pin.clone(),
                    change: state.scenario.change.clone(),
                })));
            }
            let take = ui.add_enabled(data.has_answers, egui::Button::new("Take over as answers"));
            let about = "Write the changed numbers into the site's answers; the advice is computed again.";
            if take.on_hover_text(about).clicked() {
                out.push(Command::edit(Edit::TakeOver));
            }
        });
    });
    let words = if data.changes.is_empty() {
        "Move a slider: results follow at once, and are then simulated.".to_owned()
    } else {
        format!("Changed: {}.", data.changes.join(", "))
    };
    let words = RichText::new(words).color(theme.muted);
    ui.add(egui::Label::new(words).truncate());
    ui.add_space(theme::GAP);
}

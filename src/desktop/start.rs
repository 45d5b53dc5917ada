//! The start card: a new customer, a site file, a recent one, an example. Shown until a site is begun.

use std::path::{Path, PathBuf};

use egui::{Align, Button, Layout, RichText, Ui, Vec2};

use super::command::Command;
use super::panels::server_log::LogCommand;
use super::presets;
use super::state::State;
use super::theme::{self, Theme};
use super::widgets;

/// Width of the card, at most \[points\].
const WIDTH: f32 = 760.0;
/// Recent files that are offered.
const RECENT: usize = 5;

/// Paints the card.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let room = ui.available_size();
    let width = room.x.min(WIDTH);
    ui.add_space(((room.y - 520.0) * 0.4).max(0.0));
    ui.horizontal(|ui| {
        ui.add_space(((room.x - width) / 2.0).max(0.0));
        ui.allocate_ui_with_layout(Vec2::new(width, 0.0), Layout::top_down(Align::Min), |ui| {
            ui.set_width(width);
            widgets::card(ui, |ui| card(ui, state, out));
        });
    });
}

fn card(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.set_width(ui.available_width());
    ui.label(RichText::new("Size a Perforce server").text_style(theme::title()));
    let about = "Answer a few questions about the customer. Plimsoll recommends servers and storage, and estimates how \
                 long people wait and when the load becomes too high.";
    ui.add(egui::Label::new(RichText::new(about).color(theme.muted)).wrap());
    ui.add_space(theme::GAP * 1.5);
    ui.horizontal(|ui| {
        let text = RichText::new("New customer").color(theme.on_accent);
        let new = ui.add(big(Button::new(text).fill(theme.accent)));
        // Enter begins, as long as nothing else has the focus.
        let is_free = state.dialog.is_none() && state.palette.is_none();
        if is_free && ui.memory(|memory| memory.focused().is_none()) {
            new.request_focus();
        }
        let about = "Begin with the first question (Ctrl+N)";
        if new.on_hover_text(about).clicked() {
            out.push(Command::New);
        }
        let open = ui.add(big(Button::new("Open site file…")));
        if open.on_hover_text("Ctrl+O").clicked() {
            out.push(Command::AskOpen);
        }
        let log = ui.add(big(Button::new("Read server log…")));
        let about = "What a Perforce server logged: who holds locks, what to change, answers for the questions";
        if log.on_hover_text(about).clicked() {
            out.push(Command::Log(LogCommand::Ask));
        }
    });
    if !state.preferences.recent.is_empty() {
        part(ui, "Recent");
        for path in state.preferences.recent.iter().take(RECENT) {
            let (name, folder) = named(path);
            if line(ui, &name, &folder) {
                out.push(Command::Open(path.clone()));
            }
        }
    }
    part(ui, "Try an example");
    for (title, text) in presets::EXAMPLES {
        if line(ui, title, &presets::name_in(text)) {
            out.push(Command::Preset(title));
        }
    }
}

fn big(button: Button<'_>) -> Button<'_> {
    button.min_size(Vec2::new(170.0, 38.0))
}

fn part(ui: &mut Ui, title: &str) {
    ui.add_space(theme::GAP * 1.5);
    widgets::subhead(ui, title);
}

/// A name with more about it; whether it was clicked.
fn line(ui: &mut Ui, name: &str, about: &str) -> bool {
    let theme = Theme::of(ui);
    let button = Button::selectable(false, RichText::new(name))
        .right_text(RichText::new(about).small().color(theme.muted))
        .truncate()
        .min_size(Vec2::new(ui.available_width(), 28.0));
    ui.add(button).clicked()
}

/// Name and folder of a file.
fn named(path: &Path) -> (String, String) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    (name.into_owned(), folder.display().to_string())
}

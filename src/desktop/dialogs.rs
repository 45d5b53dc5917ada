//! Paints dialogs and the command palette.

use egui::{Frame, Id, Modal, RichText, ScrollArea, Ui};

use super::actions::ACTIONS;
use super::command::Command;
use super::dialog::{Browser, Dialog, Palette};
use super::palette;
use super::state::State;
use super::theme::{self, Theme};
use super::widgets;

/// Paints what stands on top of the window, if anything does.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    if let Some(open) = &state.palette {
        modal(ui, out, |ui, out| palette_ui(ui, open, out));
        return;
    }
    let Some(dialog) = &state.dialog else { return };
    modal(ui, out, |ui, out| match dialog {
        Dialog::Open(browser) => file(ui, "Open a site", "Open", &[".toml"], browser, out),
        Dialog::SaveAs { browser, .. } => {
            file(ui, "Save the site", "Save", &[".toml"], browser, out);
        }
        Dialog::Export(browser) => {
            let endings = [".html", ".md", ".json"];
            file(ui, "Export the report", "Export", &endings, browser, out);
        }
        Dialog::Unsaved { .. } => unsaved(ui, out),
        Dialog::Recover { file, .. } => {
            let name = file.as_ref().map(|f| f.display().to_string());
            recover(ui, name.as_deref(), out);
        }
        Dialog::Shortcuts => shortcuts(ui, out),
        Dialog::About => about(ui, out),
    });
}

/// Width of a dialog \[points\].
const WIDTH: f32 = 600.0;

fn modal(ui: &Ui, out: &mut Vec<Command>, add: impl FnOnce(&mut Ui, &mut Vec<Command>)) {
    let modal = Modal::new(Id::unique("dialog")).frame(Frame::window(ui.style()));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(WIDTH);
        add(ui, out);
    });
    if response.backdrop_response.clicked() {
        out.push(Command::Dismiss);
    }
}

fn buttons(ui: &mut Ui, words: &[(&str, Command)], out: &mut Vec<Command>) {
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        for (place, (word, command)) in words.iter().enumerate() {
            let response = ui.button(*word);
            // Enter does what is usual, without looking for it.
            if place == 0 && ui.memory(|memory| memory.focused().is_none()) {
                response.request_focus();
            }
            if response.clicked() {
                out.push(command.clone());
            }
        }
    });
}

fn palette_ui(ui: &mut Ui, open: &Palette, out: &mut Vec<Command>) {
    let mut query = open.query.clone();
    let label = ui.label("Command");
    let field = egui::TextEdit::singleline(&mut query)
        .hint_text("type a part of its name")
        .desired_width(f32::INFINITY);
    let response = ui.add(field).labelled_by(label.id);
    response.request_focus();
    if response.changed() {
        out.push(Command::Type(query));
    }
    let found = palette::entries(&open.query);
    let key = |key| ui.input(|i| i.key_pressed(key));
    if key(egui::Key::ArrowDown) {
        out.push(Command::Choose(
            (open.chosen + 1).min(found.len().saturating_sub(1)),
        ));
    }
    if key(egui::Key::ArrowUp) {
        out.push(Command::Choose(open.chosen.saturating_sub(1)));
    }
    if key(egui::Key::Enter) {
        out.push(Command::Confirm);
    }
    ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
        for (i, entry) in found.iter().enumerate() {
            let button = egui::Button::selectable(i == open.chosen, &entry.name)
                .shortcut_text(&entry.keys)
                .truncate()
                .min_size(egui::Vec2::new(ui.available_width(), 0.0));
            let response = ui.add(button).on_hover_text(entry.about);
            if i == open.chosen {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                out.push(Command::Choose(i));
                out.push(Command::Confirm);
            }
        }
        if found.is_empty() {
            widgets::muted(ui, "nothing is called so");
        }
    });
}

/// Folders, and files with one of the endings.
fn file(
    ui: &mut Ui,
    title: &str,
    verb: &str,
    endings: &[&str],
    browser: &Browser,
    out: &mut Vec<Command>,
) {
    let theme = Theme::of(ui);
    widgets::subhead(ui, title);
    ui.horizontal(|ui| {
        if ui.button("Up").on_hover_text("The folder above").clicked() {
            let above = browser.folder.join("..");
            let folder = above.canonicalize().unwrap_or(above);
            out.push(Command::Browse(folder));
        }
        widgets::muted(ui, &browser.folder.display().to_string());
    });
    ScrollArea::vertical()
        .max_height(280.0)
        .min_scrolled_height(280.0)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            let is_meant = |entry: &&String| {
                entry.ends_with('/') || endings.iter().any(|ending| entry.ends_with(ending))
            };
            for entry in browser.entries.iter().filter(is_meant) {
                let is_chosen = *entry == browser.typed;
                let response = ui.selectable_label(is_chosen, entry);
                if !response.clicked() {
                    continue;
                }
                match entry.strip_suffix('/') {
                    Some(folder) => out.push(Command::Browse(browser.folder.join(folder))),
                    None => out.push(Command::Type(entry.clone())),
                }
            }
        });
    let mut typed = browser.typed.clone();
    let label = ui.label("File");
    let field = egui::TextEdit::singleline(&mut typed).desired_width(f32::INFINITY);
    let response = ui.add(field).labelled_by(label.id);
    if response.changed() {
        out.push(Command::Type(typed));
    }
    let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    // One types at once, without looking for the field; asked for after it was seen to be left.
    if ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    if entered {
        out.push(Command::Confirm);
    }
    if let Some(problem) = &browser.problem {
        ui.label(RichText::new(problem).color(theme.bad));
    }
    buttons(
        ui,
        &[(verb, Command::Confirm), ("Cancel", Command::Dismiss)],
        out,
    );
}

fn unsaved(ui: &mut Ui, out: &mut Vec<Command>) {
    widgets::subhead(ui, "There is unsaved work");
    ui.label("Save it first?");
    buttons(
        ui,
        &[
            ("Save", Command::Confirm),
            ("Do not save", Command::Discard),
            ("Cancel", Command::Dismiss),
        ],
        out,
    );
}

fn recover(ui: &mut Ui, name: Option<&str>, out: &mut Vec<Command>) {
    widgets::subhead(ui, "Unsaved work was found");
    let of = name.unwrap_or("a site that was never saved");
    ui.label(format!(
        "An earlier session ended before it was saved: {of}."
    ));
    buttons(
        ui,
        &[
            ("Recover", Command::Confirm),
            ("Ask again later", Command::Dismiss),
            ("Throw away", Command::Discard),
        ],
        out,
    );
}

fn shortcuts(ui: &mut Ui, out: &mut Vec<Command>) {
    widgets::subhead(ui, "Keyboard shortcuts");
    ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
        egui::Grid::new("shortcuts").num_columns(2).show(ui, |ui| {
            for action in ACTIONS {
                if let Some(shortcut) = action.shortcut {
                    ui.label(shortcut.words());
                    ui.label(action.title);
                    ui.end_row();
                }
            }
        });
    });
    buttons(ui, &[("Close", Command::Dismiss)], out);
}

fn about(ui: &mut Ui, out: &mut Vec<Command>) {
    widgets::subhead(ui, "Plimsoll");
    ui.label(concat!(
        "Version ",
        env!("CARGO_PKG_VERSION"),
        ". The load line for Perforce servers: how many users, how much data and how many commands a \
         deployment carries on given storage."
    ));
    widgets::muted(
        ui,
        "MIT or Apache-2.0. The typeface is Inter, under the SIL Open Font License. Nothing leaves this machine.",
    );
    buttons(ui, &[("Close", Command::Dismiss)], out);
}

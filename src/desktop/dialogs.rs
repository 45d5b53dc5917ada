//! Paints dialogs and the command palette.

use egui::{Frame, Id, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::actions::{ACTIONS, KEYS};
use super::command::Command;
use super::dialog::{Browser, Dialog, Palette, Purpose};
use super::engine::Engine;
use super::export;
use super::palette::{self, Entry};
use super::state::State;
use super::theme::{self, Theme};
use super::widgets;

/// Paints what stands on top of the window, if anything does.
pub fn show(ui: &mut Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    if let Some(open) = &state.palette {
        let found = palette::entries(&open.query, state, engine);
        modal(ui, out, |ui, out| palette_ui(ui, open, &found, out));
        return;
    }
    let Some(dialog) = &state.dialog else { return };
    modal(ui, out, |ui, out| match dialog {
        Dialog::File { purpose, browser } => {
            let preview = match purpose {
                Purpose::Handover => export::handover_files(state),
                _ => Vec::new(),
            };
            file(ui, purpose, browser, &preview, out);
        }
        Dialog::Said { title, lines } => said(ui, title, lines, out),
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

fn palette_ui(ui: &mut Ui, open: &Palette, found: &[Entry], out: &mut Vec<Command>) {
    let mut query = open.query.clone();
    let label = ui.label("Command");
    let field = TextEdit::singleline(&mut query)
        .hint_text("a part of its name: a command, question, layout, finding, source")
        .desired_width(f32::INFINITY);
    let response = ui.add(field).labelled_by(label.id);
    response.request_focus();
    if response.changed() {
        out.push(Command::Type(query));
    }
    let key = |key| ui.input(|i| i.key_pressed(key));
    if key(egui::Key::ArrowDown) {
        out.push(Command::Choose((open.chosen + 1).min(found.len().saturating_sub(1))));
    }
    if key(egui::Key::ArrowUp) {
        out.push(Command::Choose(open.chosen.saturating_sub(1)));
    }
    if key(egui::Key::Enter) {
        out.push(Command::Confirm);
    }
    // As high with one entry as with many: what one reads stays where it is while typing.
    let list = ScrollArea::vertical().max_height(360.0).min_scrolled_height(360.0).auto_shrink([false, false]);
    list.show(ui, |ui| {
        for (i, entry) in found.iter().enumerate() {
            let button = egui::Button::selectable(i == open.chosen, &entry.name)
                .shortcut_text(&entry.keys)
                .truncate()
                .min_size(egui::Vec2::new(ui.available_width(), 0.0));
            let response = ui.add(button).on_hover_text(&entry.about);
            if i == open.chosen {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                out.push(Command::Choose(i));
                out.push(Command::Confirm);
            }
        }
        if found.is_empty() {
            widgets::muted(ui, "Nothing has this name.");
        }
    });
}

/// A folder with its folders and files, and a name to type; `preview` are the files that will be written.
fn file(ui: &mut Ui, purpose: &Purpose, browser: &Browser, preview: &[String], out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let (title, verb, endings) = purpose.words();
    widgets::subhead(ui, title);
    ui.horizontal(|ui| {
        if ui.button("Up").on_hover_text("The folder above").clicked() {
            let above = browser.folder.join("..");
            let folder = above.canonicalize().unwrap_or(above);
            out.push(Command::Browse(folder));
        }
        widgets::muted(ui, &browser.folder.display().to_string());
    });
    let height = if preview.is_empty() { 280.0 } else { 150.0 };
    let list = ScrollArea::vertical()
        .id_salt("entries")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false]);
    list.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for entry in browser.shown() {
            let is_chosen = *entry == browser.typed;
            let response = ui.selectable_label(is_chosen, entry);
            if is_chosen || response.gained_focus() {
                response.scroll_to_me(None);
            }
            if !response.clicked() {
                continue;
            }
            match entry.strip_suffix('/') {
                Some(folder) => out.push(Command::Browse(browser.folder.join(folder))),
                None => out.push(Command::Type(entry.to_owned())),
            }
        }
    });
    let word = if endings.is_empty() { "Folder" } else { "File" };
    name(ui, browser, word, out);
    if let Some(problem) = &browser.problem {
        ui.label(RichText::new(problem).color(theme.bad));
    }
    if !preview.is_empty() {
        ui.add_space(theme::GAP);
        let files = match preview.len() {
            1 => "1 file".to_owned(),
            n => format!("{n} files"),
        };
        widgets::muted(ui, &format!("This writes {files}, as plimsoll advise --out does:"));
        let list = ScrollArea::vertical().id_salt("preview").max_height(130.0).auto_shrink([false, false]);
        list.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for path in preview {
                ui.label(RichText::new(path).monospace());
            }
        });
    }
    buttons(ui, &[(verb, Command::Confirm), ("Cancel", Command::Dismiss)], out);
}

/// The name of the file or folder: typed, or taken from the list by the arrow keys.
fn name(ui: &mut Ui, browser: &Browser, word: &str, out: &mut Vec<Command>) {
    let mut typed = browser.typed.clone();
    let label = ui.label(word);
    let field = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY);
    let response = ui.add(field).labelled_by(label.id);
    if response.changed() {
        out.push(Command::Type(typed));
    }
    if response.has_focus() {
        let key = |key| ui.input(|i| i.key_pressed(key));
        if key(egui::Key::ArrowDown) {
            out.push(Command::Step(1));
        }
        if key(egui::Key::ArrowUp) {
            out.push(Command::Step(-1));
        }
    }
    let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    // The field has the focus at once, and its name without the ending is selected; asked for after the focus was
    // seen to be lost.
    if ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
        let stem = browser.typed.rfind('.').unwrap_or(browser.typed.len());
        let stem = browser.typed[..stem].chars().count();
        widgets::text::select(ui, response.id, 0..stem);
    }
    if entered {
        out.push(Command::Confirm);
    }
}

/// What was done, line by line.
fn said(ui: &mut Ui, title: &str, lines: &[String], out: &mut Vec<Command>) {
    widgets::subhead(ui, title);
    ui.add_space(theme::GAP);
    ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
        for line in lines {
            ui.add(egui::Label::new(line).wrap());
        }
    });
    buttons(ui, &[("Close", Command::Dismiss)], out);
}

fn unsaved(ui: &mut Ui, out: &mut Vec<Command>) {
    widgets::subhead(ui, "There is unsaved work");
    ui.label("Save it first?");
    buttons(ui, &[("Save", Command::Confirm), ("Do not save", Command::Discard), ("Cancel", Command::Dismiss)], out);
}

fn recover(ui: &mut Ui, name: Option<&str>, out: &mut Vec<Command>) {
    widgets::subhead(ui, "Unsaved work was found");
    let of = name.unwrap_or("a site that was never saved");
    ui.label(format!("An earlier session ended without saving: {of}."));
    buttons(
        ui,
        &[("Recover", Command::Confirm), ("Ask again later", Command::Dismiss), ("Throw away", Command::Discard)],
        out,
    );
}

fn shortcuts(ui: &mut Ui, out: &mut Vec<Command>) {
    widgets::subhead(ui, "Keyboard shortcuts");
    ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
        let grid = egui::Grid::new("shortcuts").num_columns(2).spacing([24.0, 6.0]);
        grid.show(ui, |ui| {
            for action in ACTIONS.iter() {
                if let Some(shortcut) = action.shortcut {
                    ui.label(shortcut.words());
                    ui.label(action.title);
                    ui.end_row();
                }
            }
            for (keys, about) in KEYS {
                ui.label(*keys);
                ui.label(*about);
                ui.end_row();
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

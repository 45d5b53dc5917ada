//! Paints the settings: folders, load, times, and the rest of the options.

use egui::{Align, Layout, RichText, Slider, TextEdit, Ui, Vec2};

use super::super::data::Data;
use crate::desktop::command::Command;
use crate::desktop::panels::rehearsal::RehearsalCommand;
use crate::desktop::rehearsal::{Form, LOAD, ROLES};
use crate::desktop::theme::Theme;
use crate::desktop::widgets::{
    self, gap,
    pick::{Pick, pick},
};
use crate::rehearse::By;

/// Width of the names before fields.
const NAMES: f32 = 110.0;
/// Width of a field for a time or a size.
const SHORT: f32 = 90.0;

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    ui.set_min_width(ui.available_width());
    let mut form = data.form.clone();
    folders(ui, &mut form, out);
    gap(ui);
    load(ui, &mut form);
    locks(ui, data, &mut form);
    gap(ui);
    egui::CollapsingHeader::new("More settings")
        .id_salt("more settings")
        .show(ui, |ui| more(ui, &mut form));
    if form != data.form {
        out.push(Command::Rehearsal(RehearsalCommand::Prepare(Box::new(
            form,
        ))));
    }
}

/// A name before a field, all of one width.
fn name(ui: &mut Ui, text: &str) -> egui::Id {
    let size = Vec2::new(NAMES, ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center);
    let label = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(NAMES);
        ui.label(text)
    });
    label.inner.id
}

fn folders(ui: &mut Ui, form: &mut Form, out: &mut Vec<Command>) {
    widgets::subhead(ui, "Where");
    ui.horizontal_wrapped(|ui| {
        for (word, is_apart) in [
            ("One folder for all", false),
            ("Database, journal and depot apart", true),
        ] {
            let state = if form.is_apart == is_apart {
                Pick::Yes
            } else {
                Pick::No
            };
            if pick(ui, word, state, word).clicked() {
                form.is_apart = is_apart;
            }
        }
    });
    let count = if form.is_apart { ROLES.len() } else { 1 };
    for (role, title) in ROLES.iter().enumerate().take(count) {
        let title = if form.is_apart { *title } else { "Folder" };
        ui.horizontal(|ui| {
            let label = name(ui, title);
            let room = (ui.available_width() - 100.0).max(80.0);
            let field = TextEdit::singleline(&mut form.folders[role])
                .hint_text("an empty folder on the volume to try, such as /mnt/filer/try")
                .desired_width(room);
            ui.add(field).labelled_by(label);
            let choose = ui.button("Choose…");
            let choose = choose.on_hover_text("Choose a folder from a list");
            if choose.clicked() {
                out.push(Command::Rehearsal(RehearsalCommand::AskFolder(role)));
            }
        });
    }
}

/// A short field; what it means and the option of the command line are its hover text.
fn short(ui: &mut Ui, title: &str, text: &mut String, hint: &str, about: &str) {
    let label = ui.label(title);
    let field = TextEdit::singleline(text)
        .hint_text(hint)
        .desired_width(SHORT);
    ui.add(field).labelled_by(label.id).on_hover_text(about);
}

fn load(ui: &mut Ui, form: &mut Form) {
    widgets::subhead(ui, "How much, how long");
    ui.horizontal_wrapped(|ui| {
        let label = name(ui, "Load");
        let slider = Slider::new(&mut form.load, LOAD)
            .logarithmic(true)
            .max_decimals(2)
            .suffix(" × the peak");
        let about = "Multiple of the site's peak load: people and rates (--load)";
        ui.add(slider).labelled_by(label).on_hover_text(about);
    });
    ui.horizontal_wrapped(|ui| {
        let label = name(ui, "Time");
        let field = TextEdit::singleline(&mut form.time).desired_width(SHORT);
        let about = "Time that is measured (--time)";
        ui.add(field).labelled_by(label).on_hover_text(about);
        let about = "Time before that; the measurement begins later where responses show a longer warm-up (--warm-up)";
        short(ui, "after a warm-up of", &mut form.warm_up, "", about);
    });
}

fn locks(ui: &mut Ui, data: &Data, form: &mut Form) {
    ui.horizontal_wrapped(|ui| {
        name(ui, "Table locks");
        let words = [
            (
                By::Files,
                "on files",
                "As p4d locks them: the kernel gives a free lock to the thread that tries first (--locks files)",
            ),
            (
                By::Process,
                "in order of arrival",
                "In the process, as the model has them (--locks process)",
            ),
        ];
        for (by, word, about) in words {
            let state = if form.locks == by {
                Pick::Yes
            } else {
                Pick::No
            };
            let name = format!("Table locks {word}");
            if pick(ui, word, state, &name).on_hover_text(about).clicked() {
                form.locks = by;
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        name(ui, "db.peeking");
        let site = format!("as the site ({})", data.peeking);
        let choices = [None, Some(0), Some(1), Some(2), Some(3)];
        for choice in choices {
            let word = choice.map_or_else(|| site.clone(), |n| n.to_string());
            let state = if form.peeking == choice {
                Pick::Yes
            } else {
                Pick::No
            };
            let about =
                "Which locks reads take, in place of the site's answer (--set server.peeking)";
            let name = format!("db.peeking {word}");
            if pick(ui, &word, state, &name).on_hover_text(about).clicked() {
                form.peeking = choice;
            }
        }
    });
}

fn more(ui: &mut Ui, form: &mut Form) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        let about = "Size of the data and of large syncs over the site's, above 0 and up to 1; nothing is the largest at which a large sync moves 200 MB. Hit ratios stay the site's (--scale)";
        short(ui, "Scale", &mut form.scale, "automatic", about);
        let about = "Most bytes on all volumes together (--max-bytes)";
        short(ui, "At most", &mut form.max_bytes, "2 GiB", about);
        let about = "Space that stays free on each volume; nothing is 5 GiB, or a tenth of a small volume (--keep-free)";
        short(ui, "Keep free", &mut form.keep_free, "5 GiB", about);
        let about = "A round trip between clients and server to add, such as 0.5 ms (--round-trip)";
        short(ui, "Round trip", &mut form.round_trip, "none", about);
    });
    let about = "Its users will notice a rehearsal (--beside-p4d)";
    ui.checkbox(
        &mut form.is_beside_server,
        "Rehearse even if a Perforce server runs on this host",
    )
    .on_hover_text(about);
    let text = "Clients on another host, several layouts one after the other and tables of settings: plimsoll rehearse on the command line.";
    ui.label(RichText::new(text).small().color(theme.muted));
}

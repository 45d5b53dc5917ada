//! Paints the short answer of a log: how good it is, who to talk to, what to change, what happens.

use egui::{RichText, TextStyle, Ui};

use crate::desktop::answer::Read;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::prose::says;
use crate::desktop::widgets::{self, Tone, chip, page};
use crate::page::Table;

/// From this width on people and settings stand side by side.
const WIDE: f32 = 900.0;

/// How good the log is: first of all, since everything else depends on it.
pub(super) fn quality(ui: &mut Ui, read: &Read) {
    let Some(section) = read.section("quality") else {
        return;
    };
    widgets::wide_card(ui, |ui| {
        ui.horizontal(|ui| {
            widgets::subhead(ui, section.title);
            // Levels are no matter of a journal or a checkpoint.
            if !read.first.is_journal {
                let (word, tone) =
                    if read.first.is_good { ("logs enough", Tone::Good) } else { ("log more", Tone::Warning) };
                chip(ui, word, tone);
            }
        });
        page::blocks(ui, &section.blocks, None);
    });
}

/// What stands still when the log ends, before all else; nothing where all goes on.
pub(super) fn now(ui: &mut Ui, read: &Read) {
    if read.first.now.is_empty() {
        return;
    }
    if let Some(section) = read.section("now") {
        page::section(ui, section, None);
        ui.add_space(theme::GAP);
    }
}

/// Who to talk to and what to change.
pub(super) fn points(ui: &mut Ui, read: &Read) {
    let first = &read.first;
    if first.is_journal {
        return;
    }
    let lists =
        [("Who to talk to", &first.talk, first.nobody.as_str()), ("What to change", &first.change, first.nothing)];
    let one = |ui: &mut Ui, (title, points, none): (&str, &Vec<String>, &str)| {
        widgets::wide_card(ui, |ui| {
            widgets::subhead(ui, title);
            if points.is_empty() {
                widgets::muted(ui, none);
            }
            for (n, point) in points.iter().enumerate() {
                ui.add_space(theme::GAP / 2.0);
                let point = format!("{}. {point}", n + 1);
                says(ui, &point, &TextStyle::Body, Theme::of(ui).text);
            }
        });
    };
    let [talk, change] = lists;
    if ui.available_width() >= WIDE {
        ui.columns_const(|[left, right]| {
            left.vertical(|ui| one(ui, talk));
            right.vertical(|ui| one(ui, change));
        });
    } else {
        one(ui, talk);
        ui.add_space(theme::GAP);
        one(ui, change);
    }
}

/// What happens on the server, what its journal says, and what its checkpoint holds.
pub(super) fn happens(ui: &mut Ui, read: &Read) {
    let first = &read.first;
    let tables = [
        ("What happens", &first.happens),
        ("What the journal says", &first.journal),
        ("What the checkpoint holds", &first.checkpoint),
    ];
    let shown = tables.into_iter().filter(|(_, rows)| !rows.is_empty());
    for (n, (title, rows)) in shown.enumerate() {
        if n > 0 {
            ui.add_space(theme::GAP);
        }
        labelled(ui, title, rows);
    }
}

fn labelled(ui: &mut Ui, title: &str, rows: &[(&str, String)]) {
    widgets::wide_card(ui, |ui| {
        ui.label(RichText::new(title).text_style(theme::subtitle()));
        let rows = rows.iter().map(|(label, text)| vec![(*label).to_owned(), text.clone()]);
        page::table(ui, &Table::new(&["", ""]).with(rows), None);
    });
}

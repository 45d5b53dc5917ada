//! Paints the text of the site file, to be read and changed as it is, with the lines that are wrong.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Galley, Label, RichText, ScrollArea, TextBuffer, TextEdit, TextStyle, Ui, Vec2};

use super::super::data::Data;
use crate::desktop::command::{Command, Edit};
use crate::desktop::inquiry::Inquire;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;

/// Room for the numbers of the lines.
const GUTTER: f32 = 60.0;
/// Room for what is wrong, beneath the text.
const FAULTS: f32 = 120.0;

pub(super) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let below = if data.faults.is_empty() { 0.0 } else { FAULTS };
    let height = (ui.available_height() - below - 40.0).max(40.0);
    widgets::card(ui, |ui| {
        ScrollArea::both()
            .id_salt("text")
            .max_height(height)
            .auto_shrink([false, false])
            .show(ui, |ui| editor(ui, data, out));
    });
    if data.faults.is_empty() {
        return;
    }
    ui.add_space(theme::GAP);
    ScrollArea::vertical().id_salt("help").show(ui, |ui| {
        for fault in &data.faults {
            let place = fault.line.map_or_else(String::new, |l| format!("line {l}: "));
            ui.label(RichText::new(format!("{place}{}", fault.message)).strong());
            let help = fault.help.join("; ");
            let words = [fault.found.as_str(), &help];
            let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
            widgets::muted(ui, &words.join(": "));
        }
    });
}

fn editor(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let font = TextStyle::Monospace.resolve(ui.style());
    let mut text = data.text.to_string();
    let mut layouter = |ui: &Ui, buffer: &dyn TextBuffer, _width: f32| -> Arc<Galley> {
        let job = colored(buffer.as_str(), &font, theme);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    ui.horizontal_top(|ui| {
        ui.add_space(GUTTER);
        let room = ui.available_size() - Vec2::new(4.0, 4.0);
        let painted = TextEdit::multiline(&mut text)
            .code_editor()
            // Tab goes on to the next control.
            .lock_focus(false)
            .frame(egui::Frame::NONE)
            .layouter(&mut layouter)
            .desired_width(f32::INFINITY)
            .min_size(room.max(Vec2::splat(1.0)))
            .show(ui);
        let mut number = 1;
        let mut starts = true;
        for row in &painted.galley.rows {
            if starts {
                let is_wrong = data.faults.iter().any(|f| f.line == Some(number));
                let color = if is_wrong { theme.bad } else { theme.muted };
                let at = painted.galley_pos + Vec2::new(-14.0, row.pos.y);
                let words = if is_wrong { format!("● {number}") } else { number.to_string() };
                ui.painter().text(at, Align2::RIGHT_TOP, words, font.clone(), color);
                if data.sought_line == Some(number) {
                    let line = row.rect_without_leading_space();
                    let line = line.translate(painted.galley_pos.to_vec2());
                    ui.scroll_to_rect(line.expand2(Vec2::new(0.0, 60.0)), Some(egui::Align::Center));
                }
                number += 1;
            }
            starts = row.ends_with_newline;
        }
        let response = painted.response.response.accessible_name("Text of the site file");
        if let Some(line) = data.sought_line {
            response.request_focus();
            widgets::text::select(ui, response.id, of_line(&text, line));
            out.push(Command::Inquire(Inquire::Found));
        }
        if response.changed() {
            out.push(Command::drag("text", Edit::Text(text.as_str().into())));
        }
    });
    if data.text.trim().is_empty() {
        ui.add(Label::new(RichText::new("The file is empty.").color(theme.muted)));
    }
}

/// Characters of a line, from 1.
fn of_line(text: &str, line: usize) -> std::ops::Range<usize> {
    let mut start = 0;
    for (place, found) in text.split('\n').enumerate() {
        let length = found.chars().count();
        if place + 1 == line {
            return start..start + length;
        }
        start += length + 1;
    }
    start..start
}

/// Comments faint, tables strong, texts in another colour.
fn colored(text: &str, font: &FontId, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    let mut add = |piece: &str, color: Color32| {
        if !piece.is_empty() {
            job.append(piece, 0.0, TextFormat::simple(font.clone(), color));
        }
    };
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') && !line.contains('=') {
            let (table, comment) = line.split_at(comment_at(line));
            add(table, theme.accent);
            add(comment, theme.muted);
            continue;
        }
        let (code, comment) = line.split_at(comment_at(line));
        match code.split_once('=') {
            Some((key, value)) => {
                add(key, theme.text);
                add("=", theme.muted);
                add(value, theme.good);
            }
            None => add(code, theme.text),
        }
        add(comment, theme.muted);
    }
    job.wrap.max_width = f32::INFINITY;
    job
}

/// Where the comment of a line begins: at the first mark that stands in no quotes.
fn comment_at(line: &str) -> usize {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return at,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    line.len()
}

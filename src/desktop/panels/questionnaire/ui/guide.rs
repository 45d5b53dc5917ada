//! Paints what leads through the questions: parts, what to ask first, what is wrong.

use egui::{Button, CornerRadius, Frame, Label, Margin, Rect, RichText, TextStyle, Ui, Vec2};

use super::super::data::{Data, PartHead};
use crate::desktop::command::Command;
use crate::desktop::inquiry::{Inquire, Part};
use crate::desktop::reading::Problem;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, Tone, link_card::link_card, pick::chip_button, prose::prose};

/// A part in the list, with a line that fills as it is answered.
pub(super) fn part(ui: &mut Ui, head: &PartHead, is_shown: bool, width: f32, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let title = head.part.title();
    let (count, color) = match (head.wrong, head.total) {
        (0, 0) => ("none".to_owned(), theme.muted),
        (0, total) => (format!("{} / {total}", head.answered), theme.muted),
        (wrong, _) => (format!("{wrong} wrong"), theme.bad),
    };
    let color_of_title = if is_shown { theme.accent } else { theme.text };
    let button = Button::selectable(is_shown, RichText::new(title).color(color_of_title))
        .right_text(RichText::new(&count).small().color(color))
        .min_size(Vec2::new(width, 32.0))
        .corner_radius(CornerRadius::same(8));
    let response = ui.add(button).accessible_name(format!("{title}: {count}")).on_hover_text(head.part.about());
    if head.total > 0 {
        let line = Rect::from_min_size(
            response.rect.left_bottom() + Vec2::new(10.0, -5.0),
            Vec2::new((response.rect.width() - 20.0).max(0.0), 2.0),
        );
        let mut full = line;
        full.set_width(line.width() * head.answered as f32 / head.total as f32);
        let painter = ui.painter();
        painter.rect_filled(line, CornerRadius::same(1), theme.line);
        painter.rect_filled(full, CornerRadius::same(1), theme.accent);
    }
    if response.clicked() {
        out.push(Command::Inquire(Inquire::Part(head.part)));
    }
}

/// The unanswered questions that matter most, as cards that lead to them.
pub(super) fn ask_first(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    /// One line of help, two lines of question, one line of chips.
    const HEIGHT: f32 = 84.0;
    const QUESTION: f32 = 42.0;
    if data.ask_first.is_empty() {
        return;
    }
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Ask first").text_style(theme::subtitle()));
        let words = "unanswered questions that change the recommendation most";
        ui.add(Label::new(RichText::new(words).small().color(theme.muted)).truncate());
    });
    let gap = theme::GAP * 1.5;
    let count = data.ask_first.len() as f32;
    let width = ((ui.available_width() - gap * (count - 1.0)) / count).max(1.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for ask in &data.ask_first {
            let name = format!("Ask first: {}", ask.question.replace('`', ""));
            let response = link_card(ui, Vec2::new(width, HEIGHT), &name, |ui| {
                ui.spacing_mut().item_spacing = Vec2::new(6.0, 4.0);
                let mut job = prose(ui, &ask.question, &TextStyle::Body, theme.text);
                job.wrap.max_rows = 2;
                let top = ui.cursor().top();
                ui.add(Label::new(job).wrap());
                // The chips of all cards stand on one line.
                let lines = ui.cursor().top() - top;
                ui.add_space((QUESTION - lines).max(0.0));
                ui.horizontal(|ui| {
                    widgets::chip(ui, &ask.matter.words, tone(ask.matter.is_large));
                    let value = format!("assumed {}", ask.value);
                    ui.add(Label::new(RichText::new(value).small().color(theme.muted)).truncate());
                });
            });
            let response = response.on_hover_text(&ask.matter.sentence);
            if response.clicked() {
                out.push(Command::Seek(ask.path.clone()));
            }
        }
    });
}

pub(super) fn tone(is_large: bool) -> Tone {
    if is_large { Tone::Warning } else { Tone::Plain }
}

/// What is wrong, with the way to it.
pub(super) fn faults(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    /// More than these are counted.
    const SHOWN: usize = 4;
    let faults = &data.faults_elsewhere;
    // Beneath the text they are shown in full.
    if data.is_text || (faults.is_empty() && data.warnings.is_empty()) {
        return;
    }
    let theme = Theme::of(ui);
    let tone = if faults.is_empty() { Tone::Warning } else { Tone::Bad };
    Frame::new()
        .fill(Theme::faded(tone.color(theme), 0.10))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            for fault in faults.iter().take(SHOWN) {
                ui.horizontal(|ui| {
                    if let Some(line) = fault.line {
                        let place = format!("line {line}");
                        let name = format!("Go to line {line}: {}", fault.message);
                        if chip_button(ui, &place, Tone::Bad, &name).clicked() {
                            out.push(go_to(fault));
                        }
                    }
                    let text = RichText::new(&fault.message).color(theme.bad);
                    ui.add(Label::new(text).truncate());
                });
            }
            if faults.len() > SHOWN {
                widgets::muted(ui, &format!("and {} more", faults.len() - SHOWN));
            }
            for warning in &data.warnings {
                let first = warning.lines().next().unwrap_or_default();
                let text = RichText::new(first).color(theme.warning);
                ui.add(Label::new(text).truncate()).on_hover_text(RichText::new(warning).monospace());
            }
        });
    ui.add_space(theme::GAP);
}

/// To the question, or to the text where it is about none.
fn go_to(fault: &Problem) -> Command {
    match &fault.field {
        Some(path) if Part::of(path).is_some() => Command::Seek(path.clone()),
        _ => to_line(fault.line),
    }
}

fn to_line(line: Option<usize>) -> Command {
    Command::Inquire(line.map_or(Inquire::Text(true), Inquire::Line))
}

/// The form cannot change a text that is no TOML.
pub(super) fn no_toml(ui: &mut Ui, data: &Data, syntax: &str, out: &mut Vec<Command>) {
    widgets::card(ui, |ui| {
        ui.set_width(ui.available_width());
        widgets::subhead(ui, "The text of the site file is not valid TOML: correct it first");
        ui.label(syntax);
        let line = data.faults.iter().find_map(|fault| fault.line);
        if let Some(line) = line {
            widgets::muted(ui, &format!("The error is in line {line}."));
        }
        ui.add_space(theme::GAP);
        if ui.button("Show the text").on_hover_text("The site file itself").clicked() {
            out.push(to_line(line));
        }
    });
}

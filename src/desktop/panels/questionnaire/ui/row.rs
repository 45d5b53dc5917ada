//! Paints one question: what is asked on the left, the answer on the right, and beneath it what is wrong or
//! assumed.

use egui::{Align, Button, Id, Label, Layout, RichText, TextStyle, Ui, Vec2};

use super::super::control::Control;
use super::super::question::{Assumed, Question};
use super::{control, guide};
use crate::desktop::command::{Command, Edit};
use crate::desktop::inquiry::Inquire;
use crate::desktop::reading::Problem;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, Tone, pick::chip_button, prose::prose};

/// A row narrower than this has its answer beneath the question.
const NARROW: f32 = 560.0;
/// The share of a row that the question takes, and the most \[points\]: the answer stays near it.
const ASKED: f32 = 0.44;
const ASKED_MOST: f32 = 500.0;

pub(super) fn show(ui: &mut Ui, question: &Question, sought: Option<&String>, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.add_space(5.0);
    let room = ui.available_rect_before_wrap();
    let line = egui::Stroke::new(1.0, theme.line);
    ui.painter().hline(room.x_range(), room.top(), line);
    ui.add_space(9.0);
    let is_sought = sought == Some(&question.path);
    let width = ui.available_width();
    if width < NARROW {
        let label = asked(ui, question, out);
        answer(ui, question, label, is_sought, out);
        return;
    }
    ui.horizontal_top(|ui| {
        let left = Vec2::new((width * ASKED).min(ASKED_MOST), 0.0);
        let column = Layout::top_down(Align::Min);
        let label = ui.allocate_ui_with_layout(left, column, |ui| {
            ui.set_width(left.x);
            asked(ui, question, out)
        });
        ui.add_space(theme::GAP);
        ui.vertical(|ui| answer(ui, question, label.inner, is_sought, out));
    });
}

/// The question with its help; gives the name of the label.
fn asked(ui: &mut Ui, question: &Question, out: &mut Vec<Command>) -> Id {
    /// Of the button for help.
    const BUTTON: f32 = 26.0;
    let theme = Theme::of(ui);
    let plain = question.asked.replace('`', "");
    let label = ui.horizontal_top(|ui| {
        let room = (ui.available_width() - BUTTON - theme::GAP).max(1.0);
        let column = Layout::top_down(Align::Min);
        let label = ui.allocate_ui_with_layout(Vec2::new(room, 0.0), column, |ui| {
            ui.set_width(room);
            ui.add_space(4.0);
            let job = prose(ui, &question.asked, &TextStyle::Body, theme.text);
            ui.add(Label::new(job).wrap()).id
        });
        let button = Button::new(RichText::new("?").color(theme.muted))
            .selected(question.is_helped)
            .frame_when_inactive(question.is_helped);
        let response = ui.add(button).accessible_name(format!("Help: {plain}")).on_hover_ui(|ui| {
            ui.set_max_width(420.0);
            help(ui, question);
        });
        if response.clicked() {
            out.push(Command::Inquire(Inquire::Help(question.path.clone())));
        }
        label.inner
    });
    if question.is_helped {
        help(ui, question);
    }
    label.inner
}

/// Why it is asked within these limits, in which unit, and where it stands in the file.
fn help(ui: &mut Ui, question: &Question) {
    let theme = Theme::of(ui);
    let why = prose(ui, &question.why, &TextStyle::Small, theme.muted);
    ui.add(Label::new(why).wrap());
    let form = match &question.limits {
        Some(limits) => format!("Answer: {}, {limits}.", question.unit),
        None => format!("Answer: {}.", question.unit),
    };
    widgets::muted(ui, &form);
    widgets::muted(ui, &format!("In the file: {}", question.path));
}

fn answer(ui: &mut Ui, question: &Question, label: Id, is_sought: bool, out: &mut Vec<Command>) {
    let response = ui.horizontal_top(|ui| {
        let response = control::show(ui, question, label, out);
        if question.answer.is_some() && !question.is_required {
            clear(ui, question, out);
        }
        response
    });
    if is_sought {
        response.inner.request_focus();
        response.inner.scroll_to_me(Some(Align::Center));
        if let Control::Line(_) = question.control {
            let shown = question.draft.clone().unwrap_or_else(|| question.shown());
            widgets::text::select(ui, response.inner.id, 0..shown.chars().count());
        }
        out.push(Command::Inquire(Inquire::Found));
    }
    if let Some(fault) = &question.fault {
        wrong(ui, fault);
    } else if let Some(assumed) = &question.assumed {
        assumption(ui, question, assumed, out);
    } else if question.answer.is_none() {
        let (word, tone) =
            if question.is_required { ("must be answered", Tone::Bad) } else { ("left out", Tone::Plain) };
        widgets::chip(ui, word, tone);
    } else if let Some(title) = question.title() {
        widgets::muted(ui, title);
    }
}

fn clear(ui: &mut Ui, question: &Question, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let button = Button::new(RichText::new("×").color(theme.muted)).frame_when_inactive(false);
    let plain = question.asked.replace('`', "");
    let response = ui
        .add(button)
        .accessible_name(format!("Clear: {plain}"))
        .on_hover_text("Clear the answer: the usual value is assumed again");
    if response.clicked() {
        out.push(Command::edit(Edit::Answer { field: question.path.clone(), value: None }));
    }
}

/// What is wrong, and what helps.
fn wrong(ui: &mut Ui, fault: &Problem) {
    let theme = Theme::of(ui);
    let words =
        if fault.found.is_empty() { fault.message.clone() } else { format!("{} ({})", fault.message, fault.found) };
    let text = RichText::new(words).small().color(theme.bad);
    ui.add(Label::new(text).wrap());
    for help in &fault.help {
        widgets::muted(ui, help);
    }
}

/// The chip, the range, and how much it matters.
fn assumption(ui: &mut Ui, question: &Question, assumed: &Assumed, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let name = format!("Why {} is assumed for {}", assumed.value, question.path);
        let chip = chip_button(ui, "assumed", Tone::Accent, &name);
        if chip.on_hover_text(&assumed.origin).clicked() {
            out.push(Command::Explain(question.path.clone()));
        }
        let value = match &assumed.range {
            Some(range) => format!("{}, range {range}", assumed.value),
            None => assumed.value.clone(),
        };
        let text = RichText::new(value).small().color(theme.muted);
        ui.add(Label::new(text).wrap()).on_hover_text("The 80 % range of this assumption.");
        if let Some(matter) = &assumed.matter {
            widgets::chip(ui, &matter.words, guide::tone(matter.is_large)).on_hover_text(&matter.sentence);
        }
    });
}

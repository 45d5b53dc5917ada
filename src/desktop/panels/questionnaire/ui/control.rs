//! Paints the control of an answer: a line of text, a slider, words to pick, a menu.

use egui::{Align, Button, ComboBox, DragValue, Id, Key, Layout, Response, RichText, Slider, TextEdit, Ui, Vec2};

use super::super::control::{Control, Picked, Word};
use super::super::question::Question;
use crate::desktop::command::{Command, Edit};
use crate::desktop::inquiry::Inquire;
use crate::desktop::theme::Theme;
use crate::desktop::widgets::menu;
use crate::desktop::widgets::pick::{Pick, pick};
use crate::desktop::widgets::text::select;

/// Width of a line of text \[points\].
const LINE: f32 = 250.0;
/// Width of a line that holds a name.
const NAME: f32 = 380.0;
/// Beside the control: the button that clears it.
const BESIDE: f32 = 44.0;

/// Paints it; gives what takes the focus.
pub(super) fn show(ui: &mut Ui, question: &Question, label: Id, out: &mut Vec<Command>) -> Response {
    let room = (ui.available_width() - BESIDE).max(40.0);
    let response = match &question.control {
        Control::Line(hint) => {
            let width = if question.unit == "text" { NAME } else { LINE };
            line(ui, question, hint, width.min(room), out)
        }
        Control::Weight { mark, share } => weight(ui, question, *mark, share, label, out),
        Control::One(words) | Control::Many(words, _) => {
            return picks(ui, question, words, room, out);
        }
        Control::Menu(words) => choice(ui, question, words, room, out),
    };
    left(ui, question, &response, out);
    response.labelled_by(label)
}

/// What is typed stays in the field until it is left or Enter is pressed; then it becomes the answer, where it can.
fn line(ui: &mut Ui, question: &Question, hint: &str, width: f32, out: &mut Vec<Command>) -> Response {
    let id = Id::unique(("answer", &question.path));
    let mut typed = question.draft.clone().unwrap_or_else(|| question.shown());
    let color = question.fault.as_ref().map(|_| Theme::of(ui).bad);
    let field = TextEdit::singleline(&mut typed).id(id).hint_text(hint).text_color_opt(color).desired_width(width);
    let response = ui.add(field);
    // Reached by a key, the value is selected: typing replaces it.
    if response.gained_focus() && !ui.input(|i| i.pointer.any_down()) {
        select(ui, id, 0..typed.chars().count());
    }
    if response.changed() {
        let path = question.path.clone();
        out.push(Command::Inquire(Inquire::Draft { path, typed }));
    }
    if response.lost_focus() {
        let is_given_up = ui.input(|i| i.key_pressed(Key::Escape));
        out.push(if is_given_up { Command::Inquire(Inquire::DropDraft) } else { Command::CommitDraft });
    }
    if response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
        // Who changes an answer stays at it.
        if question.answer.is_some() {
            response.request_focus();
        } else {
            onward(ui, question, out);
        }
    }
    response
}

/// Where the focus leaves an answer by Tab, it goes to the next open question, and back with Shift.
fn left(ui: &Ui, question: &Question, response: &Response, out: &mut Vec<Command>) {
    let (is_pressed, is_back) = ui.input(|i| (i.key_pressed(Key::Tab), i.modifiers.shift));
    // On the way back the focus leaves in the next frame only.
    let is_left = response.lost_focus() || (is_back && response.has_focus());
    if is_pressed && is_left {
        onward(ui, question, out);
    }
}

fn onward(ui: &Ui, question: &Question, out: &mut Vec<Command>) {
    let from = question.path.clone();
    let back = ui.input(|i| i.modifiers.shift);
    out.push(Command::Inquire(Inquire::Onward { from, back }));
}

fn weight(ui: &mut Ui, question: &Question, mark: f64, share: &str, label: Id, out: &mut Vec<Command>) -> Response {
    let mut moved = mark;
    let mut slider = Slider::new(&mut moved, 0.0..=10.0).show_value(false);
    // A mark that was written with a fraction stays until it is moved.
    if mark.fract() == 0.0 {
        slider = slider.step_by(1.0);
    }
    let response = ui.add(slider);
    let value = DragValue::new(&mut moved).range(0.0..=10.0).max_decimals(2);
    let value = ui.add(value).labelled_by(label);
    left(ui, question, &value, out);
    if moved != mark {
        out.push(Command::answer(&question.path, &format!("{moved}")));
    }
    let share = RichText::new(share).small().color(Theme::of(ui).muted);
    let size = Vec2::new(44.0, ui.spacing().interact_size.y);
    ui.add_sized(size, egui::Label::new(share)).on_hover_text("Its share of all five");
    response
}

fn picks(ui: &mut Ui, question: &Question, words: &[Word], room: f32, out: &mut Vec<Command>) -> Response {
    let plain = question.asked.replace('`', "");
    let rows = Layout::left_to_right(Align::Center).with_main_wrap(true);
    let painted = ui.allocate_ui_with_layout(Vec2::new(room, 0.0), rows, |ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(6.0);
        let mut first: Option<Response> = None;
        for word in words {
            let how = match word.picked {
                Picked::No => Pick::No,
                Picked::Yes => Pick::Yes,
                Picked::Assumed => Pick::Faint,
                Picked::Wrong => Pick::Bad,
            };
            let response = pick(ui, &word.spelled, how, &format!("{}: {plain}", word.spelled));
            let response = match about(word) {
                Some(about) => response.on_hover_text(about),
                None => response,
            };
            if response.clicked() {
                clicked(question, &word.spelled, out);
            }
            left(ui, question, &response, out);
            first.get_or_insert(response);
        }
        if let Control::Many(_, true) = question.control {
            let is_none = question.answer.as_deref() == Some("");
            let how = if is_none { Pick::Yes } else { Pick::No };
            let response = pick(ui, "none", how, &format!("none: {plain}"));
            let response = response.on_hover_text("There is none");
            if response.clicked() {
                answered(question, Some(String::new()), out);
            }
            left(ui, question, &response, out);
        }
        first
    });
    painted.inner.unwrap_or(painted.response)
}

fn choice(ui: &mut Ui, question: &Question, words: &[Word], room: f32, out: &mut Vec<Command>) -> Response {
    let theme = Theme::of(ui);
    let shown = words.iter().find(|word| word.picked != Picked::No);
    let (text, color) = match shown {
        None => ("choose…".to_owned(), theme.muted),
        Some(word) => {
            let color = match word.picked {
                Picked::Assumed => theme.muted,
                Picked::Wrong => theme.bad,
                Picked::Yes | Picked::No => theme.text,
            };
            (word.spelled.clone(), color)
        }
    };
    let mut is_picked = false;
    let opened = ComboBox::from_id_salt(("menu", &question.path))
        .selected_text(RichText::new(text).color(color))
        .width(LINE.min(room))
        .height(340.0)
        .truncate()
        .show_ui(ui, |ui| {
            ui.set_min_width(420.0);
            for word in words {
                let entry = Button::selectable(word.picked == Picked::Yes, &word.spelled)
                    .right_text(RichText::new(&word.title).small().color(theme.muted))
                    .min_size(Vec2::new(ui.available_width(), 28.0));
                let mut response = ui.add(entry);
                menu::entry(ui, &response, word.picked != Picked::No);
                if !word.about.is_empty() {
                    response = response.on_hover_text(&word.about);
                }
                if response.clicked() {
                    clicked(question, &word.spelled, out);
                    is_picked = true;
                    ui.close();
                }
            }
        });
    // The list that had the focus is gone.
    if is_picked {
        opened.response.request_focus();
    }
    opened.response
}

/// What a word stands for: title and more.
fn about(word: &Word) -> Option<String> {
    match (word.title.is_empty(), word.about.is_empty()) {
        (true, true) => None,
        (true, false) => Some(word.about.clone()),
        (false, true) => Some(word.title.clone()),
        (false, false) => Some(format!("{}\n{}", word.title, word.about)),
    }
}

fn clicked(question: &Question, word: &str, out: &mut Vec<Command>) {
    answered(question, question.toggled(word), out);
}

/// One step of undo for a question, however many words are clicked.
fn answered(question: &Question, value: Option<String>, out: &mut Vec<Command>) {
    let field = question.path.clone();
    out.push(Command::drag(question.path.clone(), Edit::Answer { field, value }));
}

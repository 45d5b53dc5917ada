//! Paints the questionnaire: tools above, parts on the left, questions on the right.

mod control;
mod guide;
mod row;
mod text;

use egui::{Align, Layout, RichText, ScrollArea, TextEdit, Ui, Vec2};

use super::data::{Data, Group};
use crate::desktop::command::{Command, Edit};
use crate::desktop::inquiry::{Inquire, Part};
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{
    self,
    pick::{Pick, pick},
    prose::prose,
};

/// Width of the list of parts.
const PARTS: f32 = 186.0;
/// A panel narrower than this has no room for the list of parts.
const NARROW: f32 = 640.0;

/// Paints the panel.
pub(in crate::desktop::panels) fn show(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let is_narrow = ui.available_width() < NARROW;
    // What scrolls below leaves room for its bar; what stands above ends where it does.
    let bar = ui.spacing().scroll.allocated_width();
    let width = (ui.available_width() - bar).max(0.0);
    let right = ui.cursor().left() + width;
    ui.scope(|ui| {
        ui.set_max_width(width);
        head(ui, data, is_narrow, out);
    });
    if data.is_text {
        text::show(ui, data, out);
        return;
    }
    if let Some(syntax) = &data.syntax {
        guide::no_toml(ui, data, syntax, out);
        return;
    }
    if is_narrow {
        ScrollArea::vertical().id_salt("narrow form").auto_shrink([false, false]).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for head in &data.parts {
                    guide::part(ui, head, data.part == Some(head.part), 120.0, out);
                }
            });
            form(ui, data, out);
            widgets::scroll::follow(ui);
        });
        return;
    }
    ui.scope(|ui| {
        ui.set_max_width(width);
        guide::ask_first(ui, data, out);
    });
    ui.add_space(theme::GAP);
    let height = ui.available_height().max(1.0);
    ui.horizontal_top(|ui| {
        let size = Vec2::new(PARTS, height);
        ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
            ScrollArea::vertical().id_salt("parts").show(ui, |ui| {
                ui.set_width(PARTS - 8.0);
                ui.spacing_mut().item_spacing.y = 4.0;
                for head in &data.parts {
                    let width = ui.available_width();
                    guide::part(ui, head, data.part == Some(head.part), width, out);
                }
            });
        });
        ui.add_space(theme::GAP);
        ui.allocate_ui_with_layout(Vec2::new(ui.available_width(), height), Layout::top_down(Align::Min), |ui| {
            ScrollArea::vertical().id_salt(("form", data.part)).auto_shrink([false, false]).show(ui, |ui| {
                // Whether there is a bar or not.
                ui.set_max_width(right - ui.cursor().left());
                form(ui, data, out);
                widgets::scroll::follow(ui);
            });
        });
    });
}

/// Title, progress, search and the choice between form and text.
fn head(ui: &mut Ui, data: &Data, is_narrow: bool, out: &mut Vec<Command>) {
    let title = |ui: &mut Ui| {
        let theme = Theme::of(ui);
        ui.label(RichText::new("Questions").text_style(theme::title()));
        let progress = format!("{} of {} answered", data.answered, data.total);
        ui.label(RichText::new(progress).color(theme.muted))
            .on_hover_text("Unanswered questions have assumed values, each with a range.");
    };
    if is_narrow {
        ui.horizontal_wrapped(title);
        ui.horizontal_wrapped(|ui| tools(ui, data, out));
    } else {
        ui.horizontal(|ui| {
            title(ui);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                tools(ui, data, out);
            });
        });
    }
    ui.add_space(theme::GAP);
    guide::faults(ui, data, out);
}

fn tools(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    for (word, is_text, about) in [("Text", true, "The site file itself"), ("Form", false, "The questions")] {
        let picked = if data.is_text == is_text { Pick::Yes } else { Pick::No };
        if pick(ui, word, picked, word).on_hover_text(about).clicked() {
            out.push(Command::Inquire(Inquire::Text(is_text)));
        }
    }
    if data.is_text {
        return;
    }
    ui.add_space(theme::GAP);
    let mut is_open_only = data.is_open_only;
    let box_ = ui.checkbox(&mut is_open_only, "Unanswered only");
    if box_.on_hover_text("Leave out what is answered already").changed() {
        out.push(Command::Inquire(Inquire::OpenOnly(is_open_only)));
    }
    ui.add_space(theme::GAP);
    let mut query = data.query.clone();
    let search = TextEdit::singleline(&mut query).hint_text("Search questions").desired_width(180.0);
    let response = ui.add(search).accessible_name("Search questions");
    if response.on_hover_text("In questions, their reasons, and the words of answers").changed() {
        out.push(Command::Inquire(Inquire::Search(query)));
    }
}

/// The questions in sight.
fn form(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    for group in &data.groups {
        widgets::card(ui, |ui| {
            ui.set_width(ui.available_width());
            questions(ui, data, group, out);
        });
        ui.add_space(theme::GAP);
    }
    if data.groups.is_empty() {
        widgets::muted(ui, "No question contains these words.");
    }
    if let Some(part) = data.part {
        next(ui, part, out);
    }
}

fn questions(ui: &mut Ui, data: &Data, group: &Group, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal_top(|ui| {
        let title = RichText::new(&group.title).text_style(theme::subtitle());
        let button = if group.table.is_some() { 90.0 } else { 0.0 };
        let room = (ui.available_width() - button).max(1.0);
        ui.allocate_ui_with_layout(Vec2::new(room, 0.0), Layout::top_down(Align::Min), |ui| {
            ui.set_width(room);
            ui.add(egui::Label::new(title).truncate());
        });
        if let Some((list, index)) = group.table {
            let response = ui
                .button("Remove")
                .on_hover_text("Take this table out of the file")
                .accessible_name(format!("Remove {}", group.title));
            if response.clicked() {
                out.push(Command::edit(Edit::RemoveTable(list, index)));
            }
        }
    });
    if !group.about.is_empty() {
        let about = prose(ui, &group.about, &egui::TextStyle::Small, theme.muted);
        ui.add(egui::Label::new(about).wrap());
    }
    for question in &group.questions {
        row::show(ui, question, data.sought.as_ref(), out);
    }
    if let Some((list, word)) = group.adds {
        ui.add_space(theme::GAP);
        if ui.button(format!("Add {word}")).on_hover_text(format!("One more [[{list}]] table")).clicked() {
            out.push(Command::edit(Edit::AddTable(list)));
        }
    } else if group.questions.is_empty() {
        ui.add_space(theme::GAP);
        widgets::muted(ui, "Everything here is answered.");
    }
}

/// The way on through the meeting.
fn next(ui: &mut Ui, part: Part, out: &mut Vec<Command>) {
    let at = Part::ALL.iter().position(|known| *known == part);
    let next = at.and_then(|at| Part::ALL.get(at + 1));
    if let Some(next) = next {
        let button = ui.button(format!("Next: {} →", next.title()));
        if button.on_hover_text(next.about()).clicked() {
            out.push(Command::Inquire(Inquire::Part(*next)));
        }
    }
    ui.add_space(theme::WIDE_GAP);
}

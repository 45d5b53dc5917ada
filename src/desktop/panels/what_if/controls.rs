//! Paints the controls and gives their commands.

use std::sync::Arc;

use egui::{DragValue, Pos2, Response, RichText, ScrollArea, Shape, Slider as Rail, Stroke, Ui, Vec2};

use super::data::Data;
use super::knobs::{Control, Knob, Offer, Slider};
use super::set::Set;
use super::tie::developers;
use super::update::changed;
use crate::desktop::command::{Command, Edit};
use crate::desktop::panels::what_if::WhatIfCommand;
use crate::desktop::state::State;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets;

/// Width of names, sliders and typed values \[points\].
const NAME: f32 = 92.0;
const RAIL: f32 = 100.0;
const TYPED: f32 = 126.0;
const RESET: f32 = 26.0;
/// Width of a row without what stands around it \[points\].
pub(super) const WIDTH: f32 = NAME + RAIL + TYPED + RESET + 3.0 * theme::GAP;

pub(super) fn show(ui: &mut Ui, state: &State, data: &Data, height: f32, out: &mut Vec<Command>) {
    ScrollArea::vertical().id_salt("knobs").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for (i, section) in data.sections.iter().enumerate() {
            if i > 0 {
                ui.add_space(theme::GAP);
            }
            widgets::subhead(ui, section.title);
            if i == 0
                && let Some(limiting) = &data.limiting
            {
                let words = format!("Below each: what 25 % more does to {limiting}, your limit.");
                widgets::muted(ui, &words);
            }
            for knob in &section.knobs {
                row(ui, state, knob, out);
                if knob.field == Some("people.developers") {
                    tie(ui, data, out);
                }
            }
        }
        widgets::scroll::follow(ui);
    });
}

/// Whether commands and syncs grow with the developers.
fn tie(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let Some(tie) = &data.tie else {
        return;
    };
    let mut is_tied = tie.is_tied;
    ui.horizontal(|ui| {
        ui.add_space(NAME + theme::GAP);
        let words = RichText::new("with all of their load").small();
        let about = "Offices, connections, commands, submits and syncs grow with the developers, as with --load.";
        if ui.checkbox(&mut is_tied, words).on_hover_text(about).changed() {
            out.push(Command::edit(Edit::Tie { is_untied: !is_tied, change: Arc::new(tie.other.clone()) }));
        }
    });
    for note in &data.notes {
        ui.label(RichText::new(note).small());
    }
}

fn row(ui: &mut Ui, state: &State, knob: &Knob, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let name = name(ui, knob, out);
        let mut ask = |set: &Set| {
            let edit = changed(state, |change| set.apply(change));
            out.push(Command::drag(format!("what if {}", knob.label), edit));
        };
        let held = match &knob.control {
            Control::Slider(slider) => {
                let (rail, asked) = self::slider(ui, knob, slider, name);
                if let Some(value) = asked {
                    ask(&slider_set(knob, slider, value));
                }
                rail
            }
            Control::Choice(offers) => {
                let (menu, asked) = choice(ui, knob, offers, name);
                if let Some(set) = asked {
                    ask(&set);
                }
                menu
            }
        };
        if state.sought_knob == Some(knob.label) {
            held.request_focus();
            held.scroll_to_me(Some(egui::Align::Center));
            out.push(Command::WhatIf(WhatIfCommand::KnobFound));
        }
        if knob.is_changed {
            let button = egui::Button::new("↩").frame(false).min_size(Vec2::splat(RESET - 4.0));
            let response = ui.add(button);
            let words = format!("Reset {} to {}", knob.label, knob.recommended);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words.clone()));
            if response.on_hover_text(words).clicked() {
                out.push(Command::edit(changed(state, |change| {
                    knob.reset.apply(change);
                })));
            }
        }
    });
}

/// What a slider's new value sets; the recommended value is no change.
fn slider_set(knob: &Knob, slider: &Slider, value: f64) -> Set {
    let is_recommended = slider.scale.show(value) == slider.scale.show(slider.recommended);
    match &knob.reset {
        reset if is_recommended => reset.clone(),
        Set::Answers(_) => developers(value / slider.recommended),
        Set::Answer(field, _) => Set::Answer(field, Some(slider.scale.spell(value))),
        _ => Set::Years(value),
    }
}

fn name(ui: &mut Ui, knob: &Knob, out: &mut Vec<Command>) -> egui::Id {
    let theme = Theme::of(ui);
    let color = if knob.is_changed { theme.accent } else { theme.text };
    let has_sensitivity = knob.sensitivity.is_some();
    let height = ui.spacing().interact_size.y + if has_sensitivity { 8.0 } else { 0.0 };
    let size = Vec2::new(NAME, height);
    let text = RichText::new(knob.label).color(color);
    let layout = if has_sensitivity {
        egui::Layout::top_down(egui::Align::Min)
    } else {
        egui::Layout::left_to_right(egui::Align::Center)
    };
    let response = ui
        .allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(NAME);
            ui.spacing_mut().item_spacing.y = 0.0;
            let label = egui::Label::new(text).truncate();
            let label = match knob.field {
                Some(_) => ui.add(label.sense(egui::Sense::click())),
                None => ui.add(label),
            };
            if let Some(sensitivity) = &knob.sensitivity {
                let color = if sensitivity.is_large { theme.warning } else { theme.muted };
                ui.label(RichText::new(&sensitivity.words).small().color(color));
            }
            label
        })
        .inner;
    let id = response.id;
    let about = format!("{}\nRecommended or answered: {}", knob.help, knob.recommended);
    if let Some(field) = knob.field {
        let about = format!("{about}\nClick for its origin.");
        if response.on_hover_text(about).clicked() {
            out.push(Command::Explain(field.to_owned()));
        }
    } else {
        response.on_hover_text(about);
    }
    id
}

/// Gives the rail, and the new value.
fn slider(ui: &mut Ui, knob: &Knob, slider: &Slider, name: egui::Id) -> (Response, Option<f64>) {
    let theme = Theme::of(ui);
    let mut asked = None;
    let (low, high) = slider.range;
    let mut value = slider.value;
    ui.spacing_mut().slider_width = RAIL;
    let rail = Rail::new(&mut value, low..=high).show_value(false).logarithmic(slider.log);
    let rail = ui.add(rail).labelled_by(name);
    mark(ui, rail.rect, slider, theme.accent);
    if rail.changed() {
        asked = Some(slider.scale.snap(value).clamp(low, high));
    }
    let rail = rail.on_hover_text(format!("{}\nRecommended or answered: {}", knob.help, knob.recommended));
    let mut value = slider.value;
    let scale = slider.scale;
    let typed = DragValue::new(&mut value)
        .speed((slider.value * 0.01).max(0.1))
        .range(0.0..=f64::MAX)
        .custom_formatter(move |value, _| scale.show(value))
        .custom_parser(move |typed| scale.read(typed))
        .update_while_editing(false);
    let typed = ui.add_sized(Vec2::new(TYPED, 24.0), typed).labelled_by(name);
    if typed.changed() {
        let value = if typed.dragged() { scale.snap(value) } else { value };
        asked = Some(value);
    }
    typed.on_hover_text("Drag, or click and type a value with its unit.");
    (rail, asked)
}

/// A small pointer under the rail where the recommended value is.
fn mark(ui: &Ui, rail: egui::Rect, slider: &Slider, color: egui::Color32) {
    let bend = |v: f64| {
        if slider.log { v.max(f64::MIN_POSITIVE).ln() } else { v }
    };
    let (low, high) = (bend(slider.range.0), bend(slider.range.1));
    if high <= low {
        return;
    }
    let share = ((bend(slider.recommended) - low) / (high - low)).clamp(0.0, 1.0) as f32;
    // egui keeps the handle inside of the rail.
    let room = rail.x_range().shrink(rail.height() / 2.5);
    let tip = Pos2::new(room.min + room.span() * share, rail.center().y + 6.0);
    let points = [Vec2::ZERO, Vec2::new(4.0, 6.0), Vec2::new(-4.0, 6.0)].map(|v| tip + v).to_vec();
    ui.painter().add(Shape::convex_polygon(points, color, Stroke::NONE));
}

/// Gives the menu, and what is chosen in it.
fn choice(ui: &mut Ui, knob: &Knob, offers: &[Offer], name: egui::Id) -> (Response, Option<Set>) {
    let theme = Theme::of(ui);
    let mut asked = None;
    let width = RAIL + TYPED + theme::GAP;
    let size = Vec2::new(width, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let combo = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(width);
        let combo = egui::ComboBox::from_id_salt(knob.label).width(width).truncate().selected_text(&knob.shown);
        combo.show_ui(ui, |ui| {
            ui.set_min_width(width);
            for offer in offers {
                let mark = match &offer.problem {
                    _ if offer.is_recommended => "  (recommended)",
                    Some(_) => "  (not with this site's storage)",
                    None => "",
                };
                let text = RichText::new(format!("{}{mark}", offer.label));
                let text = match &offer.problem {
                    Some(_) => text.color(theme.muted),
                    None => text,
                };
                let mut entry = ui.selectable_label(offer.is_chosen, text);
                widgets::menu::entry(ui, &entry, offer.is_chosen);
                if let Some(problem) = &offer.problem {
                    entry = entry.on_hover_text(problem);
                }
                if entry.clicked() {
                    asked = Some(offer.set.clone());
                    ui.close();
                }
            }
        })
    });
    let response = combo.inner.response.labelled_by(name);
    let chosen = offers.iter().find(|offer| offer.is_chosen);
    let problem = chosen.and_then(|offer| offer.problem.as_ref());
    let problem = problem.map_or_else(String::new, |problem| format!("\n{problem}"));
    let response =
        response.on_hover_text(format!("{}\n{}\nRecommended: {}{problem}", knob.shown, knob.help, knob.recommended));
    (response, asked)
}

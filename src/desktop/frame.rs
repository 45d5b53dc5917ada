//! The window around the panels: the rail on the left, the bar above, the line below, dialogs on top.

use egui::{Align, CornerRadius, Frame, Label, Layout, Margin, RichText, ScrollArea, Stroke, Ui, Vec2};

use super::actions::ACTIONS;
use super::command::Command;
use super::dialogs;
use super::engine::Engine;
use super::panels;
use super::panels::Panel;
use super::start;
use super::state::State;
use super::theme::{self, Theme};
use super::widgets;

/// Paints the whole window; its commands go to `out`.
pub fn show(ui: &mut Ui, state: &State, engine: &Engine, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let bar = Frame::new().fill(theme.rail).inner_margin(Margin::symmetric(14, 8));
    egui::Panel::top("bar").frame(bar).show(ui, |ui| top(ui, state, out));
    egui::Panel::bottom("status")
        .frame(bar.inner_margin(Margin::symmetric(14, 5)))
        .show(ui, |ui| status(ui, state, out));
    egui::Panel::left("rail")
        .frame(bar.inner_margin(Margin::symmetric(8, 12)))
        .resizable(false)
        .exact_size(172.0)
        .show(ui, |ui| rail(ui, state, out));
    let ground = Frame::new().fill(theme.ground).inner_margin(Margin::symmetric(24, 16));
    egui::CentralPanel::no_frame().frame(ground).show(ui, |ui| {
        let shows_panel = state.shows_panel();
        if shows_panel && panels::scrolls_itself(state.panel) {
            panels::show(ui, state, engine, out);
            return;
        }
        let title = if shows_panel { state.panel.title() } else { "Start" };
        ScrollArea::vertical().id_salt(title).auto_shrink([false, false]).show(ui, |ui| {
            if shows_panel {
                panels::show(ui, state, engine, out);
            } else {
                start::show(ui, state, out);
            }
            widgets::scroll::follow(ui);
        });
    });
    dialogs::show(ui, state, engine, out);
}

fn top(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    // The bar takes the whole width: what the menus leave of it is the name's.
    egui::MenuBar::new().ui(ui, |ui| {
        let mut menus: Vec<&str> = Vec::new();
        for action in ACTIONS.iter() {
            if !menus.contains(&action.menu) {
                menus.push(action.menu);
            }
        }
        for menu in menus {
            ui.menu_button(menu, |ui| entries(ui, menu, state, out));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let site = state.reading.last.as_ref();
            let name = site.map_or("", |site| site.name.as_str());
            if state.is_dirty() {
                ui.label(RichText::new("unsaved").small().color(theme.warning));
            }
            ui.add(Label::new(RichText::new(name).color(theme.muted)).truncate());
        });
    });
}

fn entries(ui: &mut Ui, menu: &str, state: &State, out: &mut Vec<Command>) {
    ui.set_min_width(220.0);
    for action in ACTIONS.iter().filter(|action| action.menu == menu) {
        let key = action.shortcut.map(super::actions::Shortcut::words);
        let button = egui::Button::new(action.title).shortcut_text(key.unwrap_or_default());
        let is_possible = match action.title {
            "Undo" => !state.past.is_empty(),
            "Redo" => !state.future.is_empty(),
            _ => true,
        };
        let response = ui.add_enabled(is_possible, button);
        if response.on_hover_text(action.tooltip).clicked() {
            out.push(action.command.clone());
            ui.close();
        }
    }
    if menu == "File" && !state.preferences.recent.is_empty() {
        ui.separator();
        for path in &state.preferences.recent {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let response = ui.button(name.into_owned());
            if response.on_hover_text(path.display().to_string()).clicked() {
                out.push(Command::Open(path.clone()));
                ui.close();
            }
        }
    }
}

fn rail(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        mark(ui, theme);
        ui.label(RichText::new("Plimsoll").text_style(theme::subtitle()));
    });
    ui.add_space(theme::GAP * 1.5);
    ScrollArea::vertical().id_salt("panels").show(ui, |ui| {
        for panel in Panel::ALL {
            // The present system stands by itself: the other panels are about the recommended one.
            if panel == Panel::Today {
                ui.add_space(theme::GAP);
                widgets::muted(ui, "Present system");
            } else if panel == Panel::Rehearsal {
                ui.add_space(theme::GAP);
                widgets::muted(ui, "This machine");
            }
            entry(ui, state, panel, out);
        }
    });
}

/// A panel of the rail.
fn entry(ui: &mut Ui, state: &State, panel: Panel, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    let is_open = state.shows_panel() && state.panel == panel;
    let text = RichText::new(panel.title()).color(if is_open { theme.accent } else { theme.text });
    let button = egui::Button::selectable(is_open, text)
        .min_size(Vec2::new(ui.available_width(), 34.0))
        .corner_radius(CornerRadius::same(8));
    let is_enabled = state.is_begun() || !panel.needs_site();
    let response = ui.add_enabled(is_enabled, button);
    if response.clicked() {
        out.push(Command::Show(panel));
    }
}

/// The mark of the load line: a ring with a line through it.
fn mark(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(24.0), egui::Sense::hover());
    let stroke = Stroke::new(2.0, theme.accent);
    ui.painter().circle_stroke(rect.center(), 7.5, stroke);
    ui.painter().hline(rect.left()..=rect.right(), rect.center().y, stroke);
}

fn status(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        let problems = state.reading.problems.len();
        if problems > 0 {
            let words = match problems {
                1 => "1 answer is wrong; results are of the last valid answers".to_owned(),
                n => format!("{n} answers are wrong; results are of the last valid answers"),
            };
            ui.label(RichText::new(words).small().color(theme.bad));
        } else if let Some(notice) = &state.notice {
            let color = if notice.is_problem { theme.bad } else { theme.muted };
            let text = RichText::new(&notice.text).small().color(color);
            ui.add(Label::new(text).truncate());
            if let Some(folder) = &notice.folder {
                let open = ui.link(RichText::new("Open").small());
                let about = "Show it in the file manager";
                if open.on_hover_text(about).clicked() {
                    out.push(Command::ShowFolder(folder.clone()));
                }
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for words in state.lanes.busy() {
                ui.label(RichText::new(words).small().color(theme.muted));
            }
        });
    });
}

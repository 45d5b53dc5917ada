//! A saved rehearsal, as the command line printed it; without one, the command that rehearses.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, Ui};

use crate::desktop::command::Command;
use crate::desktop::dialog::Purpose;
use crate::desktop::effect::Effect;
use crate::desktop::panels::Panel;
use crate::desktop::state::State;
use crate::desktop::theme::{self, Theme};
use crate::desktop::update::{ask_file, refused, show as go_to};
use crate::desktop::widgets::{self, Tone, chip, gap, page};
use crate::diag::harmless_line;
use crate::emit::quote::shell;
use crate::page::Page;
use crate::rehearse::{self, Rehearsed};

const ABOUT: &str =
    "The site's own load on a volume, without p4d: measured, and beside each figure what the model predicts.";
const WHY_NOT_HERE: &str =
    "A rehearsal measures an otherwise idle machine, so that it runs on the command line and not in this window.";
/// Sections that are looked at less often.
const FOLDED: [&str; 3] = ["off", "units", "notes"];

/// A saved rehearsal that was opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// All figures.
    pub found: Arc<Rehearsed>,
    /// The same as the command line prints.
    pub page: Arc<Page>,
    /// The file.
    pub file: PathBuf,
}

/// A command of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum RehearsalCommand {
    /// Ask which saved result to open.
    AskOpen,
    /// Open a saved result.
    Open(PathBuf),
    /// It was read, or why not.
    Opened(PathBuf, Result<Arc<Rehearsed>, String>),
}

pub(in crate::desktop) fn update(state: &mut State, command: RehearsalCommand) -> Vec<Effect> {
    match command {
        RehearsalCommand::AskOpen => ask_file(state, Purpose::Rehearsal, ""),
        RehearsalCommand::Open(path) => {
            state.dialog = None;
            vec![Effect::ReadRehearsal(path)]
        }
        RehearsalCommand::Opened(_, Err(reason)) => refused(state, reason),
        RehearsalCommand::Opened(file, Ok(found)) => {
            let page = Arc::new(rehearse::page(&found));
            state.rehearsal = Some(Opened { found, page, file });
            go_to(state, Panel::Rehearsal)
        }
    }
}

/// The command that rehearses the open site.
pub fn command_line(state: &State) -> String {
    let file = state.file.as_ref().map(|file| file.to_string_lossy());
    let site = shell(file.as_deref().unwrap_or("site.toml"));
    format!("plimsoll rehearse {site} --at DIR --save rehearsal.toml")
}

/// Paints the panel.
pub(super) fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Rehearsal").text_style(theme::title()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Open saved rehearsal…").clicked() {
                out.push(Command::Rehearsal(RehearsalCommand::AskOpen));
            }
        });
    });
    let theme = Theme::of(ui);
    let Some(opened) = &state.rehearsal else {
        ui.label(RichText::new(ABOUT).color(theme.muted));
        gap(ui);
        widgets::wide_card(ui, |ui| how_to(ui, &command_line(state), out));
        return;
    };
    let words = RichText::new(whence(opened)).small().color(theme.muted);
    ui.add(Label::new(words).truncate());
    gap(ui);
    result(ui, opened);
}

fn how_to(ui: &mut Ui, line: &str, out: &mut Vec<Command>) {
    ui.add(Label::new(WHY_NOT_HERE).wrap());
    gap(ui);
    ui.add(Label::new(RichText::new(line).monospace()).wrap().selectable(true));
    widgets::muted(ui, "DIR is an empty folder on the volume to try; --dry-run shows first what will be done.");
    gap(ui);
    if ui.button("Copy the command").clicked() {
        let (what, text) = ("the command".to_owned(), line.to_owned());
        out.push(Command::Copy { what, text });
    }
}

/// When, of which site and in which folders it was, and its file.
fn whence(Opened { found, file, .. }: &Opened) -> String {
    let on = &found.environment;
    let mut folders = vec![&on.db_folder, &on.journal_folder, &on.depot_folder];
    folders.dedup();
    let folders: Vec<String> = folders.into_iter().map(|f| harmless_line(f)).collect();
    let (when, site) = (harmless_line(&found.when), harmless_line(&found.site));
    let file = harmless_line(&file.to_string_lossy());
    format!("{when}, {site} in {}; {file}", folders.join(", "))
}

fn result(ui: &mut Ui, Opened { found, page, .. }: &Opened) {
    let sections = page.sections.iter();
    let (folded, open): (Vec<_>, Vec<_>) = sections.partition(|section| FOLDED.contains(&section.anchor));
    for section in open {
        widgets::wide_card(ui, |ui| {
            if section.anchor == "verdict" {
                ui.horizontal_wrapped(|ui| chips(ui, found));
                widgets::muted(ui, &page.heading);
            } else {
                widgets::subhead(ui, section.title);
            }
            page::blocks(ui, &section.blocks, None);
        });
        gap(ui);
    }
    let is_warned = !found.environment.warnings.is_empty();
    for section in folded {
        page::folded(ui, section, is_warned && section.anchor == "notes");
    }
}

/// What became of the load.
fn chips(ui: &mut Ui, found: &Rehearsed) {
    if found.saturated {
        chip(ui, "saturated", Tone::Bad);
    } else {
        chip(ui, "carried the load", Tone::Good);
    }
    if found.saturated == found.predicted_saturated.is_some() {
        chip(ui, "as predicted", Tone::Plain);
    } else {
        chip(ui, "predicted otherwise", Tone::Warning);
    }
}

//! The only place where the state changes: commands go in, effects come out, and nothing else happens.
//!
//! One file for each thing that commands are about; this one is the table of all of them. What is asked of one panel
//! alone is done in its own `update`.

mod asking;
mod dialogs;
mod files;
mod looking;
mod outputs;
mod scenario;
mod typing;

use super::command::Command;
use super::dialog::{Dialog, Palette, Purpose};
use super::effect::Effect;
use super::engine::Engine;
use super::inquiry::Inquire;
use super::panels::compare::{self, CompareCommand};
use super::panels::rehearsal;
use super::panels::report::{self, ReportCommand};
use super::panels::server_log::{self, LogCommand};
use super::panels::simulate::{self, SimulateCommand};
use super::panels::{Panel, what_if};
use super::presets;
use super::state::{Notice, State};
use asking::answered;
use dialogs::{confirmed, discarded, dismissed, listed, stepped, typed};
use files::{ask_save_as, guarded, opened, preset, save, save_as, saved, start};
use looking::{back, explain};
use outputs::{dropped, outputs_read};
use scenario::{redo, undo};

pub(super) use asking::ask;
pub(super) use files::ask_file;
pub(super) use looking::show;
pub(super) use outputs::{begun, said};
pub(super) use scenario::edited;

/// Does what a command says.
pub fn update(state: &mut State, command: Command, engine: &Engine) -> Vec<Effect> {
    let mut effects = if leaves_field(&command) { typing::commit(state, engine) } else { Vec::new() };
    effects.extend(done(state, command, engine));
    effects
}

/// Says why something is not done.
pub(super) fn refused(state: &mut State, reason: impl Into<String>) -> Vec<Effect> {
    state.notice = Some(Notice::problem(reason));
    Vec::new()
}

/// Whether a command leaves the field that is typed into, or uses the answers.
fn leaves_field(command: &Command) -> bool {
    matches!(
        command,
        Command::Show(_)
            | Command::Seek(_)
            | Command::CommitDraft
            | Command::New
            | Command::Preset(_)
            | Command::AskOpen
            | Command::Open(_)
            | Command::Drop(_)
            | Command::Log(LogCommand::Ask | LogCommand::Use)
            | Command::AskOutputs
            | Command::OutputsRead(_)
            | Command::Compare(CompareCommand::Ask)
            | Command::Save
            | Command::AskSaveAs
            | Command::Report(ReportCommand::AskExport | ReportCommand::AskHandover)
            | Command::Explain(_)
            | Command::Simulate(SimulateCommand::Run)
            | Command::Close
    )
}

#[expect(clippy::too_many_lines, reason = "one arm a command: the table of all that can happen")]
fn done(state: &mut State, command: Command, engine: &Engine) -> Vec<Effect> {
    match command {
        Command::Show(panel) => {
            state.origin = None;
            state.trail.clear();
            show(state, panel)
        }
        Command::Inquire(asked) => typing::inquire(state, asked, engine),
        Command::CommitDraft => Vec::new(),
        Command::Seek(field) => {
            state.inquiry.take(Inquire::Seek(field));
            show(state, Panel::Questionnaire)
        }
        Command::Edit { edit, gesture } => edited(state, edit, gesture, engine),
        // What is typed is taken back first.
        Command::Undo if state.inquiry.draft.is_some() => {
            state.inquiry.draft = None;
            Vec::new()
        }
        Command::Undo => undo(state, engine),
        Command::Redo => redo(state, engine),
        Command::New => guarded(state, Command::New, |state| {
            let effects = start(state, None, presets::EMPTY, engine);
            state.inquiry.take(Inquire::Seek("name".to_owned()));
            state.panel = Panel::Questionnaire;
            effects
        }),
        Command::Preset(name) => guarded(state, Command::Preset(name), |state| preset(state, name, engine)),
        Command::Open(path) => {
            let effect = Effect::Read(path.clone());
            guarded(state, Command::Open(path), |_| vec![effect])
        }
        Command::Opened { path, text } => opened(state, path, text, engine),
        Command::Drop(files) => vec![Effect::Sort(files)],
        Command::Dropped(files) => dropped(state, files, engine),
        Command::AskOutputs => ask_file(state, Purpose::Outputs, ""),
        Command::ReadOutputs(files) => {
            state.dialog = None;
            vec![Effect::Gather(files)]
        }
        Command::OutputsRead(read) => outputs_read(state, read, engine),
        Command::ChooseChange(name) => {
            state.change_shown = Some(name);
            Vec::new()
        }
        Command::Save => save(state, None),
        Command::SaveAs(path) => save_as(state, path),
        Command::Saved { path, text, problem } => saved(state, path, text, problem, engine),
        Command::AskOpen => ask_file(state, Purpose::Open, ""),
        Command::AskSaveAs => ask_save_as(state, None),
        Command::ShowFolder(folder) => vec![Effect::ShowFolder(folder)],
        Command::Type(text) => typed(state, text),
        Command::Step(places) => {
            stepped(state, places);
            Vec::new()
        }
        Command::Browse(folder) => vec![Effect::List(folder)],
        Command::Listed { folder, entries } => listed(state, folder, entries),
        Command::Confirm => confirmed(state, engine),
        Command::Discard => discarded(state, engine),
        Command::Dismiss => dismissed(state),
        Command::Recovered { file, text } => {
            state.dialog = Some(Dialog::Recover { file, text });
            Vec::new()
        }
        Command::AskPalette => {
            state.palette = Some(Palette::default());
            Vec::new()
        }
        Command::Choose(index) => {
            if let Some(palette) = &mut state.palette {
                palette.chosen = index;
            }
            Vec::new()
        }
        Command::AskShortcuts => {
            state.dialog = Some(Dialog::Shortcuts);
            Vec::new()
        }
        Command::AskAbout => {
            state.dialog = Some(Dialog::About);
            Vec::new()
        }
        Command::NextLook => {
            state.preferences.look = state.preferences.look.next();
            vec![Effect::Remember(state.preferences.clone())]
        }
        Command::Zoom(factor) => {
            let zoom = factor.map_or(1.0, |factor| state.preferences.zoom * factor);
            state.preferences.set_zoom(zoom);
            vec![Effect::Remember(state.preferences.clone())]
        }
        Command::Explain(name) => explain(state, name),
        Command::Back => back(state),
        Command::Look(view) => {
            state.evidence = view;
            Vec::new()
        }
        Command::Copy { what, text } => {
            state.notice = Some(Notice::done(format!("copied {what}")));
            vec![Effect::Copy(text)]
        }
        Command::WhatIf(command) => what_if::update(state, command, engine),
        Command::Compare(command) => compare::update(state, command),
        Command::Simulate(command) => simulate::update(state, command),
        Command::Report(command) => report::update(state, command),
        Command::Log(command) => server_log::update(state, command, engine),
        Command::Rehearsal(command) => rehearsal::update(state, command),
        Command::Answered { generation, answer, is_last } => answered(state, generation, answer, is_last, engine),
        Command::Close => guarded(state, Command::Close, |state| {
            state.is_leaving = true;
            vec![Effect::ForgetRecovery, Effect::Close]
        }),
    }
}

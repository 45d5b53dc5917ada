//! The only place where the state changes: commands go in, effects come out, and nothing else happens.
//!
//! One file for each thing that commands are about; this one is the table of all of them.

pub(super) mod asking;
mod dialogs;
mod files;
mod looking;
mod measured;
pub(super) mod rehearsal;
mod scenario;
mod typing;

use std::sync::Arc;

use super::answer::Signal;
use super::command::{Command, Edit};
use super::dialog::{Dialog, Palette};
use super::effect::Effect;
use super::engine::Engine;
use super::inquiry::Inquire;
use super::presets;
use super::state::{Notice, Panel, State};
use crate::advisor::what_if::Change;
use asking::{answered, ask_accuracy, pause, simulate};
use dialogs::{confirmed, discarded, dismissed, listed, stepped, typed};
use files::{
    ANY, OTHERS, REPORTS, SITES, ask_file, ask_handover, ask_save_as, guarded, handed_over, opened,
    preset, save, save_as, saved, start,
};
use looking::{back, explain, show};
use measured::{close_log, dropped, other_read, outputs_read, read_log, use_log, zoom_log};
use scenario::{edited, redo, undo};

/// Does what a command says.
pub fn update(state: &mut State, command: Command, engine: &Engine) -> Vec<Effect> {
    let mut effects = if leaves_field(&command) {
        typing::commit(state, engine)
    } else {
        Vec::new()
    };
    effects.extend(done(state, command, engine));
    effects
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
            | Command::AskLog
            | Command::UseLog
            | Command::StartRehearsal
            | Command::AskOutputs
            | Command::OutputsRead(_)
            | Command::AskOther
            | Command::Save
            | Command::AskSaveAs
            | Command::AskExport
            | Command::AskHandover
            | Command::Explain(_)
            | Command::Simulate
            | Command::Close
    )
}

#[expect(
    clippy::too_many_lines,
    reason = "one arm a command: the table of all that can happen"
)]
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
        Command::SeekKnob(label) => {
            let effects = show(state, Panel::WhatIf);
            state.sought_knob = Some(label);
            effects
        }
        Command::TryLayout(layout) => {
            let mut effects = show(state, Panel::WhatIf);
            state.sought_knob = Some("Layout");
            let edit = tried(state, &layout);
            effects.extend(edited(state, edit, None, engine));
            effects
        }
        Command::KnobFound => {
            state.sought_knob = None;
            Vec::new()
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
        Command::Preset(name) => guarded(state, Command::Preset(name), |state| {
            preset(state, name, engine)
        }),
        Command::Open(path) => {
            let effect = Effect::Read(path.clone());
            guarded(state, Command::Open(path), |_| vec![effect])
        }
        Command::Opened { path, text } => opened(state, path, text, engine),
        Command::Drop(files) => vec![Effect::Sort(files)],
        Command::Dropped(files) => dropped(state, files, engine),
        Command::AskLog => ask_file(state, Dialog::Log, "", ANY),
        Command::ReadLog(files) => read_log(state, files),
        Command::CloseLog => close_log(state),
        Command::ZoomLog(part) => {
            zoom_log(state, part);
            Vec::new()
        }
        Command::UseLog => use_log(state, engine),
        Command::PrepareRehearsal(form) => rehearsal::prepare(state, *form),
        Command::AskRehearsalFolder(role) => rehearsal::ask_folder(state, role),
        Command::ChooseRehearsalFolder(role, folder) => {
            rehearsal::choose_folder(state, role, &folder)
        }
        Command::CleanRehearsal => rehearsal::clean(state),
        Command::StartRehearsal => rehearsal::begin(state),
        Command::StopRehearsal => rehearsal::stop(state),
        Command::CloseRehearsal => rehearsal::close(state),
        Command::AskRehearsal => ask_file(state, Dialog::Rehearsal, "", SITES),
        Command::OpenRehearsal(path) => {
            state.dialog = None;
            vec![Effect::ReadRehearsal(path)]
        }
        Command::RehearsalRead { path, read } => rehearsal::read(state, path, read),
        Command::AskSaveRehearsal => rehearsal::ask_save(state),
        Command::SaveRehearsal { path, over } => rehearsal::save(state, path, over),
        Command::RehearsalSaved { path, problem } => {
            rehearsal::saved(state, &path, problem);
            Vec::new()
        }
        Command::AskOutputs => ask_file(state, Dialog::Outputs, "", ANY),
        Command::ReadOutputs(files) => {
            state.dialog = None;
            vec![Effect::Gather(files)]
        }
        Command::OutputsRead(read) => outputs_read(state, read, engine),
        Command::AskOther if !state.is_begun() => {
            state.notice = Some(Notice::problem(
                "open a site first, then another to compare",
            ));
            Vec::new()
        }
        Command::AskOther => {
            let mut effects = show(state, Panel::Compare);
            effects.extend(ask_file(state, Dialog::Other, "", OTHERS));
            effects
        }
        Command::OpenOther(path) => vec![Effect::ReadOther(path)],
        Command::OtherRead { path, text } => other_read(state, path, text),
        Command::CloseOther => {
            state.other = None;
            state.lanes.against.clear();
            Vec::new()
        }
        Command::ChooseChange(name) => {
            state.change_shown = Some(name);
            Vec::new()
        }
        Command::Save => save(state, None),
        Command::SaveAs(path) => save_as(state, path),
        Command::Saved {
            path,
            text,
            problem,
        } => saved(state, path, text, problem, engine),
        Command::AskOpen => ask_file(state, Dialog::Open, "", SITES),
        Command::AskSaveAs => ask_save_as(state, None),
        Command::AskExport => ask_file(state, Dialog::Export, "report.html", REPORTS),
        Command::Export(path) => {
            state.dialog = None;
            vec![Effect::Export(path)]
        }
        Command::Exported { path, problem } => {
            state.notice = Some(match problem {
                None => Notice::done(format!("wrote {}", path.display())),
                Some(reason) => Notice::problem(reason),
            });
            Vec::new()
        }
        Command::AskHandover => ask_handover(state),
        Command::Handover(folder) => {
            state.dialog = None;
            vec![Effect::Handover(folder)]
        }
        Command::HandedOver { folder, written } => {
            handed_over(state, folder, written);
            Vec::new()
        }
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
        Command::AskAccuracy => ask_accuracy(state),
        Command::Simulate => simulate(state),
        Command::PauseSimulation => pause(state),
        Command::StopSimulation => {
            state.simulation.is_paused = false;
            vec![Effect::Tell(Signal::Stop)]
        }
        Command::Scrub(moment) => {
            state.simulation.moment = moment.filter(|m| m.is_finite());
            Vec::new()
        }
        Command::ZoomTime(part) => {
            let is_part = |(from, until): &(f64, f64)| from.is_finite() && *from < *until;
            state.simulation.zoom = part.filter(is_part);
            Vec::new()
        }
        Command::Answered {
            generation,
            answer,
            is_last,
        } => answered(state, generation, answer, is_last, engine),
        Command::Close => guarded(state, Command::Close, |state| {
            state.is_leaving = true;
            let mut effects = rehearsal::stop(state);
            effects.extend([Effect::ForgetRecovery, Effect::Close]);
            effects
        }),
    }
}

/// The what-if with a layout as the advice built it for this site, or as the catalogue has it.
fn tried(state: &State, layout: &str) -> Edit {
    changed(state, |change| {
        let advised = state.lanes.advice.answer();
        let chosen = advised.and_then(|advised| advised.advice.chosen.as_ref());
        let is_recommended = chosen.is_some_and(|chosen| chosen.deployment.layout == layout);
        change.layout = (!is_recommended).then(|| layout.to_owned());
        (change.block, change.file) = (None, None);
    })
}

/// A change of the what-if, made from the present one.
pub fn changed(state: &State, make: impl FnOnce(&mut Change)) -> Edit {
    let mut change = (*state.scenario.change).clone();
    make(&mut change);
    Edit::Change(Arc::new(change))
}

//! The only place where the state changes: commands go in, effects come out, and nothing else happens.

use std::path::PathBuf;
use std::sync::Arc;

use super::answer::{Answer, Asked, Question, Signal};
use super::command::{Command, Edit, Failed, LaneName};
use super::dialog::{Browser, Dialog, Palette};
use super::effect::Effect;
use super::engine::Engine;
use super::inquiry::{Inquire, Inquiry};
use super::reading::Reading;
use super::state::{Notice, Panel, Scenario, State};
use super::{actions, behind, presets};
use crate::advisor::what_if::Change;
use crate::document::edit::{self, EditError};
use crate::site::spelling;

/// Steps that can be undone.
const STEPS_MAX: usize = 500;

/// Does what a command says.
#[expect(
    clippy::too_many_lines,
    reason = "one arm a command: the table of all that can happen"
)]
pub fn update(state: &mut State, command: Command, engine: &Engine) -> Vec<Effect> {
    match command {
        Command::Show(panel) => {
            state.origin = None;
            state.trail.clear();
            show(state, panel)
        }
        Command::Inquire(asked) => {
            state.inquiry.take(asked);
            Vec::new()
        }
        Command::Seek(field) => {
            state.inquiry.take(Inquire::Seek(field));
            show(state, Panel::Questionnaire)
        }
        Command::Edit { edit, gesture } => edited(state, edit, gesture, engine),
        Command::Undo => {
            let Some(before) = state.past.pop() else {
                return Vec::new();
            };
            let now = std::mem::replace(&mut state.scenario, before);
            state.future.push(now);
            state.gesture = None;
            moved(state, engine)
        }
        Command::Redo => {
            let Some(after) = state.future.pop() else {
                return Vec::new();
            };
            let now = std::mem::replace(&mut state.scenario, after);
            state.past.push(now);
            state.gesture = None;
            moved(state, engine)
        }
        Command::New => guarded(state, Command::New, |state| {
            start(state, None, presets::EMPTY, engine)
        }),
        Command::Preset(name) => {
            guarded(state, Command::Preset(name), |state| {
                match presets::text(name) {
                    Some(text) => {
                        let effects = start(state, None, text, engine);
                        state.notice = Some(Notice::done(format!("{name}, an example")));
                        effects
                    }
                    None => Vec::new(),
                }
            })
        }
        Command::Open(path) => {
            let effect = Effect::Read(path.clone());
            guarded(state, Command::Open(path), |_| vec![effect])
        }
        Command::Opened { path, text } => match text {
            Ok(text) => {
                state.preferences.remember(&path);
                let mut effects = start(state, Some(path), &text, engine);
                effects.push(Effect::Remember(state.preferences.clone()));
                effects
            }
            Err(reason) => {
                state.notice = Some(Notice::problem(reason));
                Vec::new()
            }
        },
        Command::Save => match state.file.clone() {
            Some(path) => vec![write(state, path)],
            None => ask_file(state, Dialog::SaveAs, "site.toml"),
        },
        Command::SaveAs(path) => {
            state.dialog = None;
            vec![write(state, path)]
        }
        Command::Saved {
            path,
            text,
            problem,
        } => saved(state, path, text, problem, engine),
        Command::AskOpen => ask_file(state, Dialog::Open, ""),
        Command::AskSaveAs => ask_file(state, Dialog::SaveAs, "site.toml"),
        Command::AskExport => ask_file(state, Dialog::Export, "report.html"),
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
        Command::Type(text) => typed(state, text),
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
        Command::PauseSimulation => {
            let simulation = &mut state.simulation;
            if !simulation.lane.is_busy() {
                return Vec::new();
            }
            simulation.is_paused = !simulation.is_paused;
            vec![Effect::Tell(if simulation.is_paused {
                Signal::Pause
            } else {
                Signal::Run
            })]
        }
        Command::StopSimulation => {
            state.simulation.is_paused = false;
            vec![Effect::Tell(Signal::Stop)]
        }
        Command::Scrub(moment) => {
            state.simulation.moment = moment.filter(|m| m.is_finite());
            Vec::new()
        }
        Command::Answered { generation, answer } => answered(state, generation, answer),
        Command::Close => guarded(state, Command::Close, |state| {
            state.is_leaving = true;
            vec![Effect::ForgetRecovery, Effect::Close]
        }),
    }
}

fn show(state: &mut State, panel: Panel) -> Vec<Effect> {
    state.panel = panel;
    match panel {
        Panel::Evidence if state.accuracy.answer().is_none() => ask_accuracy(state),
        _ => behind::shown(state),
    }
}

/// Looks at the origin of a number, and remembers from where.
fn explain(state: &mut State, name: String) -> Vec<Effect> {
    if state.panel != Panel::Evidence || state.origin.as_ref() != Some(&name) {
        let before = (state.panel, state.origin.replace(name));
        state.trail.push(before);
    }
    show(state, Panel::Evidence)
}

/// Goes back to where an origin was asked for.
fn back(state: &mut State) -> Vec<Effect> {
    let Some((panel, origin)) = state.trail.pop() else {
        state.origin = None;
        return Vec::new();
    };
    state.origin = origin;
    show(state, panel)
}

fn ask_accuracy(state: &mut State) -> Vec<Effect> {
    if state.accuracy.is_busy() {
        return Vec::new();
    }
    let generation = state.accuracy.ask();
    vec![Effect::Ask(Question {
        generation,
        asked: Asked::Accuracy,
    })]
}

/// Does it, or asks first what is to become of unsaved work.
fn guarded(
    state: &mut State,
    then: Command,
    act: impl FnOnce(&mut State) -> Vec<Effect>,
) -> Vec<Effect> {
    state.dialog = None;
    if state.is_dirty() {
        state.dialog = Some(Dialog::Unsaved {
            then: Box::new(then),
        });
        return Vec::new();
    }
    act(state)
}

/// Begins with a text: nothing to undo, nothing unsaved.
fn start(state: &mut State, file: Option<PathBuf>, text: &str, engine: &Engine) -> Vec<Effect> {
    let text: Arc<str> = text.into();
    state.scenario = Arc::new(Scenario {
        text: text.clone(),
        ..Scenario::default()
    });
    state.saved = text;
    state.file = file;
    state.past.clear();
    state.future.clear();
    state.gesture = None;
    state.inquiry = Inquiry::default();
    state.reading = Reading::default();
    state.advice.clear();
    state.what_if.clear();
    state.check.clear();
    state.growth.clear();
    state.comparison.clear();
    state.simulation.lane.clear();
    let mut effects = vec![Effect::ForgetRecovery, Effect::Tell(Signal::Stop)];
    effects.extend(reread(state, engine));
    effects
}

/// Reads the questionnaire and asks for advice, if it changed.
fn reread(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let name = state.source_name();
    state.reading = Reading::of(&name, &state.scenario.text, engine, &state.reading);
    let Some(site) = state.reading.site.clone() else {
        return Vec::new();
    };
    let generation = state.advice.ask();
    vec![Effect::Ask(Question {
        generation,
        asked: Asked::Advice(site),
    })]
}

/// After the scenario became another.
fn moved(state: &mut State, engine: &Engine) -> Vec<Effect> {
    let is_read = state
        .reading
        .last
        .as_ref()
        .is_some_and(|site| site.text == *state.scenario.text)
        && state.reading.problems.is_empty();
    let mut effects = if is_read {
        Vec::new()
    } else {
        reread(state, engine)
    };
    effects.extend(ask_what_if(state));
    effects.extend(ask_comparison(state));
    effects
}

fn edited(state: &mut State, edit: Edit, gesture: Option<String>, engine: &Engine) -> Vec<Effect> {
    let mut next = (*state.scenario).clone();
    if let Err(error) = apply(&mut next, edit) {
        state.notice = Some(Notice::problem(error.to_string()));
        return Vec::new();
    }
    if next == *state.scenario {
        return Vec::new();
    }
    let continues = gesture.is_some() && gesture == state.gesture;
    let before = std::mem::replace(&mut state.scenario, Arc::new(next));
    if !continues {
        state.past.push(before.clone());
        if state.past.len() > STEPS_MAX {
            state.past.remove(0);
        }
    }
    state.future.clear();
    state.gesture = gesture;
    let now = state.scenario.clone();
    let mut effects = Vec::new();
    if now.text != before.text {
        effects.extend(reread(state, engine));
    }
    if now.change != before.change {
        effects.extend(ask_what_if(state));
    }
    if now.horizon_years != before.horizon_years {
        effects.extend(behind::horizon_moved(state));
    }
    if now.pins != before.pins {
        effects.extend(ask_comparison(state));
    }
    effects
}

/// The scenario after an edit.
fn apply(scenario: &mut Scenario, edit: Edit) -> Result<(), EditError> {
    let answer = |text: &str, field: &str, value: Option<&str>| match value {
        Some(typed) => edit::set(text, field, &spelling(field, typed)),
        None => edit::unset(text, field),
    };
    match edit {
        Edit::Answer { field, value } => {
            scenario.text = answer(&scenario.text, &field, value.as_deref())?.into();
        }
        Edit::AddTable(path) => {
            scenario.text =
                edit::push_table(&scenario.text, path, presets::table(path, &scenario.text))?
                    .into();
        }
        Edit::RemoveTable(path, index) => {
            scenario.text = edit::remove_table(&scenario.text, path, index)?.into();
        }
        Edit::Text(text) => scenario.text = text,
        Edit::Change(change) => scenario.change = change,
        Edit::TakeOver => {
            let answers = std::mem::take(&mut Arc::make_mut(&mut scenario.change).answers);
            for (field, typed) in answers {
                scenario.text = answer(&scenario.text, &field, Some(&typed))?.into();
            }
        }
        Edit::Pin(pin) => {
            scenario.pins.retain(|known| known.name != pin.name);
            scenario.pins.push(pin);
        }
        Edit::Unpin(index) => {
            if index < scenario.pins.len() {
                scenario.pins.remove(index);
            }
        }
        Edit::MovePin { from, to } => {
            if from < scenario.pins.len() && to < scenario.pins.len() {
                let pin = scenario.pins.remove(from);
                scenario.pins.insert(to, pin);
            }
        }
        Edit::Horizon(years) => {
            scenario.horizon_years = years.filter(|y| y.is_finite()).map(|y| y.clamp(0.0, 20.0));
        }
        Edit::Day(day) => scenario.day = day,
    }
    Ok(())
}

fn ask_what_if(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.advice.answer().cloned() else {
        return Vec::new();
    };
    let generation = state.what_if.ask();
    let mut effects = vec![Effect::Ask(Question {
        generation,
        asked: Asked::WhatIf(advised, state.scenario.change.clone()),
    })];
    effects.extend(behind::changed(state));
    effects
}

fn ask_comparison(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.advice.answer().cloned() else {
        return Vec::new();
    };
    let generation = state.comparison.ask();
    vec![Effect::Ask(Question {
        generation,
        asked: Asked::Comparison(advised, state.scenario.pins.clone()),
    })]
}

fn simulate(state: &mut State) -> Vec<Effect> {
    let Some(advised) = state.advice.answer().cloned() else {
        state.notice = Some(Notice::problem(
            "there is nothing to simulate before there is a recommendation",
        ));
        return Vec::new();
    };
    state.simulation.is_paused = false;
    state.simulation.moment = None;
    let generation = state.simulation.lane.ask();
    let scenario = &state.scenario;
    let asked = Asked::Simulation(advised, scenario.change.clone(), scenario.day.clone());
    vec![
        Effect::Tell(Signal::Stop),
        Effect::Ask(Question { generation, asked }),
    ]
}

fn answered(state: &mut State, generation: u64, answer: Result<Answer, Failed>) -> Vec<Effect> {
    match answer {
        Ok(Answer::Advice(advised)) => {
            if !state.advice.settle(generation, Ok(advised)) {
                return Vec::new();
            }
            let mut effects = ask_what_if(state);
            effects.extend(ask_comparison(state));
            return effects;
        }
        Ok(Answer::WhatIf(tried)) => {
            state.what_if.settle(generation, Ok(tried));
        }
        Ok(Answer::Check { found, is_last }) => {
            if is_last {
                state.check.settle(generation, Ok(found));
            } else {
                state.check.progress(generation, found);
            }
        }
        Ok(Answer::Growth(grown)) => {
            state.growth.settle(generation, Ok(grown));
        }
        Ok(Answer::Comparison(compared)) => {
            state.comparison.settle(generation, Ok(compared));
        }
        Ok(Answer::Simulation { found, is_last }) => {
            if is_last {
                if state.simulation.lane.settle(generation, Ok(found)) {
                    state.simulation.is_paused = false;
                }
            } else {
                state.simulation.lane.progress(generation, found);
            }
        }
        Ok(Answer::Accuracy(accuracy)) => {
            state.accuracy.settle(generation, Ok(accuracy));
        }
        Err(Failed { lane, reason }) => {
            match lane {
                LaneName::Advice => state.advice.settle(generation, Err(reason)),
                LaneName::WhatIf => state.what_if.settle(generation, Err(reason)),
                LaneName::Check => state.check.settle(generation, Err(reason)),
                LaneName::Growth => state.growth.settle(generation, Err(reason)),
                LaneName::Comparison => state.comparison.settle(generation, Err(reason)),
                LaneName::Simulation => state.simulation.lane.settle(generation, Err(reason)),
                LaneName::Accuracy => state.accuracy.settle(generation, Err(reason)),
            };
        }
    }
    Vec::new()
}

fn write(state: &State, path: PathBuf) -> Effect {
    Effect::Write {
        path,
        text: state.scenario.text.clone(),
    }
}

fn saved(
    state: &mut State,
    path: PathBuf,
    text: Arc<str>,
    problem: Option<String>,
    engine: &Engine,
) -> Vec<Effect> {
    if let Some(reason) = problem {
        state.notice = Some(Notice::problem(reason));
        return Vec::new();
    }
    state.notice = Some(Notice::done(format!("saved {}", path.display())));
    state.preferences.remember(&path);
    state.file = Some(path);
    state.saved = text;
    let mut effects = vec![Effect::Remember(state.preferences.clone())];
    if !state.is_dirty() {
        effects.push(Effect::ForgetRecovery);
        // What unsaved work stood in the way of.
        if let Some(Dialog::Unsaved { then }) = state.dialog.take() {
            effects.extend(update(state, *then, engine));
        }
    }
    effects
}

fn ask_file(state: &mut State, dialog: fn(Browser) -> Dialog, name: &str) -> Vec<Effect> {
    let folder = state.file.as_deref().and_then(std::path::Path::parent);
    let folder = folder.map_or_else(|| PathBuf::from("."), std::path::Path::to_owned);
    state.dialog = Some(dialog(Browser {
        folder: folder.clone(),
        typed: name.to_owned(),
        ..Browser::default()
    }));
    vec![Effect::List(folder)]
}

fn browser(state: &mut State) -> Option<&mut Browser> {
    match &mut state.dialog {
        Some(Dialog::Open(browser) | Dialog::SaveAs(browser) | Dialog::Export(browser)) => {
            Some(browser)
        }
        _ => None,
    }
}

fn typed(state: &mut State, text: String) -> Vec<Effect> {
    if let Some(palette) = &mut state.palette {
        palette.query = text;
        palette.chosen = 0;
    } else if let Some(browser) = browser(state) {
        browser.typed = text;
        browser.problem = None;
    }
    Vec::new()
}

fn listed(state: &mut State, folder: PathBuf, entries: Result<Vec<String>, String>) -> Vec<Effect> {
    if let Some(browser) = browser(state) {
        match entries {
            Ok(entries) => {
                browser.folder = folder;
                browser.entries = entries;
                browser.problem = None;
            }
            Err(reason) => browser.problem = Some(reason),
        }
    }
    Vec::new()
}

fn confirmed(state: &mut State, engine: &Engine) -> Vec<Effect> {
    if let Some(palette) = state.palette.take() {
        let mut found = actions::matching(&palette.query);
        if palette.chosen < found.len() {
            let action = found.swap_remove(palette.chosen);
            return update(state, (action.command)(), engine);
        }
        return Vec::new();
    }
    match state.dialog.clone() {
        Some(Dialog::Open(browser)) => update(
            state,
            Command::Open(browser.folder.join(browser.typed)),
            engine,
        ),
        Some(Dialog::SaveAs(browser)) => {
            let name = browser.typed.trim();
            if name.is_empty() {
                return Vec::new();
            }
            update(state, Command::SaveAs(browser.folder.join(name)), engine)
        }
        Some(Dialog::Export(browser)) => {
            let name = browser.typed.trim();
            if name.is_empty() {
                return Vec::new();
            }
            update(state, Command::Export(browser.folder.join(name)), engine)
        }
        // The dialog stays until the file is written.
        Some(Dialog::Unsaved { .. }) => match state.file.clone() {
            Some(path) => vec![write(state, path)],
            None => ask_file(state, Dialog::SaveAs, "site.toml"),
        },
        Some(Dialog::Recover { file, text }) => {
            let mut effects = start(state, file, &text, engine);
            // What the file itself holds is not known: the recovered text counts as unsaved.
            state.saved = "".into();
            state.notice = Some(Notice::done("recovered unsaved work"));
            effects.retain(|effect| *effect != Effect::ForgetRecovery);
            effects
        }
        Some(Dialog::Shortcuts | Dialog::About) | None => {
            state.dialog = None;
            Vec::new()
        }
    }
}

fn discarded(state: &mut State, engine: &Engine) -> Vec<Effect> {
    match state.dialog.take() {
        Some(Dialog::Unsaved { then }) => {
            state.saved = state.scenario.text.clone();
            update(state, *then, engine)
        }
        Some(Dialog::Recover { .. }) => vec![Effect::ForgetRecovery],
        other => {
            state.dialog = other;
            Vec::new()
        }
    }
}

fn dismissed(state: &mut State) -> Vec<Effect> {
    if state.palette.take().is_none() && state.dialog.take().is_none() {
        state.origin = None;
        state.trail.clear();
        state.notice = None;
    }
    Vec::new()
}

/// A change of the what-if, made from the present one.
pub fn changed(state: &State, make: impl FnOnce(&mut Change)) -> Edit {
    let mut change = (*state.scenario.change).clone();
    make(&mut change);
    Edit::Change(Arc::new(change))
}

//! Files that were dropped, and outputs of `plimsoll collect` that are put into the questionnaire.

use std::path::PathBuf;
use std::sync::Arc;

use super::super::command::{Command, Edit};
use super::super::dialog::Dialog;
use super::super::effect::Effect;
use super::super::engine::Engine;
use super::super::inquiry::Inquire;
use super::super::kinds::{self, FileKind};
use super::super::panels::Panel;
use super::super::panels::server_log::LogCommand;
use super::super::state::{Notice, State};
use super::files::start;
use super::scenario::edited;
use super::{refused, update};
use crate::collected::{Collected, Gathered};
use crate::document::edit;
use crate::site::{parse_unfinished, still_required};

/// What a site of outputs begins with, and its name where they have none.
const BARE: &str = "schema = 1\n";
const NAMELESS: &str = "\"Perforce server\"";

/// Opens what was dropped, by what it is: several logs are one log; of several sites the last is open.
pub(super) fn dropped(state: &mut State, files: Vec<(PathBuf, FileKind)>, engine: &Engine) -> Vec<Effect> {
    let [sites, logs, outputs, rehearsals] = kinds::sorted(files);
    let mut effects = Vec::new();
    for site in sites {
        effects.extend(update(state, Command::Open(site), engine));
    }
    if !outputs.is_empty() {
        effects.push(Effect::Gather(outputs));
    }
    if !logs.is_empty() {
        effects.extend(update(state, Command::Log(LogCommand::Read(logs)), engine));
    }
    if let Some(path) = rehearsals.into_iter().next_back() {
        effects.push(Effect::ReadRehearsal(path));
    }
    effects
}

/// Puts what outputs say into the questionnaire, as `plimsoll init --from` does: one step that can be undone.
pub(super) fn outputs_read(state: &mut State, read: Result<Box<Collected>, String>, engine: &Engine) -> Vec<Effect> {
    let collected = match read {
        Ok(collected) => *collected,
        Err(reason) => {
            return refused(state, reason);
        }
    };
    let mut effects = begun(state, BARE, engine);
    let name = state.source_name();
    let check = |text: &str| {
        let site = parse_unfinished(&name, text, &engine.vocabulary);
        site.map(drop).map_err(|wrong| wrong.first_in_words())
    };
    let gathered = Gathered::of(collected, &state.scenario.text, &check);
    let gathered = match gathered {
        Ok(gathered) => gathered,
        Err(reason) => {
            state.notice = Some(Notice::problem(reason));
            return effects;
        }
    };
    let text: Arc<str> = named(&gathered.filled.text).into();
    effects.extend(edited(state, Edit::Text(text), None, engine));
    let written = gathered.filled.written.len();
    let s = if written == 1 { "" } else { "s" };
    let kept = gathered.filled.kept.len();
    let summary = format!("{written} answer{s} written, {kept} kept as stated");
    let lines = gathered.said();
    let lines = lines.lines().map(str::to_owned).collect();
    said(state, "Answers of the outputs", summary, lines);
    effects
}

/// The text with a name, which a site must have.
fn named(text: &str) -> String {
    let mut values = edit::values(text).into_iter();
    if values.any(|(path, ..)| path == "name") {
        return text.to_owned();
    }
    edit::set(text, "name", NAMELESS).unwrap_or_else(|_| text.to_owned())
}

/// Where there is no site yet, one is begun; the text that it begins with is not a step.
pub(in super::super) fn begun(state: &mut State, text: &str, engine: &Engine) -> Vec<Effect> {
    if state.is_begun() {
        return Vec::new();
    }
    let effects = start(state, None, text, engine);
    state.panel = Panel::Questionnaire;
    effects
}

/// Says what was done: in short at the bottom, line by line in a dialog, with what must be answered still.
pub(in super::super) fn said(state: &mut State, title: &str, summary: String, mut lines: Vec<String>) {
    let open = still_required(&state.scenario.text);
    let open: Vec<&str> = open.iter().map(|field| field.path).collect();
    if let Some(first) = open.first() {
        if state.panel == Panel::Questionnaire {
            state.inquiry.take(Inquire::Seek((*first).to_owned()));
        }
        lines.push(format!("Must be answered first: {}.", open.join(", ")));
    }
    state.notice = Some(Notice::done(summary));
    state.dialog = Some(Dialog::Said { title: title.to_owned(), lines });
}

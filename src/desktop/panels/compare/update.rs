//! What is asked of the comparison with another site.

use std::path::PathBuf;

use crate::desktop::answer::Asked;
use crate::desktop::dialog::Purpose;
use crate::desktop::effect::Effect;
use crate::desktop::panels::Panel;
use crate::desktop::state::{Other, State};
use crate::desktop::update::{ask, ask_file, refused, show};

/// A command of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareCommand {
    /// Ask which site to compare with.
    Ask,
    /// Compare with another site, or with an answer of an earlier run.
    Open(PathBuf),
    /// It was read.
    Opened {
        /// The file.
        path: PathBuf,
        /// Its text, or why not.
        text: Result<String, String>,
    },
    /// Compare with it no longer.
    Close,
}

pub(in crate::desktop) fn update(state: &mut State, command: CompareCommand) -> Vec<Effect> {
    match command {
        CompareCommand::Ask if !state.is_begun() => refused(state, "open a site first, then another to compare"),
        CompareCommand::Ask => {
            let mut effects = show(state, Panel::Compare);
            effects.extend(ask_file(state, Purpose::Other, ""));
            effects
        }
        CompareCommand::Open(path) => vec![Effect::ReadOther(path)],
        CompareCommand::Opened { path, text } => opened(state, path, text),
        CompareCommand::Close => {
            state.other = None;
            state.lanes.against.clear();
            Vec::new()
        }
    }
}

/// After the other file was read, or could not be.
fn opened(state: &mut State, path: PathBuf, text: Result<String, String>) -> Vec<Effect> {
    state.dialog = None;
    match text {
        Ok(text) => {
            state.lanes.against.clear();
            state.other = Some(Other { path, text: text.into(), asked_of: None });
            show(state, Panel::Compare)
        }
        Err(reason) => refused(state, reason),
    }
}

/// Asks what differs from the other file, if there is one, unless it was asked for the same answers before.
pub(in crate::desktop) fn ask_against(state: &mut State) -> Vec<Effect> {
    let (Some(site), Some(other)) = (state.reading.last.clone(), &mut state.other) else {
        return Vec::new();
    };
    if other.asked_of.as_deref() == Some(site.text.as_str()) {
        return Vec::new();
    }
    other.asked_of = Some(site.text.as_str().into());
    let (path, text) = (other.path.clone(), other.text.clone());
    ask(state, Asked::Against(site, path, text))
}

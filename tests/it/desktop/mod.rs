//! The window without a window: updates as plain functions, panels as data, and painting without a display.

pub(crate) mod compare;
mod evidence;
mod growth;
mod origins;
mod painting;
mod questionnaire;
mod recommendation;
mod recovery;
mod rehearsal;
mod server_log;
mod simulate;
mod today;
mod updating;
mod what_if;

use std::sync::{Arc, OnceLock};

use plimsoll::advisor::Ask;
use plimsoll::desktop::answer::{
    Accuracy, Advised, Against, Answer, Asked, Compared, FromToday, Grown, Logged, Question, Tried,
};
use plimsoll::desktop::command::Command;
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::engine::Engine;
use plimsoll::desktop::lane::Same;
use plimsoll::desktop::presets;
use plimsoll::desktop::state::State;
use plimsoll::desktop::update::update;

use crate::shared::FROZEN;

/// The data with the numbers that are kept for tests, loaded once for all of them.
pub(crate) fn engine() -> Arc<Engine> {
    static ENGINE: OnceLock<Arc<Engine>> = OnceLock::new();
    let frozen = || {
        Arc::new(Engine {
            vocabulary: FROZEN.vocabulary.clone(),
            catalog: FROZEN.catalog.clone(),
            calibration: FROZEN.calibration.clone(),
        })
    };
    ENGINE.get_or_init(frozen).clone()
}

/// What a panel shows, for a kept snapshot: fractions to six digits, since the last ones change with the processor's and the
/// compiler's arithmetic.
fn listed(data: &impl std::fmt::Debug) -> String {
    let text = format!("{data:#?}");
    let mut settled = String::with_capacity(text.len());
    let mut quoted = false;
    for (i, piece) in text.split('"').enumerate() {
        if i > 0 {
            settled.push('"');
        }
        if quoted {
            settled.push_str(piece);
        } else {
            let words = piece.split_inclusive([' ', ',', '\n', '(', ')']);
            settled.extend(words.map(six_digits));
        }
        quoted = if quoted { piece.ends_with('\\') } else { true };
    }
    settled
}

/// A word of a listing; a fraction with more than six digits is rounded.
fn six_digits(word: &str) -> String {
    let number = word.trim_end_matches([' ', ',', '\n', '(', ')']);
    match number.parse::<f64>() {
        Ok(value) if number.contains(['.', 'e']) && number.len() > 7 => {
            let rounded: f64 = format!("{value:.5e}").parse().unwrap();
            format!("{rounded:?}{}", &word[number.len()..])
        }
        _ => word.to_owned(),
    }
}

#[test]
fn a_listing_rounds_fractions_and_leaves_texts() {
    let data = (0.123_456_789, 1_234_567_890_123_u64, "1.23456789, \"4.56789012\"", 1e-9 / 3.0);
    let wanted = format!("{:#?}", (0.123_457, 1_234_567_890_123_u64, "1.23456789, \"4.56789012\"", 3.33333e-10));
    assert_eq!(listed(&data), wanted);
}

/// Does a command and whatever follows from it, answering questions at once and in order: what the shell and
/// its workers do, without threads or files. Simulations are left unanswered.
pub(crate) fn perform(state: &mut State, command: Command) -> Vec<Effect> {
    let engine = engine();
    let mut outside = Vec::new();
    let mut queue = vec![command];
    while !queue.is_empty() {
        for command in std::mem::take(&mut queue) {
            for effect in update(state, command, &engine) {
                match effect {
                    Effect::Ask(question) => queue.extend(answer(&engine, question)),
                    other => outside.push(other),
                }
            }
        }
    }
    outside
}

/// Does a command whose questions nobody answers: what a panel itself shows of it, without an advice.
pub(crate) fn perform_unanswered(state: &mut State, command: Command) -> Vec<Effect> {
    let mut effects = update(state, command, &engine());
    effects.retain(|effect| !matches!(effect, Effect::Ask(_)));
    effects
}

fn answer(engine: &Engine, question: Question) -> Option<Command> {
    let Question { generation, asked } = question;
    let answer = match asked {
        Asked::Advice(site) => Answer::Advice(Ok(Same::new(Advised::new(engine, site, &Ask::NOTHING)))),
        Asked::WhatIf(Same(advised), change) => Answer::WhatIf(Tried::new(engine, &advised, change).map(Same::new)),
        Asked::Growth(Same(advised), change, years) => {
            Answer::Growth(Grown::new(engine, &advised, &change, years).map(Same::new))
        }
        Asked::Comparison(Same(advised), pins) => {
            Answer::Comparison(Compared::new(engine, &advised, &pins).map(Same::new))
        }
        Asked::Accuracy => Answer::Accuracy(Accuracy::new(engine).map(Same::new)),
        Asked::Today(site) => Answer::Today(FromToday::new(engine, site).map(Same::new)),
        Asked::Against(site, path, text) => Answer::Against(Against::new(engine, &site, &path, &text).map(Same::new)),
        Asked::Log(files) => Answer::Log(Logged::read(&files, &|| true, &mut |_| {}).map(Same::new)),
        // A day runs on and on; tests that want one ask for it themselves.
        Asked::Simulation(..) | Asked::Check(..) => return None,
    };
    Some(Command::Answered { generation, answer, is_last: true })
}

/// The window with an example, all questions answered. Worked out once: states are cheap to clone.
pub(crate) fn opened(example: usize) -> State {
    static STATES: [OnceLock<State>; presets::EXAMPLES.len()] = [const { OnceLock::new() }; presets::EXAMPLES.len()];
    let make = || {
        let mut state = State::default();
        perform(&mut state, Command::Preset(presets::EXAMPLES[example].0));
        state
    };
    STATES[example].get_or_init(make).clone()
}

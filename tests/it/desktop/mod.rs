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
    Accuracy, Advised, Against, Answer, Asked, Compared, FromToday, Grown, Logged, Question,
    RehearsalPlan, Tried,
};
use plimsoll::desktop::command::{Command, Failed, LaneName};
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::engine::Engine;
use plimsoll::desktop::presets;
use plimsoll::desktop::state::State;
use plimsoll::desktop::update::update;
use plimsoll::site::Vocabulary;

/// The data with the numbers that are kept for tests, loaded once for all of them.
pub(crate) fn engine() -> Arc<Engine> {
    static ENGINE: OnceLock<Arc<Engine>> = OnceLock::new();
    let frozen = || {
        let (catalog, calibration) = crate::frozen::library();
        Arc::new(Engine {
            vocabulary: Vocabulary::of(&catalog),
            catalog,
            calibration,
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
    let data = (
        0.123_456_789,
        1_234_567_890_123_u64,
        "1.23456789, \"4.56789012\"",
        1e-9 / 3.0,
    );
    let wanted = format!(
        "{:#?}",
        (
            0.123_457,
            1_234_567_890_123_u64,
            "1.23456789, \"4.56789012\"",
            3.33333e-10
        )
    );
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
    let failed = |lane| move |reason| Failed { lane, reason };
    let answer = match asked {
        Asked::Advice(site) => {
            let found = Arc::new(Advised::new(engine, site, &Ask::NOTHING));
            let is_last = true;
            Ok(Answer::Advice { found, is_last })
        }
        Asked::WhatIf(advised, change) => Tried::new(engine, &advised, change)
            .map(|tried| Answer::WhatIf {
                found: Arc::new(tried),
                is_last: true,
            })
            .map_err(failed(LaneName::WhatIf)),
        Asked::Growth(advised, change, years) => Grown::new(engine, &advised, &change, years)
            .map(|grown| Answer::Growth(Arc::new(grown)))
            .map_err(failed(LaneName::Growth)),
        Asked::Comparison(advised, pins) => Compared::new(engine, &advised, &pins)
            .map(|compared| Answer::Comparison(Arc::new(compared)))
            .map_err(failed(LaneName::Comparison)),
        Asked::Accuracy => Accuracy::new(engine)
            .map(|accuracy| Answer::Accuracy(Arc::new(accuracy)))
            .map_err(failed(LaneName::Accuracy)),
        Asked::Today(site) => FromToday::new(engine, site)
            .map(|found| Answer::Today(Arc::new(found)))
            .map_err(failed(LaneName::Today)),
        Asked::Against(site, path, text) => Against::new(engine, &site, &path, &text)
            .map(|found| Answer::Against(Arc::new(found)))
            .map_err(failed(LaneName::Against)),
        Asked::Log(files) => Logged::read(&files, &|| true, &mut |_| {})
            .map(|found| Answer::Log {
                found: Arc::new(found),
                is_last: true,
            })
            .map_err(failed(LaneName::Log)),
        Asked::RehearsalPlan(asked, cleans) => {
            let plan = if cleans {
                RehearsalPlan::cleaned(engine, &asked)
            } else {
                RehearsalPlan::new(engine, &asked)
            };
            Ok(Answer::RehearsalPlan(Arc::new(plan)))
        }
        // A day runs on and on, and so does a rehearsal; tests that want one ask for it themselves.
        Asked::Simulation(..) | Asked::Check(..) | Asked::Rehearsal(_) => return None,
    };
    Some(Command::Answered { generation, answer })
}

/// The window with an example, all questions answered. Worked out once: states are cheap to clone.
pub(crate) fn opened(example: usize) -> State {
    static STATES: [OnceLock<State>; presets::EXAMPLES.len()] =
        [const { OnceLock::new() }; presets::EXAMPLES.len()];
    let make = || {
        let mut state = State::default();
        perform(&mut state, Command::Preset(presets::EXAMPLES[example].0));
        state
    };
    STATES[example].get_or_init(make).clone()
}

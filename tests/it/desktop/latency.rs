//! How long the window takes from a change to its answer and its frame; docs/speed.md has the numbers.
//!
//! `cargo test --release --test it latency -- --ignored --nocapture`
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it measures and prints; nothing is asserted on a clock"
)]

use std::time::{Duration, Instant};

use plimsoll::desktop::command::Command;
use plimsoll::desktop::panels::{growth, what_if};
use plimsoll::desktop::presets;
use plimsoll::desktop::state::{Panel, State};
use plimsoll::desktop::update::{changed, update};
use plimsoll::desktop::worker::Workers;

use super::painting::window;
use super::{engine, opened, perform};

const ROUNDS: usize = 200;

fn ms(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    format!("{:.2} | {:.2}", at(0.5), at(0.99))
}

fn timed<T>(mut act: impl FnMut(usize) -> T) -> Vec<Duration> {
    let rounds = 0..ROUNDS;
    let time = |round| {
        let start = Instant::now();
        drop(act(round));
        start.elapsed()
    };
    rounds.map(time).collect()
}

/// A change that is not the one before.
fn moved(state: &State, round: usize) -> Command {
    let developers = 100 + (round * 37) % 400;
    let edit = changed(state, |change| {
        let answers = &mut change.answers;
        answers.insert("people.developers".to_owned(), developers.to_string());
    });
    Command::drag("developers", edit)
}

#[test]
#[ignore = "prints how long things take; says something in release alone"]
fn latency() {
    let engine = engine();
    println!("| site | command to answer, ms (99 %) | panel data | painted frame | growth data |");
    println!("|---|---|---|---|---|");
    for (example, (name, _)) in presets::EXAMPLES.iter().enumerate() {
        let mut state = opened(example);
        state.panel = Panel::WhatIf;
        let workers = Workers::new(&engine, &(std::sync::Arc::new(|| ()) as _)).unwrap();
        let answered = timed(|round| {
            let command = moved(&state, round);
            for effect in update(&mut state, command, &engine) {
                if let plimsoll::desktop::effect::Effect::Ask(question) = effect {
                    workers.ask(question);
                }
            }
            while state.what_if.is_busy() {
                let answer = workers.wait(Duration::from_mins(1)).unwrap();
                update(&mut state, answer, &engine);
            }
        });
        drop(workers);
        let data = timed(|_| what_if::Data::of(&state, &engine));
        let mut harness = window(state.clone(), [1280.0, 800.0], true);
        harness.run();
        let frames = timed(|_| harness.step());
        perform(&mut state, Command::Show(Panel::Growth));
        let growth = timed(|_| growth::Data::of(&state, &engine));
        println!(
            "| {name} | {} | {} | {} | {} |",
            ms(answered),
            ms(data),
            ms(frames),
            ms(growth)
        );
    }
}

//! From a change to its answer, and what of a frame is not the renderer's; without a display.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::engine::Engine;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::what_if::changed;
use plimsoll::desktop::panels::{growth, what_if};
use plimsoll::desktop::state::State;
use plimsoll::desktop::update::update;
use plimsoll::desktop::worker::Workers;
use plimsoll::desktop::{frame, presets, theme};

use super::at;

/// "0.96 (5.1)": milliseconds, the median and the 99th percentile.
fn shown(times: &mut [Duration]) -> String {
    format!("{:.2} ({:.2})", at(times, 0.5), at(times, 0.99))
}

#[expect(clippy::disallowed_methods, reason = "this is no solver: it times the window")]
fn time(act: impl FnOnce()) -> Duration {
    let start = Instant::now();
    act();
    start.elapsed()
}

fn timed(rounds: usize, mut act: impl FnMut(usize)) -> String {
    let mut times: Vec<Duration> = (0..rounds).map(|round| time(|| act(round))).collect();
    shown(&mut times)
}

/// The state with workers behind it, as in the shell.
struct Session {
    state: State,
    engine: Arc<Engine>,
    workers: Workers,
}

impl Session {
    fn perform(&mut self, command: Command) {
        for effect in update(&mut self.state, command, &self.engine) {
            if let Effect::Ask(question) = effect {
                self.workers.ask(question);
            }
        }
    }

    /// Waits as long as a question is open.
    fn settle(&mut self, is_open: fn(&State) -> bool) {
        while is_open(&self.state) {
            if let Some(answer) = self.workers.wait(Duration::from_mins(1)) {
                self.perform(answer);
            }
        }
    }

    /// A change that is not the one before: what a drag asks for. With its curve, or until there are numbers.
    fn drag(&mut self, round: usize, is_bent: bool) {
        let commands = 100_000 + (round * 7_919) % 300_000;
        let edit = changed(&self.state, |change| {
            let field = "workload.commands_per_day".to_owned();
            change.answers.insert(field, format!("{commands} /day"));
        });
        self.perform(Command::drag("commands", edit));
        if is_bent {
            self.settle(|state| state.lanes.what_if.is_busy());
        } else {
            self.settle(|state| {
                let tried = state.lanes.what_if.answer();
                tried.is_none_or(|tried| tried.change != state.scenario.change)
            });
        }
    }

    fn frames(&self, rounds: usize) -> String {
        let (state, engine) = (self.state.clone(), self.engine.clone());
        let mut is_dressed = false;
        let mut harness = Harness::builder().with_size([1280.0, 800.0]).build_ui(move |ui| {
            if !is_dressed {
                theme::apply(ui.ctx());
                is_dressed = true;
                ui.ctx().request_discard("fonts come with the next frame");
                return;
            }
            frame::show(ui, &state, &engine, &mut Vec::new());
        });
        harness.run_steps(5);
        timed(rounds, |_| harness.step())
    }
}

/// Prints the table of the example sites.
pub(super) fn print(rounds: usize) -> Result<(), String> {
    let engine = Engine::embedded();
    println!("median (99th percentile) of {rounds}, ms\n");
    println!(
        "| site | change to numbers | with the curve | data of What if | frame of What if | data of Growth | frame of Growth |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, _) in presets::EXAMPLES {
        let mut session = Session {
            state: State::default(),
            engine: engine.clone(),
            workers: Workers::new(&engine, &(Arc::new(|| ()) as _))?,
        };
        session.perform(Command::Preset(name));
        session.settle(|state| state.lanes.advice.is_busy() || state.lanes.what_if.is_busy());
        session.perform(Command::Show(Panel::WhatIf));
        let to_numbers = |round| {
            session.settle(|state| state.lanes.what_if.is_busy());
            time(|| session.drag(round, false))
        };
        let points = shown(&mut (0..rounds).map(to_numbers).collect::<Vec<_>>());
        session.settle(|state| state.lanes.what_if.is_busy());
        let answers = timed(rounds, |round| session.drag(round, true));
        let data = timed(rounds, |_| drop(what_if::Data::of(&session.state, &engine)));
        let frames = session.frames(rounds);
        session.perform(Command::Show(Panel::Growth));
        session.settle(|state| state.lanes.growth.is_busy());
        let growth = timed(rounds, |_| drop(growth::Data::of(&session.state, &engine)));
        let growth_frames = session.frames(rounds);
        println!("| {name} | {points} | {answers} | {data} | {frames} | {growth} | {growth_frames} |");
    }
    Ok(())
}

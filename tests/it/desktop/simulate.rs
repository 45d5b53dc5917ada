//! The simulation panel: a day that fills while it runs, with troubles put into it by hand.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use egui_kittest::kittest::Queryable as _;
use plimsoll::catalog::Catalog;
use plimsoll::catalog::scenario::Part;
use plimsoll::desktop::answer::{Answer, Control, Signal, Simulated, scenario};
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::injected::{Injected, Trouble};
use plimsoll::desktop::lane::Same;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::evidence;
use plimsoll::desktop::panels::simulate::SimulateCommand;
use plimsoll::desktop::panels::simulate::{Data, Status};
use plimsoll::desktop::panels::what_if::changed;
use plimsoll::desktop::state::{Day, State};
use plimsoll::page::Table;
use plimsoll::sim::Stopped;
use plimsoll::system::process::process;
use plimsoll::workload::from_site;

use super::origins::lands_on;
use super::painting::window;
use super::{engine, listed, opened, perform};

/// An hour at the peak, with a burst in it.
fn day() -> Day {
    Day {
        scenario: "peak-hour".to_owned(),
        seed: 7,
        injected: vec![Injected { minute: 20, trouble: Trouble::Burst, amount: 60 }],
    }
}

fn simulate(state: &State, control: &Control, emit: &mut dyn FnMut(Simulated)) -> Simulated {
    let advised = state.lanes.advice.answer().expect("advice").clone();
    let (change, day) = (&state.scenario.change, &state.scenario.day);
    Simulated::run(&engine(), &advised, change, day, control, emit).expect("it runs")
}

/// The window with the day simulated: what came first, and what came last.
fn simulated() -> (State, Arc<Simulated>, Arc<Simulated>) {
    static DONE: OnceLock<(State, Arc<Simulated>, Arc<Simulated>)> = OnceLock::new();
    let run = || {
        let mut state = opened(3);
        state.panel = Panel::Simulate;
        perform(&mut state, Command::edit(Edit::Day(day())));
        perform(&mut state, Command::Simulate(SimulateCommand::Run));
        let mut told = Vec::new();
        let last = simulate(&state, &Control::default(), &mut |now| told.push(now));
        assert!(told.len() > 20, "told {} times", told.len());
        assert!(told.windows(2).all(|pair| pair[0].time <= pair[1].time));
        (state, Arc::new(told.swap_remove(told.len() / 2)), Arc::new(last))
    };
    DONE.get_or_init(run).clone()
}

fn tell(state: &mut State, found: &Arc<Simulated>, is_last: bool) {
    let generation = state.lanes.simulation.generation();
    let answered = Command::Answered { generation, answer: Answer::Simulation(Ok(Same(found.clone()))), is_last };
    perform(state, answered);
}

#[test]
fn the_panel_fills_while_a_day_runs() {
    let (mut state, half, last) = simulated();
    assert_eq!(Data::of(&state, &engine()).status, Status::Running);
    tell(&mut state, &half, false);
    let data = Data::of(&state, &engine());
    let shown = data.shown.expect("what there is so far");
    assert!((0.3..0.7).contains(&data.progress), "{}", data.progress);
    assert!(shown.responses.is_empty());
    assert!(!shown.present.is_empty() && !shown.busy.is_empty());

    tell(&mut state, &last, true);
    let data = Data::of(&state, &engine());
    assert_eq!(data.status, Status::Done);
    assert_eq!(data.stale, None);
    let shown = data.shown.as_ref().expect("all of it");
    assert_eq!(shown.marks.len(), 1);
    let mut out = format!("{}\n{}\n", shown.result, shown.how);
    // Bars of hundreds of columns say nothing to a reader: the first ones stand for all.
    for row in shown.present.iter().chain(&shown.busy) {
        assert_eq!(row.bins.len(), 480, "{}", row.name);
        let first = listed(&&row.bins[..2]).replace('\n', "");
        writeln!(out, "{} {}, at most {} {first}", row.about, row.value, row.most).unwrap();
    }
    for row in &shown.locks {
        assert!(row.writes.len() <= 720 && !row.writes.is_empty(), "{}", row.name);
        let first = listed(&row.writes[0]).replace('\n', "");
        writeln!(out, "{} {}, {} {first}", row.about, row.value, row.most).unwrap();
    }
    out = out + &shown.blame.text() + &shown.responses.text();
    insta::assert_snapshot!("simulated_day", out);
}

#[test]
fn its_figures_lead_to_their_origins_and_back() {
    let (mut state, half, last) = simulated();
    // While it runs, what the recommendation knows.
    tell(&mut state, &half, false);
    let shown = Data::of(&state, &engine()).shown.expect("half of it");
    assert!(shown.blame.rows.iter().any(|row| !row.cells[1].about.is_empty()));
    tell(&mut state, &last, true);
    let shown = Data::of(&state, &engine()).shown.expect("all of it");
    let peak = last.peak.as_ref().expect("it is over");
    for response in &shown.responses.rows {
        let work = &response.cells[0];
        let is_known = peak.main_drivers.contains_key(&work.text);
        assert!(!work.about.is_empty() || !is_known, "{}", work.text);
    }
    let led = |table: &Table, cell: usize, leads: usize| {
        let row = table.rows.iter().find(|row| !row.cells[leads].about.is_empty());
        let row = row.expect("one that leads somewhere");
        (row.cells[cell].text.clone(), row.cells[leads].about.clone())
    };
    let leads = [led(&shown.responses, 3, 0), led(&shown.blame, 1, 1)];
    for (label, id) in leads {
        let mut window = window(state.clone(), [1280.0, 3000.0], false);
        lands_on(&mut window, &label, Some(&id));
        let state = &mut window.state_mut().state;
        let data = evidence::Data::of(state, &engine());
        assert!(data.origin.expect("one").explanation.is_some());
        perform(state, Command::Back);
        assert_eq!(state.panel, Panel::Simulate);
    }
}

#[test]
fn what_is_watched_is_what_is_not_watched() {
    let (_, _, last) = simulated();
    let done = last.outcome.as_ref().expect("it is over");
    assert_eq!(done.outcome.stopped, Stopped::Done);
    let run = plimsoll::sim::Run {
        seed: done.seed,
        span: plimsoll::sim::Span::Until { time: last.until, piece: 60.0 },
        ..plimsoll::sim::Run::default()
    };
    let mut go = |_| std::ops::ControlFlow::Continue(());
    let model = &done.process.model;
    let unwatched = plimsoll::sim::simulate(model, &run, 0, &mut go).expect("it runs");
    let unwatched = plimsoll::sim::fold(model, &run, &[unwatched]);
    assert_eq!(unwatched, done.outcome);

    // What is charged while it runs is what the simulator charges in the end.
    for (index, lock) in unwatched.locks.iter().enumerate() {
        for blame in &lock.blame {
            let rows = last.record.blame.rows.iter();
            let row =
                rows.clone().find(|row| (row.lock, row.victim, row.culprit) == (index, blame.victim, blame.culprit));
            let seconds = row.map_or(0.0, |row| row.seconds) / last.until;
            assert!((seconds - blame.waiting).abs() < 1e-9 + 1e-6 * blame.waiting);
        }
        let record = &last.record.locks[index];
        let written = record.written.overall();
        assert!((written - lock.exclusive.value).abs() < 1e-4, "{}", lock.name);
    }
    for (index, station) in unwatched.stations.iter().enumerate() {
        let Some(busy) = last.record.busy(index) else {
            continue;
        };
        let (busy, known) = (busy.overall(), station.utilization.value);
        assert!((busy - known).abs() < 1e-3, "{}: {busy} {known}", station.name);
    }
}

#[test]
fn scrubbing_shows_another_moment() {
    let (mut state, _, last) = simulated();
    tell(&mut state, &last, true);
    let shown = |state: &State| Data::of(state, &engine()).shown.expect("a run");
    let worst = shown(&state);
    assert!(!worst.is_scrubbed && worst.result.starts_with("Busiest at "));
    assert!(worst.moment < worst.time, "it rests on the worst moment");
    perform(&mut state, Command::Simulate(SimulateCommand::Scrub(Some(worst.time))));
    let end = shown(&state);
    perform(&mut state, Command::Simulate(SimulateCommand::Scrub(Some(20.5 * 60.0))));
    let burst = shown(&state);
    assert!(burst.is_scrubbed && burst.moment == 1230.0);
    let number = |shown: &plimsoll::desktop::panels::simulate::Shown| {
        let row = shown.present.iter().find(|row| row.name.contains("herd"));
        row.and_then(|row| row.value.parse::<f64>().ok()).expect("the herd")
    };
    assert!(number(&burst) > number(&end), "{} {}", number(&burst), number(&end));
    perform(&mut state, Command::Simulate(SimulateCommand::Scrub(None)));
    assert!(shown(&state) == worst, "it rests on the worst moment again");
}

#[test]
fn a_run_that_is_stopped_keeps_what_there_is() {
    let (state, ..) = simulated();
    let control = Control::default();
    let stop = control.clone();
    let last = simulate(&state, &control, &mut |now| {
        if now.time > now.until / 4.0 {
            stop.tell(Signal::Stop);
        }
    });
    let done = last.outcome.as_ref().expect("what there is");
    assert_eq!(done.outcome.stopped, Stopped::Interrupted);
    assert!(last.time > last.until / 4.0 && last.time < last.until);
    assert!(!last.record.present.is_empty());
}

#[test]
fn a_controller_that_failed_in_the_what_if_is_missing_in_the_day_too() {
    let mut state = opened(2);
    perform(&mut state, Command::edit(Edit::Day(day())));
    let edit = changed(&state, |change| {
        change.layout = Some("n13-fc".to_owned());
        change.failure = Some(Part::Controller("db"));
    });
    perform(&mut state, Command::edit(edit));
    let tried = state.lanes.what_if.answer().expect("it can be had");
    let (after, engine) = (&tried.after, engine());
    let left = after.left.as_deref().expect("what is left of the array");
    let scenario = scenario(&day(), &engine.catalog).expect("the day");
    let load = from_site::with_herds(&after.site, &scenario);
    let model = |catalog: &Catalog| {
        let deployment = &after.deployment;
        let made = process(deployment, &load, catalog, &engine.calibration, Some(&scenario));
        made.expect("it can happen").model
    };
    // What is simulated is known before the first event.
    let control = Control::default();
    control.tell(Signal::Stop);
    let found = simulate(&state, &control, &mut |_| ());
    let simulated = &found.outcome.as_ref().expect("a run").process.model;
    assert!(*simulated == model(left));
    assert!(*simulated != model(&engine.catalog));
}

#[test]
fn troubles_are_put_in_and_taken_out_and_undone() {
    let mut state = opened(3);
    state.panel = Panel::Simulate;
    let mut window = window(state, [1280.0, 900.0], false);
    for trouble in Trouble::ALL {
        window.get_by_label(trouble.title()).click();
        window.run();
    }
    let injected = |state: &State| state.scenario.day.injected.clone();
    let all = injected(&window.state().state);
    assert_eq!(all.iter().map(|i| i.trouble).collect::<Vec<_>>(), Trouble::ALL);
    assert!(all.iter().all(|i| i.minute == 600));
    window.get_all_by_label("Remove").next().expect("one").click();
    window.run();
    let state = &mut window.state_mut().state;
    assert_eq!(injected(state), all[1..]);
    perform(state, Command::Undo);
    assert_eq!(injected(state), all);
    for _ in 0..5 {
        perform(state, Command::Undo);
    }
    assert_eq!(injected(state), []);
    perform(state, Command::Redo);
    assert_eq!(injected(state), all[..1]);
}

#[test]
fn run_pause_and_stop_are_buttons() {
    let mut state = opened(3);
    state.panel = Panel::Simulate;
    let mut window = window(state, [1280.0, 900.0], true);
    window.get_by_label("Run").click();
    window.run();
    assert!(window.state().state.lanes.simulation.is_busy());
    window.get_by_label("Pause").click();
    window.run();
    assert!(window.state().state.simulation.is_paused);
    window.get_by_label("Resume").click();
    window.run();
    assert!(!window.state().state.simulation.is_paused);
    let mut state = window.state().state.clone();
    let told = perform(&mut state, Command::Simulate(SimulateCommand::Stop));
    assert_eq!(told, [Effect::Tell(Signal::Stop)]);
}

#[test]
fn a_full_panel_paints_at_any_size_in_both_looks() {
    let (mut state, half, last) = simulated();
    for (found, is_last) in [(&half, false), (&last, true)] {
        tell(&mut state, found, is_last);
        for size in [[200.0, 100.0], [1280.0, 720.0], [1920.0, 1080.0]] {
            for is_dark in [false, true] {
                window(state.clone(), size, is_dark).run();
            }
        }
    }
}

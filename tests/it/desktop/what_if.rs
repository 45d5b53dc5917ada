//! The what-if panel: controls as data, what they ask for, and the simulation behind.

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use plimsoll::advisor::what_if::Change;
use plimsoll::desktop::answer::{Answer, Asked, Checked, Tried};
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::lane::Same;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::what_if::WhatIfCommand;
use plimsoll::desktop::panels::what_if::changed;
use plimsoll::desktop::panels::what_if::{Control, Data, KNOBS, Knob, Outcome, Scale, developers};
use plimsoll::desktop::state::State;
use plimsoll::desktop::update::update;
use plimsoll::page::Drawn;

use super::painting::window;
use super::{engine, opened, perform};

fn open(example: usize) -> State {
    let mut state = opened(example);
    perform(&mut state, Command::Show(Panel::WhatIf));
    state
}

fn knob<'d>(data: &'d Data, label: &str) -> &'d Knob {
    let mut knobs = data.sections.iter().flat_map(|section| &section.knobs);
    knobs.find(|knob| knob.label == label).unwrap()
}

#[test]
fn every_control_that_the_palette_knows_is_there_and_takes_the_focus() {
    for example in 0..5 {
        let data = Data::of(&open(example), &engine());
        for label in KNOBS {
            assert_eq!(knob(&data, label).label, label);
        }
    }
    let mut window = window(opened(0), [1280.0, 800.0], false);
    perform(&mut window.state_mut().state, Command::AskPalette);
    let query = Command::Type("what if memory".to_owned());
    perform(&mut window.state_mut().state, query);
    window.run();
    window.key_press(egui::Key::Enter);
    window.run();
    assert_eq!(window.state().state.panel, Panel::WhatIf);
    assert_eq!(window.state().state.sought_knob, None);
    window.key_press(egui::Key::ArrowRight);
    window.run();
    let answers = &window.state().state.scenario.change.answers;
    assert!(answers.contains_key("server.ram"), "{answers:?}");
}

fn change(state: &mut State, make: impl FnOnce(&mut Change)) {
    let edit = changed(state, make);
    perform(state, Command::edit(edit));
}

/// What a reader sees, without the points of the lines.
fn digest(data: &Data) -> String {
    let mut out = String::new();
    for section in &data.sections {
        writeln!(out, "{}", section.title).unwrap();
        for knob in &section.knobs {
            let mark = if knob.is_changed { " *" } else { "" };
            writeln!(out, "  {}: {} ({}){mark}", knob.label, knob.shown, knob.recommended).unwrap();
        }
    }
    let outcome = data.outcome.as_ref().unwrap();
    writeln!(out, "pin: {}\n{}", data.pin, outcome.carries).unwrap();
    out.push_str(&outcome.times.text());
    for chart in &outcome.charts {
        let names: Vec<&str> = chart.data.series.iter().map(|s| s.name.as_str()).collect();
        let marks: Vec<&str> = chart.data.marks.iter().map(|m| m.label.as_str()).collect();
        writeln!(out, "{}: {names:?} {marks:?} before {}", chart.data.title, chart.before.len()).unwrap();
    }
    out + &outcome.busy.text() + &outcome.locks.text()
}

#[test]
fn what_the_panel_shows() {
    let mut state = open(0);
    change(&mut state, |change| {
        change.answers.insert("people.developers".into(), "700".into());
        change.answers.insert("server.ram".into(), "64 GiB".into());
        change.years = 1.0;
    });
    insta::assert_snapshot!(digest(&Data::of(&state, &engine())));
}

/// Response times of a server that ends its processes are worth nothing: the panel says that memory is short.
#[test]
fn memory_that_is_short_is_said_first() {
    let short = |ram: &str| {
        let mut state = open(0);
        change(&mut state, |change| {
            change.answers.insert("server.ram".into(), ram.into());
        });
        let outcome = Data::of(&state, &engine()).outcome.unwrap();
        (state, outcome.short)
    };
    assert_eq!(short("64 GiB").1, None);
    let (state, words) = short("2 GiB");
    let words = words.unwrap();
    assert!(words.starts_with("the commit server needs "), "{words}");
    let window = window(state, [1280.0, 800.0], false);
    window.get_by_label("Memory is missing at the peak");
    window.get_by_label(&words);
}

#[test]
fn nothing_changed_is_the_same() {
    let data = Data::of(&open(0), &engine());
    assert!(data.changes.is_empty() && data.problem.is_none());
    let outcome = data.outcome.unwrap();
    assert!(!outcome.times.is_empty() && !outcome.busy.is_empty());
    assert_eq!(outcome.times.heads.len(), 3, "no times of before");
    for row in &outcome.busy.rows {
        let Some(Drawn::Pair(before, after)) = row.cells[1].drawn else {
            panic!("{row:?}");
        };
        assert_eq!(before, after);
    }
    assert!(outcome.charts.iter().all(|chart| chart.before.is_empty()));
}

#[test]
fn every_choice_of_every_example_can_be_asked_for() {
    for example in 0..5 {
        let state = open(example);
        let data = Data::of(&state, &engine());
        for knob in data.sections.iter().flat_map(|section| &section.knobs) {
            let Control::Choice(offers) = &knob.control else {
                continue;
            };
            let chosen: Vec<_> = offers.iter().filter(|offer| offer.is_chosen).collect();
            assert_eq!(chosen.len(), 1, "{example} {}: {offers:?}", knob.label);
            assert!(chosen[0].is_recommended, "{example} {}", knob.label);
            // One other of each is enough: what each does is the advisor's business.
            let Some(other) = offers.iter().find(|offer| !offer.is_chosen) else {
                continue;
            };
            let mut state = state.clone();
            change(&mut state, |change| other.set.apply(change));
            let after = Data::of(&state, &engine());
            assert!(after.outcome.is_some() || after.problem.is_some());
            let again = self::knob(&after, knob.label);
            assert!(again.is_changed, "{example} {}", knob.label);
            change(&mut state, |change| again.reset.apply(change));
            assert!(state.scenario.change.is_none(), "{example} {}", knob.label);
        }
    }
}

#[test]
fn more_memory_is_typed_with_its_unit() {
    let mut window = window(open(0), [1280.0, 800.0], false);
    window.get_by_role_and_label(Role::SpinButton, "Memory").click();
    window.run();
    window.event(egui::Event::Text("512 GiB".to_owned()));
    window.key_press(egui::Key::Enter);
    window.run();
    let answers = &window.state().state.scenario.change.answers;
    assert_eq!(answers.get("server.ram").map(String::as_str), Some("512 GiB"));
}

#[test]
fn a_slider_moves_by_keyboard_and_is_one_step_to_undo() {
    let mut window = window(open(0), [1280.0, 800.0], true);
    let before = window.state().state.past.len();
    let site = window.state().state.lanes.advice.answer().unwrap().site.clone();
    let before_that = site.workload.large_syncs_per_day.value.get() * 86_400.0;
    window.get_by_role_and_label(Role::Slider, "Large syncs").focus();
    window.run();
    for _ in 0..3 {
        window.key_press(egui::Key::ArrowRight);
        window.run();
    }
    let state = &window.state().state;
    let typed = state.scenario.change.answers.get("workload.large_syncs_per_day");
    let syncs = typed.unwrap().trim_matches('"').trim_end_matches(" /day");
    let syncs: f64 = syncs.parse().unwrap();
    assert!(syncs > before_that, "{syncs} {before_that}");
    assert_eq!(state.past.len(), before + 1);
    perform(&mut window.state_mut().state, Command::Undo);
    assert!(window.state().state.scenario.change.is_none());
}

#[test]
fn pin_take_over_and_reset() {
    let mut state = open(0);
    while !state.scenario.pins.is_empty() {
        perform(&mut state, Command::edit(Edit::Unpin(0)));
    }
    change(&mut state, |change| {
        change.answers.insert("server.ram".into(), "64 GiB".into());
    });
    let mut window = window(state, [1280.0, 800.0], false);
    window.get_by_role_and_label(Role::Button, "Pin").click();
    window.run();
    let pins = &window.state().state.scenario.pins;
    assert_eq!(pins.len(), 1);
    assert_eq!(pins[0].name, "Memory 64 GiB");
    window.get_by_label("Reset Memory to 256 GiB").click();
    window.run();
    assert!(window.state().state.scenario.change.is_none());
    perform(&mut window.state_mut().state, Command::Undo);
    window.run();
    window.get_by_role_and_label(Role::Button, "Take over as answers").click();
    window.run();
    let state = &window.state().state;
    assert!(state.scenario.change.is_none());
    assert!(state.scenario.text.contains("ram = \"64 GiB\""), "{}", state.scenario.text);
}

#[test]
fn what_cannot_be_had_says_why_and_saturation_is_an_answer() {
    let mut state = open(0);
    change(&mut state, |change| {
        change.answers.insert("server.cores".into(), "nine".into());
    });
    let data = Data::of(&state, &engine());
    assert!(data.problem.is_some());
    let mut state = open(0);
    change(&mut state, |change| {
        change.answers.insert("workload.commands_per_day".into(), "900000000 /day".into());
    });
    let outcome = Data::of(&state, &engine()).outcome.unwrap();
    assert!(outcome.saturated.is_some(), "{outcome:?}");
    assert!(outcome.simulation.contains("overloaded"));
    let mut state = open(0);
    change(&mut state, |change| {
        change.layout = Some("nfs-all".to_owned());
    });
    change(&mut state, |change| {
        change.answers.insert("workload.large_syncs_per_day".into(), "2000 /day".into());
    });
    let outcome = Data::of(&state, &engine()).outcome.unwrap();
    assert!(outcome.saturated.is_some(), "{outcome:?}");
    assert!(outcome.carries.contains("keeps up with about"), "{}", outcome.carries);
    assert!(outcome.times.heads[2].text.starts_with("changed, at "), "{:?}", outcome.times.heads);
    assert!(outcome.times.rows.iter().all(|row| row.cells[2].text != "–"));
}

/// Whether a simulated time stands in the table of times.
fn is_simulated(outcome: &Outcome) -> bool {
    let mut cells = outcome.times.rows.iter().flat_map(|row| &row.cells);
    cells.any(|cell| cell.below.starts_with("simulated"))
}

fn asked_checks(effects: &[Effect]) -> usize {
    let is_check = |effect: &&Effect| matches!(effect, Effect::Ask(q) if matches!(q.asked, Asked::Check(..)));
    effects.iter().filter(is_check).count()
}

#[test]
fn the_simulation_is_asked_for_when_its_question_changes_and_only_then() {
    let engine = engine();
    let mut state = opened(2);
    let make = |state: &mut State, years: f64| {
        let edit = changed(state, |change| change.years = years);
        update(state, Command::edit(edit), &engine)
    };
    assert_eq!(asked_checks(&make(&mut state, 1.0)), 0, "another panel is open");
    let effects = update(&mut state, Command::Show(Panel::WhatIf), &engine);
    assert_eq!(asked_checks(&effects), 1);
    let first = state.lanes.check.generation();
    let effects = update(&mut state, Command::Show(Panel::WhatIf), &engine);
    assert_eq!(asked_checks(&effects), 0, "it is being simulated");
    assert_eq!(asked_checks(&make(&mut state, 2.0)), 1);
    assert!(state.lanes.check.generation() > first && state.lanes.check.is_busy());
    // What is still on its way to the question before is dropped.
    let late = Command::Answered {
        generation: first,
        answer: Answer::Check(Err("another question came".to_owned())),
        is_last: true,
    };
    update(&mut state, late, &engine);
    assert!(state.lanes.check.is_busy() && state.lanes.check.problem().is_none());
}

#[test]
fn simulated_values_take_the_place_of_the_solved_ones() {
    let engine = engine();
    let mut state = open(2);
    let advised = state.lanes.advice.answer().unwrap().clone();
    let change = state.scenario.change.clone();
    // The next question comes after the first replication.
    let told = Cell::new(0);
    let mut last = None;
    let stopped = Checked::run(&engine, &advised, &change, &|| told.get() < 2, &mut |found| {
        told.set(told.get() + 1);
        last = Some(found);
    });
    assert!(stopped.is_err());
    assert_eq!(told.get(), 2, "once with intervals, once with a replication");
    let found = Arc::new(last.unwrap());
    assert_eq!(found.replications, 1);
    let generation = state.lanes.check.generation();
    let answered = Command::Answered { generation, answer: Answer::Check(Ok(Same(found))), is_last: true };
    update(&mut state, answered, &engine);
    let outcome = Data::of(&state, &engine).outcome.unwrap();
    assert!(outcome.simulation.starts_with("simulated: 1 of 4 runs"), "{}", outcome.simulation);
    assert!(is_simulated(&outcome));
    let whiskers = &outcome.charts[0].whiskers;
    assert!(!whiskers.is_empty());
    assert!(whiskers.iter().all(|w| w.x == 1.0 && w.y.0 <= w.y.1 && w.y.1 <= w.y.2));
    // It is about this change only.
    let edit = changed(&state, |change| change.years = 3.0);
    perform(&mut state, Command::edit(edit));
    let outcome = Data::of(&state, &engine).outcome.unwrap();
    assert!(!is_simulated(&outcome));
}

#[test]
fn numbers_come_first_and_the_curve_of_before_stays_until_the_new_one_comes() {
    let engine = engine();
    let mut state = open(0);
    let before = state.curve.clone().expect("the curve of no change");
    let edit = changed(&state, |change| change.years = 4.0);
    update(&mut state, Command::edit(edit), &engine);
    let advised = state.lanes.advice.answer().expect("advice").clone();
    let change = state.scenario.change.clone();
    let point = Tried::point(&engine, &advised, change).expect("it can be had");
    assert!(point.curve.is_none());
    let generation = state.lanes.what_if.generation();
    let mut tell = |found: &Tried, is_last| {
        let answered = Command::Answered { generation, answer: Answer::WhatIf(Ok(Same::new(found.clone()))), is_last };
        update(&mut state, answered, &engine);
        let outcome = Data::of(&state, &engine).outcome.expect("an answer");
        (outcome, state.curve.clone().expect("a curve"))
    };
    let (first, curve) = tell(&point, false);
    assert_eq!(curve, before);
    let (last, curve) = tell(&point.bent(&engine, &advised), true);
    assert_ne!(curve, before);
    let times = |outcome: &Outcome| -> Vec<String> {
        let rows = outcome.times.rows.iter();
        rows.map(|row| row.cells[2].text.clone()).collect()
    };
    assert_eq!(times(&first), times(&last));
    assert_ne!(first.charts[0].data, last.charts[0].data);
    assert!(!state.lanes.what_if.is_busy());
}

#[test]
fn developers_bring_all_of_the_load_unless_untied() {
    let mut state = opened(0);
    let site = state.lanes.advice.answer().unwrap().site.clone();
    let own = site.people.developers.value;
    let set = developers(2.0);
    let edit = changed(&state, |change| set.apply(change));
    perform(&mut state, Command::edit(edit));
    let typed = |state: &State, field: &str| state.scenario.change.answers.get(field).cloned();
    assert_eq!(typed(&state, "load").as_deref(), Some("2"));
    // Untied, the developers move alone; tied again, they bring the rest.
    for is_untied in [true, false] {
        let tie = Data::of(&state, &engine()).tie.unwrap();
        assert_eq!(tie.is_tied, is_untied);
        let change = Arc::new(tie.other);
        perform(&mut state, Command::edit(Edit::Tie { is_untied, change }));
        assert_eq!(typed(&state, "load").is_none(), is_untied);
        let alone = typed(&state, "people.developers");
        let doubled = Scale::Count.spell(2.0 * own);
        assert_eq!(alone, is_untied.then_some(doubled));
    }
    // Taken over, the answers of the file are twice as large.
    let mut taken = state.clone();
    perform(&mut taken, Command::edit(Edit::TakeOver));
    let text = &taken.scenario.text;
    assert!(text.contains("developers = 700") && !text.contains("load ="), "{text}");
    // Back where it was there is nothing left of it.
    developers(1.0).apply(Arc::make_mut(&mut Arc::make_mut(&mut state.scenario).change));
    assert!(state.scenario.change.is_none());
}

#[test]
fn each_slider_says_what_more_of_it_does_to_the_limit() {
    let state = opened(0);
    let data = Data::of(&state, &engine());
    let limiting = data.limiting.as_deref().unwrap();
    assert!(limiting.starts_with("large sync"), "{limiting}");
    let pull = |label| knob(&data, label).sensitivity.clone().unwrap();
    assert!(pull("Size of each").is_large);
    assert_eq!(pull("Cores").words, "time unchanged");
}

#[test]
fn a_layout_is_tried_with_the_arrays_of_the_site() {
    let engine = engine();
    let site = opened(0).lanes.advice.answer().unwrap().site.clone();
    let own = &site.infrastructure.storage.value;
    let data = Data::of(&opened(0), &engine);
    let Control::Choice(layouts) = &knob(&data, "Layout").control else {
        panic!("layouts are chosen from a list");
    };
    let mut tried = 0;
    for id in engine.catalog.layouts.keys() {
        let mut state = opened(0);
        perform(&mut state, Command::WhatIf(WhatIfCommand::TryLayout(id.clone())));
        let Some(found) = state.lanes.what_if.answer().filter(|_| state.lanes.what_if.problem().is_none()) else {
            continue;
        };
        let title = &engine.catalog.layouts[id].entry.title;
        let offer = layouts.iter().find(|offer| offer.label == *title);
        let Some(offer) = offer.filter(|offer| offer.problem.is_none()) else {
            continue;
        };
        for pair in [&found.after.choices.block, &found.after.choices.file] {
            let array = pair.as_ref().map(|(array, _)| array);
            assert!(array.is_none_or(|a| own.contains(a)), "{}: {array:?}", offer.label);
        }
        tried += 1;
    }
    assert!(tried > 3, "{tried}");
    let foreign = layouts.iter().filter_map(|offer| offer.problem.as_ref());
    assert!(foreign.clone().count() > 0 && foreign.clone().all(|why| !why.is_empty()));
}

//! The comparison: pins, scores, the front, and what is painted of them.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use plimsoll::advisor::what_if::{Change, what_if};
use plimsoll::advisor::{AS_IT_IS, Criterion, Score, Scores, pareto_front};
use plimsoll::desktop::answer::Advised;
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::compare::Data;
use plimsoll::desktop::state::{Pin, State};
use plimsoll::page::{Block, blocks_text};

use super::painting::window;
use super::{engine, opened, perform};

/// An example without the layouts that are pinned at first.
pub(super) fn unpinned(example: usize) -> State {
    let mut state = opened(example);
    while !state.scenario.pins.is_empty() {
        perform(&mut state, Command::edit(Edit::Unpin(0)));
    }
    state
}

/// The studio with the first alternatives that can be had pinned.
fn pinned(example: usize, count: usize) -> State {
    let mut state = unpinned(example);
    let others = Data::of(&state, &engine()).others;
    for pin in others.into_iter().filter_map(|other| other.pin).take(count) {
        perform(&mut state, Command::edit(Edit::Pin(pin)));
    }
    state.panel = Panel::Compare;
    state
}

fn advised_of(data: &Data) -> &Advised {
    data.advised.as_ref().unwrap()
}

fn scores(values: [f64; 5]) -> Scores {
    let by_criterion = Criterion::ALL.into_iter().zip(values);
    Scores {
        findings: 1.0,
        heeded: Vec::new(),
        by_criterion: by_criterion.map(|(criterion, value)| Score { criterion, value, weight: 0.2 }).collect(),
        total: 0.5,
    }
}

#[test]
fn layouts_side_by_side() {
    let data = Data::of(&pinned(0, 3), &engine());
    let heads = data.columns.iter().map(|column| {
        let front = if column.is_on_front { "on the front" } else { "" };
        format!("{}: {}. {front}\n", column.name, column.about)
    });
    let text = blocks_text(&data.found.as_ref().unwrap().blocks);
    let others = data.advised.unwrap().layouts.text();
    let all = format!("{}\n{text}\n{others}", heads.collect::<String>());
    insta::assert_snapshot!("desktop_compare_studio", all);
}

#[test]
fn the_first_column_is_the_recommendation_itself() {
    for example in 0..5 {
        let state = pinned(example, 1);
        let chosen = state.lanes.advice.answer().unwrap().advice.chosen.as_ref().unwrap();
        let compared = state.lanes.comparison.answer().unwrap();
        let first = &compared.columns[0];
        let changed = first.outcome.as_ref().unwrap();
        // A standby is added to what is chosen; layouts are compared without one.
        let mut recommended = chosen.deployment.clone();
        recommended.standby = None;
        assert_eq!(changed.deployment, recommended, "example {example}");
        assert_eq!(first.judged.as_ref().unwrap().scores, chosen.scores);
        assert_eq!(first.judged.as_ref().unwrap().why_not, "");
    }
}

/// What is judged here must be what the advice judged: the same deployment, and so the same score.
#[test]
fn a_pinned_alternative_is_the_alternative_with_its_score() {
    for example in [0, 2] {
        let state = opened(example);
        let engine = engine();
        let advised = state.lanes.advice.answer().unwrap();
        let base = advised.base(&engine).unwrap();
        let chosen = advised.advice.chosen.as_ref().unwrap();
        let alternatives = advised.advice.alternatives.iter().enumerate();
        for (place, other) in alternatives.filter(|(_, a)| a.scores.is_some()).take(6) {
            let to = other.choices.as_ref().unwrap();
            let change = Change::towards(&chosen.choices, &other.layout, to);
            let changed = what_if(&base, &change).unwrap();
            let wanted = other.deployment.as_ref().unwrap();
            assert_eq!(&changed.deployment, wanted, "example {example}, {place}");
        }
        let state = pinned(example, 2);
        for column in &state.lanes.comparison.answer().unwrap().columns[1..] {
            let data = Data::of(&state, &engine);
            let pinned = data
                .others
                .iter()
                .position(|other| other.pinned_at.is_some() && other.pin.as_ref().unwrap().name == column.name);
            let Some(judged) = &column.judged else {
                continue;
            };
            let row = &advised_of(&data).layouts.rows[pinned.unwrap()];
            let wanted: f64 = row.cells[3].text.parse().unwrap();
            let got = judged.scores.total;
            assert!((got - wanted).abs() < 0.001, "{}: {got} for {wanted}", column.name);
        }
    }
}

#[test]
fn the_front_holds_those_that_nobody_beats_in_everything() {
    let all = [
        scores([0.9, 0.2, 0.5, 0.5, 0.5]),
        scores([0.5, 0.9, 0.5, 0.5, 0.5]),
        scores([0.5, 0.8, 0.5, 0.5, 0.5]),
        scores([0.9, 0.2, 0.5, 0.5, 0.5]),
    ];
    let all: Vec<Option<&Scores>> = all.iter().map(Some).chain([None]).collect();
    // Equal ones do not beat each other; what has no scores is on no front.
    assert_eq!(pareto_front(&all), [true, true, false, true, false]);
}

#[test]
fn a_saturated_layout_says_so_and_has_no_scores() {
    let mut state = unpinned(0);
    let change = Arc::new(Change {
        layout: Some("nfs-all".to_owned()),
        answers: [("workload.large_syncs_per_day".to_owned(), "2000 /day".to_owned())].into(),
        ..Change::default()
    });
    let name = "on NFS".to_owned();
    perform(&mut state, Command::edit(Edit::Pin(Pin { title: name.clone(), name, change })));
    let data = Data::of(&state, &engine());
    let problem = data.columns[1].problem.as_deref().unwrap();
    assert!(problem.contains("overloaded"), "{problem}");
    assert!(!data.columns[1].is_on_front);
    // Its column is not empty: at which load it would still work, and what it does then.
    let [Block::Table(table), ..] = &data.found.as_ref().unwrap().blocks[..] else {
        panic!("a table");
    };
    let of = |name: &str| {
        let mut rows = table.rows.iter();
        rows.find(|row| row.cells[0].text == name).map(|row| &row.cells[2])
    };
    let headroom = of("Headroom, times the peak load").unwrap();
    let factor: f64 = headroom.text.parse().unwrap();
    assert!(factor > 0.0 && factor < 1.0, "{headroom:?}");
    let submit = of("submit").unwrap();
    assert!(submit.text != "–" && submit.below.starts_with("at "), "{submit:?}");
    state.panel = Panel::Compare;
    let window = window(state, [1280.0, 800.0], false);
    window.get_by_label("saturated");
}

#[test]
fn the_best_of_each_family_is_compared_at_first() {
    let state = opened(0);
    let data = Data::of(&state, &engine());
    assert!((2..=4).contains(&data.columns.len()), "{}", data.columns.len());
    assert!(state.past.is_empty(), "nothing to undo");
    let [Block::Table(table), ..] = &data.found.as_ref().unwrap().blocks[..] else {
        panic!("a table");
    };
    let names: Vec<&str> = table.rows[..4].iter().map(|row| row.cells[0].text.as_str()).collect();
    let short = ["In short", "Headroom, times the peak load", "Price", "Targets missed"];
    assert_eq!(names, short);
    // Once they are chosen by hand they stay.
    let mut own = unpinned(0);
    assert!(own.has_own_pins && own.scenario.pins.is_empty());
    perform(&mut own, Command::answer("people.developers", "340"));
    assert!(own.scenario.pins.is_empty());
}

#[test]
fn pinned_layouts_are_moved_and_let_go() {
    let mut window = window(pinned(0, 3), [1920.0, 2000.0], false);
    let names = |state: &State| -> Vec<String> { state.scenario.pins.iter().map(|p| p.name.clone()).collect() };
    let before = names(&window.state().state);
    window.get_by_label(&format!("Move to the right: {}", before[0])).click();
    window.run();
    let after = names(&window.state().state);
    assert_eq!(after, [before[1].clone(), before[0].clone(), before[2].clone()]);
    assert_eq!(window.state().state.lanes.comparison.answer().unwrap().columns[1].name, before[1]);
    window.get_by_label(&format!("Unpin: {}", before[1])).click();
    window.run();
    assert_eq!(names(&window.state().state), [before[0].clone(), before[2].clone()]);
    perform(&mut window.state_mut().state, Command::Undo);
    perform(&mut window.state_mut().state, Command::Undo);
    assert_eq!(names(&window.state().state), before);
}

#[test]
fn a_what_if_can_be_pinned() {
    let mut state = unpinned(0);
    let change = Arc::new(Change { edges: Some(2), ..Change::default() });
    perform(&mut state, Command::edit(Edit::Change(change.clone())));
    state.panel = Panel::Compare;
    let mut window = window(state, [1280.0, 800.0], true);
    window.get_by_label_contains("Pin the what-if").click();
    window.run();
    let state = &window.state().state;
    assert_eq!(state.scenario.pins[0].change, change);
    assert_eq!(Data::of(state, &engine()).tried, None, "it is pinned already");
}

#[test]
fn many_pins_and_long_names_paint_at_any_size() {
    let mut state = pinned(0, 4);
    let name = "W".repeat(300);
    let change = Arc::new(Change::default());
    perform(&mut state, Command::edit(Edit::Pin(Pin { title: name.clone(), name, change })));
    assert!(state.lanes.comparison.answer().unwrap().columns.len() == 6);
    for size in [[200.0, 100.0], [1280.0, 720.0], [1920.0, 1080.0]] {
        window(state.clone(), size, false).run();
    }
}

#[test]
fn the_system_that_is_there_can_be_pinned() {
    let mut state = unpinned(super::today::stated());
    let engine = engine();
    let advised = Arc::clone(state.lanes.advice.answer().unwrap());
    let there = advised.advice.as_it_is.as_ref().unwrap();
    let others = Data::of(&state, &engine).others;
    let place = advised.advice.alternatives.iter().position(|a| a.layout == AS_IT_IS);
    let pin = others[place.unwrap()].pin.clone().unwrap();
    let changed = what_if(&advised.base(&engine).unwrap(), &pin.change).unwrap();
    assert_eq!(Some(&changed.deployment), there.candidate.deployment.as_ref());
    perform(&mut state, Command::edit(Edit::Pin(pin)));
    let data = Data::of(&state, &engine);
    assert_eq!(data.columns.len(), 2);
    assert_eq!(data.columns[1].title, "As it is today");
    assert_eq!(data.columns[1].problem, None);
}

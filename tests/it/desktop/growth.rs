//! The growth panel: figures, limits and charts over the years, and the horizon that is dragged.

use std::fmt::Write as _;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::growth::Data;
use plimsoll::desktop::panels::growth::years_drawn;
use plimsoll::desktop::panels::what_if::changed;
use plimsoll::desktop::state::State;

use super::painting::window;
use super::{engine, opened, perform};

fn open(example: usize) -> State {
    let mut state = opened(example);
    perform(&mut state, Command::Show(Panel::Growth));
    state
}

fn digest(data: &Data) -> String {
    let mut out = format!("horizon {} of {}; {}\n", data.horizon, data.bought_for, data.growth);
    out.push_str(&data.figures.text());
    out.push_str(&data.limits.text());
    for chart in &data.charts {
        let names: Vec<&str> = chart.series.iter().map(|s| s.name.as_str()).collect();
        let marks: Vec<&str> = chart.marks.iter().map(|m| m.label.as_str()).collect();
        writeln!(out, "{} to {}: {names:?} {marks:?}", chart.title, chart.x.range.1).unwrap();
    }
    out
}

/// The limits: when each comes, and what it is.
fn when_and_what(data: &Data) -> Vec<(String, String)> {
    let rows = data.limits.rows.iter();
    rows.map(|row| (row.cells[0].text.clone(), row.cells[1].text.clone())).collect()
}

#[test]
fn what_the_panel_shows() {
    insta::assert_snapshot!(digest(&Data::of(&open(0), &engine())));
}

#[test]
fn load_and_stores_grow_and_limits_come_in_order() {
    for example in 0..5 {
        let data = Data::of(&open(example), &engine());
        if data.waiting.is_some() {
            continue;
        }
        assert_eq!(data.charts.len(), 3);
        for chart in [&data.charts[0], &data.charts[2]] {
            for series in &chart.series {
                let values: Vec<f64> = series.points.iter().map(|p| p.1).collect();
                assert!(values.is_sorted(), "{example} {}: {values:?}", series.name);
            }
        }
        for series in data.charts.iter().flat_map(|chart| &chart.series) {
            for (x, low, high) in &series.band {
                assert!(low <= high, "{example} {} {x}", series.name);
            }
        }
        assert!(!when_and_what(&data).is_empty(), "{example}");
    }
}

#[test]
fn the_horizon_is_typed_dragged_and_given_back() {
    let mut window = window(open(0), [1280.0, 720.0], false);
    window.get_by_role_and_label(Role::SpinButton, "Horizon").click();
    window.run();
    window.event(egui::Event::Text("7 years".to_owned()));
    window.key_press(egui::Key::Enter);
    window.run();
    let state = &window.state().state;
    assert_eq!(state.scenario.horizon_years, Some(7.0));
    // The axis reaches to it: the years ahead were worked out anew.
    assert_eq!(years_drawn(state), 10.0);
    let drawn = state.lanes.growth.answer().unwrap().over_time.load_and_stores.years;
    assert_eq!(drawn, 10.0);
    let first = &Data::of(state, &engine()).figures.rows[0].cells;
    assert_eq!([first[0].text.as_str(), first[1].text.as_str()], ["Peak load in 7 years", "4.8 ×"]);
    let chart = window.get_by_label_contains("Load over the years:").rect();
    let from = chart.left_center() + egui::vec2(0.4 * chart.width(), 0.0);
    let to = from + egui::vec2(30.0, 0.0);
    window.drag_at(from);
    window.run();
    window.hover_at(to);
    window.run();
    window.drop_at(to);
    window.run();
    let dragged = window.state().state.scenario.horizon_years.unwrap();
    assert!(dragged != 7.0 && (3.0..7.0).contains(&dragged), "{dragged}");
    window.get_by_role_and_label(Role::Button, "Reset").click();
    window.run();
    assert_eq!(window.state().state.scenario.horizon_years, None);
}

/// Memory that growth uses up is a limit of its own where something else gives way before, and is said once.
#[test]
fn the_limits_tell_when_memory_is_used_up() {
    for (ram, is_today) in [("2 GiB", true), ("16 GiB", false), ("64 GiB", false)] {
        let mut state = open(0);
        let edit = changed(&state, |change| {
            change.answers.insert("server.ram".into(), ram.into());
        });
        perform(&mut state, Command::edit(edit));
        let limits = when_and_what(&Data::of(&state, &engine()));
        let memory = |what: &str| what.contains(" of memory at the peak and has ");
        let told: Vec<_> = limits.iter().filter(|(_, what)| memory(what)).collect();
        assert_eq!(told.len(), 1, "{ram}: {limits:?}");
        assert_eq!(told[0].0 == "today", is_today, "{ram}: {limits:?}");
    }
}

#[test]
fn more_time_makes_nothing_better() {
    let mut state = open(0);
    let factor = |state: &State| {
        let data = Data::of(state, &engine());
        let value = data.figures.rows[0].cells[1].text.trim_end_matches(" ×").to_owned();
        value.parse::<f64>().unwrap()
    };
    let near = factor(&state);
    perform(&mut state, Command::edit(Edit::Horizon(Some(4.5))));
    let far = factor(&state);
    assert!(far > near, "{near} {far}");
    // 25 % a year.
    assert!((far - 1.25_f64.powf(4.5)).abs() < 0.06, "{far}");
}

//! A click on a number lands on what it depends on most.

use std::collections::BTreeMap;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use plimsoll::advisor::size_drivers;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::what_if::changed;
use plimsoll::desktop::panels::{evidence, growth, recommendation, what_if};
use plimsoll::desktop::state::State;
use plimsoll::page::{Block, Table};
use plimsoll::site::Site;
use plimsoll::system::capacity::RoleSize;
use plimsoll::system::{Lens, Uncertain, predict_through};
use plimsoll::units::{Bytes, PerSecond};

use super::painting::{Window, window};
use super::{engine, opened, perform};

/// Clicks on a number; it lands on the origin `id`.
pub(super) fn lands_on(window: &mut Harness<'_, Window>, label: &str, id: Option<&str>) {
    let links: Vec<_> = window.get_all_by_role_and_label(Role::Link, label).collect();
    links[0].click();
    drop(links);
    window.run();
    let now = &window.state().state;
    assert_eq!((now.panel, now.origin.as_deref()), (Panel::Evidence, id));
}

/// Where figures of the panels lead, by what they tell.
fn leads(state: &State) -> BTreeMap<String, String> {
    let engine = engine();
    let mut all = BTreeMap::new();
    let mut add = |panel: &str, name: &str, id: Option<&String>| {
        if let Some(id) = id {
            all.insert(format!("{panel}: {name}"), id.clone());
        }
    };
    let data = recommendation::Data::of(state, &engine);
    for (kind, section) in [("response", "peak"), ("volume", "layout")] {
        for block in &data.section(section).expect("a section").blocks {
            match block {
                Block::Table(table) => {
                    for row in &table.rows {
                        let name = &row.cells[0].text;
                        for (head, cell) in table.heads.iter().zip(&row.cells) {
                            let about = (!cell.about.is_empty()).then_some(&cell.about);
                            add(kind, &format!("{name} {}", head.text), about);
                        }
                    }
                }
                Block::Bars(bars, _) => {
                    for bar in &bars.bars {
                        add("resource", &bar.label, (!bar.about.is_empty()).then_some(&bar.about));
                    }
                }
                _ => {}
            }
        }
    }
    // Of a table: the cell with its name, and the one that leads.
    let mut rows = |panel: &str, table: &Table, name: usize, leads: usize| {
        for row in table.rows.iter().filter(|row| !row.strong) {
            let about = &row.cells[leads].about;
            add(panel, &row.cells[name].text, (!about.is_empty()).then_some(about));
        }
    };
    rows("tile", &data.figures, 0, 1);
    let outcome = what_if::Data::of(state, &engine).outcome.expect("an answer");
    for table in [&outcome.times, &outcome.busy, &outcome.locks] {
        rows("what if", table, 0, 0);
    }
    let compared = state.lanes.comparison.answer().expect("a comparison");
    for block in &compared.blocks {
        if let Block::Table(table) = block {
            rows("compare", table, 0, 1);
        }
    }
    let data = growth::Data::of(state, &engine);
    rows("growth", &data.figures, 0, 1);
    rows("growth", &data.limits, 1, 0);
    all
}

#[test]
fn every_figure_hangs_on_something_that_can_be_explained() {
    for example in 0..5 {
        let mut state = opened(example);
        perform(&mut state, Command::Show(Panel::Growth));
        let leads = leads(&state);
        assert!(leads.len() > 25, "{example}: {leads:#?}");
        for kind in ["response", "resource", "tile", "volume", "what if", "compare", "growth"] {
            let found = leads.keys().filter(|name| name.starts_with(kind)).count();
            assert!(found > 1, "{example}, {kind}: {leads:#?}");
        }
        for (name, id) in leads {
            perform(&mut state, Command::Explain(id.clone()));
            let data = evidence::Data::of(&state, &engine());
            let origin = data.origin.expect("one is asked for");
            assert!(origin.explanation.is_some(), "{name}: {id}");
        }
    }
}

#[test]
fn what_a_figure_hangs_on_moves_it_as_is_told() {
    let state = opened(2);
    let engine = engine();
    let advice = &state.lanes.advice.answer().expect("advice").advice;
    let chosen = advice.chosen.as_ref().expect("a recommendation");
    let solve = |lens: Lens<'_>| {
        let (catalog, calibration) = (&engine.catalog, &engine.calibration);
        let deployment = &chosen.deployment;
        predict_through(lens, deployment, &advice.load, catalog, calibration).expect("it runs")
    };
    let usual = solve(Lens::default());
    let mut seen = 0;
    for (name, driver) in &chosen.prediction.main_drivers {
        // What the fit moves is moved with all that it scales.
        let Uncertain::Number(number) = &driver.number else {
            continue;
        };
        let used = &chosen.prediction.used[number];
        let Some(class) = crate::class(&usual, name) else {
            continue;
        };
        let factors = BTreeMap::from([(number.clone(), used.spread.exp())]);
        let shifted = solve(Lens::scaling(&factors));
        let ratio = crate::class(&shifted, name).expect("the same").p95.value / class.p95.value;
        assert!((ratio / driver.factor - 1.0).abs() < 1e-3, "{name}, {driver:?}: {ratio}");
        seen += 1;
    }
    assert!(seen > 0, "{:#?}", chosen.prediction.main_drivers);
}

/// So many times as much as an answer says, as it is typed.
fn times(site: &Site, field: &str, factor: f64) -> String {
    let work = &site.workload;
    let bytes = |bytes: Bytes| format!("{} B", (bytes.get() * factor).round());
    let daily = |rate: PerSecond| format!("{} /day", rate.get() * 86_400.0 * factor);
    let count = |count: f64| format!("{}", count * factor);
    match field {
        "data.db_size" => bytes(site.data.db_size.value),
        "data.file_size" => bytes(site.data.file_size.value),
        "data.depot_size" => bytes(site.data.depot_size.value),
        "protection.checkpoints_kept" => count(site.protection.checkpoints_kept.value),
        "protection.journals_kept" => count(site.protection.journals_kept.value),
        "workload.commands_per_day" => daily(work.commands_per_day.value),
        "workload.syncs_per_day" => daily(work.syncs_per_day.value),
        "workload.files_per_sync" => count(work.files_per_sync.value),
        "workload.peak_to_mean" => count(work.peak_to_mean.value),
        "infrastructure.client_links" => count(site.infrastructure.client_links.value),
        "workload.large_syncs_per_day" => daily(work.large_syncs_per_day.value),
        other => panic!("{other} is new here"),
    }
}

#[test]
fn the_size_of_a_volume_comes_from_the_answer_that_it_leads_to() {
    for example in 0..5 {
        let state = opened(example);
        let advised = state.lanes.advice.answer().expect("advice").clone();
        let before = &advised.advice.chosen.as_ref().expect("one").sizes;
        let engine = engine();
        let drivers = size_drivers(&advised.site, &engine.catalog, &engine.calibration);
        assert_eq!(drivers.len(), before.len(), "{drivers:#?}");
        for (role, field) in &drivers {
            let mut state = state.clone();
            let edit = changed(&state, |change| {
                let value = times(&advised.site, field, 2.0);
                change.answers.insert((*field).to_owned(), value);
            });
            perform(&mut state, Command::edit(edit));
            let problem = state.lanes.what_if.problem();
            assert_eq!(problem, None, "{example}: {role} by {field}");
            let tried = state.lanes.what_if.answer().expect("it can be had");
            let size = |sizes: &[RoleSize]| {
                let found = sizes.iter().find(|size| size.role == *role);
                found.expect("the same roles").data.get()
            };
            let ratio = size(&tried.after.sizes) / size(before);
            // Of a checkpoint, rotated journals are the rest; of a log, other work. Larger files are fewer, and a full link ends it.
            let moved = ratio.ln().abs().exp();
            assert!((1.2..2.0001).contains(&moved), "{example}: {role} by {field}: {ratio}");
        }
    }
}

#[test]
fn figures_of_a_volume_lead_to_the_answers_that_they_come_from() {
    let state = opened(0);
    let data = recommendation::Data::of(&state, &engine());
    let layout = &data.section("layout").expect("a section").blocks;
    let needs = layout.iter().find_map(|block| match block {
        Block::Table(table) if table.heads[1].text == "data today" => Some(table),
        _ => None,
    });
    let row = needs.expect("a table").rows.iter().find(|row| !row.strong);
    let cells: Vec<(String, String)> = row
        .expect("a role")
        .cells
        .iter()
        .filter(|cell| !cell.about.is_empty())
        .map(|cell| (cell.text.clone(), cell.about.clone()))
        .collect();
    let ids: Vec<&str> = cells.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(ids[..2], ["data.db_size", "data.db_growth"]);
    assert_eq!(ids.len(), 3, "size, growth, transfer: {ids:?}");
    for (label, id) in cells {
        let mut window = window(state.clone(), [1280.0, 6000.0], false);
        window.state_mut().state.panel = Panel::Recommendation;
        window.run();
        lands_on(&mut window, &label, Some(&id));
    }
}

#[test]
fn rows_bars_and_locks_of_a_what_if_lead_to_their_origins_and_back() {
    let mut state = opened(0);
    perform(&mut state, Command::Show(Panel::WhatIf));
    let outcome = what_if::Data::of(&state, &engine()).outcome.expect("an answer");
    let mut window = window(state, [1280.0, 3000.0], false);
    let mut led = 0;
    for table in [&outcome.times, &outcome.busy, &outcome.locks] {
        // Where nobody waits for a lock, none is listed.
        let mut names = table.rows.iter().map(|row| &row.cells[0]);
        let Some(name) = names.find(|name| !name.about.is_empty()) else {
            continue;
        };
        led += 1;
        lands_on(&mut window, &name.text, Some(&name.about));
        let state = &mut window.state_mut().state;
        perform(state, Command::Back);
        assert_eq!(state.panel, Panel::WhatIf);
        window.run();
    }
    assert!(led >= 2, "{led}");
    // A change keeps them.
    let change = changed(&window.state().state, |change| {
        change.years = 2.0;
    });
    perform(&mut window.state_mut().state, Command::edit(change));
    let data = what_if::Data::of(&window.state().state, &engine());
    let outcome = data.outcome.expect("an answer");
    let mut rows = outcome.times.rows.iter();
    assert!(rows.any(|row| !row.cells[0].about.is_empty()));
}

//! A click on a number lands on what it hangs on most.

use std::collections::BTreeMap;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::panels::{compare, evidence, growth, recommendation, what_if};
use plimsoll::desktop::state::{Panel, State};
use plimsoll::system::{Effort, Lens, predict_through};

use super::painting::window;
use super::{engine, opened, perform};

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
    for row in &data.responses {
        add("response", &row.name, row.hang.as_ref().map(|h| &h.id));
    }
    for row in &data.resources {
        add("resource", &row.name, row.hang.as_ref().map(|h| &h.id));
    }
    for row in &data.locks {
        add("lock", &row.name, row.hang.as_ref().map(|h| &h.id));
    }
    for tile in &data.tiles {
        add("tile", &tile.label, tile.origin.as_ref());
    }
    let outcome = what_if::Data::of(state, &engine)
        .outcome
        .expect("an answer");
    for row in &outcome.rows {
        add("what if", &row.name, row.hang.as_ref().map(|h| &h.id));
    }
    for row in &outcome.busy {
        add("what if", &row.name, row.hang.as_ref().map(|h| &h.id));
    }
    for row in &outcome.locks {
        add("what if", &row.name, row.hang.as_ref().map(|h| &h.id));
    }
    for group in &compare::Data::of(state, &engine).groups {
        for measure in &group.measures {
            add("compare", &measure.name, measure.figures[0].origin.as_ref());
        }
    }
    let data = growth::Data::of(state, &engine);
    for tile in &data.tiles {
        add("growth", &tile.title, tile.origin.as_ref());
    }
    for limit in &data.limits {
        add("growth", &limit.what, Some(&limit.origin.to_owned()));
    }
    all
}

#[test]
fn every_figure_hangs_on_something_that_can_be_explained() {
    for example in 0..5 {
        let mut state = opened(example);
        perform(&mut state, Command::Show(Panel::Growth));
        let leads = leads(&state);
        assert!(leads.len() > 25, "{example}: {leads:#?}");
        for kind in [
            "response", "resource", "tile", "what if", "compare", "growth",
        ] {
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
    let advice = &state.advice.answer().expect("advice").advice;
    let chosen = advice.chosen.as_ref().expect("a recommendation");
    let solve = |lens: Lens<'_>| {
        let (catalog, calibration) = (&engine.catalog, &engine.calibration);
        let (deployment, effort) = (&chosen.deployment, Effort::Search);
        predict_through(lens, deployment, &advice.load, catalog, calibration, effort)
            .expect("it runs")
    };
    let usual = solve(Lens::default());
    let mut seen = 0;
    for (name, sway) in &chosen.prediction.sways {
        // What the fit moves is moved with all that it scales.
        let Some(used) = chosen.prediction.used.get(&sway.number) else {
            continue;
        };
        let Some(class) = usual.class(name) else {
            continue;
        };
        let factors = BTreeMap::from([(sway.number.clone(), used.spread.exp())]);
        let shifted = solve(Lens::scaling(&factors));
        let ratio = shifted.class(name).expect("the same").p95.value / class.p95.value;
        assert!(
            (ratio / sway.factor - 1.0).abs() < 1e-6,
            "{name}, {sway:?}: {ratio}"
        );
        seen += 1;
    }
    assert!(seen > 0, "{:#?}", chosen.prediction.sways);
}

#[test]
fn rows_bars_and_locks_of_a_what_if_lead_to_their_origins_and_back() {
    let mut state = opened(0);
    perform(&mut state, Command::Show(Panel::WhatIf));
    let outcome = what_if::Data::of(&state, &engine())
        .outcome
        .expect("an answer");
    let rows = outcome.rows.iter().map(|row| (&row.name, &row.hang));
    let busy = outcome.busy.iter().map(|row| (&row.name, &row.hang));
    let locks = outcome.locks.iter().map(|row| (&row.name, &row.hang));
    let mut window = window(state, [1280.0, 3000.0], false);
    for mut kind in [rows.collect::<Vec<_>>(), busy.collect(), locks.collect()] {
        kind.retain(|(_, hang)| hang.is_some());
        let (name, hang) = kind.first().expect("one that leads somewhere");
        let links: Vec<_> = window.get_all_by_role_and_label(Role::Link, name).collect();
        links[0].click();
        drop(links);
        window.run();
        let state = &mut window.state_mut().state;
        let id = hang.as_ref().map(|hang| hang.id.as_str());
        assert_eq!(
            (state.panel, state.origin.as_deref()),
            (Panel::Evidence, id)
        );
        perform(state, Command::Back);
        assert_eq!(state.panel, Panel::WhatIf);
        window.run();
    }
    // A change keeps them.
    let change = plimsoll::desktop::update::changed(&window.state().state, |change| {
        change.years = 2.0;
    });
    perform(&mut window.state_mut().state, Command::edit(change));
    let data = what_if::Data::of(&window.state().state, &engine());
    let outcome = data.outcome.expect("an answer");
    assert!(outcome.rows.iter().any(|row| row.hang.is_some()));
}

//! The recommendation: what it shows, and where its links lead.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::compare;
use plimsoll::desktop::panels::recommendation::{Data, text};
use plimsoll::desktop::presets;
use plimsoll::desktop::state::State;
use plimsoll::page::{Block, Row, Table};
use plimsoll::report::advice_text;

use super::painting::window;
use super::{engine, opened, perform};

/// What stands above the report, which has tests of its own.
fn shown(example: usize) -> String {
    let data = Data::of(&opened(example), &engine());
    let answer = data.answer.unwrap();
    let tables = [data.figures, answer.limits_table(), answer.questions_table()];
    let texts = tables.map(|table| table.text());
    format!("{}\n{}", answer.sentence(), texts.join("\n"))
}

/// What a section of the report is made of.
fn blocks<'d>(data: &'d Data, section: &str) -> &'d [Block] {
    &data.section(section).unwrap().blocks
}

/// Its tables.
fn tables<'d>(data: &'d Data, section: &str) -> Vec<&'d Table> {
    let tables = blocks(data, section).iter().filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

#[test]
fn what_is_recommended_to_a_studio() {
    insta::assert_snapshot!("desktop_recommendation_studio", shown(0));
}

#[test]
fn what_is_recommended_to_a_laboratory() {
    insta::assert_snapshot!("desktop_recommendation_lab", shown(2));
}

#[test]
fn a_time_says_why_its_mean_is_above_the_95th_percentile() {
    for example in 0..presets::EXAMPLES.len() {
        let state = opened(example);
        let data = Data::of(&state, &engine());
        let advised = state.lanes.advice.answer().unwrap();
        let chosen = advised.advice.chosen.as_ref().unwrap();
        let awaited = chosen.prediction.classes.iter();
        let awaited = awaited.filter(|class| class.work.is_awaited());
        let times = &tables(&data, "peak")[0];
        for (row, class) in times.rows.iter().zip(awaited) {
            let mean = &row.cells[1];
            let says = mean.more.contains("mean is above the 95th percentile");
            assert_eq!(says, class.mean.value > class.p95.value, "{}", class.name);
        }
    }
}

#[test]
fn every_example_has_its_figures_drawing_and_reasons() {
    for example in 0..presets::EXAMPLES.len() {
        let state = opened(example);
        let data = Data::of(&state, &engine());
        let advised = state.lanes.advice.answer().unwrap();
        let chosen = advised.advice.chosen.as_ref().unwrap();
        assert_eq!(data.waiting, None);
        assert_eq!(data.answer.as_ref(), Some(&advised.answer));
        assert_eq!(data.rough, None);
        assert_eq!(data.figures.rows.len(), 3, "{:#?}", data.figures);
        assert!(data.diagram().is_some());
        let page = data.page.as_ref().unwrap();
        assert!(Arc::ptr_eq(page, &advised.page), "worked out once");
        let numbers = tables(&data, "numbers")[0].rows.len();
        assert!(numbers >= chosen.prediction.used.len(), "{numbers}");
        let needs = tables(&data, "layout");
        let needs = needs.iter().find(|table| table.heads[1].text == "data today");
        let roles = needs.unwrap().rows.iter().filter(|row| !row.strong).count();
        let held: usize = chosen.deployment.volumes.iter().map(|v| v.roles.len()).sum();
        assert!(roles >= held, "no role is lost: {roles} of {held}");
        let busy = blocks(&data, "peak").iter().find_map(|block| match block {
            Block::Bars(bars, _) => Some(&bars.bars),
            _ => None,
        });
        assert!(busy.unwrap().is_sorted_by(|a, b| a.value >= b.value));
    }
}

#[test]
fn the_text_is_that_of_the_command_line() {
    let state = opened(2);
    let advised = state.lanes.advice.answer().unwrap();
    let wanted = advice_text(advised.inputs(&engine()), &advised.advice);
    assert_eq!(text(&state, &engine()), wanted);
}

#[test]
fn without_advice_it_says_why() {
    let data = Data::of(&State::default(), &engine());
    assert!(data.waiting.unwrap().contains("Answer the questions first"));
    assert!(data.figures.is_empty());
}

#[test]
fn a_finding_leads_to_its_rule_and_to_its_evidence() {
    let mut state = opened(2);
    state.panel = Panel::Recommendation;
    let answer = Data::of(&state, &engine()).answer.unwrap();
    let finding = answer.findings[0].clone();
    let evidence = finding.evidence.iter().find(|(id, _)| id != "model");
    let names = [Some(finding.rule.to_owned()), evidence.map(|(id, _)| id.clone())];
    for name in names.into_iter().flatten() {
        let mut window = window(state.clone(), [1280.0, 4000.0], false);
        let all: Vec<_> = window.get_all_by_label(&name).collect();
        all[0].click();
        drop(all);
        window.run();
        let now = &window.state().state;
        assert_eq!((now.panel, now.origin.as_deref()), (Panel::Evidence, Some(&*name)));
    }
}

#[test]
fn a_tile_leads_to_the_answer_that_it_hangs_on() {
    let mut state = opened(0);
    state.panel = Panel::Recommendation;
    let mut window = window(state, [1280.0, 6000.0], true);
    window.get_by_label_contains("First limit: ").click();
    window.run();
    assert_eq!(window.state().state.origin.as_deref(), Some("data.db_growth"));
}

#[test]
fn an_alternative_is_pinned_and_let_go_again() {
    let mut state = super::compare::unpinned(0);
    state.panel = Panel::Compare;
    let other = compare::Data::of(&state, &engine()).others[0].clone();
    let name = other.pin.unwrap().name;
    let mut window = window(state, [1280.0, 9000.0], false);
    window.get_by_label(&format!("Pin {name}")).click();
    window.run();
    assert_eq!(window.state().state.scenario.pins.len(), 1);
    window.get_by_label(&format!("Unpin {name}")).click();
    window.run();
    assert!(window.state().state.scenario.pins.is_empty());
    perform(&mut window.state_mut().state, Command::Undo);
    let pins = window.state().state.scenario.pins.len();
    assert_eq!(pins, 1, "it can be undone");
}

#[test]
fn few_answers_are_marked_as_rough() {
    let mut state = State::default();
    perform(&mut state, Command::New);
    let rough = Data::of(&state, &engine()).rough.unwrap();
    assert!(rough.starts_with("rough: 2 of "), "{rough}");
    state.panel = Panel::Recommendation;
    let window = window(state, [1280.0, 720.0], false);
    window.get_by_label(&rough);
}

#[test]
fn the_verdict_is_on_the_first_screen_with_the_drawing_and_what_to_do() {
    let mut state = opened(0);
    state.panel = Panel::Recommendation;
    let window = window(state.clone(), [1280.0, 720.0], false);
    let advised = state.lanes.advice.answer().unwrap();
    let headline = window.get_by_label(&advised.answer.verdict[0].text).rect();
    let drawing = window.get_by_label_contains("The layout, drawn").rect();
    let todo = window.get_by_label("What to do first").rect();
    assert!(headline.bottom() < 200.0 && todo.bottom() < 500.0);
    assert!(drawing.bottom() < 692.0, "{drawing:?}");
}

#[test]
fn a_finding_of_the_first_screen_is_shown_in_full() {
    let mut state = opened(0);
    state.panel = Panel::Recommendation;
    let findings = Data::of(&state, &engine()).answer.unwrap().findings;
    let longest = findings.iter().take(3).max_by_key(|f| f.message.len());
    let message = longest.unwrap().message.clone();
    let window = window(state, [420.0, 4000.0], false);
    let shown = window.get_all_by_label(&message).map(|node| node.rect());
    let first = shown.min_by(|a, b| a.top().total_cmp(&b.top())).unwrap();
    let style = window.ctx.global_style();
    let small = egui::TextStyle::Small.resolve(&style);
    let whole = window.ctx.fonts_mut(|fonts| fonts.layout(message, small, egui::Color32::BLACK, first.width() + 1.0));
    assert!(whole.rows.len() > 2, "it needs more than two lines");
    assert!(first.height() >= whole.size().y - 1.0, "{first:?}");
}

#[test]
fn a_missed_target_is_marked() {
    let mut state = opened(0);
    perform(
        &mut state,
        Command::edit(Edit::Answer { field: "targets.submit".to_owned(), value: Some("1 ms".to_owned()) }),
    );
    let data = Data::of(&state, &engine());
    let is_missed = |row: &Row| {
        let said = |text: &str| row.cells.iter().any(|cell| cell.text == text);
        row.cells[0].text.starts_with("submit of 10 files") && said("1 ms") && said("missed")
    };
    let times = tables(&data, "peak")[0];
    assert!(times.rows.iter().any(is_missed), "{times:#?}");
    let [label, figure] = &data.figures.rows[0].cells[..] else {
        panic!("what it is, and the figure");
    };
    assert!(label.text.starts_with("Submit") && figure.below.contains("missed"));
    state.panel = Panel::Recommendation;
    window(state, [1280.0, 6000.0], true).run();
}

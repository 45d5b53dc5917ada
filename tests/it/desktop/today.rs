//! Today's system and what to change first, and the comparison with another site.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use plimsoll::advisor::Prepared;
use plimsoll::advisor::advise;
use plimsoll::advisor::today::towards;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::dialog::{Dialog, Purpose};
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::inquiry::Part;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::compare::CompareCommand;
use plimsoll::desktop::panels::compare::OtherSite;
use plimsoll::desktop::panels::today::Data;
use plimsoll::desktop::presets;
use plimsoll::desktop::state::State;
use plimsoll::page::{Block, Section};
use plimsoll::report::TodayAnswer;

use super::painting::window;
use super::{engine, opened, perform};

/// The example that states what is there, with its system of today looked at.
fn looked_at(example: usize) -> State {
    let mut state = opened(example);
    perform(&mut state, Command::Show(Panel::Today));
    state
}

/// One that says what is there, and one that does not.
pub(super) fn stated() -> usize {
    let examples = presets::EXAMPLES.iter();
    let mut stated = examples
        .enumerate()
        .filter(|(_, (_, text))| text.contains("[[today.volume]]") || text.contains("current_layout ="));
    stated.next().map_or(0, |(place, _)| place)
}

#[test]
fn the_panel_shows_the_answer_of_the_command_line() {
    let state = looked_at(stated());
    let data = Data::of(&state);
    let found = data.found.as_ref().unwrap();
    let engine = engine();
    let read = state.reading.site.clone().unwrap();
    let Prepared { site, catalog } = &engine.prepared(read);
    let calibration = &engine.calibration;
    let advice = advise(site, &engine.vocabulary, catalog, calibration);
    let answer = towards(site, catalog, calibration, Some(&advice)).unwrap();
    let answer = TodayAnswer::of(site, catalog, &answer);
    assert_eq!(found.answer, answer);
    assert!(!found.is_assumed);
    let table = answer.changes_table();
    let rows = || table.rows.iter().filter(|row| !row.strong);
    let shown = rows().count();
    let pair = usize::from(answer.pair.is_some());
    let wanted = answer.plan.len() + answer.changes.len() + pair + answer.no_gain.len();
    assert_eq!(shown, wanted);
    let mut names: Vec<&str> = rows().map(|row| row.anchor.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), shown, "each can be chosen");
}

#[test]
fn what_the_panel_shows() {
    let data = Data::of(&looked_at(stated()));
    insta::assert_snapshot!(data.found.unwrap().answer.changes_table().text());
}

#[test]
fn a_change_is_chosen_and_its_steps_are_shown() {
    let mut window = window(looked_at(stated()), [1280.0, 3000.0], false);
    let data = Data::of(&window.state().state);
    let answer = &data.found.as_ref().unwrap().answer;
    let table = answer.changes_table();
    let last = table.rows.last().unwrap();
    let links: Vec<_> = window.get_all_by_role_and_label(Role::Link, &last.cells[0].text).collect();
    links.last().unwrap().click();
    drop(links);
    window.run();
    let selected = Data::of(&window.state().state).selected;
    assert_eq!(selected.as_ref(), Some(&last.anchor));
    let part = &answer.no_gain.last().unwrap().changes[0];
    window.get_by_label(&part.risk_and_cost());
    assert!(!part.steps.is_empty());
}

#[test]
fn an_answer_that_is_not_there_is_asked_for_and_the_panel_leads_to_it() {
    let mut state = opened(0);
    let text = "schema = 1\nname = \"A\"\n[people]\ndevelopers = 100\n";
    perform(&mut state, Command::edit(plimsoll::desktop::command::Edit::Text(text.into())));
    perform(&mut state, Command::Show(Panel::Today));
    let data = Data::of(&state);
    assert!(data.found.as_ref().unwrap().is_assumed);
    let mut window = window(state, [1280.0, 800.0], true);
    window.get_by_label("Describe today's volumes").click();
    window.run();
    let now = &window.state().state;
    assert_eq!((now.panel, now.inquiry.part), (Panel::Questionnaire, Part::Today));
}

#[test]
fn the_answer_follows_the_questions_and_is_not_asked_twice() {
    let engine = engine();
    let mut state = opened(stated());
    let asks = |effects: &[Effect]| {
        let asked = effects.iter().filter(
            |effect| matches!(effect, Effect::Ask(q) if matches!(q.asked, plimsoll::desktop::answer::Asked::Today(_))),
        );
        asked.count()
    };
    let update = plimsoll::desktop::update::update;
    let first = update(&mut state, Command::Show(Panel::Today), &engine);
    let again = update(&mut state, Command::Show(Panel::Today), &engine);
    assert_eq!((asks(&first), asks(&again)), (1, 0));
    let edit = Command::answer("people.developers", "77");
    assert_eq!(asks(&update(&mut state, edit, &engine)), 1);
    let elsewhere = update(&mut state, Command::Show(Panel::Report), &engine);
    assert_eq!(asks(&elsewhere), 0);
}

#[test]
fn another_site_is_compared_and_let_go() {
    let mut state = opened(0);
    perform(&mut state, Command::Compare(CompareCommand::Ask));
    assert!(matches!(state.dialog, Some(Dialog::File { purpose: Purpose::Other, .. })));
    assert_eq!(state.panel, Panel::Compare);
    let text = state.scenario.text.replace("developers = 350", "developers = 3000");
    assert_ne!(text, *state.scenario.text);
    let read =
        |text: &str| Command::Compare(CompareCommand::Opened { path: "other.toml".into(), text: Ok(text.to_owned()) });
    perform(&mut state, read(&text));
    assert_eq!(state.dialog, None);
    let other = OtherSite::of(&state);
    let found = other.found.unwrap();
    let rows = |sections: &[Section], anchor: &str| -> Vec<Vec<String>> {
        let blocks = sections.iter().filter(|s| s.anchor == anchor).flat_map(|s| &s.blocks);
        let rows = blocks.flat_map(|block| match block {
            Block::Table(table) => table.rows.as_slice(),
            _ => &[],
        });
        rows.map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect()).collect()
    };
    let answers = rows(&found.sections, "answers");
    assert_eq!(answers[0][0..3], ["people.developers", "350", "3000"]);
    assert!(!rows(&found.sections, "results").is_empty());
    // It follows the site.
    perform(&mut state, Command::answer("people.developers", "3000"));
    let same = OtherSite::of(&state).found.unwrap();
    assert!(rows(&same.sections, "answers").is_empty());
    let mut window = window(state, [1280.0, 800.0], false);
    window.get_by_label("Close the other site").click();
    window.run();
    let mut state = window.state().state.clone();
    assert_eq!((&state.other, state.lanes.against.answer().is_some()), (&None, false));
    // What is no site says so, and so does what cannot be read.
    perform(&mut state, read("developers = "));
    let problem = OtherSite::of(&state).waiting.unwrap();
    assert!(problem.starts_with("other.toml: "), "{problem}");
    perform(&mut state, read("{}"));
    let problem = OtherSite::of(&state).waiting.unwrap();
    assert!(problem.contains("it is no answer of"), "{problem}");
}

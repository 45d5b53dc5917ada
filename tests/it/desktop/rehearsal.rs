//! A saved rehearsal in the window, and the command where there is none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::kinds::{FileKind, known};
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::rehearsal::RehearsalCommand;
use plimsoll::desktop::state::State;
use plimsoll::page::Block;
use plimsoll::page::page_text;
use plimsoll::rehearse::{self, Rehearsed};

use super::painting::{paints_at_any_size, window};
use super::{opened, perform};

const SAVED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rehearsal.toml");
const SITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rehearsal-site.toml");

fn read(state: &mut State, read: Result<Rehearsed, String>) {
    let read = RehearsalCommand::Opened("/mnt/rehearsal.toml".into(), read.map(Arc::new));
    perform(state, Command::Rehearsal(read));
}

/// The window with the saved rehearsal. No font of the tests has a sign for what is written for harmful characters.
fn looked_at(mut state: State) -> State {
    let mut found = Rehearsed::load(Path::new(SAVED)).expect("a saved rehearsal");
    "/mnt/journal".clone_into(&mut found.environment.journal_folder);
    read(&mut state, Ok(found));
    state
}

#[test]
fn a_saved_rehearsal_shows_what_the_command_line_printed() {
    let mut state = looked_at(opened(2));
    // It stays while another panel is open.
    perform(&mut state, Command::Show(Panel::Questionnaire));
    perform(&mut state, Command::Show(Panel::Rehearsal));
    let shown = state.rehearsal.clone().expect("a result");
    assert_eq!(*shown.page, rehearse::page(&shown.found));
    insta::assert_snapshot!(page_text(&shown.page));
    let Some(Block::Lead(judgement)) = shown.page.sections[0].blocks.first() else {
        panic!("{:?}", shown.page);
    };
    paints_at_any_size(&state);
    let window = window(state, [1280.0, 2000.0], true);
    window.get_by_label(judgement);
}

#[test]
fn a_result_is_opened_by_dropping_it_with_or_without_a_site() {
    let kinds = known(vec![SAVED.into(), SITE.into()]);
    let kind = |path: &str| kinds.iter().find(|(p, _)| p == Path::new(path)).expect("it").1;
    assert_eq!([SAVED, SITE].map(kind), [FileKind::Rehearsal, FileKind::Site]);
    let mut state = State::default();
    let dropped = vec![(PathBuf::from(SAVED), FileKind::Rehearsal)];
    let effects = perform(&mut state, Command::Dropped(dropped));
    assert_eq!(effects, [Effect::ReadRehearsal(SAVED.into())]);
    let mut state = looked_at(state);
    assert!(!state.is_begun() && state.shows_panel());
    // What is none says so.
    let none = Rehearsed::load(Path::new(SITE)).map_err(|error| error.to_string());
    read(&mut state, none);
    assert!(state.notice.as_ref().expect("a notice").is_problem);
    assert!(state.rehearsal.is_some(), "the one before stays");
}

#[test]
fn without_a_result_the_panel_names_the_command() {
    let mut state = opened(2);
    state.file = Some("/mnt/my site.toml".into());
    perform(&mut state, Command::Show(Panel::Rehearsal));
    paints_at_any_size(&state);
    let mut window = window(state, [1280.0, 900.0], false);
    window.get_by_label("plimsoll rehearse '/mnt/my site.toml' --at DIR --save rehearsal.toml");
    window.get_by_label("Copy the command").click();
    window.run();
    let notice = window.state().state.notice.clone().expect("a notice");
    assert_eq!(notice.text, "copied the command");
}

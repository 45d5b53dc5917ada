//! What commands do to the state.

use std::path::PathBuf;
use std::sync::Arc;

use plimsoll::advisor::what_if::Change;
use plimsoll::desktop::actions::ACTIONS;
use plimsoll::desktop::answer::LaneName;
use plimsoll::desktop::command::{Command, Edit};
use plimsoll::desktop::dialog::{Dialog, Purpose};
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::files::Unsaved;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::report::ReportCommand;
use plimsoll::desktop::panels::simulate::SimulateCommand;
use plimsoll::desktop::panels::what_if::changed;
use plimsoll::desktop::preferences::Preferences;
use plimsoll::desktop::state::{Pin, State};
use plimsoll::desktop::update::update;
use plimsoll::desktop::{export, presets};
use plimsoll::files::{Over, checksum};
use proptest::prelude::*;

use super::{engine, opened, perform};

fn answer(field: &str, value: &str) -> Command {
    Command::edit(Edit::Answer { field: field.to_owned(), value: Some(value.to_owned()) })
}

#[test]
fn an_answer_changes_the_text_and_the_advice_follows() {
    let mut state = opened(0);
    let before = state.lanes.advice.answer().cloned();
    perform(&mut state, answer("people.developers", "700"));
    assert!(state.scenario.text.contains("developers = 700"));
    assert!(state.scenario.text.contains("# everybody with a Perforce user"), "comments stay");
    let after = state.lanes.advice.answer().cloned();
    let load = |advised: &plimsoll::desktop::answer::Advised| advised.advice.load.connections;
    let (before, after) = (before.map(|a| load(&a)), after.map(|a| load(&a)));
    assert!(after > before, "{before:?} {after:?}");
}

#[test]
fn a_wrong_answer_keeps_the_last_right_advice_and_tells_where_it_is() {
    let mut state = opened(0);
    let advice = state.lanes.advice.clone();
    perform(&mut state, answer("data.db_size", "3 apples"));
    assert_eq!(state.lanes.advice, advice);
    assert!(state.reading.site.is_none());
    assert!(state.reading.last.is_some());
    assert!(state.reading.problem("data.db_size").is_some());
    perform(&mut state, Command::Undo);
    assert!(state.reading.problems.is_empty(), "{:?}", state.reading.problems);
    assert!(state.reading.site.is_some());
}

#[test]
fn keystrokes_in_one_field_are_one_step() {
    let mut state = opened(0);
    for typed in ["4", "40", "400"] {
        perform(&mut state, Command::answer("people.developers", typed));
    }
    assert_eq!(state.past.len(), 1);
    perform(&mut state, Command::answer("data.files", "5"));
    assert_eq!(state.past.len(), 2);
    perform(&mut state, Command::Undo);
    perform(&mut state, Command::Undo);
    assert!(state.scenario.text.contains("developers = 350 "));
    assert!(!state.is_dirty());
}

#[test]
fn a_late_answer_is_dropped() {
    let mut state = opened(0);
    let engine = engine();
    let edit = |users: &str| answer("people.developers", users);
    let asked = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Ask(question) => Some(question.clone()),
            _ => None,
        })
    };
    let first = asked(&update(&mut state, edit("400"), &engine));
    let second = asked(&update(&mut state, edit("500"), &engine));
    let answered = |question: Option<plimsoll::desktop::answer::Question>| {
        question.and_then(|question| super::answer(&engine, question))
    };
    let (first, second) = (answered(first), answered(second));
    let users = |state: &State| {
        let site = state.lanes.advice.answer().map(|advised| advised.site.clone());
        site.map(|site| site.people.developers.value)
    };
    assert!(update(&mut state, first.unwrap(), &engine).is_empty());
    assert_eq!(users(&state), Some(350.0));
    let effects = update(&mut state, second.unwrap(), &engine);
    assert!(!effects.is_empty(), "what-if follows");
    assert_eq!(users(&state), Some(500.0));
}

#[test]
fn unsaved_work_is_never_lost_without_a_question() {
    for then in [Command::New, Command::Close, Command::Open("b.toml".into())] {
        let mut state = opened(0);
        perform(&mut state, answer("people.developers", "400"));
        let text = state.scenario.text.clone();
        perform(&mut state, then.clone());
        assert!(matches!(state.dialog, Some(Dialog::Unsaved { .. })), "{then:?}");
        assert_eq!(state.scenario.text, text);
        // Not now.
        perform(&mut state, Command::Dismiss);
        assert_eq!(state.dialog, None);
        // Give it up.
        perform(&mut state, then.clone());
        let effects = perform(&mut state, Command::Discard);
        match then {
            Command::Close => assert!(effects.contains(&Effect::Close)),
            Command::Open(path) => assert!(effects.contains(&Effect::Read(path))),
            _ => assert_ne!(state.scenario.text, text),
        }
    }
}

#[test]
fn saving_first_does_what_was_asked_for_after_it() {
    let mut state = opened(0);
    perform(&mut state, Command::SaveAs("a.toml".into()));
    let path = PathBuf::from("a.toml");
    let saved = |state: &State, problem: Option<Unsaved>| Command::Saved {
        path: path.clone(),
        text: state.scenario.text.clone(),
        problem,
    };
    let done = saved(&state, None);
    perform(&mut state, done);
    perform(&mut state, answer("people.developers", "400"));
    perform(&mut state, Command::Close);
    let effects = perform(&mut state, Command::Confirm);
    assert!(matches!(&effects[..], [Effect::Write { .. }]), "{effects:?}");
    // The disk is full: the window stays, and so does the question.
    let failed = saved(&state, Some(full()));
    perform(&mut state, failed);
    assert!(!state.is_leaving && state.is_dirty() && state.dialog.is_some());
    let done = saved(&state, None);
    let effects = perform(&mut state, done);
    assert!(state.is_leaving && effects.contains(&Effect::Close));
}

#[test]
fn a_site_without_file_is_saved_under_a_name_first() {
    let mut state = opened(0);
    perform(&mut state, answer("people.developers", "400"));
    let ask = |state: &mut State| {
        perform(state, Command::Close);
        perform(state, Command::Confirm);
        assert!(matches!(state.dialog, Some(Dialog::File { purpose: Purpose::SaveAs { .. }, .. })));
    };
    // Not now: neither is the window closed by a later save.
    ask(&mut state);
    perform(&mut state, Command::Dismiss);
    assert_eq!(state.dialog, None);
    let path = PathBuf::from("b.toml");
    let write =
        |state: &State| Effect::Write { path: path.clone(), text: state.scenario.text.clone(), over: Over::Nothing };
    let saved = |state: &State, problem: Option<Unsaved>| Command::Saved {
        path: path.clone(),
        text: state.scenario.text.clone(),
        problem,
    };
    let mut other = state.clone();
    let done = saved(&other, None);
    perform(&mut other, done);
    assert!(!other.is_leaving && !other.is_dirty());

    ask(&mut state);
    perform(&mut state, Command::Type("b.toml".to_owned()));
    let mut effects = perform(&mut state, Command::Confirm);
    let Some(Effect::Write { path: named, .. }) = effects.pop() else {
        panic!("{effects:?}");
    };
    assert!(named.ends_with("b.toml") && !state.is_leaving);
    // The disk is full: the question stays.
    let failed = saved(&state, Some(full()));
    perform(&mut state, failed);
    assert!(!state.is_leaving && matches!(state.dialog, Some(Dialog::Unsaved { .. })));
    let effects = perform(&mut state, Command::SaveAs(path.clone()));
    assert_eq!(effects, [write(&state)]);
    ask(&mut state);
    perform(&mut state, Command::Confirm);
    let done = saved(&state, None);
    let effects = perform(&mut state, done);
    assert!(state.is_leaving && effects.contains(&Effect::Close));
}

#[test]
fn another_file_is_replaced_only_when_it_was_said_twice() {
    let mut state = opened(0);
    let folder = PathBuf::from("folder");
    perform(&mut state, Command::AskSaveAs);
    let listed =
        Command::Listed { folder: folder.clone(), entries: Ok(vec!["sub/".to_owned(), "theirs.toml".to_owned()]) };
    perform(&mut state, listed);
    perform(&mut state, Command::Type("theirs.toml".to_owned()));
    assert_eq!(perform(&mut state, Command::Confirm), []);
    let asked = |state: &State| match &state.dialog {
        Some(Dialog::File { browser, .. }) => browser.problem.is_some(),
        other => panic!("{other:?}"),
    };
    assert!(asked(&state));
    // Another name is another question.
    perform(&mut state, Command::Type("mine.toml".to_owned()));
    assert!(!asked(&state));
    perform(&mut state, Command::Type("theirs.toml".to_owned()));
    perform(&mut state, Command::Confirm);
    let effects = perform(&mut state, Command::Confirm);
    let path = folder.join("theirs.toml");
    let [Effect::Write { path: at, over, .. }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!((at, *over), (&path, Over::Anything));
}

#[test]
fn a_file_that_somebody_changed_meanwhile_is_replaced_only_when_it_was_said_twice() {
    let mut state = opened(0);
    let path = PathBuf::from("mine.toml");
    let over = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Write { over, .. }] => *over,
        other => panic!("{other:?}"),
    };
    // A name that no list showed.
    assert_eq!(over(perform(&mut state, Command::SaveAs(path.clone()))), Over::Nothing);
    let saved = |state: &State, problem: Option<Unsaved>| Command::Saved {
        path: path.clone(),
        text: state.scenario.text.clone(),
        problem,
    };
    let done = saved(&state, None);
    perform(&mut state, done);
    let as_it_was = Over::Same(checksum(state.saved.bytes()));
    perform(&mut state, answer("people.developers", "400"));
    assert_eq!(over(perform(&mut state, Command::Save)), as_it_was);
    let changed = Unsaved { reason: "was changed".to_owned(), may_insist: true };
    let failed = saved(&state, Some(changed));
    perform(&mut state, failed.clone());
    assert_eq!(over(perform(&mut state, Command::Save)), Over::Anything);
    // A full disk is another matter: what is there is looked at anew.
    let full = saved(&state, Some(full()));
    perform(&mut state, full);
    assert_eq!(over(perform(&mut state, Command::Save)), as_it_was);
    perform(&mut state, failed);
    let other = Command::SaveAs("other.toml".into());
    assert_eq!(over(perform(&mut state, other)), Over::Nothing);
}

fn full() -> Unsaved {
    Unsaved { reason: "no space".to_owned(), may_insist: false }
}

#[test]
fn a_what_if_becomes_the_site_when_it_is_taken_over() {
    let mut state = opened(0);
    let edit = changed(&state, |change: &mut Change| {
        let answers = &mut change.answers;
        answers.insert("people.developers".to_owned(), "700".to_owned());
        answers.insert("server.ram".to_owned(), "512 GiB".to_owned());
    });
    perform(&mut state, Command::edit(edit));
    let tried = state.lanes.what_if.answer().map(|tried| tried.after.site.people.developers.value);
    assert_eq!(tried, Some(700.0));
    assert!(!state.is_dirty(), "a what-if changes no answer");
    perform(&mut state, Command::edit(Edit::TakeOver));
    assert!(state.scenario.text.contains("developers = 700"));
    assert!(state.scenario.text.contains("ram = \"512 GiB\""));
    assert!(state.scenario.change.is_none());
}

#[test]
fn recovered_work_counts_as_unsaved() {
    let mut state = State::default();
    let text = presets::EMPTY.to_owned();
    perform(&mut state, Command::Recovered { file: None, text });
    // The first commands come before the answer.
    perform(&mut state, Command::Preset(presets::EXAMPLES[2].0));
    assert!(matches!(state.dialog, Some(Dialog::Recover { .. })));
    let effects = perform(&mut state, Command::Confirm);
    assert!(state.is_dirty() && state.dialog.is_none());
    assert_eq!(effects.last(), Some(&Effect::TakeFound), "it is not saved");
    assert!(state.lanes.advice.answer().is_some());
}

#[test]
fn a_name_without_ending_gets_one_and_a_folder_is_looked_into() {
    let mut state = opened(0);
    let listed = Command::Listed {
        folder: "/sites".into(),
        entries: Ok(["old/", "a.toml", "b.md"].map(str::to_owned).to_vec()),
    };
    perform(&mut state, Command::AskSaveAs);
    perform(&mut state, listed.clone());
    perform(&mut state, Command::Type("old".to_owned()));
    let effects = perform(&mut state, Command::Confirm);
    assert_eq!(effects, [Effect::List("/sites/old".into())]);
    perform(&mut state, Command::Type("mysite".to_owned()));
    let effects = perform(&mut state, Command::Confirm);
    let [Effect::Write { path, .. }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(*path, PathBuf::from("/sites/mysite.toml"));
    // The arrow keys choose from the list; files of other kinds are left out.
    perform(&mut state, Command::AskOpen);
    perform(&mut state, listed);
    for (step, typed) in [(1, "old/"), (1, "a.toml"), (1, "a.toml"), (-1, "old/")] {
        perform(&mut state, Command::Step(step));
        match &state.dialog {
            Some(Dialog::File { browser, .. }) => assert_eq!(browser.typed, typed),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn recent_files_are_found_from_any_folder() {
    let text = "recent = [\"site.toml\", \"/sites/a.toml\"]";
    let preferences = Preferences::parse(text);
    assert_eq!(preferences.recent, [PathBuf::from("/sites/a.toml")]);
    // A file in the folder that the window was started in.
    let mut state = opened(0);
    state.file = Some("site.toml".into());
    let effects = perform(&mut state, Command::AskOpen);
    assert_eq!(effects, [Effect::List(".".into())]);
}

#[test]
fn a_hand_over_is_asked_for_and_can_be_opened() {
    let mut state = opened(0);
    state.file = Some("/sites/acme.toml".into());
    assert!(export::handover_files(&state).len() > 3);
    perform(&mut state, Command::Report(ReportCommand::AskHandover));
    let effects = perform(&mut state, Command::Confirm);
    let folder = PathBuf::from("/sites/acme-handover");
    assert_eq!(effects, [Effect::Handover(folder.clone())]);
    let written = Ok(9);
    let done = Command::Report(ReportCommand::HandedOver { folder: folder.clone(), written });
    perform(&mut state, done);
    let notice = state.notice.expect("it is said");
    assert_eq!(notice.folder, Some(folder));
    let fresh = std::env::temp_dir().join(format!("plimsoll-handover-{}", std::process::id()));
    let state = opened(0);
    let written = export::handover(&fresh, &state, &engine());
    assert_eq!(written, Ok(export::handover_files(&state).len()));
    assert!(fresh.join("report.html").is_file() && fresh.join("config").is_dir());
    drop(std::fs::remove_dir_all(&fresh));
}

/// Commands as a person, a restless one, might give them.
fn commands() -> impl Strategy<Value = Command> {
    let fields = prop::sample::select(vec![
        "name",
        "people.developers",
        "people.site.0.name",
        "people.site.7.round_trip",
        "data.db_size",
        "infrastructure.protocols",
        "infrastructure.dedicated",
        "targets.submit",
        "no.such.field",
    ]);
    let typed = prop_oneof![
        Just("400".to_owned()),
        Just("34 GiB".to_owned()),
        Just("nfsv3, fc".to_owned()),
        Just("\"".to_owned()),
        "\\PC{0,12}",
    ];
    let edits = prop_oneof![
        4 => (fields, prop::option::of(typed)).prop_map(|(field, value)| Edit::Answer {
            field: field.to_owned(),
            value,
        }),
        1 => Just(Edit::AddTable("people.site")),
        1 => (0_usize..3).prop_map(|i| Edit::RemoveTable("people.site", i)),
        1 => prop::sample::select(vec!["", "[", "schema = 1", "\u{feff}"])
            .prop_map(|text| Edit::Text(text.into())),
        1 => Just(Edit::TakeOver),
        1 => (0_u32..5).prop_map(|edges| Edit::Change(Arc::new(Change {
            edges: Some(edges),
            ..Change::default()
        }))),
        1 => Just(Edit::Pin(Pin { name: "a".to_owned(), title: "a".to_owned(), change: Arc::default() })),
        1 => (0_usize..3).prop_map(Edit::Unpin),
        1 => prop::option::of(any::<f64>()).prop_map(Edit::Horizon),
    ];
    let actions: Vec<Command> = ACTIONS.iter().map(|action| action.command.clone()).collect();
    prop_oneof![
        5 => (edits, prop::option::of("[ab]")).prop_map(|(edit, gesture)| Command::Edit { edit, gesture }),
        5 => prop::sample::select(actions),
        1 => Just(Command::Dismiss),
        1 => Just(Command::Confirm),
        1 => Just(Command::Discard),
        1 => any::<String>().prop_map(Command::Type),
        1 => (0_usize..40).prop_map(Command::Choose),
        1 => prop::sample::select(Panel::ALL.to_vec()).prop_map(Command::Show),
        1 => any::<f64>().prop_map(|x| Command::Simulate(SimulateCommand::Scrub(Some(x)))),
        1 => any::<f32>().prop_map(|x| Command::Zoom(Some(x))),
        1 => any::<u64>().prop_map(|generation| Command::Answered {
            generation,
            answer: LaneName::Advice.failed("late".to_owned()),
            is_last: true,
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// No sequence of commands panics; taking everything back and doing it again ends where it was; and
    /// whatever is not saved is guarded.
    #[test]
    fn undo_then_redo_is_identity(commands in prop::collection::vec(commands(), 1..40)) {
        let engine = engine();
        let mut state = opened(0);
        for command in commands {
            // Answers never come: the state must do without.
            update(&mut state, command, &engine);
            prop_assert!(state.preferences.zoom.is_finite());
        }
        state.dialog = None;
        state.palette = None;
        let (scenario, answers) = (state.scenario.clone(), state.reading.answers.clone());
        let mut steps = 0;
        while !state.past.is_empty() {
            update(&mut state, Command::Undo, &engine);
            steps += 1;
        }
        for _ in 0..steps {
            update(&mut state, Command::Redo, &engine);
        }
        prop_assert_eq!(&state.scenario, &scenario);
        prop_assert_eq!(&state.reading.answers, &answers);
    }
}

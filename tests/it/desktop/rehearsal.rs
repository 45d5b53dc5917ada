//! The rehearsal in the window: what it will do, its curves, its result, and that nothing of it stays.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::answer::{Answer, Asked, Course, KindCourse, LaneName, Rehearsing};
use plimsoll::desktop::command::Command;
use plimsoll::desktop::dialog::{Dialog, Purpose};
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::files::write_rehearsal;
use plimsoll::desktop::kinds::{FileKind, known};
use plimsoll::desktop::lane::Same;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::rehearsal::RehearsalCommand;
use plimsoll::desktop::panels::rehearsal::{Data, curves, rates};
use plimsoll::desktop::rehearsal::Form;
use plimsoll::desktop::state::State;
use plimsoll::desktop::update::update;
use plimsoll::desktop::worker::Workers;
use plimsoll::document::read_text;
use plimsoll::files::Over;
use plimsoll::page::{Block, Section, Table, page_text};
use plimsoll::rehearse::{self, By, Rehearsed};

use super::painting::{paints_at_any_size, window};
use super::{engine, opened, perform};
use crate::cli::{plimsoll, scratch, write};

const SAVED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rehearsal.toml");
/// The site of the points, whose commands are short and many.
const SITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rehearsal-site.toml");

/// The window with the site of the points, at the panel.
fn prepared() -> State {
    let mut state = State::default();
    let text = read_text(Path::new(SITE)).expect("the site");
    let path = PathBuf::from("rehearsal-site.toml");
    let text = Ok(text);
    perform(&mut state, Command::Opened { path, text });
    perform(&mut state, Command::Show(Panel::Rehearsal));
    state
}

/// Two seconds on some MiB of a folder.
fn small(folder: &Path) -> Form {
    let folder = folder.to_str().expect("UTF-8").to_owned();
    Form {
        folders: [folder, String::new(), String::new()],
        time: "2 s".to_owned(),
        warm_up: "0.5 s".to_owned(),
        max_bytes: "64 MiB".to_owned(),
        keep_free: "0 B".to_owned(),
        ..Form::default()
    }
}

fn form(state: &mut State, form: Form) {
    perform(
        state,
        Command::Rehearsal(RehearsalCommand::Prepare(Box::new(form))),
    );
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

fn saved() -> Arc<Rehearsed> {
    Arc::new(Rehearsed::load(Path::new(SAVED)).expect("a saved rehearsal"))
}

/// The window with the saved rehearsal. No font of the tests has a sign for what is written for harmful characters.
fn looked_at(mut state: State) -> State {
    let mut found = (*saved()).clone();
    "/mnt/journal".clone_into(&mut found.environment.journal_folder);
    let path = PathBuf::from("/mnt/rehearsal.toml");
    let read = Ok(Arc::new(found));
    perform(
        &mut state,
        Command::Rehearsal(RehearsalCommand::Opened { path, read }),
    );
    state
}

fn lines(grid: &Table) -> String {
    let heads: Vec<&str> = grid.heads.iter().map(|head| head.text.as_str()).collect();
    let rows = grid.rows.iter().map(|row| {
        let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
        cells.join(" | ")
    });
    let rows: Vec<String> = rows.collect();
    format!("{}\n{}\n", heads.join(" | "), rows.join("\n"))
}

#[test]
fn what_will_be_done_is_the_answer_of_a_dry_run() {
    let mut state = prepared();
    let data = Data::of(&state);
    let why = data.why_not.as_deref().expect("no folder yet");
    assert!(why.starts_with("Choose an empty folder"), "{why}");
    let folder = scratch("window-rehearsal-plan");
    form(&mut state, small(&folder));
    let data = Data::of(&state);
    let plan = data.plan.as_ref().expect("a plan");
    assert_eq!(data.why_not, None);
    assert!(is_empty(&folder), "planning writes nothing");
    insta::assert_snapshot!(format!(
        "{}\n\n{}\n{}",
        plan.sentence,
        lines(&plan.kinds),
        plan.notes.join("\n")
    ));
    // The command line says the same.
    let at = folder.to_str().expect("UTF-8");
    let options = ["--time", "2 s", "--warm-up", "0.5 s", "--max-bytes"];
    let rest = ["64 MiB", "--keep-free", "0 B", "--dry-run", "--at", at];
    let ran = plimsoll(&[&["rehearse", SITE][..], &options, &rest].concat());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = words(ran.done());
    assert!(said.contains(&words(&plan.sentence)), "{said}");
    for row in &plan.kinds.rows {
        let row = format!("{} {}", row.cells[0].text, row.cells[1].text);
        assert!(said.contains(&row), "{row}: {said}");
    }
    // A button starts it.
    let mut window = window(state, [1280.0, 900.0], false);
    window.run();
    window.get_by_label("Start rehearsal").click();
    window.run();
    assert!(window.state().state.lanes.rehearsal.is_busy());
}

#[test]
fn what_cannot_be_is_refused_in_the_words_of_the_command_line() {
    let folder = scratch("window-rehearsal-refused");
    let file = PathBuf::from(write(&folder, "file", ""));
    let root = folder.join("root");
    fs::create_dir(&root).expect("a folder");
    write(&root, "db.rev", "");
    write(&root, "db.have", "");
    let changed = |change: fn(&mut Form)| {
        let mut form = small(&folder);
        change(&mut form);
        form
    };
    let cases = [
        (small(&folder.join("nowhere")), "cannot be inspected"),
        (small(&file), "is no folder"),
        (small(&root), "P4ROOT"),
        (small(Path::new("/")), "the root directory of a volume"),
        (changed(|f| f.time = "1 ms".to_owned()), "--time: at least"),
        (changed(|f| f.time = "soon".to_owned()), "--time: "),
        (changed(|f| f.warm_up = "1 h".to_owned()), "--max-time: "),
        (changed(|f| f.max_bytes = "1 MiB".to_owned()), "at least 64"),
        (changed(|f| f.keep_free = "1 EiB".to_owned()), ""),
        (
            changed(|f| f.keep_free = "9000 TiB".to_owned()),
            "too little space",
        ),
        (changed(|f| f.scale = "2".to_owned()), "above 0 and up to 1"),
        (changed(|f| f.scale = "x".to_owned()), "above 0 and up to 1"),
        (changed(|f| f.load = 90.0), "connections"),
    ];
    let mut state = prepared();
    for (wanted, said) in cases {
        form(&mut state, wanted.clone());
        let data = Data::of(&state);
        let refused = data.plan.as_ref().and_then(|plan| plan.refused.clone());
        let refused = refused.unwrap_or_else(|| panic!("{wanted:?}"));
        assert!(refused.contains(said), "{wanted:?}: {refused}");
        assert_eq!(data.why_not, Some(refused));
    }
    // db.peeking and locks are the command line's, and the site's answer stays.
    let with = Form {
        peeking: Some(0),
        locks: By::Process,
        ..small(&folder)
    };
    let text = state.scenario.text.clone();
    form(&mut state, with);
    assert_eq!(Data::of(&state).why_not, None);
    assert_eq!(state.scenario.text, text);
}

#[test]
fn folders_are_chosen_in_a_dialog() {
    let folder = scratch("window-rehearsal-folder");
    let mut state = prepared();
    perform(
        &mut state,
        Command::Rehearsal(RehearsalCommand::Prepare(Box::new(Form {
            is_apart: true,
            ..Form::default()
        }))),
    );
    perform(
        &mut state,
        Command::Rehearsal(RehearsalCommand::AskFolder(1)),
    );
    assert!(matches!(
        state.dialog,
        Some(Dialog::File {
            purpose: Purpose::RehearsalFolder(1),
            ..
        })
    ));
    let listed = Command::Listed {
        folder: folder.clone(),
        entries: Ok(vec!["inner/".to_owned()]),
    };
    perform(&mut state, listed.clone());
    // Nothing typed is the folder itself; a name is one in it.
    perform(&mut state, Command::Confirm);
    assert_eq!(Path::new(&state.rehearsal.form.folders[1]), folder);
    perform(
        &mut state,
        Command::Rehearsal(RehearsalCommand::AskFolder(2)),
    );
    perform(&mut state, listed);
    perform(&mut state, Command::Type("inner".to_owned()));
    perform(&mut state, Command::Confirm);
    assert_eq!(
        Path::new(&state.rehearsal.form.folders[2]),
        folder.join("inner")
    );
    assert_eq!(state.dialog, None);
    assert!(Data::of(&state).why_not.is_some(), "db has no folder");
}

#[test]
fn a_saved_rehearsal_shows_what_the_command_line_printed() {
    let mut state = looked_at(prepared());
    // It stays while another panel is open.
    perform(&mut state, Command::Show(Panel::Questionnaire));
    perform(&mut state, Command::Show(Panel::Rehearsal));
    let data = Data::of(&state);
    let result = data.result.as_ref().expect("a result");
    insta::assert_snapshot!(page_text(&result.page));
    let [Section { blocks, .. }, ..] = &result.page.sections[..] else {
        panic!("{:?}", result.page);
    };
    let Some(Block::Lead(judgement)) = blocks.first() else {
        panic!("{blocks:?}");
    };
    let window = window(state, [1280.0, 2000.0], true);
    window.get_by_label(judgement);
    window.get_by_label("Save…");
}

#[test]
fn a_result_is_opened_by_dropping_it_and_saved_as_the_same_file() {
    let folder = scratch("window-rehearsal-saved");
    let kinds = known(vec![SAVED.into(), SITE.into()]);
    let kind = |path: &str| {
        kinds
            .iter()
            .find(|(p, _)| p == Path::new(path))
            .expect("it")
            .1
    };
    assert_eq!(
        [SAVED, SITE].map(kind),
        [FileKind::Rehearsal, FileKind::Site]
    );
    // Without a site too.
    let mut state = State::default();
    let dropped = vec![(PathBuf::from(SAVED), FileKind::Rehearsal)];
    let effects = perform(&mut state, Command::Dropped(dropped));
    assert_eq!(effects, [Effect::ReadRehearsal(SAVED.into())]);
    let mut state = looked_at(state);
    assert!(!state.is_begun() && state.shows_panel());
    perform(&mut state, Command::Rehearsal(RehearsalCommand::AskSave));
    assert!(matches!(
        state.dialog,
        Some(Dialog::File {
            purpose: Purpose::SaveRehearsal,
            ..
        })
    ));
    let listed = |entries: &[&str]| Command::Listed {
        folder: folder.clone(),
        entries: Ok(entries.iter().map(|&name| name.to_owned()).collect()),
    };
    perform(&mut state, listed(&["other.toml"]));
    perform(&mut state, Command::Type("other".to_owned()));
    assert_eq!(perform(&mut state, Command::Confirm), []);
    assert!(state.dialog.is_some(), "it asks before it replaces");
    perform(&mut state, Command::Type("result.toml".to_owned()));
    let effects = perform(&mut state, Command::Confirm);
    let [Effect::WriteRehearsal { path, found, over }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!((path, over), (&folder.join("result.toml"), &Over::Nothing));
    write_rehearsal(path, found, *over).expect("written");
    assert_eq!(Rehearsed::load(path).expect("a result"), **found);
    assert_eq!(found.kinds, saved().kinds);
    let text = read_text(path).expect("text");
    assert!(
        text.starts_with("# Result of `plimsoll rehearse`"),
        "{text}"
    );
    assert!(text.contains(rehearse::RESULT), "it has its mark: {text}");
    let again = write_rehearsal(path, found, Over::Nothing).expect_err("it is there");
    assert!(again.contains("result.toml"), "{again}");
    let done = Command::Rehearsal(RehearsalCommand::Saved {
        path: path.clone(),
        problem: None,
    });
    perform(&mut state, done);
    assert!(!state.notice.as_ref().expect("a notice").is_problem);
    // Let go of without a site: the start card is back.
    perform(&mut state, Command::Rehearsal(RehearsalCommand::Close));
    assert!(!state.shows_panel());
    // What is none says so.
    let read = Rehearsed::load(Path::new(SITE)).map(Arc::new);
    let read = read.map_err(|error| error.to_string());
    let path = PathBuf::from(SITE);
    perform(
        &mut state,
        Command::Rehearsal(RehearsalCommand::Opened { path, read }),
    );
    assert!(state.notice.expect("a notice").is_problem);
}

/// A course of a load with two kinds of work, one of them rare.
fn course() -> Course {
    let kind = |name: &str, means: &[(f64, f64)], predicted| KindCourse {
        name: name.to_owned(),
        commands: 10 * means.len() as u64,
        means: means.to_vec(),
        predicted,
    };
    Course {
        warm_up_s: 2.0,
        all_s: 12.0,
        past_s: 4.0,
        planned_per_s: 40.0,
        rates: (1..=4)
            .map(|n| (f64::from(n), 30.0 + f64::from(n)))
            .collect(),
        commands: 130,
        kinds: vec![
            kind("browse", &[(1.0, 0.002), (2.0, 0.003)], Some(0.001)),
            kind("submit", &[], Some(0.05)),
            kind("sync", &[(2.0, 1.5)], None),
        ],
    }
}

/// The window while a rehearsal runs, and the number of its question.
fn running(folder: &Path) -> (State, u64) {
    let engine = engine();
    let mut state = prepared();
    form(&mut state, small(folder));
    let effects = update(
        &mut state,
        Command::Rehearsal(RehearsalCommand::Start),
        &engine,
    );
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Ask(question) if matches!(question.asked, Asked::Rehearsal(_)) => Some(question),
        _ => None,
    });
    let generation = asked.expect("a question").generation;
    let found = Same::new(Rehearsing {
        doing: "rehearse".to_owned(),
        done: 1.0 / 3.0,
        course: Some(course()),
        result: None,
    });
    let so_far = Command::Answered {
        generation,
        answer: Answer::Rehearsal(Ok(found)),
        is_last: false,
    };
    update(&mut state, so_far, &engine);
    (state, generation)
}

/// A rehearsal that comes to no result.
fn failed(generation: u64, reason: String) -> Command {
    Command::Answered {
        generation,
        answer: Answer::Rehearsal(Err(reason)),
        is_last: true,
    }
}

#[test]
fn curves_have_the_predicted_mean_beside_them() {
    let course = course();
    let commands = rates(&course);
    assert_eq!(
        (&*commands.latest, &*commands.predicted),
        ("34.0", "planned 40.0")
    );
    let chart = commands.chart.expect("a chart");
    assert!(chart.marks.iter().any(|mark| mark.at == 40.0));
    let all = curves(&course);
    let browse = all[0].chart.as_ref().expect("a chart");
    assert_eq!(browse.series[0].points, course.kinds[0].means);
    assert_eq!((browse.marks.len(), browse.marks[0].at), (1, 0.001));
    assert_eq!(all[0].latest, "3 ms");
    assert_eq!((&*all[1].latest, &all[1].chart), ("no command yet", &None));
    let sync = all[2].chart.as_ref().expect("a chart");
    assert_eq!((sync.marks.len(), &*all[2].predicted), (0, ""));
}

#[test]
fn a_run_shows_its_curves_and_is_waited_for_when_it_is_stopped() {
    let folder = scratch("window-rehearsal-running");
    let (state, generation) = running(&folder);
    let mut window = window(state, [1280.0, 900.0], false);
    window.run();
    window.get_by_label("8 s of the load left; 130 commands done");
    let charts = window.get_all_by_role(Role::Image).count();
    assert_eq!(charts, 3, "commands a second, browse, sync");
    window.get_by_label("Stop rehearsal").click();
    window.run();
    let state = &mut window.state_mut().state;
    assert!(state.lanes.rehearsal.is_busy() && state.rehearsal.is_stopping);
    // Meanwhile nothing else is opened or started.
    assert_eq!(
        update(
            state,
            Command::Rehearsal(RehearsalCommand::Start),
            &engine()
        ),
        []
    );
    let read = Ok(saved());
    let path = PathBuf::from(SAVED);
    update(
        state,
        Command::Rehearsal(RehearsalCommand::Opened { path, read }),
        &engine(),
    );
    assert!(state.notice.as_ref().expect("a notice").is_problem);
    let reason = "stopped; all files of the run were removed".to_owned();
    perform(state, failed(generation, reason));
    assert!(!state.lanes.rehearsal.is_busy() && !state.rehearsal.is_stopping);
    assert!(!state.notice.as_ref().expect("a notice").is_problem);
    let data = Data::of(state);
    assert!(data.running.is_none() && data.problem.is_none() && data.result.is_none());
}

#[test]
fn closing_the_window_stops_a_run_and_what_fails_says_why() {
    let folder = scratch("window-rehearsal-closing");
    let (mut state, generation) = running(&folder);
    let mut closing = state.clone();
    let effects = perform(&mut closing, Command::Close);
    assert!(effects.contains(&Effect::Drop(LaneName::Rehearsal)));
    assert!(effects.contains(&Effect::Close));
    let reason = "the data cannot be laid out: no space left".to_owned();
    perform(&mut state, failed(generation, reason));
    let mut window = window(state, [1280.0, 800.0], true);
    window.run();
    window.get_by_label("the data cannot be laid out: no space left");
    window.get_by_label("Back to the settings").click();
    window.run();
    window.get_by_label("Start rehearsal");
}

#[test]
fn it_paints_at_any_size_in_both_looks() {
    let folder = scratch("window-rehearsal-sizes");
    let mut state = prepared();
    form(&mut state, small(&folder));
    paints_at_any_size(&state);
    paints_at_any_size(&running(&folder).0);
    paints_at_any_size(&looked_at(opened(2)));
}

/// The window with its threads, and what it does until a moment comes.
struct Live {
    state: State,
    workers: Workers,
}

impl Live {
    fn start(folder: &Path) -> Self {
        let engine = engine();
        let workers = Workers::new(&engine, &(Arc::new(|| {}) as _)).expect("threads");
        let mut state = prepared();
        form(&mut state, small(folder));
        let mut live = Self { state, workers };
        live.does(Command::Rehearsal(RehearsalCommand::Start));
        live
    }

    fn does(&mut self, command: Command) {
        for effect in update(&mut self.state, command, &engine()) {
            match effect {
                Effect::Ask(question) => self.workers.ask(question),
                Effect::Drop(lane) => self.workers.drop_question(lane),
                _ => {}
            }
        }
    }

    /// Works until something is so.
    fn until(&mut self, is_so: impl Fn(&State) -> bool) {
        for _ in 0..2000 {
            if is_so(&self.state) {
                return;
            }
            if let Some(command) = self.workers.wait(Duration::from_millis(100)) {
                self.does(command);
            }
        }
        panic!("it never comes: {:?}", Data::of(&self.state));
    }
}

fn course_of(state: &State) -> Option<&Course> {
    state.lanes.rehearsal.answer()?.course.as_ref()
}

#[cfg(target_os = "linux")]
#[test]
fn two_seconds_are_rehearsed_and_leave_nothing() {
    let folder = scratch("window-rehearsal-run");
    let mut live = begun(&folder);
    live.until(|state| !state.lanes.rehearsal.is_busy());
    assert!(is_empty(&folder), "nothing stays");
    let data = Data::of(&live.state);
    let result = data.result.unwrap_or_else(|| panic!("{:?}", data.problem));
    let found = &result.found;
    assert!(found.kinds.iter().any(|kind| kind.commands > 10));
    assert_eq!(result.page, rehearse::page(found));
    // What was counted while it ran is what came out of it.
    let course = data.course.expect("a course");
    assert!(course.rates.len() >= 2, "{:?}", course.rates);
    let counted: u64 = course.kinds.iter().map(|kind| kind.commands).sum();
    assert_eq!(counted, course.commands);
    let after: u64 = found.kinds.iter().map(|kind| kind.commands).sum();
    assert!(counted * 2 > after && after > 0, "{counted} of {after}");
    let has_curve = |kind: &&KindCourse| !kind.means.is_empty();
    let busiest = course
        .kinds
        .iter()
        .filter(has_curve)
        .max_by_key(|k| k.commands);
    let busiest = busiest.expect("a kind with a curve");
    let same = found.kinds.iter().find(|kind| kind.class == busiest.name);
    let same = same.expect("the same kind");
    assert_eq!(
        busiest.predicted.is_some(),
        same.predicted_mean_s.is_some(),
        "{same:?}"
    );
    if let (Some(line), Some(span)) = (busiest.predicted, same.predicted_mean_s) {
        assert!((line / span.value - 1.0).abs() < 1e-9, "{line} {span:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_stopped_in_the_middle_leaves_nothing() {
    // Each waits for the probes of its rehearsal: both at once.
    std::thread::scope(|scope| {
        scope.spawn(a_button_stops_it);
        scope.spawn(a_closed_window_stops_it);
    });
}

fn begun(folder: &Path) -> Live {
    let mut live = Live::start(folder);
    live.until(|state| course_of(state).is_some());
    assert!(!is_empty(folder), "it works in the folder");
    live
}

fn a_button_stops_it() {
    let folder = scratch("window-rehearsal-stopped");
    let mut live = begun(&folder);
    live.does(Command::Rehearsal(RehearsalCommand::Stop));
    live.until(|state| !state.lanes.rehearsal.is_busy());
    assert!(is_empty(&folder), "nothing stays");
    let notice = live.state.notice.as_ref().expect("a notice");
    assert!(
        !notice.is_problem && notice.text.starts_with("stopped"),
        "{notice:?}"
    );
}

fn a_closed_window_stops_it() {
    let folder = scratch("window-rehearsal-closed");
    drop(begun(&folder));
    assert!(
        is_empty(&folder),
        "nothing stays behind a window that was closed"
    );
}

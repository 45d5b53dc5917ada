//! A server log in the window: read, shown, used as answers.

use std::fs;
use std::path::PathBuf;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use plimsoll::collected;
use plimsoll::desktop::answer::{Answer, LaneName, Logged};
use plimsoll::desktop::command::Command;
use plimsoll::desktop::dialog::Dialog;
use plimsoll::desktop::effect::Effect;
use plimsoll::desktop::kinds::{FileKind, known};
use plimsoll::desktop::lane::Same;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::server_log::LogCommand;
use plimsoll::desktop::panels::server_log::{BINS, Data};
use plimsoll::desktop::state::State;

use super::painting::{paints_at_any_size, window};
use super::{opened, perform};
use crate::cli::{scratch, write};

/// A command with its completion and one table: what it waited and held, in milliseconds.
fn command(pid: u32, user: &str, at: u32, lapse: u32, table: &str, waited: u32, held: u32) -> String {
    let clock =
        |second: u32| format!("2024/06/19 {:02}:{:02}:{:02}", 10 + second / 3600, second / 60 % 60, second % 60);
    format!(
        "Perforce server info:\n\t{begin} pid {pid} {user}@ws-{user} 10.0.0.1 [p4/v92] 'user-submit -d {pid}'\n\
         Perforce server info:\n\t{end} pid {pid} completed {lapse}.0s 1+1us 0+0io 0+0net 4000k 0pf\n\
         Perforce server info:\n\t{begin} pid {pid} {user}@ws-{user} 10.0.0.1 [p4/v92] 'user-submit -d {pid}'\n\
         --- lapse {lapse}.0s\n--- db.{table}\n---   pages in+out+cached 3+0+2\n---   locks read/write 0/1 rows get+pos+scan put+del 0+1+1 0+0\n\
         ---   total lock wait+held read/write 0ms+0ms/{waited}ms+{held}ms\n\n",
        begin = clock(at),
        end = clock(at + lapse),
    )
}

/// Ann holds db.rev for 30 s; Bob and Cyd wait for her.
fn jam() -> String {
    [
        command(11, "ann", 100, 31, "rev", 0, 30_000),
        command(12, "bob", 101, 29, "rev", 28_000, 400),
        command(13, "cyd", 103, 27, "rev", 26_000, 300),
        command(14, "dee", 3000, 2, "have", 0, 100),
    ]
    .concat()
}

/// The same with the end of a compute phase, which answers a question: server=3.
fn answering() -> String {
    let compute = "Perforce server info:\n\t2024/06/19 11:00:00 pid 20 eve@ws 10.0.0.1 [p4/v92] 'user-sync //...'\n\
                   Perforce server info:\n\t2024/06/19 11:00:01 pid 20 compute end .5s 1+1us 0+0io 0+0net 4000k 0pf\n\
                   Perforce server info:\n\t2024/06/19 11:00:02 pid 20 completed 2.0s 1+1us 0+0io 0+0net 4000k 0pf\n";
    format!("{}{compute}", jam())
}

/// The window with a log that was read; the file is gone again.
fn read(mut state: State, name: &str, text: &str) -> State {
    let folder = scratch(&format!("log-{name}"));
    let path = write(&folder, "log", text);
    perform(&mut state, Command::Log(LogCommand::Read(vec![path.into()])));
    drop(fs::remove_dir_all(&folder));
    state
}

#[test]
fn what_the_panel_shows() {
    let state = read(State::default(), "shows", &jam());
    let data = Data::of(&state);
    let log = data.read().unwrap();
    let timeline = data.timeline.as_ref().unwrap();
    let lanes = timeline.lanes.iter().map(|lane| {
        let holds: Vec<String> =
            lane.writes.iter().map(|bar| format!("{} {:.0} s at {:.0}", "held", bar.held_s, bar.from)).collect();
        let at = lane.at(timeline.begin, 20.0, 0.0);
        format!("{}: {}; {}\n{}\n{}", lane.name, lane.waited, lane.most(), holds.join(", "), at.join("\n"))
    });
    let lanes: Vec<String> = lanes.collect();
    insta::assert_snapshot!(format!("{:#?}\n{}\n{}\n{:?}", log.first, timeline.part(), lanes.join("\n"), data.spans));
}

#[test]
fn the_area_of_what_waits_is_what_was_waited() {
    let state = read(State::default(), "area", &jam());
    let timeline = Data::of(&state).timeline.unwrap();
    let bin = (timeline.window.1 - timeline.window.0) / BINS as f64;
    let lane = &timeline.lanes[0];
    let area: f64 = lane.waiting.iter().map(|level| f64::from(*level) * bin).sum();
    assert!((area - 54.0).abs() < 0.01, "{area}");
    assert_eq!(lane.name, "db.rev");
}

#[test]
fn a_chain_leads_to_its_time_and_back() {
    let state = read(opened(2), "chain", &jam());
    let mut window = window(state, [1280.0, 3000.0], false);
    window.run();
    let links: Vec<_> = window.get_all_by_role(Role::Link).collect();
    links[0].click();
    drop(links);
    window.run();
    let state = &window.state().state;
    let (from, until) = state.log_zoom.unwrap();
    assert!(from < 1.0 && until > 31.0 && until < 60.0, "{from} {until}");
    window.get_by_label("Whole log").click();
    window.run();
    assert_eq!(window.state().state.log_zoom, None);
}

#[test]
fn a_log_can_be_read_and_used_before_there_is_a_site() {
    let mut state = read(State::default(), "first", &answering());
    assert!(!state.is_begun() && state.shows_panel());
    assert!(!Data::of(&state).has_site);
    perform(&mut state, Command::Log(LogCommand::Use));
    assert!(state.is_begun() && state.is_dirty());
    assert_eq!(state.panel, Panel::Questionnaire);
    assert!(state.scenario.text.contains("[measured"), "{}", state.scenario.text);
    let Some(Dialog::Said { lines, .. }) = &state.dialog else {
        panic!("{:?}", state.dialog);
    };
    assert!(lines[0].contains("log of 2024/06/19"), "{lines:?}");
    assert!(lines.last().unwrap().contains("Must be answered first"), "{lines:?}");
    perform(&mut state, Command::Dismiss);
    // Let go of without a site: the start card is back.
    let mut state = read(State::default(), "closed", &jam());
    perform(&mut state, Command::Log(LogCommand::Close));
    assert!(!state.shows_panel());
}

#[test]
fn stated_answers_stay_and_the_use_of_a_log_is_one_step() {
    let mut state = read(opened(2), "used", &answering());
    perform(&mut state, Command::Log(LogCommand::Use));
    let written = state.scenario.text.clone();
    assert!(written.contains("log_level = 3"), "{written}");
    perform(&mut state, Command::Undo);
    perform(&mut state, Command::answer("server.log_level", "1"));
    let before = state.scenario.text.clone();
    let steps = state.past.len();
    perform(&mut state, Command::Log(LogCommand::Use));
    assert!(state.past.len() <= steps + 1);
    let Some(Dialog::Said { lines, .. }) = &state.dialog else {
        panic!("{:?}", state.dialog);
    };
    let kept = "Kept server.log_level = 1, which the file has; the log says 3.";
    assert!(lines.iter().any(|line| line == kept), "{lines:?}");
    perform(&mut state, Command::Dismiss);
    if state.past.len() > steps {
        perform(&mut state, Command::Undo);
    }
    assert_eq!(state.scenario.text, before);
}

#[test]
fn a_log_that_answers_nothing_says_so() {
    let mut state = read(State::default(), "nothing", &jam());
    perform(&mut state, Command::Log(LogCommand::Use));
    assert!(!state.is_begun() && state.notice.unwrap().is_problem);
}

#[test]
fn reading_can_be_stopped_and_shows_how_far_it_is() {
    let mut state = opened(2);
    let engine = super::engine();
    let update = plimsoll::desktop::update::update;
    let effects = update(&mut state, Command::Log(LogCommand::Read(vec!["log".into()])), &engine);
    let Some(Effect::Ask(question)) = effects.first() else {
        panic!("{effects:?}");
    };
    let found = std::sync::Arc::new(Logged { files: vec!["log".into()], bytes: 1000, share: 0.4, read: None });
    let generation = question.generation;
    let answer = |found, is_last| Command::Answered { generation, answer: Answer::Log(Ok(Same(found))), is_last };
    update(&mut state, answer(found.clone(), false), &engine);
    assert_eq!(Data::of(&state).progress.unwrap().0, 0.4);
    let mut window = window(state, [1280.0, 800.0], false);
    window.get_by_label("Stop reading").click();
    window.run();
    let state = &mut window.state_mut().state;
    assert!(!state.lanes.log.is_busy());
    update(state, answer(found, true), &engine);
    assert!(state.lanes.log.answer().is_none(), "it comes too late");
    let effects = update(state, Command::Log(LogCommand::Read(vec!["log".into()])), &engine);
    assert_eq!(effects.len(), 1);
    let effects = update(state, Command::Log(LogCommand::Close), &engine);
    assert_eq!(effects, [Effect::Drop(LaneName::Log)]);
}

#[test]
fn what_is_no_log_says_so() {
    let state = read(opened(2), "none", "nothing of a server\n");
    let data = Data::of(&state);
    assert!(data.is_refused);
    let words = data.waiting.unwrap();
    assert!(words.contains("holds nothing that a Perforce server writes"), "{words}");
    let window = window(state, [1280.0, 800.0], true);
    window.get_by_label("Open server log…");
}

#[test]
fn dropped_files_are_known_by_what_they_say() {
    let folder = scratch("log-kinds");
    let write = |name: &str, text: &str| PathBuf::from(write(&folder, name, text));
    let later = write("log", &jam().replace("2024/06/19", "2024/06/20"));
    let earlier = write("log.1", &jam());
    let site = write("site.toml", "schema = 1\nname = \"A\"\n");
    let outputs = write(
        "out.txt",
        "=== plimsoll collect: p4 info ===\nServer version: P4D/LINUX26X86_64/2023.2/2563409 (2024/02/27)\n",
    );
    let mut state = opened(2);
    let effects = perform(&mut state, Command::Drop(vec![later.clone()]));
    assert_eq!(effects, [Effect::Sort(vec![later.clone()])]);
    let kinds = known(vec![later.clone(), earlier.clone(), site.clone(), outputs.clone()]);
    let kind = |path: &PathBuf| kinds.iter().find(|(p, _)| p == path).unwrap().1;
    assert_eq!(
        [&later, &earlier, &site, &outputs].map(kind),
        [FileKind::Log, FileKind::Log, FileKind::Site, FileKind::Outputs]
    );
    let logs: Vec<&PathBuf> = kinds.iter().filter(|(_, k)| *k == FileKind::Log).map(|(p, _)| p).collect();
    assert_eq!(logs, [&earlier, &later], "the oldest first");
    let effects = perform(&mut state, Command::Dropped(kinds));
    assert!(effects.contains(&Effect::Read(site)), "{effects:?}");
    assert!(effects.contains(&Effect::Gather(vec![outputs.clone()])));
    assert_eq!(state.panel, Panel::Log);
    assert_eq!(state.lanes.log.answer().unwrap().files, [earlier, later]);
    // What was collected becomes answers in one step.
    let collected = collected::load([outputs.as_path()]).unwrap();
    drop(fs::remove_dir_all(&folder));
    let steps = state.past.len();
    perform(&mut state, Command::OutputsRead(Ok(Box::new(collected.clone()))));
    assert!(state.past.len() <= steps + 1);
    let Some(Dialog::Said { lines, .. }) = &state.dialog else {
        panic!("{:?}", state.dialog);
    };
    assert!(lines[0].starts_with("Read from "), "{lines:?}");
    let mut empty = State::default();
    perform(&mut empty, Command::OutputsRead(Ok(Box::new(collected))));
    assert!(empty.scenario.text.contains("release = \"2023.2\""), "{}", empty.scenario.text);
    assert!(empty.scenario.text.contains("name = "));
    perform(&mut empty, Command::OutputsRead(Err("cannot read it".to_owned())));
    assert!(empty.notice.unwrap().is_problem);
}

#[test]
fn the_keys_move_and_zoom_the_axis() {
    let mut window = window(read(opened(2), "keys", &jam()), [1280.0, 3000.0], false);
    window.run();
    let axis: Vec<_> = window.get_all_by_role(Role::Slider).collect();
    axis[0].focus();
    drop(axis);
    window.run();
    window.key_press(egui::Key::ArrowUp);
    window.run();
    let zoom = |window: &egui_kittest::Harness<'_, super::painting::Window>| window.state().state.log_zoom;
    let (from, until) = zoom(&window).unwrap();
    window.key_press(egui::Key::ArrowRight);
    window.run();
    let after = zoom(&window).unwrap();
    let by = 0.1 * (until - from);
    assert!((after.0 - from - by).abs() < 1e-6 && (after.1 - until - by).abs() < 1e-6);
    window.key_press(egui::Key::ArrowDown);
    window.run();
    assert_eq!(zoom(&window), None);
}

#[test]
fn a_log_paints_at_any_size_in_both_looks() {
    paints_at_any_size(&read(opened(2), "sizes", &jam()));
}

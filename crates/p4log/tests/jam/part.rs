//! A part of a log: passing over what lies before gives the records that reading all of it and leaving out the rest gives.

use plimsoll_p4log::serverlog::analysis::{Analysis, Standing};
use plimsoll_p4log::serverlog::logs::{part_of, read_logs, read_part};
use plimsoll_p4log::serverlog::range::{Clock, Range, Wanted};
use plimsoll_p4log::serverlog::record::{Command, Damage, Ending, Event, Sink};

use super::{LOG_S, Random, moment, served};

/// Keeps all records.
#[derive(Default)]
struct Kept {
    commands: Vec<Command>,
    has_ended: bool,
    /// Those that had no end when the log ended.
    running: Vec<u64>,
}

impl Sink for Kept {
    fn command(&mut self, command: &Command) {
        if self.has_ended && command.ending == Ending::Pending {
            self.running.push(command.pid);
        }
        self.commands.push(command.clone());
    }

    fn event(&mut self, _: &Event) {}

    fn damage(&mut self, damage: &Damage) {
        panic!("no part of a generated log is damaged: {damage:?}");
    }

    fn log_ends(&mut self) {
        self.has_ended = true;
    }
}

/// A folder of its own, removed at the end.
pub(super) struct Folder(pub(super) std::path::PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("plimsoll-{name}-{}", std::process::id()));
        assert!(std::fs::create_dir_all(&folder).is_ok());
        Self(folder)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> std::path::PathBuf {
        let path = self.0.join(name);
        assert!(std::fs::write(&path, text).is_ok());
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Records in the order of their places, without the order in which they ended.
fn sorted(mut commands: Vec<Command>) -> Vec<Command> {
    commands.sort_by_key(|command| (command.place.file, command.place.offset));
    commands
}

#[test]
fn a_part_of_a_log_is_what_reading_all_of_it_has_there() {
    let folder = Folder::new("part");
    for seed in 1..=5 {
        let mut random = Random::new(seed);
        let log = served(seed, true);
        let end = random.between(0.6 * LOG_S, LOG_S);
        let text = log.cut(end);
        // Two files, cut between two blocks.
        let middle = text[text.len() / 3..].find("Perforce server").expect("a block");
        let (first, second) = text.split_at(text.len() / 3 + middle);
        let logs = [folder.write("old", first), folder.write("log", second)];
        let mut whole = Kept::default();
        assert!(read_logs(&logs, &mut whole, &mut |_| true).is_ok());
        for _ in 0..6 {
            let from = random.between(-100.0, end - 5.0);
            let to = (random.unit() < 0.5).then(|| moment(from + random.between(0.0, 900.0)));
            let range = Range { from: Some(moment(from)), to, is_of_day: false };
            let mut part = Kept::default();
            let read = read_part(&logs, range, &mut part, &mut |_| true);
            let is_in = |command: &&Command| {
                let runs = whole.running.contains(&command.pid);
                let ends = command.end.unwrap_or(command.start);
                (runs || ends >= moment(from)) && to.is_none_or(|to| command.start <= to)
            };
            let wanted: Vec<Command> = whole.commands.iter().filter(is_in).cloned().collect();
            assert_eq!(read.is_ok(), !wanted.is_empty(), "seed {seed} {range} {read:?}");
            assert!(sorted(part.commands) == sorted(wanted), "seed {seed}, {range}");
        }
    }
}

#[test]
fn the_last_minutes_know_who_has_held_all_others_up_for_longer() {
    let folder = Folder::new("last");
    let mut judged = 0;
    for seed in 1..=12 {
        let log = served(seed, true);
        let Some((from, until)) = log.jammed() else {
            continue;
        };
        let culprit = &log.ran[log.culprit.expect("a jam has a culprit")].command;
        let path = folder.write("log", &log.cut(Random::new(seed).between(from, until)));
        let wanted = Wanted { last_s: Some(30), ..Wanted::default() };
        let logs = [path];
        let range = part_of(&logs, wanted).expect("the log has an end");
        let mut analysis = Analysis::of(range);
        let read = read_part(&logs, range, &mut analysis, &mut |_| true).expect("it is not empty");
        let (part, whole) = read.part.expect("a part was read");
        assert_eq!(part.from, Some(whole.1.plus_seconds(-30.0)));
        let runs = analysis.finish(read).standing.runs;
        assert!(runs.iter().any(|one| one.pid == culprit.pid), "seed {seed}");
        judged += 1;
    }
    assert!(judged >= 6, "{judged} jams");
}

#[test]
fn a_part_that_ends_in_a_jam_stands_still_as_the_log_did_then() {
    let folder = Folder::new("then");
    let mut judged = 0;
    for seed in 1..=12 {
        let log = served(seed, true);
        let Some((from, until)) = log.jammed() else {
            continue;
        };
        let then = super::standing(&log.cut(Random::new(seed).between(from, until)));
        let range = Range { to: Some(then.at), ..Range::default() };
        let logs = [folder.write("log", &log.cut(LOG_S))];
        let mut analysis = Analysis::of(range);
        let read = read_part(&logs, range, &mut analysis, &mut |_| true).expect("it is not empty");
        let part = analysis.finish(read).standing;
        assert!(part.is_past, "seed {seed}");
        let told = |standing: &Standing| {
            let runs: Vec<u64> = standing.runs.iter().map(|one| one.pid).collect();
            let jam = standing.jam.as_ref().map(|jam| {
                let holders = jam.holders.iter().map(|holder| holder.running.pid);
                (jam.stuck, jam.users, holders.collect::<Vec<_>>())
            });
            (standing.at, standing.last_end, standing.minute, runs, jam)
        };
        assert_eq!(told(&part), told(&then), "seed {seed}");
        judged += u32::from(part.jam.is_some());
    }
    assert!(judged >= 6, "{judged} jams");
}

#[test]
fn a_part_with_nothing_in_it_names_the_times_of_the_log() {
    let folder = Folder::new("none");
    let logs = [folder.write("log", &served(1, false).cut(LOG_S))];
    let at = |seconds| Clock::At(moment(seconds));
    let asked = |from, to| Wanted { from: Some(from), to: Some(to), last_s: None };
    let read = |wanted| {
        let range = part_of(&logs, wanted)?;
        read_part(&logs, range, &mut Kept::default(), &mut |_| true)
    };
    let after = read(asked(at(90_000.0), at(91_000.0)));
    let why = after.map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("the log goes from 2026/03/03 00:00:"), "{why}");
    let backwards = read(asked(at(200.0), at(100.0)));
    let why = backwards.map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("before it begins"), "{why}");
    let early = read(asked(at(-900.0), at(-800.0)));
    assert!(early.is_err());
}

//! No text breaks the reader: fixtures are cut, spliced, doubled, flipped and punched, and what comes out adds up.
//!
//! `PLIMSOLL_MUTATION_SECONDS=3600` goes on for an hour; without it a fixed number of rounds runs.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use plimsoll::serverlog::Reader;
use plimsoll::serverlog::analysis::Analysis;
use plimsoll::serverlog::follow::Follow;
use plimsoll::serverlog::logs::read_logs;
use plimsoll::serverlog::record::{Command, Damage, Ending, Event, Sink};

use super::fixtures::{OTHERS, SUBMIT_AND_SYNC};
use crate::cli::scratch;

/// A number after another (Vigna 2015, `splitmix64`).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// What is counted and checked of each record.
#[derive(Default)]
struct Count {
    commands: u64,
    started: u64,
    damaged_bytes: u64,
}

impl Sink for Count {
    fn command(&mut self, command: &Command) {
        self.commands += 1;
        self.started += u64::from(!command.function.is_empty());
        assert!(command.tables.len() <= 1000);
        assert!(command.arguments.len() <= 3 * (16 << 10));
        match command.ending {
            Ending::Tracked | Ending::Unreported if command.start.known().is_none() => {
                assert_eq!(command.end, None);
            }
            Ending::Completed | Ending::Tracked => {
                assert!(command.end.is_some() && command.lapse_s.is_some());
            }
            Ending::Unreported => assert_eq!(command.end, Some(command.start)),
            Ending::Removed | Ending::Restart | Ending::Replaced | Ending::Pending => {
                assert_eq!(command.end, None);
            }
        }
        for seconds in [command.lapse_s, command.compute_s, command.paused_s] {
            assert!(seconds.is_none_or(|seconds| seconds.is_finite() && seconds >= 0.0));
        }
    }
    fn event(&mut self, _: &Event) {}
    fn damage(&mut self, damage: &Damage) {
        assert!(damage.found.chars().count() < 400);
        self.damaged_bytes += damage.bytes;
    }
}

/// One change of a text.
fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    if text.is_empty() {
        return;
    }
    let (a, b) = (dice.below(text.len()), dice.below(text.len()));
    let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 400));
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', text).map(|at| at + 1).collect();
    match dice.below(10) {
        0 => text[from] ^= 1 << dice.below(8),
        1 => text[from] = dice.next() as u8,
        2 => drop(text.drain(from..to)),
        3 => text.truncate(from.max(200)),
        4 => drop(text.drain(..from.min(300))),
        5 => {
            let part = text[from..to].to_vec();
            let at = dice.below(text.len());
            drop(text.splice(at..at, part));
        }
        6 => {
            let length = 1 << dice.below(13);
            drop(text.splice(from..from, vec![0; length]));
        }
        7 if lines.len() > 2 => {
            // A line once more, elsewhere.
            let n = dice.below(lines.len() - 1);
            let part = text[lines[n]..lines[n + 1]].to_vec();
            let at = lines[dice.below(lines.len())];
            drop(text.splice(at..at, part));
        }
        8 if lines.len() > 2 => {
            let n = dice.below(lines.len() - 1);
            drop(text.drain(lines[n]..lines[n + 1]));
        }
        _ => {
            let digits: Vec<usize> = (from..to).filter(|at| text[*at].is_ascii_digit()).collect();
            if let Some(at) = digits.first().copied() {
                let many = vec![b'0' + dice.below(10) as u8; 1 + dice.below(25)];
                drop(text.splice(at..at, many));
            }
        }
    }
}

/// Reads a text in two files and holds what came out against the text.
fn check(text: &[u8]) {
    let mut reader = Reader::new();
    let mut count = Count::default();
    let cut = text.len() / 2;
    for (file, mut part) in [&text[..cut], &text[cut..]].into_iter().enumerate() {
        reader.read(file, &mut part, &mut count).unwrap();
        assert!(reader.live() <= text.len() / 20);
    }
    reader.finish(&mut count);
    let understood = reader.understood();
    assert_eq!(understood.bytes, text.len() as u64);
    assert_eq!(understood.lines, understood.understood + understood.noise + understood.unknown);
    assert_eq!(reader.live(), 0);
    assert!(count.damaged_bytes <= 2 * understood.bytes);
    let mut same = Count::default();
    let mut second = Reader::new();
    second.read(0, &mut &text[..cut], &mut same).unwrap();
    second.read(1, &mut &text[cut..], &mut same).unwrap();
    second.finish(&mut same);
    assert_eq!(same.commands, count.commands, "the same text says the same");
}

fn mutated(dice: &mut Dice) -> Vec<u8> {
    let mut text = match dice.below(3) {
        0 => SUBMIT_AND_SYNC.to_owned(),
        1 => OTHERS.to_owned(),
        _ => format!("{OTHERS}{SUBMIT_AND_SYNC}"),
    }
    .into_bytes();
    for _ in 0..=dice.below(12) {
        mutate(&mut text, dice);
    }
    text
}

fn round(dice: &mut Dice) {
    check(&mutated(dice));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "goes on for so long as the environment says")]
fn no_text_breaks_the_reader() {
    let seconds = std::env::var("PLIMSOLL_MUTATION_SECONDS").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let mut dice = Dice(40);
    match seconds {
        None => (0..400).for_each(|_| round(&mut dice)),
        Some(seconds) => {
            let until = Instant::now() + Duration::from_secs(seconds);
            while Instant::now() < until {
                round(&mut dice);
            }
        }
    }
}

#[test]
fn no_text_breaks_a_reader_that_follows_it() {
    let mut dice = Dice(42);
    let folder = scratch("mutated-and-followed");
    let log = folder.join("log");
    for _ in 0..150 {
        let text = mutated(&mut dice);
        // A magic number of another kind of file may have come out.
        let mut there = dice.below(text.len());
        std::fs::write(&log, &text[..there]).unwrap();
        let Ok(mut follow) = Follow::begin(std::slice::from_ref(&log), None) else {
            continue;
        };
        while there < text.len() {
            there = (there + 1 + dice.below(700)).min(text.len());
            std::fs::write(&log, &text[..there]).unwrap();
            follow.poll().unwrap();
        }
        let mut analysis = Analysis::default();
        let Ok(whole) = read_logs(std::slice::from_ref(&log), &mut analysis, &mut |_| true) else {
            continue;
        };
        let (whole, mut end) = (analysis.finish(whole), follow.end());
        assert_eq!(end.quality.log.understood, whole.quality.log.understood);
        end.quality.log = whole.quality.log.clone();
        assert!(end == whole, "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn every_start_line_is_one_command() {
    // Blocks in any order, each start line alone: so many commands, whatever ends them.
    let mut dice = Dice(41);
    for _ in 0..200 {
        let mut text = String::new();
        let starts = 1 + dice.below(60);
        let mut seconds = 0;
        for _ in 0..starts {
            seconds += dice.below(3);
            let pid = 1 + dice.below(6);
            let clock = format!("2024/05/06 10:{:02}:{:02}", seconds / 60, seconds % 60);
            let start = format!("{clock} pid {pid} a@w 10.0.0.1 [p4] 'user-info -s'");
            writeln!(text, "Perforce server info:\n\t{start}").unwrap();
            for _ in 0..dice.below(4) {
                let more = match dice.below(5) {
                    0 => format!(
                        "Perforce server info:\n\t{start}\n--- clients/w(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+1ms\n"
                    ),
                    1 => {
                        format!("Perforce server info:\n\t{start}\n--- lapse .001s\n--- db.user\n")
                    }
                    2 => format!("Perforce server info:\n\t{start}' trigger t\nlapse .1s\n").replace("-s''", "-s'"),
                    3 => format!("Perforce server error:\n\tDate {clock}:\n\tPid {pid}\n\tno such file\n"),
                    _ => format!("Perforce server info:\n\t{clock} pid {pid} compute end .001s\n"),
                };
                text.push_str(&more);
            }
        }
        let mut reader = Reader::new();
        let mut count = Count::default();
        reader.read(0, &mut text.as_bytes(), &mut count).unwrap();
        reader.finish(&mut count);
        assert_eq!(count.started, starts as u64, "{text}");
        assert_eq!(reader.understood().unknown, 0, "{text}");
    }
}

//! However a text is cut into files and lines, it says the same.

use plimsoll::serverlog::record::{Command, Place};

use super::fixtures::{OTHERS, SUBMIT_AND_SYNC};
use super::{Taken, read, read_files};

fn both() -> String {
    format!("{SUBMIT_AND_SYNC}{OTHERS}")
}

/// The commands without their places, which depend on the cut.
fn commands(taken: &Taken) -> Vec<Command> {
    taken.commands.iter().map(|command| Command { place: Place::default(), ..command.clone() }).collect()
}

#[test]
fn files_cut_at_any_line_say_the_same() {
    let text = both();
    let whole = read(&text);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for (n, end) in ends.iter().enumerate() {
        let other = ends[(n * 7 + 3) % ends.len()];
        let (first, second) = (*end.min(&other), *end.max(&other));
        let cut = read_files([&text.as_bytes()[..first], &text.as_bytes()[first..second], &text.as_bytes()[second..]]);
        assert_eq!(commands(&cut), commands(&whole), "cut after line {}", n + 1);
        assert_eq!(cut.understood, whole.understood);
        assert_eq!(cut.events.len(), whole.events.len());
    }
    let single: Vec<&[u8]> = text.as_bytes().split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(commands(&read_files(single)), commands(&whole));
}

#[test]
fn windows_ends_of_lines_say_the_same() {
    let text = both();
    let (unix, windows) = (read(&text), read(&text.replace('\n', "\r\n")));
    assert_eq!(commands(&unix), commands(&windows));
    assert_eq!(unix.events.len(), windows.events.len());
    assert_eq!(unix.understood.understood, windows.understood.understood);
    assert_eq!(windows.understood.unknown, 0);
}

#[test]
fn places_are_those_of_the_start_lines() {
    let text = both();
    for command in read(&text).commands {
        let rest = &text[command.place.offset as usize..];
        assert!(rest.starts_with(&format!("\t{}", "2023/")), "{rest}");
        let before = &text[..command.place.offset as usize];
        assert_eq!(before.matches('\n').count() as u64 + 1, command.place.line);
    }
}

#[test]
fn blank_lines_headers_and_tabs_may_be_missing() {
    let whole = read(SUBMIT_AND_SYNC);
    // The blank line in the description of the submit is no end of a block.
    let no_blank: String =
        SUBMIT_AND_SYNC.lines().filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect();
    assert_eq!(commands(&read(&no_blank)), commands(&whole));
    let no_tabs = SUBMIT_AND_SYNC.replace('\t', "");
    assert_eq!(commands(&read(&no_tabs)), commands(&whole));
    let tabs = SUBMIT_AND_SYNC.replace("Perforce server", "\tPerforce server");
    assert_eq!(commands(&read(&tabs)), commands(&whole));
}

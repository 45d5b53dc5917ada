//! One command that may still get lines.

use crate::serverlog::head::Head;
use crate::serverlog::record::{Command, TableUse};
use crate::serverlog::reuse::push_text;

/// Longest arguments kept; p4d itself shortens long ones.
pub(in crate::serverlog) const LONGEST_ARGUMENTS: usize = 16 << 10;

/// Longest of the other texts.
pub(in crate::serverlog) const LONGEST_TEXT: usize = 1 << 10;

/// A command and what is known of its course.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a line that came or not, in any order")]
pub(super) struct Slot {
    pub(super) command: Command,
    /// Its start line's time and the rest of it, by which a track block finds it.
    pub(super) key: Option<(i64, u64)>,
    /// Which one it is, counted from the first: places are used again.
    pub(super) number: u64,
    /// Those before and after it by age, and the one before it of the same process.
    pub(super) older: u32,
    pub(super) newer: u32,
    pub(super) before: u32,
    /// Whether a line came that said nothing but that it begins.
    pub(super) started: bool,
    /// Whether "completed" came.
    pub(super) completed: bool,
    /// Whether the lines at the end of its track block came.
    pub(super) closed: bool,
    /// Whether another of its process began.
    pub(super) replaced: bool,
    /// Whether it is in the queue of those that wait.
    pub(super) waits: bool,
    /// About its memory.
    pub(super) bytes: usize,
}

/// Commands whose end is not logged: transfers to replicas and their threads.
pub(super) fn is_unreported(function: &[u8]) -> bool {
    function.starts_with(b"rmt-") || function == b"pull" || function == b"client-Stats"
}

/// About the memory of a command.
pub(super) fn weight(command: &Command) -> usize {
    let texts =
        [&command.user, &command.client, &command.address, &command.program, &command.function, &command.arguments];
    size_of::<Slot>()
        + texts.iter().map(|text| text.capacity()).sum::<usize>()
        + command.tables.capacity() * size_of::<TableUse>()
        + command.tables.iter().map(|table| table.name.capacity()).sum::<usize>()
        + command.triggers.len() * 64
}

/// The texts of a start line.
pub(super) fn fill(command: &mut Command, head: &Head) {
    let fields = head.fields;
    command.pid = head.pid;
    for (text, field, most) in [
        (&mut command.user, fields.user, LONGEST_TEXT),
        (&mut command.client, fields.client, LONGEST_TEXT),
        (&mut command.address, fields.address, LONGEST_TEXT),
        (&mut command.program, fields.program, LONGEST_TEXT),
        (&mut command.function, fields.function, LONGEST_TEXT),
        (&mut command.arguments, fields.arguments, LONGEST_ARGUMENTS),
    ] {
        text.clear();
        push_text(text, head.field(field), most);
    }
    if command.function == "user-transmit" {
        command.parent = parent(&command.arguments);
    }
}

/// The process after `-t`, with or without a space.
pub(in crate::serverlog) fn parent(arguments: &str) -> Option<u64> {
    let mut words = arguments.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if let Some(number) = word.strip_prefix("-t") {
            let number = if number.is_empty() { words.next()? } else { number };
            return number.parse().ok();
        }
    }
    None
}

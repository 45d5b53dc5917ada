//! One block of a log as it is read: which kind, its start line, its track lines.

use super::head::Head;
use super::record::{Damage, Ending, Event, Place, Sink, What};
use super::reuse::push_text;
use super::scan::Scan;
use super::track::{Class, Track};

/// Longest text kept of an error.
const LONGEST_ERROR: usize = 1 << 10;

/// What the lines to come belong to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// No block.
    #[default]
    Nothing,
    /// A header was read.
    Header,
    /// A start line.
    Head,
    /// A start line whose arguments go on.
    Open,
    /// A start line with a trigger's name; its lapse may follow.
    Trigger,
    /// "completed".
    Completed,
    /// Track lines of a paste, without a start line.
    Anonymous,
    /// Track lines whose command is not known.
    Orphan,
    /// An error.
    Error,
}

/// A block.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// Where its start line is, or its first line.
    pub(super) place: Place,
    /// Its start line.
    pub(super) head: Head,
    /// The start line that is being read: it ends the block before it.
    pub(super) next: Head,
    /// Whether its arguments may go on where they seemed to end.
    quoted: bool,
    /// Its track lines.
    pub(super) track: Track,
    /// The trigger.
    pub(super) trigger: Vec<u8>,
    /// How long it ran.
    pub(super) trigger_lapse_s: Option<f64>,
    /// Of "completed": the process, and which of its commands.
    pub(super) pid: u64,
    pub(super) number: u64,
    /// The error.
    error_pid: Option<u64>,
    error_operation: Option<String>,
    error_text: String,
    error_at: Option<super::record::Moment>,
    calendar: super::scan::Calendar,
    /// Function and arguments after `p4 -Ztrack` in a paste.
    pasted: Option<(String, String)>,
    /// A paste's block that is complete, if the log goes on as a paste.
    anonymous: Option<Box<super::record::Command>>,
}

impl Block {
    pub(super) fn begin(&mut self, kind: BlockKind, place: Place) {
        self.quoted = false;
        self.kind = kind;
        self.place = place;
        if kind == BlockKind::Error {
            self.error_pid = None;
            self.error_operation = None;
            self.error_text.clear();
            self.error_at = None;
        }
    }

    /// The start line that was read is the block's.
    pub(super) fn head(&mut self, kind: BlockKind, place: Place) {
        std::mem::swap(&mut self.head, &mut self.next);
        self.kind = kind;
        self.place = place;
        self.trigger_lapse_s = None;
        let arguments = self.head.field(self.head.fields.arguments);
        self.quoted = kind == BlockKind::Open || memchr::memchr(b'\'', arguments).is_some();
    }

    /// Whether a line of no known form may be one more of the arguments: they had quotes, or several lines.
    pub(super) fn may_go_on(&self) -> bool {
        self.quoted && !self.track.any && matches!(self.kind, BlockKind::Head | BlockKind::Nothing)
    }

    pub(super) fn completed(&mut self, pid: u64, number: u64, place: Place) {
        self.quoted = false;
        self.kind = BlockKind::Completed;
        self.place = place;
        self.pid = pid;
        self.number = number;
    }

    /// `lapse .044s` behind a trigger's name.
    pub(super) fn lapse_of_trigger(&mut self, line: &[u8]) -> bool {
        if self.kind != BlockKind::Trigger || self.trigger_lapse_s.is_some() {
            return false;
        }
        let mut scan = Scan::new(line);
        if scan.tag(b"lapse ").is_none() {
            return false;
        }
        self.trigger_lapse_s = scan.seconds();
        self.trigger_lapse_s.is_some()
    }

    /// A line of an error block.
    pub(super) fn error_line(&mut self, line: &[u8]) -> Class {
        let text = line.trim_ascii();
        if let Some(rest) = text.strip_prefix(b"Date ")
            && self.error_at.is_none()
        {
            self.error_at = self.calendar.moment(&mut Scan::new(rest));
        } else if let Some(rest) = text.strip_prefix(b"Pid ")
            && self.error_pid.is_none()
        {
            self.error_pid = Scan::new(rest).number();
        } else if let Some(rest) = text.strip_prefix(b"Operation: ")
            && self.error_operation.is_none()
        {
            let mut operation = String::new();
            push_text(&mut operation, rest, LONGEST_ERROR);
            self.error_operation = Some(operation);
        } else if self.error_text.is_empty() && !is_headline(text) {
            push_text(&mut self.error_text, text, LONGEST_ERROR);
        }
        Class::Understood
    }

    /// The error that was read.
    pub(super) fn error(&mut self) -> Event {
        Event {
            place: self.place,
            at: self.error_at,
            what: What::Error {
                pid: self.error_pid,
                operation: self.error_operation.take(),
                text: std::mem::take(&mut self.error_text),
            },
        }
    }

    /// A command line of a paste: `$ p4 -u ann -Ztrack sync -n //...`.
    pub(super) fn paste(&mut self, line: &[u8]) -> bool {
        let Some(at) = memchr::memmem::find(line, b"-Ztrack") else {
            return false;
        };
        let is_p4 = line[..at]
            .split(u8::is_ascii_whitespace)
            .any(|word| matches!(word, b"p4" | b"p4.exe") || word.ends_with(b"/p4"));
        if !is_p4 {
            return false;
        }
        // Options of p4 itself that are followed by a value.
        let takes_value = |word: &[u8]| {
            matches!(
                word,
                b"-p" | b"-u" | b"-c" | b"-P" | b"-H" | b"-d" | b"-C" | b"-L" | b"-Q" | b"-r" | b"-x" | b"-z"
            )
        };
        let mut words = line[at..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut skip = false;
        let name = words.find(|word| {
            let is_value = std::mem::replace(&mut skip, takes_value(word));
            !is_value && word.first() != Some(&b'-')
        });
        let Some(name) = name else {
            return false;
        };
        let mut function = "user-".to_owned();
        push_text(&mut function, name, LONGEST_ERROR);
        let mut arguments = String::new();
        for word in words {
            if !arguments.is_empty() {
                arguments.push(' ');
            }
            push_text(&mut arguments, word, LONGEST_ERROR);
            if arguments.len() > 16 << 10 {
                break;
            }
        }
        self.pasted = Some((function, arguments));
        true
    }

    /// Whether a track line of a paste begins the next command.
    pub(super) fn is_next_anonymous(&self, text: &[u8]) -> bool {
        let text = text.trim_ascii_start();
        let command = &self.track.command;
        text.starts_with(b"lapse ") && self.track.any || Track::begins_block(text) && !command.tables.is_empty()
    }

    /// A block of a paste has ended: it is a command, if no server log follows.
    pub(super) fn keep_anonymous(&mut self, sink: &mut dyn Sink) {
        if !self.track.any {
            return;
        }
        self.give_anonymous(sink);
        let mut command = Box::new(std::mem::take(&mut self.track.command));
        command.place = self.place;
        command.tracked = true;
        (command.function, command.arguments) =
            self.pasted.take().unwrap_or_else(|| ("unknown".to_owned(), String::new()));
        command.ending = if command.lapse_s.is_some() { Ending::Tracked } else { Ending::Unreported };
        self.anonymous = Some(command);
    }

    /// A block of a paste is a command.
    pub(super) fn give_anonymous(&mut self, sink: &mut dyn Sink) {
        if let Some(command) = self.anonymous.take() {
            sink.command(&command);
        }
    }

    /// It is the rest of a block whose beginning was cut.
    pub(super) fn refuse_anonymous(&mut self, sink: &mut dyn Sink) {
        if let Some(command) = self.anonymous.take() {
            sink.damage(&Damage {
                place: command.place,
                bytes: 0,
                found: "track lines without their command: the log begins in the middle of a block".to_owned(),
            });
        }
    }
}

/// Whether a line of an error says no more than "Operation 'user-fstat' failed."
fn is_headline(text: &[u8]) -> bool {
    text.starts_with(b"Operation '") && text.ends_with(b"' failed.")
}

/// The rest of a line that begins with three dashes, or with the one that web pages make of them.
pub(super) fn is_dashed(line: &[u8]) -> Option<&[u8]> {
    if let Some(text) = line.strip_prefix(b"---") {
        return Some(text);
    }
    let text = line.strip_prefix("—".as_bytes()).or_else(|| line.strip_prefix("–".as_bytes()))?;
    Some(text.strip_prefix(b"-").unwrap_or(text)).filter(|text| text.first() == Some(&b' '))
}

/// Whether a track line is one that stands in blocks of commands, and hardly in descriptions.
pub(super) fn is_of_block(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    [
        &b"lapse "[..],
        b"usage ",
        b"rpc msgs",
        b"memory cmd",
        b"db.",
        b"meta/",
        b"clients/",
        b"clientEntity/",
        b"storageup/",
    ]
    .iter()
    .any(|head| text.starts_with(head))
}

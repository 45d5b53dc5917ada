//! Commands of p4d as scripts of steps: locks, rows, journal, archives, messages.

use super::entry::Entry;
use super::record::{always, word};
use super::release::Release;
use crate::diag::quoted;
use crate::document::{Readable, Reader};
use crate::origin::Sourced;
use crate::units::Bytes;

/// What a "file" of a command counts, bound to an answer of the site.
pub const FILES_FROM: [&str; 9] = ["none", "one", "listing", "edit", "sync", "workspace", "submit", "branch", "depot"];

/// What somebody who waits for a command waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Response {
    /// A listing.
    Browse,
    /// Files opened for change.
    Edit,
    /// Files brought to the workspace.
    Sync,
    /// A change committed.
    Submit,
}

impl Response {
    const ALL: [Self; 4] = [Self::Browse, Self::Edit, Self::Sync, Self::Submit];

    /// Its word in files and tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Browse => "browse",
            Self::Edit => "edit",
            Self::Sync => "sync",
            Self::Submit => "submit",
        }
    }

    /// The response of that word; none for "none", a command in the background.
    fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.word() == word)
    }
}

/// The words for responses in a command's file.
pub const RESPONSES: [&str; 5] = ["none", "browse", "edit", "sync", "submit"];

/// How far a command reads without locks from release 2013.3 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lockless {
    /// Fully.
    Always,
    /// With db.peeking 3; with 2, nearly.
    Mostly,
    /// Never.
    Never,
}

impl Readable for Lockless {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        Some(match reader.word(key, &["always", "mostly", "never"])?.value {
            "always" => Self::Always,
            "mostly" => Self::Mostly,
            _ => Self::Never,
        })
    }
}

record! {
    /// A command class.
    struct Command: Entry {
        /// `interactive`, `write`, …
        kind: &'static str = word(&KINDS),
        /// Whether it reads without locks.
        lockless: Lockless,
        /// Whether it pays the steps of `overhead` first.
        prologue: bool,
        /// What its files count.
        files_from: &'static str = word(&FILES_FROM),
        /// What is waited for; none where it runs in the background.
        response: Option<Response> = response,
        /// What it does, in order.
        steps: Vec<Step> = always(steps),
    }
}

/// A cost with a part a command and a part a file.
#[derive(Debug, Clone, PartialEq)]
pub struct PerFile<T> {
    /// For each command.
    pub per_command: Option<Sourced<T>>,
    /// For each file that it touches.
    pub per_file: Option<Sourced<T>>,
}

/// One step of a command.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Takes locks on all `tables`, held until the next [`Step::Unlock`].
    Lock {
        /// In the order in which p4d takes them.
        tables: Vec<String>,
        /// Exclusive, or shared with other readers.
        exclusive: bool,
        /// Those of the tables that a read locks with `db.peeking` 2 as well.
        kept: Vec<String>,
        /// Rows after which the locks are released and taken again; all in one hold where there is none. Of a read, those of
        /// the tables that stay locked with `db.peeking` 2.
        batch_rows: Option<Sourced<f64>>,
    },
    /// Releases all locks; before the release `since` they are kept, and the section goes on.
    Unlock {
        /// The first release that lets go here, if not all do.
        since: Option<Release>,
    },
    /// Reads rows.
    ReadRows {
        /// How many.
        rows: PerFile<f64>,
        /// Neighbours in the table, so that a page serves many; else each row has a page of its own.
        scan: bool,
    },
    /// Writes rows.
    WriteRows(PerFile<f64>),
    /// Appends to the journal.
    Journal(PerFile<Bytes>),
    /// Reads db pages, wherever they lie.
    ReadPages(Sourced<f64>),
    /// Writes db pages and waits until they are on the device.
    WritePages {
        /// How many.
        pages: Sourced<f64>,
        /// Of these, how many are forced out one by one.
        commits: Sourced<f64>,
    },
    /// Opens and closes db files.
    Open(Sourced<f64>),
    /// Forces files to disk at exit.
    Flush(Sourced<f64>),
    /// Reads archives: files opened a file, bytes a byte of content.
    ReadArchive {
        /// Archive files opened for each file.
        per_file: Option<Sourced<f64>>,
        /// Bytes moved for each byte of content.
        per_byte: Option<Sourced<f64>>,
    },
    /// Writes archives.
    WriteArchive {
        /// Archive files created for each file.
        per_file: Option<Sourced<f64>>,
        /// Bytes moved for each byte of content.
        per_byte: Option<Sourced<f64>>,
    },
    /// Sends to the client.
    Send(Message),
    /// Receives from the client.
    Receive(Message),
    /// Computes digests of content.
    Digest(Sourced<f64>),
    /// Writes to the log.
    Log(Sourced<Bytes>),
    /// Dumps the database to text, in the time that a checkpoint takes.
    Dump,
}

/// Bytes between server and client.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// For each command and file.
    pub size: PerFile<Bytes>,
    /// Share of the files' content.
    pub per_byte: Option<Sourced<f64>>,
}

/// The kinds of commands.
const KINDS: [&str; 7] = ["prologue", "interactive", "transfer", "write", "maintenance", "replication", "polling"];

#[expect(clippy::option_option, reason = "outside: whether it could be read")]
fn response(r: &Reader<'_>, key: &'static str) -> Option<Option<Response>> {
    let word = word(&RESPONSES)(r, key)?;
    Some(Response::of_word(word))
}

/// The `[[step]]` tables.
fn steps(r: &Reader<'_>, _: &str) -> Vec<Step> {
    r.require(&["step"]);
    r.tables("step").iter().filter_map(Step::read).collect()
}

/// The release from which a step is there; none inside where all have it.
#[expect(clippy::option_option, reason = "outside: whether it could be read")]
fn since(r: &Reader<'_>) -> Option<Option<Release>> {
    let Some(text) = r.text("since") else {
        return Some(None);
    };
    let release: Option<Release> = text.value.parse().ok();
    if release.is_none() {
        let message = format!("{} is no release", quoted(&text.value));
        r.report("MOD005", message, &text.place, "such as \"2013.3\"");
    }
    release.map(Some)
}

impl Step {
    /// Whether it does the same for every call of its command, however many files and bytes that has.
    pub fn is_fixed(&self) -> bool {
        let message = |m: &Message| m.size.per_file.is_none() && m.per_byte.is_none();
        match self {
            Self::Lock { .. }
            | Self::Unlock { .. }
            | Self::ReadPages(_)
            | Self::WritePages { .. }
            | Self::Open(_)
            | Self::Flush(_)
            | Self::Log(_)
            | Self::Dump => true,
            Self::ReadRows { rows, .. } | Self::WriteRows(rows) => rows.per_file.is_none(),
            Self::Journal(bytes) => bytes.per_file.is_none(),
            Self::Send(m) | Self::Receive(m) => message(m),
            Self::ReadArchive { .. } | Self::WriteArchive { .. } | Self::Digest(_) => false,
        }
    }

    fn read(r: &Reader<'_>) -> Option<Self> {
        const STEPS: [&str; 16] = [
            "lock",
            "unlock",
            "read_rows",
            "write_rows",
            "read_pages",
            "write_pages",
            "journal",
            "open",
            "flush",
            "read_archive",
            "write_archive",
            "send",
            "receive",
            "digest",
            "log",
            "dump",
        ];
        r.require(&["do"]);
        r.raw("note");
        let step = Self::read_of_kind(r, r.word("do", &STEPS)?.value);
        r.finish();
        step
    }

    /// The step that `kind` names, from the keys beside it.
    fn read_of_kind(r: &Reader<'_>, kind: &str) -> Option<Self> {
        let number = |key: &'static str| {
            r.require(&[key]);
            r.sourced_number(key)
        };
        Some(match kind {
            "lock" => {
                r.require(&["tables", "mode"]);
                let (tables, mode) = (r.texts("tables"), r.word("mode", &["read", "write"]));
                let batch_rows = r.sourced_number("batch_rows");
                let kept = r.texts("locked_at_peeking_2").unwrap_or_default();
                Self::Lock {
                    tables: tables?.into_iter().map(|t| t.value).collect(),
                    exclusive: mode?.value == "write",
                    kept: kept.into_iter().map(|t| t.value).collect(),
                    batch_rows,
                }
            }
            "unlock" => Self::Unlock { since: since(r)? },
            "read_rows" => Self::ReadRows { scan: is_scan(r), rows: rows(r) },
            "write_rows" => Self::WriteRows(rows(r)),
            "read_pages" => Self::ReadPages(number("per_command")?),
            "write_pages" => {
                r.require(&["per_command", "commits"]);
                let (pages, commits) = (r.sourced_number("per_command"), r.sourced_number("commits"));
                Self::WritePages { pages: pages?, commits: commits? }
            }
            "journal" => Self::Journal(sizes(r)),
            "open" => Self::Open(number("per_command")?),
            "flush" => Self::Flush(number("per_command")?),
            "read_archive" => {
                Self::ReadArchive { per_file: r.sourced_number("per_file"), per_byte: r.sourced_number("per_byte") }
            }
            "write_archive" => {
                Self::WriteArchive { per_file: r.sourced_number("per_file"), per_byte: r.sourced_number("per_byte") }
            }
            "send" => Self::Send(message(r)),
            "receive" => Self::Receive(message(r)),
            "digest" => Self::Digest(number("per_byte")?),
            "dump" => Self::Dump,
            _ => {
                r.require(&["per_command"]);
                Self::Log(r.sourced("per_command")?)
            }
        })
    }
}

fn rows(r: &Reader<'_>) -> PerFile<f64> {
    r.raw("pattern");
    PerFile { per_command: r.sourced_number("per_command"), per_file: r.sourced_number("per_file") }
}

fn is_scan(r: &Reader<'_>) -> bool {
    r.word("pattern", &["keyed", "scan"]).is_some_and(|p| p.value == "scan")
}

fn sizes(r: &Reader<'_>) -> PerFile<Bytes> {
    PerFile { per_command: r.sourced("per_command"), per_file: r.sourced("per_file") }
}

fn message(r: &Reader<'_>) -> Message {
    Message { size: sizes(r), per_byte: r.sourced_number("per_byte") }
}

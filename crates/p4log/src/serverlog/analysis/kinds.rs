//! Kinds of work and marks of automation: `server-log.toml`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::unserved::Cause;
use crate::serverlog::record::Command;

/// The file, as embedded.
const GROUPS: &str = include_str!("../../../server-log.toml");

/// What the file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    kind: Vec<Entry>,
    query: Vec<Query>,
    automation: Automation,
    limits: Tried,
    command: Vec<Named>,
    locks: Vec<Locks>,
    peeks: Peeks,
    unserved: Vec<Cause>,
    known: Words,
    lock_order: LockOrder,
}

/// What a command locks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Locks {
    functions: Vec<String>,
    #[serde(default)]
    option: Option<String>,
    /// Tables and lock files that it keeps everybody out of.
    #[serde(default)]
    pub(super) exclusive: Vec<String>,
    /// Those that it keeps writers out of.
    #[serde(default)]
    pub(super) shared: Vec<String>,
    /// Whether it may keep them for minutes.
    #[serde(default)]
    pub(super) long: bool,
    /// Whether `p4 monitor terminate` does not end it.
    #[serde(default)]
    pub(super) not_ended: bool,
    /// What to do in its place.
    #[serde(default)]
    pub(super) instead: Option<String>,
}

/// The order in which p4d takes locks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LockOrder {
    /// Lock files, by the beginnings of their names: before all tables.
    files: Vec<String>,
    tables: Vec<String>,
}

/// Commands that can read without locks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Peeks {
    since: String,
    functions: Vec<String>,
}

/// Words that are no names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serverlog) struct Words {
    /// Commands of p4.
    pub(in crate::serverlog) commands: Vec<String>,
    /// Its long options.
    pub(in crate::serverlog) options: Vec<String>,
    /// Words of programs and platforms.
    pub(in crate::serverlog) programs: Vec<String>,
}

/// A command of the catalogue in a log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serverlog) struct Named {
    pub(in crate::serverlog) id: String,
    pub(in crate::serverlog) function: String,
    #[serde(default)]
    pub(in crate::serverlog) option: Option<String>,
    #[serde(default)]
    pub(in crate::serverlog) arguments: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    title: String,
    functions: Vec<String>,
    #[serde(default)]
    begin: Vec<String>,
}

/// Functions that only ask: always, or with one of the options.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    functions: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Automation {
    programs: Vec<String>,
    users: Vec<String>,
    interactive: Vec<String>,
    why: String,
}

/// Limits that are tried: values, and when one is advised.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tried {
    pub(super) max_results: Vec<u64>,
    pub(super) max_scan_rows: Vec<u64>,
    pub(super) max_lock_time_ms: Vec<u64>,
    pub(super) max_memory_mb: Vec<u64>,
    /// Share of the commands that a limit may cut to be advised.
    pub(super) most_cut: f64,
    /// By which factor those that it cuts lie above the largest that it does not cut, at least.
    pub(super) least_gap: f64,
}

static FILE: LazyLock<File> = LazyLock::new(|| {
    let file: File = toml::from_str(GROUPS).expect("server-log.toml is of its form");
    assert_eq!(file.schema, 1, "server-log.toml has schema 1");
    file
});

static OF_FUNCTION: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let kinds = FILE.kind.iter().enumerate();
    let functions = kinds.flat_map(|(i, kind)| kind.functions.iter().map(move |f| (f.as_str(), i)));
    functions.collect()
});

/// Commands of the catalogue in a log, in the order in which they are looked for.
pub(in crate::serverlog) fn commands() -> &'static [Named] {
    &FILE.command
}

/// What a command locks; `None` if nobody wrote it down.
pub(super) fn locks(function: &str, arguments: &str) -> Option<&'static Locks> {
    let has = |option: &str| arguments.split_whitespace().any(|word| word == option);
    FILE.locks
        .iter()
        .find(|locks| locks.functions.iter().any(|one| one == function) && locks.option.as_deref().is_none_or(has))
}

/// Where a table or lock file stands in p4d's order of locks; those that are not known come last of their sort.
pub(in crate::serverlog) fn lock_rank(name: &str, is_file: bool) -> usize {
    let LockOrder { files, tables } = &FILE.lock_order;
    if is_file {
        let place = files.iter().position(|file| name.starts_with(file.as_str()));
        return place.unwrap_or(files.len());
    }
    let place = tables.iter().position(|table| table == name);
    files.len() + 1 + place.unwrap_or(tables.len())
}

/// What to do in place of a command that holds locks for long.
pub fn instead(function: &str, arguments: &str) -> Option<&'static str> {
    locks(function, arguments)?.instead.as_deref()
}

/// Whether a narrower path makes a command smaller.
pub fn takes_paths(function: &str) -> bool {
    let kind = names(kind(function)).0;
    matches!(kind, "sync" | "browse" | "merge" | "edit" | "shelve")
}

/// Whether a function reads without locks, wholly or mostly, where `db.peeking` is set.
pub(super) fn peeks(function: &str) -> bool {
    FILE.peeks.functions.iter().any(|one| one == function)
}

/// Whether a release has `db.peeking`; one that is not known may.
pub fn has_peeking(release: Option<&str>) -> bool {
    release.is_none_or(|release| release >= FILE.peeks.since.as_str())
}

/// Why commands are not served, that which tells most first; the last fits any error.
pub(super) fn causes() -> &'static [Cause] {
    &FILE.unserved
}

/// Words that are no names.
pub(in crate::serverlog) fn known_words() -> &'static Words {
    &FILE.known
}

/// Number of the kind of a function; [`count`] − 1 is "other".
pub(super) fn kind(function: &str) -> usize {
    if let Some(kind) = OF_FUNCTION.get(function) {
        return *kind;
    }
    let begins = |entry: &Entry| entry.begin.iter().any(|b| function.starts_with(b.as_str()));
    let found = FILE.kind.iter().position(begins);
    found.unwrap_or(FILE.kind.len())
}

/// Kinds, "other" among them.
pub(super) fn count() -> usize {
    FILE.kind.len() + 1
}

/// What a kind is called in the JSON answer, and for people.
pub(super) fn names(kind: usize) -> (&'static str, &'static str) {
    let entry = FILE.kind.get(kind);
    entry.map_or(("other", "other"), |entry| (&entry.id, &entry.title))
}

/// The kind with an id.
pub(super) fn with_id(id: &str) -> usize {
    let found = FILE.kind.iter().position(|entry| entry.id == id);
    found.unwrap_or(FILE.kind.len())
}

/// The limits that are tried.
pub(super) fn tried() -> &'static Tried {
    &FILE.limits
}

/// Why marks of automation are only a hint.
pub(super) fn why_automation() -> &'static str {
    &FILE.automation.why
}

/// What names say of who runs a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::serverlog) struct Marks {
    /// The program is one of builds and scripts.
    pub(in crate::serverlog) program: bool,
    /// The user is called like one.
    pub(in crate::serverlog) user: bool,
    /// The program is one that a person sits at.
    interactive: bool,
}

impl Marks {
    pub(in crate::serverlog) fn of(command: &Command) -> Self {
        let program = command.program.to_lowercase();
        let user = command.user.to_lowercase();
        let has = |parts: &[String], name: &str| parts.iter().any(|part| name.contains(part));
        Self {
            program: has(&FILE.automation.programs, &program),
            user: has(&FILE.automation.users, &user),
            interactive: has(&FILE.automation.interactive, &program),
        }
    }

    /// Whether the command is one of builds and scripts by its program or its user.
    pub(super) fn is_automation(self) -> bool {
        self.program || self.user
    }

    /// Whether nothing speaks against that: who uses an interactive program may be a person with such a name.
    pub(super) fn is_surely_automation(self) -> bool {
        self.program || (self.user && !self.interactive)
    }
}

/// Whether a person or a script called it, so that it counts as a command: not the later phases of a submit, not what
/// replicas, parallel transfers and idle connections do.
pub(super) fn is_called(command: &Command) -> bool {
    command.function.starts_with("user-") && command.function != "user-transmit"
}

/// Whether a command only asks: it may be a poll.
pub(super) fn is_query(command: &Command) -> bool {
    let words = || command.arguments.split_whitespace();
    let has = |option: &String| words().any(|word| word == option);
    // `counter` and `key` with a value write it.
    let writes = matches!(command.function.as_str(), "user-counter" | "user-key")
        && (words().filter(|word| !word.starts_with('-')).count() > 1
            || words().any(|word| matches!(word, "-i" | "-d" | "-m" | "-mi")));
    let is_listed = |query: &Query| {
        query.functions.contains(&command.function) && (query.options.is_empty() || query.options.iter().any(has))
    };
    !writes && (kind(&command.function) == with_id("browse") || FILE.query.iter().any(is_listed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_anything_is_no_query() {
        let is = |function: &str, arguments: &str| {
            is_query(&Command { function: function.to_owned(), arguments: arguments.to_owned(), ..Command::default() })
        };
        assert!(is("user-fstat", "//a/...") && is("user-client", "-o ws"));
        assert!(is("user-sync", "-n //a/...") && is("user-counter", "change"));
        assert!(!is("user-sync", "//a/...") && !is("user-submit", "-i"));
        assert!(!is("user-edit", "//a/b") && !is("user-client", "-i"));
        assert!(!is("user-counter", "-u swarm 7") && !is("user-key", "-i next"));
    }

    #[test]
    fn a_user_called_like_a_build_may_be_a_person_at_an_interactive_program() {
        let judged = |program: &str, user: &str| {
            let marks =
                Marks::of(&Command { program: program.to_owned(), user: user.to_owned(), ..Command::default() });
            (marks.is_surely_automation(), marks.is_automation())
        };
        let (line, window) = ("p4/2024.2/LINUX26X86_64/2697822", "P4V/NTX64/2024.2/2655015");
        assert_eq!(judged(line, "build7"), (true, true));
        assert_eq!(judged(window, "build7"), (false, true));
        assert_eq!(judged("jenkins.p4-plugin/1.14", "ann"), (true, true));
        assert_eq!(judged(line, "ann"), (false, false));
    }

    #[test]
    fn functions_find_their_kind() {
        let id = |function| names(kind(function)).0;
        assert_eq!(
            ["user-sync", "dm-CommitSubmit", "rmt-FileFetch", "pull", "user-never"].map(id),
            ["sync", "submit", "replication", "replication", "other"]
        );
        let mut seen = std::collections::HashSet::new();
        let all = FILE.kind.iter().flat_map(|kind| &kind.functions);
        assert!(all.into_iter().all(|f| seen.insert(f)), "each in one kind");
        assert!(!why_automation().is_empty() && with_id("sync") == 0);
    }
}

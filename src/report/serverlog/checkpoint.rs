//! What a checkpoint holds: rows by table, and of them files, revisions, workspaces and users.

use super::json::at;
use super::parts;
use super::words::{count, counted, name, share, size};
use crate::page::{Section, Table};
use crate::report::json::{list, object};
use crate::serverlog::analysis::Findings;
use crate::serverlog::journal::{ACTIVE_DAYS, Checkpoint, Contents, Held, UNUSED_DAYS};

/// Tables that a text shows.
const TABLES: usize = 40;
/// Tables that one line names.
const FIRST: usize = 4;

/// When it was made, in UTC.
pub(super) fn made(checkpoint: &Checkpoint) -> String {
    match checkpoint.span {
        None => "at a time that it does not state".to_owned(),
        Some((from, to)) if from == to => format!("{from} UTC"),
        Some((from, to)) => format!("{from} to {to} UTC"),
    }
}

/// "1,200 rows of 300 KB in 40 tables".
pub(super) fn held(checkpoint: &Checkpoint) -> String {
    let files = match checkpoint.files {
        1 => String::new(),
        files => format!(", from {}", counted(files, "file")),
    };
    format!(
        "{}, {} in {}{files}",
        counted(checkpoint.rows, "row"),
        size(checkpoint.bytes as f64),
        counted(checkpoint.tables.len() as u64, "table")
    )
}

/// Lines with labels for one screen.
pub(super) fn lines(checkpoint: &Checkpoint) -> Vec<(&'static str, String)> {
    let mut lines = vec![("checkpoint", held(checkpoint))];
    lines.extend(files(checkpoint).map(|text| ("files", text)));
    lines.extend(workspaces(checkpoint).map(|text| ("workspaces", text)));
    lines.extend(users(checkpoint).map(|text| ("users", text)));
    let first = checkpoint.tables.iter().take(FIRST);
    let first: Vec<String> = first
        .map(|table| {
            let part = share(table.bytes as f64, checkpoint.bytes as f64);
            format!("{} {part}", name(&table.name))
        })
        .collect();
    lines.push(("bytes in", first.join(", ")));
    lines
}

/// Files and revisions.
fn files(checkpoint: &Checkpoint) -> Option<String> {
    let (files, all) = (checkpoint.rows_of("db.revhx"), checkpoint.rows_of("db.rev"));
    let mut said = Vec::new();
    if files > 0 {
        said.push(format!("{} (db.revhx)", counted(files, "file")));
    }
    if all > 0 {
        said.push(format!("{} (db.rev)", counted(all, "revision")));
    }
    if said.is_empty() {
        return None;
    }
    let mut said = vec![said.join(", ")];
    if let Some(mean) = checkpoint.heads.mean_bytes() {
        said.push(format!("a file has {} on average", size(mean)));
    }
    let revisions = &checkpoint.revisions;
    let own = revisions.bytes.saturating_sub(revisions.lazy_bytes);
    if own > 0 {
        said.push(format!("all revisions with content of their own {} before compression", size(own as f64)));
    }
    Some(said.join("; "))
}

/// Workspaces and the files in them.
fn workspaces(checkpoint: &Checkpoint) -> Option<String> {
    let workspaces = &checkpoint.workspaces;
    let have = checkpoint.rows_of("db.have");
    let mut said = Vec::new();
    if workspaces.all > 0 {
        let unused = workspaces.unused.map_or(String::new(), |unused| {
            format!(", {} of them not used in the {UNUSED_DAYS} days before", count(unused))
        });
        said.push(format!("{}{unused}", counted(workspaces.all, "workspace")));
    }
    if have > 0 {
        said.push(format!(
            "{} in workspaces (db.have), {} in the largest",
            counted(have, "file"),
            count(workspaces.largest_files)
        ));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

/// Users, and who of them is a person.
fn users(checkpoint: &Checkpoint) -> Option<String> {
    let users = &checkpoint.users;
    if users.all == 0 {
        return None;
    }
    let all = counted(users.all, "user");
    let people = match users.people {
        1 => format!("{all}, one of them a person by the name"),
        n => format!("{all}, {} of them people by their names", count(n)),
    };
    Some(match users.active {
        None => people,
        Some(active) => format!("{people}; {} of these people active in the {ACTIVE_DAYS} days before", count(active)),
    })
}

/// Everything.
pub(super) fn section(findings: &Findings) -> Section {
    let Some(checkpoint) = &findings.checkpoint else {
        return Section::default();
    };
    let mut says = vec![format!(
        "Made {}: {}. Rows that are there, not changes: nothing of them is in a rate.",
        made(checkpoint),
        held(checkpoint)
    )];
    for (label, text) in
        [("Files", files(checkpoint)), ("Workspaces", workspaces(checkpoint)), ("Users", users(checkpoint))]
    {
        says.extend(text.map(|text| format!("{label}: {text}.")));
    }
    let tables = [("Rows by table", tables(checkpoint))];
    parts::section("checkpoint", "What the checkpoint holds", says, tables)
}

fn tables(checkpoint: &Checkpoint) -> Table {
    let mut grid = Table::new(&["table", ">rows", ">bytes", ">share"]);
    let mut row = |label: String, rows: u64, bytes: u64| {
        let (bytes, all) = (bytes as f64, checkpoint.bytes as f64);
        grid.row(vec![label, count(rows), size(bytes), share(bytes, all)]);
    };
    for table in checkpoint.tables.iter().take(TABLES) {
        row(name(&table.name), table.rows, table.bytes);
    }
    if let Some(rest) = checkpoint.tables.get(TABLES..).filter(|rest| !rest.is_empty()) {
        let sum = |of: fn(&Held) -> u64| rest.iter().map(of).sum::<u64>();
        let label = counted(rest.len() as u64, "other");
        row(label, sum(|table| table.rows), sum(|table| table.bytes));
    }
    grid
}

object! {
    /// What a checkpoint holds.
    #[schemars(rename = "Checkpoint")]
    CheckpointJson of (checkpoint: &Checkpoint) [let (users, workspaces) = (&checkpoint.users, &checkpoint.workspaces);] {
        from: Option<String> = checkpoint.span.and_then(|(from, _)| at(from)), "When it began, as its notes state.";
        to: Option<String> = checkpoint.span.and_then(|(_, to)| at(to)), "When it ended, as its notes state.";
        clock: &'static str = "UTC", "Of both: UTC.";
        files: u64 = checkpoint.files, "Its files.";
        rows: u64 = checkpoint.rows, "Rows.";
        checkpoint_bytes: u64 = checkpoint.bytes, "Bytes.";
        tables: Vec<CheckpointTable> = list(&checkpoint.tables, CheckpointTable::of), "By table.";
        revisions: ContentsJson = ContentsJson::of(&checkpoint.revisions), "Of db.rev.";
        heads: ContentsJson = ContentsJson::of(&checkpoint.heads), "Of db.revhx.";
        users: u64 = users.all, "Users.";
        people: u64 = users.people, "Of them people by their names.";
        active_people: Option<u64> = users.active, "Of these active in the 30 days before; null where it has no time.";
        workspaces: u64 = workspaces.all, "Workspaces.";
        unused_workspaces: Option<u64> = workspaces.unused, "Of them not used for 90 days; null where it has no time.";
        largest_workspace_files: u64 = workspaces.largest_files, "Files in the largest.";
    }

    /// A table of a checkpoint.
    CheckpointTable of (table: &Held) {
        table: String = table.name.clone();
        rows: u64 = table.rows, "Rows.";
        checkpoint_bytes: u64 = table.bytes, "Bytes.";
    }

    /// Revisions by what they hold.
    #[schemars(rename = "Contents")]
    ContentsJson of (c: &Contents) {
        sized: u64 = c.sized, "Revisions with content.";
        sized_bytes: u64 = c.bytes, "Bytes of these.";
        lazy: u64 = c.lazy, "Of them lazy copies.";
        lazy_bytes: u64 = c.lazy_bytes, "Bytes of these.";
    }
}

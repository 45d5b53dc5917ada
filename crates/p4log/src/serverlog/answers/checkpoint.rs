//! What a checkpoint answers: how much the database holds. It has no rates.

use super::super::journal::{ACTIVE_DAYS, Checkpoint};
use super::{Answers, FEWEST, kilobytes, whole};
use crate::units::grouped;

/// Answers of the checkpoint.
pub(super) fn answers(out: &mut Answers, checkpoint: &Checkpoint) {
    let users = &checkpoint.users;
    let active = users.active.filter(|active| *active > 0);
    if users.people > 0 {
        let (people, who) = match active {
            Some(active) => {
                (active, format!("users who were active in the {ACTIVE_DAYS} days before the checkpoint and"))
            }
            None => (users.people, "users".to_owned()),
        };
        let all = users.all;
        out.add(
            "people.developers",
            (people as f64, people as f64, all as f64),
            whole,
            format!("{who} whose names are not those of builds and scripts; {all} users in all"),
        );
    }
    let (heads, revisions) = (&checkpoint.heads, &checkpoint.revisions);
    for (field, table, lazy) in [("data.files", "db.revhx", heads.lazy), ("data.revisions", "db.rev", revisions.lazy)] {
        let rows = checkpoint.rows_of(table);
        if rows > 0 {
            let how = if lazy > 0 {
                format!("rows of {table}; low: without lazy copies")
            } else {
                format!("rows of {table}")
            };
            let (rows, low) = (rows as f64, rows.saturating_sub(lazy) as f64);
            out.add(field, (rows, low, rows), whole, how);
        }
    }
    if checkpoint.workspaces.largest_files > 0 {
        let most = checkpoint.workspaces.largest_files as f64;
        out.add(
            "data.workspace_files",
            (most, most, most),
            whole,
            "rows of db.have of the workspace that has most".to_owned(),
        );
    }
    let (of, what) = if heads.sized >= FEWEST {
        (heads, "head revisions: all files, those of a typical sync may be others")
    } else {
        (revisions, "revisions: all of them, those of a typical sync may be others")
    };
    if let Some(mean) = of.mean_bytes().filter(|mean| of.sized >= FEWEST && *mean >= 1.0) {
        out.add(
            "data.file_size",
            (mean, mean, mean),
            kilobytes,
            format!("{} bytes over {} {what}", grouped(of.bytes as f64), grouped(of.sized as f64)),
        );
    }
}

/// What a checkpoint without a log and without a journal leaves open, a sentence each.
pub(super) fn undecided() -> Vec<String> {
    [
        "Commands, rates, waits and times: a checkpoint says what the database holds at one moment, and not how fast that changes. Give the server log of a working day, and its journals.",
        "The size of the database: the files db.* are larger than their checkpoint. `du -sch P4ROOT/db.*` says it.",
    ]
    .map(str::to_owned)
    .to_vec()
}

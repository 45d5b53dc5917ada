//! A log without some of its commands: what others would have waited less.

use super::json::LogInput;
use super::words::{counted, name, time};
use crate::page::{Block, Page, Section, Table};
use crate::report::json::{Made, list, object};
use crate::serverlog::counterfactual::{Change, Counterfactual, Relieved, TableWaits, Trust};
use crate::serverlog::quality::Log;
use crate::units::two_digits;

/// What is said first.
fn verdict(change: &Change, found: &Counterfactual) -> String {
    let change = change.to_string();
    let [saved, low, high] = found.saved_s.map(|seconds| time(seconds.max(0.0)));
    let logged = time(found.logged_s);
    let mut said = match found.trust {
        Trust::Nothing => {
            format!("The others waited {logged} for locks in this log: nothing is saved {change}.")
        }
        Trust::Unended => format!(
            "What the others would have waited {change} cannot be said yet: {} when the log ends, and waits are logged when a command ends.",
            runs(found.endless)
        ),
        Trust::Refused => format!(
            "What others would have waited {change} cannot be said: with everybody in, the replay has {} of waiting and the log {logged}.",
            time(found.replayed_s)
        ),
        Trust::Holds | Trust::Rough if found.saved_s[0] < 0.01 * found.logged_s => {
            format!("Others would have waited as long {change}: {saved} less ({low} to {high}) of {logged}.")
        }
        Trust::Holds | Trust::Rough => {
            format!("Others would have waited {saved} less ({low} to {high}) {change}, of {logged} in this log.")
        }
    };
    if found.trust == Trust::Rough && found.saved_s[0] >= 0.01 * found.logged_s {
        let factor = two_digits(found.replayed_s / found.logged_s);
        let wide = " times the log's waiting, so that the range is wide.";
        said.extend([" With everybody in, the replay has ", &factor, wide]);
    }
    said
}

/// Commands that run when the log ends.
fn runs(commands: u64) -> String {
    match commands {
        1 => "1 command runs".to_owned(),
        many => format!("{} run", counted(many, "command")),
    }
}

/// Why a replay does not have the log's waiting.
fn why_refused(found: &Counterfactual) -> Option<Block> {
    if found.trust != Trust::Refused {
        return None;
    }
    let reason = if found.replayed_s < found.logged_s {
        "Mostly, whoever held the locks is not in this log, or its track lines do not have his holds: add the logs before and after, and those of edges."
    } else {
        "Commands of this log held locks for longer than others waited for them, so that they did so at other times than the replay has them, or for parts of a table."
    };
    Some(Block::text(reason))
}

/// Who is left out or stopped.
fn changed(change: &Change, found: &Counterfactual) -> String {
    let (commands, users) = (counted(found.commands, "command"), counted(found.users, "user"));
    match change {
        Change::Without(_) => format!(
            "Left out: {commands} of {users}, {} of which held a lock for a millisecond or longer, or waited for one.",
            found.locking
        ),
        Change::Limit(_) => format!(
            "Stopped where they reach the limit: {commands} of {users}; for {} of them nobody waited.",
            found.in_vain
        ),
    }
}

/// For people.
pub fn counterfactual_page(change: &Change, found: &Counterfactual) -> Page {
    let is_told = is_told(found);
    // What cannot be believed is not shown.
    let shown = if is_told { 3 } else { 2 };
    let tables = found.tables.iter().map(|row| {
        let waits = [row.logged_s, row.replayed_s, row.without_s];
        let waits = waits.into_iter().take(shown).map(time);
        std::iter::once(name(&row.table)).chain(waits).collect()
    });
    let last = format!(">{change}");
    let heads = ["table or lock file", ">waited, logged", ">with everybody", &last];
    let tables = Table::new(&heads[..=shown]).with(tables);
    let relieved = found.relieved.iter().filter(|_| is_told);
    let relieved = relieved.map(|row| vec![name(&row.user), time(row.saved_s)]);
    let relieved = Table::new(&["user", ">waits less"]).with(relieved);
    let not_kept = (found.not_kept > 0).then(|| {
        Block::Text(format!("{} after the first two million are not replayed.", counted(found.not_kept, "command")))
    });
    let is_unsaid = found.endless > 0 && found.trust != Trust::Unended;
    let endless = is_unsaid.then(|| {
        Block::Text(format!(
            "{} when the log ends: waits and holds of such commands are logged at their end, and are not in the replay.",
            runs(found.endless)
        ))
    });
    let legend = Block::Note(format!(
        "The log is replayed on its own locks, {} times: each command takes the locks that the log has, first come first served, and holds them for as long as it did, less its waits for others. What a log does not say is drawn: when in its second a command came, and when in its time it locked. Who waits less goes on earlier: the pauses between a user's commands stay, up to half an hour. Processors and storage are as busy as they were.",
        found.draws
    ));
    let blocks = [
        why_refused(found),
        Some(Block::Text(changed(change, found))),
        tables.unless_empty(),
        relieved.unless_empty(),
        endless,
        not_kept,
        Some(legend),
    ];
    let section = Section::untitled(blocks.into_iter().flatten());
    Page::new(verdict(change, found), vec![section])
}

/// Whether it can be believed, in a word.
fn trust(found: &Counterfactual) -> &'static str {
    match found.trust {
        Trust::Holds => "holds",
        Trust::Rough => "rough",
        Trust::Refused => "refused",
        Trust::Unended => "unended",
        Trust::Nothing => "nothing",
    }
}

object! {
    /// `workload --without`, `--limit`: the log without some of its commands.
    WithoutLog of (log: &Log, change: &Change, found: &Counterfactual) {
        #[serde(flatten)] made: Made<LogInput> = Made::from(LogInput::of(log));
        change: String = change.to_string(), "What is changed.";
        commands: u64 = found.commands, "Commands left out, or stopped by the limit.";
        locking: u64 = found.locking, "Of these, those that held a lock for a millisecond or longer, or waited for one.";
        users: u64 = found.users, "Their users.";
        in_vain: Option<u64> = matches!(change, Change::Limit(_)).then_some(found.in_vain), "Commands stopped for which nobody waited; null without a limit.";
        trust: String = trust(found).to_owned(), "`holds`: with everybody in, the replay has the log's waiting within a factor of 1.25; `rough`: within 2; `refused`: neither; `unended`: others did not wait, but commands run when the log ends; `nothing`: others did not wait.";
        logged_wait_s: f64 = found.logged_s, "What others waited, by the log.";
        replayed_wait_s: f64 = found.replayed_s, "The same in the replay with everybody.";
        saved_s: Option<f64> = is_told(found).then_some(found.saved_s[0]), "What others would have waited less; null where it cannot be said.";
        saved_low_s: Option<f64> = is_told(found).then_some(found.saved_s[1]), "The least that the replays leave.";
        saved_high_s: Option<f64> = is_told(found).then_some(found.saved_s[2]), "The most.";
        replays: u64 = found.draws, "Replays.";
        endless: u64 = found.endless, "Commands that run when the log ends: it has none of their locks.";
        not_kept: u64 = found.not_kept, "Commands that were not replayed: the log has more than two million.";
        tables: Vec<TableWithout> = list(&found.tables, TableWithout::of), "Waits by table.";
        relieved: Vec<RelievedUser> = list(found.relieved.iter().filter(|_| is_told(found)), RelievedUser::of), "Who waits less; empty where it cannot be said.";
    }

    /// Waits for a table or lock file, all together.
    TableWithout of (row: &TableWaits) {
        table: String = row.table.clone(), "Which; lock files of workspaces and changes by their kind.";
        logged_wait_s: f64 = row.logged_s, "In the log.";
        replayed_wait_s: f64 = row.replayed_s, "In the replay with everybody.";
        without_wait_s: f64 = row.without_s, "With the change.";
    }

    /// Who waits less.
    RelievedUser of (row: &Relieved) {
        user: String = row.user.clone(), "Who.";
        saved_s: f64 = row.saved_s, "By how much.";
    }
}

fn is_told(found: &Counterfactual) -> bool {
    matches!(found.trust, Trust::Holds | Trust::Rough)
}

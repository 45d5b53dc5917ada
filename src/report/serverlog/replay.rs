//! A log beside its replay: the model's error on this very server.

use std::collections::BTreeMap;

use super::words::counted;
use crate::diag::harmless_line;
use crate::page::{Block, Page, Section, Table};
use crate::report::json::{list, object};
use crate::report::{Header, Inputs};
use crate::serverlog::arrivals::Arrivals;
use crate::system::Deployment;
use crate::system::replay::{Replay, Replayed, TableWait};
use crate::units::{Seconds, two_digits};

/// Rows of tables that are shown.
const TABLES: usize = 10;
/// Functions that are named as left out.
const NAMED: usize = 3;
/// Replayed times within this factor of the logged ones count as agreeing.
const CLOSE: f64 = 1.5;
/// And those within this time of them, to which a log has its lapses \[s\].
const CLOCK_S: f64 = 1e-3;

fn time(seconds: f64) -> String {
    Seconds::new(seconds).to_string()
}

/// Commands whose mean lies within [`CLOSE`], and all that are compared.
fn close(replay: &Replay) -> (u64, u64) {
    let is_close =
        |row: &&Replayed| row.ratio().max(1.0 / row.ratio()) <= CLOSE || (row.simulated - row.logged).abs() < CLOCK_S;
    let calls = |rows: &mut dyn Iterator<Item = &Replayed>| rows.map(|row| row.count).sum();
    let rows = &replay.commands;
    (calls(&mut rows.iter().filter(is_close)), calls(&mut rows.iter()))
}

/// What is left out of a replay, in one sentence; none where nothing is.
fn left_out(arrivals: &Arrivals) -> Option<String> {
    let mut parts = Vec::new();
    let unknown: u64 = arrivals.unknown.values().sum();
    let calls = |count: u64| counted(count, "call");
    if unknown > 0 {
        let mut named: Vec<(&String, &u64)> = arrivals.unknown.iter().collect();
        named.sort_by(|a, b| b.1.cmp(a.1));
        let named: Vec<String> = named.iter().take(NAMED).map(|(function, _)| harmless_line(function)).collect();
        parts.push(format!("{} of commands that the model has no script of ({})", calls(unknown), named.join(", ")));
    }
    if arrivals.endless > 0 {
        parts.push(format!("{} without an end", calls(arrivals.endless)));
    }
    if arrivals.later > 0 {
        parts.push(format!("{} after the first million or the first day", calls(arrivals.later)));
    }
    (!parts.is_empty()).then(|| format!("Left out: {}.", parts.join("; ")))
}

/// The replay for people.
pub fn replay_page(deployment: &Deployment, arrivals: &Arrivals, replay: &Replay) -> Page {
    let (near, all) = close(replay);
    let share = 100.0 * near as f64 / all.max(1) as f64;
    let heading = format!(
        "{} of {} of log replayed on {} ({}): {share:.0} % of them are of kinds whose mean time is within a factor of {CLOSE} of the log's, or within its clock of 1 ms.",
        counted(all, "command"),
        time(replay.time),
        deployment.title,
        deployment.layout
    );
    let cut = replay
        .is_cut
        .then(|| Block::text("The simulation was ended before the log ends: the deployment does not keep up with it."));
    let heads = ["command", ">calls", ">mean logged", ">replayed", ">ratio", ">lock wait logged", ">replayed"];
    let commands = replay.commands.iter().map(|row| {
        let logged_wait = row.logged_wait;
        vec![
            row.command.clone(),
            row.count.to_string(),
            time(row.logged),
            time(row.simulated),
            two_digits(row.ratio()),
            logged_wait.map_or_else(|| "not tracked".to_owned(), time),
            time(row.simulated_wait),
        ]
    });
    let commands = Table::new(&heads).with(commands);
    let tables = replay.tables.iter().take(TABLES).map(|row| {
        let table = harmless_line(&row.table);
        vec![table, time(row.logged), time(row.simulated)]
    });
    let heads = ["table", ">waited, logged", ">waited, replayed"];
    let tables = Table::new(&heads).with(tables);
    let left_out = left_out(arrivals).map(Block::Text);
    let legend = Block::Note(
        "Each command comes when the log has it. Its files and bytes are those of the log, else the site's answers; how large it is against others of its kind, its rows say; locks and costs are the model's. A log has times to the second, and clients at any distance, which are replayed beside the server. What ran when the log began or ended and is not in it is missing from the replay too."
            .to_owned(),
    );
    let blocks = [cut, Some(commands.into()), tables.unless_empty(), left_out, Some(legend)];
    let section = Section::untitled(blocks.into_iter().flatten());
    Page::new(heading, vec![section])
}

object! {
    /// `workload --replay`: a log beside its replay.
    ReplayedLog of (inputs: &Inputs<'_>, deployment: &Deployment, arrivals: &Arrivals, replay: &Replay) {
        #[serde(flatten)] header: Header = inputs.header();
        replay: ReplayJson = ReplayJson::of(deployment, arrivals, replay), "The replay.";
    }

    /// The replay of a log on a deployment.
    #[schemars(rename = "Replay")]
    ReplayJson of (deployment: &Deployment, arrivals: &Arrivals, replay: &Replay) {
        layout: String = deployment.layout.clone(), "Id of the layout.";
        time_s: f64 = replay.time, "Time of the log that was replayed.";
        ended_early: bool = replay.is_cut, "Whether the deployment does not keep up with the log.";
        commands: Vec<ReplayedCommand> = list(&replay.commands, ReplayedCommand::of), "By command.";
        tables: Vec<ReplayedTable> = list(&replay.tables, ReplayedTable::of), "By table.";
        left_out: LeftOut = LeftOut::of(arrivals), "Calls that were not replayed.";
    }

    /// A command in the log and in its replay.
    ReplayedCommand of (row: &Replayed) {
        command: String = row.command.clone(), "Which.";
        calls: u64 = row.count, "Calls.";
        logged_mean_s: f64 = row.logged, "Mean time in the log.";
        replayed_mean_s: f64 = row.simulated, "Mean time in the replay.";
        ratio: f64 = row.ratio(), "The second over the first.";
        logged_lock_wait_s: Option<f64> = row.logged_wait, "Mean wait for locks in the log; null without track lines.";
        replayed_lock_wait_s: f64 = row.simulated_wait, "Mean wait for locks in the replay.";
    }

    /// Waits for a table, all together.
    ReplayedTable of (row: &TableWait) {
        table: String = row.table.clone(), "Which.";
        logged_wait_s: f64 = row.logged, "In the log.";
        replayed_wait_s: f64 = row.simulated, "In the replay.";
    }

    /// Calls that were not replayed.
    LeftOut of (arrivals: &Arrivals) {
        without_script: BTreeMap<String, u64> = arrivals.unknown.clone(), "By function: the model has no script of it.";
        without_end: u64 = arrivals.endless, "The log does not have their end.";
        later: u64 = arrivals.later, "After the first million or the first day.";
    }
}

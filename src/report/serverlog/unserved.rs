//! Commands that were not served: killed, refused, failed, removed from the monitor table.

use super::words::{counted, function, name};
use crate::page::Table;
use crate::serverlog::analysis::{Findings, Outcome, Ranked, Tally, Unserved};

/// Causes and names that a line tells.
const TOLD: usize = 3;

/// A line for each outcome: how many, why, who and with which program.
pub(super) fn lines(findings: &Findings) -> Vec<(&'static str, String)> {
    let all = &findings.unserved;
    let mut outcomes: Vec<Outcome> = all.iter().map(|one| one.cause.outcome).collect();
    outcomes.dedup();
    let line = |outcome: Outcome| {
        let of = || all.iter().filter(move |one| one.cause.outcome == outcome);
        let is_one = of().count() == 1;
        let causes: Vec<String> = of().take(TOLD).map(|one| cause(one, is_one)).collect();
        let more = match of().count().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!("; {} more with --full", counted(more as u64, "cause")),
        };
        let number = counted(of().map(|one| one.commands).sum(), "command");
        (outcome.name(), format!("{number}: {}{more}", causes.join("; ")))
    };
    outcomes.into_iter().map(line).collect()
}

/// A cause with who met it, and how many if there are others.
fn cause(one: &Unserved, is_only: bool) -> String {
    let who = if one.users.rows.is_empty() {
        format!("{}, who is not in the log", names(&one.functions, function))
    } else {
        format!("{}; {}", names(&one.users, name), names(&one.programs, name))
    };
    let number = if is_only { String::new() } else { format!(" {}", super::words::count(one.commands)) };
    format!("{}{number} ({who}; {})", one.cause.title, when(one))
}

/// When.
fn when(one: &Unserved) -> String {
    match one.span {
        None => "no time".to_owned(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first} to {last}"),
    }
}

/// The names that have most of them.
fn names(ranked: &Ranked<Tally>, shown: impl Fn(&str) -> String) -> String {
    let rows = ranked.rows.iter().take(TOLD);
    let mut names: Vec<String> = rows.map(|(name, _)| shown(name)).collect();
    if ranked.rows.len() > TOLD || ranked.others.is_some() {
        names.push("others".to_owned());
    }
    names.join(", ")
}

/// All causes.
pub(super) fn table(findings: &Findings) -> Table {
    let mut table = Table::new(&["outcome", "cause", ">commands", "functions", "users", "programs", "when"]);
    for one in &findings.unserved {
        table.row(vec![
            one.cause.outcome.name().to_owned(),
            one.cause.title.clone(),
            super::words::count(one.commands),
            names(&one.functions, function),
            names(&one.users, name),
            names(&one.programs, name),
            when(one),
        ]);
    }
    table
}

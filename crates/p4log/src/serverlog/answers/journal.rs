//! What a journal answers: commits and what they carry.

use std::collections::BTreeMap;

use super::super::journal::Journal;
use super::super::record::Moment;
use super::{Answers, DAY_S, FEWEST, each, kilobytes, mean_of, middle, plain, whole, worked};
use crate::units::{counted, grouped};

/// Commits of the days in UTC that the journal covers and on which people worked; where it covers none of the calendar,
/// those that run from its first hour on.
fn working_days(journal: &Journal) -> Vec<f64> {
    let mut days = worked(&journal.commits.days, journal.span, |day| *day);
    if days.is_empty()
        && let Some((from, _)) = journal.span
    {
        let mut running: BTreeMap<i64, u64> = BTreeMap::new();
        for hour in &journal.hours {
            let day = (hour.at.seconds_since(from).max(0.0) / DAY_S).floor() as i64;
            *running.entry(day).or_default() += hour.commits;
        }
        let running = running.into_iter();
        let running: Vec<(Moment, u64)> =
            running.map(|(day, commits)| (from.plus_seconds(day as f64 * DAY_S), commits)).collect();
        days = worked(&running, journal.span, |day| *day);
    }
    days.into_iter().map(|(_, count)| count as f64).collect()
}

/// Answers of the journal.
pub(super) fn answers(out: &mut Answers, journal: &Journal) {
    let days = working_days(journal);
    let (users, people) = journal.users;
    if people > 0 && !days.is_empty() {
        out.add(
            "people.developers",
            (people as f64, people as f64, users as f64),
            whole,
            format!(
                "users whose row was written and whose names are not those of builds and scripts; {users} users in all"
            ),
        );
    }
    let commits = &journal.commits;
    let (files, bytes) = commits.sized;
    if files >= FEWEST && bytes > 0 {
        let mean = bytes as f64 / files as f64;
        out.add(
            "data.file_size",
            (mean, mean, mean),
            kilobytes,
            format!("{} bytes over {} submitted", grouped(bytes as f64), counted(files, "revision")),
        );
    }
    let n = days.len();
    if let Some(found) = middle(days) {
        out.add(
            "workload.submits_per_day",
            found,
            |x| format!("{} /day", plain(x)),
            format!("changes that were committed, the middle of {n} days of UTC"),
        );
    }
    if let Some(spread) = commits.files.filter(|spread| spread.count >= FEWEST) {
        let (mean, low, high) = each(&spread);
        out.add(
            "workload.files_per_submit",
            (mean.max(1.0), low.max(1.0), high.max(1.0)),
            plain,
            mean_of(spread.count, "commits"),
        );
        out.least("workload.largest_submit_files", spread.max, "the largest commit of the journal");
    }
}

/// What a journal leaves open, a sentence each; more where there is no server log beside it.
pub(super) fn undecided(journal: &Journal, is_alone: bool) -> Vec<String> {
    let mut all = Vec::new();
    if is_alone {
        all.push(
            "Commands, reads, waits, times and who called what: a journal has only what was written. Give the server log."
                .to_owned(),
        );
        all.push(
            "All syncs: those of read-only and partitioned workspaces are not in the journal, and how many files one command synced is not either."
                .to_owned(),
        );
    }
    if journal.span.is_none() {
        all.push("This journal states no time: nothing is known by hour or day.".to_owned());
    } else if working_days(journal).is_empty() {
        all.push(
            "Commits a day: the journal covers no 20 hours of a day. Give the journals of a whole working day."
                .to_owned(),
        );
    }
    all
}

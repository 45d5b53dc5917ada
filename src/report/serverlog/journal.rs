//! What journals say: what is written, by table and hour, and what a submit writes.

use super::json::{Counts, Sizes, at};
use super::parts;
use super::words::{count, counted, name, share, size, spread};
use crate::page::{Section, Table};
use crate::report::json::{list, object};
use crate::serverlog::analysis::Findings;
use crate::serverlog::journal::{self, Journal};
use crate::serverlog::record::Moment;
use crate::units::{Seconds, two_digits};

/// Tables that a text shows.
const TABLES: usize = 12;
/// Hours that a text shows: a week.
const HOURS: usize = 168;

/// From when to when, in UTC.
pub(super) fn span(journal: &Journal) -> String {
    let Some((from, to)) = journal.span else {
        return "no times".to_owned();
    };
    let lasts = Seconds::new(journal.span_s().max(0.0)).estimated();
    format!("{from} to {to} UTC ({lasts})")
}

/// Lines with labels for one screen.
pub(super) fn lines(journal: &Journal) -> Vec<(&'static str, String)> {
    let mut lines = vec![("journal", written(journal))];
    if let Some(grows) = growth(journal) {
        lines.push(("grows by", grows));
    }
    let top = journal.tables.iter().take(4);
    let top: Vec<String> = top
        .map(|table| {
            let part = share(table.bytes as f64, journal.bytes as f64);
            format!("{} {part}", name(&table.name))
        })
        .collect();
    lines.push(("bytes in", top.join(", ")));
    lines.extend(a_submit(journal).map(|text| ("a submit", text)));
    lines
}

/// "1,200 records of 300 KB in 80 transactions".
pub(super) fn written(journal: &Journal) -> String {
    format!(
        "{}, {} in {}",
        counted(journal.records, "record"),
        size(journal.bytes as f64),
        counted(journal.transactions, "transaction")
    )
}

/// How fast it grows, and in its busiest hour.
pub(super) fn growth(journal: &Journal) -> Option<String> {
    let daily = journal.bytes_per_day()?;
    let busiest = journal.hours.iter().max_by_key(|hour| (hour.bytes, std::cmp::Reverse(hour.at)));
    let busiest = busiest.map_or(String::new(), |hour| {
        format!("; the busiest hour, from {} UTC, wrote {}", hour.at, size(hour.bytes as f64))
    });
    Some(format!("{} a day{busiest}", size(daily)))
}

/// What a submit writes.
fn a_submit(journal: &Journal) -> Option<String> {
    let commits = &journal.commits;
    let bytes = commits.bytes.as_ref()?;
    let files = commits.files.as_ref().map_or(String::new(), |files| format!("; files: {}", spread(files, two_digits)));
    let each = commits.bytes_per_file.map_or(String::new(), |each| format!("; {} a file", size(each)));
    Some(format!("{}: each {}{each}{files}", counted(commits.count, "commit"), spread(bytes, size)))
}

/// Everything.
pub(super) fn section(findings: &Findings) -> Section {
    let Some(journal) = &findings.journal else {
        return Section::default();
    };
    let mut says = vec![format!("{}: {}.", span(journal), written(journal))];
    says.extend(growth(journal).map(|text| format!("It grows by {text}.")));
    says.extend(a_submit(journal).map(|text| format!("What a submit writes, {text}.")));
    if let Some(have) = journal.table("db.have") {
        says.push(format!(
            "Files in workspaces: {} synced and {} removed, {} of the journal.",
            count(have.put + have.replaced),
            count(have.deleted),
            share(have.bytes as f64, journal.bytes as f64)
        ));
    }
    if journal.untimed_bytes > 0 {
        says.push(format!(
            "{} stand behind the last time that the journal states, and are in no hour.",
            size(journal.untimed_bytes as f64)
        ));
    }
    let tables = [
        ("By table", tables(journal)),
        ("Written by commits", of_commits(journal)),
        ("By hour of UTC", hours(journal)),
    ];
    parts::section("journal", "What the journal says", says, tables)
}

fn tables(journal: &Journal) -> Table {
    let mut grid = Table::new(&["table", ">new", ">replaced", ">deleted", ">bytes", ">share"]);
    for table in journal.tables.iter().take(TABLES) {
        grid.row(vec![
            name(&table.name),
            count(table.put),
            count(table.replaced),
            count(table.deleted),
            size(table.bytes as f64),
            share(table.bytes as f64, journal.bytes as f64),
        ]);
    }
    if let Some(rest) = journal.tables.get(TABLES..).filter(|rest| !rest.is_empty()) {
        let sum = |of: fn(&journal::Table) -> u64| rest.iter().map(of).sum::<u64>();
        let bytes = sum(|table| table.bytes) as f64;
        grid.row(vec![
            counted(rest.len() as u64, "other"),
            count(sum(|table| table.put)),
            count(sum(|table| table.replaced)),
            count(sum(|table| table.deleted)),
            size(bytes),
            share(bytes, journal.bytes as f64),
        ]);
    }
    grid
}

fn of_commits(journal: &Journal) -> Table {
    let commits = &journal.commits;
    let each = |sum: u64| sum as f64 / commits.count.max(1) as f64;
    let mut grid = Table::new(&["table", ">rows a commit", ">bytes a commit"]);
    for (table, rows, bytes) in &commits.tables {
        grid.row(vec![name(table), two_digits(each(*rows)), size(each(*bytes))]);
    }
    grid
}

fn hours(journal: &Journal) -> Table {
    let mut grid = Table::new(&["from", ">records", ">bytes", ">commits"]);
    for hour in journal.hours.iter().take(HOURS) {
        grid.row(vec![hour.at.to_string(), count(hour.records), size(hour.bytes as f64), count(hour.commits)]);
    }
    grid
}

object! {
    /// What journals say; times are UTC.
    #[schemars(rename = "Journal")]
    JournalJson of (journal: &Journal) {
        from: Option<String> = journal.span.and_then(|(from, _)| at(from)), "When they begin.";
        to: Option<String> = journal.span.and_then(|(_, to)| at(to)), "When they end.";
        clock: &'static str = "UTC", "Of all times here: UTC.";
        records: u64 = journal.records, "Records.";
        journal_bytes: u64 = journal.bytes, "Bytes.";
        untimed_bytes: u64 = journal.untimed_bytes, "Bytes behind the last time.";
        transactions: u64 = journal.transactions, "Transactions.";
        bytes_per_day: Option<f64> = journal.bytes_per_day(), "Bytes a day; null where the time is too short.";
        users: u64 = journal.users.0, "Users that wrote.";
        people: u64 = journal.users.1, "Of them people by their names.";
        tables: Vec<JournalTable> = list(&journal.tables, JournalTable::of), "By table.";
        hours: Vec<JournalHour> = list(&journal.hours, JournalHour::of), "By hour.";
        commits: CommitsJson = CommitsJson::of(&journal.commits), "What a commit writes.";
    }

    /// A table of a journal.
    JournalTable of (table: &journal::Table) {
        table: String = table.name.clone();
        put: u64 = table.put, "Rows put.";
        replaced: u64 = table.replaced, "Rows replaced.";
        deleted: u64 = table.deleted, "Rows deleted.";
        records: u64 = table.records(), "All of them.";
        journal_bytes: u64 = table.bytes, "Their bytes.";
    }

    /// An hour of a journal.
    JournalHour of (hour: &journal::Hour) {
        from: Option<String> = at(hour.at), "When it began.";
        records: u64 = hour.records, "Records.";
        journal_bytes: u64 = hour.bytes, "Their bytes.";
        commits: u64 = hour.commits, "Commits.";
    }

    /// What a commit writes.
    #[schemars(rename = "Commits")]
    CommitsJson of (commits: &journal::Commits) {
        count: u64 = commits.count, "Commits.";
        each_files: Option<Counts> = commits.files.as_ref().map(Counts::of), "Files of one; null without a commit.";
        each_journal_bytes: Option<Sizes> = commits.bytes.as_ref().map(Sizes::of), "Bytes of one in the journal; null without a commit.";
        journal_bytes_per_file: Option<f64> = commits.bytes_per_file, "Bytes in the journal by file; null without a file.";
        sized_revisions: u64 = commits.sized.0, "Revisions whose size is known.";
        sized_bytes: u64 = commits.sized.1, "Bytes of these.";
        days: Vec<CommitDay> = list(&commits.days, |(day, count)| CommitDay::of(*day, *count)), "By day.";
        tables: Vec<CommitTable> = list(&commits.tables, |(table, records, bytes)| CommitTable::of(table, *records, *bytes)), "Tables of their transactions.";
    }

    /// A day of commits.
    CommitDay of (day: Moment, count: u64) {
        from: Option<String> = at(day), "When it began.";
        commits: u64 = count, "Commits.";
    }

    /// A table that commits write.
    CommitTable of (table: &str, records: u64, bytes: u64) {
        table: String = table.to_owned();
        records: u64 = records, "Records.";
        journal_bytes: u64 = bytes, "Their bytes.";
    }
}

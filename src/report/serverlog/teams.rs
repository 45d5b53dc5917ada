//! What groups cost, as a section and as JSON.

use super::json::Largest;
use super::parts::section;
use super::points::allowed;
use super::words::{count, counted, name, share, time};
use crate::page::{Section, Table};
use crate::report::json::{list, object};
use crate::serverlog::analysis::{Advised, Findings, Team, TeamRow, Teams};
use crate::serverlog::groups::{Allowed, LIMITS};

/// Sums over the rows, of which each row has a share.
pub(crate) struct Whole {
    commands: f64,
    lapse_s: f64,
    rows_scanned: f64,
    sent_bytes: f64,
    caused_s: f64,
}

impl Whole {
    fn of(teams: &Teams) -> Self {
        let sum = |of: fn(&TeamRow) -> f64| teams.rows.iter().map(of).sum();
        Self {
            commands: sum(|row| row.commands),
            lapse_s: sum(|row| row.lapse_s),
            rows_scanned: sum(|row| row.rows_scanned),
            sent_bytes: sum(|row| row.sent_bytes),
            caused_s: sum(|row| row.caused_s),
        }
    }
}

/// What a group is called in a table.
fn title(team: &Team) -> String {
    match team {
        Team::Group(group) => name(group),
        Team::None => "(in no group)".to_owned(),
        Team::Others => "(further users)".to_owned(),
    }
}

/// What groups cost: shares of all work, and of what others waited for them.
pub(super) fn costs(findings: &Findings) -> Section {
    let Some(teams) = &findings.teams else {
        return Section::default();
    };
    let whole = Whole::of(teams);
    let mut grid = Table::new(&["group", ">users", ">commands", ">time", ">rows scanned", ">sent", ">others waited"]);
    let mut limits = Table::new(&["group", ">MaxResults", ">MaxScanRows", ">MaxLockTime", ">MaxMemory"]);
    for row in &teams.rows {
        grid.row(vec![
            title(&row.team),
            if row.team == Team::Others { String::new() } else { count(row.users) },
            share(row.commands, whole.commands),
            share(row.lapse_s, whole.lapse_s),
            share(row.rows_scanned, whole.rows_scanned),
            share(row.sent_bytes, whole.sent_bytes),
            share(row.caused_s, whole.caused_s),
        ]);
        if row.limits.iter().any(|limit| *limit != Allowed::Unset) {
            let limits_of = row.limits.iter().map(|limit| allowed(*limit));
            limits.row(std::iter::once(title(&row.team)).chain(limits_of).collect());
        }
    }
    section("teams", "What groups cost", says(findings, teams, &whole), [("", grid), ("Their limits today", limits)])
}

/// How the shares are made, and what they leave open.
fn says(findings: &Findings, teams: &Teams, whole: &Whole) -> Vec<String> {
    let mut says = vec![
        "Each column adds up to 100 %. The work of a user in several groups is split among them in equal parts."
            .to_owned(),
    ];
    let waited_s = findings.contention.waited_s;
    if waited_s > 0.0 {
        says.push(format!(
            "Others waited {} for these groups: of {} of waiting for locks, that whose holder is known.",
            time(whole.caused_s),
            time(waited_s)
        ));
    }
    if teams.several.0 > 0 {
        let (number, users) = &teams.several;
        says.push(format!("In several groups: {}.", some(*number, users.iter().map(|user| name(user)))));
    }
    if teams.none.0 > 0 {
        let (number, users) = &teams.none;
        let users = users.iter().map(|(user, near)| match near {
            Some(near) => format!("{} (did the file mean it by {}?)", name(user), name(near)),
            None => name(user),
        });
        says.push(format!("In no group: {}.", some(*number, users)));
    }
    let is_whole = teams.rows.iter().all(|row| row.team != Team::Others);
    if teams.unseen > 0 && is_whole {
        let groups = counted(teams.unseen, "group");
        says.push(format!("No member of {groups} of the file is in this log."));
    }
    says
}

/// "3 users: ann, bob and others".
fn some(number: u64, users: impl ExactSizeIterator<Item = String>) -> String {
    let more = if number > users.len() as u64 { ", and others" } else { "" };
    let users: Vec<String> = users.collect();
    format!("{}: {}{more}", counted(number, "user"), users.join(", "))
}

object! {
    /// What groups cost.
    TeamsJson of (teams: &Teams) [let whole = Whole::of(teams);] {
        groups: Vec<GroupCost> = list(&teams.rows, |row| GroupCost::of(row, &whole)), "Groups whose members are in the log, then users in none, then users beyond those that are kept by name.";
        groups_not_in_the_log: u64 = teams.unseen, "Groups of the file of which the log has no member.";
        users_in_several_groups: u64 = teams.several.0, "Users whose work is split among several groups.";
        users_in_no_group: u64 = teams.none.0, "Users of the log who are in no group of the file.";
    }

    /// A group. The work of a user who is in several is split among them in equal parts.
    GroupCost of (row: &TeamRow, whole: &Whole) [let of = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };] {
        group: Option<String> = match &row.team { Team::Group(group) => Some(group.clone()), Team::None | Team::Others => None }, "Its name; null for the rest.";
        title: String = title(&row.team), "The same in words.";
        users: u64 = row.users, "Its users in the log; 0 where they are not kept by name.";
        commands: f64 = row.commands, "Commands, as far as they count for it.";
        command_fraction: f64 = of(row.commands, whole.commands), "Its share of all.";
        lapse_s: f64 = row.lapse_s, "Their lapses.";
        lapse_fraction: f64 = of(row.lapse_s, whole.lapse_s), "Its share of all.";
        rows_scanned: f64 = row.rows_scanned, "Rows scanned.";
        rows_scanned_fraction: f64 = of(row.rows_scanned, whole.rows_scanned), "Its share of all.";
        sent_bytes: f64 = row.sent_bytes, "Bytes sent to clients, as far as the log says.";
        sent_fraction: f64 = of(row.sent_bytes, whole.sent_bytes), "Its share of all.";
        caused_wait_s: f64 = row.caused_s, "How long others waited for locks that its users held.";
        caused_wait_fraction: f64 = of(row.caused_s, whole.caused_s), "Its share of the waiting whose holder is known.";
        limits: Vec<LimitToday> = list(LIMITS.iter().zip(&row.limits), |(limit, today)| LimitToday::of(limit, *today)), "Its limits today.";
    }

    /// A limit of a group.
    LimitToday of (limit: &str, today: Allowed) {
        name: String = limit.to_owned(), "The limit.";
        value: String = allowed(today), "A number, unset or unlimited.";
    }

    /// A value for a limit that the log carries.
    AdvisedLimit of (advised: &Advised) {
        value: u64 = advised.value, "The value.";
        commands: u64 = advised.commands, "Commands above it.";
        users: u64 = advised.users, "Users of these.";
        lapse_s: f64 = advised.lapse_s, "Lapses of these.";
        largest_ordinary: Largest = Largest::of(&advised.ordinary), "The largest command below it.";
        groups: Vec<GroupLimit> = list(&advised.groups, |(group, today)| GroupLimit::of(group, None, *today)), "Groups to set it for; empty without `--groups`.";
        lifted: Vec<GroupLimit> = list(&advised.lifted, |one| GroupLimit::of(&one.group, Some(&one.user), one.allows)), "Users above it whom another group allows more.";
        in_no_group: Vec<String> = advised.without.clone(), "Users above it who are in no group.";
    }

    /// What a group allows.
    GroupLimit of (group: &str, user: Option<&str>, today: Allowed) {
        group: String = group.to_owned(), "The group.";
        user: Option<String> = user.map(str::to_owned), "The user of whom this is said; null where it is said of the group.";
        today: String = allowed(today), "What it allows today: a number, unset or unlimited.";
    }
}

//! What groups cost: the work of their members, and how long others waited for them.
//!
//! The work of a user who is in several groups is split among them in equal parts, so that the parts add up to the whole;
//! users in no group are a row of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::ranking::Ranking;
use super::{Blamed, Tally};
use crate::diag::nearest;
use crate::serverlog::Pseudonyms;
use crate::serverlog::groups::{Allowed, Groups, LIMITS};

/// Users that are named of those in no group, and in several.
const NAMED: usize = 5;

/// Whose work a row is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Team {
    /// A group's.
    Group(String),
    /// That of users in no group.
    None,
    /// That of users beyond those that are kept by name.
    Others,
}

/// The work of a group's members, as far as it counts for this group.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamRow {
    /// Whose.
    pub team: Team,
    /// Users of the log in it; of others 0.
    pub users: u64,
    /// Commands.
    pub commands: f64,
    /// Their lapses \[s\].
    pub lapse_s: f64,
    /// Rows scanned.
    pub rows_scanned: f64,
    /// Bytes sent to clients, as far as the log says.
    pub sent_bytes: f64,
    /// How long others waited for them \[s\].
    pub caused_s: f64,
    /// What the group's limits are, in the order of [`LIMITS`].
    pub limits: [Allowed; 4],
}

impl TeamRow {
    fn new(team: Team, groups: &Groups) -> Self {
        let limits = match &team {
            Team::Group(name) => std::array::from_fn(|limit| groups.sets(name, limit)),
            Team::None | Team::Others => [Allowed::Unset; LIMITS.len()],
        };
        Self { team, users: 0, commands: 0.0, lapse_s: 0.0, rows_scanned: 0.0, sent_bytes: 0.0, caused_s: 0.0, limits }
    }

    fn add(&mut self, tally: &Tally, part: f64) {
        self.commands += tally.commands as f64 * part;
        self.lapse_s += tally.lapse_s * part;
        self.rows_scanned += tally.rows_scanned as f64 * part;
        self.sent_bytes += tally.sent_bytes as f64 * part;
    }
}

/// What groups cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Teams {
    /// Groups whose members are in the log, that which took most time first; then the rest.
    pub rows: Vec<TeamRow>,
    /// Groups of the file of which the log has no member.
    pub unseen: u64,
    /// How many users are in several groups, and some of them.
    pub several: (u64, Vec<String>),
    /// How many are in none, and some of them, each with a member of nearly the same name.
    pub none: (u64, Vec<(String, Option<String>)>),
}

impl Teams {
    /// With other names.
    pub(super) fn rename(&mut self, names: &Pseudonyms) {
        for row in &mut self.rows {
            if let Team::Group(name) = &mut row.team {
                *name = names.group(name);
            }
        }
        for user in &mut self.several.1 {
            *user = names.user(user);
        }
        for (user, near) in &mut self.none.1 {
            *user = names.user(user);
            // Two pseudonyms are not near each other.
            *near = None;
        }
    }
}

/// Splits the work of users among their groups.
pub(super) fn teams(groups: &Groups, users: &Ranking<Tally>, blamed: &[Blamed]) -> Teams {
    let mut rows: BTreeMap<Team, TeamRow> = BTreeMap::new();
    let mut several = (0, Vec::new());
    let mut none = (0, Vec::new());
    let mut in_log: BTreeSet<&str> = BTreeSet::new();
    for (user, tally) in users.all() {
        in_log.insert(user);
        let of_user = split(groups, user);
        match &of_user[..] {
            [(Team::None, _)] => {
                none.0 += 1;
                if none.1.len() < NAMED {
                    let near = nearest(user, groups.users()).map(str::to_owned);
                    none.1.push((user.to_owned(), near));
                }
            }
            [_] => {}
            _ => {
                several.0 += 1;
                if several.1.len() < NAMED {
                    several.1.push(user.to_owned());
                }
            }
        }
        for (team, part) in of_user {
            let row = row(&mut rows, team, groups);
            row.users += 1;
            row.add(tally, part);
        }
    }
    if let Some(others) = users.others() {
        row(&mut rows, Team::Others, groups).add(others, 1.0);
    }
    for blamed in blamed {
        let of_user =
            if in_log.contains(blamed.user.as_str()) { split(groups, &blamed.user) } else { vec![(Team::Others, 1.0)] };
        for (team, part) in of_user {
            row(&mut rows, team, groups).caused_s += blamed.others_s() * part;
        }
    }
    let seen = rows.keys().filter(|team| matches!(team, Team::Group(_))).count();
    let mut rows: Vec<TeamRow> = rows.into_values().collect();
    let is_rest = |row: &TeamRow| !matches!(row.team, Team::Group(_));
    rows.sort_by(|a, b| {
        let by_time = || b.lapse_s.total_cmp(&a.lapse_s);
        is_rest(a).cmp(&is_rest(b)).then_with(by_time).then_with(|| a.team.cmp(&b.team))
    });
    Teams { rows, unseen: (groups.names().count() - seen) as u64, several, none }
}

fn row<'r>(rows: &'r mut BTreeMap<Team, TeamRow>, team: Team, groups: &Groups) -> &'r mut TeamRow {
    rows.entry(team.clone()).or_insert_with(|| TeamRow::new(team, groups))
}

/// The groups that a user's work counts for, and which part of it for each.
fn split(groups: &Groups, user: &str) -> Vec<(Team, f64)> {
    let of_user = groups.of_user(user);
    let part = 1.0 / of_user.len().max(1) as f64;
    let mut split: Vec<(Team, f64)> = of_user.map(|name| (Team::Group(name.to_owned()), part)).collect();
    if split.is_empty() {
        split.push((Team::None, 1.0));
    }
    split
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    type Of = fn(&TeamRow) -> f64;

    /// Users, groups and waits of every kind: what the rows have together is what the users had.
    #[test]
    fn the_rows_add_up_to_all_work_and_all_waiting() {
        for seed in 0..50_u64 {
            let draw = |salt: u64, below: u64| {
                let bytes = [seed.to_le_bytes(), salt.to_le_bytes()].concat();
                crate::serverlog::pseudonym::siphash((1, 2), &bytes) % below
            };
            let mut csv = String::from("user,group\nx,y\n");
            let mut users = Ranking::new(8);
            let mut blamed = Vec::new();
            let mut all = TeamRow::new(Team::None, &Groups::default());
            for i in 0..40 {
                let user = format!("user{i}");
                for group in 0..draw(i, 4) {
                    writeln!(csv, "{user},group{}", (i + group) % 5).unwrap();
                }
                let tally = Tally {
                    commands: draw(100 + i, 1000),
                    lapse_s: draw(200 + i, 1000) as f64,
                    rows_scanned: draw(300 + i, 1_000_000),
                    sent_bytes: draw(400 + i, 1 << 40),
                    ..Tally::default()
                };
                users.entry(&user, Tally::default).add(&tally);
                all.add(&tally, 1.0);
                let waited_s = draw(500 + i, 100) as f64;
                all.caused_s += waited_s;
                blamed.push(Blamed {
                    user,
                    program: String::new(),
                    function: String::new(),
                    commands: 1,
                    waited_s,
                    own_s: 0.0,
                    table: String::new(),
                });
            }
            let groups = Groups::read("g", &csv).unwrap_or_else(|why| panic!("{why}"));
            let teams = teams(&groups, &users, &blamed);
            let sums: [(Of, &str); 5] = [
                (|row| row.commands, "commands"),
                (|row| row.lapse_s, "lapse"),
                (|row| row.rows_scanned, "rows"),
                (|row| row.sent_bytes, "bytes"),
                (|row| row.caused_s, "caused"),
            ];
            for (of, what) in sums {
                let sum: f64 = teams.rows.iter().map(of).sum();
                assert!((sum - of(&all)).abs() <= 1e-9 * of(&all), "{seed} {what}: {sum}");
            }
            // The one user of group y is not in the log; of others it is not known.
            assert!(teams.unseen >= 1, "{seed}");
        }
    }
}

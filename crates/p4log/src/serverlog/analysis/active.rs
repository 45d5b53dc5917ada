//! Who was active when: commands, people and connections by hour and day.

use std::collections::{BTreeMap, HashSet};

use super::kinds::Marks;
use crate::serverlog::pseudonym::siphash;
use crate::serverlog::record::{Command, Moment};

/// Seconds of an hour, and of a day.
const HOUR: i64 = 3600;
const DAY: i64 = 86_400;
/// Hours of which users are counted at a time; commands that end later than this after their start are rare.
const OPEN_HOURS: usize = 48;
/// Hours of the day in which somebody who never sleeps is seen.
const SLEEPLESS: u32 = 20;
/// Days that are counted.
const DAYS: usize = 4000;
/// Users that are counted: [`People::users`] is no larger.
pub const USERS: usize = 200_000;

/// A day: of the calendar, or 24 hours that run from the log's first command on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Day {
    /// When it begins.
    pub at: Moment,
    /// Commands that people and scripts called, by hour of the clock.
    pub hours: [u64; 24],
    /// Submits among them that reached the server's commit.
    pub submits: u64,
    /// Syncs among them, without previews.
    pub syncs: u64,
    /// Commands among them that usually touch a whole workspace or branch.
    pub long: u64,
    /// Commands that names give to automation: surely, and perhaps.
    pub automated: (u64, u64),
}

impl Day {
    /// Commands of the day.
    pub fn commands(&self) -> u64 {
        self.hours.iter().sum()
    }

    /// Of these, commands that no name gives to automation.
    pub fn by_people(&self) -> u64 {
        self.commands().saturating_sub(self.automated.1)
    }

    /// The busiest hour over the mean of the day's 24; `None` if all commands lie in one hour, which shows no course of a day.
    pub fn peak_to_mean(&self) -> Option<f64> {
        let hours = self.hours.iter().filter(|commands| **commands > 0).count();
        (hours > 1).then(|| self.busiest() as f64 * 24.0 / self.commands() as f64)
    }

    /// Commands of the busiest hour.
    pub fn busiest(&self) -> u64 {
        self.hours.iter().copied().max().unwrap_or(0)
    }
}

/// People of the busiest hour and of the whole log.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(clippy::struct_field_names, reason = "people are some of the users")]
pub struct People {
    /// Users whom no mark gives to automation, in the whole log.
    pub people: u64,
    /// Users in the whole log.
    pub users: u64,
    /// Commands of further users, whom the count leaves out.
    pub beyond: u64,
    /// The most people active in one hour, and the hour; no time where there is none.
    pub at_peak: (u64, Moment),
}

/// A user so far.
#[derive(Debug, Clone, Copy, Default)]
struct User {
    commands: u64,
    /// Hours of the day in which he was seen, a bit each, to find those who never sleep.
    hours: u32,
    /// Whether a mark gives a command of his to automation, and whether none gives one.
    is_marked: bool,
    is_person: bool,
}

/// Counts them.
#[derive(Debug, Clone, Default)]
pub(super) struct Active {
    days: BTreeMap<i64, Day>,
    /// The first command that came, and the days that run from there on: logs are not rotated at midnight alone.
    first: Option<Moment>,
    running: BTreeMap<i64, Day>,
    /// People of the latest hours.
    open: BTreeMap<i64, HashSet<u64>>,
    users: BTreeMap<u64, User>,
    beyond: u64,
    at_peak: (u64, i64),
}

/// All that is found of days and people.
#[derive(Debug, Clone, Default)]
pub(super) struct DaysAndPeople {
    pub(super) days: Vec<Day>,
    pub(super) running_days: Vec<Day>,
    pub(super) people: People,
}

impl Active {
    /// A command that a person or script called; `begin` is when it began, or the part of the log that is looked at.
    pub(super) fn add(&mut self, command: &Command, begin: Moment, marks: Marks, is_sync: bool) {
        let second = begin.micros.div_euclid(1_000_000);
        let hour = second.div_euclid(HOUR);
        let is_long = is_long(command);
        for day in self.days_of(begin) {
            day.hours[hour.rem_euclid(24) as usize] += 1;
            day.syncs += u64::from(is_sync);
            day.long += u64::from(is_long);
            day.automated.0 += u64::from(marks.is_surely_automation());
            day.automated.1 += u64::from(marks.is_automation());
        }
        let user = siphash((0, 0), command.user.as_bytes());
        let is_marked = marks.is_automation();
        if self.users.len() < USERS || self.users.contains_key(&user) {
            let seen = self.users.entry(user).or_default();
            seen.commands += 1;
            if begin.known().is_some() {
                seen.hours |= 1 << hour.rem_euclid(24);
            }
            seen.is_marked |= is_marked;
            seen.is_person |= !is_marked;
        } else {
            self.beyond += 1;
        }
        if is_marked || begin.known().is_none() {
            return;
        }
        let open = self.open.entry(hour).or_default();
        if open.len() < USERS {
            open.insert(user);
        }
        if self.open.len() > OPEN_HOURS {
            self.close_first();
        }
    }

    /// A submit that was committed.
    pub(super) fn submitted(&mut self, at: Moment) {
        for day in self.days_of(at) {
            day.submits += 1;
        }
    }

    /// The day of the calendar and the running one of a moment, as far as they are counted.
    fn days_of(&mut self, at: Moment) -> impl Iterator<Item = &mut Day> {
        let first = match (self.first, at.known()) {
            (Some(first), _) => first,
            (None, known) => {
                self.first = known;
                at
            }
        };
        let both = [(&mut self.days, Moment::default()), (&mut self.running, first)];
        both.into_iter().filter_map(move |(days, from)| at.known().and_then(|at| day(days, from, at)))
    }

    fn close_first(&mut self) {
        if let Some((hour, users)) = self.open.pop_first() {
            let count = users.len() as u64;
            if count > self.at_peak.0 {
                self.at_peak = (count, hour);
            }
        }
    }

    /// Commands of users who never sleep and whom no mark gives to automation.
    pub(super) fn sleepless(&self) -> u64 {
        let users = self.users.values();
        let sleepless = users.filter(|u| !u.is_marked && u.hours.count_ones() >= SLEEPLESS);
        sleepless.map(|user| user.commands).sum()
    }

    pub(super) fn found(mut self) -> DaysAndPeople {
        while !self.open.is_empty() {
            self.close_first();
        }
        let people = People {
            people: self.users.values().filter(|user| user.is_person).count() as u64,
            users: self.users.len() as u64,
            beyond: self.beyond,
            at_peak: (self.at_peak.0, Moment { micros: self.at_peak.1 * HOUR * 1_000_000 }),
        };
        DaysAndPeople {
            days: self.days.into_values().collect(),
            running_days: self.running.into_values().collect(),
            people,
        }
    }
}

/// Whether a command usually touches a whole workspace or branch while it holds tables of all; previews do not.
fn is_long(command: &Command) -> bool {
    let mut arguments = command.arguments.split_whitespace();
    match command.function.as_str() {
        "user-flush" | "user-tag" | "user-labelsync" | "user-populate" => !arguments.any(|argument| argument == "-n"),
        "user-sync" => arguments.any(|argument| argument == "-k"),
        "user-client" => arguments.any(|argument| argument == "-d"),
        "user-obliterate" => arguments.any(|argument| argument == "-y"),
        _ => false,
    }
}

/// The day of a moment among days that are counted from another one on; `None` if there are too many.
fn day(days: &mut BTreeMap<i64, Day>, from: Moment, at: Moment) -> Option<&mut Day> {
    const WHOLE: i64 = DAY * 1_000_000;
    let number = at.micros.saturating_sub(from.micros).div_euclid(WHOLE);
    if days.len() >= DAYS && !days.contains_key(&number) {
        return None;
    }
    Some(days.entry(number).or_insert(Day {
        at: Moment { micros: from.micros.saturating_add(number.saturating_mul(WHOLE)) },
        hours: [0; 24],
        submits: 0,
        syncs: 0,
        long: 0,
        automated: (0, 0),
    }))
}

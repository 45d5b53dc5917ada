//! The value of a limit that the log carries: between the largest ordinary command and those that take far more.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::Worst;
use crate::serverlog::Pseudonyms;
use crate::serverlog::analysis::kinds;
use crate::serverlog::groups::{Allowed, Groups};
use crate::serverlog::record::Command;

/// Commands that are kept of those that take most.
const KEPT: usize = 1000;

/// A command by what it took.
#[derive(Debug, Clone, PartialEq)]
struct Taker {
    what: Worst,
    lapse_s: f64,
    hour: i64,
    place: (usize, u64),
}

impl Eq for Taker {}

impl Ord for Taker {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let order = |one: &Self| (one.what.amount, Reverse(one.place));
        order(self).cmp(&order(other))
    }
}

impl PartialOrd for Taker {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The commands that take most, in bounded memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Takers(BinaryHeap<Reverse<Taker>>);

/// A user who would go beyond the limit all the same: another of his groups allows more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifted {
    /// The user.
    pub user: String,
    /// The group.
    pub group: String,
    /// What it allows.
    pub allows: Allowed,
}

/// A value for a limit, and what it would have cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Advised {
    /// The value.
    pub value: u64,
    /// Commands above it.
    pub commands: u64,
    /// Their users.
    pub users: u64,
    /// Their lapses \[s\].
    pub lapse_s: f64,
    /// The largest command below it.
    pub ordinary: Worst,
    /// The largest above it.
    pub culprit: Worst,
    /// Groups to set it for, with what they set today: each user above it is in one, that with most of their time first.
    pub groups: Vec<(String, Allowed)>,
    /// Users above it whose other groups allow more.
    pub lifted: Vec<Lifted>,
    /// Users above it who are in no group.
    pub without: Vec<String>,
}

impl Takers {
    pub(super) fn add(&mut self, command: &Command, what: impl FnOnce() -> Worst, amount: u64) {
        let least = self.0.peek().map_or(0, |Reverse(least)| least.what.amount);
        if self.0.len() >= KEPT {
            if amount <= least {
                return;
            }
            self.0.pop();
        }
        self.0.push(Reverse(Taker {
            what: what(),
            lapse_s: command.lapse_s.unwrap_or(0.0),
            hour: command.start.micros.div_euclid(3_600_000_000),
            place: (command.place.file, command.place.line),
        }));
    }

    /// The value in the widest gap above which several commands lie, of several users, in several hours, and few of all.
    pub(super) fn advised(self, seen: u64, floor: u64, groups: Option<(&Groups, usize)>) -> Option<Advised> {
        let tried = kinds::tried();
        let mut takers: Vec<Taker> = self.0.into_iter().map(|Reverse(taker)| taker).collect();
        takers.sort_by(|a, b| b.cmp(a));
        let few = (tried.most_cut * seen as f64) as usize;
        let mut best: Option<(f64, usize, u64)> = None;
        for at in 1..takers.len().min(few + 1) {
            let (low, high) = (takers[at].what.amount.max(floor), takers[at - 1].what.amount);
            let gap = high as f64 / low.max(1) as f64;
            if gap < tried.least_gap || best.is_some_and(|(widest, ..)| gap <= widest) {
                continue;
            }
            if is_several(&takers[..at])
                && let Some(value) = between(low, high)
            {
                best = Some((gap, at, value));
            }
        }
        let (_, at, value) = best?;
        let above = &takers[..at];
        let users: BTreeSet<&str> = above.iter().map(|one| one.what.user.as_str()).collect();
        let mut advised = Advised {
            value,
            commands: above.len() as u64,
            users: users.len() as u64,
            lapse_s: above.iter().map(|one| one.lapse_s).sum(),
            ordinary: takers[at].what.clone(),
            culprit: takers[0].what.clone(),
            groups: Vec::new(),
            lifted: Vec::new(),
            without: Vec::new(),
        };
        if let Some((groups, limit)) = groups {
            advised.reach(groups, limit, above);
        }
        Some(advised)
    }
}

impl Advised {
    /// With other names.
    pub(super) fn rename(&mut self, names: &Pseudonyms) {
        self.ordinary.rename(names);
        self.culprit.rename(names);
        for (group, _) in &mut self.groups {
            *group = names.group(group);
        }
        for lifted in &mut self.lifted {
            lifted.user = names.user(&lifted.user);
            lifted.group = names.group(&lifted.group);
        }
        for user in &mut self.without {
            *user = names.user(user);
        }
    }

    /// Finds the groups that reach all users above the value: that with most of their time, then that of the rest.
    fn reach(&mut self, groups: &Groups, limit: usize, above: &[Taker]) {
        let mut left: BTreeMap<&str, f64> = BTreeMap::new();
        for taker in above {
            *left.entry(taker.what.user.as_str()).or_default() += taker.lapse_s;
        }
        self.without =
            left.keys().filter(|user| groups.of_user(user).len() == 0).map(|&user| user.to_owned()).collect();
        let users: Vec<&str> = left.keys().copied().collect();
        while !left.is_empty() {
            let mut by_group: BTreeMap<&str, f64> = BTreeMap::new();
            for (user, lapse_s) in &left {
                for group in groups.of_user(user) {
                    *by_group.entry(group).or_default() += lapse_s;
                }
            }
            let most = by_group.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((group, _)) = most else { break };
            left.retain(|user, _| groups.of_user(user).all(|of| of != group));
            self.groups.push((group.to_owned(), groups.sets(group, limit)));
        }
        for user in users {
            let others = groups.reach(user).filter(|of| self.groups.iter().all(|(set, _)| set != of));
            let highest = others.map(|group| (groups.sets(group, limit), group)).max();
            if let Some((allows, group)) = highest
                && allows > Allowed::Most(self.value)
            {
                let (user, group) = (user.to_owned(), group.to_owned());
                self.lifted.push(Lifted { user, group, allows });
            }
        }
    }
}

/// Whether these are several commands, of several users, in more than one hour: what rests on one command or one night is no
/// reason for a limit.
fn is_several(above: &[Taker]) -> bool {
    let users: BTreeSet<&str> = above.iter().map(|one| one.what.user.as_str()).collect();
    let hours: BTreeSet<i64> = above.iter().map(|one| one.hour).collect();
    above.len() >= 3 && users.len() >= 2 && hours.len() >= 2
}

/// A round number in the middle of two by their ratio, strictly between them.
fn between(low: u64, high: u64) -> Option<u64> {
    let middle = (low as f64).max(1.0).sqrt() * (high as f64).sqrt();
    (1..=3).find_map(|digits| {
        let unit = 10_f64.powi(middle.log10().floor() as i32 + 1 - digits).max(1.0);
        let value = ((middle / unit).round() * unit) as u64;
        (low < value && value < high).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::analysis::limits::named;
    use crate::serverlog::record::Moment;

    /// A log of ordinary commands and of far larger ones of several users.
    fn takers(ordinary: u64, large: &[(&str, u64, i64)]) -> (Takers, u64) {
        let mut takers = Takers::default();
        let mut add = |user: &str, amount: u64, hour: i64| {
            let command = Command {
                user: user.to_owned(),
                function: "user-fstat".to_owned(),
                start: Moment { micros: hour * 3_600_000_000 },
                lapse_s: Some(10.0),
                ..Command::default()
            };
            takers.add(&command, || named(&command, amount), amount);
        };
        for i in 0..ordinary {
            add("ann", 1000 + 50 * (i * 7919 % ordinary), i.cast_signed() % 24);
        }
        for (user, amount, hour) in large {
            add(user, *amount, *hour);
        }
        (takers, ordinary + large.len() as u64)
    }

    #[test]
    fn the_value_lies_between_the_largest_ordinary_command_and_those_above_it() {
        for (factor, ordinary) in [(4, 2000), (20, 3000), (400, 20_000)] {
            let top = 1000 + 50 * (ordinary - 1);
            let large = [("bob", top * factor, 3), ("cid", top * factor * 2, 4), ("bob", top * factor * 3, 3)];
            let (takers, seen) = takers(ordinary, &large);
            let advised = takers.advised(seen, 1000, None);
            let advised = advised.unwrap_or_else(|| panic!("{factor}"));
            assert!(top < advised.value && advised.value < top * factor, "{factor} {advised:?}");
            assert_eq!((advised.commands, advised.users, advised.lapse_s), (3, 2, 30.0));
            assert_eq!((advised.ordinary.amount, advised.culprit.amount), (top, top * factor * 3));
        }
    }

    #[test]
    fn one_user_one_hour_or_no_gap_is_no_reason() {
        for large in [
            &[("bob", 9_000_000, 3), ("bob", 9_100_000, 4), ("bob", 9_200_000, 5)][..],
            &[("bob", 9_000_000, 3), ("cid", 9_100_000, 3), ("dee", 9_200_000, 3)],
            &[("bob", 110_000, 3), ("cid", 120_000, 4), ("dee", 130_000, 5)],
        ] {
            let (takers, seen) = takers(2000, large);
            assert_eq!(takers.advised(seen, 1000, None), None, "{large:?}");
        }
        // Three of a hundred are no exceptions.
        let (takers, seen) = takers(97, &[("bob", 9_000_000, 3), ("cid", 9_100_000, 4), ("dee", 9_200_000, 5)]);
        assert_eq!(takers.advised(seen, 1000, None), None);
    }

    #[test]
    fn groups_reach_every_user_above_and_who_is_lifted_is_named() {
        let large = [("bob", 9_000_000, 3), ("cid", 9_100_000, 4), ("dee", 9_200_000, 5), ("eve", 9_300_000, 5)];
        let (takers, seen) = takers(2000, &large);
        let groups = "... Group devs\n... MaxScanRows 50000000\n... Users0 bob\n... Users1 cid\n... Users2 ann\n\
            ... Group art\n... MaxScanRows unset\n... Users0 dee\n... Group boss\n... MaxScanRows unlimited\n... Users0 cid\n";
        let groups = Groups::read("g", groups).unwrap_or_else(|why| panic!("{why}"));
        let advised = takers.advised(seen, 1000, Some((&groups, 1)));
        let advised = advised.unwrap_or_else(|| panic!("{groups:?}"));
        let set = [("devs".to_owned(), Allowed::Most(50_000_000)), ("art".to_owned(), Allowed::Unset)];
        assert_eq!(advised.groups, set);
        let lifted = Lifted { user: "cid".to_owned(), group: "boss".to_owned(), allows: Allowed::Unlimited };
        assert_eq!((advised.lifted, advised.without), (vec![lifted], vec!["eve".to_owned()]));
    }

    #[test]
    fn a_value_between_is_round() {
        assert_eq!(between(105_000, 9_000_000), Some(1_000_000));
        assert_eq!(between(10, 11), None);
        assert_eq!(between(1000, 1600), Some(1300));
    }
}

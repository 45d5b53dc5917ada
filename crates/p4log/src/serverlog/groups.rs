//! Who belongs to which group, and what groups may take: from tagged output of `p4 groups` or `p4 group -o`, or from a CSV.
//!
//! # References
//!
//! - Perforce, "P4 Command-Line Reference", `p4 group` and `p4 help maxresults`: a user has the highest limit of his groups; a
//!   group where a limit is unset neither limits nor lifts it, and a user in no group that sets one has none.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{harmless_line, nearest_in_words, quoted};

/// The limits that are read, as `p4 group` spells them; in tagged output of `p4 groups` with a small first letter.
pub const LIMITS: [&str; 4] = ["MaxResults", "MaxScanRows", "MaxLockTime", "MaxMemory"];

/// A limit of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Allowed {
    /// The group does not set it.
    #[default]
    Unset,
    /// So much.
    Most(u64),
    /// As much as anybody likes.
    Unlimited,
}

/// A group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Its own members.
    pub users: BTreeSet<String>,
    /// Groups whose members are its members too.
    pub groups: BTreeSet<String>,
    /// Its limits, in the order of [`LIMITS`].
    pub limits: [Allowed; 4],
}

/// All groups by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    all: BTreeMap<String, Group>,
    /// Of each user the groups that name him.
    own: BTreeMap<String, BTreeSet<String>>,
    /// And those that hold one of these, too.
    reached: BTreeMap<String, BTreeSet<String>>,
}

impl Groups {
    /// Reads a file; `name` is for messages.
    ///
    /// # Errors
    ///
    /// A line that cannot be understood, with its number, or a file without a member.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate();
        let lines = lines.map(|(at, line)| (at + 1, line.trim_end()));
        let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
        let is_tagged = lines.first().is_some_and(|(_, line)| line.starts_with("... "));
        let read = if is_tagged { tagged(&lines) } else { table(&lines) };
        let all = read.map_err(|(line, why)| format!("{}:{line}: {why}", harmless_line(name)))?;
        let groups = Self::of(all);
        if groups.own.is_empty() {
            return Err(format!(
                "{}: no group has a member; expected `p4 -ztag groups`, `p4 -ztag group -o NAME` or lines of `user,group`",
                quoted(name)
            ));
        }
        Ok(groups)
    }

    fn of(all: BTreeMap<String, Group>) -> Self {
        let mut own: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut reached = own.clone();
        let mut above: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, group) in &all {
            for inner in &group.groups {
                above.entry(inner).or_default().push(name);
            }
            for user in &group.users {
                own.entry(user.clone()).or_default().insert(name.clone());
            }
        }
        for (user, groups) in &own {
            let mut open: Vec<&str> = groups.iter().map(String::as_str).collect();
            let mut found = BTreeSet::new();
            while let Some(group) = open.pop() {
                if found.insert(group.to_owned()) {
                    open.extend(above.get(group).into_iter().flatten());
                }
            }
            reached.insert(user.clone(), found);
        }
        Self { all, own, reached }
    }

    /// The groups that name a user.
    pub fn of_user(&self, user: &str) -> impl ExactSizeIterator<Item = &str> {
        static NONE: BTreeSet<String> = BTreeSet::new();
        let groups = self.own.get(user).unwrap_or(&NONE);
        groups.iter().map(String::as_str)
    }

    /// The groups whose limits count for a user: those that name him, and those that hold one of these.
    pub fn reach(&self, user: &str) -> impl Iterator<Item = &str> {
        let groups = self.reached.get(user);
        groups.into_iter().flatten().map(String::as_str)
    }

    /// What a group sets for a limit, by its place in [`LIMITS`].
    pub fn sets(&self, group: &str, limit: usize) -> Allowed {
        let group = self.all.get(group);
        group.map_or(Allowed::Unset, |group| group.limits[limit])
    }

    /// What a user may take: the highest of his groups; unset where none sets it, which is no limit.
    pub fn allowed(&self, user: &str, limit: usize) -> Allowed {
        let all = self.reach(user).map(|group| self.sets(group, limit));
        all.max().unwrap_or_default()
    }

    /// All members.
    pub fn users(&self) -> impl Iterator<Item = &str> {
        self.own.keys().map(String::as_str)
    }

    /// All groups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(String::as_str)
    }
}

/// A line that is wrong, and why.
type Wrong = (usize, String);

/// A CSV with `user,group`, or with the columns that its first line names.
fn table(lines: &[(usize, &str)]) -> Result<BTreeMap<String, Group>, Wrong> {
    let mut all: BTreeMap<String, Group> = BTreeMap::new();
    let mut user_at = 0;
    for (at, (number, line)) in lines.iter().enumerate() {
        let cells: Vec<&str> = line.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
        let [first, second] = cells[..] else {
            return Err((*number, wrong_line(line, cells.len())));
        };
        if at == 0
            && let Some(head) = head(first, second)
        {
            user_at = head.map_err(|why| (*number, why))?;
            continue;
        }
        let (user, group) = if user_at == 0 { (first, second) } else { (second, first) };
        if user.is_empty() || group.is_empty() {
            let missing = if user.is_empty() { "user" } else { "group" };
            return Err((*number, format!("no {missing}; expected user,group")));
        }
        all.entry(group.to_owned()).or_default().users.insert(user.to_owned());
    }
    Ok(all)
}

fn wrong_line(line: &str, cells: usize) -> String {
    let shown: String = line.chars().take(60).collect();
    let instead = match cells {
        1 => "; plain `p4 groups` names no members: use `p4 -ztag groups`",
        _ => "; a user in several groups has a line for each",
    };
    format!("{} is not user,group{instead}", quoted(&shown))
}

/// Whether a line names the columns, and if so which of them has the user.
fn head(first: &str, second: &str) -> Option<Result<usize, String>> {
    let is = |cell: &str, name: &str| cell.eq_ignore_ascii_case(name);
    if is(first, "user") && is(second, "group") {
        return Some(Ok(0));
    }
    if is(first, "group") && is(second, "user") {
        return Some(Ok(1));
    }
    // One of both is right: the other is no name but a column.
    let other = match (first, second) {
        (other, known) | (known, other) if is(known, "user") || is(known, "group") => other,
        _ => return None,
    };
    let near = nearest_in_words(other, ["user", "group"]);
    Some(Err(format!("unknown column {}{near}; expected user,group", quoted(other))))
}

/// Tagged output: of `p4 groups` a record for each user of a group, of `p4 group -o` one for each group.
fn tagged(lines: &[(usize, &str)]) -> Result<BTreeMap<String, Group>, Wrong> {
    let mut all: BTreeMap<String, Group> = BTreeMap::new();
    let mut record: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for (number, line) in lines {
        let Some(field) = line.strip_prefix("... ") else {
            let shown: String = line.chars().take(60).collect();
            return Err((*number, format!("{} is no line of tagged output", quoted(&shown))));
        };
        let (key, value) = field.split_once(' ').unwrap_or((field, ""));
        // The next record begins where a key stands again, or the other command's first one.
        if record.contains_key(key) || key == "Group" {
            keep(&std::mem::take(&mut record), &mut all)?;
        }
        record.insert(key, (*number, value.trim()));
    }
    keep(&record, &mut all)?;
    Ok(all)
}

/// Adds a record of tagged output.
fn keep(record: &BTreeMap<&str, (usize, &str)>, all: &mut BTreeMap<String, Group>) -> Result<(), Wrong> {
    let Some((first, _)) = record.values().min() else {
        return Ok(());
    };
    let Some((_, name)) = record.get("group").or_else(|| record.get("Group")) else {
        let near = record.keys().find_map(|key| {
            let near = nearest_in_words(key, ["group", "Group"]);
            (!near.is_empty()).then(|| format!(": {}{near}", quoted(key)))
        });
        let near = near.unwrap_or_default();
        return Err((*first, format!("a record without a group{near}")));
    };
    let group = all.entry((*name).to_owned()).or_default();
    for (place, limit) in LIMITS.iter().enumerate() {
        let key = record.iter().find(|(key, _)| key.eq_ignore_ascii_case(limit));
        if let Some((_, (number, value))) = key {
            let read = allowed(value).map_err(|why| (*number, format!("{limit} {why}")))?;
            group.limits[place] = group.limits[place].max(read);
        }
    }
    let says = |key: &str| record.get(key).is_some_and(|(_, value)| *value == "1");
    // An owner is a member only where he stands among the users too.
    let is_member = !record.contains_key("isUser") || says("isUser") || says("isSubGroup");
    for (key, (_, value)) in record {
        let is_numbered = |begin: &str| {
            let rest = key.strip_prefix(begin);
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        if is_numbered("Subgroups") || (*key == "user" && says("isSubGroup")) {
            group.groups.insert((*value).to_owned());
        } else if is_numbered("Users") || (*key == "user" && is_member) {
            group.users.insert((*value).to_owned());
        }
    }
    Ok(())
}

/// A limit as p4 writes it: of `p4 groups` 0 is unset and a negative number unlimited.
fn allowed(text: &str) -> Result<Allowed, String> {
    match text {
        "unset" | "0" => Ok(Allowed::Unset),
        "unlimited" => Ok(Allowed::Unlimited),
        _ => {
            let Ok(number) = text.parse::<i64>() else {
                let near = nearest_in_words(text, ["unset", "unlimited"]);
                return Err(format!("is {}, not a number, unset or unlimited{near}", quoted(text)));
            };
            Ok(u64::try_from(number).map_or(Allowed::Unlimited, Allowed::Most))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Groups {
        Groups::read("groups.csv", text).unwrap_or_else(|why| panic!("{why}"))
    }

    fn refused(text: &str) -> String {
        match Groups::read("groups.csv", text) {
            Err(why) => why,
            Ok(groups) => panic!("{groups:?}"),
        }
    }

    fn of<'g>(groups: &'g Groups, user: &str) -> Vec<&'g str> {
        groups.of_user(user).collect()
    }

    #[test]
    fn a_table_with_and_without_a_head_says_the_same() {
        let bare = read("ann,devs\r\nbob, devs\n\nann,\"art\"\n");
        assert_eq!(bare, read("User,Group\nann,devs\nbob,devs\nann,art\n"));
        assert_eq!(bare, read("\u{feff}group,user\ndevs,ann\ndevs,bob\nart,ann\n"));
        assert_eq!((of(&bare, "ann"), of(&bare, "cid")), (vec!["art", "devs"], vec![]));
    }

    #[test]
    fn tagged_output_of_both_commands_says_the_same() {
        let groups = read(
            "... user ann\n... group devs\n... isSubGroup 0\n... isOwner 0\n... isUser 1\n... maxResults 0\n... maxScanRows 50000\n... maxLockTime -1\n\n\
             ... user art\n... group devs\n... isSubGroup 1\n... isOwner 0\n... isUser 0\n... maxScanRows 50000\n... maxLockTime -1\n\n\
             ... user boss\n... group devs\n... isSubGroup 0\n... isOwner 1\n... isUser 0\n... maxScanRows 50000\n... maxLockTime -1\n\n\
             ... user bob\n... group art\n... isSubGroup 0\n... isOwner 0\n... isUser 1\n... maxScanRows 0\n",
        );
        let specs = read(
            "... Group devs\n... MaxResults unset\n... MaxScanRows 50000\n... MaxLockTime unlimited\n... Users0 ann\n... Subgroups0 art\n... Owners0 boss\n\
             ... Group art\n... MaxScanRows unset\n... Users0 bob\n",
        );
        assert_eq!(groups, specs);
        // The limits of a group reach the members of its groups; what it costs stays with their own.
        assert_eq!(of(&groups, "bob"), ["art"]);
        assert_eq!(groups.reach("bob").collect::<Vec<_>>(), ["art", "devs"]);
        assert_eq!(groups.allowed("bob", 1), Allowed::Most(50_000));
        assert_eq!(of(&groups, "boss"), Vec::<&str>::new());
    }

    #[test]
    fn a_user_has_the_highest_of_his_groups() {
        let group = |name: &str, rows: &str| {
            format!("... Group {name}\n... MaxScanRows {rows}\n... Users0 {name}\n... Users1 all\n")
        };
        let groups = read(&["unset", "1000", "50000"].map(|rows| group(&format!("g{rows}"), rows)).concat());
        assert_eq!(groups.allowed("gunset", 1), Allowed::Unset);
        assert_eq!(groups.allowed("all", 1), Allowed::Most(50_000));
        let lifted = read(&["5", "unlimited"].map(|rows| group(&format!("g{rows}"), rows)).concat());
        assert_eq!(lifted.allowed("all", 1), Allowed::Unlimited);
        assert_eq!(lifted.allowed("nobody", 1), Allowed::Unset);
    }

    #[test]
    fn groups_that_hold_each_other_end() {
        let groups = read("... Group a\n... Users0 ann\n... Subgroups0 b\n... Group b\n... Subgroups0 a\n");
        assert_eq!(groups.reach("ann").collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, said) in [
            ("ann,devs\nbob\n", "groups.csv:2: \"bob\" is not user,group; plain `p4 groups`"),
            ("ann,devs,art\n", "groups.csv:1: \"ann,devs,art\" is not user,group; a user in several"),
            ("usr,group\nann,devs\n", "unknown column \"usr\"; did you mean \"user\"?"),
            ("user,grp\nann,devs\n", "unknown column \"grp\"; did you mean \"group\"?"),
            ("ann,devs\n,art\n", "groups.csv:2: no user"),
            (
                "... Group a\n... MaxScanRows unlimitd\n... Users0 ann\n",
                "groups.csv:2: MaxScanRows is \"unlimitd\", not a number, unset or unlimited; did you mean \"unlimited\"?",
            ),
            ("... Group a\nann\n", "groups.csv:2: \"ann\" is no line of tagged output"),
            ("... grup a\n... user ann\n", "groups.csv:1: a record without a group: \"grup\"; did you mean \"group\"?"),
            ("", "no group has a member"),
            ("user,group\n", "no group has a member"),
        ] {
            let why = refused(text);
            assert!(why.contains(said), "{text:?}: {why}");
        }
    }
}

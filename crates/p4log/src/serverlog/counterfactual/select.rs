//! Which commands are left out, or cut by a limit.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::diag::{nearest_in_words, quoted};
use crate::serverlog::Pseudonyms;
use crate::serverlog::analysis::{limited, product};
use crate::serverlog::groups::{Groups, LIMITS};
use crate::serverlog::record::Command;

/// Names that are kept to be suggested.
const NAMES: usize = 10_000;

/// What a selector looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    User,
    Client,
    Command,
    Program,
    Group,
}

impl Field {
    const ALL: [(&'static str, Self); 5] = [
        ("user", Self::User),
        ("client", Self::Client),
        ("cmd", Self::Command),
        ("program", Self::Program),
        ("group", Self::Group),
    ];

    fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, field)| *field == self);
        found.map_or("", |(word, _)| word)
    }

    fn of(self, command: &Command) -> &str {
        match self {
            Self::User | Self::Group => &command.user,
            Self::Client => &command.client,
            Self::Command => short(&command.function),
            Self::Program => product(&command.program),
        }
    }
}

/// A command as people call it.
fn short(function: &str) -> &str {
    function.strip_prefix("user-").unwrap_or(function)
}

/// Commands of one user, workspace, function, program or group: `user=ann`, `cmd=obliterate`.
///
/// ```
/// use plimsoll_p4log::serverlog::counterfactual::Selector;
///
/// assert!("cmd=obliterate".parse::<Selector>().is_ok());
/// assert!("usr=ann".parse::<Selector>().unwrap_err().contains("did you mean \"user\"?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    field: Field,
    value: String,
    /// Of a group, its users.
    members: BTreeSet<String>,
}

impl Selector {
    fn has(&self, command: &Command) -> bool {
        let name = self.field.of(command);
        match self.field {
            Field::Group => self.members.contains(name),
            _ => name.eq_ignore_ascii_case(&self.value),
        }
    }

    /// The same, knowing the users of its group.
    fn of_groups(mut self, groups: Option<&Groups>) -> Result<Self, String> {
        if self.field != Field::Group {
            return Ok(self);
        }
        let groups = groups.ok_or("group= needs --groups FILE, which says who belongs to it")?;
        if !groups.names().any(|name| name == self.value) {
            let nearest = nearest_in_words(&self.value, groups.names());
            return Err(format!("the list of groups has no {}{nearest}", quoted(&self.value)));
        }
        let members = groups.users().filter(|user| groups.reach(user).any(|group| group == self.value));
        self.members = members.map(str::to_owned).collect();
        Ok(self)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", self.field.word(), self.value)
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = || Field::ALL.iter().map(|(word, _)| *word);
        let allowed = "what is left out is written user=NAME, client=NAME, cmd=NAME, program=NAME or group=NAME";
        let Some((word, value)) = text.split_once('=') else {
            return Err(allowed.to_owned());
        };
        let found = Field::ALL.iter().find(|(known, _)| *known == word);
        let Some((_, field)) = found else {
            return Err(format!("{allowed}{}", nearest_in_words(word, words())));
        };
        if value.is_empty() {
            return Err(format!("{word}= names nobody"));
        }
        let value = match field {
            Field::Command => short(value),
            Field::Program => product(value),
            Field::User | Field::Client | Field::Group => value,
        };
        Ok(Self { field: *field, value: value.to_owned(), members: BTreeSet::new() })
    }
}

/// A limit of groups and its value: `MaxScanRows=500000`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Number among [`LIMITS`].
    number: usize,
    value: u64,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", LIMITS[self.number], self.value)
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = LIMITS.join(", ");
        let allowed = format!("a limit is written NAME=NUMBER; its name is one of {names}");
        let Some((name, value)) = text.split_once('=') else {
            return Err(allowed);
        };
        let Some(number) = LIMITS.iter().position(|known| *known == name) else {
            return Err(format!("{allowed}{}", nearest_in_words(name, LIMITS)));
        };
        let value: u64 =
            value.parse().map_err(|error| format!("{name} is a whole number, not {}: {error}", quoted(value)))?;
        if value == 0 {
            return Err(format!("{name} is at least 1"));
        }
        Ok(Self { number, value })
    }
}

/// What is changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Commands that all of these select never ran.
    Without(Vec<Selector>),
    /// Commands that people and scripts call end where they reach the limit; administrators' do not.
    Limit(Limit),
}

impl Change {
    /// The part of a command that still runs: 0 where it is left out.
    pub(super) fn rest(&self, command: &Command) -> f32 {
        match self {
            Self::Without(selectors) if selectors.iter().all(|one| one.has(command)) => 0.0,
            Self::Without(_) => 1.0,
            Self::Limit(limit) => match limited(command)[limit.number] {
                Some(amount) if amount > limit.value => limit.value as f32 / amount as f32,
                _ => 1.0,
            },
        }
    }
}

impl Change {
    /// The same, knowing who belongs to which group; a sentence where a group is not known.
    pub fn of_groups(self, groups: Option<&Groups>) -> Result<Self, String> {
        Ok(match self {
            Self::Without(selectors) => {
                let all = selectors.into_iter().map(|one| one.of_groups(groups));
                Self::Without(all.collect::<Result<_, _>>()?)
            }
            Self::Limit(_) => self,
        })
    }

    /// Under pseudonyms.
    #[must_use]
    pub fn anonymised(&self, names: &Pseudonyms) -> Self {
        let Self::Without(selectors) = self else {
            return self.clone();
        };
        let all = selectors.iter().map(|one| Selector {
            field: one.field,
            members: BTreeSet::new(),
            value: match one.field {
                Field::User => names.user(&one.value),
                Field::Client => names.client(&one.value),
                Field::Command => names.function(&one.value),
                Field::Program => names.program(&one.value),
                Field::Group => names.group(&one.value),
            },
        });
        Self::Without(all.collect())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without(selectors) => {
                let all: Vec<String> = selectors.iter().map(Selector::to_string).collect();
                write!(formatter, "without {}", all.join(" and "))
            }
            Self::Limit(limit) => write!(formatter, "with {limit}"),
        }
    }
}

/// Nobody of the log is selected: a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoMatch(String);

/// The names of a log that selectors look at.
#[derive(Debug, Clone, Default)]
pub(super) struct Names([BTreeSet<String>; Field::ALL.len()]);

impl Names {
    pub(super) fn add(&mut self, change: &Change, command: &Command) {
        let Change::Without(selectors) = change else {
            return;
        };
        for selector in selectors {
            let at = Field::ALL.iter().position(|(_, field)| *field == selector.field);
            let names = &mut self.0[at.unwrap_or_default()];
            let name = selector.field.of(command);
            if names.len() < NAMES && !names.contains(name) {
                names.insert(name.to_owned());
            }
        }
    }

    /// Why nothing is selected.
    pub(super) fn no_match(&self, change: &Change) -> NoMatch {
        let selectors = match change {
            Change::Without(selectors) => selectors,
            Change::Limit(limit) => {
                return NoMatch(format!(
                    "no command of this log that people or scripts call reaches {limit}: it stops nothing"
                ));
            }
        };
        for selector in selectors {
            let at = Field::ALL.iter().position(|(_, field)| *field == selector.field);
            let names = &self.0[at.unwrap_or_default()];
            if selector.field == Field::Group && selector.members.is_disjoint(names) {
                return NoMatch(format!("no command of this log is of a user in {selector}"));
            }
            if selector.field != Field::Group && !names.iter().any(|name| name.eq_ignore_ascii_case(&selector.value)) {
                let known = names.iter().map(String::as_str);
                return NoMatch(format!(
                    "no command of this log has {}={}{}",
                    selector.field.word(),
                    quoted(&selector.value),
                    nearest_in_words(&selector.value, known)
                ));
            }
        }
        NoMatch(format!("no command of this log has all of it: {change}"))
    }
}

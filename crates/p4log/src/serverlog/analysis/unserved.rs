//! Commands that were not served: killed, refused, failed, and connections that broke, by cause, user and program.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::kinds;
use super::product;
use super::ranking::{Ranked, Ranking};
use super::tally::Tally;
use crate::serverlog::record::{Command, Ending, Event, Moment, What};

/// Errors whose command is still to come.
const PENDING: usize = 16_384;
/// Names that are kept of each cause.
const KEPT: usize = 256;
/// Names that each cause shows.
const SHOWN: usize = 20;

/// What became of a command that was not served, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It ran and was ended by a limit, for want of resources, or by somebody.
    Killed,
    /// It was not begun.
    Refused,
    /// Its user was not let in.
    Login,
    /// Its process went away.
    Removed,
    /// It ended with an error.
    Failed,
}

impl Outcome {
    /// In the JSON answer, and as a label for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Refused => "refused",
            Self::Login => "login failed",
            Self::Removed => "removed",
            Self::Failed => "failed",
        }
    }
}

/// A cause, as `server-log.toml` has it.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// In the JSON answer.
    pub id: String,
    /// What becomes of the command.
    pub outcome: Outcome,
    /// For people.
    pub title: String,
    /// What an error says, or the end of a start line or track block.
    texts: Vec<String>,
}

/// Commands that were not served, of one cause.
#[derive(Debug, Clone, PartialEq)]
pub struct Unserved {
    /// The cause.
    pub cause: &'static Cause,
    /// How many commands.
    pub commands: u64,
    /// When the first and the last of them ended, where the log says so.
    pub span: Option<(Moment, Moment)>,
    /// By function.
    pub functions: Ranked<Tally>,
    /// By user; commands whose start line is not in the log have none.
    pub users: Ranked<Tally>,
    /// By program.
    pub programs: Ranked<Tally>,
}

/// An error whose command is still to come.
#[derive(Debug, Clone)]
struct Pending {
    cause: usize,
    at: Option<Moment>,
    operation: Option<String>,
}

#[derive(Debug, Clone)]
struct Sum {
    commands: u64,
    span: Option<(Moment, Moment)>,
    functions: Ranking<Tally>,
    users: Ranking<Tally>,
    programs: Ranking<Tally>,
}

impl Default for Sum {
    fn default() -> Self {
        let ranking = || Ranking::new(KEPT);
        Self { commands: 0, span: None, functions: ranking(), users: ranking(), programs: ranking() }
    }
}

/// Adds them up.
#[derive(Debug, Clone, Default)]
pub(super) struct Collector {
    pending: BTreeMap<u64, Pending>,
    sums: BTreeMap<usize, Sum>,
}

/// One command more of a name.
fn count(ranking: &mut Ranking<Tally>, name: &str) {
    ranking.entry(name, Tally::default).commands += 1;
}

/// The cause that a text states.
fn cause_of(text: &str) -> usize {
    let fits = |cause: &Cause| cause.texts.iter().any(|part| text.contains(part.as_str()));
    let causes = kinds::causes();
    causes.iter().position(fits).unwrap_or(causes.len() - 1)
}

impl Collector {
    /// An error, which comes before the end of its command.
    pub(super) fn event(&mut self, event: &Event) {
        let What::Error { pid, operation, text } = &event.what else {
            return;
        };
        let found = Pending { cause: cause_of(text), at: event.at, operation: operation.clone() };
        let Some(pid) = *pid else {
            self.alone(&found);
            return;
        };
        if self.pending.len() >= PENDING {
            for (_, old) in std::mem::take(&mut self.pending) {
                self.alone(&old);
            }
        }
        // Of several errors of a command that which tells most counts: the causes stand in this order.
        let kept = self.pending.entry(pid).or_insert_with(|| found.clone());
        if found.cause < kept.cause {
            *kept = found;
        }
    }

    /// A command of which everything is known.
    pub(super) fn command(&mut self, command: &Command) {
        if !command.failed {
            return;
        }
        let pending = self.pending.remove(&command.pid);
        let said = if command.ending == Ending::Removed { Some("removed from monitor table") } else { command.failure };
        let said = said.map(cause_of);
        let Some(cause) = pending.iter().map(|p| p.cause).chain(said).min() else {
            return;
        };
        // A connection that was idle leaves nobody unserved.
        if matches!(command.function.as_str(), "IDLE" | "Init()") {
            return;
        }
        let at = pending.and_then(|p| p.at).or(command.end);
        let sum = self.add(cause, at.or(command.start.known()));
        for (ranking, name) in [
            (&mut sum.functions, command.function.as_str()),
            (&mut sum.users, &command.user),
            (&mut sum.programs, product(&command.program)),
        ] {
            count(ranking, name);
        }
    }

    /// An error whose command is not in the log.
    fn alone(&mut self, error: &Pending) {
        let sum = self.add(error.cause, error.at);
        let operation = error.operation.as_deref().unwrap_or("(no command)");
        count(&mut sum.functions, operation);
    }

    fn add(&mut self, cause: usize, at: Option<Moment>) -> &mut Sum {
        let sum = self.sums.entry(cause).or_default();
        sum.commands += 1;
        if let Some(at) = at {
            let (first, last) = sum.span.unwrap_or((at, at));
            sum.span = Some((first.min(at), last.max(at)));
        }
        sum
    }

    /// By outcome, the gravest first, and within it by number.
    pub(super) fn found(mut self) -> Vec<Unserved> {
        for (_, error) in std::mem::take(&mut self.pending) {
            self.alone(&error);
        }
        let sums = self.sums.into_iter().map(|(cause, sum)| Unserved {
            cause: &kinds::causes()[cause],
            commands: sum.commands,
            span: sum.span,
            functions: sum.functions.ranked(SHOWN),
            users: sum.users.ranked(SHOWN),
            programs: sum.programs.ranked(SHOWN),
        });
        let mut found: Vec<Unserved> = sums.collect();
        found.sort_by(|a, b| {
            let order = |one: &Unserved| (one.cause.outcome, std::cmp::Reverse(one.commands));
            order(a).cmp(&order(b)).then_with(|| a.cause.id.cmp(&b.cause.id))
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{cause_of, kinds};

    #[test]
    fn texts_of_p4_have_their_cause() {
        for (text, id) in [
            ("Too many commands paused;  terminated.", "too-many-paused"),
            ("Waited too long (30s) while command paused;  terminated.", "paused-too-long"),
            ("Request too large (over 500000); see 'p4 help maxresults'.", "max-results"),
            ("Too many rows scanned (over 250000); see 'p4 help maxscanrows'.", "max-scan-rows"),
            ("Operation took too long (over 30 seconds); see 'p4 help maxlocktime'.", "max-lock-time"),
            ("Command terminated because client disconnected.", "client-gone"),
            ("Perforce password (P4PASSWD) invalid or unset.", "password"),
            ("Your session has expired, please login again.", "session"),
            ("//depot/x - no such file(s).", "error"),
        ] {
            assert_eq!(kinds::causes()[cause_of(text)].id, id, "{text}");
        }
    }
}

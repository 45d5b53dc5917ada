//! `plimsoll workload LOG… --without user=NAME`, `--limit MaxLockTime=30000`: what others would have waited less.

use clap::Args;

use super::failure::Failure;
use super::output::Outcome;
use super::workload::Arguments;
use super::{Format, log_part};
use crate::report::serverlog::{WithoutLog, counterfactual_page};
use crate::serverlog::Pseudonyms;
use crate::serverlog::counterfactual::{Change, Limit, Selector, Trace};

/// Seed of what a log does not say.
const SEED: u64 = 1;

#[derive(Debug, Clone, Args)]
pub(super) struct WithoutArguments {
    /// Replay the log on its own locks without a user's, workspace's, command's, program's or group's commands (`user=ann`,
    /// `client=ws`, `cmd=obliterate`, `program=p4v`, with `--groups` also `group=qa`; several: those that are all of it), and say
    /// how much less others would have waited
    #[arg(long, value_name = "WHAT=NAME", conflicts_with_all = ["limit", "replay", "follow", "why", "site", "html", "jsonl", "sqlite", "prometheus", "full"])]
    without: Vec<Selector>,
    /// The same with commands stopped where they reach a limit of groups (`MaxLockTime=30000`, `MaxScanRows`, `MaxResults`,
    /// `MaxMemory`, in the units of `p4 group`)
    #[arg(long, value_name = "LIMIT=NUMBER", conflicts_with_all = ["replay", "follow", "why", "site", "html", "jsonl", "sqlite", "prometheus", "full"])]
    limit: Option<Limit>,
}

impl WithoutArguments {
    /// What is changed, if anything is asked.
    pub(super) fn change(&self) -> Option<Change> {
        let without = (!self.without.is_empty()).then(|| Change::Without(self.without.clone()));
        without.or(self.limit.map(Change::Limit))
    }
}

/// Replays the log with everybody, and with the change.
pub(super) fn run(arguments: &Arguments, change: &Change, names: Option<&Pseudonyms>) -> Result<Outcome, Failure> {
    let groups = arguments.groups()?;
    let change = &change.clone().of_groups(groups.as_ref()).map_err(Failure::wrong)?;
    let range = arguments.part.range(&arguments.logs)?;
    let mut trace = Trace::of(change.clone());
    let log = log_part::read(&arguments.logs, range, &mut trace)?;
    let mut found = trace.replay(SEED).map_err(|none| Failure::wrong(none.to_string()))?;
    let mut change = change.clone();
    if let Some(names) = names {
        found.anonymise(names);
        change = change.anonymised(names);
    }
    if arguments.format == Format::Json {
        return Ok(Outcome::json(&WithoutLog::of(&log, &change, &found), false));
    }
    Ok(Outcome::page(&counterfactual_page(&change, &found), false))
}

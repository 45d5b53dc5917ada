//! What runs when a log ends, and who holds it up, as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::at;
use crate::report::json::{list, object};
use crate::serverlog::analysis::{self, Findings};

object! {
    /// What runs when the log ends.
    StandingJson of (findings: &Findings) [let standing = &findings.standing;] {
        at: Option<String> = at(standing.at), "The end of the log, or of the part that is looked at; null where it says of no command whether it ended.";
        last_end: Option<String> = standing.last_end.and_then(at), "When a command ended last; null where none did.";
        running: u64 = standing.running, "Commands without an end.";
        longer_than_a_minute: u64 = standing.minute, "Of them those that run for longer.";
        users: u64 = standing.users, "Their users.";
        ended_since: Option<u64> = standing.ended_since, "Those that the monitor beside the log does not list any more; null without it.";
        commands: Vec<RunningJson> = list(standing.runs.iter().take(100), RunningJson::of), "The oldest hundred.";
        jam: Option<JamJson> = standing.jam.as_ref().map(JamJson::of), "What stands still; null where all goes on.";
    }

    /// A command without an end.
    RunningJson of (one: &analysis::Running) {
        pid: u64 = one.pid, "Its process.";
        user: String = one.user.clone(), "Its user.";
        client: String = one.client.clone(), "Its workspace.";
        function: String = one.function.clone(), "What it does.";
        arguments: String = one.arguments.clone(), "To what.";
        start: Option<String> = at(one.start), "When it began.";
        end: Option<String> = one.end.and_then(at), "When it ended; null where it runs when the log ends.";
        age_s: f64 = one.age_s, "For how long it runs by then.";
        usual_p95_s: Option<f64> = one.usual_s, "What 95 % of its kind take; null where too few ended.";
        overdue: bool = one.is_overdue, "Whether it runs for longer than its kind does.";
    }

    /// What stands still.
    JamJson of (jam: &analysis::Jam) {
        commands: u64 = jam.stuck, "How many commands.";
        users: u64 = jam.users, "Their users.";
        since: Option<String> = at(jam.since), "When the first of them began.";
        holders: Vec<HolderJson> = list(&jam.holders, HolderJson::of), "Who holds them up, the likeliest first; empty where that cannot be said.";
        chain: Vec<BehindJson> = list(jam.chain.iter().take(100), BehindJson::of), "The oldest hundred behind the first holder, and behind whom each.";
    }

    /// Who holds others up.
    HolderJson of (holder: &analysis::Holder) {
        command: RunningJson = RunningJson::of(&holder.running), "The command.";
        evidence: EvidenceJson = EvidenceJson::of(holder.evidence), "How that is known.";
        locks: Vec<String> = holder.locks.clone(), "Tables and lock files over which others wait.";
        behind: u64 = holder.behind.0, "Commands that stand still behind it.";
        users: u64 = holder.behind.1, "Their users.";
        can_be_terminated: bool = holder.can_be_ended, "Whether `p4 monitor terminate` ends it.";
    }

    /// A command that stands still.
    BehindJson of (behind: &analysis::Behind) {
        pid: u64 = behind.running.pid, "Its process.";
        stands_still: bool = behind.is_stuck, "Whether it runs for longer than its kind does, or is seen to wait.";
        waits_for_pid: Option<u64> = behind.waits_for.as_ref().map(|(pid, _)| *pid), "The process that it waits for, if known.";
        lock: Option<String> = behind.waits_for.as_ref().map(|(_, lock)| lock.clone()), "And for what.";
    }
}

/// How a holder is known.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EvidenceJson {
    /// `p4 monitor show -L` or `lslocks` beside the log says it.
    Seen,
    /// It printed lock lines while it runs.
    Printed,
    /// By what such a command locks.
    Kind,
}

impl EvidenceJson {
    fn of(evidence: analysis::Evidence) -> Self {
        match evidence {
            analysis::Evidence::Seen => Self::Seen,
            analysis::Evidence::Printed => Self::Printed,
            analysis::Evidence::Kind => Self::Kind,
        }
    }
}

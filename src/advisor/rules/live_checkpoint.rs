use super::{Evidence, Facts, Finding, Rule, Severity, WORKDAYS};
use crate::site::Backup;
use crate::system::Job;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV002",
    name: "live-checkpoint",
    summary: "a checkpoint of the live database locks all tables",
    since: "0.2.0",
    docs: "\
### What it does
Fires where backup is stated as checkpoints, or `today.signs` has `live-checkpoint`, and a checkpoint of the
live database takes longer than 1 min. A warning from 5 min on.

### Why it matters
`p4d -jc` locks every table until the last row is written: nobody works meanwhile. With builds at night somebody
always waits, and the time grows with the database.

### Evidence
The time is stated (`today.checkpoint_time`) or predicted from rows, media and cores; P4HELP and SAG for the
lock; SDP makes its checkpoints of the offline copy.

### What to do
Make checkpoints of the offline copy or of a standby: rotate the journal (`p4d -jj`), replay it offline (`p4d -r
offline_db -jr`), and checkpoint there (`p4d -r offline_db -jd`).

### Limits
Where the offline copy is used already, the answers do not say so: then this does not apply.
",
    check,
};

/// A pause that a night forgives (assumed) \[s\].
const TIME_MAX: f64 = 60.0;
/// From here on it is a standstill (assumed) \[s\].
const LONG: f64 = 300.0;
/// Part of those at work by day who are there, or whose builds are, by night (assumed).
const AT_NIGHT: f64 = 0.1;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let backup = &facts.site.protection.backup;
    let sign = facts.seen("live-checkpoint");
    if sign.is_none() && !(backup.is_stated() && backup.value == Backup::Checkpoint) {
        return;
    }
    let stated = facts.site.today.checkpoint_time.as_ref();
    let predicted = facts
        .job(Job::CheckpointLive)
        .map(|timed| timed.duration.time.value);
    let Some(time) = stated.map(|t| t.value.get()).or(predicted) else {
        return;
    };
    if time <= TIME_MAX {
        return;
    }
    let shown = Seconds::new(time).estimated();
    let from = if stated.is_some() {
        "stated"
    } else {
        "estimate"
    };
    let mut evidence = vec![
        Evidence::answer("protection.backup", backup, backup.value.word()),
        Evidence::new("model", format!("a live checkpoint takes {shown} ({from})")),
        Evidence::new("SDP", "checkpoints are made of the offline copy"),
    ];
    evidence.extend(sign);
    out.push(
        RULE.finding(
            if time > LONG { Severity::Warning } else { Severity::Note },
            format!(
                "a checkpoint of the live database locks all tables for {shown} ({from}); {} and all builds wait, each night",
                facts.people_in_words()
            ),
            "checkpoint the offline copy or a standby in its place (daily_checkpoint.sh of the SDP)",
            evidence,
        )
        .costing(facts.standstill(time / 3600.0, WORKDAYS * AT_NIGHT)),
    );
}

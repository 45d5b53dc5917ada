use super::{Evidence, Facts, Finding, Rule, Severity, WORKDAYS};
use crate::advisor::checkpoint_time::is_live;
use crate::system::Job;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV002",
    name: "live-checkpoint",
    summary: "a checkpoint of the live database locks all tables",
    docs: "\
### What it does
Fires where backup is stated as checkpoints, or `today.signs` has `live-checkpoint`, and a checkpoint of the
live database takes longer than 1 min. A warning from 5 min on.

### Why it matters
`p4d -jc` locks every table until the last row is written: nobody works meanwhile. With builds at night somebody
always waits, and the time grows with the database.

### Evidence
The time is predicted from rows, media and cores, and follows a stated one (`today.checkpoint_time`); P4HELP and SAG for
the lock; SDP makes its checkpoints of the offline copy.

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
    if !is_live(facts.site) {
        return;
    }
    let backup = &facts.site.protection.backup;
    let sign = facts.seen("live-checkpoint");
    let Some((time, model)) = facts.job_time(Job::CheckpointLive) else {
        return;
    };
    if time <= TIME_MAX {
        return;
    }
    let shown = Seconds::new(time).estimated();
    let action = if facts.has_standby() {
        "checkpoint the offline copy in its place (daily_checkpoint.sh of the SDP)"
    } else {
        "checkpoint the offline copy or a standby in its place (daily_checkpoint.sh of the SDP)"
    };
    let mut evidence = vec![
        Evidence::answer("protection.backup", backup, backup.value.word()),
        model,
        Evidence::new("SDP", "checkpoints are made of the offline copy"),
    ];
    evidence.extend(sign);
    out.push(
        RULE.finding(
            if time > LONG { Severity::Warning } else { Severity::Note },
            format!(
                "a checkpoint of the live database locks all tables for {shown}; {} and all builds wait, each night",
                facts.people_in_words()
            ),
            action,
            evidence,
        )
        .costing(facts.standstill(time / 3600.0, WORKDAYS * AT_NIGHT)),
    );
}

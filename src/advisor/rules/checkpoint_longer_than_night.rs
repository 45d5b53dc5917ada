use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Release;
use crate::system::Job;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV003",
    name: "checkpoint-longer-than-night",
    summary: "a checkpoint takes longer than the night",
    since: "0.2.0",
    docs: "\
### What it does
Fires where the stated time of the last checkpoint, or else the predicted one of the offline copy, is longer
than `protection.night_window`.

### Why it matters
A checkpoint that runs into the day takes the drives from the people, and the next begins before it ends. What a
restore has to replay grows with it.

### Evidence
The time is stated or predicted; P4HELP for parallel checkpoints from release 2022.2 on.

### What to do
Smaller database (old workspaces, rebuild), flash for it, parallel checkpoints (`db.checkpoint.threads`), or a
checkpoint on a standby.

### Limits
A stated time far above the predicted one says that something else takes it: a busy store, free pages, one
thread.
",
    check,
};

/// Release with checkpoints by several threads.
const PARALLEL: Release = Release::new(2022, 2);
/// A stated time so many times the predicted one has another reason (assumed).
const FAR: f64 = 3.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let window = &facts.site.protection.night_window;
    let stated = facts.site.today.checkpoint_time.as_ref();
    let predicted = facts
        .job(Job::CheckpointOffline)
        .map(|timed| timed.duration.time.value);
    let Some(time) = stated.map(|t| t.value.get()).or(predicted) else {
        return;
    };
    if time <= window.value.get() {
        return;
    }
    let shown = Seconds::new(time).estimated();
    let other = predicted.filter(|p| stated.is_some() && *p > 0.0 && time > FAR * p);
    let other = other.map_or(String::new(), |p| {
        format!(
            "; drives and rows explain {} of it, so look for free pages and busy drives",
            Seconds::new(p).estimated()
        )
    });
    let threads = if facts.site.server.release.value >= PARALLEL {
        let setting = facts.setting("p4-configure", "db.checkpoint.threads");
        let number = setting.map_or(String::new(), |number| format!("={number}"));
        format!("p4 configure set db.checkpoint.threads{number} and p4d -jcp")
    } else {
        "release 2022.2 for checkpoints by several threads".to_owned()
    };
    let mut evidence = vec![
        Evidence::answer("protection.night_window", window, window.value),
        Evidence::new("model", format!("a checkpoint takes {shown}")),
        Evidence::new("P4HELP", "db.checkpoint.threads from release 2022.2 on"),
    ];
    if let Some(stated) = stated {
        evidence.push(Evidence::answer(
            "today.checkpoint_time",
            stated,
            stated.value,
        ));
    }
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("a checkpoint takes {shown}, longer than the night's {}{other}", window.value),
            format!("put the database on flash, or checkpoint a standby; {threads}; delete old workspaces and labels"),
            evidence,
        )
        .costing(facts.slowed(if stated.is_some() { 0.005 } else { 0.001 })),
    );
}

use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Release;
use crate::system::Job;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV003",
    name: "checkpoint-longer-than-night",
    summary: "a checkpoint takes longer than the night",
    docs: "\
### What it does
Fires where a checkpoint of the offline copy takes longer than `protection.night_window`: as predicted, times what the
stated time of the last one (`today.checkpoint_time`) is of the model's estimate of today's system.

### Why it matters
A checkpoint that runs into the day takes the drives from the people, and the next begins before it ends. What a
restore has to replay grows with it.

### Evidence
The time is predicted, and follows a stated one as far as the mechanism stays; P4HELP for parallel checkpoints from release 2022.2 on.

### What to do
Smaller database (old workspaces, rebuild), flash for it where it lies on disks, parallel checkpoints
(`db.checkpoint.threads`), or a checkpoint on a standby where there is none.

### Limits
A stated time far above the predicted one has a reason that no replaced drive removes for sure: `RCV010` names them.
",
    check,
};

/// Release with checkpoints by several threads.
const PARALLEL: Release = Release::new(2022, 2);
fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let window = &facts.site.protection.night_window;
    let Some((time, model)) = facts.job_time(Job::CheckpointOffline) else {
        return;
    };
    if time <= window.value.get() {
        return;
    }
    let stated = facts.site.today.checkpoint_time.as_ref();
    let shown = Seconds::new(time).estimated();
    let threads = if facts.site.server.release.value >= PARALLEL {
        let setting = facts.setting("p4-configure", "db.checkpoint.threads");
        let number = setting.map_or(String::new(), |number| format!("={number}"));
        format!("p4 configure set db.checkpoint.threads{number} and p4d -jcp")
    } else {
        "release 2022.2 for checkpoints by several threads".to_owned()
    };
    let mut evidence = vec![
        Evidence::answer("protection.night_window", window, window.value),
        model,
        Evidence::new("P4HELP", "db.checkpoint.threads from release 2022.2 on"),
    ];
    if let Some(stated) = stated {
        evidence.push(Evidence::answer(
            "today.checkpoint_time",
            stated,
            stated.value,
        ));
    }
    let mut actions = Vec::new();
    if !facts.is_on_flash("db") {
        actions.push("put the database on flash".to_owned());
    }
    if !facts.has_standby() {
        actions.push("checkpoint a standby".to_owned());
    }
    actions.push(threads);
    actions.push("delete old workspaces and labels".to_owned());
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "a checkpoint takes {shown}, longer than the night's {}",
                window.value
            ),
            actions.join("; "),
            evidence,
        )
        .costing(facts.slowed(if stated.is_some() { 0.005 } else { 0.001 })),
    );
}

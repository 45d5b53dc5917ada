use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::recovery::{Disaster, Recovered, Verdict};
use crate::site::Backup;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV001",
    name: "slow-recovery",
    summary: "a disaster takes longer or loses more than the site allows",
    docs: "\
### What it does
Fires when people wait longer than the stated `protection.rto` after the commit server or an array is lost, or when more
work is lost than the stated `protection.rpo` allows. Answers that were assumed do not fire it.

### Why it matters
Nobody works until the restore ends, which takes half an hour a terabyte at `restore.rate`. The journal on a server's own
disks is lost with them, and with it all that was submitted after the last backup.

### Evidence
The durations of `src/system/durations.rs` from media, network and `restore.rate`, with their intervals; docs/model.md,
\"Failure and recovery\", has the formulas. No published measurement covers them.

### What to do
Run a standby with journal, database and depots on a machine and store of its own, or copy journal and checkpoints to a
store that outlives the server; time your own restore and state it in `restore.rate`.

### Limits
One disaster at a time; a spare machine or store is assumed to be in the house (`spare.ready`). Snapshots that are copied
to another store count as copied checkpoints: answer `checkpoint`.
",
    check,
};

/// Working hours until everything is made anew that nothing brings back (assumed).
const WEEK: f64 = 40.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let asked = &facts.site.protection;
    let (rto, rpo) = (&asked.rto, &asked.rpo);
    let late = |one: &&Recovered| rto.is_stated() && one.rto == Verdict::Missed;
    let loses = |one: &&Recovered| rpo.is_stated() && !one.rpo_met;
    let all = || facts.recovery.disasters.iter();
    // The one that lasts longest; one that never ends before all.
    let length = |one: &&Recovered| one.time.map_or(f64::INFINITY, |time| time.value);
    let longest = all()
        .filter(late)
        .max_by(|a, b| length(a).total_cmp(&length(b)));
    let Some(worst) = longest.or_else(|| all().find(loses)) else {
        return;
    };
    let lost = match &worst.lost {
        Disaster::CommitServer => "the commit server",
        Disaster::Store(array) => array,
    };
    let hours = worst.time.map_or(WEEK, |time| time.value / 3600.0);
    let mut parts = Vec::new();
    if late(&worst) {
        parts.push(match worst.time {
            Some(time) => format!(
                "people work again {} after {lost} is lost (RTO {})",
                Seconds::new(time.value).estimated(),
                rto.value
            ),
            None => format!(
                "if {lost} is lost, nothing brings its data back (RTO {}); {}",
                rto.value, worst.how
            ),
        });
    }
    if loses(&worst) && worst.time.is_some() {
        let work = worst.loses.map_or("all".to_owned(), |s| {
            format!("up to {}", Seconds::new(s).estimated())
        });
        parts.push(format!(
            "{work} of work is lost with {lost} (RPO {})",
            rpo.value
        ));
    }
    if parts.is_empty() {
        parts.push(format!("all work is lost with {lost}"));
    }
    let mut action = match facts.recovery.standby {
        Some(standby) => format!(
            "run a standby on a machine and store of its own: it takes over in about {} and loses about {}",
            Seconds::new(standby.switch).estimated(),
            Seconds::new(standby.lag).estimated()
        ),
        None => "have the standby take over sooner: practise and script the switch".to_owned(),
    };
    if worst.time.is_none() && asked.backup.value == Backup::Snapshots {
        action = format!("copy snapshots or checkpoints to another store, or {action}");
    }
    let backup = &asked.backup;
    let mut evidence = vec![
        Evidence::new("model", format!("{}; {}", worst.how, worst.journal)),
        Evidence::answer("protection.backup", backup, backup.value.word()),
    ];
    // What nobody stated is not what is missed.
    if rto.is_stated() {
        evidence.push(Evidence::answer("protection.rto", rto, rto.value));
    }
    if rpo.is_stated() {
        evidence.push(Evidence::answer("protection.rpo", rpo, rpo.value));
    }
    out.push(
        RULE.finding(Severity::Warning, parts.join("; "), action, evidence)
            .costing(facts.standstill(hours, 0.1) + facts.slowed(0.002)),
    );
}

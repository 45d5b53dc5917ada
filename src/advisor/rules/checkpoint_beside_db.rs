use super::{Evidence, Facts, Finding, Part, Rule, Severity};
use crate::site::Backup;

pub(super) static RULE: Rule = Rule {
    id: "RCV008",
    name: "checkpoint-beside-db",
    summary: "checkpoints are written to the drives of the database",
    docs: "\
### What it does
Fires where checkpoints are the stated backup and lie on the same set of disks as the database.

### Why it matters
A checkpoint reads the whole database and writes beside it: both slow each other and the people. And the set
that is lost takes its own backup with it.

### Evidence
N13-best gives checkpoints another volume; SAG: never on the volume of the database.

### What to do
Write them to the depots' volume or to another machine: set journalPrefix there.

### Limits
On flash the first reason is small; the second remains.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let backup = &facts.site.protection.backup;
    let d = facts.deployment;
    let (Some(db), Some(checkpoint)) = (d.mount("db"), d.mount("checkpoint")) else {
        return;
    };
    if !backup.is_stated() || backup.value != Backup::Checkpoint || !db.shares_disks(checkpoint) {
        return;
    }
    let elsewhere = if facts.site.server.release.value.configures() {
        "p4 configure set journalPrefix=/OTHER/checkpoints/p4_1"
    } else {
        "p4d -jc /OTHER/checkpoints/p4_1"
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "checkpoints lie on the drives of the database ({}): they slow the server while they are written, and are lost with it",
                facts.drives_in_words(db)
            ),
            format!("write them elsewhere ({elsewhere}), and copy them to another machine"),
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("N13-best", "a volume for each kind of data"),
                Evidence::new("SAG", "checkpoints belong on another device than the database"),
            ],
        )
        .costing(facts.standstill(16.0, 0.03))
        .unless(facts.unstated(&["db", "checkpoint"], &[Part::Roles])),
    );
}

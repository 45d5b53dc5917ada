use super::{Evidence, Facts, Finding, Part, Rule, Severity};
use crate::site::Backup;

pub(super) static RULE: Rule = Rule {
    id: "RCV007",
    name: "snapshots-beside-data",
    summary: "snapshots lie on the store that they are to restore",
    docs: "\
### What it does
Fires where backup is stated as snapshots, and database and depots lie on one array that is not a provider's.

### Why it matters
A snapshot is quick and on the same disks: a lost array takes both. One of the database alone is not
consistent with the journal unless both are taken at once.

### Evidence
N13-snapmirror copies snapshots to another system; SAG asks for the journal apart.

### What to do
Copy snapshots or checkpoints to another system each night; take db and journal in one consistency group, with
p4d paused by `p4d -c`.

### Limits
Providers keep snapshots of volumes on other stores.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let backup = &facts.site.protection.backup;
    if !backup.is_stated() || backup.value != Backup::Snapshots {
        return;
    }
    let d = facts.deployment;
    let (Some(db), Some(depot)) = (d.mount("db"), d.mount("depot")) else {
        return;
    };
    if db.device != depot.device || facts.is_rented(db) {
        return;
    }
    out.push(
        RULE.finding(
            Severity::Note,
            format!("snapshots of {} lie on it, as do database and depots: 1 store holds the data and their backup", db.device),
            "copy them to another system each night, and snapshot db and journal together: p4d -r P4ROOT -c \"SNAPSHOT COMMAND\"",
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("N13-snapmirror", "snapshots are copied to another system"),
            ],
        )
        .costing(facts.standstill(40.0, 0.01))
        .unless(facts.unstated(&["db", "depot"], &[Part::Store])),
    );
}

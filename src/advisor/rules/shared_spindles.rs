use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC005",
    name: "shared-spindles",
    summary: "the database shares spinning disks with depots or checkpoints",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the db lies on the same set of spinning disks as depots or checkpoints.

### Why it matters
A sync or a checkpoint streams and the database reads at random: an arm that serves both does
neither, and commands hold their locks while they wait for it.

### Evidence
E07-standard gives the database four disks of its own, apart from archives and checkpoints; N13-best
gives each a volume.

### What to do
Disks of their own for db, or flash for db.

### Limits
An array that spreads all volumes over many disks (a large aggregate with cache) suffers less; it is
flagged all the same, since the model queues both at the same disks.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(db) = facts.deployment.mount("db") else {
        return;
    };
    let medium = facts.catalog.media.get(&db.medium);
    if medium.is_none_or(|m| m.kind != "disk") {
        return;
    }
    let mut others = facts.roles_beside(db);
    others.retain(|role| matches!(*role, "depot" | "checkpoint"));
    if others.is_empty() {
        return;
    }
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "db shares {} disks ({}) with {}",
            db.disks,
            db.medium,
            others.join(" and ")
        ),
        "disks of their own, or flash, for db",
        vec![
            facts.measured("E07-standard", "db-disks"),
            Evidence::new("N13-best", "a volume each for db, depots, journal and logs"),
        ],
    ));
}

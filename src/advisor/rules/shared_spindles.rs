use super::{Evidence, Facts, Finding, Part, Rule, Severity, words};

pub(super) static RULE: Rule = Rule {
    id: "PLC005",
    name: "shared-spindles",
    summary: "the database shares spinning disks with depots or checkpoints",
    docs: "\
### What it does
Fires when the db lies on the same set of spinning disks as depots or checkpoints.

### Why it matters
A sync or a checkpoint reads in sequence and the database at random: a disk arm that serves both is slow
at both, and commands hold their locks while they wait for it.

### Evidence
E07-standard gives the database four disks of its own, apart from archives and checkpoints; N13-best
gives each a volume.

### What to do
Give the database disks of its own, or flash.

### Limits
An array that spreads all volumes over many disks (a large aggregate with cache) suffers less; the rule
still fires, since the model queues both at the same disks.
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
            "the database shares {} disks ({}) with {}; syncs and checkpoints slow its random reads",
            db.disks,
            db.medium,
            words(&others)
        ),
        "give the database disks of its own, or flash",
        vec![
            facts.measured("E07-standard", "db-disks"),
            Evidence::new("N13-best", "a volume each for database, depots, journal and logs"),
        ],
    ).costing(facts.loaded(0.002))
        .unless(facts.unstated(&["db"], &[Part::Store, Part::Roles, Part::Medium])));
}

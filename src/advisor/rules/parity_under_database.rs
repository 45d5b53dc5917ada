use super::{Evidence, Facts, Finding, Part, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "STO009",
    name: "parity-under-database",
    summary: "the database lies on disks with parity",
    docs: "\
### What it does
Fires where the database lies on a server's own spinning disks in RAID 5 or 6.

### Why it matters
Each small write reads and writes data and parity: four or six operations of a disk, while locks are held.

### Evidence
E07-standard puts the database on RAID 10 and archives on RAID 5; RAIDBOOK for the operations.

### What to do
RAID 10 for the database, better flash in RAID 1 or 10; parity for the depots.

### Limits
A controller with protected memory hides a part of it until the memory is full.
",
    check,
};

/// More operations of a small write than a mirror's two.
const WRITES_MAX: f64 = 2.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.deployment.mount("db").filter(|m| m.is_local()) else {
        return;
    };
    let disk = facts
        .catalog
        .media
        .get(&mount.medium)
        .is_some_and(|m| m.kind == "disk");
    let raid = facts.catalog.raid.get(&mount.raid);
    let Some(writes) = raid
        .map(|r| r.write_penalty.value)
        .filter(|w| disk && *w > WRITES_MAX)
    else {
        return;
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("the database lies on {} disks in {}: a small write is {writes} operations, with locks held", mount.disks, mount.raid),
            "move it to RAID 10, better to mirrored NVMe drives; parity serves the depots",
            vec![
                Evidence::new("E07-standard", "RAID 10 for the database, RAID 5 for archives"),
                Evidence::new("RAIDBOOK", "a small write of parity RAID reads and writes data and parity"),
            ],
        )
        .costing(facts.loaded(0.003))
        .unless(facts.unstated(&["db"], &[Part::Store, Part::Medium, Part::Raid])),
    );
}

use super::{Evidence, Facts, Finding, Part, Rule, Severity, lie};

pub(super) static RULE: Rule = Rule {
    id: "STO003",
    name: "unprotected-raid",
    summary: "a volume lies on disks without copy or parity",
    docs: "\
### What it does
Fires when the RAID level of a volume tolerates no failed disk and the volume is not a cloud's.

### Why it matters
The first failed disk loses the volume; with n disks that happens n times as often as with one. Without
db or journal the server stops until a checkpoint is restored.

### Evidence
Tolerated failures from RAIDBOOK; E07-standard puts everything on RAID 1, 10 or 5.

### What to do
Use RAID 10 for db, RAID 1 for journal and log, RAID 6 or RAID-DP for depots.

### Limits
The provider keeps copies of volumes of a cloud's block service; they are left out. The rule ignores
filesystems that keep copies themselves.
",
    check,
};

/// Fewest failed disks that a volume has to survive.
const FAILURES_MIN: f64 = 1.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for mount in &facts.deployment.volumes {
        let Some(raid) = facts.catalog.raid.get(&mount.raid) else {
            continue;
        };
        let tolerated = raid.failures_tolerated.value;
        // A provider's volumes and objects have their copies below.
        let has_copies = mount.is_cloud() || mount.is_object(facts.catalog);
        if has_copies || tolerated >= FAILURES_MIN {
            continue;
        }
        out.push(RULE.finding(
            Severity::Critical,
            format!(
                "{} on {} disks in {}; the first failed disk loses the data",
                lie(&mount.roles),
                mount.disks,
                mount.raid
            ),
            "use RAID 10 for the database, RAID 1 for journal and log, RAID 6 or RAID-DP for depots",
            vec![
                Evidence::new(
                    "RAIDBOOK",
                    format!("{} tolerates {tolerated} failed disks", mount.raid),
                ),
                facts.measured("E07-standard", "db-disks"),
            ],
        ).costing(facts.standstill(16.0, 0.2))
            .unless(facts.unstated(&mount.roles, &[Part::Store, Part::Raid])));
    }
}

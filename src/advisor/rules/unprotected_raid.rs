use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "STO003",
    name: "unprotected-raid",
    summary: "a volume lies on disks that no copy or parity protects",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the RAID level of a volume tolerates no failed disk and the volume is not a cloud's.

### Why it matters
The first failed disk takes the volume with it; with n disks that happens n times as often as with
one. With db or journal gone, the server stands still until a checkpoint is restored.

### Evidence
Failures tolerated by RAIDBOOK; E07-standard puts everything on RAID 1, 10 or 5.

### What to do
RAID 10 for db, RAID 1 for journal and log, RAID 6 or RAID-DP for depots.

### Limits
Volumes of a cloud's block service are copied by the provider and are left out. The rule does not
know of filesystems that keep copies themselves.
",
    check,
};

/// Fewest failed disks that a volume has to survive: one, since a set without is lost with the first.
const FAILURES_MIN: f64 = 1.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for mount in &facts.deployment.volumes {
        let Some(raid) = facts.catalog.raid.get(&mount.raid) else {
            continue;
        };
        let tolerated = raid.failures_tolerated.value;
        if mount.is_cloud() || tolerated >= FAILURES_MIN {
            continue;
        }
        let roles = mount.roles.join(", ");
        out.push(RULE.finding(
            Severity::Critical,
            format!(
                "the volume of {roles} lies on {} disks in {}, which survives {tolerated} failures",
                mount.disks, mount.raid
            ),
            "RAID 10 for db, RAID 1 for journal and log, RAID 6 or RAID-DP for depots",
            vec![
                Evidence::new(
                    "RAIDBOOK",
                    format!("{} tolerates {tolerated} failures", mount.raid),
                ),
                facts.measured("E07-standard", "db-disks"),
            ],
        ));
    }
}

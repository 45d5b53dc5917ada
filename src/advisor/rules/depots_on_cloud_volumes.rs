use super::{Evidence, Facts, Finding, Part, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "STO007",
    name: "depots-on-cloud-volumes",
    summary: "depots of more than 16 TB lie on block volumes of a provider",
    docs: "\
### What it does
Fires where the depots lie on a provider's block volumes and are larger than 16 TB, today or at the horizon. A
warning where they are today.

### Why it matters
Volumes of that size are joined on the instance, share its one cap with the database, cannot be read by a second
server, and are paid by the byte without deduplication or cold tiers. The provider's file service has all of
these.

### Evidence
P4AWS: up to 16 TB of depots on general volumes, beyond on a file service; db, journal and log on block volumes
in both.

### What to do
Name the provider's file service in `infrastructure.storage`, put the depots there, and keep db, journal and log
on block volumes.

### Limits
A file service answers single reads later: builds that sync small files notice it.
",
    check,
};

/// P4AWS's limit \[B\].
const SIZE_MAX: f64 = 16e12;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.deployment.mount("depot") else {
        return;
    };
    let on_block = mount.is_cloud() || facts.is_rented(mount) && facts.on_export("depot").is_none();
    let Some(size) = facts
        .sizes
        .iter()
        .find(|s| s.role == "depot")
        .filter(|_| on_block)
    else {
        return;
    };
    if size.data_at_horizon.get() <= SIZE_MAX {
        return;
    }
    let today = size.data.get() > SIZE_MAX;
    let depot = &facts.site.data.depot_size;
    out.push(
        RULE.finding(
            if today { Severity::Warning } else { Severity::Note },
            format!(
                "depots of {} ({} at the horizon) lie on block volumes; above 16 TB these are joined volumes that share the instance's \
                 cap with the database and are paid in full",
                depot.value,
                facts.site.size_estimated(size.data_at_horizon)
            ),
            "put the depots on the provider's file service, and keep db, journal and log on block volumes (io2 or gp3)",
            vec![
                Evidence::answer("data.depot_size", depot, depot.value),
                Evidence::new("P4AWS", "above 16 TB of depots a file service"),
                Evidence::new("EBSDOC", "an instance has one cap for all its volumes"),
            ],
        )
        .costing(facts.slowed(0.002) + 100.0)
        .unless(facts.unstated(&["depot"], &[Part::Store])),
    );
}

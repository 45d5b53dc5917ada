use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::stores::beyond_assumed;
use crate::units::Bytes;

pub(super) static RULE: Rule = Rule {
    id: "CAP004",
    name: "assumed-edge-drives",
    summary: "the edge of an office needs more drives than were assumed",
    since: "0.1.0",
    docs: "\
### What it does
Fires where nobody said how many drives the edge of a distant office has, and its share of the data needs more than were assumed.

### Why it matters
The recommendation stands only with the larger number of drives: an edge that is full stops its office.

### Evidence
The sizes and growth of the site, and the share of the depots that the edge keeps (`edge.depot_share`); the arithmetic is the
model's.

### What to do
Answer `edge.local_disks`, `edge.drive_size` and `edge.depot_share`, or buy the drives.

### Limits
What an edge keeps depends on what its people sync; an edge can be told to drop content that nobody has read for long.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let site = facts.site;
    let Some((all, assumed)) = beyond_assumed(site, facts.deployment) else {
        return;
    };
    let size = facts.deployment.office_volumes.first();
    let size = size.map_or(Bytes::ZERO, |mount| Bytes::new(mount.disk_bytes));
    let (share, depots) = (&site.edge.depot_share, &site.data.depot_size);
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "the edge of each served office ({}) needs {all} drives of {} to the horizon, and {assumed} were assumed",
            facts.deployment.offices.join(", "),
            size.si()
        ),
        format!("{all} drives for it, or an answer to edge.local_disks and edge.depot_share"),
        vec![
            Evidence::answer("edge.local_disks", &site.edge.local_disks, assumed),
            Evidence::answer("edge.depot_share", share, share.value),
            Evidence::answer("data.depot_size", depots, depots.value),
        ],
    ));
}

use super::{Busy, Evidence, Facts, Finding, Rule, Severity};
use crate::system::{Mount, ResourceKind};

pub(super) static RULE: Rule = Rule {
    id: "STO001",
    name: "saturated-disks",
    summary: "disks or an array's ports are so busy that requests wait longer than they are served",
    docs: "\
### What it does
Fires when a set of disks (its random I/O or its transfer) or the ports of an array are busy more
than 70 % of the time at the peak.

### Why it matters
At a single server the residence time is S / (1 - U): at 70 % a request takes 3.3 times its service
time, at 90 % ten times. Destaging and checkpoints come on top.

### Evidence
Utilization from the model; the law from LAZOWSKA1984; E07-sync-busy, where contention on the archive
disks multiplied the time of a sync.

### What to do
Spread the load over more disks, take a faster medium, add memory so that fewer reads miss, or give
builds proxies.

### Limits
A set that serves many requests at once (flash, many disks) waits less than S / (1 - U).
",
    check,
};

/// Above it a request takes more than 3.3 times its service time at a single server (LAZOWSKA1984).
pub(in crate::advisor) const UTILIZATION_MAX: f64 = 0.7;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let kinds = [
        ResourceKind::Disks,
        ResourceKind::Stream,
        ResourceKind::Ports,
    ];
    let Some(Busy {
        words: busy,
        evidence,
        resources,
    }) = facts.busier(&kinds, UTILIZATION_MAX)
    else {
        return;
    };
    let is_rented = facts.deployment.volumes.iter().any(Mount::is_cloud);
    let action = if is_rented {
        "buy more operations and bandwidth for the volumes, up to what the instance has for all of them; then a larger instance, or memory \
         so that fewer reads miss"
    } else {
        "use more or faster disks, add memory so that fewer reads miss, or put proxies beside builds"
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "storage is close to saturation: {busy}; requests wait longer than they are served"
            ),
            action,
            vec![
                evidence,
                Evidence::new(
                    "LAZOWSKA1984",
                    "residence time S / (1 - U) at a single server",
                ),
                facts.measured("E07-sync-busy", "elapsed"),
            ],
        )
        .costing(facts.loaded(0.005))
        .unless(facts.unstated_behind(&resources))
        .about(resources.iter().map(|r| &r.name)),
    );
}

use super::{Busy, Evidence, Facts, Finding, Rule, Severity, WORK_HOURS};
use crate::site::Office;
use crate::system::{Resource, ResourceKind};

pub(super) static RULE: Rule = Rule {
    id: "NET004",
    name: "busy-office-line",
    summary: "the line to an office is nearly full",
    docs: "\
### What it does
Fires where a line to a distant office is busy more than 70 % of the time at the peak.

### Why it matters
Everything that the office syncs and submits crosses it, and the server's storage does not make it wider.

### Evidence
The model's utilization; P4DIST for what an edge keeps at the office.

### What to do
An edge or a proxy there keeps what was fetched once; then a faster line; delta transfer for large binaries from
release 2024.2 on.

### Limits
The estimate assumes that the line is shared fairly, and that Perforce has it alone.
",
    check,
};

/// As EDG002 has it: from about there on waiting grows fast.
const BUSY_MAX: f64 = 0.7;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(Busy {
        words: busy,
        evidence,
        resources,
    }) = facts.busier(&[ResourceKind::Wan], BUSY_MAX)
    else {
        return;
    };
    let bare = facts
        .site
        .people
        .sites
        .iter()
        .any(|o| !facts.deployment.offices.contains(&o.name));
    let action = if bare && facts.site.server.release.value.edges() {
        "place an edge or a proxy in the office, or order a faster line; faster storage does not help"
    } else {
        "order a faster line, sync builds outside working hours, and send less (sparse streams; delta transfer from 2024.2 on); faster storage does not help"
    };
    let is_busy = |o: &Office| resources.contains(&Resource::line_to(&o.name));
    let people: f64 = facts
        .site
        .people
        .sites
        .iter()
        .filter(|o| is_busy(o))
        .map(|o| o.developers.value)
        .sum();
    let lines = if resources.len() == 1 {
        "the line to an office is"
    } else {
        "the lines to offices are"
    };
    let mut all = vec![
        evidence,
        Evidence::new("P4DIST", "an edge fetches each archive once for its office"),
    ];
    let offices = facts.site.people.sites.iter().enumerate();
    for (i, office) in offices.filter(|(_, o)| is_busy(o)) {
        all.push(Evidence::answer(
            &format!("people.site.{i}.bandwidth"),
            &office.bandwidth,
            office.bandwidth.value.in_bits(),
        ));
    }
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("{lines} nearly full at the peak: {busy}"),
            action,
            all,
        )
        .costing(people * WORK_HOURS * 0.01)
        .about(resources.iter().map(|r| &r.name)),
    );
}

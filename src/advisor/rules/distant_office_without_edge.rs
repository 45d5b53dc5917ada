use super::{Evidence, Facts, Finding, Rule, Severity, WORK_HOURS};
use crate::advisor::targets::tightest;
use crate::site::{Office, Target};
use crate::units::grouped;

pub(super) static RULE: Rule = Rule {
    id: "NET002",
    name: "distant-office-without-edge",
    summary: "a distant office has no edge server of its own",
    docs: "\
### What it does
Fires for each office with a round trip of 20 ms or more that has no edge of its own. A warning
where its users miss a target, else a note.

### Why it matters
Each command takes several round trips, and each sync crosses the line once for every workspace. An
edge answers browse, edit and sync at the office; a proxy keeps file contents there. Where the answers exclude edges, a
proxy is what is named.

### Evidence
P4DIST for edges; E07-proxy and P17-replication for what they took off the server; the times are the
model's.

### What to do
Place an edge at the office, from release 2013.2 on; a proxy where edges are not available.

### Limits
An edge has a database, a journal and checkpoints of its own, and a submit through it takes longer. A
proxy shortens transfers, not the round trips of commands.
",
    check,
};

/// Round trip of about a continent's width \[s\]: ten round trips are then 0.2 s, which people feel
/// (assumed).
const ROUND_TRIP_MIN: f64 = 0.020;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let served = &facts.deployment.offices;
    let edges_max = &facts.site.infrastructure.edges_max;
    let excluded = edges_max.is_stated() && edges_max.value < 1.0;
    let offices = facts.site.people.sites.iter().enumerate();
    let offices = offices.filter(|(_, office)| !served.contains(&office.name));
    for (i, office) in offices.filter(|(_, o)| o.round_trip.value.get() >= ROUND_TRIP_MIN) {
        let trip = office.round_trip.value;
        let path = format!("people.site.{i}.round_trip");
        let release = facts.site.server.release.value;
        let missed = misses(facts, office, |_| true);
        let severity = if missed {
            Severity::Warning
        } else {
            Severity::Note
        };
        let missing = if missed {
            "each command waits for several round trips, and a target is missed"
        } else {
            "each command waits for several round trips"
        };
        out.push(RULE.finding(
            severity,
            format!(
                "the {} people in {} have no edge and a round trip of {trip} to the server; {missing}",
                grouped(office.developers.value),
                office.name
            ),
            if excluded {
                format!("place a proxy in {}, or allow edges (infrastructure.edges_max is 0)", office.name)
            } else if release.edges() {
                format!("place an edge in {}, or a proxy where an edge is too much", office.name)
            } else {
                format!(
                    "place a proxy in {}; edges need release 2013.2, and the server runs {release}",
                    office.name
                )
            },
            vec![
                Evidence::answer(&path, &office.round_trip, trip),
                Evidence::new(
                    "P4DIST",
                    "edges, from release 2013.2 on, answer most commands at their office",
                ),
                facts.measured("P17-replication", "edges"),
                Evidence::new("E07-proxy", "syncs through proxies no longer load the main disks"),
            ],
        ).costing(office.developers.value * WORK_HOURS * 0.02));
    }
}

/// Whether such a kind of work at the office takes longer than its target.
pub(super) fn misses(facts: &Facts<'_>, office: &Office, such: impl Fn(Target) -> bool) -> bool {
    let classes = facts.prediction.classes.iter();
    classes
        .filter(|c| c.work.clients.office() == Some(&office.name))
        .filter(|c| c.work.target().is_some_and(&such))
        .any(|c| tightest(facts.site, c).is_some_and(|want| !want.is_met()))
}

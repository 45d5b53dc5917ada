use super::{A_DAY, Evidence, Facts, Finding, Rule, Severity};
use crate::units::about_count;

pub(super) static RULE: Rule = Rule {
    id: "EDG006",
    name: "more-commands-than-published",
    summary: "each server answers more commands than any published one",
    docs: "\
### What it does
Fires where the commands of a day, divided by commit server and edges, exceed 12 million.

### Why it matters
No published server answered more in a day: beyond it the estimate has no neighbour, and such sites run edges
and replicas for a part of the load.

### Evidence
The busiest published single server runs 12 million commands a day, the limit that `workload.commands_per_day`
quotes; P4DIST for edges and read-only replicas.

### What to do
More edges beside the commit server, where builds and tools work, and read-only replicas for polling.

### Limits
Servers of 2026 are faster than that one was.
",
    check,
};

/// Google's, 2011, as the site file's reference cites it.
pub(super) const PUBLISHED: f64 = 12e6;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let commands = &facts.site.workload.commands_per_day;
    let servers = facts.deployment.servers() as f64;
    let each = commands.value.get() * A_DAY / servers;
    if each <= PUBLISHED {
        return;
    }
    let wanted = (each * servers / PUBLISHED).ceil() - 1.0;
    let most = facts.site.infrastructure.edges_max.value;
    let action = if facts.site.server.release.value.edges() {
        format!(
            "spread builds and tools over about {wanted} edges and read-only replicas in the same data centre (infrastructure.edges_max \
             is {most}): no published server answers so many alone"
        )
    } else {
        "upgrade to a release with edges (2013.2), and spread builds and tools over them".to_owned()
    };
    let who = if servers > 1.0 {
        format!("each of {servers} servers answers")
    } else {
        "the server alone answers".to_owned()
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "{who} {} commands a day; the busiest published server answers 12 million",
                about_count(each)
            ),
            action,
            vec![
                Evidence::answer("workload.commands_per_day", commands, commands.value),
                Evidence::new(
                    "P4DIST",
                    "edges and replicas take commands off the commit server",
                ),
            ],
        )
        .costing(facts.slowed(0.005)),
    );
}

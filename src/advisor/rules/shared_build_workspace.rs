use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::about_count;

pub(super) static RULE: Rule = Rule {
    id: "BLD003",
    name: "shared-build-workspace",
    summary: "several builds share one workspace and wait for each other",
    docs: "\
### What it does
Fires where `today.signs` has `shared-build-workspace`.

### Why it matters
Commands that change a workspace lock it alone: two builds with one client name run one after the other, however
many cores and drives there are.

### Evidence
KB3163: server.locks has a lock for each client, held exclusively.

### What to do
A workspace for each build agent, made from a template.

### Limits
Builds that only read with `sync -p` take no such lock.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("shared-build-workspace") else {
        return;
    };
    let syncs = facts.prediction.large_syncs_in_flight();
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "builds that share a workspace wait for its lock in turn: the {} large syncs that are in flight at the peak become one \
                 after the other, and storage will not help",
                about_count(syncs)
            ),
            "give each build agent a workspace of its own: p4 client -t TEMPLATE NAME",
            vec![
                sign,
                facts.syncs_in_flight(),
                Evidence::new("KB3163", "commands that change a client hold its lock exclusively"),
            ],
        )
        .costing(facts.slowed(0.0005)),
    );
}

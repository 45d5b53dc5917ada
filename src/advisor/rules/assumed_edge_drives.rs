use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::stores::{beyond_assumed, edges_in_words};

pub(super) static RULE: Rule = Rule {
    id: "CAP004",
    name: "assumed-edge-drives",
    summary: "the edge server of an office needs more drives than assumed",
    docs: "\
### What it does
Fires where the number of drives in the edge server of a distant office is an assumption, and its share of the data needs more.

### Why it matters
The recommendation holds only with the larger number of drives: a full edge server stops the work of its office.

### Evidence
The sizes and growth of the site, and the share of the depots that the edge keeps (`edge.depot_share`); the arithmetic is the
model's.

### What to do
Answer `edge.local_disks`, `edge.drive_size` and `edge.depot_share`, or buy the drives.

### Limits
What an edge keeps depends on what its users sync; an edge can be set up to drop content that has not been read for long.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let site = facts.site;
    let found = beyond_assumed(site, facts.deployment);
    let words = edges_in_words(site, facts.deployment);
    let (Some((all, assumed)), Some(words)) = (found, words) else {
        return;
    };
    let (share, depots) = (&site.edge.depot_share, &site.data.depot_size);
    out.push(RULE.finding(
        Severity::Warning,
        words,
        format!("buy {all} drives for each, or answer edge.local_disks and edge.depot_share"),
        vec![
            Evidence::answer("edge.local_disks", &site.edge.local_disks, assumed),
            Evidence::answer("edge.depot_share", share, share.value),
            Evidence::answer("data.depot_size", depots, depots.value),
        ],
    ));
}

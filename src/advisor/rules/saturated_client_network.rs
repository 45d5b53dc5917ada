use super::{Busy, Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;

pub(super) static RULE: Rule = Rule {
    id: "NET001",
    name: "saturated-client-network",
    summary: "the link between a server and its clients is nearly full",
    docs: "\
### What it does
Fires when a server's link to its clients is busy more than 80 % of the time at the peak.

### Why it matters
Large syncs share the link: twice as many take twice as long, however fast the storage is. Flash
behind one link of 10 Gb/s is mostly idle.

### Evidence
P17-network-bound names the link as the first bottleneck; three edges brought 48 syncs from 278 s
(P17-sync-fa-fb) to 92 s (P17-sync-3edge).

### What to do
More or faster links, edges with links of their own, proxies beside build farms.

### Limits
Bonded links share the load by connection: one stream never gets more than one link.
",
    check,
};

/// Streams of TCP share a link fairly up to about there; above, each further sync slows all others.
/// P17's single link ran at 88 % of its rate when it was called the bottleneck (P17-sync-fa-fb).
const UTILIZATION_MAX: f64 = 0.8;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(Busy {
        words: busy,
        evidence,
        resources,
    }) = facts.busier(&[ResourceKind::ClientNetwork], UTILIZATION_MAX)
    else {
        return;
    };
    let site = &facts.site.infrastructure;
    let (links, network) = (
        facts.deployment.client_links,
        &facts.deployment.client_network,
    );
    let edges = if site.edges_max.value > f64::from(facts.deployment.edges)
        && facts.site.server.release.value.edges()
    {
        "add edges beside the commit server for builds and offices, or "
    } else {
        ""
    };
    out.push(RULE.finding(
        Severity::Warning,
        format!("the link to the clients ({links} × {network}) is nearly full ({busy}); each further large sync slows all others"),
        format!("{edges}use more or faster links to the clients, or put proxies beside builds"),
        vec![
            evidence,
            Evidence::new(
                "P17-network-bound",
                "this link saturates before the storage",
            ),
            facts.measured("P17-sync-fa-fb", "elapsed-average"),
            facts.measured("P17-sync-3edge", "elapsed-average"),
            Evidence::answer("infrastructure.client_links", &site.client_links, links),
        ],
    ).costing(facts.loaded(0.004)).about(resources.iter().map(|r| &r.name)));
}

use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::catalog::{Form, Transport};

pub(super) static RULE: Rule = Rule {
    id: "NET003",
    name: "shared-storage-and-client-network",
    summary: "clients and storage share one network",
    docs: "\
### What it does
Fires when the server reaches a store over the same kind of Ethernet as its clients and has a single link to
them.

### Why it matters
If they share the link, each byte of a sync crosses it twice, from the store and to the client, and the
round trips of database reads queue behind transfers.

### Evidence
N13-hardware kept client and storage traffic on separate networks; in P17-network-bound the link to the
clients saturated first.

### What to do
Give the storage a port of its own, and preferably a switch or VLAN.

### Limits
The site file names kinds of network, not cables: where two separate networks of a kind exist, the
note does not apply. The estimate assumes separate links. An instance of a cloud has one network for both, whose
limit CLD001 judges.
",
    check,
};

/// With one link to the clients there is none left for the storage.
const LINKS_MAX: f64 = 1.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let d = facts.deployment;
    let server = facts.catalog.servers.get(&d.server);
    let is_instance = server.is_some_and(|server| server.form == Form::Instance);
    if d.client_links > LINKS_MAX || is_instance {
        return;
    }
    let shared = d.volumes.iter().find(|m| {
        let protocol = facts.catalog.protocols.get(&m.protocol);
        protocol.is_some_and(|p| p.transport == Transport::Ethernet)
            && m.network.as_ref() == Some(&d.client_network)
    });
    let Some(mount) = shared else {
        return;
    };
    let site = &facts.site.infrastructure;
    out.push(RULE.finding(
        Severity::Note,
        format!(
            "clients and {} share one network ({}); the estimate assumes separate links, and syncs are slower than that",
            mount.device, d.client_network
        ),
        "give the storage a port and a network of its own, unless it has them already",
        vec![
            facts.measured("N13-hardware", "client-network"),
            facts.measured("N13-hardware", "storage-network"),
            Evidence::new(
                "P17-network-bound",
                "the link to the clients saturates first",
            ),
            Evidence::answer(
                "infrastructure.storage_network",
                &site.storage_network,
                &site.storage_network.value,
            ),
        ],
    ).costing(facts.slowed(0.0005)).suspected());
}

use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::catalog::Transport;

pub(super) static RULE: Rule = Rule {
    id: "NET003",
    name: "shared-storage-and-client-network",
    summary: "storage and clients may share one link of the server",
    since: "0.1.0",
    docs: "\
### What it does
Fires when a store is reached over the same kind of Ethernet as the clients and the server has a
single link to its clients.

### Why it matters
Each byte of a sync would cross the link twice, from the store and to the client, and the round trips
of database reads would queue behind transfers.

### Evidence
N13-hardware kept client and storage traffic on separate networks; P17-network-bound found the link
to the clients to be what gives out first.

### What to do
A port, and best a switch or VLAN, for the storage alone.

### Limits
The site file names kinds of network, not cables: where two separate networks of a kind exist, the
note does not apply. The prediction reckons with separate links.
",
    check,
};

/// With one link to the clients there is none left for the storage.
const LINKS_MAX: f64 = 1.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let d = facts.deployment;
    if d.client_links > LINKS_MAX {
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
            "{} is reached over {}, as are the clients, with {} link to these",
            mount.device, d.client_network, d.client_links
        ),
        "a port and a network for the storage alone; the prediction reckons with separate links",
        vec![
            facts.measured("N13-hardware", "client-network"),
            facts.measured("N13-hardware", "storage-network"),
            Evidence::new(
                "P17-network-bound",
                "the link to the clients gives out first",
            ),
            Evidence::answer(
                "infrastructure.storage_network",
                &site.storage_network,
                &site.storage_network.value,
            ),
        ],
    ));
}

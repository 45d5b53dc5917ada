use super::{Busy, Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;

pub(super) static RULE: Rule = Rule {
    id: "STO002",
    name: "busy-nfs-slots",
    summary: "an NFS client has nearly as many requests in flight as it may have, or its connections are full",
    docs: "\
### What it does
Fires when the request slots or the TCP connections of an NFS client are busy more than 70 % of the
time at the peak.

### Why it matters
A request without a slot waits in the client, even if the filer is idle. Kernels before about 2.6.39
have 16 slots a connection.

### Evidence
Utilization from the model; slots from LINUXNFS and NFS5.

### What to do
Mount with nconnect (Linux 5.3 and later), raise sunrpc.tcp_slot_table_entries on older kernels, or
mount depots of different servers over different addresses.

### Limits
A session of NFS 4.1 has its own number of slots, which the filer grants; nconnect does not add any.
",
    check,
};

/// Above it requests wait for a slot often enough to be noticed: the knee of a multi-server queue with
/// tens of servers lies near 0.7 to 0.8 (LAZOWSKA1984); the lower end, since bursts are not modelled.
const UTILIZATION_MAX: f64 = 0.7;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let kinds = [ResourceKind::Slots, ResourceKind::Connections];
    let Some(Busy {
        words: busy,
        evidence,
        resources,
    }) = facts.busier(&kinds, UTILIZATION_MAX)
    else {
        return;
    };
    out.push(RULE.finding(
        Severity::Warning,
        format!("the NFS client runs short of request slots or connections: {busy}; requests then wait even if the filer is idle"),
        "mount with nconnect=8 or more (Linux 5.3), or raise sunrpc.tcp_slot_table_entries",
        vec![
            evidence,
            Evidence::new(
                "LINUXNFS",
                "16 slots a connection before about Linux 2.6.39",
            ),
            Evidence::new("NFS5", "nconnect opens up to 16 connections"),
        ],
    ).costing(facts.loaded(0.002)).unless(facts.unstated_behind(&resources)).about(resources.iter().map(|r| &r.name)));
}

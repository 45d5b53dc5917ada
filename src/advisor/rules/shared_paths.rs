use super::{Busy, Evidence, Facts, Finding, Part, Rule, Severity};
use crate::system::ResourceKind;

pub(super) static RULE: Rule = Rule {
    id: "PLC009",
    name: "shared-paths",
    summary: "database and depots share the ports or the network of one store",
    docs: "\
### What it does
Fires where database and depots lie on the same store over one path, and its ports, connections or network are
busy for more than 50 % of the time at the peak.

### Why it matters
Large syncs fill the path with long reads; short reads and flushes of the database stand behind them while locks
are held.

### Evidence
Utilizations of the model; N13-hardware kept ports and networks apart; EBSDOC for the cap that an instance has
for all its volumes.

### What to do
Own ports, a network or a file system for the depots; on a provider an instance with more bandwidth to its
volumes, or depots on its file service.

### Limits
An array that gives the database priority suffers less.
",
    check,
};

/// At it a queue's mean wait is as long as the service (LAZOWSKA1984).
const BUSY_MAX: f64 = 0.5;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let d = facts.deployment;
    let (Some(db), Some(depot)) = (d.mount("db"), d.mount("depot")) else {
        return;
    };
    if db.is_local() || db.device != depot.device || db.network != depot.network {
        return;
    }
    let kinds = [
        ResourceKind::Ports,
        ResourceKind::StorageNetwork,
        ResourceKind::Connections,
    ];
    let Some(Busy {
        words: busy,
        evidence,
        resources,
    }) = facts.busier(&kinds, BUSY_MAX)
    else {
        return;
    };
    let (action, source, shows) = if facts.is_rented(db) {
        (
            "take an instance with more bandwidth to its volumes, or put the depots on the provider's file service and keep db, journal and log on block volumes",
            "EBSDOC",
            "an instance has one cap for all its volumes",
        )
    } else {
        (
            "give database and journal ports and a network of their own, or put them on drives of the server",
            "N13-hardware",
            "storage and clients on networks of their own",
        )
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "reads of the database queue behind large syncs on one path to {}: {busy}",
                db.device
            ),
            action,
            vec![evidence, Evidence::new(source, shows)],
        )
        .costing(facts.loaded(0.002))
        .unless(facts.unstated(&["db", "depot"], &[Part::Store]))
        .about(resources.iter().map(|r| &r.name)),
    );
}

use super::{Evidence, Facts, Finding, Part, Rule, Severity, WORKDAYS, lie};
use crate::units::{Seconds, grouped};

pub(super) static RULE: Rule = Rule {
    id: "PLC001",
    name: "db-on-nfs",
    summary: "the database lies on NFS or SMB, where each lock cycle writes pages back",
    docs: "\
### What it does
Fires when the database's volume lies on a file protocol: critical, or a warning where its mount options
keep locks in the server.

### Why it matters
An NFS client writes dirty pages back, synchronously, at each lock and unlock, and locks cost calls.
A commit of many files then takes one round trip a file, while other commands wait.

### Evidence
N08-submit-nfs (2,000 files a second against 13,500 over FCP), P17-branchsubmit-fb (25 s against
1.5 s), SAG-nfs.

### What to do
Put db.* on disks of the server or on LUNs; depots may stay on the export.

### Limits
Options that keep locks local remove the calls for locks, not the flush. Small sites that submit
little may accept it.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.on_export("db") else {
        return;
    };
    let local = facts
        .options_of(mount)
        .filter(|o| o.removes.contains(&"lock"));
    let unknown = facts.unstated(&["db"], &[Part::MountOptions]);
    let (severity, locks) = match local {
        _ if unknown.is_some() => (Severity::Warning, "mount options not stated".to_owned()),
        Some(option) => (Severity::Warning, format!("mounted {}", option.options)),
        None => (Severity::Critical, "with locks over the network".to_owned()),
    };
    let beside = facts
        .on_export("journal")
        .is_some_and(|journal| journal.shares_disks(mount));
    let roles: &[&'static str] = if beside { &["db", "journal"] } else { &["db"] };
    let hold = Seconds::new(facts.largest_commit).estimated();
    let files = grouped(facts.site.workload.largest_submit_files.value);
    out.push(RULE.finding(
        severity,
        format!(
            "the {} on {} over {}, {locks}; other users then wait {hold} for a submit of {files} files (estimate)",
            lie(roles).trim_start_matches("the "), mount.device, mount.protocol
        ),
        if facts.is_rented(mount) {
            "move database, journal and log to block volumes of the provider; depots may stay on the file service"
        } else {
            "move database, journal and log to disks of the server or to LUNs; depots may stay on the export"
        },
        vec![
            facts.measured("N08-submit-nfs", "commit-rate"),
            facts.measured("N08-submit-fcp", "commit-rate"),
            facts.measured("P17-branchsubmit-fb", "commit"),
            facts.measured("P17-branchsubmit-ssd", "commit"),
            Evidence::new(
                "SAG-nfs",
                "file locks over NFS are slow; local disks or a SAN are advised",
            ),
        ],
    ).costing(facts.standstill(facts.largest_commit / 3600.0, WORKDAYS) + facts.slowed(0.01))
        .about([mount.set_name()])
        .unless(facts.unstated(roles, &[Part::Store])));
}

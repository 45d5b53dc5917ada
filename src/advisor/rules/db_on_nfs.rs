use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "PLC001",
    name: "db-on-nfs",
    summary: "the database lies on an export, where each lock cycle flushes",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the db's volume lies on a file protocol: critical, or a warning where its mount options
keep locks in the server.

### Why it matters
An NFS client writes dirty pages back, synchronously, at each lock and unlock, and locks cost calls.
A commit of many files then takes one round trip a file, with everybody waiting.

### Evidence
N08-submit-nfs (2,000 files a second against 13,500 over FCP), P17-branchsubmit-fb (25 s against
1.5 s), SAG-nfs.

### What to do
Db.* on disks of the server or on LUNs; depots may stay on the export.

### Limits
Options that keep locks local remove the calls for locks, not the flush. Small sites that submit
little may live with it.
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
    let (severity, locks) = match local {
        Some(option) => (Severity::Warning, format!("mounted {}", option.options)),
        None => (Severity::Critical, "with locks over the network".to_owned()),
    };
    let hold = Seconds::new(facts.largest_commit);
    let files = facts.site.workload.largest_submit_files.value;
    out.push(RULE.finding(
        severity,
        format!(
            "db lies on {} over {}, {locks}: a submit of {files:.0} files holds everybody up for {hold}",
            mount.device, mount.protocol
        ),
        "db on disks of the server or on LUNs; depots may stay on the export",
        vec![
            facts.measured("N08-submit-nfs", "commit-rate"),
            facts.measured("N08-submit-fcp", "commit-rate"),
            facts.measured("P17-branchsubmit-fb", "commit"),
            facts.measured("P17-branchsubmit-ssd", "commit"),
            Evidence::new(
                "SAG-nfs",
                "file locks over NFS are slow; local disks or a SAN advised",
            ),
        ],
    ));
}

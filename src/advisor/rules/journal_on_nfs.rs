use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC002",
    name: "journal-on-nfs",
    summary: "the journal lies on an export and is written while locks are held",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the journal's volume lies on a file protocol.

### Why it matters
The journal is written under the write locks: each of its round trips is a wait for everybody. All
operations that change the database become slower.

### Evidence
P17-journal-nfs (a good deal of overhead), N13-order-branchsubmit (with the journal moved to iSCSI,
split commits as fast as block), SAG-nfs.

### What to do
Move the journal to the server's disks or to a LUN; it is small.

### Limits
None of the sources gives the journal's share in figures; the prediction's is the model's.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.on_export("journal") else {
        return;
    };
    let journal = facts.sizes.iter().find(|s| s.role == "journal");
    let size = journal.map_or(String::new(), |s| format!(" of {}", s.data_at_horizon));
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "the journal lies on {} over {}",
            mount.device, mount.protocol
        ),
        format!("a volume{size} on the server's disks or on a LUN for the journal"),
        vec![
            Evidence::new("P17-journal-nfs", "the journal on NFS costs a good deal"),
            Evidence::new(
                "N13-order-branchsubmit",
                "split with its journal on iSCSI equals block",
            ),
            Evidence::new(
                "SAG-nfs",
                "with the journal on NFS all operations are slower",
            ),
        ],
    ));
}

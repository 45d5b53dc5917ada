use super::{Evidence, Facts, Finding, Part, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC002",
    name: "journal-on-nfs",
    summary: "the journal lies on NFS or SMB and is written while locks are held",
    docs: "\
### What it does
Fires when the journal's volume lies on a file protocol.

### Why it matters
The journal is written while write locks are held: other commands wait for each of its round trips. All
operations that change the database become slower.

### Evidence
P17-journal-nfs (a good deal of overhead), N13-order-branchsubmit (with the journal moved to iSCSI,
split commits as fast as block), SAG-nfs.

### What to do
Move the journal to the server's disks or to a LUN; it is small.

### Limits
No source gives the journal's share in figures; the model estimates it.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.on_export("journal") else {
        return;
    };
    let journal = facts.sizes.iter().find(|s| s.role == "journal");
    let size = journal.map_or(String::new(), |s| {
        format!(" of {}", s.data_at_horizon.estimated())
    });
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "the journal lies on {} over {}; it is written while locks are held, so all changes wait for its round trips",
            mount.device, mount.protocol
        ),
        format!("put the journal on a volume{size} on the server's disks or on a LUN"),
        vec![
            Evidence::new("P17-journal-nfs", "the journal on NFS has a considerable overhead"),
            Evidence::new(
                "N13-order-branchsubmit",
                "with the journal moved to iSCSI, the split layout commits as fast as block storage",
            ),
            Evidence::new(
                "SAG-nfs",
                "with the journal on NFS all operations are slower",
            ),
        ],
    ).costing(facts.slowed(0.005)).about([mount.set_name()])
        .unless(facts.unstated(&["journal"], &[Part::Store])));
}

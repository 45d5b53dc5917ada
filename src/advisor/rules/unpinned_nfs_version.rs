use super::words;
use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC012",
    name: "unpinned-nfs-version",
    summary: "an export is mounted with whatever version the filer offers",
    docs: "\
### What it does
Fires for each export whose stated mount options name no NFS version.

### Why it matters
The client then asks for 4.2 first. After an upgrade of the filer the server speaks another protocol: options
for locks (local_lock, nolock) exist in version 3 alone, and nocto means something else in 4.

### Evidence
NFS5 for the order of versions and for the options of each.

### What to do
Add `vers=3` or `vers=4.1`, and test the change as one of the storage.

### Limits
nfsmount.conf can pin it as well, which the site file does not say.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for (mount, options) in facts.stated_options() {
        let pinned = |o: &&str| {
            ["vers=", "nfsvers=", "v3", "v4"]
                .iter()
                .any(|p| o.starts_with(p))
        };
        let Some(version) = facts.nfs_version(mount) else {
            continue;
        };
        if options.iter().any(pinned) {
            continue;
        }
        out.push(
            RULE.finding(
                Severity::Note,
                format!(
                    "{} on {} is mounted without an NFS version; the client asks for 4.2 first",
                    words(&mount.roles),
                    mount.device
                ),
                format!("add vers={version} to its options in /etc/fstab"),
                vec![Evidence::new(
                    "NFS5",
                    "without vers= the client tries the latest version first",
                )],
            )
            .costing(1.0),
        );
    }
}

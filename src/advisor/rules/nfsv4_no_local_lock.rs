use super::{Evidence, Facts, Finding, Part, Rule, Severity, lie};

pub(super) static RULE: Rule = Rule {
    id: "PLC006",
    name: "nfsv4-no-local-lock",
    summary: "database or journal lies on NFS version 4, which cannot keep locks in the client",
    docs: "\
### What it does
Fires when db or journal lies on a version 4 of NFS.

### Why it matters
local_lock and nolock do not exist for version 4, and nocto affects directories only. What made
version 3 acceptable for a database (732 s down to 406 s) does not exist there.

### Evidence
NFS5; N13-mount-default and N13-mount-both, both of version 3.

### What to do
Use block storage. If it must be NFS: version 3, exported to one client, nocto and local_lock=all.

### Limits
No source measured p4d on version 4; a delegation may save the opens, but not the locks.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let on_four = |role: &&str| {
        let mount = facts.on_export(role);
        let version = mount.and_then(|mount| facts.nfs_version(mount));
        version.is_some_and(|version| version >= 4.0)
    };
    let roles: Vec<&'static str> = ["db", "journal"].into_iter().filter(on_four).collect();
    let sets: Vec<String> = roles
        .iter()
        .filter_map(|role| Some(facts.deployment.mount(role)?.set_name()))
        .collect();
    let Some(mount) = roles.first().and_then(|role| facts.deployment.mount(role)) else {
        return;
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "{} on {}, where each lock costs 2 round trips that no mount option saves",
                lie(&roles),
                mount.protocol
            ),
            "use block storage; else nfsv3, exported to one client, with nocto,local_lock=all",
            vec![
                Evidence::new(
                    "NFS5",
                    "local_lock and nolock are options of versions 2 and 3 only",
                ),
                facts.measured("N13-mount-default", "elapsed"),
                facts.measured("N13-mount-both", "elapsed"),
            ],
        )
        .costing(facts.slowed(0.004))
        .about(sets)
        .unless(facts.unstated(&roles, &[Part::Store])),
    );
}

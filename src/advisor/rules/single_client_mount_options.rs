use super::{Evidence, Facts, Finding, Part, Rule, Severity, words};

pub(super) static RULE: Rule = Rule {
    id: "PLC003",
    name: "single-client-mount-options",
    summary: "mount options corrupt the data as soon as a second client mounts the volume",
    docs: "\
### What it does
Fires where an export's mount options are safe with a single client only (nocto, local_lock=all,
nolock): a warning, and critical where edges mount the same depots.

### Why it matters
With such options a client neither announces its locks nor looks for changes of others. A second
client, for example a standby that mounts too early, corrupts the data.

### Evidence
N13-nfs-safety states the rule, N13-mount-both the gain of the options, NFS5 what they do.

### What to do
Export the volume to the p4d host alone. Never use the options for workspaces or for anything that a
second client mounts; unmount before a standby takes over.

### Limits
The rule sees the servers of the deployment, not what else mounts the export.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let d = facts.deployment;
    let mut volumes: Vec<String> = Vec::new();
    let mut roles: Vec<&'static str> = Vec::new();
    let mut clients = 1;
    for mount in &d.volumes {
        let option = facts.options_of(mount);
        let Some(option) = option.filter(|o| o.requires.contains(&"single-client")) else {
            continue;
        };
        if d.shared_depot && mount.roles.contains(&"depot") {
            clients = d.servers();
        }
        roles.extend(&mount.roles);
        volumes.push(format!("{} with {}", words(&mount.roles), option.options));
    }
    if volumes.is_empty() {
        return;
    }
    out.push(RULE.finding(
        if clients > 1 { Severity::Critical } else { Severity::Warning },
        format!(
            "{}: {}",
            if clients > 1 {
                format!("{clients} servers mount volumes with options that are safe for 1 client only, which corrupts data")
            } else {
                "some mount options are safe only while 1 client mounts the volume; a second one corrupts data".to_owned()
            },
            volumes.join("; ")
        ),
        "export the volume to the p4d host alone, and never mount workspaces or shared data with these options",
        vec![
            facts.measured("N13-nfs-safety", "clients"),
            facts.measured("N13-mount-both", "elapsed"),
            facts.measured("N13-mount-default", "elapsed"),
            Evidence::new("NFS5", "locks stay in the client and opens do not look for changes"),
        ],
    ).costing(facts.standstill(16.0, 0.02)).unless(facts.unstated(&roles, &[Part::MountOptions])));
}

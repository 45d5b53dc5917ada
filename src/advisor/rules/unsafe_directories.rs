use super::{Evidence, Facts, Finding, Part, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "STO004",
    name: "unsafe-directories",
    summary: "a crash may lose directory entries of archives on the depots' filesystem",
    docs: "\
### What it does
Fires when the depots lie on ext3 or ReiserFS.

### Why it matters
Both update directories asynchronously. After a crash a submitted file may be known to the database
and missing in the archives, which `p4 verify` finds and only a backup repairs.

### Evidence
Z09-commit, which describes the asynchronous directory updates of Linux as a risk; P4FS.

### What to do
Use XFS on Linux, or ZFS where its guarantees are needed; run `p4 verify` after each crash.

### Limits
XFS and ext4 update directories asynchronously too, in the order of their log; they are left out
because Perforce recommends XFS and both keep renames and data in order.
",
    check,
};

/// Filesystems that Z09-commit warns of and that are not recommended for archives today.
const FILESYSTEMS: [&str; 2] = ["ext3", "reiserfs"];

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let mount = facts.deployment.mount("depot");
    let Some(id) = mount.and_then(|m| m.filesystem.as_deref()) else {
        return;
    };
    let safe = facts
        .catalog
        .filesystems
        .get(id)
        .is_some_and(|fs| fs.crash_safe_directories);
    if safe || !FILESYSTEMS.contains(&id) {
        return;
    }
    out.push(RULE.finding(
        Severity::Note,
        format!("the depots lie on {id}, which may lose the last directory updates in a crash; submitted files are then missing"),
        "use xfs for the depots, and run p4 verify after each crash",
        vec![
            Evidence::new(
                "Z09-commit",
                "Linux updates directories asynchronously, which risks data",
            ),
            Evidence::new("P4FS", "xfs is what Perforce recommends on Linux"),
        ],
    ).unless(facts.unstated(&["depot"], &[Part::Filesystem])));
}

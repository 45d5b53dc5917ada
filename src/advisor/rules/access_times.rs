use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::{about_count, grouped};

pub(super) static RULE: Rule = Rule {
    id: "PLC013",
    name: "access-times",
    summary: "each read of a file writes its time of access",
    docs: "\
### What it does
Fires where `today.signs` has `access-times`, or where stated options of a volume have `strictatime` or `atime`.

### Why it matters
A sync of 100,000 files then writes 100,000 inodes on the depots, and each read of a table one more.

### Evidence
E07-standard mounts noatime, as does the emitted fstab.

### What to do
Mount with `noatime`: `mount -o remount,noatime PATH`, and the same in /etc/fstab.

### Limits
relatime, the default of Linux, writes once a day: little, and not nothing.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let sign = facts.seen("access-times");
    let strict = |o: &&str| matches!(*o, "strictatime" | "atime");
    let stated = facts
        .stated_options()
        .any(|(_, options)| options.iter().any(&strict));
    if sign.is_none() && !stated {
        return;
    }
    let files = &facts.site.data.workspace_files;
    let mut evidence = vec![
        Evidence::answer("data.workspace_files", files, grouped(files.value)),
        Evidence::new("E07-standard", "noatime on the server's filesystems"),
    ];
    evidence.extend(sign);
    out.push(
        RULE.finding(
            Severity::Note,
            format!("each read writes the file's time of access: a sync of {} files changes as many inodes", about_count(files.value)),
            "run mount -o remount,noatime PATH for each volume, and write noatime into /etc/fstab",
            evidence,
        )
        .costing(facts.slowed(0.0005)),
    );
}

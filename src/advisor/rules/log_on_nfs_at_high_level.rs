use super::{Evidence, Facts, Finding, Part, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC004",
    name: "log-on-nfs-at-high-level",
    summary: "a verbose server log lies on NFS or SMB",
    docs: "\
### What it does
Fires when the log lies on a file protocol and its level is 3 or more.

### Why it matters
Each command writes several lines; on an export each close or lock flushes them, and a filer that
stalls stalls the server.

### Evidence
N13-best recommends block storage from level 3 on. P17-journal-nfs found no noticeable cost, even at
level 3, on an all-flash filer: the sources differ.

### What to do
Put the log on a small volume on the server's disks or on a LUN; rotate it daily.

### Limits
The two sources disagree, so this is a note. Keep level 3: every analysis of logs needs it.
",
    check,
};

/// From here on N13-best puts logs on block storage.
const LEVEL_MIN: f64 = 3.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let level = &facts.site.server.log_level;
    let Some(mount) = facts.on_export("log").filter(|_| level.value >= LEVEL_MIN) else {
        return;
    };
    out.push(RULE.finding(
        Severity::Note,
        format!(
            "the server log is written at level {} to {} over {}; if the export stalls, the server stalls",
            level.value, mount.device, mount.protocol
        ),
        "put the log on a volume on the server's disks or on a LUN, and keep its level",
        vec![
            facts.measured("N13-best", "log-level-for-block"),
            Evidence::new(
                "P17-journal-nfs",
                "no noticeable cost at level 3 on an all-flash filer",
            ),
            Evidence::answer("server.log_level", level, level.value),
        ],
    ).unless(facts.unstated(&["log"], &[Part::Store])));
}

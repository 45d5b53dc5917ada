use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC004",
    name: "log-on-nfs-at-high-level",
    summary: "a verbose server log lies on an export",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the log lies on a file protocol and its level is 3 or more.

### Why it matters
Each command writes several lines; on an export each close or lock flushes them, and a filer that
stalls stalls the server.

### Evidence
N13-best asks for block storage from level 3 on. P17-journal-nfs found no cost worth noting, even at
level 3, on a filer of flash: the sources differ.

### What to do
A small volume on the server's disks or on a LUN for the log; rotate it daily.

### Limits
The two sources disagree; hence a note. The level matters: keep level 3, it is what every analysis of
logs needs.
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
            "the log is written at level {} to {} over {}",
            level.value, mount.device, mount.protocol
        ),
        "a volume on the server's disks or on a LUN for the log, at the same level",
        vec![
            facts.measured("N13-best", "log-level-for-block"),
            Evidence::new(
                "P17-journal-nfs",
                "no cost worth noting on a filer of flash at level 3",
            ),
            Evidence::answer("server.log_level", level, level.value),
        ],
    ));
}

use super::words;
use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC011",
    name: "synchronous-mount",
    summary: "mount options make each write wait",
    docs: "\
### What it does
Fires for each volume whose stated mount options have `sync`, `noac` or `discard`.

### Why it matters
`sync` and `noac` send each write alone and ask for attributes each time; `discard` trims flash while a lock is
held. p4d forces the writes that matter itself.

### Evidence
NFS5 for sync and noac, XFSDOC for discard and the timer in its place.

### What to do
Remove them; `systemctl enable --now fstrim.timer` trims once a week.

### Limits
Options against other clients' stale views do not help: only one server may use the data.
",
    check,
};

const SLOW: [&str; 3] = ["sync", "noac", "discard"];

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for (mount, options) in facts.stated_options() {
        let found: Vec<&str> = options.into_iter().filter(|o| SLOW.contains(o)).collect();
        if found.is_empty() {
            continue;
        }
        out.push(
            RULE.finding(
                Severity::Warning,
                format!(
                    "{} mounted {}: {} of its options make writes wait one by one",
                    words(&mount.roles),
                    found.join(","),
                    found.len()
                ),
                "remove these options from /etc/fstab; for flash run systemctl enable --now fstrim.timer",
                vec![
                    Evidence::new("NFS5", "sync and noac force each write"),
                    Evidence::new("XFSDOC", "fstrim at intervals in place of discard"),
                ],
            )
            .costing(facts.slowed(0.005)),
        );
    }
}

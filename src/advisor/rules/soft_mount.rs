use super::words;
use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC010",
    name: "soft-mount",
    summary: "an export is mounted soft and can lose writes",
    docs: "\
### What it does
Fires for each volume whose stated mount options have `soft` or `softerr`.

### Why it matters
After a few lost answers the client reports an error, or drops the write, in place of waiting. A table that
missed one page is damaged, and nobody notices until the next restore.

### Evidence
NFS5: soft can cause silent data corruption; N08-mount and every vendor mount p4d hard.

### What to do
Mount it hard, which is the default: remove the word, unmount while p4d stands, and check with `p4d -xv`.

### Limits
A hard mount hangs while the filer is away. That is what it is for.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for (mount, options) in facts.stated_options() {
        let soft = options.iter().find(|o| matches!(**o, "soft" | "softerr"));
        let Some(soft) = soft else {
            continue;
        };
        out.push(
            RULE.finding(
                Severity::Critical,
                format!(
                    "{} on {}, mounted {soft}: writes that the filer does not answer in time are lost, and 1 lost page damages a table",
                    words(&mount.roles),
                    mount.device
                ),
                "mount it hard (remove the option from /etc/fstab), and check the tables with p4d -r P4ROOT -xv",
                vec![
                    Evidence::new("NFS5", "soft can cause silent data corruption"),
                    facts.measured("N08-mount", "nfsvers"),
                ],
            )
            .costing(facts.standstill(16.0, 0.2)),
        );
    }
}

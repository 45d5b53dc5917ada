use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::about_count;

pub(super) static RULE: Rule = Rule {
    id: "OSX004",
    name: "huge-pages",
    summary: "transparent huge pages stall a server of many processes",
    docs: "\
### What it does
Fires where `today.signs` has `huge-pages`.

### Why it matters
p4d starts a process for each command. The kernel compacts memory to make pages of 2 MiB for them, and commands
wait for it at moments that nobody foresees.

### Evidence
P4BENCH turns them off before each measurement, as does the emitted configuration.

### What to do
`echo never > /sys/kernel/mm/transparent_hugepage/enabled` and the same for `defrag`; the emitted tmpfiles.d
file does it at boot.

### Limits
Only on Linux.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("huge-pages") else {
        return;
    };
    let connections = &facts.site.people.connections_at_peak;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("transparent huge pages are on; the kernel compacts memory for {} processes, and commands stall", about_count(connections.value)),
            "run echo never > /sys/kernel/mm/transparent_hugepage/enabled, the same for defrag, and keep it with the emitted tmpfiles.d file",
            vec![
                sign,
                Evidence::answer("people.connections_at_peak", connections, connections.value),
                Evidence::new("P4BENCH", "hosts are prepared with transparent huge pages off"),
            ],
        )
        .costing(facts.slowed(0.002)),
    );
}

use super::{Busy, Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;

pub(super) static RULE: Rule = Rule {
    id: "CPU001",
    name: "busy-processor",
    summary: "the cores of a server are so busy that commands wait for one",
    docs: "\
### What it does
Fires when the cores of a server are busy more than 70 % of the time at the peak.

### Why it matters
A command that waits for a core while it holds a table lock makes other commands wait too. p4d runs a
process for each command, so that a burst has an effect at once.

### Evidence
Utilization from the model; SAG and KB2957 on cores and clock.

### What to do
More cores if many commands run at once, a faster clock if locks are held long, edges or proxies for
builds; find scripts that poll and let them poll less often.

### Limits
The model counts cores, not threads: simultaneous multithreading carries a little more. It ignores
triggers and backups on the same machine.
",
    check,
};

/// Above it bursts of the busiest hour saturate the cores: the peak hour's mean leaves 30 % for the
/// minutes that are busier than it (assumed; LAZOWSKA1984 for the curve).
const UTILIZATION_MAX: f64 = 0.7;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(Busy {
        words: busy,
        evidence,
        resources,
    }) = facts.busier(&[ResourceKind::Processor], UTILIZATION_MAX)
    else {
        return;
    };
    let cores = facts.deployment.cores;
    out.push(RULE.finding(
        Severity::Warning,
        format!("{cores} cores are too few: {busy}; commands that wait for a core keep their locks meanwhile"),
        "use more cores if many commands run at once, a faster clock if locks are held long, edges or proxies for builds",
        vec![
            evidence,
            Evidence::answer("server.cores", &facts.site.server.cores, cores),
            Evidence::new(
                "KB2957",
                "a faster clock shortens the time that locks are held",
            ),
        ],
    ).costing(facts.loaded(0.005)).about(resources.iter().map(|r| &r.name)));
}

use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "CPU002",
    name: "power-saving",
    summary: "the processor saves power between commands",
    docs: "\
### What it does
Fires where `today.signs` has `power-saving`.

### Why it matters
A short command ends before the clock has risen: each takes the time of a slower processor, also while it holds
locks.

### Evidence
KB2957: clock before cores; the cores are the site's.

### What to do
Set the profile for performance: `cpupower frequency-set -g performance`, and the same in the firmware.

### Limits
Virtual machines have the host's setting.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("power-saving") else {
        return;
    };
    let cores = &facts.site.server.cores;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("the {} cores save power between commands, and short commands run at a low clock with locks held", cores.value),
            "run cpupower frequency-set -g performance, and choose the performance profile in the firmware",
            vec![
                sign,
                Evidence::answer("server.cores", cores, cores.value),
                Evidence::new("KB2957", "a fast clock matters more than many cores"),
            ],
        )
        .costing(facts.slowed(0.003)),
    );
}

use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "QUE010",
    name: "slow-triggers",
    summary: "triggers keep submits and logins waiting",
    docs: "\
### What it does
Fires where `today.signs` has `slow-triggers`.

### Why it matters
A trigger runs while its command waits; one of change-commit or form type runs with the client's lock held.
Storage has no part in it.

### Evidence
P4LOGS: the log has each trigger's time behind `lapse`; the submits are the site's.

### What to do
Read the times in the log, make the trigger return at once and leave its work to a queue; authentication
triggers need a cache.

### Limits
The log has the times from level 3 on.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("slow-triggers") else {
        return;
    };
    let submits = &facts.site.workload.submits_per_day;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("triggers delay commands, {} submits among them; storage will not help", submits.value),
            "run grep -A1 \"' trigger \" in the server log for the lapse of each, and let slow ones queue their work and return",
            vec![
                sign,
                Evidence::answer("workload.submits_per_day", submits, submits.value),
                Evidence::new("P4LOGS", "the log has a lapse for each trigger"),
            ],
        )
        .costing(facts.slowed(0.002)),
    );
}

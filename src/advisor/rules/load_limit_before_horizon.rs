use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::significant;

pub(super) static RULE: Rule = Rule {
    id: "CAP003",
    name: "load-limit-before-horizon",
    summary: "growth reaches the largest load that the deployment carries before the horizon",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the largest multiple of today's peak that the deployment carries is reached before the
horizon at the stated growth.

### Why it matters
The equipment is bought for that time; it would miss its targets, or take three times as long as today,
before it is replaced.

### Evidence
The headroom, by bisection over multiples of the load; growth (`data.db_growth`), which the load is
taken to follow.

### What to do
What the limit names: an edge, a faster network, more memory; or a shorter horizon.

### Limits
The load is taken to grow as the db does: people grow slower, machines often faster.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let horizon = facts.site.horizon.time.value;
    let headroom = facts.headroom;
    // What is exceeded today is the verdict itself.
    let Some(reached) = headroom
        .reached_in
        .filter(|t| t.get() > 0.0 && *t < horizon)
    else {
        return;
    };
    let growth = &facts.site.data.db_growth;
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "the load limit of {} times today's peak is reached in {reached}, before the horizon of {horizon}: {}",
            significant(headroom.factor, 2),
            headroom.limit
        ),
        "relieve what the limit names before then, or plan the next purchase for that date",
        vec![
            Evidence::new("model", format!("{} times today's peak", significant(headroom.factor, 3))),
            Evidence::answer("horizon.time", &facts.site.horizon.time, horizon),
            Evidence::answer("data.db_growth", growth, growth.value),
        ],
    ));
}

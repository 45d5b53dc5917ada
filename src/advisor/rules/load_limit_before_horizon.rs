use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::{about_count, two_digits};

pub(super) static RULE: Rule = Rule {
    id: "CAP003",
    name: "load-limit-before-horizon",
    summary: "growth exceeds the largest load that the deployment carries before the horizon",
    docs: "\
### What it does
Fires when the largest multiple of today's peak that the deployment carries is reached before the
horizon at the stated growth.

### Why it matters
The equipment is bought for that time; it would miss its targets before it is replaced.

### Evidence
The headroom, by bisection over multiples of the load; growth (`data.db_growth`), which the load is
assumed to follow.

### What to do
Relieve the limit: an edge, a faster network, more memory; or plan for a shorter horizon.

### Limits
The load is assumed to grow as the database does: the number of people grows slower, that of builds often faster.
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
    let percent = two_digits(100.0 * headroom.factor);
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "growth exceeds this deployment {}, before the horizon of {horizon}; with more than about {} people ({percent} % of \
             today's peak load) {}",
            facts.site.horizon.when(reached),
            about_count(headroom.factor * facts.site.people.developers.value),
            headroom.limit
        ),
        match &headroom.busiest {
            Some((name, _)) => format!("relieve the {name} before then, or plan the next purchase for that date"),
            None => "relieve this limit before then, or plan the next purchase for that date".to_owned(),
        },
        vec![
            Evidence::new("model", format!("{percent} % of today's peak load")),
            Evidence::answer("horizon.time", &facts.site.horizon.time, horizon),
            Evidence::answer("data.db_growth", growth, growth.value),
        ],
    ).costing(facts.standstill(8.0, 0.1)));
}

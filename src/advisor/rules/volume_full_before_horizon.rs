use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "CAP001",
    name: "volume-full-before-horizon",
    summary: "a store fills up before the equipment is replaced, or soon after",
    since: "0.1.0",
    docs: "\
### What it does
Fires for each store that is full before the horizon (critical) or less than a year after it
(warning). Full means: data, snapshot reserve and headroom together need all that is usable.

### Why it matters
p4d refuses commands when a volume has less free than filesys.*.min; people stand still until room is
made. Purchases slip by months.

### Evidence
Sizes and growth of the site (`data.db_size`, `data.depot_size` and their growth); the arithmetic is
the model's.

### What to do
More or larger disks now, or old archives and workspaces moved elsewhere.

### Limits
Growth is compound and even; a new project comes at once. Volumes of a cloud can be enlarged later.
",
    check,
};

/// How long after the horizon a full store is still worth a word: equipment is replaced late by up to
/// about a year (assumed).
const AFTER_YEARS: f64 = 1.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let horizon = facts.site.horizon.time.value;
    for limit in &facts.headroom.capacity {
        let Some(full) = limit.full_in else {
            continue;
        };
        let severity = if full < horizon {
            Severity::Critical
        } else if full < horizon + Seconds::years(AFTER_YEARS) {
            Severity::Warning
        } else {
            continue;
        };
        let (db, depot) = (&facts.site.data.db_growth, &facts.site.data.depot_growth);
        out.push(RULE.finding(
            severity,
            format!(
                "{} is full in {full} with the horizon at {horizon}: it holds {}, and {} are needed then",
                limit.store, limit.usable, limit.needed
            ),
            "more or larger disks, or old archives and workspaces moved elsewhere",
            vec![
                Evidence::new("model", format!("{} usable, full in {full}", limit.usable)),
                Evidence::answer("horizon.time", &facts.site.horizon.time, horizon),
                Evidence::answer("data.db_growth", db, db.value),
                Evidence::answer("data.depot_growth", depot, depot.value),
            ],
        ));
    }
}

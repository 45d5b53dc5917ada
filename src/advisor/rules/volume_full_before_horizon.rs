use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "CAP001",
    name: "volume-full-before-horizon",
    summary: "a store fills up before the equipment is replaced",
    since: "0.1.0",
    docs: "\
### What it does
Fires for each store that is full before the horizon. Full means: data, snapshot reserve and headroom together need all that is usable.

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

/// A store that is sized for the horizon is full then, give or take a percent of the time: that is no
/// finding (arithmetic, not a measurement).
const SIZED: f64 = 0.99;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let horizon = facts.site.horizon.time.value;
    for limit in &facts.headroom.capacity {
        let Some(full) = limit.full_in.filter(|t| *t < horizon * SIZED) else {
            continue;
        };
        let (db, depot) = (&facts.site.data.db_growth, &facts.site.data.depot_growth);
        out.push(RULE.finding(
            Severity::Critical,
            format!(
                "{} is full in {full} with the horizon at {horizon}: it holds {}, and {} are needed then{}",
                limit.store,
                limit.usable,
                limit.needed,
                if limit.more_at_horizon > 0.0 {
                    format!(", {} drives more than its {}", limit.more_at_horizon, limit.drives)
                } else {
                    String::new()
                }
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

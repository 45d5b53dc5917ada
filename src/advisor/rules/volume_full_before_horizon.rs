use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::stores::grows_by;

pub(super) static RULE: Rule = Rule {
    id: "CAP001",
    name: "volume-full-before-horizon",
    summary: "a store fills up before the equipment is replaced",
    docs: "\
### What it does
Fires for each store that is full before the horizon. A store is full when data, snapshot reserve and headroom need all usable space.
Critical; a warning where nobody stated how large the drives are.

### Why it matters
p4d refuses commands when a volume has less free space than filesys.*.min; nobody works until there is
space again. Purchases often take months longer than planned.

### Evidence
Sizes and growth of the site (`data.db_size`, `data.depot_size` and their growth); the arithmetic is
the model's.

### What to do
Buy more or larger disks, or move old archives and workspaces elsewhere.

### Limits
The model assumes steady compound growth; a new project comes at once. Cloud volumes can be enlarged later.
",
    check,
};

/// A store that was sized for the horizon is full then, within a percent of the time: that is no finding
/// (arithmetic, not a measurement).
const SIZED: f64 = 0.99;

/// What a finding weighs whose drives nobody described (a guess, as all costs).
const UNSTATED: f64 = 0.25;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let horizon = facts.site.horizon.time.value;
    for limit in &facts.headroom.capacity {
        let Some(full) = limit.full_in.filter(|t| *t < horizon * SIZED) else {
            continue;
        };
        // The edges are built as the commit server is: its own set says it for all.
        let mut all = facts.headroom.capacity.iter();
        if facts.deployment.is_like_edge(limit.server_idx)
            && all.any(|other| other.set == limit.set && other.server_idx == 0)
        {
            continue;
        }
        let assumed = if limit.is_assumed {
            " (the size of its drives is assumed)"
        } else {
            ""
        };
        let when = facts.site.horizon.when(full);
        let data = &facts.site.data;
        let growth = if limit.grows_by == grows_by("depot") {
            &data.depot_growth
        } else {
            &data.db_growth
        };
        out.push(RULE.finding(
            if limit.is_assumed { Severity::Warning } else { Severity::Critical },
            format!(
                "{} is full {when}{assumed}, before the horizon of {horizon}, and p4d then refuses commands; it holds {} and needs {} \
                 at the horizon",
                limit.store,
                limit.shown(limit.usable),
                limit.shown(limit.needed)
            ),
            if limit.is_fixed {
                "move old archives and workspaces elsewhere, or plan a larger system: nothing can be added to this one"
                    .to_owned()
            } else if limit.more_at_horizon > 0.0 {
                format!(
                    "buy {} more drives (it has {}), or move old archives and workspaces elsewhere",
                    limit.more_at_horizon, limit.drives
                )
            } else {
                "buy more or larger disks, or move old archives and workspaces elsewhere".to_owned()
            },
            vec![
                Evidence::new("model", format!("{} usable, full {when}", limit.shown(limit.usable))),
                Evidence::answer("horizon.time", &facts.site.horizon.time, horizon),
                Evidence::answer(limit.grows_by, growth, growth.value),
            ],
        ).costing(facts.standstill(8.0, 1.0) * if limit.is_assumed { UNSTATED } else { 1.0 }));
    }
}

use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "CAP009",
    name: "stale-workspaces",
    summary: "old workspaces keep the database large",
    docs: "\
### What it does
Fires where `today.signs` has `stale-workspaces`.

### Why it matters
Each file of each workspace is a row of db.have, whether or not somebody uses it: often the largest table, read
by every sync and written into every checkpoint.

### Evidence
E07-scale: 80 GB of db.have for 1,200 users; rows are some 150 B each.

### What to do
List by last access, unload or delete what is older than a year, then rebuild the table from a checkpoint.

### Limits
Deleting a large workspace holds db.have: do it at night.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("stale-workspaces") else {
        return;
    };
    let db = &facts.site.data.db_size;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("rows of workspaces that nobody uses keep the database at {}; memory, checkpoints and syncs pay for them", db.value),
            "run p4 -ztag -F '%Access% %client%' clients | sort -n, then at night p4 unload -f -c NAME or p4 client -d -f NAME for those of last year",
            vec![
                sign,
                Evidence::answer("data.db_size", db, db.value),
                facts.measured("E07-scale", "db.have"),
            ],
        )
        .costing(facts.slowed(0.002)),
    );
}

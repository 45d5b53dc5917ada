use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Backup;
use crate::units::grouped;

pub(super) static RULE: Rule = Rule {
    id: "EDG004",
    name: "edge-without-copy",
    summary: "an edge's workspaces exist nowhere else",
    docs: "\
### What it does
Fires where an office has an edge and the stated backup is none or snapshots: neither covers the disks of an
edge in another town.

### Why it matters
An edge keeps its own db.have, db.working and labels. If it is lost, every workspace there is, and each has to
be synced anew over the line.

### Evidence
P4DIST: edges need checkpoints and a backup of their own.

### What to do
A checkpoint on each edge, copied to the main office: the configuration of `--out` sets its journalPrefix; run
`p4 admin checkpoint` there each night.

### Limits
Workspaces can be made anew; opened and shelved files on the edge cannot.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let backup = &facts.site.protection.backup;
    let bare = matches!(backup.value, Backup::None | Backup::Snapshots);
    let served = &facts.deployment.offices;
    if served.is_empty() || !backup.is_stated() || !bare {
        return;
    }
    let people = facts
        .site
        .people
        .sites
        .iter()
        .filter(|o| served.contains(&o.name));
    let people: f64 = people.map(|o| o.developers.value).sum();
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "the workspaces of {} people exist on the edges alone ({}), and backup by {} does not reach them",
                grouped(people),
                served.join(", "),
                backup.value.word()
            ),
            "make a checkpoint on each edge each night (p4 admin checkpoint) and copy it to the main office",
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("P4DIST", "an edge has tables that no other server has"),
            ],
        )
        .costing(people * 8.0 * 0.1),
    );
}

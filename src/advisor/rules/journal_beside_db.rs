use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC007",
    name: "journal-beside-db",
    summary: "database and journal are lost together with one set of disks",
    since: "0.1.0",
    docs: "\
### What it does
Fires when journal and db lie on the same set of disks.

### Why it matters
The journal restores what the last checkpoint lacks. Lost together with the database, all work since
the last backup off the set is lost; separate LUNs of one set do not help.

### Evidence
N13-best gives each a volume; SAG asks for the journal on a device of its own; E07-standard has a
mirror for journal and log.

### What to do
A mirror of its own for journal and log, or a copy of the journal elsewhere: a replica or standby.

### Limits
An array with two parities, or with snapshots copied elsewhere, rarely loses a set. A replica holds
the journal's content already; the rule does not look for one.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let d = facts.deployment;
    let (Some(db), Some(journal)) = (d.mount("db"), d.mount("journal")) else {
        return;
    };
    if db.set != journal.set {
        return;
    }
    let rpo = &facts.site.protection.rpo;
    out.push(RULE.finding(
        Severity::Note,
        format!(
            "db and journal lie on one set, {} ({} disks, {}): work since the last copy off it goes \
             with it",
            db.set, db.disks, db.raid
        ),
        "a mirror of its own for the journal, or a standby that has its content",
        vec![
            Evidence::new("N13-best", "a volume each for db, depots, journal and logs"),
            Evidence::new("SAG", "the journal on a device of its own"),
            Evidence::answer("protection.rpo", rpo, rpo.value),
        ],
    ));
}

use super::{Evidence, Facts, Finding, Part, Rule, Severity};
use crate::advisor::safety::{shared_limit, shared_set};

pub(super) static RULE: Rule = Rule {
    id: "PLC007",
    name: "journal-beside-db",
    summary: "database and journal lie on one set of disks and are lost together",
    docs: "\
### What it does
Fires when journal and db lie on the same set of disks. Critical where more than 50 people (`models/criteria.toml`) depend on
the server's own disks, or on an array that does not survive two failed disks; else a note. Where nobody stated on which
volumes they lie it is a suspicion.

### Why it matters
The journal restores what the last checkpoint lacks. Lost together with the database, all work since
the last backup off the set is lost; separate LUNs of one set do not help.

### Evidence
N13-best gives each a volume; SAG asks for the journal on a device of its own; E07-standard has a
mirror for journal and log.

### What to do
Put journal and log on a mirror of their own, or keep a copy of the journal elsewhere: a replica or standby.

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
    if !db.shares_disks(journal) {
        return;
    }
    let rpo = &facts.site.protection.rpo;
    let many = shared_set(facts.site, facts.catalog, d);
    let mut evidence = vec![
        Evidence::new(
            "N13-best",
            "a volume each for database, depots, journal and logs",
        ),
        Evidence::new("SAG", "the journal on a device of its own"),
    ];
    if rpo.is_stated() {
        evidence.push(Evidence::answer("protection.rpo", rpo, rpo.value));
    }
    if let Some(shared) = &many {
        let limit = shared_limit();
        let text = format!(
            "{} people, and up to {limit} are a small site (assumed)",
            shared.people
        );
        evidence.push(Evidence::new("people.developers", text));
    }
    out.push(RULE.finding(
        if many.is_some() {
            Severity::Critical
        } else {
            Severity::Note
        },
        format!(
            "database and journal lie on one set of disks ({}); if it fails, all work since the last copy elsewhere is lost",
            facts.drives_in_words(db)
        ),
        "put the journal on a mirror of its own, or run a standby that receives the journal",
        evidence,
    ).costing(facts.standstill(16.0, 0.02))
        .unless(facts.unstated(&["db", "journal"], &[Part::Roles])));
}

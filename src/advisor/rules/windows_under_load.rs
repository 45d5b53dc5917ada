use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::grouped;

pub(super) static RULE: Rule = Rule {
    id: "OSX003",
    name: "windows-under-load",
    summary: "a Windows server slows under many users",
    docs: "\
### What it does
Fires where the server runs Windows and has more than 200 users.

### Why it matters
Commands are threads of one process there, and NTFS did worse than XFS wherever both were measured; concurrent
syncs slow each other more.

### Evidence
E07-edit: an edit of 176 files 5 to 8 times slower than on Linux; E07-sync-load: five syncs at once nearly twice
as long, on Linux 5 %.

### What to do
Plan the move to Linux with the next machine (with -C1, which keeps names case-insensitive).

### Limits
Measured in 2007, on Windows of that time.
",
    check,
};

/// The smallest of E07's servers that moved (E07-standard: 200 to 1,000 users).
const USERS_MAX: f64 = 200.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let people = &facts.site.people.developers;
    if facts.deployment.system != "windows" || people.value <= USERS_MAX {
        return;
    }
    out.push(
        RULE.finding(
            Severity::Note,
            format!("the server runs Windows for {}; in the published comparison edits took 5 to 8 times as long as on Linux", facts.people_in_words()),
            "move to Linux with the next machine, with p4d -C1 so that names compare as before",
            vec![
                Evidence::answer("people.developers", people, grouped(people.value)),
                facts.measured("E07-edit", "windows64-to-linux64"),
                facts.measured("E07-sync-load", "windows64-factor"),
            ],
        )
        .costing(facts.slowed(0.0005)),
    );
}

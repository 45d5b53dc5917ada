use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC015",
    name: "antivirus",
    summary: "a scanner or backup agent opens the server's files",
    docs: "\
### What it does
Fires where `today.signs` has `antivirus`.

### Why it matters
A scanner reads each table that changed, and on Windows holds it open: commands wait for it, and a journal that
a backup agent has open can break off. Archives are read once more for each submit.

### Evidence
SDP: neither antivirus nor backup agents on metadata and logs; SAG for file locks of other programs.

### What to do
Exclude the volumes of database, journal, log and archives; back up checkpoints and depots in their place; scan
on the clients.

### Limits
Where a policy wants a scan, do it on a replica.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("antivirus") else {
        return;
    };
    let db = &facts.site.data.db_size;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("a scanner or agent opens the tables ({}), the journal and each archive that is written; commands wait, and a locked journal stops the server", db.value),
            "exclude the volumes of db, journal, log and depots from scanning and file backup; back up checkpoints and depots",
            vec![
                sign,
                Evidence::answer("data.db_size", db, db.value),
                Evidence::new("SDP", "no antivirus or backup agent on metadata and logs"),
            ],
        )
        .costing(facts.slowed(0.005) + facts.standstill(2.0, 0.5)),
    );
}

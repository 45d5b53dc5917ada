use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Backup;

pub(super) static RULE: Rule = Rule {
    id: "RCV006",
    name: "no-backup",
    summary: "nothing backs the server up",
    docs: "\
### What it does
Fires where `protection.backup` is stated as none.

### Why it matters
RAID survives a drive. It does not survive a controller, a fire, an administrator or a blackmailer: then all
history is gone.

### Evidence
SAG asks for checkpoints, journals and copies of the archives; the answer is the site's.

### What to do
A checkpoint each night, rotated journals and a copy of the depots on another machine; better a standby.

### Limits
A replica counts as a backup, though it repeats a mistaken obliterate.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let backup = &facts.site.protection.backup;
    if !backup.is_stated() || backup.value != Backup::None {
        return;
    }
    let depot = &facts.site.data.depot_size;
    out.push(
        RULE.finding(
            Severity::Critical,
            format!("nothing backs up {} of depots and the work of {}", depot.value, facts.people_in_words()),
            "make a checkpoint each night (p4 admin checkpoint), and copy it, the journals and the depots to another machine; better run a standby",
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("SAG", "checkpoints, journals and the archives make a backup"),
            ],
        )
        .costing(facts.standstill(400.0, 0.05)),
    );
}

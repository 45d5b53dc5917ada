use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Backup;
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "CAP002",
    name: "missing-snapshot-reserve",
    summary: "the backup consists of snapshots, and hardly any space is reserved for them",
    docs: "\
### What it does
Fires when the backup consists of snapshots and less than 10 % of a volume is reserved for them.

### Why it matters
Each db page written after a snapshot keeps its old copy. Once the reserve is used up, snapshots are
deleted or the volume fills: the backup is lost or the server stops.

### Evidence
N13-best recommends to plan snapshot space in every volume and LUN, and gives no figure.

### What to do
Reserve 20 % and watch what a day's snapshot takes; a checkpoint rewrites much of the offline copy.

### Limits
How much is needed depends on how long snapshots are kept; archives are written once and need little.
",
    check,
};

/// The low end of what is assumed without an answer (`protection.snapshot_reserve` in
/// models/assumptions.toml); N13-best gives no figure.
const RESERVE_MIN: f64 = 0.10;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let protection = &facts.site.protection;
    let reserve = protection.snapshot_reserve.value;
    if protection.backup.value != Backup::Snapshots || reserve.get() >= RESERVE_MIN {
        return;
    }
    let word = protection.backup.value.word();
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "the backup consists of snapshots, and only {reserve} of each volume is reserved for them (should be {}); when it is \
             full, snapshots are deleted or the server stops",
            Fraction::new(RESERVE_MIN)
        ),
        "reserve 20 % of each volume for snapshots, then adjust it to what a day's snapshot takes",
        vec![
            Evidence::new("N13-best", "snapshot space is part of every volume and LUN"),
            Evidence::answer("protection.backup", &protection.backup, word),
            Evidence::answer(
                "protection.snapshot_reserve",
                &protection.snapshot_reserve,
                reserve,
            ),
        ],
    ));
}

use super::database_not_cached::HIT_MIN;
use super::{Evidence, Facts, Finding, Part, Rule, Severity, memory_to_buy, words};
use crate::system::ResourceKind;
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "STO008",
    name: "database-on-disks",
    summary: "the database lies on spinning disks and does not fit the memory",
    docs: "\
### What it does
Fires where the database lies on spinning disks, and memory holds less than 98 % of its page reads or the disks
are busy for more than 30 % of the time.

### Why it matters
A page that is not in memory takes 4 to 10 ms from a disk and 0.1 ms from flash, and the command holds its locks
meanwhile.

### Evidence
Z09-tiers for the tiers; DISKPHYS for the time of a disk; hits and utilization are the model's.

### What to do
Flash for database and journal: mirrored NVMe drives are the cheapest large step.

### Limits
A database that is all in memory gains at commits and after a reboot alone.
",
    check,
};

/// Disks that wait for each other (assumed).
const BUSY_MAX: f64 = 0.3;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.deployment.mount("db") else {
        return;
    };
    let medium = facts.catalog.media.get(&mount.medium);
    if medium.is_none_or(|m| m.kind != "disk") {
        return;
    }
    // Of the database's own set, not of the busiest one.
    let of_db = facts.prediction.resources.iter();
    let of_db: Vec<_> = of_db
        .filter(|r| r.resource.kind() == ResourceKind::Disks && r.resource.is_set_of(mount))
        .collect();
    let used = of_db.iter().map(|r| r.utilization).fold(0.0, f64::max);
    let hit = facts.memory.hit;
    if hit >= HIT_MIN && used <= BUSY_MAX {
        return;
    }
    let db = &facts.site.data.db_size;
    let memory = facts.memory;
    let action = if memory.there >= memory.all {
        "put database and journal on flash: mirrored NVMe drives".to_owned()
    } else {
        format!(
            "put database and journal on flash (mirrored NVMe drives); then buy memory: {} hold the whole database",
            memory_to_buy(memory.all)
        )
    };
    let others: Vec<&str> = facts
        .roles_beside(mount)
        .into_iter()
        .filter(|r| matches!(*r, "depot" | "checkpoint"))
        .collect();
    let shared = if others.is_empty() {
        String::new()
    } else {
        format!(" with {}", words(&others))
    };
    let waits = if hit >= HIT_MIN {
        // Its own pages are in memory: other work makes the disks busy.
        "commits wait for them with tables locked".to_owned()
    } else {
        format!(
            "commands hold locks while they wait for a disk, and {} of the page reads are found in memory",
            Fraction::new(hit).estimated()
        )
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "the database ({}) lies{shared} on {} ({}), {} busy at the peak; {waits}",
                db.value,
                facts.drives_in_words(mount),
                mount.medium,
                Fraction::new(used).estimated()
            ),
            action,
            vec![
                Evidence::answer("data.db_size", db, db.value),
                facts.measured("Z09-tiers", "disk-latency"),
                Evidence::new(
                    "model",
                    format!("disks {} busy at the peak", Fraction::new(used).estimated()),
                ),
                Evidence::new("DISKPHYS", "half a turn and a seek for each page"),
            ],
        )
        .costing(facts.loaded(0.01 * (1.0 - hit) + 0.01 * used))
        .about(of_db.iter().map(|r| r.resource.name.as_str()))
        .unless(facts.unstated(&["db"], &[Part::Store, Part::Medium])),
    );
}

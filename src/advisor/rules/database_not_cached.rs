use super::{Evidence, Facts, Finding, Rule, Severity, memory_to_buy};
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "MEM002",
    name: "database-not-cached",
    summary: "too few reads of the database are found in memory, so that commands wait for disks",
    docs: "\
### What it does
Fires when less than 98 % of the reads of database pages are found in the server's memory.

### Why it matters
A page from memory takes about a microsecond, one from a disk thousands, and the command holds its
locks meanwhile. In steady state the database's volume should hardly be read.

### Evidence
The hit ratio is the model's (CHE2002); the advice is SAG's; N08-pam-range shows what a read cache
saves where memory is short.

### What to do
Memory for the whole database; else a flash cache tier or flash for the db's volume. Delete the
workspaces of former users: db.have is usually the table that grows.

### Limits
How references spread over the pages is assumed. On flash a miss costs a tenth of a millisecond, and
a ratio below 98 % may be acceptable.
",
    check,
};

/// At 2 % misses a listing that reads a hundred pages waits for two random reads, some 10 ms on a
/// disk, as long as the command itself takes (P4LOGS: 2 to 11 ms).
pub(super) const HIT_MIN: f64 = 0.98;

/// Below, it is shown as 0 %.
const NONE: f64 = 0.005;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let memory = facts.memory;
    if memory.hit >= HIT_MIN {
        return;
    }
    let db = &facts.site.data.db_size;
    let medium = facts.deployment.mount("db").map(|m| &m.medium);
    let medium = medium.and_then(|id| facts.catalog.media.get(id));
    let store = if facts.on_export("db").is_some() {
        "the filer"
    } else if medium.is_some_and(|m| m.kind == "flash") {
        "flash"
    } else {
        "disks"
    };
    let ram = &facts.site.server.ram;
    let hit = Fraction::new(memory.hit).estimated();
    out.push(RULE.finding(
        Severity::Warning,
        if memory.hit < NONE {
            format!(
                "processes take all {} of memory, so that no page of the database stays there; each read waits for {store}, with \
                 locks held",
                memory.there
            )
        } else {
            format!(
                "only {hit} of the database's page reads are found in {} of memory (should be {}); the others wait for {store}, \
                 with locks held",
                memory.there,
                Fraction::new(HIT_MIN)
            )
        },
        format!("buy memory: {} hold the whole database ({}) and all processes", memory_to_buy(memory.all), db.value),
        vec![
            Evidence::answer("server.ram", ram, ram.value),
            Evidence::new("model", format!("hit ratio {hit}")),
            Evidence::answer("data.db_size", db, db.value),
            Evidence::new(
                "SAG",
                "reads of the database's volume should be near zero",
            ),
            facts.measured("N08-pam-range", "stated-range"),
        ],
    ).costing(facts.loaded(0.01 * (1.0 - facts.memory.hit))));
}

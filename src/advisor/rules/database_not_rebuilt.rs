use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::database_of;
use crate::units::{about_count, two_digits};

pub(super) static RULE: Rule = Rule {
    id: "CAP005",
    name: "database-not-rebuilt",
    summary: "much of the database may be free pages and rows of old workspaces",
    docs: "\
### What it does
Fires where the stated checkpoint is less than a tenth of the database. Where nobody stated its size: where a stated
database is larger than 20 GB and there is a reason to suspect free pages: it takes more than three times what the
stated revisions and the file lists of workspaces need (a warning), its checkpoint takes more than three times the
estimate, or it does not fit the memory (notes). All are suspicions: they rank below what the answers show, and where a checkpoint is found to take long they are a part of that.

### Why it matters
Tables keep the pages of deleted rows. A database that is ten times its checkpoint reads, backs up and
checkpoints ten times what it needs to, and memory for it is bought in vain.

### Evidence
SAG: rebuild a database that is more than ten times its checkpoint; the sizes are the site's. N13-db-sizes: 550 B a
revision; E07-scale: 150 B a file of each workspace.

### What to do
Compare `p4 dbstat -s` with the checkpoint's size; delete workspaces and labels that nobody used for a year;
rebuild by replaying a checkpoint into a new folder.

### Limits
What cannot be decided from the answers is how much is free: one command shows it.
",
    check,
};

/// SAG's factor.
const RATIO_MAX: f64 = 10.0;
/// Below, memory holds it anyway (assumed) \[B\].
const SIZE_MIN: f64 = 20e9;
/// Beyond so many times that, more than the lists of workspaces is in it (assumed).
const BLOATED: f64 = 3.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let db = &facts.site.data.db_size;
    let evidence = |more: Option<Evidence>| {
        let mut all = vec![
            Evidence::answer("data.db_size", db, db.value),
            Evidence::new(
                "SAG",
                "rebuild a database of more than ten times its checkpoint",
            ),
        ];
        all.extend(more);
        all
    };
    let cost = facts.slowed(0.005);
    if let Some(checkpoint) = &facts.site.today.checkpoint_size {
        let ratio = db.value.get() / checkpoint.value.get().max(1.0);
        if ratio > RATIO_MAX {
            let more = Evidence::answer("today.checkpoint_size", checkpoint, checkpoint.value);
            out.push(
                RULE.finding(
                    Severity::Warning,
                    format!(
                        "the database ({}) is {} times its checkpoint ({}): most of it is free pages, which checkpoints, backups and \
                         memory pay for",
                        db.value,
                        two_digits(ratio),
                        checkpoint.value
                    ),
                    "rebuild it: p4d -r NEW -jr CHECKPOINT on the offline copy, then swap the folders",
                    evidence(Some(more)),
                )
                .costing(cost),
            );
        }
        return;
    }
    if !db.is_stated() || db.value.get() <= SIZE_MIN {
        return;
    }
    let is_larger = db.value > facts.memory.there;
    let revisions = &facts.site.data.revisions;
    let lists = facts.site.people.developers.value * facts.site.data.workspace_files.value;
    let expected = database_of(revisions.value, lists);
    let is_bloated = revisions.is_stated() && db.value.get() > BLOATED * expected.get();
    let observed = facts.recovery.observed.as_ref();
    let slow = observed.filter(|o| o.is_far() && o.ratio() > 1.0);
    let (severity, reason) = if is_bloated {
        let reason = format!(
            "its {} revisions and the file lists of workspaces need about {}",
            about_count(revisions.value),
            expected.estimated()
        );
        (Severity::Warning, reason)
    } else if let Some(slow) = slow {
        let reason = format!(
            "its checkpoint takes {} times the estimate",
            two_digits(slow.ratio())
        );
        (Severity::Note, reason)
    } else if is_larger {
        (Severity::Note, format!("memory is {}", facts.memory.there))
    } else {
        return;
    };
    let ram = &facts.site.server.ram;
    out.push(
        RULE.finding(
            severity,
            format!(
                "the database takes {} and may be mostly free pages; {reason}, and checkpoints and memory pay for all of it",
                db.value
            ),
            "rebuild the database from a checkpoint if it is over ten times that size (compare with p4 dbstat -s); first delete workspaces \
             and labels unused for a year (p4 clients, Access)",
            evidence(Some(Evidence::answer("server.ram", ram, ram.value))),
        )
        .costing(cost)
        .suspected(),
    );
}

use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Release;

pub(super) static RULE: Rule = Rule {
    id: "REL001",
    name: "old-release",
    summary: "the release lacks what this load needs",
    docs: "\
### What it does
Fires where the stated release is older than 2022.2. Names what it lacks. A warning before 2014.1, else a note.

### Why it matters
Reads without locks, edges, parallel syncs, parallel checkpoints and the memory of commands came with releases:
an upgrade costs less than any hardware and often does more.

### Evidence
P17-lockless, RN2013.3, P4DIST and P4HELP for the release of each; the release is the site's.

### What to do
Upgrade in steps that the release notes allow, on a copy first; from before 2013.3 the database is converted by
a checkpoint.

### Limits
Vendors support a release for some years; ask for the date.
",
    check,
};

/// What a release brought.
const NEWS: [(Release, &str); 7] = [
    (Release::new(2013, 2), "edges"),
    (Release::new(2013, 3), "reads without locks"),
    (Release::new(2014, 1), "parallel syncs"),
    (Release::new(2014, 2), "TCP windows that fit long lines"),
    (Release::new(2022, 2), "checkpoints by several threads"),
    (
        Release::new(2022, 2),
        "memory of commands in log and limits",
    ),
    (Release::new(2023, 1), "pauses before memory is gone"),
];
/// The first with parallel checkpoints and memory limits.
const LATE: Release = Release::new(2022, 2);
/// Before it commands wait for each other that would not today.
const EARLY: Release = Release::new(2014, 1);

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let answer = &facts.site.server.release;
    let release = answer.value;
    if !answer.is_stated() || release >= LATE {
        return;
    }
    let lacks: Vec<&str> = NEWS
        .iter()
        .filter(|(since, _)| release < *since)
        .map(|(_, what)| *what)
        .collect();
    let early = release < EARLY;
    out.push(
        RULE.finding(
            if early { Severity::Warning } else { Severity::Note },
            format!("release {release} lacks {}", lacks.join(", ")),
            "upgrade to a supported release, on a copy first: p4d -r COPY -xu, then verify and time your own commands",
            vec![
                Evidence::answer("server.release", answer, release),
                facts.measured("P17-lockless", "lockless-from"),
                Evidence::new("P4HELP", "configurables and the releases that have them"),
            ],
        )
        .costing(facts.slowed(if early { 0.002 } else { 0.0005 })),
    );
}

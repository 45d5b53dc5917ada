use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "RCV009",
    name: "journal-not-rotated",
    summary: "the journal is not rotated",
    docs: "\
### What it does
Fires where `today.signs` has `journal-not-rotated`.

### Why it matters
The live journal grows until its volume is full, which stops the server; and a recovery replays all of it.

### Evidence
SDP rotates each night; the day's size is the site's arithmetic.

### What to do
`p4d -jj` or `p4 admin journal` each night, replayed into the offline copy.

### Limits
A checkpoint rotates the journal too.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("journal-not-rotated") else {
        return;
    };
    let size = facts.sizes.iter().find(|size| size.role == "journal");
    let day = size.map_or(String::new(), |size| {
        format!("{} a day (estimate)", (size.data / TWO_DAYS).estimated())
    });
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("the journal grows by {day} and is not rotated; a full volume stops the server, and a recovery replays all of it"),
            "run p4 admin journal each night, and replay the rotated journal into the offline copy: p4d -r offline_db -jr JOURNAL",
            vec![sign, Evidence::new("SDP", "the package rotates the journal each night")],
        )
        .costing(facts.standstill(4.0, 0.5)),
    );
}

/// Days that the journal's volume is sized for.
const TWO_DAYS: f64 = 2.0;

use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Office;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "QUE008",
    name: "exclusive-opens",
    summary: "exclusive opens of whole trees ask the commit server for each file",
    docs: "\
### What it does
Fires where `today.signs` has `exclusive-opens`, or where at least half of the files are binary (stated) and an
office has an edge. A warning with the sign, else a note.

### Why it matters
A file of type +l is opened on one place at a time: every edit of it, on any edge, asks the commit server and
waits a round trip. A typemap that gives +l to whole trees makes each large checkout a queue on db.excl.

### Evidence
P4DIST on global locks of +l files; the round trips are the site's.

### What to do
Give +l in `p4 typemap` to files that cannot be merged, by extension, never to //... as a whole.

### Limits
Files that really cannot be merged need it: the price is then the round trip.
",
    check,
};

/// From half of the files on artists are most of the users (assumed).
const BINARY_MIN: f64 = 0.5;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let share = &facts.site.data.binary_share;
    let distant = facts.site.people.sites.iter();
    let served = |o: &&Office| facts.deployment.offices.contains(&o.name);
    let far = distant.filter(served).max_by(|a, b| {
        let trip = |o: &Office| o.round_trip.value.get();
        trip(a).total_cmp(&trip(b))
    });
    let files = facts.site.workload.files_per_edit.value;
    let wait = far.map_or(String::new(), |office| {
        let all = Seconds::new(office.round_trip.value.get() * files).estimated();
        format!(
            "; an edit of {files} files in {} waits up to {all} for that",
            office.name
        )
    });
    let mut evidence = vec![
        Evidence::answer("data.binary_share", share, share.value),
        Evidence::new(
            "P4DIST",
            "opens of +l files are settled on the commit server",
        ),
    ];
    let (severity, cost) = match facts.seen("exclusive-opens") {
        Some(sign) => {
            evidence.push(sign);
            (Severity::Warning, facts.slowed(0.003))
        }
        None if far.is_some() && share.is_stated() && share.value.get() >= BINARY_MIN => {
            (Severity::Note, facts.slowed(0.0005))
        }
        None => return,
    };
    out.push(
        RULE.finding(
            severity,
            format!(
                "exclusive opens (+l) go to the commit server one by one, whatever the edge; {} of the files are binary{wait}",
                share.value
            ),
            "give +l in p4 typemap to the extensions that cannot be merged, and not to whole trees",
            evidence,
        )
        .costing(cost),
    );
}

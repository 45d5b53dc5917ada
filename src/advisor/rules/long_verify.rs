use super::{A_DAY, Evidence, Facts, Finding, Rule, Severity};
use crate::system::Job;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "RCV005",
    name: "long-verify",
    summary: "a verify of all archives takes longer than a weekend",
    docs: "\
### What it does
Fires where `p4 verify` of everything takes longer than two days.

### Why it matters
Verify reads every archive: it finds the files that a disk lost before a restore does. One that does not end is
not run.

### Evidence
The time is the model's, from archives, media and cores.

### What to do
Verify by depot and by change range, each night a part, on a replica where there is one: `p4 verify -q
//DEPOT/...@>=CHANGE`.

### Limits
Arrays with checksums find most of what verify would, not what was written wrongly.
",
    check,
};

/// A weekend \[s\].
const TIME_MAX: f64 = 2.0 * A_DAY;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(timed) = facts
        .job(Job::Verify)
        .filter(|t| t.duration.time.value > TIME_MAX)
    else {
        return;
    };
    let shown = Seconds::new(timed.duration.time.value).estimated();
    let depot = &facts.site.data.depot_size;
    out.push(
        RULE.finding(
            Severity::Note,
            format!("p4 verify of all {} takes {shown} on an idle server, so in practice nobody runs it", depot.value),
            "verify a part each night: p4 verify -q //DEPOT/...@>=CHANGE, on a replica where there is one",
            vec![
                Evidence::answer("data.depot_size", depot, depot.value),
                Evidence::new("model", format!("verify takes {shown}, limited by {}", timed.duration.limit)),
            ],
        )
        .costing(1.0),
    );
}

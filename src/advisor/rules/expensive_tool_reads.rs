use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::{Seconds, about_count, grouped};

pub(super) static RULE: Rule = Rule {
    id: "QUE006",
    name: "expensive-tool-reads",
    summary: "a tool's poll may read the history of a whole tree",
    docs: "\
### What it does
Fires for each tool of `workload.tools` whose polls list changes or files of whole trees (`scans` in its file),
where one such read takes more than 1 s. A warning above 10 s.

### Why it matters
`p4 changes -m1 //...@<=N` finds one change and may read every revision for it. It takes no lock, so MaxLockTime
does not stop it (db.peeking.usemaxlock is 0), but it takes a core and empties the page cache.

### Evidence
P4LOGS: 22.4 million rows in 61 s without locks, 2.7 µs a row; the revisions are the site's.

### What to do
Set MaxScanRows for the tool's group; narrow its paths; serve it from a read-only replica or an edge.

### Limits
A path with recent changes is found at once: the figure is the worst case of one command.
",
    check,
};

/// One lockless row (P4LOGS: 22.4 million rows in 61 s) \[s\].
const ROW: f64 = 2.7e-6;
/// Shorter ones do not matter (assumed) \[s\].
const TIME_MIN: f64 = 1.0;
/// From here on it is felt (assumed) \[s\].
const LONG: f64 = 10.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let rows = &facts.site.data.revisions;
    let time = rows.value * ROW;
    if time <= TIME_MIN {
        return;
    }
    let polls = facts.site.workload.polls.iter();
    let tools = polls.filter_map(|polls| facts.catalog.tools.get(&polls.tool));
    for tool in tools.filter(|tool| tool.scans) {
        let severity = if time > LONG {
            Severity::Warning
        } else {
            Severity::Note
        };
        let shown = Seconds::new(time).estimated();
        out.push(
            RULE.finding(
                severity,
                format!(
                    "one poll of {} over the whole tree reads up to {} rows, about {shown} of a core, and pushes other pages \
                     out of memory",
                    tool.entry.title,
                    about_count(rows.value)
                ),
                format!(
                    "{}; put its user into a group with MaxScanRows: {:.0} (p4 group)",
                    tool.remedy.value,
                    SCAN_ROWS.min(rows.value)
                ),
                vec![
                    Evidence::answer("data.revisions", rows, grouped(rows.value)),
                    Evidence::new("P4LOGS", "22.4 million rows read in 61 s by one changes -m1"),
                    Evidence::new("P4LOCKLESS", "commands that peek do not obey MaxLockTime"),
                ],
            )
            .costing(facts.slowed(0.001)),
        );
    }
}

/// About 5 s of reading (assumed).
const SCAN_ROWS: f64 = 2_000_000.0;

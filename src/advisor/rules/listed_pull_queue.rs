use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::{Seconds, about_count};

pub(super) static RULE: Rule = Rule {
    id: "EDG003",
    name: "listed-pull-queue",
    summary: "the queue of archives to pull is long, or is listed file by file",
    docs: "\
### What it does
Fires where `today.pull_queue` is 100,000 files or more, or `today.signs` has `pull-list-polled`. Critical where
one list holds the table for a minute or longer.

### Why it matters
`p4 pull -l` and tools that read rdb.lbr hold the table as long as they read: journal records of new archives
wait behind them, and replication of metadata stops.

### Evidence
P4PROM55: 8.8 million rows, 199 s, each minute; P4PULLCMD for the summary.

### What to do
Monitor with `p4 pull -ls`; start more pull threads; retry or remove what never arrives with `p4 pull -R` and
`p4 pull -d`.

### Limits
The time of a row is from one published case.
",
    check,
};

/// A queue that a night does not empty at ten files a second is some 300,000; a third of it is worth a look (assumed).
const QUEUE_MIN: f64 = 100_000.0;
/// One row of a list: 199 s for 8.8 million (P4PROM55) \[s\].
pub(super) const ROW: f64 = 22.6e-6;
/// Monitors read each minute \[s\].
const MINUTE: f64 = 60.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let queue = facts.site.today.pull_queue.as_ref();
    let sign = facts.seen("pull-list-polled");
    let files = queue.map_or(0.0, |queue| queue.value);
    if sign.is_none() && files < QUEUE_MIN {
        return;
    }
    let hold = files * ROW;
    let severity = if hold >= MINUTE {
        Severity::Critical
    } else {
        Severity::Warning
    };
    let held = |files: f64| Seconds::new(files * ROW).estimated();
    let length = if queue.is_some() {
        format!(
            "{} files wait to be pulled; a list of them (p4 pull -l) holds rdb.lbr for {}",
            about_count(files),
            held(files)
        )
    } else {
        format!(
            "it is not stated how many files wait to be pulled (p4 pull -ls shows it); a list of them (p4 pull -l) holds rdb.lbr, for {} where \
             they are {}",
            held(QUEUE_MIN),
            about_count(QUEUE_MIN)
        )
    };
    let mut evidence = Vec::from(published());
    if let Some(queue) = queue {
        evidence.push(Evidence::answer(
            "today.pull_queue",
            queue,
            about_count(files),
        ));
    }
    evidence.extend(sign);
    out.push(
        RULE.finding(
            severity,
            format!("{length}, and metadata replication waits"),
            "change monitoring to p4 pull -ls (the summary), and start more pull -u threads until the queue empties",
            evidence,
        )
        .costing(facts.slowed(0.01)),
    );
}

/// What was published of such lists.
pub(super) fn published() -> [Evidence; 2] {
    [
        Evidence::new(
            "P4PROM55",
            "8.8 million rows of rdb.lbr listed in 199 s with the table held",
        ),
        Evidence::new("P4PULLCMD", "p4 pull -ls prints the summary alone"),
    ]
}

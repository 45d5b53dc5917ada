use super::listed_pull_queue::{ROW, published};
use super::{A_DAY, Evidence, Facts, Finding, Rule, Severity, WORK_HOURS};
use crate::units::{Bytes, Seconds, about_count};

pub(super) static RULE: Rule = Rule {
    id: "EDG001",
    name: "archive-pull-queue",
    summary: "an office's edge has days of archives to pull",
    docs: "\
### What it does
Fires for each office whose edge keeps archives of its own and needs more than a day to fill over its line. A
warning where it needs more than three.

### Why it matters
Each file that is missing is a row of rdb.lbr on the edge. `p4 pull -l` lists the rows one by one with the table
locked, and replication of metadata stands still meanwhile: one published monitor did that each minute over 8.8
million rows.

### Evidence
P4PROM55 for the list of 8.8 million rows, 199 s; P4PULLCMD for the summary `-ls`; the line and the share are
the site's.

### What to do
Copy the archives beforehand (rsync or a disk by post), then start the pull threads; monitor with `p4 pull -ls`.

### Limits
An edge that fetches on demand (lbr.replication=cache) has no such queue.
",
    check,
};

/// A weekend and a day, after which people look for what is missing (assumed) \[s\].
const LONG: f64 = 3.0 * A_DAY;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    // An edge with volumes of its own stands in another town and shares nothing.
    if facts.deployment.shared_depot && facts.deployment.office_volumes.is_empty() {
        return;
    }
    let share = &facts.site.edge.depot_share;
    let served = &facts.deployment.offices;
    let offices = facts.site.people.sites.iter().enumerate();
    for (i, office) in offices.filter(|(_, o)| served.contains(&o.name)) {
        let bytes = facts.site.data.depot_size.value.get() * share.value.get();
        let time = bytes / office.bandwidth.value.get().max(f64::MIN_POSITIVE);
        if time <= A_DAY {
            continue;
        }
        let files = facts.site.data.revisions.value * share.value.get();
        let listed = Seconds::new(files * ROW).estimated();
        let severity = if time > LONG {
            Severity::Warning
        } else {
            Severity::Note
        };
        out.push(
            RULE.finding(
                severity,
                format!(
                    "the edge in {} has up to {} archive files to pull ({}), {} at least over {}; each is a row of rdb.lbr, and a \
                     list of all (p4 pull -l) holds that table {listed} and stops replication",
                    office.name,
                    about_count(files),
                    Bytes::new(bytes).estimated(),
                    Seconds::new(time).estimated(),
                    office.bandwidth.value.in_bits()
                ),
                "copy the archives before the edge starts, and monitor with the summary: p4 pull -ls, never p4 pull -l",
                [
                    Evidence::answer(&format!("people.site.{i}.bandwidth"), &office.bandwidth, office.bandwidth.value.in_bits()),
                    Evidence::answer("edge.depot_share", share, share.value),
                ]
                .into_iter()
                .chain(published())
                .collect(),
            )
            .costing(office.developers.value * WORK_HOURS * 0.01),
        );
    }
}

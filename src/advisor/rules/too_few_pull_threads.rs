use super::{Evidence, Facts, Finding, Rule, Severity, WORK_HOURS};
use crate::catalog::Value;
use crate::units::{Fraction, significant};

pub(super) static RULE: Rule = Rule {
    id: "EDG002",
    name: "too-few-pull-threads",
    summary: "the archive pull threads of an edge do not keep up with the submits",
    docs: "\
### What it does
Fires for each office whose edge keeps archives of its own, where new archives keep the pull threads that the
configuration starts busy for more than 70 % of the time at the peak.

### Why it matters
A thread pulls one file at a time and waits a round trip for each. When all are busy the queue grows, and syncs
at the office wait for files that are on their way.

### Evidence
P4PULL: most installations run too few; the number that is configured is that of `models/settings/p4-configure-
edge.toml`; round trip, line and submits are the site's.

### What to do
Start more `pull -u` threads: each is one `startup.N` line. Look at the queue with `p4 pull -ls`.

### Limits
The estimate assumes two round trips a file for a thread. Batches (`pull -u --batch`) need fewer.
",
    check,
};

/// Share of the time that a queue's servers may be busy before it grows at each burst (LAZOWSKA1984).
const BUSY_MAX: f64 = 0.7;
/// Round trips of a file: request and data (assumed).
const ROUND_TRIPS: f64 = 2.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    // An edge with volumes of its own stands in another town and shares nothing.
    if facts.deployment.shared_depot && facts.deployment.office_volumes.is_empty() {
        return;
    }
    let work = &facts.site.workload;
    let files =
        work.submits_per_day.value.get() * work.files_per_submit.value * work.peak_to_mean.value;
    let file = facts.site.data.file_size.value.get();
    let threads = threads(facts);
    let served = &facts.deployment.offices;
    let offices = facts.site.people.sites.iter().enumerate();
    for (i, office) in offices.filter(|(_, o)| served.contains(&o.name)) {
        let line = office.bandwidth.value.get().max(f64::MIN_POSITIVE);
        let busy = files * (ROUND_TRIPS * office.round_trip.value.get() + file / line);
        if busy <= BUSY_MAX * threads {
            continue;
        }
        let wanted = (busy / BUSY_MAX).ceil();
        let full = files * file / line;
        let action = if full > BUSY_MAX {
            format!(
                "give the office a faster line: new archives alone take {} of it at the peak",
                Fraction::new(full).estimated()
            )
        } else {
            format!(
                "start about {wanted} pull threads on the edge: p4 configure set EDGE#startup.N=\"pull -u -i 1\" for each; watch p4 pull -ls"
            )
        };
        out.push(
            RULE.finding(
                Severity::Warning,
                format!(
                    "new archives need {} pull threads on the edge in {} at the peak, and {threads} are configured; its queue grows, \
                     and syncs there wait for files",
                    significant(busy, 2),
                    office.name
                ),
                action,
                vec![
                    Evidence::answer(&format!("people.site.{i}.round_trip"), &office.round_trip, office.round_trip.value),
                    Evidence::answer("workload.submits_per_day", &work.submits_per_day, work.submits_per_day.value),
                    Evidence::new("P4PULL", "most installations run too few archive pull threads"),
                ],
            )
            .costing(office.developers.value * WORK_HOURS * 0.02),
        );
    }
}

/// Those that the emitted configuration starts on an edge over a long line.
fn threads(facts: &Facts<'_>) -> f64 {
    let settings = facts.catalog.settings.get("p4-configure-edge");
    let lines = settings.into_iter().flat_map(|file| &file.list);
    let pulls = lines
        .filter(|s| matches!(&s.value, Value::Text(text) if text.value.starts_with("pull -u")));
    pulls.count() as f64
}

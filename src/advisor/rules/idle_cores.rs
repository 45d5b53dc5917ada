use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;
use crate::units::{Fraction, Seconds};

pub(super) static RULE: Rule = Rule {
    id: "CPU003",
    name: "idle-cores",
    summary: "most cores idle, and a large submit waits for one of them",
    docs: "\
### What it does
Fires where at least 16 cores are stated, less than 10 % of them are busy at the peak, and the largest submit
holds the commit section for more than 5 s.

### Why it matters
A commit is the work of one process. More cores do not shorten it; a faster one does.

### Evidence
KB2957: clock before cores; the hold and the utilization are the model's.

### What to do
With the next machine fewer cores of a higher clock.

### Limits
Where storage holds the commit up, a clock does not help either: QUE001.
",
    check,
};

/// Cores from which on fewer and faster ones are sold (assumed).
const CORES_MIN: f64 = 16.0;
/// Share of the time below which nearly all cores wait for work (assumed).
const BUSY_MAX: f64 = 0.1;
/// Shorter holds are not felt by many (assumed) \[s\].
const HOLD_MIN: f64 = 5.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let cores = &facts.site.server.cores;
    let used = facts.utilization(&[ResourceKind::Processor]);
    let stated = cores.is_stated() && cores.value >= CORES_MIN;
    if !stated || used >= BUSY_MAX || facts.largest_commit <= HOLD_MIN {
        return;
    }
    let hold = Seconds::new(facts.largest_commit).estimated();
    out.push(
        RULE.finding(
            Severity::Note,
            format!(
                "the {} cores are {} busy at the peak, while the largest submit holds the commit section for {hold} on one of them",
                cores.value,
                Fraction::new(used).estimated()
            ),
            "choose fewer cores of a higher clock with the next machine; more cores bring nothing",
            vec![
                Evidence::answer("server.cores", cores, cores.value),
                Evidence::new("KB2957", "a fast clock matters more than many cores"),
            ],
        )
        .costing(1.0),
    );
}

use super::{Evidence, Facts, Finding, Rule, Severity, WORKDAYS};
use crate::units::{Seconds, grouped};

pub(super) static RULE: Rule = Rule {
    id: "QUE001",
    name: "long-commit",
    summary: "the largest submit blocks other submits so long that users notice",
    docs: "\
### What it does
Fires when the largest submit holds the locks of a commit (the commit section) for more than 10 s.

### Why it matters
Meanwhile no other submit commits, and commands that need the same tables queue behind it: to users
the server hangs. This is the most frequent complaint.

### Evidence
The hold is the model's, for `workload.largest_submit_files`; P17-branchsubmit-ssd and -fb are the
same commit on block storage and on NFS; KB2514 shows how to find such a submit in the log.

### What to do
Split the submit, run it outside the peak, and put db and journal on block storage, with a fast clock:
the hold is processor time there, and round trips on NFS.

### Limits
The hold is that of an idle server; under load it is longer. Reads without locks (QUE002) do not wait.
",
    check,
};

/// How long people wait before they turn to something else, and so start to complain (assumed).
const HOLD_MAX: f64 = 10.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    if facts.largest_commit <= HOLD_MAX {
        return;
    }
    let files = &facts.site.workload.largest_submit_files;
    let hold = Seconds::new(facts.largest_commit).estimated();
    let path = if facts.on_export("db").is_some() || facts.on_export("journal").is_some() {
        "block storage for database and journal"
    } else {
        "a processor with a faster clock"
    };
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "a submit of {} files blocks all other submits for {hold} or longer; commands that need the same tables wait too",
            grouped(files.value)
        ),
        format!("split such submits, or run them outside the peak; {path} shortens the hold"),
        vec![
            Evidence::new("model", format!("hold of {hold} on an idle server")),
            Evidence::answer("workload.largest_submit_files", files, files.value),
            facts.measured("P17-branchsubmit-ssd", "commit"),
            facts.measured("P17-branchsubmit-fb", "commit"),
        ],
    ).costing(facts.standstill(facts.largest_commit / 3600.0, WORKDAYS)).about(["submit"]));
}

use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "QUE001",
    name: "long-commit",
    summary: "the largest submit holds the commit section so long that everybody notices",
    since: "0.1.0",
    docs: "\
### What it does
Fires when the largest submit holds the commit section for more than 10 s.

### Why it matters
While it is held nobody else commits and commands that read the same tables queue behind: to people
the server hangs. It is the complaint heard most.

### Evidence
The hold is the model's, for `workload.largest_submit_files`; P17-branchsubmit-ssd and -fb are the
same commit on block storage and on NFS; KB2514 shows how to find the culprit in the log.

### What to do
Split the submit, run it off the peak, and put db and journal on block storage behind a fast clock:
the hold is processor time there, round trips on NFS.

### Limits
The hold is that of an idle server; under load it is longer. Reads without locks (QUE002) do not wait.
",
    check,
};

/// As long as people wait before they turn to something else, and so start to complain (assumed).
const HOLD_MAX: f64 = 10.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    if facts.largest_commit <= HOLD_MAX {
        return;
    }
    let files = &facts.site.workload.largest_submit_files;
    let hold = Seconds::new(facts.largest_commit);
    let path = if facts.on_export("db").is_some() || facts.on_export("journal").is_some() {
        "db and journal on block storage"
    } else {
        "a processor with a faster clock"
    };
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "a submit of {:.0} files holds the commit section for {hold}, and everybody waits",
            files.value
        ),
        format!("split such submits, run them off the peak; {path} would shorten the hold"),
        vec![
            Evidence::new("model", format!("hold of {hold} on an idle server")),
            Evidence::answer("workload.largest_submit_files", files, files.value),
            facts.measured("P17-branchsubmit-ssd", "commit"),
            facts.measured("P17-branchsubmit-fb", "commit"),
        ],
    ));
}

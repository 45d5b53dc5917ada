use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "BLD001",
    name: "build-farm-without-proxy",
    summary: "builds sync from the server itself, without edge or proxy",
    since: "0.1.0",
    docs: "\
### What it does
Fires when more than 30 % of the commands come from builds and scripts, or 3 or more large syncs run
at once, and the deployment has neither edge nor proxy. A warning where both hold, else a note.

### Why it matters
Forced syncs of builds churn the archive disks and fill the link that people need.

### Evidence
E07-proxy: concurrent syncs became faster for builds and people. P17-replication and P17-sync-3edge:
edges divide the link's load.

### What to do
A proxy, or from release 2013.2 on an edge, beside the build farm; read-only or partitioned
workspaces keep db.have small.

### Limits
A proxy does not take commands off the server, only file contents. Builds that sync little gain
little.
",
    check,
};

/// From about a third on builds are a main user of the server (assumed; E07's farms were).
const AUTOMATION_MAX: f64 = 0.30;
/// So many large syncs at once use the link up: P17 saturated 10 Gb/s with few (P17-network-bound),
/// and E07-sync-load judges servers by one to five.
const SYNCS_MIN: f64 = 3.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let workload = &facts.site.workload;
    let share = workload.automation_share.value;
    let syncs = workload.concurrent_syncs.value;
    let (many, large) = (share.get() > AUTOMATION_MAX, syncs >= SYNCS_MIN);
    let relieved = facts.deployment.edges > 0 || facts.deployment.proxies;
    if relieved || !(many || large) {
        return;
    }
    let release = facts.site.server.release.value;
    let severity = if many && large {
        Severity::Warning
    } else {
        Severity::Note
    };
    out.push(RULE.finding(
        severity,
        match (many, large) {
            (true, false) => format!("builds run {share} of the commands, without edge or proxy"),
            (false, _) => format!("{syncs} large syncs are in flight at the peak, without edge or proxy"),
            _ => format!("builds run {share} of the commands and {syncs} large syncs are in flight at the peak, without edge or proxy"),
        },
        if release.edges() {
            "a proxy or an edge beside the build farm".to_owned()
        } else {
            format!("a proxy beside the build farm; edges need release 2013.2, and {release} runs")
        },
        vec![
            Evidence::answer("workload.automation_share", &workload.automation_share, share),
            Evidence::answer("workload.concurrent_syncs", &workload.concurrent_syncs, syncs),
            Evidence::new("E07-proxy", "syncs got faster for builds and people"),
            Evidence::new("P17-replication", "edges take their clients' network load off the commit server"),
        ],
    ));
}

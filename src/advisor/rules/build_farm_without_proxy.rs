use super::{A_DAY, Evidence, Facts, Finding, Rule, Severity};
use crate::units::about_count;

pub(super) static RULE: Rule = Rule {
    id: "BLD001",
    name: "build-farm-without-proxy",
    summary: "builds sync from the commit server itself, without edge or proxy",
    docs: "\
### What it does
Fires when more than 30 % of the commands come from builds and scripts, or 3 or more large syncs are in
flight at once, and the deployment has neither edge nor proxy. A warning where both hold, else a note.

### Why it matters
Builds that sync everything again and again load the archive disks and fill the link that people need.

### Evidence
E07-proxy: concurrent syncs became faster for builds and people. P17-replication and P17-sync-3edge:
edges divide the link's load.

### What to do
Place a proxy, or from release 2013.2 on an edge, beside the build farm; read-only or partitioned
workspaces keep db.have small.

### Limits
A proxy does not take commands off the server, only file contents. Builds that sync little gain
little.
",
    check,
};

/// What it does to users.
const SLOWS: &str = "; their transfers slow everyone else on the server's link";
/// From about a third on builds are a main user of the server (assumed; E07's farms were).
const AUTOMATION_MAX: f64 = 0.30;
/// This many large syncs at once fill the link: P17 saturated 10 Gb/s with few (P17-network-bound),
/// and E07-sync-load judges servers by one to five.
const SYNCS_MIN: f64 = 3.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let workload = &facts.site.workload;
    let share = workload.automation_share.value;
    let syncs = facts.prediction.large_syncs_in_flight();
    let (many, large) = (share.get() > AUTOMATION_MAX, syncs >= SYNCS_MIN);
    let relieved = facts.deployment.edges > 0 || facts.deployment.proxies;
    if relieved || !(many || large) {
        return;
    }
    // Where they pile up, how many there are at the end of the peak is no number that anybody would find.
    let a_day = facts.site.workload.large_syncs_per_day.value.get() * A_DAY;
    let at_once = if syncs > a_day {
        "large syncs come faster at the peak than they are completed,".to_owned()
    } else {
        format!(
            "about {} large syncs run at once at the peak",
            about_count(syncs)
        )
    };
    let release = facts.site.server.release.value;
    let severity = if many && large {
        Severity::Warning
    } else {
        Severity::Note
    };
    // What does not make it fire is no evidence.
    let mut evidence = Vec::new();
    if many {
        evidence.push(Evidence::answer(
            "workload.automation_share",
            &workload.automation_share,
            share,
        ));
    }
    if large {
        evidence.push(facts.syncs_in_flight());
    }
    let is_known = evidence.iter().any(|e| !e.is_assumed);
    let unstated = (!is_known).then(|| {
        "how much builds do (workload.automation_share, workload.large_syncs_per_day)".to_owned()
    });
    evidence.extend([
        Evidence::new(
            "E07-proxy",
            "proxies made syncs faster for builds and for people",
        ),
        Evidence::new(
            "P17-replication",
            "edges take their clients' network load off the commit server",
        ),
    ]);
    out.push(RULE.finding(
        severity,
        match (many, large) {
            (true, false) => format!("builds run {share} of the commands without an edge or a proxy{SLOWS}"),
            (false, _) => format!("{at_once} without an edge or a proxy{SLOWS}"),
            _ => format!(
                "builds run {share} of the commands, and {at_once} without an edge or a proxy{SLOWS}"
            ),
        },
        if release.edges() {
            "place a proxy or an edge beside the build farm".to_owned()
        } else {
            format!("place a proxy beside the build farm; edges need release 2013.2, and the server runs {release}")
        },
        evidence,
    ).costing(facts.slowed(0.0005)).unless(unstated));
}

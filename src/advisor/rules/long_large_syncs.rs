use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::targets::tightest;
use crate::site::Release;
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "BLD005",
    name: "long-large-syncs",
    summary: "large syncs take longer than a person waits, and could move less",
    docs: "\
### What it does
Fires where a sync of a whole workspace takes longer than 30 min (95th percentile). A warning where its target
is missed.

### Why it matters
The fastest sync is the file that is not sent. Placeholders, sparse streams, differences and clones send less;
more storage sends the same sooner, up to the link and the client.

### Evidence
P4DELTA (2024.2 for syncs, files of type binary+F), P4SPARSE (2024.1), P4VFS for Windows clients; the time is
the model's.

### What to do
Windows workstations: P4VFS. Branches: sparse streams. Large binaries over slow lines: delta transfer. Builds: a
kept workspace, or a clone.

### Limits
Each changes how people work; try it with one team.
",
    check,
};

/// A break: longer, people do something else (assumed) \[s\].
const TIME_MAX: f64 = 1800.0;
/// Releases that brought the means.
const DELTA: Release = Release::new(2024, 2);
const SPARSE: Release = Release::new(2024, 1);

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let syncs = facts
        .prediction
        .classes
        .iter()
        .filter(|c| c.work.is_large_sync());
    let Some(longest) = syncs.max_by(|a, b| a.p95.value.total_cmp(&b.p95.value)) else {
        return;
    };
    let missed = tightest(facts.site, longest).is_some_and(|want| !want.is_met());
    if longest.p95.value <= TIME_MAX && !missed {
        return;
    }
    let release = facts.site.server.release.value;
    let mut means = vec![
        "map only what is needed in the view of each workspace",
        "P4VFS on Windows workstations",
    ];
    if release >= SPARSE {
        means.push("sparse streams (p4 stream -t sparsedev) for branches");
    }
    if release >= DELTA {
        means.push(
            "delta transfer for large binaries (typemap binary+F; net.delta.transfer.minsize)",
        );
    } else if release >= SPARSE {
        means.push("release 2024.2 for delta transfer");
    } else {
        means.push("release 2024.2 for sparse streams and delta transfer");
    }
    means.push("kept workspaces for builds");
    let size = &facts.site.workload.concurrent_sync_size;
    let time = Seconds::new(longest.p95.value).estimated();
    let share = syncs_share(facts);
    out.push(
        RULE.finding(
            if missed { Severity::Warning } else { Severity::Note },
            format!("{} of {} takes {time} (95 % within); sending less is worth more than faster storage", longest.name, size.value),
            format!("send less: {}", means.join("; ")),
            vec![
                Evidence::new("model", format!("95 % of {} are done within {time}", longest.name)),
                Evidence::answer("workload.concurrent_sync_size", size, size.value),
                Evidence::new("P4DELTA", "sends the changed parts of large binary files, from 2024.2 on"),
                Evidence::new("P4SPARSE", "files are branched when they are opened, from 2024.1 on"),
                Evidence::new("P4VFS", "placeholders on Windows, filled when a file is opened"),
            ],
        )
        .costing(facts.slowed(0.001 * share)),
    );
}

/// Large syncs in flight over people at work.
fn syncs_share(facts: &Facts<'_>) -> f64 {
    (facts.prediction.large_syncs_in_flight() / facts.at_work().max(1.0)).min(1.0)
}

use super::{Evidence, Facts, Finding, Part, Rule, Severity};
use crate::units::grouped;

pub(super) static RULE: Rule = Rule {
    id: "FLX001",
    name: "workspace-clones",
    summary: "the array can clone large workspaces instead of a sync",
    docs: "\
### What it does
Fires when the deployment uses an array that clones volumes (`clones` in its file) and the largest workspace has more than 100,000 files.

### Why it matters
A synced and built template can be cloned within minutes, where one site needed 45 minutes to sync and
one to two hours to build; the copy takes no space until it changes.

### Evidence
N13-flexclone, which also gives the steps and the limit of 32,767 clones a volume.

### What to do
Keep a built template; take a snapshot, clone it, change the owner of the files, create the client, run
`p4 flush`. Builds that only read can skip the flush.

### Limits
Flush takes exclusive locks on db.have, as a sync does: many at once slow the server. Workspaces have to lie on
the filer, mounted without single-client options.
",
    check,
};

/// Some 20 min of sync at E07's rate, 179,000 files in 40 min (E07-sync-one): where cloning begins to
/// pay for its steps (assumed).
const FILES_MAX: f64 = 100_000.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let files = &facts.site.data.workspace_files;
    let devices = facts.deployment.devices();
    let clones = |device: &&str| {
        let array = facts.catalog.arrays.get(*device);
        array.is_some_and(|array| array.clones)
    };
    let array = devices.into_iter().find(clones);
    let Some(array) = array.filter(|_| files.value > FILES_MAX) else {
        return;
    };
    out.push(RULE.finding(
        Severity::Note,
        format!(
            "{array} could clone workspaces of {} files within minutes; a sync takes far longer",
            grouped(files.value)
        ),
        "clone workspaces from a built template, and flush a few at a time, since p4 flush locks db.have",
        vec![
            facts.measured("N13-flexclone", "sync"),
            facts.measured("N13-flexclone", "clones-per-volume"),
            Evidence::answer("data.workspace_files", files, files.value),
        ],
    ).costing(1.0).unless(facts.unstated(&["depot"], &[Part::Store])));
}

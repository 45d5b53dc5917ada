use super::{A_DAY, Evidence, Facts, Finding, Rule, Severity};
use crate::catalog::Release;
use crate::site::Target;
use crate::system::{ClassPrediction, ResourceKind};
use crate::units::about_count;
use crate::workload::Clients;

pub(super) static RULE: Rule = Rule {
    id: "BLD002",
    name: "full-build-workspaces",
    summary: "builds write the common db.have for workspaces that nobody edits",
    docs: "\
### What it does
Fires where `today.signs` has `full-build-workspaces`, or where the stated large syncs of a day write more than
10 million rows of db.have.

### Why it matters
Each file of each build is a row of db.have, written with the table locked and again in the journal, and deleted
when the workspace is. Rows of builds are often most of the table.

### Evidence
P4CLIENTS: readonly and partitioned workspaces keep such rows in files of their own, without journal; the rows
are the site's.

### What to do
From release 2015.2 on set `client.readonly.dir`, and `Type: readonly` (from 2019.1 on partitioned, where builds
submit) in the builds' workspaces; from 2007.2 on `sync -p` for builds that only read.

### Limits
The type of a workspace cannot be changed: make new ones. They are in no checkpoint.
",
    check,
};

/// A fifth of the busiest published server's commands, each a row (assumed).
const ROWS_MAX: f64 = 10e6;

/// A smaller share of a sync's time nobody notices (assumed).
const SHARE_MIN: f64 = 0.05;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let work = &facts.site.workload;
    let files =
        work.concurrent_sync_size.value.get() / facts.site.data.file_size.value.get().max(1.0);
    let syncs = &work.large_syncs_per_day;
    let is_known = syncs.is_stated();
    let rows = if is_known {
        syncs.value.get() * A_DAY * files
    } else {
        0.0
    };
    let sign = facts.seen("full-build-workspaces");
    if sign.is_none() && rows <= ROWS_MAX {
        return;
    }
    let mut evidence = vec![Evidence::new(
        "P4CLIENTS",
        "readonly and partitioned workspaces have tables of their own",
    )];
    evidence.extend(sign);
    if is_known {
        evidence.push(Evidence::answer(
            "workload.large_syncs_per_day",
            syncs,
            syncs.value,
        ));
    }
    let rows = if rows > 0.0 {
        format!("{} rows a day", about_count(rows))
    } else {
        format!("{} rows for each new workspace", about_count(files))
    };
    let waits = if facts.prediction.classes.iter().any(waits_for_locks) {
        "; people's syncs wait for it"
    } else {
        ""
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("builds write {rows} into the common db.have and the journal, with the table locked{waits}"),
            of_their_own(facts.site.server.release.value),
            evidence,
        )
        .costing(facts.slowed(0.002)),
    );
}

/// Whether it is a sync of people that waits for table locks.
fn waits_for_locks(class: &ClassPrediction) -> bool {
    let is_sync = class.work.target() == Some(Target::Sync);
    let locked = class
        .parts
        .iter()
        .filter(|(kind, _)| *kind == ResourceKind::Lock);
    let locked: f64 = locked.map(|(_, seconds)| seconds).sum();
    is_sync && class.work.clients != Clients::Automation && locked >= SHARE_MIN * class.mean.value
}

/// How builds keep their rows out of the common db.have, with what the release has.
pub(super) fn of_their_own(release: Release) -> &'static str {
    if release.partitioned_workspaces() {
        "run p4 configure set client.readonly.dir=FOLDER, and give builds new workspaces with Type: readonly (partitioned where they submit)"
    } else if release.readonly_workspaces() {
        "run p4 configure set client.readonly.dir=FOLDER, and give builds that only read new workspaces with Type: readonly"
    } else if release.populates() {
        "have builds that only read sync with p4 sync -p, which writes no row of db.have"
    } else {
        "have builds keep their workspaces and sync what has changed; p4 sync -p, which writes no row of db.have, came with release 2007.2"
    }
}

//! Build farms, large syncs, and clones in their place.

use super::{A_DAY, Check, Evidence, Facts, Finding, Part, Said, Severity};
use crate::advisor::targets::tightest;
use crate::catalog::Called;
use crate::catalog::{Feature, Release};
use crate::site::Target;
use crate::system::{ClassPrediction, ProxyPlace, ResourceKind};
use crate::units::{Fraction, Seconds, about_count, grouped};
use crate::workload::Clients;

use Check::Once;

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("BLD001", Once(build_farm_without_proxy)),
    ("BLD002", Once(full_build_workspaces)),
    ("BLD004", Once(idle_proxy)),
    ("BLD005", Once(long_large_syncs)),
    ("FLX001", Once(workspace_clones)),
];

fn build_farm_without_proxy(facts: &Facts<'_>) -> Option<Finding> {
    /// What it does to users.
    const SLOWS: &str = "their transfers slow everyone else on the server's link";
    /// From about a third on builds are a main user of the server (assumed; E07's farms were).
    const AUTOMATION_MAX: f64 = 0.30;
    /// This many large syncs at once fill the link: P17 saturated 10 Gb/s with few (P17-network-bound),
    /// and E07-sync-load judges servers by one to five.
    const SYNCS_MIN: f64 = 3.0;

    /// Below it nobody waits for the transfers of others: of an idle edge as much is asked (EDG005).
    const LINK_MIN: f64 = 0.3;

    let workload = &facts.site.workload;
    let share = workload.automation_share.value;
    let syncs = facts.prediction.large_syncs_in_flight();
    let (many, large) = (share.get() > AUTOMATION_MAX, syncs >= SYNCS_MIN);
    let relieved =
        facts.deployment.edges > 0 || facts.deployment.proxy(&ProxyPlace::Builds).is_some() || facts.weighed_proxies();
    let link = facts.utilization(&[ResourceKind::ClientNetwork]);
    if relieved || !(many || large) || link < LINK_MIN {
        return None;
    }
    // Where they pile up, how many there are at the end of the peak is no number that anybody would find.
    let a_day = facts.site.workload.large_syncs_per_day.value.get() * A_DAY;
    let at_once = if syncs > a_day {
        "large syncs come faster at the peak than they are completed,".to_owned()
    } else {
        format!("about {} large syncs run at once at the peak", about_count(syncs))
    };
    let release = facts.site.server.release.value;
    let severity = if many && large { Severity::Warning } else { Severity::Note };
    // What does not make it fire is no evidence.
    let mut evidence = Vec::new();
    if many {
        evidence.push(Evidence::answer("workload.automation_share", &workload.automation_share, share));
    }
    if large {
        evidence.push(facts.syncs_in_flight());
    }
    let is_known = evidence.iter().any(|e| !e.is_assumed);
    let unstated =
        (!is_known).then(|| "how much builds do (workload.automation_share, workload.large_syncs_per_day)".to_owned());
    evidence.extend([
        Evidence::new("E07-proxy", "proxies made syncs faster for builds and for people"),
        Evidence::new("P17-replication", "edges take their clients' network load off the commit server"),
    ]);
    Some(
        Finding::new(
            severity,
            Said::from(match (many, large) {
                (true, false) => {
                    format!("builds run {share} of the commands without an edge or a proxy")
                }
                (false, _) => format!("{at_once} without an edge or a proxy"),
                _ => format!("builds run {share} of the commands, and {at_once} without an edge or a proxy"),
            })
            .then(SLOWS),
            if release.edges() {
                "place a proxy or an edge beside the build farm".into()
            } else {
                Said::from("place a proxy beside the build farm")
                    .then(format!("edges need release 2013.2, and the server runs {release}"))
            },
            evidence,
        )
        .costing(facts.slowed(0.0005))
        .unless(unstated),
    )
}

fn full_build_workspaces(facts: &Facts<'_>) -> Option<Finding> {
    /// A fifth of the busiest published server's commands, each a row (assumed).
    const ROWS_MAX: f64 = 10e6;

    let work = &facts.site.workload;
    let files = work.concurrent_sync_size.value.get() / facts.site.data.file_size.value.get().max(1.0);
    let syncs = &work.large_syncs_per_day;
    let is_known = syncs.is_stated();
    let rows = if is_known { syncs.value.get() * A_DAY * files } else { 0.0 };
    let sign = facts.seen("full-build-workspaces");
    if sign.is_none() && rows <= ROWS_MAX {
        return None;
    }
    let mut evidence = vec![Evidence::new("P4CLIENTS", "readonly and partitioned workspaces have tables of their own")];
    evidence.extend(sign);
    if is_known {
        evidence.push(Evidence::answer("workload.large_syncs_per_day", syncs, syncs.value));
    }
    let rows = if rows > 0.0 {
        format!("{} rows a day", about_count(rows))
    } else {
        format!("{} rows for each new workspace", about_count(files))
    };
    let waits = if facts.prediction.classes.iter().any(waits_for_locks) { "people's syncs wait for it" } else { "" };
    Some(
        Finding::warning(
            Said::from(format!("builds write {rows} into the common db.have and the journal, with the table locked"))
                .then(waits),
            of_their_own(facts.site.server.release.value),
            evidence,
        )
        .costing(facts.slowed(0.002)),
    )
}

/// A smaller share of a sync's time nobody notices (assumed).
const SHARE_MIN: f64 = 0.05;

/// Whether it is a sync of people that waits for table locks.
fn waits_for_locks(class: &ClassPrediction) -> bool {
    let is_sync = class.work.target() == Some(Target::Sync);
    let locked = class.parts.iter().filter(|(kind, _)| *kind == ResourceKind::Lock);
    let locked: f64 = locked.map(|(_, seconds)| seconds).sum();
    is_sync && class.work.clients != Clients::Automation && locked >= SHARE_MIN * class.mean.value
}

/// How builds keep their rows out of the common db.have, with what the release has.
pub(super) fn of_their_own(release: Release) -> Said {
    if release.has(Feature::PartitionedWorkspaces) {
        Said::from(
            "run p4 configure set client.readonly.dir=FOLDER, and give builds new workspaces with Type: readonly (partitioned where they submit)",
        )
    } else if release.has(Feature::ReadonlyWorkspaces) {
        Said::from(
            "run p4 configure set client.readonly.dir=FOLDER, and give builds that only read new workspaces with Type: readonly",
        )
    } else if release.has(Feature::Populate) {
        "have builds that only read sync with p4 sync -p, which writes no row of db.have".into()
    } else {
        Said::from("have builds keep their workspaces and sync what has changed")
            .then("p4 sync -p, which writes no row of db.have, came with release 2007.2")
    }
}

fn idle_proxy(facts: &Facts<'_>) -> Option<Finding> {
    /// A quarter of what NET001 calls nearly full (assumed).
    const BUSY_MIN: f64 = 0.2;

    let used = facts.utilization(&[ResourceKind::ClientNetwork]);
    let has = facts.deployment.proxy(&ProxyPlace::Builds).is_some();
    if !has || facts.weighed_proxies() || used >= BUSY_MIN {
        return None;
    }
    let shown = Fraction::new(used).estimated();
    Some(
        Finding::note(
            Said::from("proxies for builds bring little")
                .detail(format!("the server's link is {shown} busy with them, and they answer no metadata")),
            "leave them out until the link is busy, and look first at locks and processor",
            vec![
                Evidence::new("model", format!("the link to the clients is {shown} busy at the peak")),
                Evidence::new("E07-proxy", "proxies relieved a server whose archive disks were busy"),
            ],
        )
        .costing(1.0),
    )
}

fn long_large_syncs(facts: &Facts<'_>) -> Option<Finding> {
    /// A break: longer, people do something else (assumed) \[s\].
    const TIME_MAX: f64 = 1800.0;

    let syncs = facts.prediction.classes.iter().filter(|c| c.work.is_large_sync());
    let longest = syncs.max_by(|a, b| a.p95.value.total_cmp(&b.p95.value))?;
    let missed = tightest(facts.site, longest).is_some_and(|want| !want.is_met());
    if longest.p95.value <= TIME_MAX && !missed {
        return None;
    }
    let release = facts.site.server.release.value;
    let [sparse, delta] = [Feature::SparseStreams, Feature::DeltaTransfer];
    let both = format!("release {} for {} and {} for {}", sparse.since(), sparse.title(), delta.since(), delta.title());
    let delta = format!("release {} for {}", delta.since(), delta.title());
    let mut means =
        vec!["send less: map only what is needed in the view of each workspace", "P4VFS on Windows workstations"];
    if release.has(Feature::SparseStreams) {
        means.push("sparse streams (p4 stream -t sparsedev) for branches");
    }
    if release.has(Feature::DeltaTransfer) {
        means.push("delta transfer for large binaries (typemap binary+F; net.delta.transfer.minsize)");
    } else if release.has(Feature::SparseStreams) {
        means.push(&delta);
    } else {
        means.push(&both);
    }
    means.push("kept workspaces for builds");
    let size = &facts.site.workload.concurrent_sync_size;
    let time = Seconds::new(longest.p95.value).estimated();
    let share = syncs_share(facts);
    Some(
        Finding::new(
            if missed { Severity::Warning } else { Severity::Note },
            Said::from(format!("{} of {} takes {time} (95 % within)", longest.name, size.value))
                .then("sending less is worth more than faster storage"),
            means.into_iter().map(str::to_owned).collect::<Said>(),
            vec![
                Evidence::new("model", format!("95 % of {} are done within {time}", longest.name)),
                Evidence::answer("workload.concurrent_sync_size", size, size.value),
                Evidence::new("P4DELTA", "sends the changed parts of large binary files, from 2024.2 on"),
                Evidence::new("P4SPARSE", "files are branched when they are opened, from 2024.1 on"),
                Evidence::new("P4VFS", "placeholders on Windows, filled when a file is opened"),
            ],
        )
        .costing(facts.slowed(0.001 * share)),
    )
}

/// Large syncs in flight over people at work.
fn syncs_share(facts: &Facts<'_>) -> f64 {
    (facts.prediction.large_syncs_in_flight() / facts.at_work().max(1.0)).min(1.0)
}

fn workspace_clones(facts: &Facts<'_>) -> Option<Finding> {
    /// Some 20 min of sync at E07's rate, 179,000 files in 40 min (E07-sync-one): where cloning begins to
    /// pay for its steps (assumed).
    const FILES_MAX: f64 = 100_000.0;

    let files = &facts.site.data.workspace_files;
    let devices = facts.deployment.devices();
    let clones = |device: &&str| {
        let array = facts.catalog.arrays.get(*device);
        array.is_some_and(|array| array.clones)
    };
    let array = devices.into_iter().find(clones);
    let array = array.filter(|_| files.value > FILES_MAX)?;
    let array = facts.catalog.arrays.called(array);
    Some(
        Finding::note(
            Said::from(format!("{array} could clone workspaces of {} files within minutes", grouped(files.value)))
                .then("a sync takes far longer"),
            "clone workspaces from a built template, and flush a few at a time, since p4 flush locks db.have",
            vec![
                facts.measured("N13-flexclone", "sync"),
                facts.measured("N13-flexclone", "clones-per-volume"),
                Evidence::answer("data.workspace_files", files, files.value),
            ],
        )
        .costing(1.0)
        .unless(facts.unstated(&["depot"], &[Part::Store])),
    )
}

//! Room on the stores, until the horizon.

use super::{Check, Evidence, Facts, Finding, Part, Said, Severity};
use crate::advisor::headroom::Bottleneck;
use crate::advisor::load_limit::LoadLimit;
use crate::advisor::stated_times::StatedTimes;
use crate::advisor::stores::{beyond_assumed, drives_of_edges, edges_in_words, grows_by};
use crate::site::{Backup, database_of};
use crate::units::{Bytes, Fraction, about_count, grouped, two_digits};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("CAP001", Each(volume_full_before_horizon)),
    ("CAP002", Once(missing_snapshot_reserve)),
    ("CAP003", Once(load_limit_before_horizon)),
    ("CAP004", Once(assumed_edge_drives)),
    ("CAP005", Each(database_not_rebuilt)),
    ("CAP006", Each(many_checkpoints_kept)),
    ("CAP007", Once(few_inodes)),
    ("CAP008", Once(default_free_space_limits)),
];

fn volume_full_before_horizon(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// What a finding weighs whose drives nobody described (a guess, as all costs).
    const UNSTATED: f64 = 0.25;

    let until = &facts.site.horizon;
    let horizon = until.time.value;
    for limit in &facts.headroom.capacity {
        let Some(full) = limit.full_in.filter(|full| until.outlasts(*full)) else {
            continue;
        };
        // The edges are built as the commit server is: its own set says it for all.
        let mut all = facts.headroom.capacity.iter();
        if facts.deployment.is_like_edge(limit.server_idx)
            && all.any(|other| other.set == limit.set && other.server_idx == 0)
        {
            continue;
        }
        let assumed = if limit.is_assumed { " (the size of its drives is assumed)" } else { "" };
        let when = facts.site.horizon.when(full);
        let data = &facts.site.data;
        let growth = if limit.grows_by == grows_by("depot") { &data.depot_growth } else { &data.db_growth };
        out.push(Finding::new(
            if limit.is_assumed { Severity::Warning } else { Severity::Critical },
            Said::from(format!("{} is full {}{assumed}, and p4d then refuses commands", limit.store, until.before(full))).then(format!("it holds {} and needs {} \
                 at the horizon", limit.shown(limit.usable), limit.shown(limit.needed))),
            if limit.is_fixed {
                Said::from("move old archives and workspaces elsewhere, or plan a larger system").detail("nothing can be added to this one")
            } else if limit.is_beyond_drives() {
                Said::from(format!(
                    "plan {}, no store takes the drives for more: move old archives and workspaces elsewhere before then",
                    facts.site.horizon.until(full)
                ))
            } else if limit.more_at_horizon > 0.0 {
                Said::from(format!(
                    "buy {} more drives (it has {}), or move old archives and workspaces elsewhere",
                    grouped(limit.more_at_horizon),
                    grouped(limit.drives)
                ))
            } else {
                "buy more or larger disks, or move old archives and workspaces elsewhere".into()
            },
            vec![
                Evidence::new("model", format!("{} usable, full {when}", limit.shown(limit.usable))),
                Evidence::answer("horizon.time", &facts.site.horizon.time, horizon),
                Evidence::answer(limit.grows_by, growth, growth.value),
            ],
        ).costing(facts.standstill(8.0, 1.0) * if limit.is_assumed { UNSTATED } else { 1.0 }));
    }
}

fn missing_snapshot_reserve(facts: &Facts<'_>) -> Option<Finding> {
    /// The low end of what is assumed without an answer (`protection.snapshot_reserve` in
    /// models/questions.toml); N13-best gives no figure.
    const RESERVE_MIN: f64 = 0.10;

    let protection = &facts.site.protection;
    let reserve = protection.snapshot_reserve.value;
    let arrays = &facts.catalog.arrays;
    let mut stores = facts.deployment.volumes.iter();
    let needs_reserve = stores.any(|mount| arrays.get(&mount.device).is_none_or(|a| !a.snapshots_elsewhere));
    if protection.backup.value != Backup::Snapshots || reserve.get() >= RESERVE_MIN || !needs_reserve {
        return None;
    }
    let word = protection.backup.value.word();
    Some(Finding::warning(
        Said::from(format!(
            "the backup consists of snapshots, and only {reserve} of each volume is reserved for them (should be {})",
            Fraction::new(RESERVE_MIN)
        ))
        .then(
            "when it is \
             full, snapshots are deleted or the server stops",
        ),
        "reserve 20 % of each volume for snapshots, then adjust it to what a day's snapshot takes",
        vec![
            Evidence::new("N13-best", "snapshot space is part of every volume and LUN"),
            Evidence::answer("protection.backup", &protection.backup, word),
            Evidence::answer("protection.snapshot_reserve", &protection.snapshot_reserve, reserve),
        ],
    ))
}

fn load_limit_before_horizon(facts: &Facts<'_>) -> Option<Finding> {
    let until = &facts.site.horizon;
    let horizon = until.time.value;
    let headroom = facts.headroom;
    // What is exceeded today is the verdict itself.
    let reached = headroom.reached_in.filter(|t| t.get() > 0.0 && until.outlasts(*t))?;
    let growth = &facts.site.data.db_growth;
    let load = facts.site.peak.load(headroom.factor);
    Some(
        Finding::warning(
            Said::from(format!("growth exceeds this deployment {}", until.before(reached))).then(format!(
                "with more than about {} people ({load}) {}",
                about_count(headroom.factor * facts.site.people.developers.value),
                headroom.limit
            )),
            match (&headroom.limit, &headroom.bottleneck) {
                (LoadLimit::Memory(short), _) => {
                    format!("fit {} of memory before then", facts.memory_to_buy(short.needs))
                }
                (_, Some(Bottleneck::Busy(name, _))) => {
                    format!("relieve the {name} before then, or plan the next purchase for that date")
                }
                (_, _) => "relieve this limit before then, or plan the next purchase for that date".to_owned(),
            },
            vec![
                Evidence::new("model", load.clone()),
                Evidence::answer("horizon.time", &facts.site.horizon.time, horizon),
                Evidence::answer("data.db_growth", growth, growth.value),
            ],
        )
        .costing(facts.standstill(8.0, 0.1)),
    )
}

fn assumed_edge_drives(facts: &Facts<'_>) -> Option<Finding> {
    let site = facts.site;
    let found = beyond_assumed(site, facts.deployment);
    let words = edges_in_words(site, facts.deployment);
    let (Some((all, assumed)), Some(words)) = (found, words) else {
        return None;
    };
    let (share, depots) = (&site.edge.depot_share, &site.data.depot_size);
    Some(Finding::warning(
        words,
        format!(
            "buy {all} drives ({}) for each, or answer edge.local_disks and edge.depot_share",
            drives_of_edges(facts.deployment)
        ),
        vec![
            Evidence::answer("edge.local_disks", &site.edge.local_disks, assumed),
            Evidence::answer("edge.depot_share", share, share.value),
            Evidence::answer("data.depot_size", depots, depots.value),
        ],
    ))
}

/// What brings a database full of free pages to its size, and what to delete before.
const REBUILD: &str =
    "rebuild the database from a checkpoint if it is over ten times that size (compare with p4 dbstat -s)";
const UNUSED: &str = "first delete workspaces and labels unused for a year (p4 clients, Access)";

fn database_not_rebuilt(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// SAG's factor.
    const RATIO_MAX: f64 = 10.0;
    /// Below, memory holds it anyway (assumed) \[B\].
    const SIZE_MIN: f64 = 20e9;

    let db = &facts.site.data.db_size;
    let evidence = |more: Option<Evidence>| {
        let mut all = vec![
            Evidence::answer("data.db_size", db, db.value),
            Evidence::new("SAG", "rebuild a database of more than ten times its checkpoint"),
        ];
        all.extend(more);
        all
    };
    let cost = facts.slowed(0.005);
    if let Some(checkpoint) = &facts.site.today.checkpoint_size {
        let ratio = db.value.get() / checkpoint.value.get().max(1.0);
        if ratio > RATIO_MAX {
            let more = Evidence::answer("today.checkpoint_size", checkpoint, checkpoint.value);
            out.push(
                Finding::warning(
                    Said::from(format!(
                        "the database ({}) is {} times its checkpoint ({})",
                        db.value,
                        two_digits(ratio),
                        checkpoint.value
                    ))
                    .detail(
                        "most of it is free pages, which checkpoints, backups and \
                         memory pay for",
                    ),
                    Said::from("rebuild it")
                        .detail("p4d -r NEW -jr CHECKPOINT on the offline copy, then swap the folders"),
                    evidence(Some(more)),
                )
                .costing(cost),
            );
        }
        return;
    }
    if !db.is_stated() || db.value.get() <= SIZE_MIN {
        return;
    }
    let Some((severity, reason)) = why_bloated(facts) else {
        return;
    };
    let ram = &facts.site.server.ram;
    let size = db.value;
    let message = Said::from(format!("the database takes {size} and may be mostly free pages"));
    out.push(
        Finding::new(
            severity,
            message.then(format!("{reason}, and checkpoints and memory pay for all of it")),
            Said::from(REBUILD).then(UNUSED),
            evidence(Some(Evidence::answer("server.ram", ram, ram.value))),
        )
        .costing(cost)
        .suspected(),
    );
}

/// Why a database may be full of free pages, and how grave that is; `None` where nothing speaks for it.
fn why_bloated(facts: &Facts<'_>) -> Option<(Severity, String)> {
    /// Beyond so many times what its rows need, more than the lists of workspaces is in it (assumed).
    const BLOATED: f64 = 3.0;

    let db = &facts.site.data.db_size;
    let revisions = &facts.site.data.revisions;
    let lists = facts.site.people.developers.value * facts.site.data.workspace_files.value;
    let expected = database_of(revisions.value, lists);
    if revisions.is_stated() && db.value.get() > BLOATED * expected.get() {
        let reason = format!(
            "its {} revisions and the file lists of workspaces need about {}",
            about_count(revisions.value),
            expected.estimated()
        );
        return Some((Severity::Warning, reason));
    }
    let observed = facts.recovery.observed.as_ref();
    let observed = observed.and_then(StatedTimes::checkpoint);
    let reason = match observed.filter(|o| o.is_far() && o.ratio() > 1.0) {
        Some(slow) => format!("its checkpoint takes {} times the estimate", two_digits(slow.ratio())),
        None if db.value > facts.memory.there => format!("memory is {}", facts.memory.there),
        None => return None,
    };
    Some((Severity::Note, reason))
}

fn many_checkpoints_kept(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// From a quarter on they compete with the data (assumed).
    const SHARE_MAX: f64 = 0.25;

    let kept = &facts.site.protection.checkpoints_kept;
    if !kept.is_stated() {
        return;
    }
    let stores = facts.headroom.capacity.iter();
    let found = stores.filter_map(|limit| {
        let part = limit.parts.iter().find(|(role, _)| *role == "checkpoint")?;
        let bytes = part.1[0];
        let share = bytes.get() / limit.usable.get().max(1.0);
        (share > SHARE_MAX).then_some((limit, bytes, share))
    });
    for (limit, bytes, share) in found.take(1) {
        out.push(
            Finding::note(
                format!(
                    "{} kept checkpoints and their journals take {}, {} of {}",
                    kept.value,
                    bytes.estimated(),
                    Fraction::new(share).estimated(),
                    limit.store
                ),
                "keep fewer on the machine (KEEPCKPS, KEEPJNLS), and copy them to another store each night",
                vec![
                    Evidence::answer("protection.checkpoints_kept", kept, kept.value),
                    Evidence::new("SDP", "the package keeps seven, and more elsewhere"),
                ],
            )
            .costing(1.0),
        );
    }
}

fn few_inodes(facts: &Facts<'_>) -> Option<Finding> {
    let mount = facts.deployment.mount("depot")?;
    let filesystem = facts.catalog.filesystems.get(mount.filesystem.as_deref()?)?;
    let an_inode = filesystem.bytes_per_inode.as_ref()?.value;
    let (depot, revisions) = (&facts.site.data.depot_size, &facts.site.data.revisions);
    let file = depot.value.get() / revisions.value.max(1.0);
    if file >= an_inode.get() {
        return None;
    }
    let name = &filesystem.entry.name;
    Some(
        Finding::warning(
            Said::from(format!(
                "an archive file has {} on average, and {name} makes an inode for each {an_inode}",
                Bytes::new(file).estimated()
            ))
            .detail(format!(
                "{} of them are used up before the \
                 volume is full",
                about_count(depot.value.get() / an_inode.get())
            )),
            Said::from("format the depots with XFS, or with mkfs.ext4 -T news").then("look at df -i"),
            vec![
                Evidence::answer("data.depot_size", depot, depot.value),
                Evidence::answer("data.revisions", revisions, grouped(revisions.value)),
                Evidence::new("EXTDOC", "inodes are made when the filesystem is, one for each 16 KiB"),
            ],
        )
        .costing(facts.standstill(4.0, 0.2))
        .unless(facts.unstated(&["depot"], &[Part::Filesystem])),
    )
}

fn default_free_space_limits(facts: &Facts<'_>) -> Option<Finding> {
    const NAMES: [&str; 4] = ["filesys.P4ROOT.min", "filesys.P4JOURNAL.min", "filesys.P4LOG.min", "filesys.depot.min"];

    let sign = facts.seen("default-free-space-limits")?;
    let lines = NAMES.iter().filter_map(|name| {
        let value = facts.setting("p4-configure", name)?;
        Some(format!("p4 configure set {name}={value}"))
    });
    let lines: Vec<String> = lines.collect();
    let (stops, action) = if lines.is_empty() {
        let release = facts.site.server.release.value;
        (
            "p4d goes on until a volume is full",
            Said::from("alert while a tenth of each volume is free")
                .detail(format!("release {release} lacks filesys.*.min, which came with 2011.1")),
        )
    } else {
        ("p4d stops at 250 MB of free space, which one large submit fills", format!("run {}", lines.join(", ")).into())
    };
    let depot = &facts.site.data.depot_growth;
    Some(
        Finding::warning(
            Said::from(stops).then("a journal that breaks off is lost work"),
            action,
            vec![
                sign,
                Evidence::answer("data.depot_growth", depot, depot.value),
                Evidence::new("P4HELP", "filesys.*.min is 250 MB by default"),
            ],
        )
        .costing(facts.standstill(4.0, 0.1)),
    )
}

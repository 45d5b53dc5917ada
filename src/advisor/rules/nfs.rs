//! Volumes on exports: what may lie there, and how it is mounted.

use super::{Busy, Check, Evidence, Facts, Finding, Part, Said, Severity, WORKDAYS, lie, words};
use crate::catalog::{Access, Called};
use crate::system::ResourceKind;
use crate::units::{Seconds, grouped};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("PLC001", Once(db_on_nfs)),
    ("PLC002", Once(journal_on_nfs)),
    ("PLC003", Once(single_client_mount_options)),
    ("PLC004", Once(log_on_nfs_at_high_level)),
    ("PLC006", Once(nfsv4_no_local_lock)),
    ("PLC010", Each(soft_mount)),
    ("PLC011", Each(synchronous_mount)),
    ("PLC012", Each(unpinned_nfs_version)),
    ("PLC017", Once(split_of_iscsi)),
    ("STO002", Once(busy_nfs_slots)),
];

fn split_of_iscsi(facts: &Facts<'_>) -> Option<Finding> {
    let (db, depot) = (facts.deployment.mount("db")?, facts.on_export("depot")?);
    if db.protocol != "iscsi" {
        return None;
    }
    let [db, depot] = [db, depot].map(|mount| facts.catalog.protocols.called(&mount.protocol));
    let equal = "the model has both equal";
    Some(
        Finding::note(
            Said::from(format!("whether depots on {db} too would be faster than on {depot} is not modelled"))
                .detail(format!("{equal}, and in two published tests all on {db} was the faster")),
            "choose by what is easier to run, or measure both (plimsoll bench) before you buy for speed",
            vec![
                Evidence::new("N13-order-browse", "iSCSI before a split of iSCSI and NFS"),
                Evidence::new("N13-order-sync", "the same of syncs"),
                Evidence::new("model", equal),
            ],
        )
        .costing(1.0)
        .unless(facts.unstated(&["db", "depot"], &[Part::Store])),
    )
}

fn db_on_nfs(facts: &Facts<'_>) -> Option<Finding> {
    let mount = facts.on_export("db")?;
    let local = facts.options_of(mount).filter(|o| o.removes.contains(&"lock"));
    let unknown = facts.unstated(&["db"], &[Part::MountOptions]);
    let (severity, locks) = match local {
        _ if unknown.is_some() => (Severity::Warning, "mount options not stated".to_owned()),
        Some(option) => (Severity::Warning, format!("mounted {}", option.options)),
        None => (Severity::Critical, "with locks over the network".to_owned()),
    };
    let beside = facts.on_export("journal").is_some_and(|journal| journal.shares_disks(mount));
    let roles: &[&'static str] = if beside { &["db", "journal"] } else { &["db"] };
    let hold = Seconds::new(facts.largest_commit).estimated();
    let files = grouped(facts.site.workload.largest_submit_files.value);
    Some(
        Finding::new(
            severity,
            Said::from(format!(
                "{} on {} over {}, {locks}",
                lie(roles),
                facts.array_name(mount),
                facts.protocol_name(mount)
            ))
            .then(format!("other users then wait {hold} for a submit of {files} files (estimate)")),
            if facts.is_rented(mount) {
                Said::from("move database, journal and log to block volumes of the provider")
                    .then("depots may stay on the file service")
            } else {
                off_exports(facts)
            },
            vec![
                facts.measured("N08-submit-nfs", "commit-rate"),
                facts.measured("N08-submit-fcp", "commit-rate"),
                facts.measured("P17-branchsubmit-fb", "commit"),
                facts.measured("P17-branchsubmit-ssd", "commit"),
                Evidence::new("SAG-nfs", "file locks over NFS are slow; local disks or a SAN are advised"),
            ],
        )
        .costing(facts.standstill(facts.largest_commit / 3600.0, WORKDAYS) + facts.slowed(0.01))
        .about([mount.set_name(facts.catalog).name])
        .unless(facts.unstated(roles, &[Part::Store])),
    )
}

/// Where database, journal and log go from an export, of what the site allows.
fn off_exports(facts: &Facts<'_>) -> Said {
    let allowed = &facts.site.infrastructure.protocols.value;
    let allows = |local: bool| {
        allowed.iter().any(|id| {
            let protocol = facts.catalog.protocols.get(id);
            protocol.is_some_and(|p| match p.access {
                Access::Local => local,
                Access::Block => !local,
                _ => false,
            })
        })
    };
    let to = match (allows(true), allows(false)) {
        (true, true) => "disks of the server or to LUNs",
        (true, false) => "disks of the server",
        (false, true) => "LUNs",
        (false, false) => {
            return Said::from("export it to the p4d host alone, with locks kept in the host").then(
                "infrastructure.protocols allows file protocols alone: with local in it, drives of the server are compared too",
            );
        }
    };
    Said::from(format!("move database, journal and log to {to}")).then("depots may stay on the export")
}

fn journal_on_nfs(facts: &Facts<'_>) -> Option<Finding> {
    let mount = facts.on_export("journal")?;
    let journal = facts.sizes.iter().find(|s| s.role == "journal");
    let size = journal.map_or(String::new(), |s| format!(" of {}", s.data_at_horizon.estimated()));
    Some(
        Finding::warning(
            Said::from(format!("the journal lies on {} over {}", facts.array_name(mount), facts.protocol_name(mount)))
                .then("it is written while locks are held, so all changes wait for its round trips"),
            format!("put the journal on a volume{size} on the server's disks or on a LUN"),
            vec![
                Evidence::new("P17-journal-nfs", "the journal on NFS has a considerable overhead"),
                Evidence::new(
                    "N13-order-branchsubmit",
                    "with the journal moved to iSCSI, the split layout commits as fast as block storage",
                ),
                Evidence::new("SAG-nfs", "with the journal on NFS all operations are slower"),
            ],
        )
        .costing(facts.slowed(0.005))
        .about([mount.set_name(facts.catalog).name])
        .unless(facts.unstated(&["journal"], &[Part::Store])),
    )
}

fn single_client_mount_options(facts: &Facts<'_>) -> Option<Finding> {
    let d = facts.deployment;
    let mut volumes: Vec<String> = Vec::new();
    let mut roles: Vec<&'static str> = Vec::new();
    let mut clients = 1;
    for mount in &d.volumes {
        let option = facts.options_of(mount);
        let Some(option) = option.filter(|o| o.requires.contains(&"single-client")) else {
            continue;
        };
        if d.shared_depot && mount.roles.contains(&"depot") {
            clients = d.servers();
        }
        roles.extend(&mount.roles);
        volumes.push(format!("{} with {}", words(&mount.roles), option.options));
    }
    if volumes.is_empty() {
        return None;
    }
    Some(
        Finding::new(
            if clients > 1 { Severity::Critical } else { Severity::Warning },
            if clients > 1 {
                Said::from(format!(
                    "{clients} servers mount volumes with options that are safe for 1 client only, which corrupts data"
                ))
                .detail(volumes.join("; "))
            } else {
                Said::from("some mount options are safe only while 1 client mounts the volume")
                    .then(format!("a second one corrupts data: {}", volumes.join("; ")))
            },
            "export the volume to the p4d host alone, and never mount workspaces or shared data with these options",
            vec![
                facts.measured("N13-nfs-safety", "clients"),
                facts.measured("N13-mount-both", "elapsed"),
                facts.measured("N13-mount-default", "elapsed"),
                Evidence::new("NFS5", "locks stay in the client and opens do not look for changes"),
            ],
        )
        .costing(facts.standstill(16.0, 0.02))
        .unless(facts.unstated(&roles, &[Part::MountOptions])),
    )
}

fn log_on_nfs_at_high_level(facts: &Facts<'_>) -> Option<Finding> {
    /// From here on N13-best puts logs on block storage.
    const LEVEL_MIN: f64 = 3.0;

    let level = &facts.site.server.log_level;
    let mount = facts.on_export("log").filter(|_| level.value >= LEVEL_MIN)?;
    Some(
        Finding::note(
            Said::from(format!(
                "the server log is written at level {} to {} over {}",
                level.value,
                facts.array_name(mount),
                facts.protocol_name(mount)
            ))
            .then("if the export stalls, the server stalls"),
            "put the log on a volume on the server's disks or on a LUN, and keep its level",
            vec![
                facts.measured("N13-best", "log-level-for-block"),
                Evidence::new("P17-journal-nfs", "no noticeable cost at level 3 on an all-flash filer"),
                Evidence::answer("server.log_level", level, level.value),
            ],
        )
        .unless(facts.unstated(&["log"], &[Part::Store])),
    )
}

fn nfsv4_no_local_lock(facts: &Facts<'_>) -> Option<Finding> {
    let on_four = |role: &&str| {
        let mount = facts.on_export(role);
        let version = mount.and_then(|mount| facts.nfs_version(mount));
        version.is_some_and(|version| version >= 4.0)
    };
    let roles: Vec<&'static str> = ["db", "journal"].into_iter().filter(on_four).collect();
    let sets: Vec<String> =
        roles.iter().filter_map(|role| Some(facts.deployment.mount(role)?.set_name(facts.catalog).name)).collect();
    let mount = roles.first().and_then(|role| facts.deployment.mount(role))?;
    Some(
        Finding::warning(
            format!(
                "{} on {}, where each lock costs 2 round trips that no mount option saves",
                lie(&roles),
                facts.protocol_name(mount)
            ),
            Said::from("use block storage")
                .then("else NFS version 3, exported to one client, with nocto,local_lock=all"),
            vec![
                Evidence::new("NFS5", "local_lock and nolock are options of versions 2 and 3 only"),
                facts.measured("N13-mount-default", "elapsed"),
                facts.measured("N13-mount-both", "elapsed"),
            ],
        )
        .costing(facts.slowed(0.004))
        .about(sets)
        .unless(facts.unstated(&roles, &[Part::Store])),
    )
}

fn soft_mount(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for (mount, options) in facts.stated_options() {
        let soft = options.iter().find(|o| matches!(**o, "soft" | "softerr"));
        let Some(soft) = soft else {
            continue;
        };
        out.push(
            Finding::critical(
                Said::from(format!("{} on {}, mounted {soft}", words(&mount.roles), facts.array_name(mount)))
                    .detail("writes that the filer does not answer in time are lost, and 1 lost page damages a table"),
                "mount it hard (remove the option from /etc/fstab), and check the tables with p4d -r P4ROOT -xv",
                vec![
                    Evidence::new("NFS5", "soft can cause silent data corruption"),
                    facts.measured("N08-mount", "nfsvers"),
                ],
            )
            .costing(facts.standstill(16.0, 0.2)),
        );
    }
}

fn synchronous_mount(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    const SLOW: [&str; 3] = ["sync", "noac", "discard"];

    for (mount, options) in facts.stated_options() {
        let found: Vec<&str> = options.into_iter().filter(|o| SLOW.contains(o)).collect();
        if found.is_empty() {
            continue;
        }
        out.push(
            Finding::warning(
                format!(
                    "{} mounted {}: {} of its options make writes wait one by one",
                    words(&mount.roles),
                    found.join(","),
                    found.len()
                ),
                Said::from("remove these options from /etc/fstab")
                    .then("for flash run systemctl enable --now fstrim.timer"),
                vec![
                    Evidence::new("NFS5", "sync and noac force each write"),
                    Evidence::new("XFSDOC", "fstrim at intervals in place of discard"),
                ],
            )
            .costing(facts.slowed(0.005)),
        );
    }
}

fn unpinned_nfs_version(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    for (mount, options) in facts.stated_options() {
        let pinned = |o: &&str| ["vers=", "nfsvers=", "v3", "v4"].iter().any(|p| o.starts_with(p));
        let Some(version) = facts.nfs_version(mount) else {
            continue;
        };
        if options.iter().any(pinned) {
            continue;
        }
        out.push(
            Finding::note(
                Said::from(format!(
                    "{} on {} is mounted without an NFS version",
                    words(&mount.roles),
                    facts.array_name(mount)
                ))
                .then("the client asks for 4.2 first"),
                format!("add vers={version} to its options in /etc/fstab"),
                vec![Evidence::new("NFS5", "without vers= the client tries the latest version first")],
            )
            .costing(1.0),
        );
    }
}

fn busy_nfs_slots(facts: &Facts<'_>) -> Option<Finding> {
    /// Above it requests wait for a slot often enough to be noticed: the knee of a multi-server queue with
    /// tens of servers lies near 0.7 to 0.8 (LAZOWSKA1984); the lower end, since bursts are not modelled.
    const UTILIZATION_MAX: f64 = 0.7;

    let kinds = [ResourceKind::Slots, ResourceKind::Connections];
    let Busy { words: busy, evidence, resources } = facts.busier(&kinds, UTILIZATION_MAX)?;
    Some(
        Finding::warning(
            Said::from("the NFS client runs short of request slots or connections")
                .detail(busy)
                .then("requests then wait even if the filer is idle"),
            "mount with nconnect=8 or more (Linux 5.3), or raise sunrpc.tcp_slot_table_entries",
            vec![
                evidence,
                Evidence::new("LINUXNFS", "16 slots a connection before about Linux 2.6.39"),
                Evidence::new("NFS5", "nconnect opens up to 16 connections"),
            ],
        )
        .costing(facts.loaded(0.002))
        .unless(facts.unstated_behind(&resources))
        .about(resources.iter().map(|r| &r.name)),
    )
}

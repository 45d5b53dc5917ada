//! What lies beside what.

use super::{Busy, Check, Evidence, Facts, Finding, Part, Said, Severity, words};
use crate::advisor::safety::{shared_limit, shared_set};
use crate::catalog::Called;
use crate::site::SYSTEM_DISK;
use crate::system::{LOCAL_DISKS, ResourceKind};
use crate::units::{Fraction, about_count, grouped};

use Check::Once;

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("PLC005", Once(shared_spindles)),
    ("PLC007", Once(journal_beside_db)),
    ("PLC008", Once(shared_storage)),
    ("PLC009", Once(shared_paths)),
    ("PLC013", Once(access_times)),
    ("PLC016", Once(temporary_files)),
];

fn shared_spindles(facts: &Facts<'_>) -> Option<Finding> {
    let db = facts.deployment.mount("db")?;
    let medium = facts.catalog.media.get(&db.medium);
    if medium.is_none_or(|m| m.kind != "disk") {
        return None;
    }
    let mut others = facts.roles_beside(db);
    others.retain(|role| matches!(*role, "depot" | "checkpoint"));
    if others.is_empty() {
        return None;
    }
    Some(
        Finding::warning(
            Said::from(format!("the database shares {} with {}", facts.drives_in_words(db), words(&others)))
                .then("syncs and checkpoints slow its random reads"),
            "give the database disks of its own, or flash",
            vec![
                facts.measured("E07-standard", "db-disks"),
                Evidence::new("N13-best", "a volume each for database, depots, journal and logs"),
            ],
        )
        .costing(facts.loaded(0.002))
        .unless(facts.unstated(&["db"], &[Part::Store, Part::Roles, Part::Medium])),
    )
}

fn temporary_files(facts: &Facts<'_>) -> Option<Finding> {
    let answer = facts.site.today.temp.as_ref()?;
    let beside = match answer.value.as_str() {
        SYSTEM_DISK => "the disk of the operating system".to_owned(),
        role @ ("db" | "journal") => {
            let mount = facts.deployment.mount(role)?;
            format!("the volume for {}", words(&mount.roles))
        }
        _ => return None,
    };
    if !facts.is_there {
        return None;
    }
    Some(
        Finding::note(
            Said::from(format!("p4d's temporary files lie on {beside}"))
                .then("p4d refuses commands while that has less free space than filesys.TEMP.min"),
            "set TEMP in the environment of p4d to a folder on the volume for the log, and restart p4d",
            vec![
                Evidence::answer("today.temp", answer, &answer.value),
                Evidence::new("P4CONF", "filesys.TEMP.min: commands are refused below it"),
                Evidence::new("SDP", "the package keeps temporary files with the logs"),
            ],
        )
        .costing(1.0),
    )
}

fn journal_beside_db(facts: &Facts<'_>) -> Option<Finding> {
    let d = facts.deployment;
    let (Some(db), Some(journal)) = (d.mount("db"), d.mount("journal")) else {
        return None;
    };
    if !db.shares_disks(journal) {
        return None;
    }
    let rpo = &facts.site.protection.rpo;
    let many = shared_set(facts.site, facts.catalog, d);
    let mut evidence = vec![
        Evidence::new("N13-best", "a volume each for database, depots, journal and logs"),
        Evidence::new("SAG", "the journal on a device of its own"),
    ];
    if rpo.is_stated() {
        evidence.push(Evidence::answer("protection.rpo", rpo, rpo.value));
    }
    if let Some(shared) = &many {
        let limit = shared_limit();
        let text = format!("{} people, and up to {limit} are a small site (assumed)", shared.people);
        evidence.push(Evidence::new("people.developers", text));
    }
    Some(
        Finding::new(
            if many.is_some() { Severity::Critical } else { Severity::Note },
            Said::from(format!("database and journal lie on one set of disks ({})", facts.drives_in_words(db)))
                .then("if it fails, all work since the last copy elsewhere is lost"),
            "put the journal on a mirror of its own, or run a standby that receives the journal",
            evidence,
        )
        .costing(facts.standstill(16.0, 0.02))
        .unless(facts.unstated(&["db", "journal"], &[Part::Roles])),
    )
}

fn shared_storage(facts: &Facts<'_>) -> Option<Finding> {
    let dedicated = &facts.site.infrastructure.dedicated;
    let devices = facts.deployment.devices();
    let outside: Vec<&str> = devices.into_iter().filter(|d| *d != LOCAL_DISKS).collect();
    if dedicated.value || outside.is_empty() {
        return None;
    }
    let share = facts.calibration.parameter("shared.share").map_or(0.0, |p| p.value.value);
    Some(
        Finding::note(
            Said::from(format!(
                "other systems share {}",
                outside.iter().map(|id| facts.catalog.arrays.called(id)).collect::<Vec<_>>().join(" and ")
            ))
            .then(format!(
                "they are assumed to use {} of {} at the peak, and a higher share makes Perforce slower",
                Fraction::new(share),
                if outside.len() > 1 { "them" } else { "it" }
            )),
            "ask for their load at the peak, and reserve disks or a quality of service",
            vec![
                Evidence::answer("infrastructure.dedicated", dedicated, dedicated.value),
                facts.measured("N13-questions", "questions"),
            ],
        )
        .unless(facts.unstated(&["db", "depot"], &[Part::Store])),
    )
}

fn shared_paths(facts: &Facts<'_>) -> Option<Finding> {
    /// At it a queue's mean wait is as long as the service (LAZOWSKA1984).
    const BUSY_MAX: f64 = 0.5;

    let d = facts.deployment;
    let (Some(db), Some(depot)) = (d.mount("db"), d.mount("depot")) else {
        return None;
    };
    if db.is_local() || db.device != depot.device || db.network != depot.network {
        return None;
    }
    let kinds = [ResourceKind::Ports, ResourceKind::StorageNetwork, ResourceKind::Connections];
    let Busy { words: busy, evidence, resources } = facts.busier(&kinds, BUSY_MAX)?;
    let (action, source, shows) = if facts.is_rented(db) {
        (
            "take an instance with more bandwidth to its volumes, or put the depots on the provider's file service and keep db, journal and log on block volumes",
            "EBSDOC",
            "an instance has one cap for all its volumes",
        )
    } else {
        (
            "give database and journal ports and a network of their own, or put them on drives of the server",
            "N13-hardware",
            "storage and clients on networks of their own",
        )
    };
    Some(
        Finding::warning(
            Said::from(format!(
                "reads of the database queue behind large syncs on one path to {}",
                facts.array_name(db)
            ))
            .detail(busy),
            action,
            vec![evidence, Evidence::new(source, shows)],
        )
        .costing(facts.loaded(0.002))
        .unless(facts.unstated(&["db", "depot"], &[Part::Store]))
        .about(resources.iter().map(|r| &r.name)),
    )
}

fn access_times(facts: &Facts<'_>) -> Option<Finding> {
    let sign = facts.seen("access-times");
    let strict = |o: &&str| matches!(*o, "strictatime" | "atime");
    let stated = facts.stated_options().any(|(_, options)| options.iter().any(&strict));
    if sign.is_none() && !stated {
        return None;
    }
    let files = &facts.site.data.workspace_files;
    let mut evidence = vec![
        Evidence::answer("data.workspace_files", files, grouped(files.value)),
        Evidence::new("E07-standard", "noatime on the server's filesystems"),
    ];
    evidence.extend(sign);
    Some(
        Finding::note(
            Said::from("each read writes the file's time of access")
                .detail(format!("a sync of {} files changes as many inodes", about_count(files.value))),
            "run mount -o remount,noatime PATH for each volume, and write noatime into /etc/fstab",
            evidence,
        )
        .costing(facts.slowed(0.0005)),
    )
}

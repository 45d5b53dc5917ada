//! Disks, arrays and file systems.

use super::memory::HIT_MIN;
use super::{Busy, Check, Evidence, Facts, Finding, Part, Said, Severity, lie, words};
use crate::advisor::candidates::{protocols_in_words, unused_arrays};
use crate::catalog::{Access, Array, Called, Catalog};
use crate::site::Site;
use crate::system::{Mount, ResourceKind};
use crate::units::Fraction;

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("STO001", Once(saturated_disks)),
    ("STO003", Each(unprotected_raid)),
    ("STO004", Once(unsafe_directories)),
    ("STO006", Each(unused_array)),
    ("STO007", Once(depots_on_cloud_volumes)),
    ("STO008", Once(database_on_disks)),
    ("STO009", Once(parity_under_database)),
    ("STO010", Once(database_on_copy_on_write)),
];

fn saturated_disks(facts: &Facts<'_>) -> Option<Finding> {
    let kinds = [ResourceKind::Disks, ResourceKind::Stream, ResourceKind::Ports];
    let Busy { words: busy, evidence, resources } = facts.busier(&kinds, UTILIZATION_MAX)?;
    let is_rented = facts.deployment.volumes.iter().any(Mount::is_cloud);
    let action = if is_rented {
        Said::from("buy more operations and bandwidth for the volumes, up to what the instance has for all of them")
            .then(
                "then a larger instance, or memory \
         so that fewer reads miss",
            )
    } else {
        "use more or faster disks, add memory so that fewer reads miss, or put proxies beside builds".into()
    };
    Some(
        Finding::warning(
            Said::from("storage is close to saturation").detail(busy).then("requests wait longer than they are served"),
            action,
            vec![
                evidence,
                Evidence::new("LAZOWSKA1984", "residence time S / (1 - U) at a single server"),
                facts.measured("E07-sync-busy", "elapsed"),
            ],
        )
        .costing(facts.loaded(0.005))
        .unless(facts.unstated_behind(&resources))
        .about(resources.iter().map(|r| &r.name)),
    )
}

/// Above it a request takes more than 3.3 times its service time at a single server (LAZOWSKA1984).
pub(in crate::advisor) const UTILIZATION_MAX: f64 = 0.7;

fn unprotected_raid(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// Fewest failed disks that a volume has to survive.
    const FAILURES_MIN: f64 = 1.0;

    for mount in &facts.deployment.volumes {
        let Some(raid) = facts.catalog.raid.get(&mount.raid) else {
            continue;
        };
        let tolerated = raid.failures_tolerated.value;
        // A provider's volumes and objects have their copies below.
        let has_copies = mount.is_cloud() || mount.is_object(facts.catalog);
        if has_copies || tolerated >= FAILURES_MIN {
            continue;
        }
        out.push(
            Finding::critical(
                Said::from(format!("{} on {} disks in {}", lie(&mount.roles), mount.disks, raid.entry.name))
                    .then("the first failed disk loses the data"),
                "use RAID 10 for the database, RAID 1 for journal and log, RAID 6 or RAID-DP for depots",
                vec![
                    Evidence::new("RAIDBOOK", format!("{} tolerates {tolerated} failed disks", raid.entry.name)),
                    facts.measured("E07-standard", "db-disks"),
                ],
            )
            .costing(facts.standstill(16.0, 0.2))
            .unless(facts.unstated(&mount.roles, &[Part::Store, Part::Raid])),
        );
    }
}

fn unsafe_directories(facts: &Facts<'_>) -> Option<Finding> {
    /// Filesystems that Z09-commit warns of and that are not recommended for archives today.
    const FILESYSTEMS: [&str; 2] = ["ext3", "reiserfs"];

    let mount = facts.deployment.mount("depot");
    let id = mount.and_then(|m| m.filesystem.as_deref())?;
    let filesystem = facts.catalog.filesystems.get(id)?;
    if filesystem.crash_safe_directories || !FILESYSTEMS.contains(&id) {
        return None;
    }
    let name = &filesystem.entry.name;
    Some(
        Finding::note(
            Said::from(format!("the depots lie on {name}, which may lose the last directory updates in a crash"))
                .then("submitted files are then missing"),
            "use XFS for the depots, and run p4 verify after each crash",
            vec![
                Evidence::new("Z09-commit", "Linux updates directories asynchronously, which risks data"),
                Evidence::new("P4FS", "XFS is what Perforce recommends on Linux"),
            ],
        )
        .unless(facts.unstated(&["depot"], &[Part::Filesystem])),
    )
}

fn database_on_copy_on_write(facts: &Facts<'_>) -> Option<Finding> {
    /// Device writes for one forced page, above which commands wait noticeably longer than on the usual filesystems.
    const WRITES_MAX: f64 = 2.0;

    let is_slow = |role: &&'static str| {
        let mount = facts.deployment.mount(role);
        let filesystem = mount.and_then(|m| m.filesystem.as_deref()).and_then(|id| facts.catalog.filesystems.get(id));
        filesystem.is_some_and(|fs| fs.copy_on_write && fs.forced_page_writes.value > WRITES_MAX)
    };
    let roles: Vec<&str> = ["db", "journal"].into_iter().filter(is_slow).collect();
    let mount = facts.deployment.mount(roles.first()?)?;
    let filesystem = &facts.catalog.filesystems[mount.filesystem.as_deref()?];
    let (name, writes) = (&filesystem.entry.name, filesystem.forced_page_writes.value);
    Some(
        Finding::warning(
            Said::from(format!("{} on {name}, which copies on write", lie(&roles)))
                .detail(format!("a page that is forced to disk takes {writes} times as long as on XFS or ext4"))
                .then("every command that writes waits for it"),
            "put database and journal on XFS",
            vec![
                Evidence::new("BENCH2026", format!("forced writes measured on {name}, ext4 and XFS")),
                Evidence::new("P4FS", "XFS is what Perforce recommends on Linux"),
            ],
        )
        .costing(facts.loaded(0.005))
        .unless(facts.unstated(&roles, &[Part::Filesystem])),
    )
}

fn unused_array(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let (storage, protocols) = (&facts.site.infrastructure.storage, &facts.site.infrastructure.protocols);
    let allowed = protocols_in_words(facts.catalog, &protocols.value);
    out.extend(unserved_protocols(facts));
    // What nobody stated is not missed.
    let is_stated = |array: &String| storage.is_stated() || facts.site.equipment.iter().any(|own| own.id == *array);
    let unused = unused_arrays(facts.site, facts.catalog).into_iter();
    for (array, reason) in unused.filter(|(array, _)| is_stated(array)) {
        out.push(Finding::warning(
            Said::from(format!("no layout can use {}", facts.catalog.arrays.called(&array))).detail(reason.as_str()),
            "allow one of its protocols in infrastructure.protocols, or remove it from infrastructure.storage",
            vec![
                Evidence::answer("infrastructure.protocols", protocols, allowed.clone()),
                Evidence::new("model", format!("models/arrays/{array}.toml: {reason}")),
            ],
        ));
    }
}

/// Stated protocols that no storage of the site serves, in a sentence, and whether these are all that are stated: the answer changes
/// nothing.
pub(crate) fn unserved(site: &Site, catalog: &Catalog) -> Option<(Said, bool)> {
    let infrastructure = &site.infrastructure;
    let (storage, protocols) = (&infrastructure.storage, &infrastructure.protocols);
    let arrays = storage.value.iter();
    let arrays: Vec<&Array> = arrays.filter_map(|id| catalog.arrays.get(id)).collect();
    let is_unserved = |id: &String| {
        let protocol = catalog.protocols.get(id);
        let is_local = protocol.is_some_and(|p| p.access == Access::Local);
        !is_local && !arrays.iter().any(|array| array.protocols.contains(id))
    };
    let unserved = protocols.value.iter().filter(|id| is_unserved(id));
    let unserved: Vec<String> = unserved.cloned().collect();
    if unserved.is_empty() || !protocols.is_stated() {
        return None;
    }
    let names = protocols_in_words(catalog, &unserved);
    let there: Vec<&str> = arrays.iter().map(|array| array.entry.name.as_str()).collect();
    let allowed = match (unserved.len(), protocols.value.len()) {
        (1, 1) => "the 1 protocol that it allows".to_owned(),
        (some, all) if some == all => format!("the {all} protocols that it allows"),
        (some, all) => format!("{some} of {all} protocols that it allows"),
    };
    let said = Said::from(format!("no storage of this site serves {names}, {allowed}: the answer is set aside"));
    let said = match there.as_slice() {
        [] => said,
        there => said.detail(format!("it has {}", there.join(", "))),
    };
    Some((said, unserved.len() == protocols.value.len()))
}

/// The same as a finding.
fn unserved_protocols(facts: &Facts<'_>) -> Option<Finding> {
    let infrastructure = &facts.site.infrastructure;
    let (storage, protocols) = (&infrastructure.storage, &infrastructure.protocols);
    Some(Finding::note(
        unserved(facts.site, facts.catalog)?.0,
        "name the storage in infrastructure.storage, or remove the protocol from infrastructure.protocols",
        vec![
            Evidence::answer(
                "infrastructure.protocols",
                protocols,
                protocols_in_words(facts.catalog, &protocols.value),
            ),
            Evidence::answer("infrastructure.storage", storage, storage.value.join(", ")),
        ],
    ))
}

fn depots_on_cloud_volumes(facts: &Facts<'_>) -> Option<Finding> {
    /// P4AWS's limit \[B\].
    const SIZE_MAX: f64 = 16e12;

    let mount = facts.deployment.mount("depot")?;
    let on_block = mount.is_cloud() || facts.is_rented(mount) && facts.on_export("depot").is_none();
    let size = facts.sizes.iter().find(|s| s.role == "depot").filter(|_| on_block)?;
    if size.data_at_horizon.get() <= SIZE_MAX {
        return None;
    }
    let today = size.data.get() > SIZE_MAX;
    let depot = &facts.site.data.depot_size;
    Some(
        Finding::new(
            if today { Severity::Warning } else { Severity::Note },
            Said::from(format!(
                "depots of {} ({} at the horizon) lie on block volumes",
                depot.value,
                facts.site.size_estimated(size.data_at_horizon)
            ))
            .then(
                "above 16 TB these are joined volumes that share the instance's \
                 cap with the database and are paid in full",
            ),
            "put the depots on the provider's file service, and keep db, journal and log on block volumes (io2 or gp3)",
            vec![
                Evidence::answer("data.depot_size", depot, depot.value),
                Evidence::new("P4AWS", "above 16 TB of depots a file service"),
                Evidence::new("EBSDOC", "an instance has one cap for all its volumes"),
            ],
        )
        .costing(facts.slowed(0.002) + 100.0)
        .unless(facts.unstated(&["depot"], &[Part::Store])),
    )
}

fn database_on_disks(facts: &Facts<'_>) -> Option<Finding> {
    /// Disks that wait for each other (assumed).
    const BUSY_MAX: f64 = 0.3;

    let mount = facts.deployment.mount("db")?;
    let medium = facts.catalog.media.get(&mount.medium);
    if medium.is_none_or(|m| m.kind != "disk") {
        return None;
    }
    // Of the database's own set, not of the busiest one.
    let of_db = facts.prediction.resources.iter();
    let of_db: Vec<_> =
        of_db.filter(|r| r.resource.kind() == ResourceKind::Disks && r.resource.is_set_of(mount)).collect();
    let used = of_db.iter().map(|r| r.utilization).fold(0.0, f64::max);
    let hit = facts.memory.hit;
    if hit >= HIT_MIN && used <= BUSY_MAX {
        return None;
    }
    let db = &facts.site.data.db_size;
    let memory = facts.memory;
    let action = if memory.there >= memory.all {
        Said::from("put database and journal on flash").detail("mirrored NVMe drives")
    } else {
        Said::from("put database and journal on flash (mirrored NVMe drives)")
            .then(format!("then buy memory: {} hold the whole database", facts.memory_to_buy(memory.all)))
    };
    let others: Vec<&str> =
        facts.roles_beside(mount).into_iter().filter(|r| matches!(*r, "depot" | "checkpoint")).collect();
    let shared = if others.is_empty() { String::new() } else { format!(" with {}", words(&others)) };
    let waits = if hit >= HIT_MIN {
        // Its own pages are in memory: other work makes the disks busy.
        "commits wait for them with tables locked".to_owned()
    } else {
        format!(
            "commands hold locks while they wait for a disk, and {} of the page reads are found in memory",
            Fraction::new(hit).estimated()
        )
    };
    Some(
        Finding::warning(
            Said::from(format!(
                "the database ({}) lies{shared} on {} ({}), {} busy at the peak",
                db.value,
                facts.drives_in_words(mount),
                facts.catalog.media.called(&mount.medium),
                Fraction::new(used).estimated()
            ))
            .then(waits),
            action,
            vec![
                Evidence::answer("data.db_size", db, db.value),
                facts.measured("Z09-tiers", "disk-latency"),
                Evidence::new("model", format!("disks {} busy at the peak", Fraction::new(used).estimated())),
                Evidence::new("DISKPHYS", "half a turn and a seek for each page"),
            ],
        )
        .costing(facts.loaded(0.01 * (1.0 - hit) + 0.01 * used))
        .about(of_db.iter().map(|r| r.resource.name.as_str()))
        .unless(facts.unstated(&["db"], &[Part::Store, Part::Medium])),
    )
}

fn parity_under_database(facts: &Facts<'_>) -> Option<Finding> {
    /// More operations of a small write than a mirror's two.
    const WRITES_MAX: f64 = 2.0;

    let mount = facts.deployment.mount("db").filter(|m| m.is_local())?;
    let disk = facts.catalog.media.get(&mount.medium).is_some_and(|m| m.kind == "disk");
    let raid = facts.catalog.raid.get(&mount.raid);
    let writes = raid.map(|r| r.write_penalty.value).filter(|w| disk && *w > WRITES_MAX)?;
    Some(
        Finding::warning(
            Said::from(format!(
                "the database lies on {} disks in {}",
                mount.disks,
                facts.catalog.raid.called(&mount.raid)
            ))
            .detail(format!("a small write is {writes} operations, with locks held")),
            Said::from("move it to RAID 10, better to mirrored NVMe drives").then("parity serves the depots"),
            vec![
                Evidence::new("E07-standard", "RAID 10 for the database, RAID 5 for archives"),
                Evidence::new("RAIDBOOK", "a small write of parity RAID reads and writes data and parity"),
            ],
        )
        .costing(facts.loaded(0.003))
        .unless(facts.unstated(&["db"], &[Part::Store, Part::Medium, Part::Raid])),
    )
}

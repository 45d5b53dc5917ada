//! The system that is there: the site's `[today]` and `current_layout` as a deployment, with what nobody stated.

use crate::advisor::candidates::{self, Candidate, choices_for, filesystems, stores};
use crate::advisor::ranking::{Ranked, solve_all};
use crate::advisor::stores::Limit;
use crate::advisor::what_if::pairs;
use crate::advisor::{drives, stores as room};
use crate::calibration::Calibration;
use crate::catalog::layout::ROLES;
use crate::catalog::{Access, Catalog, Entry, Layout, Place, Protocol, Volume};
use crate::origin::{Origin, Sourced};
use crate::site::{Answer, Site, TodayVolume};
use crate::system::capacity::{self, RoleSize};
use crate::system::{CLOUD_DISKS, Choices, Deployment, LOCAL_DISKS, Mount, bind, role_in_words};
use crate::workload::{Load, from_site};

/// The id that stands in place of a layout's.
const ID: &str = "today";

/// The system that is there.
#[derive(Debug, Clone)]
pub struct System {
    /// What it is.
    pub deployment: Deployment,
    /// The layout that its volumes are.
    pub layout: Layout,
    /// What was chosen for it.
    pub choices: Choices,
    /// What it is asked to do at the peak.
    pub load: Load,
    /// Sizes of its volumes by role.
    pub sizes: Vec<RoleSize>,
    /// What no `[[today.volume]]` states, and where it is taken from.
    pub taken: Vec<Taken>,
    /// Whether nobody said what is there: everything on one volume is assumed.
    pub is_assumed: bool,
}

/// Something that nobody stated of the system that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Of what: "database, log".
    pub of: String,
    /// What: "drives".
    pub what: &'static str,
    /// What is taken, ids as they are.
    pub value: String,
    /// From where: an answer of the site, a file of the catalogue.
    pub from: String,
}

/// Why there is no system to begin with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSystem {
    /// It cannot be had so.
    #[error("today's system cannot be as it is stated: {0}")]
    Impossible(String),
}

/// Makes the system that is there of a site's answers.
pub fn system(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<System, NoSystem> {
    let load = load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let current = site.infrastructure.current_layout.as_ref();
    let base = current.and_then(|id| Some((id, catalog.layouts.get(&id.value)?)));
    let base = match base {
        None => None,
        Some((answer, layout)) => {
            let candidate = of_layout(site, catalog, calibration, layout, &load, &sizes)?;
            let from = format!(
                "the layout {} (infrastructure.current_layout, {})",
                answer.value, answer.origin
            );
            Some(Base {
                layout,
                candidate,
                from,
            })
        }
    };
    let stated = &site.today.volumes;
    let Some(base) = base else {
        if stated.is_empty() {
            let mut system = built(site, catalog, None, &[one_volume(site)], load, sizes)?;
            system.is_assumed = true;
            return Ok(system);
        }
        return built(site, catalog, None, stated, load, sizes);
    };
    if !stated.is_empty() {
        return built(site, catalog, Some(&base), stated, load, sizes);
    }
    let taken = base.candidate.deployment.volumes.iter();
    let taken = taken.map(|mount| Taken {
        of: words(&mount.roles),
        what: "the whole volume",
        value: mount.device.clone(),
        from: base.from.clone(),
    });
    Ok(System {
        is_assumed: false,
        taken: taken.collect(),
        layout: base.layout.clone(),
        deployment: base.candidate.deployment,
        choices: base.candidate.choices,
        load,
        sizes,
    })
}

/// What is assumed where nobody said what is there: everything on one volume of the storage that the site names first.
fn one_volume(site: &Site) -> TodayVolume {
    let storage = &site.infrastructure.storage;
    let first = storage.value.first().filter(|_| storage.is_stated());
    TodayVolume {
        roles: ROLES.map(str::to_owned).to_vec(),
        medium: None,
        array: first.map(|id| Answer {
            value: id.clone(),
            low: id.clone(),
            high: id.clone(),
            origin: storage.origin.clone(),
        }),
        protocol: None,
        drives: None,
        drive_size: None,
        raid: None,
        filesystem: None,
        mount_options: None,
    }
}

/// The load of today: with the threads of parallel syncs that are stated, which no release before 2014.1 has.
fn load(site: &Site) -> Load {
    let mut load = from_site::load(site);
    let stated = site.today.parallel_threads.as_ref();
    let has_any = site.server.release.value.parallel_syncs();
    if let Some(threads) = stated.filter(|_| has_any) {
        for group in &mut load.groups {
            if group.clients.are_large_syncs() {
                group.threads = threads.value.max(1.0);
            }
        }
    }
    load
}

/// The layout nearest to today's, as the site has it.
struct Base<'c> {
    layout: &'c Layout,
    candidate: Candidate,
    /// Where it is named.
    from: String,
}

impl Base<'_> {
    /// The volume that holds most of these roles, as the layout has it and as it is bound.
    fn like(&self, roles: &[&'static str]) -> Option<(&Volume, &Mount)> {
        let role = roles
            .iter()
            .find(|role| self.layout.volume(role).is_some())?;
        let mount = self.candidate.deployment.mount(role)?;
        Some((self.layout.volume(role)?, mount))
    }
}

/// The best that the site makes of a layout; for one that the site cannot build, what its own devices need.
fn of_layout(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    layout: &Layout,
    load: &Load,
    sizes: &[RoleSize],
) -> Result<Candidate, NoSystem> {
    let (own, _) = candidates::of_layout(site, catalog, layout);
    let Ranked { solved, failed, .. } =
        solve_all(site, catalog, calibration, own, load, sizes, &[]);
    let solved = solved.into_iter().map(|(solved, _)| solved.candidate);
    let failed = failed.into_iter().map(|(candidate, _)| candidate);
    if let Some(found) = solved.chain(failed).next() {
        return Ok(found);
    }
    let impossible = |reason: String| NoSystem::Impossible(reason);
    candidates::fixed(site, catalog, layout).map_err(|error| impossible(error.to_string()))
}

/// "database, log".
pub fn words(roles: &[&'static str]) -> String {
    let shown = roles.iter().filter(|role| **role != "offline_db");
    let shown: Vec<&str> = shown.map(|role| role_in_words(role)).collect();
    shown.join(", ")
}

/// The system of the volumes that are stated.
#[expect(
    clippy::too_many_lines,
    reason = "a layout with all its fields, and what is then bound to it"
)]
fn built(
    site: &Site,
    catalog: &Catalog,
    base: Option<&Base<'_>>,
    stated: &[TodayVolume],
    load: Load,
    sizes: Vec<RoleSize>,
) -> Result<System, NoSystem> {
    let mut taken = Vec::new();
    let mut volumes = Vec::new();
    let all = with_roles(stated, base, &mut taken);
    for (stated, roles) in &all {
        volumes.push(volume(site, catalog, base, stated, roles, &mut taken)?);
    }
    if let Some(base) = base {
        // What no volume states lies as the layout has it.
        for like in &base.layout.volumes {
            let is_stated = |role: &&'static str| all.iter().any(|(_, roles)| roles.contains(role));
            let rest: Vec<&'static str> = like
                .roles
                .iter()
                .copied()
                .filter(|r| !is_stated(r))
                .collect();
            if let Some(mount) = rest
                .first()
                .and_then(|r| base.candidate.deployment.mount(r))
            {
                taken.push(Taken {
                    of: words(&rest),
                    what: "the whole volume",
                    value: mount.device.clone(),
                    from: base.from.clone(),
                });
                volumes.push(Volume {
                    roles: rest,
                    device: Some(mount.device.clone()),
                    protocol: Some(mount.protocol.clone()),
                    filesystem: mount.filesystem.clone(),
                    ..like.clone()
                });
            }
        }
    }
    apart(&mut volumes);
    let mut choices = base.map_or_else(
        || choices_for(site, catalog),
        |base| base.candidate.choices.clone(),
    );
    choices.local = Some(local(site, &volumes, &choices));
    choices.filesystem = filesystem(site, catalog);
    let layout = Layout {
        entry: Entry {
            id: ID.to_owned(),
            title: "Today's system".to_owned(),
            ..Entry::default()
        },
        origin: Origin::Assumed {
            why: "stated as [today]".to_owned(),
        },
        edges: vec![choices.edges],
        edges_on_own_disks: base.is_some_and(|base| base.layout.edges_on_own_disks),
        shared_depot: base.is_some_and(|base| base.layout.shared_depot),
        proxies: base.is_some_and(|base| base.layout.proxies),
        reference: true,
        cache: base.and_then(|base| base.layout.cache.clone()),
        volumes,
    };
    let deployment = bind(catalog, &layout, &choices);
    let mut deployment = deployment.map_err(|error| NoSystem::Impossible(error.to_string()))?;
    name_sets(&mut deployment.volumes);
    let mut candidate = Candidate {
        deployment,
        choices,
    };
    drives::provision(site, catalog, &mut candidate, &sizes);
    let mut system = System {
        deployment: candidate.deployment,
        layout,
        choices: candidate.choices,
        load,
        sizes,
        taken,
        is_assumed: false,
    };
    for (stated, roles) in &all {
        system.as_stated(catalog, stated, roles);
        system.note_drives(site, stated, roles);
    }
    Ok(system)
}

impl System {
    /// The store that does not hold today's data, or else one that is full before the horizon, in words; `None` where
    /// there is room.
    pub fn space(&self, site: &Site, catalog: &Catalog) -> Option<String> {
        let limits = self.stores(site, catalog);
        let too_small = limits.iter().find_map(Limit::too_small_today);
        too_small.or_else(|| limits.iter().find_map(Limit::fills))
    }

    /// Its stores; none where nobody stated the size of a drive: nobody can say that they are full.
    pub(super) fn stores(&self, site: &Site, catalog: &Catalog) -> Vec<Limit> {
        let mut volumes = site.today.volumes.iter();
        if volumes.any(|volume| volume.drive_size.is_some()) {
            room::capacity(site, catalog, &self.deployment, &self.sizes)
        } else {
            Vec::new()
        }
    }

    /// Gives a volume what is stated of it and no layout can say.
    fn as_stated(&mut self, catalog: &Catalog, stated: &TodayVolume, roles: &[&'static str]) {
        let mounts = self.deployment.volumes.iter();
        let mut mounts = mounts.filter(|mount| roles.iter().any(|r| mount.roles.contains(r)));
        let Some(set) = mounts.next().map(|mount| mount.set.clone()) else {
            return;
        };
        for mount in self.deployment.volumes.iter_mut().filter(|m| m.set == set) {
            if let Some(drives) = &stated.drives {
                mount.disks = drives.value;
            }
            if let Some(size) = &stated.drive_size {
                mount.disk_bytes = size.value.get();
            }
            let is_mine = roles.iter().any(|role| mount.roles.contains(role));
            let protocol = catalog.protocols.get(&mount.protocol);
            let is_export = protocol.is_some_and(|p| p.access == Access::File);
            if is_mine && is_export {
                mount.stated_options.clone_from(&stated.mount_options);
            }
        }
    }

    /// Notes the drives of a volume that states none.
    fn note_drives(&mut self, site: &Site, stated: &TodayVolume, roles: &[&'static str]) {
        let mut mounts = self.deployment.volumes.iter();
        let mount = mounts.find(|m| roles.iter().any(|r| m.roles.contains(r)));
        let Some(mount) = mount.filter(|_| stated.drives.is_none()) else {
            return;
        };
        let from = if mount.is_local() {
            let disks = &site.server.local_disks;
            format!("server.local_disks = {} ({})", disks.value, disks.origin)
        } else {
            format!("models/arrays/{}.toml", mount.device)
        };
        self.taken.push(Taken {
            of: words(roles),
            what: "drives",
            value: format!("{}", mount.disks),
            from,
        });
    }
}

/// The volumes that are stated with all their roles: one that neither they nor a layout name lies beside the nearest.
fn with_roles<'s>(
    stated: &'s [TodayVolume],
    base: Option<&Base<'_>>,
    taken: &mut Vec<Taken>,
) -> Vec<(&'s TodayVolume, Vec<&'static str>)> {
    /// Where a role lies that nobody names: beside the first of these that somebody does.
    const BESIDE: [(&str, [&str; 3]); 5] = [
        ("offline_db", ["db", "journal", "depot"]),
        ("journal", ["db", "log", "depot"]),
        ("log", ["journal", "db", "depot"]),
        ("depot", ["checkpoint", "db", "journal"]),
        ("checkpoint", ["depot", "db", "journal"]),
    ];
    let known = |role: &String| ROLES.into_iter().find(|known| known == role);
    let mut all: Vec<(&TodayVolume, Vec<&'static str>)> = stated
        .iter()
        .map(|volume| (volume, volume.roles.iter().filter_map(known).collect()))
        .collect();
    if base.is_some() {
        return all;
    }
    for (role, beside) in BESIDE {
        if all.iter().any(|(_, roles)| roles.contains(&role)) {
            continue;
        }
        let place = beside.iter().find_map(|near| {
            let place = all.iter().position(|(_, roles)| roles.contains(near))?;
            Some((place, near))
        });
        let Some((place, near)) = place else { continue };
        all[place].1.push(role);
        // A copy of the database is nothing that a person places.
        if role != "offline_db" {
            taken.push(Taken {
                of: role_in_words(role).to_owned(),
                what: "place",
                value: format!("with the {}", role_in_words(near)),
                from: "assumed: no [[today.volume]] names it".to_owned(),
            });
        }
    }
    all
}

/// Store and protocol of a volume: as stated, as the site's answers have them, else as of the volume that it is `like`.
fn device(
    site: &Site,
    catalog: &Catalog,
    stated: &TodayVolume,
    like: Option<(&Mount, &String)>,
    take: &mut impl FnMut(&'static str, &str, &str),
) -> Result<(String, String), NoSystem> {
    let value = |answer: &Option<Answer<String>>| answer.as_ref().map(|a| a.value.clone());
    Ok(match (value(&stated.array), value(&stated.protocol)) {
        (Some(array), Some(protocol)) => (array, protocol),
        (Some(array), None) => {
            let protocol = spoken(site, catalog, &array).ok_or_else(|| {
                NoSystem::Impossible(format!("{array} serves no protocol that the site allows"))
            })?;
            take(
                "protocol",
                &protocol,
                &format!("models/arrays/{array}.toml"),
            );
            (array, protocol)
        }
        (None, Some(protocol)) if protocol != "local" => {
            let access = catalog.protocols.get(&protocol).map(|p| p.access);
            let access = access.unwrap_or(Access::File);
            let own = stores(site, catalog, access).into_iter();
            let mut all = own.chain(pairs(catalog, access));
            let found = all.find(|(_, spoken)| *spoken == protocol);
            let found = found.ok_or_else(|| {
                NoSystem::Impossible(format!("no array of the catalogue serves {protocol}"))
            })?;
            take("array", &found.0, "infrastructure.storage");
            found
        }
        (None, protocol) => match (&stated.medium, like) {
            (Some(medium), _) if medium.value.starts_with("cloud-") => {
                (CLOUD_DISKS.to_owned(), "local".to_owned())
            }
            (None, Some((mount, from))) if protocol.is_none() => {
                take("array", &mount.device, from);
                (mount.device.clone(), mount.protocol.clone())
            }
            _ => (LOCAL_DISKS.to_owned(), "local".to_owned()),
        },
    })
}

/// Where a volume lies, in the words of a layout.
fn place(device: &str, access: Option<Access>) -> Place {
    match device {
        LOCAL_DISKS => Place::Local,
        CLOUD_DISKS => Place::Cloud,
        _ => match access {
            Some(Access::File) => Place::File,
            Some(Access::Object) => Place::Object,
            _ => Place::Block,
        },
    }
}

/// A volume as it is stated; what is not is taken from the layout, else from the site's other answers.
fn volume(
    site: &Site,
    catalog: &Catalog,
    base: Option<&Base<'_>>,
    stated: &TodayVolume,
    roles: &[&'static str],
    taken: &mut Vec<Taken>,
) -> Result<Volume, NoSystem> {
    let value = |answer: &Option<Answer<String>>| answer.as_ref().map(|a| a.value.clone());
    let mut take = |what: &'static str, value: &str, from: &str| {
        taken.push(Taken {
            of: words(roles),
            what,
            value: value.to_owned(),
            from: from.to_owned(),
        });
    };
    let like = base.and_then(|base| Some((base.like(roles)?, &base.from)));
    let bound = like.map(|((_, mount), from)| (mount, from));
    let (device, protocol) = device(site, catalog, stated, bound, &mut take)?;
    let like = like.filter(|((_, mount), _)| mount.device == device);
    let is_local = device == LOCAL_DISKS;
    let access = catalog.protocols.get(&protocol).map(|p| p.access);
    let medium = value(&stated.medium).or_else(|| {
        let like = like.map(|((_, mount), from)| (mount.medium.clone(), from.clone()));
        let own = &site.server.local_medium;
        let own = || {
            (
                own.value.clone(),
                format!("server.local_medium ({})", own.origin),
            )
        };
        let (medium, from) = like.or_else(|| is_local.then(own))?;
        take("drives' kind", &medium, &from);
        Some(medium)
    });
    let raid = value(&stated.raid).or_else(|| {
        let like = like.map(|((_, mount), from)| (mount.raid.clone(), from.clone()));
        let own = || {
            let raid = catalog.arrays.get(&device)?.raid.clone();
            Some((raid, format!("models/arrays/{device}.toml")))
        };
        let (raid, from) = like.or_else(own)?;
        take("RAID level", &raid, &from);
        Some(raid)
    });
    let filesystem = value(&stated.filesystem)
        .filter(|_| access.is_none_or(Access::has_filesystem))
        .or_else(|| {
            if access.is_some_and(|access| !access.has_filesystem()) {
                return None;
            }
            let like = like.and_then(|((_, m), from)| Some((m.filesystem.clone()?, from.clone())));
            let (filesystem, from) = like.unwrap_or_else(|| {
                let from = "infrastructure.filesystems and operating_systems";
                (filesystem(site, catalog), from.to_owned())
            });
            take("filesystem", &filesystem, &from);
            Some(filesystem)
        });
    Ok(Volume {
        roles: roles.to_vec(),
        place: place(&device, access),
        mount_point: format!("/today/{}", roles.first().unwrap_or(&"data")),
        why: Sourced::new(
            "it lies there today".to_owned(),
            Origin::Assumed {
                why: "stated as [today]".to_owned(),
            },
        ),
        mount_options: stated.mount_options.as_ref().map(|options| {
            let protocol = catalog.protocols.get(&protocol);
            matching(protocol, options).unwrap_or_else(|| "defaults".to_owned())
        }),
        device: Some(device),
        protocol: Some(protocol),
        filesystem,
        raid,
        medium,
        disks: stated.drives.as_ref().map(|drives| drives.value),
        own_spindles: stated.drives.is_none()
            && like.is_some_and(|((volume, _), _)| volume.own_spindles),
    })
}

/// The first protocol of an array that the site allows, else the first that it speaks.
fn spoken(site: &Site, catalog: &Catalog, array: &str) -> Option<String> {
    let spoken = &catalog.arrays.get(array)?.protocols;
    let allowed = &site.infrastructure.protocols.value;
    let first = spoken.iter().find(|protocol| allowed.contains(protocol));
    first.or_else(|| spoken.first()).cloned()
}

/// The options of a protocol that save something and are all among those that are stated: the set with most of them.
fn matching(protocol: Option<&Protocol>, stated: &str) -> Option<String> {
    let stated: Vec<&str> = stated.split(',').map(str::trim).collect();
    let sets = protocol?.mount_options.iter();
    let sets = sets.filter(|set| !set.removes.is_empty());
    let sets = sets.filter(|set| set.options.split(',').all(|part| stated.contains(&part)));
    let most = sets.max_by_key(|set| (set.options.split(',').count(), set.removes.len()));
    most.map(|set| set.options.clone())
}

/// Volumes of the server's own drives that state no number and are of different kinds cannot share a set.
fn apart(volumes: &mut [Volume]) {
    let mut kinds: Vec<Option<String>> = Vec::new();
    for volume in volumes.iter().filter(|v| v.place == Place::Local) {
        if !kinds.contains(&volume.medium) {
            kinds.push(volume.medium.clone());
        }
    }
    if kinds.len() > 1 {
        for volume in volumes.iter_mut().filter(|v| v.place == Place::Local) {
            volume.own_spindles |= volume.disks.is_none();
        }
    }
}

/// The kind and the number of the server's own drives: those that volumes state, and for the others what the site says
/// beyond these, at least a pair for each set.
fn local(site: &Site, volumes: &[Volume], choices: &Choices) -> (String, f64) {
    const PAIR: f64 = 2.0;
    let own: Vec<&Volume> = volumes.iter().filter(|v| v.place == Place::Local).collect();
    let stated: f64 = own.iter().filter_map(|v| v.disks).sum();
    let mut open: Vec<String> = Vec::new();
    for volume in own.iter().filter(|v| v.disks.is_none()) {
        let set = if volume.own_spindles {
            volume.roles.join(" ")
        } else {
            format!("{:?}", volume.raid)
        };
        if !open.contains(&set) {
            open.push(set);
        }
    }
    let (medium, there) = choices.local.clone().unwrap_or_else(|| {
        let server = &site.server;
        (server.local_medium.value.clone(), server.local_disks.value)
    });
    let left = (there - stated).max(PAIR * open.len() as f64);
    let left = if open.is_empty() { 0.0 } else { left };
    (medium, stated + left)
}

/// The filesystem of a volume that states none: the site's first, XFS where it may be.
fn filesystem(site: &Site, catalog: &Catalog) -> String {
    const USUAL: &str = "xfs";
    let all = filesystems(site, catalog);
    let usual = all.iter().find(|id| *id == USUAL);
    let first = usual.or_else(|| all.iter().find(|id| *id != "zfs"));
    first
        .or_else(|| all.first())
        .map_or(USUAL, |id| id)
        .to_owned()
}

/// Names the sets of the server's own drives as people do: "local raid5" where there is one, else with what lies on it.
fn name_sets(volumes: &mut [Mount]) {
    let kind = |mount: &Mount| {
        if mount.is_local() {
            format!("local {}", mount.raid)
        } else {
            mount.medium.clone()
        }
    };
    let mut sets: Vec<(String, String, Vec<&'static str>)> = Vec::new();
    for mount in volumes.iter().filter(|mount| mount.is_private()) {
        match sets.iter_mut().find(|(set, ..)| *set == mount.set) {
            Some((.., roles)) => roles.extend(&mount.roles),
            None => sets.push((mount.set.clone(), kind(mount), mount.roles.clone())),
        }
    }
    let is_only = sets.len() == 1;
    for (set, kind, roles) in sets {
        let name = if is_only {
            kind
        } else {
            format!("{kind} for {}", words(&roles))
        };
        for mount in volumes.iter_mut().filter(|mount| mount.set == set) {
            mount.set.clone_from(&name);
        }
    }
}

/// Gives the drives that were added to a deployment what their volumes need at the horizon; what is there stays.
pub(super) fn provision_new(
    site: &Site,
    catalog: &Catalog,
    system: &System,
    deployment: &mut Deployment,
    new: &[String],
) {
    let mut larger = deployment.clone();
    room::provision(site, catalog, &mut larger, &system.sizes);
    for (mount, larger) in deployment.volumes.iter_mut().zip(larger.volumes) {
        if new.contains(&mount.set) {
            mount.disk_bytes = larger.disk_bytes;
            mount.disks = mount.disks.max(larger.disks);
        }
    }
    if system.deployment.offices != deployment.offices {
        deployment.office_volumes = larger.office_volumes;
    }
}

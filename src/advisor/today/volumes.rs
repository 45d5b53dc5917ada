//! The volumes of the system that is there: what is stated of each, and what it takes from a layout or another answer.

use super::system::{Base, NoSystem, Taken, words};
use crate::advisor::candidates::{filesystems, stores};
use crate::advisor::what_if::pairs;
use crate::catalog::layout::ROLES;
use crate::catalog::{Access, Called, Catalog, Class, Place, Protocol, Volume};
use crate::origin::{Origin, Sourced};
use crate::site::{Answer, Site, TodayVolume};
use crate::system::{Choices, LOCAL_DISKS, Mount, SetId, role_in_words};

/// The volumes that are stated with all their roles: one that neither they nor a layout name lies beside the nearest.
pub(super) fn with_roles<'s>(
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
    let mut all: Vec<(&TodayVolume, Vec<&'static str>)> =
        stated.iter().map(|volume| (volume, volume.roles.iter().filter_map(known).collect())).collect();
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

/// The volumes of a layout for roles that no volume states.
pub(super) fn unstated(
    catalog: &Catalog,
    base: &Base<'_>,
    stated: &[(&TodayVolume, Vec<&'static str>)],
    taken: &mut Vec<Taken>,
) -> Vec<Volume> {
    let is_stated = |role: &&'static str| stated.iter().any(|(_, roles)| roles.contains(role));
    let mut volumes = Vec::new();
    for like in &base.layout.volumes {
        let roles = like.roles.iter().copied();
        let rest: Vec<&'static str> = roles.filter(|role| !is_stated(role)).collect();
        let Some(mount) = rest.first().and_then(|role| base.candidate.deployment.mount(role)) else {
            continue;
        };
        taken.push(Taken {
            of: words(&rest),
            what: "the whole volume",
            value: catalog.arrays.called(&mount.device).to_owned(),
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
    volumes
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
                let array = catalog.arrays.called(&array);
                NoSystem::Impossible(format!("{array} serves no protocol that the site allows"))
            })?;
            take("protocol", catalog.protocols.called(&protocol), &format!("models/arrays/{array}.toml"));
            (array, protocol)
        }
        (None, Some(protocol)) if protocol != "local" => {
            let access = catalog.protocols.get(&protocol).map(|p| p.access);
            let access = access.unwrap_or(Access::File);
            let own = stores(site, catalog, access).into_iter();
            let mut all = own.chain(pairs(catalog, access));
            let found = all.find(|(_, spoken)| *spoken == protocol);
            let found = found.ok_or_else(|| {
                let protocol = catalog.protocols.called(&protocol);
                NoSystem::Impossible(format!("no array of the catalogue serves {protocol}"))
            })?;
            take("array", catalog.arrays.called(&found.0), "infrastructure.storage");
            found
        }
        (None, protocol) => match (&stated.medium, like) {
            (Some(medium), _) if catalog.provider_of(&medium.value).is_some() => {
                let provider = catalog.provider_of(&medium.value);
                let block = provider.map_or(LOCAL_DISKS, |provider| &provider.block);
                (block.to_owned(), "local".to_owned())
            }
            (None, Some((mount, from))) if protocol.is_none() => {
                take("array", catalog.arrays.called(&mount.device), from);
                (mount.device.clone(), mount.protocol.clone())
            }
            // The volumes of a provider are its own disks in the eyes of a server.
            _ => {
                let provider = catalog.provider_of(&site.server.local_medium.value);
                let block =
                    provider.filter(|_| stated.medium.is_none()).map_or(LOCAL_DISKS, |provider| &provider.block);
                (block.to_owned(), "local".to_owned())
            }
        },
    })
}

/// Where a volume lies, in the words of a layout.
fn place(device: &str, access: Option<Access>) -> Place {
    match device {
        LOCAL_DISKS => Place::Local,
        _ => match access {
            Some(Access::Local) => Place::Cloud,
            Some(Access::File) => Place::File,
            Some(Access::Object) => Place::Object,
            _ => Place::Block,
        },
    }
}

/// A volume as it is stated; what is not is taken from the layout, else from the site's other answers.
pub(super) fn volume(
    site: &Site,
    catalog: &Catalog,
    base: Option<&Base<'_>>,
    stated: &TodayVolume,
    roles: &[&'static str],
    taken: &mut Vec<Taken>,
) -> Result<Volume, NoSystem> {
    let value = |answer: &Option<Answer<String>>| answer.as_ref().map(|a| a.value.clone());
    let mut take = |what: &'static str, value: &str, from: &str| {
        taken.push(Taken { of: words(roles), what, value: value.to_owned(), from: from.to_owned() });
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
        let own = || (own.value.clone(), format!("server.local_medium ({})", own.origin));
        let is_rented = catalog.provider_of(&site.server.local_medium.value).is_some_and(|one| one.block == device);
        let (medium, from) = like.or_else(|| (is_local || is_rented).then(own))?;
        take("drives' kind", catalog.media.called(&medium), &from);
        Some(medium)
    });
    let raid = value(&stated.raid).or_else(|| {
        let like = like.map(|((_, mount), from)| (mount.raid.clone(), from.clone()));
        let own = || {
            let raid = catalog.arrays.get(&device)?.raid.clone();
            Some((raid, format!("models/arrays/{device}.toml")))
        };
        let (raid, from) = like.or_else(own)?;
        take("RAID level", catalog.raid.called(&raid), &from);
        Some(raid)
    });
    let filesystem = value(&stated.filesystem).filter(|_| access.is_none_or(Access::has_filesystem)).or_else(|| {
        if access.is_some_and(|access| !access.has_filesystem()) {
            return None;
        }
        let like = like.and_then(|((_, m), from)| Some((m.filesystem.clone()?, from.clone())));
        let (filesystem, from) = like.unwrap_or_else(|| {
            let from = "infrastructure.filesystems and operating_systems";
            (filesystem(site, catalog), from.to_owned())
        });
        take("filesystem", catalog.filesystems.called(&filesystem), &from);
        Some(filesystem)
    });
    Ok(Volume {
        roles: roles.to_vec(),
        place: place(&device, access),
        mount_point: format!("/today/{}", roles.first().unwrap_or(&"data")),
        why: Sourced::new("it lies there today".to_owned(), Origin::Assumed { why: "stated as [today]".to_owned() }),
        mount_options: stated.mount_options.as_ref().map(|options| {
            let protocol = catalog.protocols.get(&protocol);
            matching(protocol, options).unwrap_or_else(|| "defaults".to_owned())
        }),
        class: Class::General,
        device: Some(device),
        protocol: Some(protocol),
        filesystem,
        raid,
        medium,
        disks: stated.drives.as_ref().map(|drives| drives.value),
        own_spindles: stated.drives.is_none() && like.is_some_and(|((volume, _), _)| volume.own_spindles),
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
pub(super) fn apart(volumes: &mut [Volume]) {
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
pub(super) fn local(site: &Site, volumes: &[Volume], choices: &Choices) -> (String, f64) {
    const PAIR: f64 = 2.0;
    let own: Vec<&Volume> = volumes.iter().filter(|v| v.place == Place::Local).collect();
    let stated: f64 = own.iter().filter_map(|v| v.disks).sum();
    let mut open: Vec<String> = Vec::new();
    for volume in own.iter().filter(|v| v.disks.is_none()) {
        let set = if volume.own_spindles { volume.roles.join(" ") } else { format!("{:?}", volume.raid) };
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
pub(super) fn filesystem(site: &Site, catalog: &Catalog) -> String {
    const USUAL: &str = "xfs";
    let all = filesystems(site, catalog);
    let usual = all.iter().find(|id| *id == USUAL);
    let first = usual.or_else(|| all.iter().find(|id| !catalog.filesystems[*id].copy_on_write));
    first.or_else(|| all.first()).map_or(USUAL, |id| id).to_owned()
}

/// Names the sets of the server's own drives as people do: "local RAID 5" where there is one, else with what lies on it.
pub(super) fn name_sets(volumes: &mut [Mount]) {
    let mut sets: Vec<(SetId, Vec<&'static str>)> = Vec::new();
    for mount in volumes.iter().filter(|mount| mount.is_private()) {
        match sets.iter_mut().find(|(set, _)| *set == mount.set.id) {
            Some((_, roles)) => roles.extend(&mount.roles),
            None => sets.push((mount.set.id, mount.roles.clone())),
        }
    }
    let is_only = sets.len() == 1;
    for (set, roles) in sets {
        for mount in volumes.iter_mut().filter(|mount| mount.set.id == set) {
            mount.set.apart_for = (!is_only).then(|| words(&roles));
        }
    }
}

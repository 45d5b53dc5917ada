//! What nobody stated of the system that is there: a rule that looks at it suspects something, and does not find it.

use super::facts::words;
use super::today::System;
use crate::catalog::{Called, Catalog};
use crate::site::{Site, TodayVolume};
use crate::system::{Deployment, Mount, Resource};

/// A property of a volume that an answer can state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Which roles share it.
    Roles,
    /// The store that it lies on.
    Store,
    /// The kind of its drives.
    Medium,
    /// How many drives.
    Drives,
    /// The size of its drives.
    DriveSize,
    /// Its RAID level.
    Raid,
    /// Its filesystem.
    Filesystem,
    /// The options that it is mounted with.
    MountOptions,
}

/// The properties of volumes that nobody stated; none of a deployment that is recommended, since these are choices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unstated(Vec<(&'static str, Part)>);

impl Unstated {
    /// Of today's system.
    pub fn of(site: &Site, system: &System) -> Self {
        let is_of_layout = site.infrastructure.current_layout.is_some();
        let mut open = Vec::new();
        for mount in &system.deployment.volumes {
            for &role in &mount.roles {
                let mut volumes = site.today.volumes.iter();
                let stated = volumes.find(|volume| volume.roles.iter().any(|r| r == role));
                let known = Known { site, mount, stated, is_of_layout };
                open.extend(known.open().into_iter().map(|part| (role, part)));
            }
        }
        Self(open)
    }

    /// Whether nobody stated it of this role's volume.
    pub fn has(&self, role: &str, part: Part) -> bool {
        self.0.iter().any(|(r, p)| *r == role && *p == part)
    }

    /// The first of these properties that nobody stated of one of these roles, with the table that states it.
    pub(super) fn what(&self, roles: &[&'static str], parts: &[Part]) -> Option<String> {
        let open = |part: &&Part| roles.iter().any(|role| self.has(role, **part));
        let part = parts.iter().find(open)?;
        let of = words(roles);
        let what = match part {
            Part::Roles | Part::Store if matches!(roles, ["depot" | "checkpoint"]) => {
                format!("where the {of} lie")
            }
            Part::Roles | Part::Store if roles.len() == 1 => format!("where the {of} lies"),
            Part::Roles | Part::Store => format!("where {of} lie"),
            Part::Medium => format!("on which kind of drives the {of} lies"),
            Part::Drives => format!("the number of drives below the {of}"),
            Part::DriveSize => format!("the size of the drives below the {of}"),
            Part::Raid => format!("the RAID level below the {of}"),
            Part::Filesystem => format!("the filesystem of the {of}"),
            Part::MountOptions => format!("the mount options of the {of}"),
        };
        Some(format!("{what} ([[today.volume]])"))
    }

    /// A volume's drives: "6 drives in RAID 10", without a number or a RAID level that nobody stated, or one that a single volume has.
    pub(super) fn drives_of(&self, catalog: &Catalog, mount: &Mount) -> String {
        let is_open = |part| mount.roles.iter().any(|role| self.has(role, part));
        let disks = match mount.disks {
            _ if is_open(Part::Drives) => "drives".to_owned(),
            1.0 => "one drive".to_owned(),
            disks => format!("{disks} drives"),
        };
        if is_open(Part::Raid) || mount.disks <= 1.0 {
            disks
        } else {
            format!("{disks} in {}", catalog.raid.called(&mount.raid))
        }
    }

    /// A role of a volume behind a resource, of which nobody stated on which store it lies.
    pub(super) fn behind(&self, deployment: &Deployment, resource: &Resource) -> Option<&'static str> {
        let mut mounts = deployment.volumes.iter();
        let behind = |m: &&Mount| {
            let open = m.roles.iter().any(|role| self.has(role, Part::Store));
            open && (resource.is_set_of(m) || resource.is_of_array(m))
        };
        mounts.find(behind)?.roles.first().copied()
    }
}

/// What the answers have of one role's volume.
struct Known<'a> {
    site: &'a Site,
    mount: &'a Mount,
    stated: Option<&'a TodayVolume>,
    is_of_layout: bool,
}

impl Known<'_> {
    fn open(&self) -> Vec<Part> {
        let checks = [
            (Part::Roles, self.stated.is_some() || self.is_of_layout),
            (Part::Store, self.has_store()),
            (Part::Medium, self.has_store() && self.has_medium()),
            (Part::Drives, self.has_drives()),
            (Part::DriveSize, self.has_drive_size()),
            (Part::Raid, self.has_raid()),
            (Part::Filesystem, self.has_filesystem()),
            (Part::MountOptions, self.has_mount_options()),
        ];
        let open = checks.into_iter().filter(|(_, is_known)| !is_known);
        open.map(|(part, _)| part).collect()
    }

    /// A site with one store has everything there.
    fn has_store(&self) -> bool {
        let stated = self.stated.is_some_and(|volume| {
            volume.array.is_some() || volume.protocol.is_some() || volume.medium.is_some() || volume.drives.is_some()
        });
        let storage = &self.site.infrastructure.storage;
        let is_only = if storage.is_stated() {
            storage.value.len() == 1
        } else {
            self.mount.is_local() && self.site.server.local_disks.is_stated()
        };
        stated || self.is_of_layout || is_only
    }

    fn has_medium(&self) -> bool {
        let stated = self.stated.is_some_and(|volume| volume.medium.is_some());
        stated || !self.mount.is_local() || self.site.server.local_medium.is_stated()
    }

    /// Arrays have the drives of their model.
    fn has_drives(&self) -> bool {
        let stated = self.stated.is_some_and(|volume| volume.drives.is_some());
        stated || !self.mount.is_local() || self.site.server.local_disks.is_stated()
    }

    fn has_drive_size(&self) -> bool {
        self.stated.is_some_and(|volume| volume.drive_size.is_some())
    }

    /// Arrays and volumes of a cloud have the RAID level of their kind.
    fn has_raid(&self) -> bool {
        let stated = self.stated.is_some_and(|volume| volume.raid.is_some());
        stated || !self.mount.is_local()
    }

    fn has_mount_options(&self) -> bool {
        self.stated.is_some_and(|volume| volume.mount_options.is_some())
    }

    fn has_filesystem(&self) -> bool {
        let stated = self.stated.is_some_and(|volume| volume.filesystem.is_some());
        let allowed = self.site.infrastructure.filesystems.as_ref();
        stated || allowed.is_some_and(|allowed| allowed.value.len() == 1)
    }
}

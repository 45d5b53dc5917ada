//! Drive letters and paths of shares on Windows, in place of a layout's mount points.

use super::deployment::{Deployment, Mount};
use crate::catalog::{Access, Catalog};

/// The system that has drives instead of mount points.
pub(super) const WINDOWS: &str = "windows";

/// The first volume's letter. C is the system's; D is often an optical drive, or a cloud's temporary disk, which is
/// lost when the machine stops.
const FIRST: u8 = b'E';

/// What the path of a share begins with.
const SHARE: &str = r"\\";

/// The drive of a layout's volume by its number; a layout has no more volumes than roles.
fn drive(number: usize) -> String {
    let letter = char::from(FIRST.saturating_add(number as u8).min(b'Z'));
    format!(r"{letter}:\")
}

/// Gives each volume of a layout a drive, and each export the path of a share below `.invalid`, a domain that never
/// resolves (RFC 2606). A bucket is not mounted and keeps its name.
pub(super) fn assign(catalog: &Catalog, volumes: &mut [Mount]) {
    for (number, mount) in volumes.iter_mut().enumerate() {
        match mount.access(catalog) {
            Access::File => {
                let role = mount.roles.first().map_or("data", |role| role);
                let role = role.replace('_', "-");
                mount.mount_point = format!(r"{SHARE}{}.invalid\p4-{role}", mount.device);
            }
            Access::Object => {}
            Access::Local | Access::Block => mount.mount_point = drive(number),
        }
    }
}

/// Gives the volumes of an office's edge drives: the archives the drive that they have on the commit server, since a depot has
/// one path on all servers before `server.depot.root`; the others those of their roles there, or the next that is free.
pub(super) fn assign_at_office(volumes: &[Mount], office: &mut [Mount]) {
    let there = |role: &str| {
        let mut volumes = volumes.iter();
        let volume = volumes.find(|v| v.roles.contains(&role))?;
        Some(volume.mount_point.clone()).filter(|path| !path.starts_with(SHARE))
    };
    let mut taken: Vec<String> = Vec::new();
    let mut order: Vec<&mut Mount> = office.iter_mut().collect();
    order.sort_by_key(|mount| !mount.roles.contains(&"depot"));
    for mount in order {
        let role =
            if mount.roles.contains(&"depot") { "depot" } else { mount.roles.first().copied().unwrap_or_default() };
        let free = |path: &String| !taken.contains(path);
        let next = || (0..=volumes.len() + taken.len()).map(drive).find(free).unwrap_or_default();
        let path = there(role).filter(free).unwrap_or_else(next);
        taken.push(path.clone());
        mount.mount_point = path;
    }
}

impl Deployment {
    /// Whether several servers use the data of a volume, and this server is one of them.
    pub fn is_shared_on(&self, volume: &Mount, server: usize) -> bool {
        let near = self.edges as usize > self.offices.len();
        volume.roles.contains(&"depot")
            && self.shared_depot
            && near
            && !self.is_standby(server)
            && !self.has_office_volume(server)
    }

    /// Whether a server is the edge of a distant office with disks of its own.
    fn has_office_volume(&self, server: usize) -> bool {
        self.is_distant(server) && !self.office_volumes.is_empty()
    }

    /// Where a server reaches one of the volumes: the mount point; on Windows its drive, or the path of its share.
    pub fn mount_point_on(&self, volume: &Mount, server: usize) -> String {
        let path = &volume.mount_point;
        if self.system != WINDOWS || !path.starts_with(SHARE) {
            return path.clone();
        }
        if self.has_office_volume(server) {
            // It has on its own disks what the others have on a share.
            let number = self.volumes.iter().position(|m| m.roles == volume.roles);
            return number.map_or_else(|| path.clone(), drive);
        }
        if server == 0 || self.is_shared_on(volume, server) {
            return path.clone();
        }
        format!("{path}-edge{server}")
    }

    /// The options that a volume is mounted with, as in fstab; none on Windows, which has no such options.
    pub fn mount_options(&self, volume: &Mount, catalog: &Catalog) -> String {
        if self.system == WINDOWS {
            return String::new();
        }
        volume.options(catalog, self.release.year())
    }
}

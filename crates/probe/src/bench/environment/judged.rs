//! What a reader of results should know of the machine, and how two machines differ.
//!
//! Knows a described environment. Must not look at the machine again.

use super::{Device, Environment};
use crate::units::{Bytes, Seconds};

/// Filesystems that keep files in memory alone.
const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];

/// Filesystems that show files of others: what they cost is not what the ones below do.
const UNIONS: [&str; 3] = ["overlay", "aufs", "fuse-overlayfs"];

/// A reading of the clock that takes longer shows in operations of microseconds \[s\].
const CLOCK_READ_MAX: f64 = 200e-9;

impl Environment {
    /// Whether the folder lies in memory, so that no commit reaches a device.
    pub fn is_in_memory(&self) -> bool {
        let is = |name: &str| IN_MEMORY.contains(&name);
        self.mount.as_ref().is_some_and(|mount| is(&mount.filesystem))
            || self.devices().any(|device| device.name.starts_with("ram") || device.name.starts_with("zram"))
    }

    /// Whether any disk below is reported as a rotating disk.
    pub fn is_rotational(&self) -> bool {
        self.devices().any(|device| device.is_rotational == Some(true))
    }

    fn devices(&self) -> impl Iterator<Item = &Device> {
        self.device.iter().flat_map(Device::all)
    }

    /// What a reader should know before believing the numbers, one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let host = &self.host;
        let slow = host.governors.iter().find(|name| *name == "powersave");
        if slow.is_some() {
            warnings
                .push("the frequency governor is powersave: processors may be slower than under p4d's load".to_owned());
        }
        if host.clock_read_s > CLOCK_READ_MAX {
            let cost = Seconds::new(host.clock_read_s);
            let source = host.clock_source.as_deref().unwrap_or("unknown");
            warnings.push(format!(
                "reading the clock costs {cost} (clock source {source}): times of a few microseconds are too long \
                 by it"
            ));
        }
        let Some(mount) = &self.mount else {
            return warnings;
        };
        if UNIONS.contains(&mount.filesystem.as_str()) {
            warnings.push(format!(
                "the folder lies on {}, the layers of a container: measure the volume that p4d will use",
                mount.filesystem
            ));
        }
        if let Some(file) = self.devices().find_map(|device| device.backing_file.as_ref()) {
            warnings.push(format!(
                "the folder lies on a loop device backed by {file}: two filesystems are measured, one on the other"
            ));
        }
        let nfs = mount.nfs.as_ref();
        let local = nfs.and_then(|nfs| nfs.local_lock.as_deref());
        if let Some(kind) = local.filter(|kind| *kind != "none") {
            warnings.push(format!("local_lock={kind}: lock rates are those of this host, not of the server"));
        }
        warnings
    }

    /// What differs in another environment, a few words each.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let lines = self.lines().into_iter().zip(other.lines());
        lines
            .filter(|((_, ours), (_, theirs))| ours != theirs)
            .map(|((name, ours), (_, theirs))| {
                let shown = |value: Option<String>| value.unwrap_or_else(|| "unknown".to_owned());
                format!("{name}: {}, then {}", shown(ours), shown(theirs))
            })
            .collect()
    }

    /// What is known, by name, in the order in which people ask for it; none is unknown. The clock's cost is
    /// left out: it is measured and thus never twice the same.
    pub fn lines(&self) -> Vec<(&'static str, Option<String>)> {
        let host = &self.host;
        let under = &host.virtualization;
        let mount = self.mount.as_ref();
        let nfs = mount.and_then(|mount| mount.nfs.as_ref());
        let device = self.device.as_ref();
        let bytes = |value: Option<u64>| value.map(|b| Bytes::new(b as f64).to_string());
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(", "));
        vec![
            ("system", Some(format!("{} {}", host.system, host.architecture))),
            ("kernel", host.kernel.clone()),
            ("processor", host.processor.clone()),
            ("processors", shown(host.processors)),
            ("processors usable", shown(host.processors_usable)),
            ("memory", bytes(host.memory_bytes)),
            ("governor", list(&host.governors)),
            ("machine", under.machine()),
            ("hypervisor below", shown(under.has_hypervisor)),
            ("container", under.container.clone()),
            ("clock source", host.clock_source.clone()),
            ("filesystem", mount.map(|mount| mount.filesystem.clone())),
            ("mounted from", mount.map(|mount| mount.source.clone())),
            ("mount options", mount.and_then(|mount| list(&mount.options))),
            ("NFS version", nfs.and_then(|nfs| nfs.version.clone())),
            ("NFS connections", shown(nfs.and_then(|nfs| nfs.nconnect))),
            ("device", device.map(Device::title)),
            ("device size", bytes(device.and_then(|device| device.size_bytes))),
            ("scheduler", device.and_then(|device| device.scheduler.clone())),
            ("write cache", device.and_then(|device| device.write_cache.clone())),
            ("rotating", shown(device.and_then(|device| device.is_rotational))),
            ("requests held", shown(device.and_then(|device| device.requests_max))),
            ("made of", device.and_then(Device::made_of)),
        ]
    }
}

fn shown<T: ToString>(value: Option<T>) -> Option<String> {
    value.map(|value| value.to_string())
}

impl super::host::Virtualization {
    fn machine(&self) -> Option<String> {
        match (&self.vendor, &self.product) {
            (Some(vendor), Some(product)) => Some(format!("{vendor} {product}")),
            (one, other) => one.clone().or_else(|| other.clone()),
        }
    }
}

impl Device {
    /// Its name, and what else it is called.
    fn title(&self) -> String {
        let more = [&self.mapped_name, &self.array_level, &self.model];
        let more: Vec<&str> = more.into_iter().flatten().map(String::as_str).collect();
        if more.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, more.join(", ")) }
    }

    fn made_of(&self) -> Option<String> {
        let parts: Vec<String> = self.parts.iter().map(Self::title).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

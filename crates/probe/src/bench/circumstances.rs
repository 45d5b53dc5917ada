//! An environment in a word and in a line.

use super::environment::Environment;

impl Environment {
    /// The filesystem's type, as the kernel names it.
    pub fn filesystem(&self) -> Option<&str> {
        Some(self.mount.as_ref()?.filesystem.as_str())
    }

    /// Whether a hypervisor lies below, so that the disks are what it makes them look like.
    pub fn is_virtual(&self) -> bool {
        let machine = &self.host.virtualization;
        machine.has_hypervisor == Some(true) || machine.hypervisor.is_some()
    }

    /// One line for people: processor, filesystem, device.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.mount.as_ref().map(|m| format!("{} on {}", m.filesystem, m.source)));
        parts.extend(self.device.as_ref().map(|device| {
            let model = device.model.as_deref().unwrap_or("unknown model");
            let turning = match device.is_rotational {
                Some(true) => ", reported as a rotating disk",
                Some(false) => ", reported as not rotating",
                None => "",
            };
            format!("{} ({model}{turning})", device.name)
        }));
        if let Some(nfs) = self.mount.as_ref().and_then(|m| m.nfs.as_ref()) {
            let version = nfs.version.as_deref().unwrap_or("of an unknown version");
            parts.push(format!("NFS {version}"));
            parts.extend(nfs.nconnect.map(|n| format!("nconnect {n}")));
        }
        parts.extend(self.host.processor.clone());
        parts.extend(self.host.kernel.as_ref().map(|k| format!("kernel {k}")));
        parts.join(", ")
    }
}

//! Which entries of the catalogue the measured volume is: told by the person, else found in the environment.

use super::BenchError;
use super::environment::{Device, Environment};
use crate::catalog::Catalog;
use crate::diag::{nearest, quoted};

/// Entries of the catalogue by kind; those that nobody told and nothing shows are none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    /// Medium behind the volume.
    pub medium: Option<String>,
    /// Array, filer or controller that answers for it.
    pub array: Option<String>,
    /// Protocol over which it is reached.
    pub protocol: Option<String>,
    /// Filesystem on it, where this host makes it.
    pub filesystem: Option<String>,
    /// Network to it, or between the hosts that were measured.
    pub network: Option<String>,
    /// Family of the processor that measured.
    pub processor: Option<String>,
    /// Drives that the volume is spread over.
    pub disks: Option<f64>,
    /// How each was found, for people.
    pub notes: Vec<String>,
}

/// Kinds that `--as` takes.
const KINDS: [&str; 7] = ["medium", "array", "protocol", "filesystem", "network", "processor", "disks"];

impl Standing {
    /// What the environment shows, and over it what `told` says (`medium=nvme`).
    pub fn of(environment: &Environment, told: &[String], catalog: &Catalog) -> Result<Self, BenchError> {
        let mut standing = Self::seen(environment, catalog);
        for text in told {
            standing.tell(text, catalog)?;
        }
        standing.complete(catalog);
        Ok(standing)
    }

    fn seen(environment: &Environment, catalog: &Catalog) -> Self {
        let mut seen = Self::default();
        let Some(kind) = environment.filesystem() else {
            return seen;
        };
        match kind {
            "nfs" => seen.protocol = Some("nfsv3".to_owned()),
            "nfs4" => seen.protocol = Some("nfsv4.1".to_owned()),
            "cifs" | "smb3" => seen.protocol = Some("smb".to_owned()),
            _ => {
                if catalog.filesystems.contains_key(kind) {
                    seen.filesystem = Some(kind.to_owned());
                }
                seen.protocol = Some("local".to_owned());
            }
        }
        let shown = seen.protocol.as_deref().unwrap_or_default();
        seen.notes.push(format!("protocol {shown}: the mount is of type {kind}"));
        let leaves = environment.device.as_ref().map_or_else(Vec::new, Device::all);
        let is_nvme = |name: &str| name.starts_with("nvme");
        let mut leaves = leaves.iter().filter(|d| d.parts.is_empty()).peekable();
        // A cloud's network disk is an NVMe device, too: only a machine of one's own is what it says.
        if !environment.is_virtual() && leaves.peek().is_some() && leaves.all(|d| is_nvme(&d.name)) {
            seen.medium = Some("nvme".to_owned());
            seen.notes.push("medium nvme: from the device's name".to_owned());
        }
        seen
    }

    fn tell(&mut self, text: &str, catalog: &Catalog) -> Result<(), BenchError> {
        let wrong = |reason: String| Err(BenchError::Refused(reason));
        let Some((kind, id)) = text.split_once('=') else {
            return wrong(format!("--as {}: write KIND=ID, such as medium=nvme", quoted(text)));
        };
        let ids: Vec<&str> = match kind {
            "medium" => catalog.media.keys().map(String::as_str).collect(),
            "array" => catalog.arrays.keys().map(String::as_str).collect(),
            "protocol" => catalog.protocols.keys().map(String::as_str).collect(),
            "filesystem" => catalog.filesystems.keys().map(String::as_str).collect(),
            "network" => catalog.networks.keys().map(String::as_str).collect(),
            "processor" => catalog.processors.keys().map(String::as_str).collect(),
            "disks" => {
                let disks = id.parse().ok().filter(|n: &f64| (1.0..=10_000.0).contains(n));
                self.disks = disks;
                return match disks {
                    Some(_) => Ok(()),
                    None => wrong(format!("--as disks={}: from 1 to 10000", quoted(id))),
                };
            }
            _ => {
                let help =
                    nearest(kind, KINDS).map_or_else(|| KINDS.join(", "), |near| format!("did you mean {near}?"));
                return wrong(format!("--as {}: no such kind; {help}", quoted(kind)));
            }
        };
        if !ids.contains(&id) {
            let help =
                nearest(id, ids.iter().copied()).map_or_else(|| ids.join(", "), |near| format!("did you mean {near}?"));
            return wrong(format!("--as {kind}={}: not in the catalogue; {help}", quoted(id)));
        }
        let place = match kind {
            "medium" => &mut self.medium,
            "array" => &mut self.array,
            "protocol" => &mut self.protocol,
            "filesystem" => &mut self.filesystem,
            "processor" => &mut self.processor,
            _ => &mut self.network,
        };
        *place = Some(id.to_owned());
        let prefix = format!("{kind} ");
        self.notes.retain(|note| !note.starts_with(&prefix));
        self.notes.push(format!("{kind} {id}: stated by --as"));
        Ok(())
    }

    /// What follows from the rest.
    fn complete(&mut self, catalog: &Catalog) {
        if self.array.is_none() && self.protocol.as_deref() == Some("local") {
            self.array = Some("local-raid".to_owned());
            self.notes.push("array local-raid: a server's own disks".to_owned());
        }
        if self.medium.is_none()
            && let Some(array) = self.array.as_ref().filter(|id| *id != "local-raid")
        {
            let medium = catalog.arrays[array].medium.clone();
            self.notes.push(format!("medium {medium}: the array's"));
            self.medium = Some(medium);
        }
    }

    /// What `--as` should still say, for people.
    pub fn missing(&self) -> Vec<&'static str> {
        let mut all = Vec::new();
        if self.protocol.is_none() {
            // Two hosts and no volume.
            if self.network.is_none() {
                all.push("the network is not known: --as network=ID names it");
            }
            return all;
        }
        if self.medium.is_none() {
            all.push("the medium is not known: --as medium=ID names it");
        }
        if self.array.is_none() {
            all.push("the array or filer is not known: --as array=ID names it");
        }
        let local = self.protocol.as_deref() == Some("local");
        if self.network.is_none() && !local {
            all.push("the network to it is not known: --as network=ID names it");
        }
        all
    }
}

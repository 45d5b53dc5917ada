//! The drives under a file system: kind, number, size, RAID level, or the array that they belong to.

use std::collections::BTreeSet;

use super::amount::{iec, si};
use super::facts::{Array, At, Collected, Device, Found};
use super::names::{like, names};

/// What the outputs say of the drives under a file system.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Drives {
    /// Names of the drives; of LUNs and virtual disks too.
    pub(super) disks: BTreeSet<String>,
    /// Kind, an id of the catalogue.
    pub(super) medium: Option<String>,
    /// Whether the kind should be looked at, and why.
    pub(super) check: Option<&'static str>,
    /// Size of each, as an answer.
    pub(super) size: Option<String>,
    /// RAID level, an id of the catalogue.
    pub(super) raid: Option<String>,
    /// `iscsi` or `fc` where they are LUNs.
    pub(super) protocol: Option<&'static str>,
    /// The array, an id of the catalogue.
    pub(super) array: Option<String>,
    /// The output that shows them, and where; none where only the name of the device does.
    pub(super) shown: Option<At>,
    /// What stays open: key of `[[today.volume]]`, and the question.
    pub(super) open: Vec<(&'static str, String)>,
}

impl Drives {
    /// Whether they are the server's own, and all are seen.
    pub(super) fn are_own(&self) -> bool {
        self.protocol.is_none() && self.array.is_none() && self.medium.is_some()
    }

    fn ask(&mut self, key: &'static str, question: String) {
        self.open.push((key, question));
    }
}

/// The drives under a file system by its source and its target.
pub(super) fn drives(collected: &Collected, source: &str, target: &str) -> Drives {
    let mut trees = collected.trees.iter().rev();
    let found = trees.find_map(|tree| Some((tree, of_tree(&tree.value, source, target)?)));
    let name = short(source);
    let mut arrays = collected.arrays.iter();
    let array = arrays.find(|array| array.value.name == name);
    let mut drives = match &found {
        Some((_, (disks, levels))) => judged(disks, levels),
        None => by_name(array.map(|array| &array.value), source, target),
    };
    let tree = found.map(|(tree, _)| tree.at());
    drives.shown = tree.or(array.map(Found::at));
    if drives.raid.is_none()
        && let Some(level) = array.and_then(|array| level(&array.value.level))
    {
        drives.raid = Some(level.to_owned());
        drives.open.retain(|(key, _)| *key != "raid");
    }
    drives
}

/// The last part of a device's path: `/dev/mapper/vg-a` is `vg-a` in the tree.
fn short(source: &str) -> &str {
    source.rsplit('/').next().unwrap_or(source)
}

/// The drives below a node of the tree, and the kinds of nodes on the way.
fn of_tree<'t>(tree: &'t [Device], source: &str, target: &str) -> Option<(Vec<&'t Device>, BTreeSet<&'t str>)> {
    let is_at = |device: &Device| {
        let name = short(&device.name);
        device.targets.iter().any(|at| super::places::plain(at) == target)
            || (!source.is_empty() && !source.contains(":/") && name == short(source))
    };
    let mut disks: Vec<&Device> = Vec::new();
    let mut levels: BTreeSet<&str> = BTreeSet::new();
    for device in tree.iter().filter(|device| is_at(device)) {
        let mut at = device;
        loop {
            levels.insert(at.kind.as_str());
            match at.parent.and_then(|parent| tree.get(parent)) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        if !disks.iter().any(|disk| disk.name == at.name) {
            disks.push(at);
        }
    }
    (!disks.is_empty()).then_some((disks, levels))
}

/// RAID levels that the catalogue has by the same name.
fn level(kind: &str) -> Option<&'static str> {
    ["raid0", "raid1", "raid10", "raid5", "raid6"].into_iter().find(|level| *level == kind)
}

/// Ids by how a drive is connected and whether it turns.
fn medium(device: &Device) -> Result<(String, Option<&'static str>), String> {
    let name = device.name.as_str();
    if let Some(known) = like(&names().drive, &device.model) {
        return match (&known.id, &known.what) {
            (Some(id), _) => Ok((id.clone(), None)),
            (None, what) => Err(format!("{name} is {}", what.as_deref().unwrap_or("not in the catalogue"))),
        };
    }
    let transport = device.transport.to_ascii_lowercase();
    let is_virtual = transport == "virtio" || ["vd", "xvd", "zram", "loop"].iter().any(|start| name.starts_with(start));
    if is_virtual {
        return Err(format!("{name} is a disk that a hypervisor presents"));
    }
    if transport == "nvme" || name.starts_with("nvme") {
        const CHECK: &str = "without power-loss protection it is nvme-consumer";
        return Ok(("nvme".to_owned(), Some(CHECK)));
    }
    match (transport.as_str(), device.rotates) {
        ("sata" | "ata", Some(true)) => Ok(("disk-sata".to_owned(), None)),
        ("sata" | "ata" | "sas", Some(false)) => {
            const CHECK: &str = "without power-loss protection it is ssd-consumer";
            Ok(("ssd-sas".to_owned(), Some(CHECK)))
        }
        (_, Some(true)) => Err(format!("{name} turns, at 7,200, 10,000 or 15,000 /min, which lsblk does not say")),
        (_, Some(false)) => Err(format!(
            "{name} does not turn, and lsblk does not say how it is connected: flash, a RAID controller or an array"
        )),
        (_, None) => Err(format!("lsblk did not show TRAN and ROTA of {name}")),
    }
}

/// What the drives are.
fn judged(disks: &[&Device], levels: &BTreeSet<&str>) -> Drives {
    let mut drives = Drives { disks: disks.iter().map(|disk| disk.name.clone()).collect(), ..Drives::default() };
    let shown: Vec<&str> = drives.disks.iter().map(String::as_str).take(4).collect();
    let shown = shown.join(", ");
    let transports: BTreeSet<String> = disks.iter().map(|disk| disk.transport.to_ascii_lowercase()).collect();
    let over = |transport: &str| transports.contains(transport);
    let array = disks.iter().find_map(|disk| like(&names().array, &disk.model));
    let is_lun = over("iscsi") || over("fc") || over("fcoe") || levels.contains("mpath") || array.is_some();
    if is_lun {
        drives.protocol = ["iscsi", "fc"].into_iter().find(|transport| over(transport));
        drives.array = array.and_then(|known| known.id.clone());
        if drives.protocol.is_none() {
            drives.ask(
                "protocol",
                format!(
                    "Over which protocol does the server reach {shown} (lsblk shows a LUN, not how it is connected)?"
                ),
            );
        }
        if drives.array.is_none() {
            let model = disks.first().map_or("", |disk| disk.model.as_str());
            let model = if model.is_empty() {
                String::new()
            } else {
                format!(" (lsblk calls it {})", crate::diag::harmless_line(model))
            };
            drives.ask("array", format!("Which array serves {shown}{model}?"));
        }
        return drives;
    }
    drives.raid = levels.iter().find_map(|kind| level(kind)).map(str::to_owned);
    let mut kinds: Vec<Result<(String, Option<&'static str>), String>> = Vec::new();
    for disk in disks {
        let kind = medium(disk);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if let [Ok((id, check))] = &kinds[..] {
        drives.medium = Some(id.clone());
        drives.check = *check;
    } else {
        let unknown = kinds.iter().find_map(|kind| kind.as_ref().err());
        let why = unknown.map_or_else(|| "they are of several kinds".to_owned(), Clone::clone);
        drives.ask("medium", format!("What kind of drives are {shown}? ({why}.)"));
    }
    if drives.medium.is_some() {
        drives.size = size(disks);
    }
    if drives.raid.is_none() && disks.len() > 1 {
        drives.ask("raid", format!("In which RAID level are {shown} (lsblk shows no md device over them)?"));
    }
    drives
}

/// The size of each drive, where all have the same.
fn size(disks: &[&Device]) -> Option<String> {
    const SAME: f64 = 1.02;
    let sizes: Option<Vec<f64>> = disks.iter().map(|disk| disk.size_bytes).collect();
    let sizes = sizes?;
    let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = sizes.iter().copied().fold(0.0, f64::max);
    let are_exact = disks.iter().all(|disk| disk.is_exact);
    let shown = if are_exact { si(least) } else { iec(least) };
    (least > 0.0 && most <= least * SAME).then_some(shown)
}

/// What the name of a device says, and those of its members if it is a software RAID, where `lsblk` was not run.
fn by_name(array: Option<&Array>, source: &str, target: &str) -> Drives {
    let disk = |name: &str| Device {
        name: name
            .split_once('p')
            .filter(|(head, _)| head.starts_with("nvme"))
            .map_or(name, |(head, _)| head)
            .to_owned(),
        ..Device::default()
    };
    let found: Vec<Device> = match array {
        Some(array) => array.members.iter().map(|member| disk(member)).collect(),
        None => vec![disk(short(source))],
    };
    let are_nvme = found.iter().all(|device| device.name.starts_with("nvme"));
    if are_nvme {
        let found: Vec<&Device> = found.iter().collect();
        return judged(&found, &BTreeSet::new());
    }
    let mut drives = Drives::default();
    // `p4 diskspace` names no device.
    let shown = if source.is_empty() { target } else { source };
    let shown = crate::diag::harmless_line(shown);
    drives.ask("medium", format!("What kind of drives are under {shown}, and how many? (`lsblk -J -b -o NAME,TYPE,SIZE,ROTA,TRAN,MODEL,MOUNTPOINT` shows it.)"));
    drives
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collected::of_texts;

    fn of(text: &str, source: &str, target: &str) -> Drives {
        drives(&of_texts([("a", text)]), source, target)
    }

    #[test]
    fn a_software_raid_is_seen_through_its_tree() {
        let text = "{\"blockdevices\":[\
            {\"name\":\"nvme0n1\",\"size\":3840755982336,\"rota\":false,\"type\":\"disk\",\"tran\":\"nvme\",\"model\":\"MZQL\",\"children\":[{\"name\":\"md0\",\"type\":\"raid1\",\"mountpoint\":\"/hx\"}]},\
            {\"name\":\"nvme1n1\",\"size\":3840755982336,\"rota\":false,\"type\":\"disk\",\"tran\":\"nvme\",\"model\":\"MZQL\",\"children\":[{\"name\":\"md0\",\"type\":\"raid1\",\"mountpoint\":\"/hx\"}]}]}";
        let found = of(text, "/dev/md0", "/hx");
        assert_eq!(
            (found.disks.len(), found.medium.as_deref(), found.raid.as_deref()),
            (2, Some("nvme"), Some("raid1"))
        );
        assert_eq!(found.size.as_deref(), Some("3.841 TB"));
        assert!(found.open.is_empty() && found.are_own());
    }

    #[test]
    fn luns_are_no_drives_of_the_server() {
        let text = "NAME     SIZE TYPE  TRAN  ROTA MODEL          MOUNTPOINT\n\
                    sda        2T disk  iscsi    0 PURE FlashArray \n\
                    └─mpatha   2T mpath          0                /hx\n\
                    sdb        2T disk  iscsi    0 PURE FlashArray \n\
                    └─mpatha   2T mpath          0                /hx\n";
        let found = of(text, "/dev/mapper/mpatha", "/hx");
        assert_eq!((found.protocol, found.array.as_deref(), found.medium), (Some("iscsi"), Some("flasharray"), None));
    }

    #[test]
    fn what_lsblk_does_not_say_is_asked() {
        let turning = of("NAME SIZE TYPE ROTA TRAN MOUNTPOINT\nsda  1.8T disk    1 sas  /hx\n", "/dev/sda", "/hx");
        assert!(turning.medium.is_none() && turning.open[0].1.contains("15,000"), "{turning:?}");
        let hidden = of(
            "NAME SIZE TYPE ROTA TRAN MODEL           MOUNTPOINT\nsda  1.8T disk    1      PERC H730P Mini  /hx\n",
            "/dev/sda",
            "/hx",
        );
        assert!(hidden.open[0].1.contains("RAID controller"), "{hidden:?}");
        let none = of("x", "/dev/sda1", "/hx");
        assert!(none.medium.is_none() && none.open[0].1.contains("lsblk"), "{none:?}");
        let named = of("md0 : active raid10 nvme3n1p1[3] nvme2n1[2]\n", "/dev/md0", "/hx");
        assert_eq!(
            (named.medium.as_deref(), named.raid.as_deref(), named.disks.len()),
            (Some("nvme"), Some("raid10"), 2)
        );
    }
}

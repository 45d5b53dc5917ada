//! The block device below a mount, and what it is made of.
//!
//! Knows `/sys/dev/block`, `/sys/class/block` and the attributes in them
//! (kernel documentation, "ABI/stable/sysfs-block"). Must not know mounts' options.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mount::Mount;
use super::{names, number, text};

/// A disk, or what stands for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// The kernel's name, such as `"nvme0n1"` or `"dm-3"`.
    pub name: String,
    /// Major and minor number, such as `"259:0"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The partition that the filesystem lies on, if it does not have the whole disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Name of a mapped device, such as `"vg0-p4db"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapped_name: Option<String>,
    /// Level of a software array, such as `"raid10"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_level: Option<String>,
    /// The file behind a loop device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing_file: Option<String>,
    /// What the maker calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether it says that it turns; virtual disks often say so and do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_rotational: Option<bool>,
    /// I/O scheduler in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<String>,
    /// What the kernel believes of its cache: `"write back"` needs flushes, `"write through"` none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_cache: Option<String>,
    /// Smallest addressable block, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logical_block_bytes: Option<u64>,
    /// Smallest block written without reading first, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_block_bytes: Option<u64>,
    /// Size, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Requests that the scheduler holds at most, of each direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_max: Option<u64>,
    /// Whether it takes discards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes_discard: Option<bool>,
    /// The devices that it is made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Self>,
}

/// Devices below devices that are followed: a filesystem on LUKS on LVM on md on partitions is four.
const DEPTH_MAX: u32 = 8;

/// Sectors in sysfs, whatever the disk's own.
const SECTOR_BYTES: u64 = 512;

/// The block device below a mount.
pub fn below(mount: &Mount, sys: &Path) -> Option<Device> {
    let folder = by_number(mount, sys).or_else(|| by_name(&mount.source, sys))?;
    describe(&folder, DEPTH_MAX)
}

fn by_number(mount: &Mount, sys: &Path) -> Option<PathBuf> {
    let folder = sys.join("dev/block").join(&mount.device_number);
    folder.canonicalize().ok()
}

/// Btrfs and others that may span disks have no number of a disk, but name one as their source.
fn by_name(source: &str, sys: &Path) -> Option<PathBuf> {
    let name = source.strip_prefix("/dev/")?;
    let all = sys.join("class/block");
    let is_mapped = |candidate: &String| {
        let mapped = text(&all.join(candidate).join("dm/name"));
        mapped.is_some() && mapped.as_deref() == name.strip_prefix("mapper/")
    };
    let folder = if name.starts_with("mapper/") {
        all.join(names(&all).into_iter().find(is_mapped)?)
    } else if name.split('/').any(|part| part == ".." || part == ".") {
        return None;
    } else {
        // A slash in a name, as in cciss/c0d0, is an exclamation mark in sysfs.
        all.join(name.replace('/', "!"))
    };
    folder.canonicalize().ok()
}

/// What sysfs says of a device; a partition is described as its disk.
fn describe(folder: &Path, depth: u32) -> Option<Device> {
    if !folder.is_dir() {
        return None;
    }
    let name = |folder: &Path| Some(folder.file_name()?.to_string_lossy().into_owned());
    let is_partition = folder.join("partition").is_file();
    let disk = if is_partition { folder.parent()? } else { folder };
    let queue = disk.join("queue");
    let parts = if depth == 0 { Vec::new() } else { parts(disk) };
    Some(Device {
        name: name(disk)?,
        number: text(&disk.join("dev")),
        partition: is_partition.then(|| name(folder)).flatten(),
        mapped_name: text(&disk.join("dm/name")),
        array_level: text(&disk.join("md/level")),
        backing_file: text(&disk.join("loop/backing_file")),
        model: text(&disk.join("device/model")),
        is_rotational: flag(&queue.join("rotational")),
        scheduler: text(&queue.join("scheduler")).map(|all| chosen(&all)),
        write_cache: text(&queue.join("write_cache")),
        logical_block_bytes: number(&queue.join("logical_block_size")),
        physical_block_bytes: number(&queue.join("physical_block_size")),
        size_bytes: number(&disk.join("size")).and_then(|n| n.checked_mul(SECTOR_BYTES)),
        requests_max: number(&queue.join("nr_requests")),
        takes_discard: number(&queue.join("discard_max_bytes")).map(|bytes| bytes > 0),
        parts: parts.iter().filter_map(|part| describe(part, depth - 1)).collect(),
    })
}

/// The devices that a mapped device or an array lists as its slaves.
fn parts(disk: &Path) -> Vec<PathBuf> {
    let slaves = disk.join("slaves");
    let folders = names(&slaves).into_iter().map(|name| slaves.join(name));
    folders.filter_map(|link| link.canonicalize().ok()).collect()
}

fn flag(path: &Path) -> Option<bool> {
    match number(path)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Of `none [mq-deadline] kyber` the one in brackets; a single word stands without.
fn chosen(schedulers: &str) -> String {
    let in_brackets = schedulers.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    in_brackets.map_or(schedulers, |(name, _)| name).to_owned()
}

impl Device {
    /// This device and all that it is made of, from above.
    pub fn all(&self) -> Vec<&Self> {
        let below = self.parts.iter().flat_map(Self::all);
        std::iter::once(self).chain(below).collect()
    }
}

//! What lies under and around a measured folder: host, mount, block device.
//!
//! Knows `/proc` and `/sys` of Linux and what stands in them. Must not know what is measured. Whatever
//! cannot be read is `None`, never a guess: on another system than Linux that is nearly all of it.
//!
//! - [`mount`]: the mount that a path lies on, with the options in force;
//! - [`device`]: the disk below it, and what a mapped device or a software array is made of;
//! - [`host`]: kernel, processor, memory, virtualisation, and what reading the clock costs;
//! - `judged`: what a reader of results should know of them, and how two differ;
//! - [`busy`]: whether something else uses them now.
//!
//! The two folders are a parameter ([`Roots`]), so that any machine can be laid out as files.

pub mod busy;
pub mod device;
pub mod host;
mod judged;
pub mod mount;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use device::Device;
pub use host::Host;
pub use mount::Mount;

/// What lies under and around a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// The folder, without links.
    pub folder: String,
    /// The machine.
    pub host: Host,
    /// The mount that the folder lies on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount: Option<Mount>,
    /// The block device below the mount; none for a network, memory or pooled filesystem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
}

/// Where a machine describes itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    /// Usually `/proc`.
    pub proc: PathBuf,
    /// Usually `/sys`.
    pub sys: PathBuf,
    /// Usually `/`, where container engines leave their marks.
    pub root: PathBuf,
}

impl Default for Roots {
    fn default() -> Self {
        Self { proc: PathBuf::from("/proc"), sys: PathBuf::from("/sys"), root: PathBuf::from("/") }
    }
}

impl Environment {
    /// Looks under and around a folder of this machine; fails only where the folder cannot be found.
    pub fn of(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        Ok(Self::under(&folder, &Roots::default()))
    }

    /// The same for a path without links, as other folders than `/proc` and `/sys` describe it.
    pub fn under(folder: &Path, roots: &Roots) -> Self {
        let mounts = mount::parse(&text(&roots.proc.join("self/mountinfo")).unwrap_or_default());
        let mount = mount::holding(&mounts, folder).cloned();
        let device = mount.as_ref().and_then(|mount| device::below(mount, &roots.sys));
        Self { folder: folder.to_string_lossy().into_owned(), host: Host::of(roots), mount, device }
    }
}

/// Most of a file of `/proc` or `/sys` that is read: thousands of mounts, hundreds of processors.
const TEXT_BYTES_MAX: u64 = 8 << 20;

/// A small file's text, without blanks at its ends; none if it is not there, not to be read, or empty.
///
/// Mount points need not be UTF-8: other bytes become U+FFFD, here and in the path that is looked for.
pub(crate) fn text(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(TEXT_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The number that a small file holds.
fn number(path: &Path) -> Option<u64> {
    text(path)?.parse().ok()
}

/// The names in a folder, in order; none if there is no such folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

//! The mount that a path lies on.
//!
//! Knows the text of `/proc/self/mountinfo` (`man 5 proc_pid_mountinfo`). Must not read files.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Its number; one that is reused once the mount is gone.
    #[serde(skip)]
    pub id: u64,
    /// The number of the mount that it stands on.
    #[serde(skip)]
    pub parent: u64,
    /// Major and minor number of the filesystem, such as `"253:0"`; major 0 is no block device.
    pub device_number: String,
    /// The folder of the filesystem that is mounted: `"/"`, or another one in a bind mount.
    pub root: String,
    /// Where it is mounted.
    pub point: String,
    /// Filesystem, such as `"xfs"` or `"nfs4"`.
    pub filesystem: String,
    /// What is mounted, as the filesystem calls it: a device, `server:/export`, any word.
    pub source: String,
    /// Options in force: those of the mount, then those of the filesystem, each once.
    pub options: Vec<String>,
    /// What an NFS mount agreed with its server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nfs: Option<Nfs>,
}

/// What an NFS mount agreed with its server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nfs {
    /// Server, as it was named when mounting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Protocol version, such as `"3"` or `"4.1"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Transport, such as `"tcp"` or `"rdma"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<String>,
    /// TCP connections, where the kernel says it; it says nothing where one was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nconnect: Option<u64>,
    /// Largest read, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_bytes_max: Option<u64>,
    /// Largest write, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_bytes_max: Option<u64>,
    /// Which locks stay on this host, unseen by the server: `"none"`, `"flock"`, `"posix"`, `"all"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_lock: Option<String>,
}

/// All mounts in a `mountinfo` text, in its order; a line that is not understood is left out.
///
/// ```
/// use plimsoll_probe::bench::environment::mount;
/// let line = r"90 1 8:17 / /srv/depot\040one rw,noatime shared:3 - xfs /dev/sdb1 rw,logbsize=256k";
/// let mounts = mount::parse(line);
/// assert_eq!(mounts[0].point, "/srv/depot one");
/// assert_eq!(mounts[0].options, ["rw", "noatime", "logbsize=256k"]);
/// ```
pub fn parse(text: &str) -> Vec<Mount> {
    text.lines().filter_map(line).collect()
}

/// `ID PARENT MAJOR:MINOR ROOT MOUNT-POINT OPTIONS [TAG…] - FILESYSTEM SOURCE SUPER-OPTIONS`.
fn line(line: &str) -> Option<Mount> {
    let (mount, filesystem) = line.split_once(" - ")?;
    let mut mount = mount.split(' ');
    let id = mount.next()?.parse().ok()?;
    let parent = mount.next()?.parse().ok()?;
    let device_number = mount.next()?.to_owned();
    let root = unescaped(mount.next()?);
    let point = unescaped(mount.next()?);
    let per_mount = mount.next()?;
    let mut words = filesystem.split(' ');
    let filesystem = words.next().filter(|name| !name.is_empty())?;
    let filesystem = unescaped(filesystem);
    // An empty source leaves two blanks in a row.
    let source = unescaped(words.next()?);
    let per_filesystem = words.next().unwrap_or_default();
    let options = in_force(per_mount, per_filesystem);
    let nfs = ["nfs", "nfs4"].contains(&filesystem.as_str()).then(|| Nfs::of(&source, &options));
    Some(Mount { id, parent, device_number, root, point, filesystem, source, options, nfs })
}

/// Writes may be forbidden by the mount or by the filesystem; one is enough.
fn in_force(per_mount: &str, per_filesystem: &str) -> Vec<String> {
    let all = || {
        let words = per_mount.split(',').chain(per_filesystem.split(','));
        words.filter(|word| !word.is_empty()).map(unescaped)
    };
    let is_read_only = all().any(|option| option == "ro");
    let mut options: Vec<String> = Vec::new();
    for option in all() {
        if !(is_read_only && option == "rw" || options.contains(&option)) {
            options.push(option);
        }
    }
    options
}

/// The kernel writes blanks, tabs, line ends and backslashes as `\040` and the like.
fn unescaped(word: &str) -> String {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..]) => {
                bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Mount {
    /// The value of an option `NAME=VALUE`.
    pub fn option(&self, name: &str) -> Option<&str> {
        value(&self.options, name)
    }
}

/// The value of an option `NAME=VALUE`.
fn value<'a>(options: &'a [String], name: &str) -> Option<&'a str> {
    options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
}

impl Nfs {
    fn of(source: &str, options: &[String]) -> Self {
        let text = |name| value(options, name).map(str::to_owned);
        let number = |name| value(options, name)?.parse().ok();
        // Kernels before 3.4 say 4.1 as `vers=4,minorversion=1`.
        let version = match (text("vers"), text("minorversion")) {
            (Some(major), Some(minor)) if !major.contains('.') => Some(format!("{major}.{minor}")),
            (version, _) => version,
        };
        Self {
            server: source.split_once(":/").map(|(server, _)| server.to_owned()),
            address: text("addr"),
            version,
            transport: text("proto"),
            nconnect: number("nconnect"),
            read_bytes_max: number("rsize"),
            write_bytes_max: number("wsize"),
            local_lock: text("local_lock"),
        }
    }
}

/// The mount that a path without links lies on: found as the kernel finds it, by walking down the path.
///
/// A mount can hide others: one on the same mount point, or one on a folder above. So it is not the
/// longest mount point that counts, but the first mount met on the way down, and the next from there.
pub fn holding<'a>(mounts: &'a [Mount], path: &Path) -> Option<&'a Mount> {
    let over = |mount: &&Mount| path.starts_with(&mount.point);
    let depth = |mount: &&Mount| Path::new(&mount.point).components().count();
    let stands_alone =
        |mount: &&Mount| mount.parent == mount.id || !mounts.iter().any(|other| other.id == mount.parent);
    // In a changed root no mount may be on `/`; then those that stand on nothing listed begin the walk.
    let first = mounts.iter().filter(over).filter(stands_alone);
    let mut here = first.max_by_key(depth)?;
    // Each step goes to another mount, so there are no more steps than mounts.
    for _ in mounts {
        let on_here = mounts.iter().filter(over).filter(|mount| mount.parent == here.id && mount.id != here.id);
        // Of two on one point the last one was mounted last.
        let Some(next) = on_here.rev().min_by_key(depth) else {
            break;
        };
        here = next;
    }
    Some(here)
}

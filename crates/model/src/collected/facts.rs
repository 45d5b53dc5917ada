//! What outputs say, each with the place where it stands.

use super::text::Section;

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name, for messages.
    pub name: String,
    /// Its text, decoded.
    pub text: String,
    /// The parts that `plimsoll collect` marked in it.
    pub sections: Vec<Section>,
}

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of the files, from 0.
    pub file: usize,
    /// Its line, from 1.
    pub line: usize,
}

/// Something that an output says.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    /// What.
    pub value: T,
    /// Where.
    pub place: Place,
    /// Of which output, as in "read from `p4 info`".
    pub from: &'static str,
}

/// Of which output something is, and where it stands there.
pub(super) type At = (&'static str, Place);

impl<T> Found<T> {
    /// Of which output, and where.
    pub(super) fn at(&self) -> At {
        (self.from, self.place)
    }
}

/// A mounted file system (`mount`, `/proc/mounts`, `findmnt`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Device or export.
    pub source: String,
    /// Where it is mounted.
    pub target: String,
    /// Its file system: `xfs`, `nfs4`.
    pub kind: String,
    /// Its options, with commas between them.
    pub options: String,
}

/// How full a file system is (`df`, `p4 diskspace`).
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// Device or export; empty where the output does not say it.
    pub source: String,
    /// Its file system, where the output says it.
    pub kind: Option<String>,
    /// Where it is mounted.
    pub target: String,
    /// Its size in bytes.
    pub total_bytes: f64,
    /// What is used of it in bytes.
    pub used_bytes: f64,
    /// The path that was asked about: `df /p4/1/root`.
    pub asked: Option<String>,
}

/// One node of the tree of block devices (`lsblk`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Device {
    /// Its name without `/dev/`.
    pub name: String,
    /// The node above it, in the same list.
    pub parent: Option<usize>,
    /// `disk`, `part`, `raid10`, `lvm`, `mpath`, `crypt`, `rom`, `loop`.
    pub kind: String,
    /// Bytes.
    pub size_bytes: Option<f64>,
    /// Whether its size is in bytes, not rounded.
    pub is_exact: bool,
    /// Whether it turns.
    pub rotates: Option<bool>,
    /// How it is connected: `nvme`, `sata`, `sas`, `iscsi`, `fc`, `virtio`.
    pub transport: String,
    /// What the maker calls it.
    pub model: String,
    /// Where it is mounted.
    pub targets: Vec<String>,
}

/// A setting of p4d, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name: `db.peeking`, `P4LOG`.
    pub name: String,
    /// Its value.
    pub value: String,
    /// For which server, of `p4 configure show allservers`: `any`, `master`.
    pub scope: Option<String>,
    /// `configure`, `default`, `-v`, `environment`, `process`; empty where the output does not say it.
    pub origin: String,
}

/// A line of `p4 sizes -s`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    /// What was asked about: `//...`.
    pub path: String,
    /// Files, or revisions with `-a`.
    pub files: f64,
    /// Bytes.
    pub bytes: f64,
    /// Whether all revisions were asked for (`-a`); `None` where the output does not say it.
    pub all: Option<bool>,
}

/// A location of `p4 diskspace`.
#[derive(Debug, Clone, PartialEq)]
pub struct Location {
    /// `P4ROOT`, `P4JOURNAL`, `P4LOG`, `TEMP`, `journalPrefix`, or a depot's name.
    pub name: String,
    /// The file system under it.
    pub space: Space,
}

/// A line of `p4 monitor show`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// `R`, `I`, `B`, `P`, `T`, `F`.
    pub status: char,
    /// Whole seconds since it began.
    pub seconds: u64,
    /// The command without arguments.
    pub command: String,
}

/// A file of the database (`ls -l`, `du`).
#[derive(Debug, Clone, PartialEq)]
pub struct TableFile {
    /// The folder; empty where the output names the file alone.
    pub folder: String,
    /// `db.have`.
    pub name: String,
    /// Bytes.
    pub bytes: f64,
}

/// A device of one sample of `iostat -x`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Its name.
    pub device: String,
    /// Share of the time in which it had work, 0 to 1.
    pub busy_fraction: f64,
}

/// A depot (`p4 depots`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Depot {
    /// Its name.
    pub name: String,
    /// `local`, `stream`, `spec`, `remote`, `archive`.
    pub kind: String,
    /// Where its files lie, without `/...`.
    pub map: String,
}

/// A software RAID (`/proc/mdstat`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// `md0`.
    pub name: String,
    /// `raid10`.
    pub level: String,
    /// Its members as the kernel names them: `nvme3n1p1`.
    pub members: Vec<String>,
}

/// A line that nothing understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Where.
    pub place: Place,
    /// What stands there, without control characters.
    pub text: String,
}

/// What files of pasted outputs say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collected {
    /// The files.
    pub inputs: Vec<Input>,
    /// Mounted file systems.
    pub mounts: Vec<Found<Mount>>,
    /// How full they are.
    pub spaces: Vec<Found<Space>>,
    /// How full their tables of files are (`df -i`): target and share used, 0 to 1.
    pub inodes: Vec<Found<(String, f64)>>,
    /// Trees of block devices, one an output.
    pub trees: Vec<Found<Vec<Device>>>,
    /// Software RAIDs.
    pub arrays: Vec<Found<Array>>,
    /// Lines of `lscpu`: name and value.
    pub processors: Vec<Found<(String, String)>>,
    /// Memory in bytes.
    pub memory: Vec<Found<f64>>,
    /// Memory of which the unit is not known: a number of `free`.
    pub memory_without_unit: Vec<Found<f64>>,
    /// How busy devices were.
    pub busy: Vec<Found<Sampled>>,
    /// Network ports that are up: name and bits a second.
    pub ports: Vec<Found<(String, f64)>>,
    /// The largest window of TCP for sending, in bytes (`net.ipv4.tcp_wmem`).
    pub tcp_window: Vec<Found<f64>>,
    /// Lines of `p4 info`: name as p4 prints it, and value.
    pub info: Vec<Found<(String, String)>>,
    /// Settings of p4d.
    pub settings: Vec<Found<Setting>>,
    /// Counters by name.
    pub counters: Vec<Found<(String, String)>>,
    /// Files and bytes of paths.
    pub sizes: Vec<Found<Sizes>>,
    /// File systems of p4d.
    pub locations: Vec<Found<Location>>,
    /// What ran.
    pub running: Vec<Found<Running>>,
    /// Transfers of a replica that wait, and their bytes.
    pub transfers: Vec<Found<(f64, f64)>>,
    /// Journals of a replica: which (`replica`, `master`), number and sequence.
    pub journals: Vec<Found<(String, f64, f64)>>,
    /// Files of the database.
    pub tables: Vec<Found<TableFile>>,
    /// Sizes of folders (`du`).
    pub folders: Vec<Found<(String, f64)>>,
    /// Depots.
    pub depots: Vec<Found<Depot>>,
    /// Numbers of users, as outputs count them.
    pub users: Vec<Found<f64>>,
    /// Numbers of clients.
    pub clients: Vec<Found<f64>>,
    /// Processes of p4d: their root folders.
    pub roots: Vec<Found<String>>,
    /// Where a path leads: as it is set, and without links.
    pub resolved: Vec<Found<(String, String)>>,
    /// How many things were understood: all that these lists hold.
    pub understood: usize,
    /// Lines of a server's log, which is read elsewhere.
    pub log_lines: usize,
    /// What nothing understood, at most [`super::UNREAD_MAX`].
    pub unread: Vec<Unread>,
    /// How many such lines there are.
    pub unread_count: usize,
}

impl Collected {
    /// The text of a section that `plimsoll collect` wrote, such as `log tail`, and its file.
    pub fn section(&self, name: &str) -> Option<(&Input, &str)> {
        self.inputs.iter().find_map(|input| {
            let section = input.sections.iter().find(|s| s.name == name)?;
            Some((input, input.text.get(section.bytes.clone())?))
        })
    }

    /// The last lines of the server's log, where the script could read it: for the reader of logs.
    pub fn log_tail(&self) -> Option<&str> {
        self.section(super::LOG_TAIL).map(|(_, text)| text)
    }

    /// "collected.txt:14", without the folder.
    pub fn shown(&self, place: Place) -> String {
        let name = self.inputs.get(place.file).map_or("", |input| input.name.as_str());
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        format!("{}:{}", crate::diag::harmless_line(name), place.line)
    }
}

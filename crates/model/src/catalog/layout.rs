//! Layouts: which volume lies where, before a site says on what.

use super::entry::Entry;
use super::provider::Class;
use super::record::{always, or, words};
use crate::diag::quoted;
use crate::document::{Kind, Readable, Reader, TEXT_MAX, Value};
use crate::origin::{Origin, Sourced};

/// What a volume holds.
pub const ROLES: [&str; 6] = ["db", "offline_db", "journal", "log", "depot", "checkpoint"];

/// Where a volume lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// On the server's own disks.
    Local,
    /// On LUNs of an array.
    Block,
    /// On exports of a filer.
    File,
    /// On the block service of the instance's provider.
    Cloud,
    /// In buckets of an object store.
    Object,
}

impl Readable for Place {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        const WORDS: [&str; 5] = ["local", "block", "file", "cloud", "object"];
        Some(match reader.word(key, &WORDS)?.value {
            "local" => Self::Local,
            "block" => Self::Block,
            "file" => Self::File,
            "object" => Self::Object,
            _ => Self::Cloud,
        })
    }
}

record! {
    /// A template of volumes.
    struct Layout: Entry {
        /// Who recommends or describes it.
        origin: Origin = origin,
        /// Edge counts that it is tried with.
        edges: Vec<u32> = edge_counts,
        /// Whether edges mount the commit server's depots.
        shared_depot: bool,
        /// Whether edges beside the commit server keep database, journal and log on disks of their own; where not, they are
        /// built as the commit server is.
        edges_on_own_disks: bool = or(false),
        /// Describes a source's system: predicted on request, not offered.
        reference: bool,
        /// A cache tier that belongs to it.
        cache: Option<String>,
        /// Its volumes.
        volumes: Vec<Volume> = always(volumes),
    }
}

record! {
    /// One volume of a layout.
    struct Volume {
        /// What it holds.
        roles: Vec<&'static str> = words(&ROLES),
        /// Where it lies.
        place: Place,
        /// Where it is mounted.
        mount_point: String,
        /// Why it lies there.
        why: Sourced<String>,
        /// A fixed array.
        device: Option<String>,
        /// A fixed protocol.
        protocol: Option<String>,
        /// A fixed filesystem.
        filesystem: Option<String>,
        /// A fixed RAID level.
        raid: Option<String>,
        /// A fixed medium, where it is not the device's own.
        medium: Option<String>,
        /// The class of a volume on a provider's block service; general where the file does not say.
        class: Class = or(Class::General),
        /// A fixed number of disks.
        disks: Option<f64> = always(disks),
        /// Whether the volume has spindles that no other volume uses.
        own_spindles: bool = or(false),
        /// Fixed mount options.
        mount_options: Option<String>,
    }
}

impl Layout {
    /// The volume that holds a role.
    pub fn volume(&self, role: &str) -> Option<&Volume> {
        self.volumes.iter().find(|v| v.roles.contains(&role))
    }
}

/// Who recommends the layout, in a table of its own.
fn origin(r: &Reader<'_>, key: &'static str) -> Option<Origin> {
    r.require(&[key]);
    let table = r.table(key)?;
    let origin = table.origin();
    table.finish();
    origin
}

/// The `[[volume]]` tables.
fn volumes(r: &Reader<'_>, _: &str) -> Vec<Volume> {
    r.require(&["volume"]);
    let tables = r.tables("volume");
    check(r, &tables);
    tables.iter().filter_map(Volume::of).collect()
}

/// A count that may be missing.
fn disks(r: &Reader<'_>, key: &'static str) -> Option<f64> {
    r.count(key).map(|disks| disks.value)
}

/// Each role lies on one volume, and what is written for a role lies on that volume: the folder `p4` that the
/// configuration makes on one is not another's mount point.
///
/// Looks at what is written, so that a field that could not be read hides no other; such a field has been reported.
fn check(r: &Reader<'_>, volumes: &[Reader<'_>]) {
    let report = |message: String| r.report("MOD007", message, r.place(), "in this layout");
    let roles: Vec<Option<Vec<&str>>> = volumes.iter().map(written_roles).collect();
    let all_read = !roles.is_empty() && roles.iter().all(Option::is_some);
    for role in ROLES {
        let holds = |roles: &&Vec<&str>| roles.contains(&role);
        match roles.iter().flatten().filter(holds).count() {
            0 if all_read => report(format!("no volume holds {role}: name one for each of {}", ROLES.join(", "))),
            0 | 1 => {}
            n => report(format!("{n} volumes hold {role}, which lies on one")),
        }
    }
    let points: Vec<&str> = volumes.iter().filter_map(written_mount_point).collect();
    for (i, written) in points.iter().enumerate() {
        let point = written.trim_end_matches('/');
        if !written.starts_with('/') {
            let found = quoted(written);
            report(format!("a mount point begins with /, such as \"/hxdepots\"; found {found}"));
        }
        for (j, other) in points.iter().enumerate().filter(|(j, _)| *j != i) {
            let other = other.trim_end_matches('/');
            let folder = format!("{other}/p4/");
            if j < i && point == other {
                report(format!("two volumes have the mount point {}", quoted(point)));
            } else if format!("{point}/").starts_with(&folder) {
                report(format!(
                    "{} is inside {}, where p4d's own folder of that volume is",
                    quoted(point),
                    quoted(&folder)
                ));
            }
        }
    }
}

/// The roles of a volume as written; `None` where one is no role.
fn written_roles<'v>(volume: &Reader<'v>) -> Option<Vec<&'v str>> {
    let Kind::List(items) = &volume.raw("roles")?.kind else {
        return None;
    };
    let role = |item: &'v Value| match &item.kind {
        Kind::Text(role) if ROLES.contains(&role.as_str()) => Some(role.as_str()),
        _ => None,
    };
    items.iter().map(role).collect()
}

fn written_mount_point<'v>(volume: &Reader<'v>) -> Option<&'v str> {
    match &volume.raw("mount_point")?.kind {
        Kind::Text(text) if text.chars().count() <= TEXT_MAX => Some(text),
        _ => None,
    }
}

fn edge_counts(r: &Reader<'_>, key: &'static str) -> Option<Vec<u32>> {
    r.require(&[key]);
    let value = r.raw(key)?;
    if let Kind::List(items) = &value.kind {
        let counts: Option<Vec<u32>> = items
            .iter()
            .map(|i| match i.kind {
                Kind::Integer(n) => u32::try_from(n).ok().filter(|n| *n <= 16),
                _ => None,
            })
            .collect();
        if let Some(counts) = counts.filter(|c| !c.is_empty()) {
            return Some(counts);
        }
    }
    r.wrong(key, value, "a list of counts from 0 to 16");
    None
}

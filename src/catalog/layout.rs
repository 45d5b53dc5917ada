//! Layouts: which volume lies where, before a site says on what.

use super::bare;
use super::entry::Entry;
use crate::diag::quoted;
use crate::document::{Kind, Reader, TEXT_MAX, Value};
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
    /// On a cloud's block service.
    Cloud,
    /// In buckets of an object store.
    Object,
}

/// A template of volumes.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked by name"
)]
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Who recommends or describes it.
    pub origin: Origin,
    /// Edge counts that it is tried with.
    pub edges: Vec<u32>,
    /// Whether edges mount the commit server's depots.
    pub shared_depot: bool,
    /// Whether edges beside the commit server keep database, journal and log on disks of their own; where not, they are
    /// built as the commit server is.
    pub edges_on_own_disks: bool,
    /// Whether build farms read through proxies.
    pub proxies: bool,
    /// Describes a source's system: predicted on request, not offered.
    pub reference: bool,
    /// A cache tier that belongs to it.
    pub cache: Option<String>,
    /// Its volumes.
    pub volumes: Vec<Volume>,
}

/// One volume of a layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// What it holds.
    pub roles: Vec<&'static str>,
    /// Where it lies.
    pub place: Place,
    /// Where it is mounted.
    pub mount_point: String,
    /// Why it lies there.
    pub why: Sourced<String>,
    /// A fixed array.
    pub device: Option<String>,
    /// A fixed protocol.
    pub protocol: Option<String>,
    /// A fixed filesystem.
    pub filesystem: Option<String>,
    /// A fixed RAID level.
    pub raid: Option<String>,
    /// A fixed medium, where it is not the device's own.
    pub medium: Option<String>,
    /// A fixed number of disks.
    pub disks: Option<f64>,
    /// Whether the volume has spindles that no other volume uses.
    pub own_spindles: bool,
    /// Fixed mount options.
    pub mount_options: Option<String>,
}

impl Layout {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&[
            "origin",
            "edges",
            "shared_depot",
            "proxies",
            "reference",
            "volume",
        ]);
        let stated = r.table("origin").and_then(|o| {
            let origin = o.origin();
            o.finish();
            origin
        });
        let tables = r.tables("volume");
        let volumes = tables.iter().filter_map(Volume::read).collect();
        check(r, &tables);
        let cache = bare(r.text("cache"));
        let edges_on_own_disks = r.boolean("edges_on_own_disks").is_some_and(|b| b.value);
        whole!(
            r,
            Self {
                entry, cache, volumes, edges_on_own_disks;
                origin: stated,
                edges: edge_counts(r),
                shared_depot: bare(r.boolean("shared_depot")),
                proxies: bare(r.boolean("proxies")),
                reference: bare(r.boolean("reference")),
            }
        )
    }

    /// The volume that holds a role.
    pub fn volume(&self, role: &str) -> Option<&Volume> {
        self.volumes.iter().find(|v| v.roles.contains(&role))
    }
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
            0 if all_read => report(format!(
                "no volume holds {role}: name one for each of {}",
                ROLES.join(", ")
            )),
            0 | 1 => {}
            n => report(format!("{n} volumes hold {role}, which lies on one")),
        }
    }
    let points: Vec<&str> = volumes.iter().filter_map(written_mount_point).collect();
    for (i, written) in points.iter().enumerate() {
        let point = written.trim_end_matches('/');
        if !written.starts_with('/') {
            let found = quoted(written);
            report(format!(
                "a mount point begins with /, such as \"/hxdepots\"; found {found}"
            ));
        }
        for (j, other) in points.iter().enumerate().filter(|(j, _)| *j != i) {
            let other = other.trim_end_matches('/');
            let folder = format!("{other}/p4/");
            if j < i && point == other {
                report(format!(
                    "two volumes have the mount point {}",
                    quoted(point)
                ));
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

fn edge_counts(r: &Reader<'_>) -> Option<Vec<u32>> {
    let value = r.raw("edges")?;
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
    r.wrong("edges", value, "a list of counts from 0 to 16");
    None
}

impl Volume {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&["roles", "place", "mount_point", "why"]);
        let text = |key| bare(r.text(key));
        let (device, protocol, filesystem) = (text("device"), text("protocol"), text("filesystem"));
        let (raid, medium, mount_options) = (text("raid"), text("medium"), text("mount_options"));
        let disks = bare(r.count("disks"));
        let own_spindles = r.boolean("own_spindles").is_some_and(|b| b.value);
        whole!(
            r,
            Self {
                device, protocol, filesystem, raid, medium, disks, own_spindles, mount_options;
                roles: r.word_list("roles", &ROLES),
                place: r.word("place", &["local", "block", "file", "cloud", "object"]).map(|word| match word.value {
                    "local" => Place::Local,
                    "block" => Place::Block,
                    "file" => Place::File,
                    "object" => Place::Object,
                    _ => Place::Cloud,
                }),
                mount_point: text("mount_point"),
                why: r.statement("why"),
            }
        )
    }
}

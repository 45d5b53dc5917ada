//! Lines of fstab: the volumes of a server, and users' workspaces apart from them.

use crate::catalog::{Access, Target};
use crate::origin::Origin;

use super::file::{ConfigFile, ConfigLine, Language};
use super::fill::{self, sizes};
use super::quote;
use super::sheet::{Place, Sheet};

/// A domain that never resolves (RFC 2606): a line that was pasted as it is mounts nothing.
const NOWHERE: &str = "invalid";

/// The volumes of a server, in its system's table of mounts; ZFS needs none.
pub(super) fn table(sheet: &Sheet<'_>) -> Option<ConfigFile> {
    if sheet.is_windows() {
        return None;
    }
    let (name, language) = if sheet.is_linux() { ("fstab", Language::Fstab) } else { ("vfstab", Language::Vfstab) };
    let places = sheet.places.iter();
    Some(ConfigFile {
        name: name.to_owned(),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: format!("lines to add to /etc/{name}"),
        language,
        lines: places.filter_map(|place| line(sheet, place)).collect(),
    })
}

fn line(sheet: &Sheet<'_>, place: &Place<'_>) -> Option<ConfigLine> {
    let filesystem = place.mount.filesystem.as_ref().and_then(|id| sheet.catalog.filesystems.get(id));
    if filesystem.is_some_and(|fs| fs.dataset.is_some()) {
        return None;
    }
    let mut evidence: Vec<String> = Vec::new();
    let mut options = options(sheet, place);
    let mut reason = format!("{}: {}.", place.holds(), sizes(sheet.site, place.size));
    let (source, kind, pass) = match (place.access, filesystem) {
        (Access::File, _) => {
            let place_of = quote::slug(&place.mount.device);
            reason =
                format!("{reason} Replace {place_of}.{NOWHERE} by the filer's address and the path by its export.");
            (export(sheet, place), protocol_type(sheet, place), 0.0)
        }
        (_, Some(fs)) => {
            let pass = fs.fsck_pass.as_ref().map_or(0.0, |pass| pass.value);
            evidence.extend(ids(&fs.mount.origin));
            reason.push_str(if sheet.is_linux() {
                " The label is set by mkfs.sh; take the UUID where clones of the volume are attached to this machine."
            } else {
                " Replace the name of the device by that of mkfs.sh, below /dev/dsk, and below /dev/rdsk where it is checked."
            });
            (
                if sheet.is_linux() {
                    format!("LABEL={}", place.label())
                } else {
                    format!("/dev/dsk/{}", place.label())
                },
                fs.entry.id.as_str(),
                pass,
            )
        }
        (_, None) => return None,
    };
    for set in place.mount.option_sets(sheet.catalog) {
        if is_safe(place, &set.requires) {
            reason.push(' ');
            reason.push_str(&set.why.value);
            evidence.extend(ids(&set.why.origin));
        }
    }
    for extra in fill::settings(sheet, Target::Fstab, Some(place)) {
        options.push(extra.value);
        reason.push(' ');
        reason.push_str(&extra.reason);
        evidence.extend(extra.evidence);
    }
    evidence.sort();
    evidence.dedup();
    let mut seen: Vec<String> = Vec::new();
    options.retain(|option| {
        let new = !seen.contains(option);
        seen.push(option.clone());
        new
    });
    let options = options.join(",");
    let text = if sheet.is_linux() {
        let fields = [&source, &place.mount_point, kind, &options].map(quote::fstab);
        format!("{} 0 {pass}", fields.join(" "))
    } else {
        // vfstab(4): device to mount and to check, mount point, type, pass of fsck, whether at boot, options.
        let (checked, pass) = match place.access {
            Access::File => ("-".to_owned(), "-"),
            _ => (format!("/dev/rdsk/{}", place.label()), "2"),
        };
        let point = &place.mount_point;
        let fields = [&source, &checked, point, kind, pass, "yes", &options].map(quote::fstab);
        fields.join(" ")
    };
    Some(ConfigLine { text, reason, evidence })
}

/// What an origin rests on, or that nothing is known.
fn ids(origin: &Origin) -> Vec<String> {
    match origin.ids() {
        [] => vec!["assumed".to_owned()],
        ids => ids.to_vec(),
    }
}

/// Options whose conditions hold; those for a single client never where several servers mount the data.
fn options(sheet: &Sheet<'_>, place: &Place<'_>) -> Vec<String> {
    let sets = place.mount.option_sets(sheet.catalog);
    if sets.is_empty() {
        let all = place.mount.options(sheet.catalog, sheet.year());
        return all.split(',').map(str::to_owned).collect();
    }
    let safe = sets.into_iter().filter(|set| is_safe(place, &set.requires));
    safe.flat_map(|set| set.in_year(sheet.year())).map(str::to_owned).collect()
}

fn is_safe(place: &Place<'_>, requires: &[&str]) -> bool {
    !(place.shared && requires.contains(&"single-client"))
}

/// The type field of an export.
fn protocol_type(sheet: &Sheet<'_>, place: &Place<'_>) -> &'static str {
    let protocol = sheet.catalog.protocols.get(&place.mount.protocol);
    protocol.map_or("nfs", |protocol| protocol.fstab_type)
}

/// A placeholder for an export: one for all servers where it is shared.
fn export(sheet: &Sheet<'_>, place: &Place<'_>) -> String {
    let owner = if place.shared { String::new() } else { format!("{}-", sheet.id) };
    let path = format!("p4-{owner}{}", place.role().replace('_', "-"));
    match protocol_type(sheet, place) {
        "nfs" => format!("{}.{NOWHERE}:/{path}", quote::slug(&place.mount.device)),
        _ => format!("//{}.{NOWHERE}/{path}", quote::slug(&place.mount.device)),
    }
}

/// Users' workspaces on a filer that the site has: many clients, so no option that needs a single one.
pub(super) fn workspaces(sheet: &Sheet<'_>) -> Option<ConfigFile> {
    let infrastructure = &sheet.site.infrastructure;
    let allowed = &infrastructure.protocols.value;
    let pair = infrastructure.storage.value.iter().find_map(|id| {
        let array = sheet.catalog.arrays.get(id)?;
        let is_nfs = |p: &String| {
            let protocol = sheet.catalog.protocols.get(p);
            protocol.is_some_and(|p| p.access == Access::File && p.fstab_type == "nfs")
        };
        let speaks = |p: &&String| is_nfs(p) && allowed.contains(p);
        Some((id, array.protocols.iter().find(speaks)?))
    });
    let (device, protocol) = pair.filter(|_| sheet.is_linux())?;
    let settings = fill::settings(sheet, Target::Workspaces, None);
    let mine = settings.into_iter().filter(|s| s.name == "all" || s.name == *protocol);
    let (mut options, mut evidence) = (Vec::new(), Vec::new());
    let mut reason = format!(
        "Workspaces on a filer, apart from the servers' volumes: an export of their own, since many machines mount it. \
         Replace {0}.{NOWHERE} by the filer's address.",
        quote::slug(device)
    );
    for setting in mine {
        options.push(setting.value);
        reason.push(' ');
        reason.push_str(&setting.reason);
        evidence.extend(setting.evidence);
    }
    evidence.sort();
    evidence.dedup();
    let source = format!("{}.{NOWHERE}:/p4-workspaces", quote::slug(device));
    let fields = [source.as_str(), "/p4/workspaces", "nfs", &options.join(",")].map(quote::fstab);
    Some(ConfigFile {
        name: "fstab".to_owned(),
        server: "workstations".to_owned(),
        of_edge: false,
        title: "a line for /etc/fstab of machines with workspaces on a filer; not for servers".to_owned(),
        language: Language::Fstab,
        lines: vec![ConfigLine { text: format!("{} 0 0", fields.join(" ")), reason, evidence }],
    })
}

//! Scripts that make filesystems and directories, and stop rather than guess.
//!
//! A device is a variable that the administrator sets; while one is empty, nothing runs. A device that holds
//! anything is refused.

use crate::catalog::{Called, Catalog, Filesystem, Target};
use crate::system::Mount;
use crate::units::Bytes;

use super::file::{ConfigFile, ConfigLine, Language};
use super::fill::{self, sizes};
use super::quote;
use super::sheet::{Place, Sheet};

/// Filesystems of a server's local and block volumes.
pub(super) fn mkfs(sheet: &Sheet<'_>) -> Option<ConfigFile> {
    if sheet.is_windows() {
        return None;
    }
    let mut file = ConfigFile {
        name: "mkfs.sh".to_owned(),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: "makes the filesystems on empty devices; set the variables first, run it once as root".to_owned(),
        language: Language::Shell,
        lines: Vec::new(),
    };
    let made: Vec<Made<'_, '_>> = sheet.places.iter().filter_map(|place| made(sheet, place)).collect();
    let mut devices: Vec<&Made<'_, '_>> = Vec::new();
    for one in &made {
        if !devices.iter().any(|d| d.variable == one.variable) {
            devices.push(one);
        }
    }
    file.lines.extend(devices.iter().map(|one| ask(sheet, one)));
    for one in &devices {
        if sheet.is_linux() {
            file.lines.extend(check(one));
        }
        file.lines.push(make(sheet, one));
    }
    file.lines.extend(made.iter().filter_map(|one| dataset(sheet, one)));
    let points =
        sheet.places.iter().filter(|p| !made.iter().any(|m| m.fs.dataset.is_some() && m.place.label() == p.label()));
    file.lines.extend(points.map(|place| {
        ConfigLine::new(
            format!("mkdir -p -- {}", quote::shell(&place.mount_point)),
            if sheet.is_linux() {
                "Mount points for the lines of fstab."
            } else {
                "Mount points for the lines of vfstab."
            },
            &["FSTAB5"],
        )
    }));
    Some(file)
}

/// A filesystem to make.
struct Made<'s, 'a> {
    place: &'s Place<'a>,
    fs: &'s Filesystem,
    variable: String,
}

fn made<'s, 'a>(sheet: &'s Sheet<'a>, place: &'s Place<'a>) -> Option<Made<'s, 'a>> {
    let id = place.mount.filesystem.as_ref().filter(|_| place.access.has_filesystem())?;
    let fs = sheet.catalog.filesystems.get(id)?;
    // A pool is made once, whatever lies in it.
    let of = if fs.dataset.is_some() { "pool" } else { place.role() };
    Some(Made { place, fs, variable: format!("PLIMSOLL_{}_DEVICE", of.to_uppercase()) })
}

fn ask(sheet: &Sheet<'_>, one: &Made<'_, '_>) -> ConfigLine {
    let holds = if one.fs.dataset.is_some() { "all datasets of the pool".to_owned() } else { one.place.holds() };
    let reason = if one.fs.dataset.is_some() {
        format!("{holds}, on {}.", store(sheet.catalog, one.place))
    } else {
        lies_on(sheet, one.place, "A partition or logical volume")
    };
    let raid = format!("raid/{}", one.place.mount.raid);
    ConfigLine::new(
        format!(
            ": \"${{{}:?set it to the empty block device for {}}}\"",
            one.variable,
            quote::inside_double_quotes(&holds)
        ),
        reason,
        &[&raid, "data.db_size", "data.depot_size"],
    )
}

/// What a volume lies on.
fn store(catalog: &Catalog, place: &Place<'_>) -> String {
    let mount = place.mount;
    if mount.is_private() {
        let size = Bytes::new(mount.disk_bytes).si();
        format!(
            "{} of {} × {size} {} in the server",
            catalog.raid.called(&mount.raid),
            mount.disks,
            catalog.media.called(&mount.medium)
        )
    } else {
        format!(
            "a volume of {} over {}",
            catalog.arrays.called(&mount.device),
            catalog.protocols.called(&mount.protocol)
        )
    }
}

/// What a volume holds, how large it is to be, on what it lies, and what part of a set it is where it shares one.
pub(super) fn lies_on(sheet: &Sheet<'_>, place: &Place<'_>, part: &str) -> String {
    let mount = place.mount;
    let others = sheet.places.iter().filter(|p| p.mount.is_private() && p.mount.shares_disks(mount)).count();
    let shares = if mount.is_private() && others > 1 {
        format!(" {part} of the set, which holds other volumes too.")
    } else {
        String::new()
    };
    let sized = sizes(sheet.site, place.size);
    format!("{}: {sized}, on {}.{shares}", place.holds(), store(sheet.catalog, place))
}

/// Two checks that stop the script: it is a block device, and it holds nothing.
fn check(one: &Made<'_, '_>) -> [ConfigLine; 3] {
    let device = format!("\"${}\"", one.variable);
    let reason = "Stops unless it is a block device without any filesystem, RAID or partition table.";
    [
        format!("lsblk --nodeps --noheadings --output NAME,SIZE,MODEL {device}"),
        format!("signatures=$(wipefs --noheadings {device})"),
        format!("test -z \"$signatures\" || {{ echo {device} holds data already >&2; exit 1; }}"),
    ]
    .map(|text| ConfigLine::new(text, reason, &["UTILLINUX"]))
}

fn make(sheet: &Sheet<'_>, one: &Made<'_, '_>) -> ConfigLine {
    let command = one.fs.mkfs_in(sheet.year());
    let (stripe, why) = stripe(sheet, one.fs, one.place.mount);
    let text = command.value.replace("{stripe}", &stripe).replace("{label}", &one.place.label());
    let mut evidence: Vec<&str> = command.origin.ids().iter().map(String::as_str).collect();
    if evidence.is_empty() {
        evidence.push("assumed");
    }
    let reason = format!("{} for {}.{why}", one.fs.entry.title, one.place.holds());
    ConfigLine::new(words(&text, &one.variable, ""), reason, &evidence)
}

fn dataset(sheet: &Sheet<'_>, one: &Made<'_, '_>) -> Option<ConfigLine> {
    let command = one.fs.dataset.as_ref()?;
    let text = command.value.replace("{label}", &one.place.label());
    let ids: Vec<&str> = command.origin.ids().iter().map(String::as_str).collect();
    let reason = format!("A dataset for {}: {}.", one.place.holds(), sizes(sheet.site, one.place.size));
    Some(ConfigLine::new(words(&text, &one.variable, &one.place.mount_point), reason, &ids))
}

/// A command of the catalogue as words of a shell.
fn words(text: &str, variable: &str, mount_point: &str) -> String {
    let word = |word: &str| match word {
        "{device}" => format!("\"${variable}\""),
        word => quote::shell(&word.replace("{mount_point}", mount_point)),
    };
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Options for the stripes of a RAID set, where its controller does not tell them, and why.
fn stripe(sheet: &Sheet<'_>, fs: &Filesystem, mount: &Mount) -> (String, String) {
    let none = |why: &str| (String::new(), why.to_owned());
    let Some(template) = &fs.stripe else {
        return none("");
    };
    let disk = sheet.catalog.media.get(&mount.medium).is_some_and(|m| m.kind == "disk");
    if !mount.is_local() {
        return none(" The array hides its stripes: no stripe options.");
    }
    if !disk {
        return none(" Software RAID over flash tells mkfs its stripes by itself.");
    }
    let Some((raid, unit)) = sheet.catalog.raid.get(&mount.raid).and_then(|r| Some((r, r.stripe.as_ref()?))) else {
        return none("");
    };
    let data_disks = mount.disks / raid.copies.value - raid.parity_disks.value;
    if data_disks < 2.0 {
        return none("");
    }
    let kib = unit.value.get() / 1024.0;
    let blocks = (kib / 4.0).max(1.0);
    let text = template
        .value
        .replace("{unit_kib}", &format!("{kib:.0}"))
        .replace("{unit_blocks}", &format!("{blocks:.0}"))
        .replace("{width_blocks}", &format!("{:.0}", blocks * data_disks))
        .replace("{data_disks}", &format!("{data_disks:.0}"));
    let why = format!(
        " Stripes of {kib:.0} KiB over {data_disks:.0} data disks of {}, as the controller is to be set up.",
        raid.entry.title
    );
    (text, why)
}

/// Directories of p4d on the mounted volumes.
pub(super) fn directories(sheet: &Sheet<'_>) -> Option<ConfigFile> {
    if sheet.is_windows() {
        return None;
    }
    let mut lines = vec![ConfigLine::new(
        ": \"${PLIMSOLL_USER:?set it to the user that p4d runs as}\"",
        "The directories belong to the user that p4d runs as, who is not root.",
        &["SAG"],
    )];
    if sheet.is_linux() {
        lines.extend(sheet.places.iter().map(|place| {
            ConfigLine::new(
                format!("mountpoint -q -- {}", quote::shell(&place.mount_point)),
                "Stops unless the volumes are mounted: what is made now would otherwise lie on the disk of the system.",
                &["UTILLINUX"],
            )
        }));
    }
    for (path, reason, evidence) in paths(sheet) {
        let path = quote::shell(&path);
        lines.push(ConfigLine {
            text: format!("mkdir -p -- {path}"),
            reason: reason.clone(),
            evidence: evidence.clone(),
        });
        for command in ["chown -- \"$PLIMSOLL_USER\"", "chmod -- 0700"] {
            lines.push(ConfigLine {
                text: format!("{command} {path}"),
                reason: reason.clone(),
                evidence: evidence.clone(),
            });
        }
    }
    Some(ConfigFile {
        name: "directories.sh".to_owned(),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: "makes the directories of p4d on mounted volumes; run it as root after mounting".to_owned(),
        language: Language::Shell,
        lines,
    })
}

/// Each directory once, with everything that it is for.
pub(super) fn paths(sheet: &Sheet<'_>) -> Vec<(String, String, Vec<String>)> {
    let mut paths: Vec<(String, String, Vec<String>)> = Vec::new();
    for setting in fill::settings(sheet, Target::Directories, None) {
        let path = quote::plain(&setting.value);
        if let Some((_, reason, _)) = paths.iter_mut().find(|(known, ..)| *known == path) {
            reason.push(' ');
            reason.push_str(&setting.reason);
        } else {
            paths.push((path, setting.reason, setting.evidence));
        }
    }
    paths
}

//! One `[[today.volume]]` of a mounted file system and the drives under it.

use super::answers::{Known, Open};
use super::drives::{self, Drives};
use super::facts::{At, Collected};
use super::names::{like, names};
use super::places;
use super::volumes::{Volume, text};
use crate::diag::harmless_line;

/// The version of NFS in mount options, as the catalogue has it; with what to look at.
fn nfs(kind: &str, options: Option<&str>) -> Option<(&'static str, Option<&'static str>)> {
    let mut parts = options.unwrap_or("").split(',');
    let version = parts.find_map(|part| part.strip_prefix("vers=").or_else(|| part.strip_prefix("nfsvers=")));
    match version {
        Some("3") => Some(("nfsv3", None)),
        Some("4.1" | "4.2") => Some(("nfsv4.1", None)),
        Some("4" | "4.0") => {
            Some(("nfsv4.1", Some("it is version 4.0, which the catalogue does not have: 4.1 stands in")))
        }
        Some("2") => Some(("nfsv3", Some("it is version 2, which the catalogue does not have: 3 stands in"))),
        None if kind == "nfs4" => Some(("nfsv4.1", Some("the outputs do not show which 4.x it is"))),
        _ => None,
    }
}

/// Mount options without addresses and what an anonymised file leaves out, and no longer than an answer may be.
fn options(all: &str) -> String {
    const MOST: usize = 300;
    let is_address = |part: &str| {
        let name = part.split('=').next().unwrap_or(part);
        [
            "addr",
            "mountaddr",
            "clientaddr",
            "mountport",
            "mountvers",
            "mountproto",
            "port",
            "username",
            "user",
            "domain",
            "credentials",
            "*",
        ]
        .contains(&name)
    };
    let mut out = String::new();
    for part in all.split(',').filter(|part| !part.is_empty() && !is_address(part)) {
        let part = harmless_line(part);
        if out.chars().count() + part.chars().count() + 1 > MOST {
            break;
        }
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&part);
    }
    out
}

/// One volume; none where the outputs do not say enough to state any.
pub(super) fn made_of(
    collected: &Collected,
    volume: &places::Volume,
    roles: Vec<&'static str>,
    open: &mut Vec<Open>,
) -> Option<Volume> {
    let shown = harmless_line(&volume.target);
    // `p4 diskspace` names neither device nor export.
    let source = match volume.source.as_str() {
        "" => &volume.target,
        source => source,
    };
    let mut answers: Vec<Known> = Vec::new();
    let mut know = |field: &str, value: String, (from, place): At, check: Option<&str>| {
        answers.push(Known {
            field: field.to_owned(),
            value,
            from: from.to_owned(),
            place,
            check: check.map(str::to_owned),
        });
    };
    let mut ask = |key: &str, question: String| {
        open.push(Open { field: format!("today.volume.{key}"), question: format!("{shown}: {question}") });
    };
    let kind = volume.kind.as_str();
    let at = (volume.from, volume.place);
    let mut own = None;
    let is_export = volume.source.contains(":/") || volume.source.starts_with("//");
    if matches!(kind, "nfs" | "nfs4") || (kind.is_empty() && volume.source.contains(":/")) {
        let Some((protocol, check)) = nfs(kind, volume.options.as_deref()) else {
            ask(
                "protocol",
                "Which version of NFS is it mounted with? `grep nfs /proc/mounts` shows it as vers=.".to_owned(),
            );
            return None;
        };
        know("protocol", text(protocol), at, check);
        ask("array", format!("Which filer exports {}?", harmless_line(source)));
    } else if matches!(kind, "cifs" | "smb3" | "smbfs") || (kind.is_empty() && is_export) {
        know("protocol", text("smb"), at, None);
        ask("array", format!("Which filer shares {}?", harmless_line(source)));
    } else {
        of_filesystem((kind, &shown), at, &mut know, &mut ask);
        let found = drives::drives(collected, &volume.source, &volume.target);
        // Where no output shows the drives, the name of the device says what they are.
        let at = found.shown.unwrap_or(at);
        of_drives(&found, at, &mut know, &mut ask);
        own = Some(found).filter(Drives::are_own);
    }
    if let Some(all) = volume.options.as_deref().map(options).filter(|all| !all.is_empty()) {
        know("mount_options", text(&all), at, None);
    }
    Some(Volume { roles, target: volume.target.clone(), answers, own, used_bytes: volume.space.map(|(used, _)| used) })
}

/// The filesystem of a kind that an output names, or what to ask of the volume as it is shown.
fn of_filesystem(
    (kind, shown): (&str, &str),
    at: At,
    know: &mut impl FnMut(&str, String, At, Option<&str>),
    ask: &mut impl FnMut(&str, String),
) {
    let stated = ["ext3", "ext4", "xfs", "btrfs", "zfs", "ntfs", "ufs", "reiserfs"]
        .into_iter()
        .find(|id| kind.eq_ignore_ascii_case(id));
    match stated {
        Some(id) => know("filesystem", text(id), at, None),
        None if kind.is_empty() => ask("filesystem", format!("Which filesystem is on it? `df -PT {shown}` says so.")),
        None => {
            let kind = kind.to_ascii_lowercase();
            let what = like(&names().filesystem, &kind).and_then(|entry| entry.what.as_deref());
            let what = what.unwrap_or("not in the catalogue");
            ask("filesystem", format!("It is {}, {what}. Which filesystem comes nearest?", harmless_line(&kind)));
        }
    }
}

fn of_drives(
    found: &Drives,
    at: At,
    know: &mut impl FnMut(&str, String, At, Option<&str>),
    ask: &mut impl FnMut(&str, String),
) {
    if let Some(array) = &found.array {
        know("array", text(array), at, None);
    }
    if let Some(protocol) = found.protocol {
        know("protocol", text(protocol), at, None);
    }
    if let Some(medium) = &found.medium {
        know("medium", text(medium), at, found.check);
        know("drives", found.disks.len().to_string(), at, None);
    }
    if let Some(size) = &found.size {
        know("drive_size", text(size), at, None);
    }
    if let Some(raid) = &found.raid {
        know("raid", text(raid), at, None);
    } else if found.medium.is_some() && found.disks.len() == 1 {
        // One drive is no stripe: the catalogue counts it as RAID 0.
        know("raid", text("raid0"), at, Some("one drive without redundancy counts as RAID 0"));
    }
    for (key, question) in &found.open {
        ask(key, question.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collected::{answers, of_texts};

    #[test]
    fn drives_that_a_mount_names_are_cited_from_its_line() {
        let text = "proc on /proc type proc (rw)\n/dev/nvme0n1p1 on /hx type xfs (rw)\nServer root: /hx/root\n";
        let volumes = answers(&of_texts([("a", text)])).volumes;
        let found = volumes.iter().flat_map(|volume| &volume.answers);
        let found: Vec<(&str, usize)> = found.map(|known| (known.field.as_str(), known.place.line)).collect();
        assert!(found.contains(&("medium", 2)), "{found:?}");
        assert!(found.iter().all(|(_, line)| *line == 2), "{found:?}");
    }

    #[test]
    fn versions_of_nfs() {
        assert_eq!(nfs("nfs", Some("rw,vers=3,hard")).map(|(id, _)| id), Some("nfsv3"));
        assert_eq!(nfs("nfs4", Some("rw,vers=4.2")), Some(("nfsv4.1", None)));
        assert!(nfs("nfs4", Some("vers=4.0")).is_some_and(|(_, check)| check.is_some()));
        assert_eq!(nfs("nfs", Some("rw")), None);
    }

    #[test]
    fn options_have_no_addresses_and_an_end() {
        assert_eq!(options("rw,nconnect=8,addr=10.0.0.1,mountaddr=10.0.0.1,hard"), "rw,nconnect=8,hard");
        assert!(options(&"abcdefgh,".repeat(100)).len() <= 300);
    }
}

//! Which volume holds database, journal, log, depots and checkpoints: `[[today.volume]]`.

use std::collections::BTreeMap;

use super::answers::{Known, Open};
use super::drives::{self, Drives};
use super::facts::{Collected, Found, Place, Setting};
use super::names::{like, names};
use super::places::{self, Lies, lies, resolved, volumes};
use crate::diag::harmless_line;

/// One `[[today.volume]]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// What it holds: `db`, `journal`, `log`, `depot`, `checkpoint`.
    pub roles: Vec<&'static str>,
    /// Where it is mounted.
    pub target: String,
    /// Its answers; the field of each is a key of `[[today.volume]]`.
    pub answers: Vec<Known>,
    /// Drives of the server under it; empty where they are not known, or another's.
    pub(super) own: Option<Drives>,
    /// Bytes in use.
    pub used_bytes: Option<f64>,
}

/// Volumes, and what is open about them.
#[derive(Debug, Default)]
pub(super) struct Laid {
    pub(super) volumes: Vec<Volume>,
    pub(super) open: Vec<Open>,
}

/// The path of one role, and what says so.
struct Role {
    role: &'static str,
    /// As people call it.
    words: &'static str,
    /// What `p4 diskspace` calls it.
    location: &'static str,
    path: Option<String>,
    /// The command that answers where it is.
    ask: &'static str,
}

/// The last value of a setting, by what says it last: the process, then the configuration, then the environment.
pub(super) fn setting<'c>(collected: &'c Collected, name: &str) -> Option<&'c Found<Setting>> {
    let rank = |found: &&Found<Setting>| match found.value.origin.as_str() {
        "process" => 4,
        origin if origin.starts_with('-') => 3,
        "" if found.value.scope.is_none() => 1,
        _ => 2,
    };
    let all = collected
        .settings
        .iter()
        .filter(|found| found.value.name == name && !found.value.value.is_empty());
    // Of several with the same rank the first one counts; that they differ is said elsewhere.
    all.rev().max_by_key(rank)
}

/// Whether the settings of the server are all known, so that one that is missing is not set.
pub(super) fn are_complete(collected: &Collected) -> bool {
    const FEW: usize = 4;
    let of_server = collected
        .settings
        .iter()
        .filter(|found| found.from == "p4 configure show");
    of_server.count() >= FEW
}

/// P4ROOT as the outputs agree on it; more than one is a conflict.
pub(super) fn root(collected: &Collected) -> Result<Option<String>, Vec<String>> {
    let set = setting(collected, "P4ROOT").map(|found| found.value.value.clone());
    let shown = collected
        .info
        .iter()
        .filter(|found| found.value.0 == "Server root");
    let shown = shown.map(|found| found.value.1.clone());
    let mut all: Vec<String> = Vec::new();
    for path in set.into_iter().chain(shown) {
        let same = |other: &String| {
            places::plain(other) == places::plain(&path)
                || resolved(collected, other).0 == resolved(collected, &path).0
        };
        // A server that is started in its folder says ".".
        if path != "." && !all.iter().any(same) {
            all.push(path);
        }
    }
    if all.len() > 1 {
        Err(all)
    } else {
        Ok(all.pop())
    }
}

/// A path of the server: one that is not absolute is below P4ROOT.
fn absolute(path: &str, root: Option<&str>) -> Option<String> {
    let is_absolute = path.starts_with('/') || path.get(1..2) == Some(":");
    if is_absolute {
        return Some(path.to_owned());
    }
    let path = path.trim_start_matches("./");
    root.map(|root| format!("{}/{path}", root.trim_end_matches(['/', '\\'])))
}

fn roles(collected: &Collected, root: Option<&str>) -> Vec<Role> {
    let complete = are_complete(collected);
    let set =
        |name: &str| setting(collected, name).and_then(|found| absolute(&found.value.value, root));
    let or_root = |path: Option<String>, below: &str| {
        path.or_else(|| complete.then(|| absolute(below, root)).flatten())
    };
    let depots = or_root(set("server.depot.root"), "");
    vec![
        Role {
            role: "db",
            words: "database (P4ROOT)",
            location: "P4ROOT",
            path: root.map(str::to_owned),
            ask: "p4 info",
        },
        Role {
            role: "journal",
            words: "journal (P4JOURNAL)",
            location: "P4JOURNAL",
            path: or_root(set("P4JOURNAL"), "journal"),
            ask: "p4 configure show",
        },
        Role {
            role: "log",
            words: "log (P4LOG)",
            location: "P4LOG",
            path: set("P4LOG"),
            ask: "p4 configure show",
        },
        Role {
            role: "depot",
            words: "depots (server.depot.root)",
            location: "depot",
            path: depots,
            ask: "p4 configure show server.depot.root",
        },
        Role {
            role: "checkpoint",
            words: "checkpoints (journalPrefix)",
            location: "journalPrefix",
            path: or_root(set("journalPrefix"), "checkpoint"),
            ask: "p4 configure show journalPrefix",
        },
    ]
}

/// Where depots lie whose maps are absolute: by target, with their names.
fn mapped(
    collected: &Collected,
    all: &[places::Volume],
    root: Option<&str>,
    base: Option<&str>,
) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for depot in &collected.depots {
        let depot = &depot.value;
        if !["local", "stream", "spec", "unload", "archive", "graph"].contains(&depot.kind.as_str())
        {
            continue;
        }
        let Some(path) = absolute(&depot.map, base.or(root)) else {
            continue;
        };
        if let Lies::On(target) = lies(collected, all, &depot.name, Some(&path)) {
            found.entry(target).or_default().push(depot.name.clone());
        }
    }
    found
}

/// Lays the roles on the volumes that the outputs show.
pub(super) fn laid(collected: &Collected) -> Laid {
    let mut laid = Laid::default();
    let all = volumes(collected);
    if all.is_empty() {
        return laid;
    }
    let root = match root(collected) {
        Ok(root) => root,
        Err(several) => {
            let shown: Vec<String> = several.iter().map(|path| harmless_line(path)).collect();
            laid.ask("today.volume", &format!("The outputs name several roots: {}. Which of them is the server's? Give its outputs alone.", shown.join(", ")));
            return laid;
        }
    };
    let mut by_target: Vec<(String, Vec<&'static str>)> = Vec::new();
    for role in roles(collected, root.as_deref()) {
        let place = if role.role == "depot" {
            let base = role.path.as_deref();
            let mut on = mapped(collected, &all, root.as_deref(), base);
            match on.len() {
                0 => lies(collected, &all, role.location, base),
                1 => Lies::On(on.pop_first().map(|(target, _)| target).unwrap_or_default()),
                _ => {
                    let shown = on.iter().map(|(target, depots)| {
                        format!("{} on {}", some(depots), harmless_line(target))
                    });
                    let shown: Vec<String> = shown.collect();
                    laid.ask("today.volume.roles", &format!("The depots lie on several volumes: {}. Which one holds most? A site has one volume for them.", shown.join("; ")));
                    continue;
                }
            }
        } else {
            lies(collected, &all, role.location, role.path.as_deref())
        };
        match place {
            Lies::On(target) => match by_target.iter_mut().find(|(on, _)| *on == target) {
                Some((_, roles)) => roles.push(role.role),
                None => by_target.push((target, vec![role.role])),
            },
            Lies::MayBeLinked => {
                let path = harmless_line(role.path.as_deref().unwrap_or(""));
                laid.ask(
                    "today.volume.roles",
                    &format!("On which volume do the {} lie? By its name {path} is on /, and it may be a link to another volume: `df -PT {path}` says so.", role.words),
                );
            }
            Lies::Unknown => {
                let how = match &role.path {
                    Some(path) => format!("`df -PT {}`", harmless_line(path)),
                    None => format!("`{}`, then `df -PT` of that path,", role.ask),
                };
                laid.ask(
                    "today.volume.roles",
                    &format!("On which volume do the {} lie? {how} says so.", role.words),
                );
            }
        }
    }
    let holds_db = |(_, roles): &(String, Vec<&'static str>)| roles.contains(&"db");
    if !by_target.iter().any(holds_db) {
        // Without the database's volume a site file takes none of the others.
        return laid;
    }
    let mut made: Vec<Volume> = Vec::new();
    let mut open = Vec::new();
    for (target, roles) in by_target {
        let Some(volume) = all.iter().find(|volume| volume.target == target) else {
            continue;
        };
        match made_of(collected, volume, roles.clone(), &mut open) {
            Some(volume) => made.push(volume),
            None if roles.contains(&"db") => {
                laid.open.extend(open);
                return laid;
            }
            None => {}
        }
    }
    laid.open.extend(open);
    share(&mut made);
    laid.volumes = made;
    laid
}

/// "main, art and 3 others".
fn some(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| harmless_line(name))
        .collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl Laid {
    fn ask(&mut self, field: &str, question: &str) {
        self.open.push(Open {
            field: field.to_owned(),
            question: question.to_owned(),
        });
    }
}

/// Volumes on the same drives do not have these to themselves.
fn share(volumes: &mut [Volume]) {
    let disks: Vec<_> = volumes
        .iter()
        .map(|volume| volume.own.as_ref().map(|own| own.disks.clone()))
        .collect();
    for (i, volume) in volumes.iter_mut().enumerate() {
        let Some(mine) = &disks[i] else { continue };
        let others = disks.iter().enumerate().filter(|(j, _)| *j != i);
        let is_shared = others
            .filter_map(|(_, other)| other.as_ref())
            .any(|other| !mine.is_disjoint(other));
        if is_shared {
            volume
                .answers
                .retain(|known| known.field != "drives" && known.field != "drive_size");
        }
    }
}

/// TOML of a text.
pub(super) fn text(value: &str) -> String {
    toml::Value::String(value.to_owned()).to_string()
}

/// The version of NFS in mount options, as the catalogue has it; with what to look at.
fn nfs(kind: &str, options: Option<&str>) -> Option<(&'static str, Option<&'static str>)> {
    let mut parts = options.unwrap_or("").split(',');
    let version = parts.find_map(|part| {
        part.strip_prefix("vers=")
            .or_else(|| part.strip_prefix("nfsvers="))
    });
    match version {
        Some("3") => Some(("nfsv3", None)),
        Some("4.1" | "4.2") => Some(("nfsv4.1", None)),
        Some("4" | "4.0") => Some((
            "nfsv4.1",
            Some("it is version 4.0, which the catalogue does not have: 4.1 stands in"),
        )),
        Some("2") => Some((
            "nfsv3",
            Some("it is version 2, which the catalogue does not have: 3 stands in"),
        )),
        Some(_) => None,
        None if kind == "nfs4" => {
            Some(("nfsv4.1", Some("the outputs do not show which 4.x it is")))
        }
        None => None,
    }
}

/// Mount options without addresses, and no longer than an answer may be.
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
        ]
        .contains(&name)
    };
    let mut out = String::new();
    for part in all
        .split(',')
        .filter(|part| !part.is_empty() && !is_address(part))
    {
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
fn made_of(
    collected: &Collected,
    volume: &places::Volume,
    roles: Vec<&'static str>,
    open: &mut Vec<Open>,
) -> Option<Volume> {
    let shown = harmless_line(&volume.target);
    let mut answers: Vec<Known> = Vec::new();
    let mut know = |field: &str, value: String, from: &str, place: Place, check: Option<&str>| {
        answers.push(Known {
            field: field.to_owned(),
            value,
            from: from.to_owned(),
            place,
            check: check.map(str::to_owned),
        });
    };
    let mut ask = |key: &str, question: String| {
        open.push(Open {
            field: format!("today.volume.{key}"),
            question: format!("{shown}: {question}"),
        });
    };
    let kind = volume.kind.as_str();
    let (from, place) = (volume.from, volume.place);
    let mut own = None;
    let is_export = volume.source.contains(":/") || volume.source.starts_with("//");
    if matches!(kind, "nfs" | "nfs4") || (kind.is_empty() && volume.source.contains(":/")) {
        let Some((protocol, check)) = nfs(kind, volume.options.as_deref()) else {
            ask("protocol", "Which version of NFS is it mounted with? `grep nfs /proc/mounts` shows it as vers=.".to_owned());
            return None;
        };
        know("protocol", text(protocol), from, place, check);
        ask(
            "array",
            format!("Which filer exports {}?", harmless_line(&volume.source)),
        );
    } else if matches!(kind, "cifs" | "smb3" | "smbfs") || (kind.is_empty() && is_export) {
        know("protocol", text("smb"), from, place, None);
        ask(
            "array",
            format!("Which filer shares {}?", harmless_line(&volume.source)),
        );
    } else {
        let stated = ["ext3", "ext4", "xfs", "zfs", "ntfs", "ufs", "reiserfs"]
            .into_iter()
            .find(|id| kind.eq_ignore_ascii_case(id));
        match stated {
            Some(id) => know("filesystem", text(id), from, place, None),
            None if kind.is_empty() => ask(
                "filesystem",
                format!("Which filesystem is on it? `df -PT {shown}` says so."),
            ),
            None => {
                let kind = kind.to_ascii_lowercase();
                let what = like(&names().filesystem, &kind).and_then(|entry| entry.what.as_deref());
                let what = what.unwrap_or("not in the catalogue");
                ask(
                    "filesystem",
                    format!(
                        "It is {}, {what}. Which filesystem comes nearest?",
                        harmless_line(&kind)
                    ),
                );
            }
        }
        let found = drives::drives(collected, &volume.source, &volume.target);
        of_drives(collected, &found, &mut know, &mut ask);
        own = Some(found).filter(Drives::are_own);
    }
    if let Some(all) = volume
        .options
        .as_deref()
        .map(options)
        .filter(|all| !all.is_empty())
    {
        know("mount_options", text(&all), from, place, None);
    }
    Some(Volume {
        roles,
        target: volume.target.clone(),
        answers,
        own,
        used_bytes: volume.space.map(|(used, _)| used),
    })
}

fn of_drives(
    collected: &Collected,
    found: &Drives,
    know: &mut impl FnMut(&str, String, &str, Place, Option<&str>),
    ask: &mut impl FnMut(&str, String),
) {
    let tree = collected.trees.last().map(|tree| (tree.from, tree.place));
    let array = collected
        .arrays
        .first()
        .map(|array| (array.from, array.place));
    let mounts = collected
        .mounts
        .first()
        .map(|mount| (mount.from, mount.place));
    let Some((from, place)) = tree.or(array).or(mounts) else {
        for (key, question) in &found.open {
            ask(key, question.clone());
        }
        return;
    };
    if let Some(array) = &found.array {
        know("array", text(array), from, place, None);
    }
    if let Some(protocol) = found.protocol {
        know("protocol", text(protocol), from, place, None);
    }
    if let Some(medium) = &found.medium {
        know("medium", text(medium), from, place, found.check);
        know("drives", found.disks.len().to_string(), from, place, None);
    }
    if let Some(size) = &found.size {
        know("drive_size", text(size), from, place, None);
    }
    if let Some(raid) = &found.raid {
        know("raid", text(raid), from, place, None);
    } else if found.medium.is_some() && found.disks.len() == 1 {
        // One drive is no stripe: the catalogue counts it as RAID 0.
        know(
            "raid",
            text("raid0"),
            from,
            place,
            Some("one drive without redundancy counts as RAID 0"),
        );
    }
    for (key, question) in &found.open {
        ask(key, question.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_nfs() {
        assert_eq!(
            nfs("nfs", Some("rw,vers=3,hard")).map(|(id, _)| id),
            Some("nfsv3")
        );
        assert_eq!(nfs("nfs4", Some("rw,vers=4.2")), Some(("nfsv4.1", None)));
        assert!(nfs("nfs4", Some("vers=4.0")).is_some_and(|(_, check)| check.is_some()));
        assert_eq!(nfs("nfs", Some("rw")), None);
    }

    #[test]
    fn options_have_no_addresses_and_an_end() {
        assert_eq!(
            options("rw,nconnect=8,addr=10.0.0.1,mountaddr=10.0.0.1,hard"),
            "rw,nconnect=8,hard"
        );
        assert!(options(&"abcdefgh,".repeat(100)).len() <= 300);
    }

    #[test]
    fn paths_of_a_server_are_below_its_root() {
        assert_eq!(
            absolute("journal", Some("/p4/1/root/")).as_deref(),
            Some("/p4/1/root/journal")
        );
        assert_eq!(absolute("D:\\j", None).as_deref(), Some("D:\\j"));
        assert_eq!(absolute("journal", None), None);
    }
}

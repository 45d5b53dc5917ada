//! Which volume holds database, journal, log, depots and checkpoints: `[[today.volume]]`.

use std::collections::BTreeMap;

use super::answers::{Known, Open};
use super::drives::Drives;
use super::facts::{Collected, Found, Setting};
use super::made::made_of;
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
    id: &'static str,
    /// As people call it.
    words: &'static str,
    /// What `p4 diskspace` calls it.
    location: &'static str,
    path: Option<String>,
    /// The command that answers where it is.
    ask: &'static str,
}

impl Role {
    /// What is asked where no output says on which volume it lies.
    fn unplaced(&self, lies: &Lies) -> String {
        let (does, words) = (does(self.words), self.words);
        let path = self.path.as_deref().map(harmless_line);
        match (lies, path) {
            (Lies::MayBeLinked, Some(path)) => format!(
                "On which volume {does} the {words} lie? By its name {path} is on /, and it may be a link to another volume: `df -PT {path}` says so."
            ),
            (_, Some(path)) => {
                format!("On which volume {does} the {words} lie? `df -PT {path}` says so.")
            }
            (_, None) => {
                format!("On which volume {does} the {words} lie? `{}`, then `df -PT` of that path, says so.", self.ask)
            }
        }
    }
}

/// A setting as it holds: what the process was started with goes before the configuration, and this before the environment.
pub(super) fn setting<'c>(collected: &'c Collected, name: &str) -> Option<&'c Found<Setting>> {
    let rank = |found: &&Found<Setting>| match found.value.origin.as_str() {
        "process" => 4,
        origin if origin.starts_with('-') => 3,
        "" if found.value.scope.is_none() => 1,
        _ => 2,
    };
    let all = collected.settings.iter().filter(|found| found.value.name == name && !found.value.value.is_empty());
    // Of several with the same rank the first one counts; that they differ is said elsewhere.
    all.rev().max_by_key(rank)
}

/// Whether the settings of the server are all known, so that one that is missing is not set.
pub(super) fn are_complete(collected: &Collected) -> bool {
    const FEW: usize = 4;
    let of_server = collected.settings.iter().filter(|found| found.from == "p4 configure show");
    of_server.count() >= FEW
}

/// P4ROOT as the outputs agree on it; more than one is a conflict.
pub(super) fn root(collected: &Collected) -> Result<Option<String>, Vec<String>> {
    let set = setting(collected, "P4ROOT").map(|found| found.value.value.clone());
    let shown = collected.info.iter().filter(|found| found.value.0 == "Server root");
    let shown = shown.map(|found| found.value.1.clone());
    let mut all: Vec<String> = Vec::new();
    for path in set.into_iter().chain(shown) {
        let same = |other: &String| {
            places::plain(other) == places::plain(&path) || resolved(collected, other).0 == resolved(collected, &path).0
        };
        // A server that is started in its folder says ".".
        if path != "." && !all.iter().any(same) {
            all.push(path);
        }
    }
    if all.len() > 1 { Err(all) } else { Ok(all.pop()) }
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
    let set = |name: &str| setting(collected, name).and_then(|found| absolute(&found.value.value, root));
    let or_root =
        |path: Option<String>, below: &str| path.or_else(|| complete.then(|| absolute(below, root)).flatten());
    let depots = or_root(set("server.depot.root"), "");
    vec![
        Role {
            id: "db",
            words: "database (P4ROOT)",
            location: "P4ROOT",
            path: root.map(str::to_owned),
            ask: "p4 info",
        },
        Role {
            id: "journal",
            words: "journal (P4JOURNAL)",
            location: "P4JOURNAL",
            path: or_root(set("P4JOURNAL"), "journal"),
            ask: "p4 configure show",
        },
        Role { id: "log", words: "log (P4LOG)", location: "P4LOG", path: set("P4LOG"), ask: "p4 configure show" },
        Role {
            id: "depot",
            words: "depots (server.depot.root)",
            location: "depot",
            path: depots,
            ask: "p4 configure show server.depot.root",
        },
        Role {
            id: "checkpoint",
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
        if !["local", "stream", "spec", "unload", "archive", "graph"].contains(&depot.kind.as_str()) {
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
            laid.ask(
                "today.volume",
                &format!(
                    "The outputs name several roots: {}. Which of them is the server's? Give its outputs alone.",
                    shown.join(", ")
                ),
            );
            return laid;
        }
    };
    let mut by_target: Vec<(String, Vec<&'static str>)> = Vec::new();
    for role in roles(collected, root.as_deref()) {
        let place = if role.id == "depot" {
            let base = role.path.as_deref();
            let mut on = mapped(collected, &all, root.as_deref(), base);
            match on.len() {
                0 => lies(collected, &all, role.location, base),
                1 => Lies::On(on.pop_first().map(|(target, _)| target).unwrap_or_default()),
                _ => {
                    let shown =
                        on.iter().map(|(target, depots)| format!("{} on {}", some(depots), harmless_line(target)));
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
                Some((_, roles)) => roles.push(role.id),
                None => by_target.push((target, vec![role.id])),
            },
            lies => laid.ask("today.volume.roles", &role.unplaced(&lies)),
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
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| harmless_line(name)).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl Laid {
    fn ask(&mut self, field: &str, question: &str) {
        self.open.push(Open { field: field.to_owned(), question: question.to_owned() });
    }
}

/// Volumes on the same drives do not have these to themselves.
fn share(volumes: &mut [Volume]) {
    let disks: Vec<_> = volumes.iter().map(|volume| volume.own.as_ref().map(|own| own.disks.clone())).collect();
    for (i, volume) in volumes.iter_mut().enumerate() {
        let Some(mine) = &disks[i] else { continue };
        let others = disks.iter().enumerate().filter(|(j, _)| *j != i);
        let is_shared = others.filter_map(|(_, other)| other.as_ref()).any(|other| !mine.is_disjoint(other));
        if is_shared {
            volume.answers.retain(|known| known.field != "drives" && known.field != "drive_size");
        }
    }
}

/// TOML of a text.
pub(super) fn text(value: &str) -> String {
    toml::Value::String(value.to_owned()).to_string()
}

/// "does the database lie", "do the depots lie".
fn does(words: &str) -> &'static str {
    let first = words.split(' ').next().unwrap_or_default();
    if first.ends_with('s') { "do" } else { "does" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_server_are_below_its_root() {
        assert_eq!(absolute("journal", Some("/p4/1/root/")).as_deref(), Some("/p4/1/root/journal"));
        assert_eq!(absolute("D:\\j", None).as_deref(), Some("D:\\j"));
        assert_eq!(absolute("journal", None), None);
    }
}

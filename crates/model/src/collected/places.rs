//! On which file system a path lies: mount tables, links, and the answers of `p4 diskspace`.

use super::facts::{Collected, Found, Mount, Place, Space};

/// File systems that hold no files of p4d.
const NOT_REAL: &[&str] = &[
    "proc",
    "sysfs",
    "tmpfs",
    "devtmpfs",
    "devpts",
    "cgroup",
    "cgroup2",
    "securityfs",
    "pstore",
    "bpf",
    "debugfs",
    "tracefs",
    "configfs",
    "fusectl",
    "mqueue",
    "hugetlbfs",
    "autofs",
    "binfmt_misc",
    "squashfs",
    "efivarfs",
    "rpc_pipefs",
    "nsfs",
    "ramfs",
    "selinuxfs",
    "none",
    "udev",
    "iso9660",
    "vfat",
    "nfsd",
    "fuse.gvfsd-fuse",
    "fuse.portal",
    "overlay",
];

/// Where no administrator puts data of p4d.
const OF_SYSTEM: &[&str] =
    &["/boot", "/dev", "/proc", "/run", "/sys", "/snap", "/tmp", "/home", "/usr", "/var", "/etc", "/root"];

/// A mounted file system as far as the outputs describe it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Volume {
    /// Where it is mounted.
    pub(super) target: String,
    /// Device or export; empty where no output says it.
    pub(super) source: String,
    /// File system; empty where no output says it.
    pub(super) kind: String,
    /// Mount options; none where no output says them.
    pub(super) options: Option<String>,
    /// Bytes in use, and in all.
    pub(super) space: Option<(f64, f64)>,
    /// Where this stands.
    pub(super) place: Place,
    /// Of which output.
    pub(super) from: &'static str,
}

/// A path in the spelling by which two are compared: of Windows in small letters with `/`.
pub(super) fn plain(path: &str) -> String {
    let is_windows = path.get(1..2) == Some(":") && path.starts_with(|c: char| c.is_ascii_alphabetic());
    let path = if is_windows { path.replace('\\', "/").to_ascii_lowercase() } else { path.to_owned() };
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if c != '/' || !out.ends_with('/') {
            out.push(c);
        }
    }
    if out.len() > 1 {
        out.truncate(out.trim_end_matches('/').len());
    }
    out
}

/// Whether a path lies in a folder.
fn is_below(path: &str, folder: &str) -> bool {
    folder == "/" && path.starts_with('/')
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The file systems of all outputs, by their targets.
pub(super) fn volumes(collected: &Collected) -> Vec<Volume> {
    // No server has more, and each is compared with the others.
    const MOST: usize = 5000;
    let mut all: Vec<Volume> = Vec::new();
    let is_real = |kind: &str, source: &str| !NOT_REAL.contains(&kind) && !NOT_REAL.contains(&source);
    for Found { value, place, from } in collected.mounts.iter().take(MOST) {
        let Mount { source, target, kind, options } = value;
        if !is_real(kind, "") {
            continue;
        }
        let target = plain(target);
        // What is mounted later hides what was there.
        all.retain(|volume| volume.target != target);
        all.push(Volume {
            target,
            source: source.clone(),
            kind: kind.clone(),
            options: Some(options.clone()),
            space: None,
            place: *place,
            from,
        });
    }
    let locations = collected.locations.iter().map(|found| (&found.value.space, found.place, found.from));
    let spaces = collected.spaces.iter().map(|found| (&found.value, found.place, found.from));
    for (space, place, from) in spaces.chain(locations).take(MOST) {
        let Space { source, kind, target, total_bytes, used_bytes, .. } = space;
        let kind = kind.as_deref().unwrap_or("");
        if target.is_empty() || !is_real(kind, source) {
            continue;
        }
        let target = plain(target);
        let at = all.iter().position(|volume| volume.target == target);
        let at = at.unwrap_or_else(|| {
            all.push(Volume {
                target,
                source: source.clone(),
                kind: kind.to_owned(),
                options: None,
                space: None,
                place,
                from,
            });
            all.len() - 1
        });
        let volume = &mut all[at];
        if volume.source.is_empty() {
            volume.source.clone_from(source);
        }
        if volume.kind.is_empty() {
            kind.clone_into(&mut volume.kind);
        }
        volume.space.get_or_insert((*used_bytes, *total_bytes));
    }
    all
}

/// A path without the links that outputs show, and whether an output shows where it leads.
pub(super) fn resolved(collected: &Collected, path: &str) -> (String, bool) {
    const LINKS_MAX: usize = 16;
    let mut path = plain(path);
    let mut is_known = false;
    for _ in 0..LINKS_MAX {
        let links = collected.resolved.iter().map(|found| (plain(&found.value.0), &found.value.1));
        let links = links.filter(|(from, _)| is_below(&path, from));
        // Of several that are equally long the first one counts.
        let Some((from, to)) = links.min_by_key(|(from, _)| std::cmp::Reverse(from.len())) else {
            break;
        };
        is_known = true;
        let parent = from.rsplit_once('/').map_or("", |(parent, _)| parent);
        let to =
            if to.starts_with('/') || to.get(1..2) == Some(":") { plain(to) } else { plain(&format!("{parent}/{to}")) };
        if to == from {
            break;
        }
        path = format!("{to}{}", &path[from.len()..]);
    }
    (path, is_known)
}

/// Where a path lies.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Lies {
    /// On this file system, by its target.
    On(String),
    /// By its name it is on `/`, and may be a link to another.
    MayBeLinked,
    /// No output has a file system for it.
    Unknown,
}

/// Finds the file system of a path; `name` is what `p4 diskspace` calls it.
pub(super) fn lies(collected: &Collected, all: &[Volume], name: &str, path: Option<&str>) -> Lies {
    let stated =
        collected.locations.iter().find(|found| found.value.name == name && !found.value.space.target.is_empty());
    if let Some(found) = stated {
        return Lies::On(plain(&found.value.space.target));
    }
    let Some(path) = path else {
        return Lies::Unknown;
    };
    let (real, is_known) = resolved(collected, path);
    let asked = collected.spaces.iter().find(|found| {
        let asked = found.value.asked.as_deref().map(plain);
        asked.is_some_and(|asked| asked == plain(path) || asked == real)
    });
    if let Some(found) = asked {
        return Lies::On(plain(&found.value.target));
    }
    let above = all.iter().filter(|volume| is_below(&real, &volume.target));
    let Some(volume) = above.max_by_key(|volume| volume.target.len()) else {
        return Lies::Unknown;
    };
    let has_others =
        all.iter().any(|other| other.target != "/" && !OF_SYSTEM.iter().any(|folder| is_below(&other.target, folder)));
    // `p4 diskspace` of older releases names the file system alone: where it is another, there is a link.
    let kind = collected.locations.iter().find(|found| found.value.name == name);
    let kind = kind.and_then(|found| found.value.space.kind.as_deref());
    let is_other = kind.is_some_and(|kind| !volume.kind.is_empty() && kind != volume.kind);
    if (volume.target == "/" && has_others && !is_known) || is_other {
        return Lies::MayBeLinked;
    }
    Lies::On(volume.target.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collected::of_texts;

    const TABLE: &str = "/dev/sda1 on / type ext4 (rw)\n/dev/md0 on /hxmetadata type xfs (rw,noatime)\n\
        /dev/md1 on /hxdepots type xfs (rw)\n/dev/sdb on /hxdepots2 type xfs (rw)\nproc on /proc type proc (rw)\n";

    fn on(text: &str, path: &str) -> Lies {
        let collected = of_texts([("a", text)]);
        lies(&collected, &volumes(&collected), "P4ROOT", Some(path))
    }

    #[test]
    fn the_longest_target_counts() {
        assert_eq!(on(TABLE, "/hxdepots/p4/1"), Lies::On("/hxdepots".to_owned()));
        assert_eq!(on(TABLE, "/hxdepots2"), Lies::On("/hxdepots2".to_owned()));
        assert_eq!(on("/dev/sda1 on / type ext4 (rw)\n", "/p4/1/root"), Lies::On("/".to_owned()));
    }

    #[test]
    fn what_may_be_a_link_is_not_guessed() {
        assert_eq!(on(TABLE, "/p4/1/root"), Lies::MayBeLinked);
        let linked = format!("{TABLE}lrwxrwxrwx 1 p4 p4 20 Jan  1 12:00 /p4/1/root -> /hxmetadata/p4/1/db1\n");
        assert_eq!(on(&linked, "/p4/1/root"), Lies::On("/hxmetadata".to_owned()));
        let asked = format!(
            "{TABLE}$ df -h /p4/1/root\nFilesystem Size Used Avail Use% Mounted on\n/dev/md0 7T 1T 6T 15% /hxmetadata\n"
        );
        assert_eq!(on(&asked, "/p4/1/root"), Lies::On("/hxmetadata".to_owned()));
        let said = format!("{TABLE}P4ROOT (type xfs mounted on /hxmetadata) : 1G free, 1G used, 2G total (50% full)\n");
        assert_eq!(on(&said, "/p4/1/root"), Lies::On("/hxmetadata".to_owned()));
        let real = format!("{TABLE}path P4ROOT /p4/1/root -> /p4/1/root\n");
        assert_eq!(on(&real, "/p4/1/root"), Lies::On("/".to_owned()));
    }

    #[test]
    fn links_in_circles_end() {
        let circle = "path A /a -> /b\npath B /b -> /a\n";
        let collected = of_texts([("a", circle)]);
        assert!(resolved(&collected, "/a/x").1);
    }

    #[test]
    fn paths_of_windows_are_compared_as_windows_does() {
        assert_eq!(plain("D:\\Perforce\\"), "d:/perforce");
        assert_eq!(plain("//a//b/"), "/a/b");
        assert_eq!(plain("/"), "/");
    }
}

//! Lines that tools of the operating system print, each of which stands alone.

use super::amount::{count, number, size};
use super::facts::{Array, Mount, Setting};

/// A line of `mount`: "/dev/md0 on /hxmetadata type xfs (rw,noatime)".
pub(super) fn mount(line: &str) -> Option<Mount> {
    let line = line.trim();
    let (source, rest) = line.split_once(" on ")?;
    let (target, rest) = rest.rsplit_once(" type ")?;
    let (kind, rest) = rest.split_once(" (")?;
    let options = rest.split_once(')').map(|(options, _)| options)?;
    let is_right =
        !source.is_empty() && !source.contains(char::is_whitespace) && target.starts_with('/') && !kind.contains(' ');
    is_right.then(|| Mount {
        source: source.to_owned(),
        target: target.to_owned(),
        kind: kind.to_owned(),
        options: options.replace(' ', ""),
    })
}

/// Whether a line is the beginning of one of `mount` that was wrapped.
pub(super) fn is_mount_begun(line: &str) -> bool {
    let mut words = line.trim().splitn(3, " on ");
    let source = words.next().unwrap_or("");
    let has_target = words.next().is_some_and(|rest| rest.starts_with('/'));
    has_target && !source.is_empty() && !source.contains(char::is_whitespace)
}

/// A line of `/proc/mounts` or `/etc/fstab`: "/dev/md0 /hxmetadata xfs rw,noatime 0 0".
pub(super) fn proc_mount(line: &str) -> Option<Mount> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [source, target, kind, options, dump, pass] = words[..] else {
        return None;
    };
    let is_digit = |text: &str| text.len() == 1 && text.bytes().all(|b| b.is_ascii_digit());
    let is_right = target.starts_with('/')
        && is_digit(dump)
        && is_digit(pass)
        && !source.starts_with('#')
        && kind.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    is_right.then(|| Mount {
        source: unescaped(source),
        target: unescaped(target),
        kind: kind.to_owned(),
        options: options.to_owned(),
    })
}

/// The kernel writes a space as `\040`.
fn unescaped(text: &str) -> String {
    text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
}

/// The names of `lscpu` that are read, or belong to it.
const LSCPU: &[&str] = &[
    "Architecture",
    "CPU(s)",
    "On-line CPU(s) list",
    "Thread(s) per core",
    "Core(s) per socket",
    "Core(s) per cluster",
    "Socket(s)",
    "Cluster(s)",
    "NUMA node(s)",
    "Vendor ID",
    "CPU family",
    "Model",
    "Model name",
    "BIOS Model name",
    "BIOS Vendor ID",
    "Stepping",
    "CPU MHz",
    "CPU max MHz",
    "CPU min MHz",
    "CPU(s) scaling MHz",
    "CPU op-mode(s)",
    "Address sizes",
    "Byte Order",
    "BogoMIPS",
    "Virtualization",
    "Virtualization type",
    "Hypervisor vendor",
    "Hypervisor",
    "Flags",
    "L1d cache",
    "L1i cache",
    "L2 cache",
    "L3 cache",
    "L2",
    "L3",
    "Frequency boost",
];

/// A line of `lscpu`: "Model name:   AMD EPYC 7543 32-Core Processor".
pub(super) fn lscpu(line: &str) -> Option<(String, String)> {
    let (name, value) = line.trim_start().split_once(':')?;
    let is_known = LSCPU.contains(&name) || name.starts_with("NUMA node") || name.starts_with("Vulnerability ");
    is_known.then(|| (name.to_owned(), value.trim().to_owned()))
}

/// The memory in `/proc/meminfo`: "`MemTotal`:  263842816 kB", in bytes.
pub(super) fn mem_total(line: &str) -> Option<f64> {
    let rest = line.trim_start().strip_prefix("MemTotal:")?;
    size(rest.trim(), 1.0)
}

/// Whether a line is another of `/proc/meminfo`: "`HugePages_Total`: 0", "Cached: 12 kB".
pub(super) fn is_meminfo(line: &str) -> bool {
    let Some((name, value)) = line.split_once(':') else {
        return false;
    };
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '(' | ')'));
    is_name && (value.trim_end().ends_with(" kB") || name.starts_with("HugePages_"))
}

/// A line of `/proc/mdstat`: "md0 : active raid10 nvme3n1[3] nvme2n1[2]".
pub(super) fn mdstat(line: &str) -> Option<Array> {
    let (name, rest) = line.trim().split_once(" : ")?;
    let mut words = rest.split_whitespace();
    let level =
        (name.starts_with("md") && words.next()? == "active").then(|| words.find(|w| !w.starts_with('(')))??;
    let members = words.filter_map(|word| word.split_once('[').map(|(name, _)| name.to_owned()));
    let members: Vec<String> = members.collect();
    (!members.is_empty()).then(|| Array { name: name.to_owned(), level: level.to_owned(), members })
}

/// "cat: /proc/mdstat: No such file or directory": a command of the script that found nothing here.
pub(super) fn is_missing(line: &str) -> bool {
    let Some((tool, rest)) = line.split_once(": ") else {
        return false;
    };
    matches!(tool, "cat" | "ls" | "df" | "lsblk" | "tail" | "iostat")
        && ["No such file or directory", "Permission denied"].iter().any(|end| rest.ends_with(end))
}

/// Whether a line is another of `/proc/mdstat`.
pub(super) fn is_mdstat(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("Personalities :")
        || line.starts_with("unused devices:")
        || line.starts_with("bitmap: ")
        || (line.contains(" blocks") && (line.contains("super ") || line.contains(" [U")))
}

/// A file or a link in `ls -l`: its size in bytes, its path, and where a link leads.
#[derive(Debug, PartialEq)]
pub(super) struct Listed<'l> {
    pub(super) bytes: f64,
    pub(super) path: &'l str,
    pub(super) target: Option<&'l str>,
}

/// A line of `ls -l`.
pub(super) fn listed(line: &str) -> Option<Listed<'_>> {
    let mode = line.split_whitespace().next()?;
    let is_mode = mode.len() >= 10
        && mode.len() <= 11
        && mode.starts_with(['-', 'd', 'l', 'c', 'b', 'p', 's'])
        && mode[1..].chars().all(|c| "rwxsStT-.+@".contains(c));
    if !is_mode {
        return None;
    }
    // Mode, links, owner, group, size; then a date of three words, or of two in its ISO form.
    let mut rest = line.trim_start();
    let mut fields = Vec::new();
    for _ in 0..8 {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        fields.push(word);
        rest = after.trim_start();
        let is_iso = fields.len() == 7 && fields[5].split('-').count() == 3;
        if is_iso {
            break;
        }
    }
    let bytes = fields.get(4).and_then(|text| size(text, 1.0))?;
    let (path, target) = match rest.split_once(" -> ") {
        Some((path, target)) => (path, Some(target)),
        None => (rest, None),
    };
    (!path.is_empty()).then_some(Listed { bytes, path, target })
}

/// A line of `du`: a size and a path. A number alone counts units of `unit` bytes; without unit it says nothing.
pub(super) fn used(line: &str, unit: Option<f64>) -> Option<(f64, &str)> {
    let (amount, path) = line.trim_start().split_once(char::is_whitespace)?;
    let path = path.trim_start();
    let is_path = path.starts_with(['/', '.']) || path.starts_with("db.") || path.get(1..3) == Some(":\\");
    if !is_path || path.contains(" type ") {
        return None;
    }
    let bytes = match number(amount) {
        Some(_) => size(amount, unit?),
        None => size(amount, 1.0),
    };
    Some((bytes?, path))
}

/// The root, journal and log in the command line of a p4d process.
pub(super) fn process(line: &str) -> Option<Vec<Setting>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        matches!(name, "p4d" | "p4d.exe" | "p4s" | "p4s.exe") || (name.starts_with("p4d_") && name.len() < 40)
    })?;
    let mut found = Vec::new();
    let mut rest = words[at + 1..].iter();
    while let Some(word) = rest.next() {
        let name = match word.get(..2) {
            Some("-r") => "P4ROOT",
            Some("-J") => "P4JOURNAL",
            Some("-L") => "P4LOG",
            Some("-p") => "P4PORT",
            _ => continue,
        };
        let value = if word.len() > 2 { Some(&word[2..]) } else { rest.next().copied() };
        if let Some(value) = value.filter(|v| !v.starts_with('-')) {
            found.push(Setting {
                name: name.to_owned(),
                value: value.to_owned(),
                scope: None,
                origin: "process".to_owned(),
            });
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The speed of a network port in bits a second: "/sys/class/net/eth0/speed:25000", "eth0 25000".
pub(super) fn port(line: &str) -> Option<(String, f64)> {
    let rest = line.trim().strip_prefix("/sys/class/net/")?;
    let (name, speed) = rest.split_once("/speed:")?;
    let megabits = count(speed.trim())?;
    Some((name.to_owned(), megabits * 1e6))
}

/// The speed that `ethtool` prints: "Speed: 25000Mb/s", in bits a second.
pub(super) fn ethtool_speed(line: &str) -> Option<f64> {
    let speed = line.trim().strip_prefix("Speed: ")?;
    Some(count(speed.strip_suffix("Mb/s")?)? * 1e6)
}

/// The last number of "`net.ipv4.tcp_wmem` = 4096 16384 4194304".
pub(super) fn tcp_window(line: &str) -> Option<f64> {
    let (name, values) = line.trim().split_once([':', '='])?;
    if !name.trim().ends_with("tcp_wmem") {
        return None;
    }
    count(values.split_whitespace().nth(2)?)
}

/// Where a path leads, as the script prints it: "path P4ROOT /p4/1/root -> /hxmetadata/p4/1/db1".
pub(super) fn resolved(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("path ")?;
    let (_, rest) = rest.split_once(' ')?;
    let (path, real) = rest.split_once(" -> ")?;
    Some((path.to_owned(), real.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_of_both_forms() {
        let found =
            mount("filer:/vol/p4 on /hx depots type nfs (rw,vers=3,nconnect=8)").unwrap_or_else(|| panic!("it is one"));
        assert_eq!((found.target.as_str(), found.options.as_str()), ("/hx depots", "rw,vers=3,nconnect=8"));
        assert!(mount("put it on /hx type it (now)").is_none());
        let found = proc_mount("/dev/mapper/vg-a /hx\\040a xfs rw,noatime 0 0").unwrap_or_else(|| panic!("it is one"));
        assert_eq!(found.target, "/hx a");
        assert!(proc_mount("a b c d e f").is_none());
    }

    #[test]
    fn files_are_listed_with_dates_of_both_forms() {
        let found = listed("-rw------- 1 perforce perforce 123456 Jan  1 12:00 /p4/1/root/db.have");
        assert_eq!(found.map(|l| (l.bytes, l.path)), Some((123_456.0, "/p4/1/root/db.have")));
        let found = listed("-rw-------. 1 1000 1000 1.5G 2026-01-02 12:00 db.rev");
        assert_eq!(found.map(|l| (l.bytes, l.path)), Some((1.5 * 1024_f64.powi(3), "db.rev")));
        let found = listed("lrwxrwxrwx 1 p4 p4 21 Jan  1  2025 /p4/1/root -> /hxmetadata/p4/1/db1");
        assert_eq!(found.and_then(|l| l.target), Some("/hxmetadata/p4/1/db1"));
        assert!(listed("-rw is a mode").is_none());
        assert!(listed("total 12").is_none());
    }

    #[test]
    fn a_number_of_du_needs_its_unit() {
        assert_eq!(used("34G\t/p4/1/root/db.rev", None), Some((34.0 * 1024_f64.powi(3), "/p4/1/root/db.rev")));
        assert_eq!(used("34\tdb.rev", Some(1024.0)), Some((34816.0, "db.rev")));
        assert_eq!(used("34\tdb.rev", None), None);
    }

    #[test]
    fn processes_name_their_folders() {
        let found = process("perforce 812 1 0 ? p4d_1 -p 1666 -r /p4/1/root -J/p4/1/logs/journal -L /p4/1/logs/log -q");
        let found = found.unwrap_or_else(|| panic!("it is one"));
        let named = |name: &str| found.iter().find(|s| s.name == name).map(|s| s.value.as_str());
        assert_eq!(named("P4ROOT"), Some("/p4/1/root"));
        assert_eq!(named("P4JOURNAL"), Some("/p4/1/logs/journal"));
        assert!(process("vim p4d.conf").is_none());
    }

    #[test]
    fn the_rest_of_the_host() {
        assert_eq!(mem_total("MemTotal:       263842816 kB"), Some(263_842_816.0 * 1024.0));
        assert!(is_meminfo("HugePages_Total:       0") && !is_meminfo("Note: this"));
        let raid = mdstat("md0 : active (auto-read-only) raid10 nvme3n1[3] nvme2n1[2](S)")
            .unwrap_or_else(|| panic!("it is one"));
        assert_eq!((raid.level.as_str(), raid.members.len()), ("raid10", 2));
        assert_eq!(port("/sys/class/net/eth0/speed:25000"), Some(("eth0".to_owned(), 25e9)));
        assert_eq!(tcp_window("net.ipv4.tcp_wmem = 4096\t16384\t4194304"), Some(4_194_304.0));
        assert_eq!(lscpu("CPU(s):              64"), Some(("CPU(s)".to_owned(), "64".to_owned())));
    }
}

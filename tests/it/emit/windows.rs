//! Servers with Windows: drives, shares and PowerShell, nothing of Unix, and names that stay names.

use std::sync::OnceLock;

use plimsoll::catalog::Release;
use plimsoll::emit::{ConfigFile, Language};
use plimsoll::report::volume_rows;

use super::hostile::{HOSTILE, check};
use super::{Advised, SITES};
use crate::cli::{plimsoll, scratch, write};

const SMALL: &str = "schema = 1\nname = \"W\"\n[people]\ndevelopers = 40\n[infrastructure]\noperating_systems = \
                     [\"windows\"]\n";

const WITH_OFFICE: &str = "schema = 1\nname = \"W\"\n[people]\ndevelopers = 900\n[[people.site]]\nname = \
                           \"Lyon\"\ndevelopers = 200\nround_trip = \"80 ms\"\nbandwidth = \"1 Gb/s\"\n[data]\n\
                           depot_size = \"40 TB\"\n[server]\nlocal_disks = 4\n[infrastructure]\noperating_systems = \
                           [\"windows\"]\nstorage = [\"flasharray\", \"flashblade\"]\nprotocols = [\"iscsi\", \
                           \"smb\", \"local\"]\n";

/// A small site and one with an office and shares, advised once.
pub(super) fn sites() -> &'static [Advised; 2] {
    static SITES: OnceLock<[Advised; 2]> = OnceLock::new();
    SITES.get_or_init(|| [SMALL, WITH_OFFICE].map(|text| Advised::of(text, &[])))
}

/// The texts of PowerShell's strings in a line: `'…'`, and `(… + [char]0x… + …)` joined.
pub(super) fn literals(line: &str) -> Vec<String> {
    let mut found: Vec<Vec<u16>> = Vec::new();
    let mut rest = line;
    let mut joined = false;
    while let Some(start) = rest.find(['\'', '[']) {
        joined = joined && rest[..start].trim() == "+";
        rest = &rest[start..];
        let mut text = Vec::new();
        if let Some(code) = rest.strip_prefix("[char]0x") {
            text.push(u16::from_str_radix(&code[..4], 16).unwrap());
            rest = &code[4..];
        } else if let Some(after) = rest.strip_prefix('[') {
            rest = after;
            joined = false;
            continue;
        } else {
            rest = &rest[1..];
            loop {
                let end = rest.find('\'').expect("a closed quote");
                text.extend(rest[..end].encode_utf16());
                rest = &rest[end + 1..];
                let Some(after) = rest.strip_prefix('\'') else {
                    break;
                };
                text.push(u16::from(b'\''));
                rest = after;
            }
        }
        match found.last_mut().filter(|_| joined) {
            Some(last) => last.extend(text),
            None => found.push(text),
        }
        joined = true;
    }
    let texts = found.iter().map(|units| String::from_utf16(units).unwrap());
    texts.collect()
}

/// A line with `S` for each string, however it is written.
pub(super) fn skeleton(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(['\'', '[']) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        if rest.starts_with("[char]0x") {
            out.push('S');
            rest = &rest["[char]0x0000".len()..];
        } else if rest.starts_with('[') {
            out.push('[');
            rest = &rest[1..];
        } else {
            // A doubled quote is a string after a string: both become one.
            let end = rest[1..].find('\'').expect("a closed quote") + 2;
            out.push('S');
            rest = &rest[end..];
        }
    }
    out.push_str(rest);
    loop {
        let shorter = out.replace("SS", "S").replace("S + S", "S").replace("(S)", "S");
        if shorter == out {
            return out;
        }
        out = shorter;
    }
}

fn powershell(files: &[ConfigFile]) -> Vec<&ConfigFile> {
    let mine = files.iter().filter(|f| f.language == Language::PowerShell);
    mine.collect()
}

#[test]
fn nothing_of_unix_is_written() {
    const UNIX: [&str; 12] =
        ["/hx", "/p4/", "mkfs", "/etc", "chmod", "chown", "mkdir", "/dev", "noatime", "nconnect", "sudo", "#!/"];
    for advised in sites() {
        let files = advised.files();
        check(&files);
        let chosen = advised.advice.chosen.as_ref().unwrap();
        for server in 0..chosen.deployment.servers() {
            let title = if server == 0 { "commit server" } else { "edge" };
            for name in ["volumes.ps1", "directories.ps1", "service.ps1", "p4-configure.ps1", "windows.txt"] {
                let found = files.iter().any(|f| f.name == name && f.server.starts_with(title));
                assert!(found, "{title} has no {name}");
            }
        }
        for file in &files {
            assert!(matches!(file.language, Language::PowerShell | Language::Notes), "{}", file.path());
            let scripts = file.lines.iter().filter(|_| file.language == Language::PowerShell);
            for line in scripts {
                for word in UNIX {
                    assert!(!line.text.contains(word), "{}: {}", file.path(), line.text);
                }
                assert!(line.text.is_ascii(), "{}", line.text);
            }
        }
        for row in volume_rows(&advised.site, &advised.catalog, &chosen.deployment, &chosen.prediction, &chosen.sizes) {
            let drive = row.mount_point.len() == 3 && row.mount_point.ends_with(":\\");
            assert!(drive || row.mount_point.starts_with(r"\\"), "{row:?}");
            assert_eq!(row.mount_options, "", "{row:?}");
        }
    }
}

/// The answer as its reader gets it.
#[test]
fn the_answer_has_drives_and_no_mount_options() {
    let folder = scratch("windows-answer");
    let site = write(&folder, "site.toml", SMALL);
    let answer = plimsoll(&["advise", &site, "--format", "json"]);
    let text = answer.out.clone();
    let answer = answer.json();
    let volumes = answer["recommendation"]["volumes"].as_array().unwrap();
    assert!(!volumes.is_empty());
    for volume in volumes {
        let drive = if ["db", "offline_db"].contains(&volume["role"].as_str().unwrap()) { "E:\\" } else { "F:\\" };
        assert_eq!(volume["mount_point"], drive, "{volume:#}");
        assert_eq!(volume["mount_options"], "", "{volume:#}");
    }
    assert!(!text.contains("/hx") && !text.contains("noatime"));
    let answer = plimsoll(&["advise", &site]);
    assert!(!answer.out.contains("/hx") && !answer.out.contains("mount options"));
}

/// Every check comes before the first change, and each disk has its own.
#[test]
fn a_disk_that_was_used_is_refused_before_anything_is_made() {
    for advised in sites() {
        for file in advised.files().iter().filter(|f| f.name == "volumes.ps1") {
            let at = |word: &str| -> Vec<usize> {
                let lines = file.lines.iter().enumerate();
                lines.filter(|(_, l)| l.text.contains(word)).map(|(i, _)| i).collect()
            };
            let (asks, made) = (at("-notmatch"), at("New-Partition"));
            let (raw, initialized) = (at("PartitionStyle -ne 'RAW'"), at("Initialize-Disk"));
            assert!(!made.is_empty());
            for found in [&asks, &raw, &initialized] {
                assert_eq!(found.len(), made.len(), "{}", file.path());
            }
            assert_eq!(at("Sort-Object -Unique").len(), usize::from(made.len() > 1));
            assert!(raw.last() < initialized.first() && asks.last() < raw.first());
            for (i, line) in file.lines.iter().enumerate() {
                assert!(i > *raw.last().unwrap() || line.text.contains("throw") || line.text.starts_with("$disk"));
            }
        }
    }
}

/// Each line means the same, whatever the names are: with strings left out it is the same line.
#[test]
fn hostile_names_stay_strings() {
    for base in sites() {
        let tame = with_names(base, "tame");
        let skeletons = |files: &[ConfigFile]| -> Vec<String> {
            let lines = powershell(files).into_iter().flat_map(|f| &f.lines);
            lines.map(|line| skeleton(&line.text)).collect()
        };
        for name in HOSTILE {
            let files = with_names(base, name);
            check(&files);
            assert_eq!(skeletons(&files), skeletons(&tame), "{name}");
            for file in powershell(&files) {
                let text = file.render();
                assert!(!text.contains("# SIG #") && !text.to_lowercase().contains("#requires"));
            }
        }
    }
}

fn with_names(base: &Advised, name: &str) -> Vec<ConfigFile> {
    let mut advised = base.clone();
    let deployment = &mut advised.advice.chosen.as_mut().unwrap().deployment;
    for mount in &mut deployment.volumes {
        mount.mount_point.push_str(name);
    }
    for office in &mut deployment.offices {
        name.clone_into(office);
    }
    advised.files()
}

/// Windows Server 2012 brought the commands for disks; clusters follow the size of the volume.
#[test]
fn servers_get_what_their_age_has() {
    let mut old = sites()[1].clone();
    old.advice.chosen.as_mut().unwrap().deployment.release = Release::new(2012, 2);
    let files = old.files();
    assert!(files.iter().all(|f| f.name != "volumes.ps1"));
    let notes = files.iter().find(|f| f.name == "windows.txt").unwrap();
    assert!(notes.lines.iter().any(|l| l.text.starts_with("volumes.ps1: not written")));
    let clusters = |advised: &Advised| -> Vec<u64> {
        let files = advised.files();
        let file = files.iter().find(|f| f.path() == "commit-server/volumes.ps1").unwrap();
        let sizes = file.lines.iter().filter_map(|l| l.text.split_once("-AllocationUnitSize "));
        sizes.map(|(_, size)| size.parse().unwrap()).collect()
    };
    assert_eq!(clusters(&sites()[0]), [8192, 65536]);
    // The database's volume has clusters of a page, the others larger ones.
    let second = clusters(&sites()[1]);
    assert!(second.len() > 1 && second[1..].iter().all(|size| *size == 65536));
    assert_eq!(second[0], 8192);
    let mut large = sites()[0].clone();
    for size in &mut large.advice.chosen.as_mut().unwrap().sizes {
        size.data = size.data * 1e4;
    }
    let cluster = clusters(&large).into_iter().max().unwrap();
    let volume = large.advice.chosen.as_ref().unwrap().sizes.iter().map(|s| s.data.get()).fold(0.0, f64::max);
    assert!(cluster as f64 * 4_294_967_296.0 > volume, "{cluster} for {volume}");
}

/// Other systems keep what they had.
#[test]
fn only_windows_gets_powershell() {
    for name in SITES {
        let files = Advised::example(name, &[]).files();
        assert!(powershell(&files).is_empty(), "{name}");
    }
}

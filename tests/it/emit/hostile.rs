//! Names that mean harm stay names: in shell scripts, tables of mounts, comments and file names.

use std::path::{Path, PathBuf};
use std::process::Command;

use plimsoll::document::read_text;
use plimsoll::emit::{ConfigFile, Language, quote};
use plimsoll::system::ProxyPlace;
use proptest::prelude::*;

use super::Advised;
use crate::cli::scratch;
use crate::site_hostile::is_harmless;

const BASH: &str = "/bin/bash";

/// Names that would do something if they were not quoted.
pub(super) const HOSTILE: [&str; 18] = [
    "<script>alert(1)</script>",
    "$(reboot)",
    "`reboot`",
    "; reboot",
    "| reboot &",
    "../../x",
    "-rf",
    "it's \"quoted\"",
    "'; reboot; '",
    "a\nreboot\n",
    "a\r\nreboot",
    "\u{202e}tfel ot thgir",
    "x # y",
    "${IFS}$HOME",
    "nul\0nul",
    "tab\there \\040 back\\slash",
    "%n %H {depot} }",
    "*",
];

/// What scripts begin with.
const HEADS: [&str; 3] = ["set -eu", "$ErrorActionPreference = 'Stop'", "Set-StrictMode -Version 2.0"];

fn long() -> String {
    "x".repeat(300)
}

/// An advice whose every name is hostile: site, office, mount points.
fn with_names(base: &Advised, name: &str) -> Vec<ConfigFile> {
    let mut site = base.site.clone();
    let mut advice = base.advice.clone();
    name.clone_into(&mut site.name);
    for office in &mut site.people.sites {
        name.clone_into(&mut office.name);
    }
    let deployment = &mut advice.chosen.as_mut().unwrap().deployment;
    for office in &mut deployment.offices {
        name.clone_into(office);
    }
    for proxy in &mut deployment.proxies {
        if let ProxyPlace::Office(office) = &mut proxy.place {
            name.clone_into(office);
        }
    }
    let mut standby = deployment.standby.as_mut();
    if let Some(standby) = &mut standby {
        standby.office = Some(name.to_owned());
    }
    let own = deployment.volumes.iter_mut().enumerate();
    let office = deployment.office_volumes.iter_mut().enumerate();
    let standby = standby.into_iter().flat_map(|standby| standby.volumes.iter_mut().enumerate());
    for (i, mount) in own.chain(office).chain(standby) {
        mount.mount_point = format!("{name}{i}");
        // The server's own drives have one name, by which they are known.
        if !mount.is_private() {
            name.clone_into(&mut mount.device);
        }
    }
    plimsoll::emit::configuration(&site, &base.catalog, &advice)
}

/// What holds of any file, whatever the names.
pub(super) fn check(files: &[ConfigFile]) {
    for file in files {
        let path = file.path();
        let parts: Vec<&str> = path.split('/').collect();
        assert_eq!(parts.len(), 2, "{path}");
        for part in parts {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
            assert!(part.chars().all(plain) && !part.starts_with(['-', '.']), "{path}");
            assert!((1..=255).contains(&part.len()), "{path}");
        }
        let text = file.render();
        assert!(is_harmless(&text), "{path}");
        // Every line is a comment, empty, one of the lines, or the beginning of a script.
        let mine = |line: &str| file.lines.iter().any(|l| l.text == line);
        for line in text.lines() {
            let known = line.is_empty() || line.starts_with('#') || HEADS.contains(&line) || mine(line);
            assert!(known, "{path}: {line:?}");
        }
        for line in &file.lines {
            if file.language == Language::Fstab {
                assert_eq!(line.text.split([' ', '\t']).count(), 6, "{}", line.text);
                assert!(!line.text.starts_with('#'));
            }
        }
    }
}

/// A folder with commands that only write down how they were called.
fn stubs(folder: &Path) -> PathBuf {
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let log = folder.join("log");
    let names = [
        "lsblk",
        "wipefs",
        "mkfs.xfs",
        "mkfs.ext3",
        "mkfs.ext4",
        "mkdir",
        "chown",
        "chmod",
        "mountpoint",
        "p4",
        "p4p",
        "zpool",
        "zfs",
    ];
    for name in names {
        let text = format!("#!{BASH}\nprintf '%s\\0' '{name}' \"$@\" $'\\n' >> '{}'\n", log.display());
        let path = bin.join(name);
        std::fs::write(&path, text).unwrap();
        let mut open = std::fs::metadata(&path).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut open, 0o755);
        std::fs::set_permissions(&path, open).unwrap();
    }
    bin
}

/// The commands that a script called, with their arguments.
fn calls(file: &ConfigFile, folder: &Path, bin: &Path) -> Vec<Vec<String>> {
    let script = folder.join("script.sh");
    std::fs::write(&script, file.render()).unwrap();
    let syntax = Command::new(BASH).arg("-n").arg(&script).output().unwrap();
    assert!(syntax.status.success(), "{}", String::from_utf8_lossy(&syntax.stderr));
    let here = folder.join("here");
    std::fs::create_dir_all(&here).unwrap();
    let _none_yet = std::fs::remove_file(folder.join("log"));
    let run = |set: bool| {
        let mut command = Command::new(BASH);
        command.arg(&script).current_dir(&here).env_clear().env("PATH", bin);
        if set {
            for variable in ["DB", "JOURNAL", "LOG", "DEPOT", "CHECKPOINT", "POOL"] {
                command.env(format!("PLIMSOLL_{variable}_DEVICE"), "/dev/none such");
            }
            command
                .env("PLIMSOLL_USER", "p4")
                .env("PLIMSOLL_COMMIT", "ssl:c:1")
                .env("PLIMSOLL_SERVER", "ssl:c:1")
                .env("PLIMSOLL_GROUPS", " qa  dev* ")
                .env("P4PORT", "ssl:c:1");
        }
        command.output().unwrap()
    };
    assert!(!run(false).status.success(), "nothing is known, and {} ran", file.path());
    assert!(!folder.join("log").exists(), "nothing is known, and {} called something", file.path());
    let ran = run(true);
    assert!(ran.status.success(), "{}: {}", file.path(), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "", "{}", file.path());
    assert_eq!(std::fs::read_dir(&here).unwrap().count(), 0, "{} made a file", file.path());
    let log = read_text(&folder.join("log")).unwrap();
    let calls = log.split("\0\n\0").filter(|call| !call.is_empty());
    calls.map(|call| call.split('\0').map(str::to_owned).collect()).collect()
}

/// Each line of a script that calls something calls one command, with the name as one argument.
fn runs_nothing_else(files: &[ConfigFile], name: &str, folder: &Path) {
    let bin = stubs(folder);
    let scripts = files.iter().filter(|f| f.language.is_script());
    for file in scripts {
        let calls = calls(file, folder, &bin);
        if file.name == "p4-group-limits.sh" {
            // Both ends of a pipe write down how they were called at the same time.
            let words = calls.iter().flatten().map(|word| word.trim()).filter(|word| !word.is_empty());
            let known = |word: &str| ["p4", "group", "-o", "-i", "qa", "dev*"].contains(&word);
            assert!(words.clone().count() >= 10 && words.clone().all(known), "{calls:?}");
            continue;
        }
        let commands = |text: &&str| !text.starts_with(": ") && !text.starts_with("test ");
        let lines = file.lines.iter().map(|l| l.text.as_str()).filter(commands);
        assert_eq!(calls.len(), lines.count(), "{}: {calls:?}", file.path());
        let mount_point = quote::plain(&format!("{name}0"));
        if file.name == "directories.sh" {
            let mounted = calls.iter().find(|c| c[0] == "mountpoint").unwrap();
            assert_eq!(mounted[1..], ["-q", "--", mount_point.as_str()]);
        }
    }
}

#[test]
fn hostile_names_run_nothing() {
    if !Path::new(BASH).exists() {
        return;
    }
    let folder = scratch("emit-hostile");
    let studio = Advised::example("game-studio", &[]);
    let long = long();
    for name in HOSTILE.into_iter().chain([long.as_str()]) {
        let files = with_names(&studio, name);
        assert!(files.iter().any(|f| f.language == Language::Fstab));
        check(&files);
        runs_nothing_else(&files, name, &folder);
    }
}

/// A device that is none, or that holds something, ends the script before anything is made.
#[test]
fn a_device_with_data_is_refused() {
    if !Path::new(BASH).exists() {
        return;
    }
    let folder = scratch("emit-refused");
    let bin = stubs(&folder);
    let files = Advised::example("game-studio", &[]).files();
    let file = files.iter().find(|f| f.path() == "commit-server/mkfs.sh").unwrap();
    let script = folder.join("mkfs.sh");
    std::fs::write(&script, file.render()).unwrap();
    for (stub, does) in [("wipefs", "echo 0x0 xfs"), ("lsblk", "exit 32")] {
        let path = bin.join(stub);
        let before = read_text(&path).unwrap();
        std::fs::write(&path, format!("#!{BASH}\n{does}\n")).unwrap();
        let mut command = Command::new(BASH);
        command.arg(&script).env_clear().env("PATH", &bin);
        for variable in ["DB", "JOURNAL"] {
            command.env(format!("PLIMSOLL_{variable}_DEVICE"), "/dev/sda");
        }
        let ran = command.output().unwrap();
        assert!(!ran.status.success(), "{stub}");
        let called = read_text(&folder.join("log")).unwrap_or_default();
        assert!(!called.contains("mkfs") && !called.contains("mkdir"), "{stub}: {called}");
        std::fs::write(&path, before).unwrap();
    }
}

/// Before server.depot.root each form is given back with another map, and the folder is a string whatever its name.
#[test]
fn maps_of_depots_are_put_into_their_forms() {
    if !Path::new(BASH).exists() {
        return;
    }
    let folder = scratch("emit-maps");
    let given = folder.join("given");
    let p4 = format!(
        "#!{BASH}\nif [ \"$2\" = -o ]; then printf 'Depot:\\t%s\\nType:\\tlocal\\nMap:\\t%s/...\\n' \"$3\" \"$3\"; else \
         while IFS= read -r line; do printf '%s\\n' \"$line\"; done >> '{}'; fi\n",
        given.display()
    );
    let bin = stubs(&folder);
    std::fs::write(bin.join("p4"), p4).unwrap();
    let lab = Advised::example("netapp-lab-2013", &[]);
    for name in HOSTILE.into_iter().chain(["tame"]) {
        let files = with_names(&lab, name);
        let file = files.iter().find(|f| f.name == "p4-depots.sh").unwrap();
        let script = folder.join("script.sh");
        std::fs::write(&script, file.render()).unwrap();
        let _none_yet = std::fs::remove_file(&given);
        let mut command = Command::new(BASH);
        command.arg(&script).env("PATH", format!("{}:/usr/bin:/bin", bin.display())).env("P4PORT", "ssl:c:1");
        let ran = command.output().unwrap();
        assert!(!ran.status.success() && !given.exists(), "without depots");
        let ran = command.env("PLIMSOLL_DEPOTS", " depot  art* ").output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let forms = read_text(&given).unwrap();
        let number = lab.advice.chosen.as_ref().unwrap().deployment.volumes.iter();
        let number = number.take_while(|m| !m.roles.contains(&"depot")).count();
        let point = quote::plain(&format!("{name}{number}"));
        let form = |depot| format!("Depot:\t{depot}\nType:\tlocal\nMap:\t\"{point}/p4/1/depots/{depot}/...\"\n");
        assert_eq!(forms, form("depot") + &form("art*"), "{name}");
    }
}

#[test]
fn hostile_names_stay_names_on_an_array_and_in_a_pool() {
    for base in ["pure-lab-2017", "sun-partner-2009", "ea-redwood-shores-2007"] {
        let advised = Advised::example(base, &[]);
        for name in HOSTILE {
            check(&with_names(&advised, name));
        }
    }
}

/// The name of an edge's folder is its number's, so two offices of one name do not meet.
#[test]
fn offices_with_like_names_have_folders_of_their_own() {
    let studio = Advised::example("game-studio", &[]);
    for file in with_names(&studio, "///") {
        let folder = file.path();
        assert!(
            ["commit-server/", "edge-1/", "proxy-1-build-farm/", "proxy-2/", "standby/", "workstations/"]
                .iter()
                .any(|f| folder.starts_with(f)),
            "{folder}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn quoting_holds_for_any_text(text in "(\\PC|[\0-\u{1f}]|[\u{202a}-\u{202e}]){0,40}") {
        let shown = quote::shell(&text);
        let words = shlex::split(&shown).unwrap();
        prop_assert_eq!(words, vec![quote::plain(&text)]);
        let field = quote::fstab(&text);
        prop_assert!(!field.is_empty() && !field.contains(char::is_whitespace) && !field.starts_with('#'));
        prop_assert!(is_harmless(&field));
        let comment = quote::comment(&text);
        prop_assert!(comment.lines().all(|line| line.starts_with('#')) && is_harmless(&comment));
        let value = quote::value(&text);
        prop_assert!(!value.contains(['\n', '#', ';']) && is_harmless(&value));
        let string = quote::powershell(&text);
        prop_assert!(string.bytes().all(|b| (b' '..=b'~').contains(&b)), "{}", string);
        prop_assert_eq!(super::windows::literals(&string), vec![quote::plain(&text)]);
        prop_assert_eq!(super::windows::skeleton(&string), "S");
        let argument = super::windows::literals(&quote::powershell_argument(&text)).concat();
        prop_assert!(!argument.contains('"'));
        prop_assert!(!argument.contains(' ') || !argument.ends_with('\\'));
        let slug = quote::slug(&text);
        prop_assert!(slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        prop_assert!(!slug.starts_with('-') && (1..=64).contains(&slug.len()));
    }
}

//! Files of a Windows server: drives, directories and variables of the service in PowerShell, and what has no file.
//!
//! As careful as the scripts for `sh`: disks are variables that the administrator sets, all checks come before the
//! first change, and a disk that has a partition table is refused.

use crate::catalog::{Access, Filesystem, Target};

use super::file::{ConfigFile, ConfigLine, Language};
use super::fill::{self, Filled};
use super::mkfs::{lies_on, paths};
use super::quote::{self, powershell, powershell_argument, powershell_word};
use super::script::Shell;
use super::settings::of;
use super::sheet::{Place, Sheet};

/// The year of Windows Server 2012, whose PowerShell has commands for disks; releases of the next year are of its age.
const STORAGE_COMMANDS: u16 = 2013;

/// All such files of a server; those without a line are empty.
pub(super) fn files(sheet: &Sheet<'_>) -> Vec<ConfigFile> {
    let file = |name: &str, title: &str, language, lines| ConfigFile {
        name: name.to_owned(),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: title.to_owned(),
        language,
        lines,
    };
    vec![
        file(
            "volumes.ps1",
            "makes the volumes on empty disks; set the variables first, run it once as an administrator",
            Language::PowerShell,
            volumes(sheet),
        ),
        file(
            "directories.ps1",
            "makes the directories of p4d; run it as an administrator when the volumes exist",
            Language::PowerShell,
            directories(sheet),
        ),
        file(
            "service.ps1",
            "variables of the service of p4d; run it as an administrator, then restart the service",
            Language::PowerShell,
            service(sheet),
        ),
    ]
}

/// A volume to make on a disk of its own.
struct Made<'s, 'a> {
    place: &'s Place<'a>,
    fs: &'s Filesystem,
    variable: String,
    letter: char,
}

fn made<'s, 'a>(sheet: &'s Sheet<'a>, place: &'s Place<'a>) -> Option<Made<'s, 'a>> {
    let id = place.mount.filesystem.as_ref()?;
    let mut path = place.mount_point.chars();
    let letter = path.next().filter(char::is_ascii_alphabetic)?;
    let is_drive = path.next() == Some(':') && place.access != Access::File;
    is_drive.then_some(Made {
        place,
        fs: sheet.catalog.filesystems.get(id)?,
        variable: format!("PLIMSOLL_{}_DISK", place.role().to_uppercase()),
        letter,
    })
}

fn volumes(sheet: &Sheet<'_>) -> Vec<ConfigLine> {
    let all = sheet.places.iter().filter_map(|place| made(sheet, place));
    let all: Vec<Made<'_, '_>> = all.collect();
    if all.is_empty() || sheet.year() < STORAGE_COMMANDS {
        return Vec::new();
    }
    let mut lines: Vec<ConfigLine> = all.iter().map(|one| ask(sheet, one)).collect();
    lines.extend(distinct(&all));
    lines.extend(all.iter().flat_map(check));
    for one in &all {
        lines.extend(make(sheet, one));
    }
    // It holds for the whole machine, so once is enough.
    lines.extend(all.first().map(|one| {
        let mount = &one.fs.mount;
        let words: Vec<String> = mount.value.split_whitespace().map(powershell_word).collect();
        let ids: Vec<&str> = mount.origin.ids().iter().map(String::as_str).collect();
        ConfigLine::new(
            Shell::PowerShell.run(&words.join(" ")),
            "Reading a file writes nothing: no times of last access, on the whole machine.",
            if ids.is_empty() { &["assumed"] } else { &ids },
        )
    }));
    lines
}

fn ask(sheet: &Sheet<'_>, one: &Made<'_, '_>) -> ConfigLine {
    let what = format!(
        "{}: set it to the number of the empty disk for {}, as Get-Disk lists it",
        one.variable,
        one.place.holds()
    );
    let raid = format!("raid/{}", one.place.mount.raid);
    ConfigLine::new(
        format!("if ($env:{} -notmatch '^[0-9]+$') {{ throw {} }}", one.variable, powershell(&what)),
        lies_on(sheet, one.place, "A virtual disk"),
        &[&raid, "data.db_size", "data.depot_size"],
    )
}

fn distinct(all: &[Made<'_, '_>]) -> Option<ConfigLine> {
    let numbers: Vec<String> = all.iter().map(|one| format!("[int]$env:{}", one.variable)).collect();
    (all.len() > 1).then(|| {
        ConfigLine::new(
            format!(
                "if (@({} | Sort-Object -Unique).Count -ne {}) {{ throw 'two volumes have the same disk' }}",
                numbers.join(", "),
                all.len()
            ),
            "Stops unless each volume has a disk of its own.",
            &["PSSTORAGE"],
        )
    })
}

/// Checks that stop the script: the letter is free, and the disk is there and was never used.
fn check(one: &Made<'_, '_>) -> [ConfigLine; 4] {
    let (variable, letter) = (&one.variable, one.letter);
    let reason = "Stops unless the drive letter is free and the disk is online, is not the system's, and has neither \
                  partition table nor partitions. A disk that another system wrote without a partition table looks \
                  empty to Windows: compare its name and size first.";
    [
        format!(
            "if ([System.IO.DriveInfo]::GetDrives().Name -contains '{letter}:\\') {{ throw 'drive {letter} is in use' }}"
        ),
        format!("$disk = Get-Disk -Number $env:{variable}"),
        "$disk | Format-Table -Property Number, FriendlyName, SerialNumber, Size, PartitionStyle".to_owned(),
        format!(
            "if ($disk.PartitionStyle -ne 'RAW' -or $disk.NumberOfPartitions -ne 0 -or $disk.IsBoot -or $disk.IsSystem \
             -or $disk.IsOffline -or $disk.IsReadOnly) {{ throw \"disk $env:{variable} is not an empty disk that is online\" }}"
        ),
    ]
    .map(|text| ConfigLine::new(text, reason, &["PSSTORAGE"]))
}

fn make(sheet: &Sheet<'_>, one: &Made<'_, '_>) -> [ConfigLine; 2] {
    let command = one.fs.mkfs_in(sheet.year());
    let label = one.place.label();
    let mut words: Vec<String> =
        command.value.split_whitespace().map(|word| powershell_word(&word.replace("{label}", &label))).collect();
    let mut reason = format!("{} for {}.", one.fs.entry.title, one.place.holds());
    let mut evidence = command.origin.ids().to_vec();
    for setting in fill::settings(sheet, Target::Format, Some(one.place)) {
        words.push(format!("-{}", setting.name));
        words.push(powershell_word(&setting.value));
        reason = format!("{reason} {}", setting.reason);
        evidence.extend(setting.evidence);
    }
    if evidence.is_empty() {
        evidence.push("assumed".to_owned());
    }
    evidence.sort();
    evidence.dedup();
    let (variable, letter) = (&one.variable, one.letter);
    [
        format!("Initialize-Disk -Number $env:{variable} -PartitionStyle GPT"),
        format!(
            "New-Partition -DiskNumber $env:{variable} -DriveLetter {letter} -UseMaximumSize | {}",
            words.join(" ")
        ),
    ]
    .map(|text| ConfigLine {
        text: quote::plain(&text),
        reason: quote::plain(&reason),
        evidence: evidence.clone(),
    })
}

fn directories(sheet: &Sheet<'_>) -> Vec<ConfigLine> {
    let shell = Shell::PowerShell;
    let mut lines = vec![ConfigLine::new(
        shell.ask("PLIMSOLL_USER", "the account that the service of p4d runs as"),
        "The directories belong to the account that the service runs as.",
        &["SAG"],
    )];
    for place in &sheet.places {
        let path = powershell(&place.mount_point);
        let share = if place.access == Access::File {
            " A share is used by its path; replace the name below .invalid by the filer's address and share, here and in \
             the other files."
        } else {
            ""
        };
        lines.push(ConfigLine::new(
            format!("if (-not (Test-Path -LiteralPath {path})) {{ throw ({path} + ' does not exist') }}"),
            format!("Stops unless the volume for {} exists.{share}", place.holds()),
            &["PSSTORAGE"],
        ));
    }
    for (path, reason, evidence) in paths(sheet) {
        let make = format!("$null = [System.IO.Directory]::CreateDirectory({})", powershell(&path));
        // The well-known names of the system and of administrators, which are called otherwise in each language.
        let grant = shell.run(&format!(
            "icacls {} /inheritance:r /grant:r ($env:PLIMSOLL_USER + ':(OI)(CI)F') '*S-1-5-18:(OI)(CI)F' \
             '*S-1-5-32-544:(OI)(CI)F'",
            powershell_argument(&path)
        ));
        for text in [make, grant] {
            lines.push(ConfigLine { text: quote::plain(&text), reason: reason.clone(), evidence: evidence.clone() });
        }
    }
    lines
}

fn service(sheet: &Sheet<'_>) -> Vec<ConfigLine> {
    let shell = Shell::PowerShell;
    let ask = ConfigLine::new(
        shell.ask("PLIMSOLL_SERVICE", "the name of the service of p4d, which is Perforce unless another was chosen"),
        "Stops until the service is named. Stop the service before its files are moved.",
        &["P4CMD"],
    );
    let set = |setting: &Filled| {
        let value = powershell_argument(&format!("{}={}", setting.name, setting.value));
        let command = format!("p4 set -S $env:PLIMSOLL_SERVICE {value}");
        of(setting, &shell.run(&command))
    };
    let settings = fill::settings(sheet, Target::Environment, None);
    std::iter::once(ask).chain(settings.iter().map(set)).collect()
}

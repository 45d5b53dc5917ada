//! Files that are made of settings alone: kernel, initiator, unit, environment.

use crate::catalog::Target;

use super::file::{ConfigFile, ConfigLine, Language};
use super::fill::{self, Filled};
use super::quote;
use super::sheet::Sheet;

/// How a target's file is called and where it goes.
struct Kind {
    target: Target,
    name: &'static str,
    title: &'static str,
    language: Language,
    /// Whether it is Linux's alone.
    linux: bool,
}

/// The files, in the order in which they are used.
const KINDS: [Kind; 9] = [
    linux(Target::Sysctl, "90-p4d.conf", "kernel variables, for /etc/sysctl.d", Language::Sysctl),
    linux(Target::Tmpfiles, "p4d-kernel.conf", "kernel files written at boot, for /etc/tmpfiles.d", Language::Tmpfiles),
    linux(
        Target::Modprobe,
        "p4d-modules.conf",
        "parameters of kernel modules, for /etc/modprobe.d",
        Language::Modprobe,
    ),
    linux(Target::Udev, "99-p4d.rules", "read-ahead of block devices, for /etc/udev/rules.d", Language::Udev),
    linux(Target::NfsConf, "nfs.conf", "to add to /etc/nfs.conf", Language::Ini),
    linux(Target::Multipath, "multipath.conf", "to add to /etc/multipath.conf", Language::Multipath),
    linux(Target::Iscsid, "iscsid.conf", "to change in /etc/iscsi/iscsid.conf", Language::Ini),
    linux(
        Target::Systemd,
        "p4d-service.conf",
        "for a folder p4d.service.d in /etc/systemd/system, by the name of the unit",
        Language::Ini,
    ),
    Kind {
        linux: false,
        ..linux(Target::Environment, "p4d.env", "the environment of p4d, for /etc/perforce", Language::Environment)
    },
];

const fn linux(target: Target, name: &'static str, title: &'static str, language: Language) -> Kind {
    Kind { target, name, title, language, linux: true }
}

/// All such files of a server; those without a line are empty.
pub(super) fn files(sheet: &Sheet<'_>) -> Vec<ConfigFile> {
    let here = |kind: &&Kind| {
        if kind.linux { sheet.is_linux() } else { !sheet.is_windows() }
    };
    KINDS.iter().filter(here).map(|kind| file(sheet, kind)).collect()
}

fn file(sheet: &Sheet<'_>, kind: &Kind) -> ConfigFile {
    let lines = match kind.target {
        Target::Udev => udev(sheet),
        Target::Systemd => systemd(sheet),
        target => {
            let settings = fill::settings(sheet, target, None);
            match target {
                Target::Multipath => braces(&settings),
                Target::NfsConf => sections(&settings, quote::value),
                _ => settings.iter().map(|setting| plain(target, setting)).collect(),
            }
        }
    };
    ConfigFile {
        name: kind.name.to_owned(),
        server: sheet.title.clone(),
        of_edge: sheet.server > 0,
        title: kind.title.to_owned(),
        language: kind.language,
        lines,
    }
}

/// A line with the reason of a setting.
pub(super) fn of(setting: &Filled, text: &str) -> ConfigLine {
    ConfigLine { text: quote::plain(text), reason: setting.reason.clone(), evidence: setting.evidence.clone() }
}

/// A line of a file that has no sections.
fn plain(target: Target, setting: &Filled) -> ConfigLine {
    let (name, value) = (quote::value(&setting.name), quote::value(&setting.value));
    let text = match target {
        Target::Tmpfiles => format!("w {name} - - - - {value}"),
        Target::Modprobe => format!("options {name}={value}"),
        Target::Environment => format!("{name}={}", quote::shell(&setting.value)),
        _ => format!("{name} = {value}"),
    };
    of(setting, &text)
}

/// Read-ahead and the like, by the label of each filesystem.
fn udev(sheet: &Sheet<'_>) -> Vec<ConfigLine> {
    let mut lines = Vec::new();
    for place in &sheet.places {
        for setting in fill::settings(sheet, Target::Udev, Some(place)) {
            let value = quote::value(&setting.value).replace('"', "_");
            let name = quote::value(&setting.name);
            let text = format!(
                "ACTION==\"add|change\", SUBSYSTEM==\"block\", ENV{{ID_FS_LABEL}}==\"{}\", ATTR{{{name}}}=\"{value}\"",
                place.label()
            );
            lines.push(of(&setting, &text));
        }
    }
    lines
}

/// Splits `Section/Name`.
fn split(setting: &Filled) -> (&str, &str) {
    setting.name.split_once('/').unwrap_or(("", &setting.name))
}

/// Sections of `name=value`.
fn sections(settings: &[Filled], quote: fn(&str) -> String) -> Vec<ConfigLine> {
    let mut lines = Vec::new();
    let mut open = "";
    for setting in settings {
        let (section, name) = split(setting);
        if section != open {
            lines.push(of(setting, &format!("[{section}]")));
            open = section;
        }
        lines.push(of(setting, &format!("{name}={}", quote(&setting.value))));
    }
    lines
}

/// The unit of p4d waits for the volumes.
fn systemd(sheet: &Sheet<'_>) -> Vec<ConfigLine> {
    let settings = fill::settings(sheet, Target::Systemd, None);
    if settings.is_empty() {
        return Vec::new();
    }
    let reason = "p4d starts after its volumes are mounted, and not at all without them: it would otherwise make an \
                  empty database below a mount point.";
    let mut lines = vec![ConfigLine::new("[Unit]", reason, &["SYSTEMD"])];
    lines.extend(sheet.places.iter().map(|place| {
        let path = quote::systemd(&place.mount_point);
        ConfigLine::new(format!("RequiresMountsFor={path}"), reason, &["SYSTEMD"])
    }));
    lines.extend(sections(&settings, quote::systemd));
    lines
}

/// Sections in braces, `devices` around `device`.
fn braces(settings: &[Filled]) -> Vec<ConfigLine> {
    let mut lines = Vec::new();
    let mut open: Option<(&str, &Filled)> = None;
    let close = |lines: &mut Vec<ConfigLine>, open: Option<(&str, &Filled)>| match open {
        Some(("device", last)) => {
            lines.extend(["    }", "}"].map(|text| of(last, text)));
        }
        Some((_, last)) => lines.push(of(last, "}")),
        None => {}
    };
    for setting in settings {
        let (section, name) = split(setting);
        // Each device has a section of its own, which begins with its vendor.
        let new = open.is_none_or(|(before, _)| before != section) || name == "vendor";
        if new {
            close(&mut lines, open);
            if section == "device" {
                lines.extend(["devices {", "    device {"].map(|text| of(setting, text)));
            } else {
                lines.push(of(setting, &format!("{section} {{")));
            }
        }
        let indent = if section == "device" { "        " } else { "    " };
        let value = quote::value(&setting.value).replace('"', "_");
        lines.push(of(setting, &format!("{indent}{name} \"{value}\"")));
        open = Some((section, setting));
    }
    close(&mut lines, open);
    lines
}

//! A file of configuration: lines, each with its reason, and how it looks as text.

use super::quote;

/// What a file is written in; decides how it begins and how it may be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// A script for `sh`.
    Shell,
    /// A script for `sh` of `p4` commands.
    P4,
    /// Lines of `/etc/fstab`.
    Fstab,
    /// Kernel variables.
    Sysctl,
    /// Seven columns, vfstab(4) of Solaris.
    Vfstab,
    /// Kernel files written at boot, tmpfiles.d(5).
    Tmpfiles,
    /// Parameters of kernel modules, modprobe.d(5).
    Modprobe,
    /// Rules for devices.
    Udev,
    /// Sections of `name=value`.
    Ini,
    /// Sections in braces.
    Multipath,
    /// Variables for a unit or a shell.
    Environment,
    /// Rules for Prometheus.
    Yaml,
    /// A script for PowerShell.
    PowerShell,
    /// Sentences, for people.
    Notes,
}

impl Language {
    /// Whether it is a script for `sh`.
    pub fn is_script(self) -> bool {
        matches!(self, Self::Shell | Self::P4)
    }
}

/// One line with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigLine {
    /// The line, already quoted for its place; always one.
    pub text: String,
    /// Why it is there, with numbers and their units.
    pub reason: String,
    /// Ids that it rests on: data, references, fields of the site; `assumed` and `model` stand for themselves.
    pub evidence: Vec<String>,
}

impl ConfigLine {
    /// A line; what would break it in two is replaced.
    pub(super) fn new(text: impl Into<String>, reason: impl Into<String>, evidence: &[&str]) -> Self {
        Self {
            text: quote::plain(&text.into()),
            reason: quote::plain(&reason.into()),
            evidence: evidence.iter().map(|id| (*id).to_owned()).collect(),
        }
    }
}

/// One file for one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// Its name: `fstab`, `mkfs.sh`.
    pub name: String,
    /// The server: "commit server", "edge 1 (Montreal)", "workstations".
    pub server: String,
    /// Whether the server is an edge.
    pub of_edge: bool,
    /// What it is and where it goes.
    pub title: String,
    /// What it is written in.
    pub language: Language,
    /// Its lines.
    pub lines: Vec<ConfigLine>,
}

impl ConfigFile {
    /// Where it lies below a folder of its own: `edge-1-montreal/fstab`; always two plain names.
    pub fn path(&self) -> String {
        format!("{}/{}", quote::slug(&self.server), self.name)
    }

    /// The file as text: what it is, then each line below its reason.
    pub fn render(&self) -> String {
        let mut out = String::new();
        if self.language.is_script() {
            out.push_str("#!/bin/sh\n");
        }
        out.push_str(&self.comment(&format!("{}: {}.", self.server, self.title)));
        out.push_str(&self.comment(
            "Made by plimsoll from a site file; read it before you use it. Ids in brackets are explained by `plimsoll \
             explain ID`.",
        ));
        match self.language {
            Language::Shell | Language::P4 => out.push_str("set -eu\n"),
            Language::PowerShell => {
                out.push_str("$ErrorActionPreference = 'Stop'\nSet-StrictMode -Version 2.0\n");
            }
            _ => {}
        }
        let mut above: Option<&ConfigLine> = None;
        for line in &self.lines {
            let said = above.is_some_and(|a| a.reason == line.reason && a.evidence == line.evidence);
            if !said {
                out.push('\n');
                let ids = line.evidence.join(", ");
                out.push_str(&self.comment(&format!("{} [{ids}]", line.reason)));
            }
            out.push_str(&line.text);
            out.push('\n');
            above = Some(line);
        }
        out
    }

    fn comment(&self, text: &str) -> String {
        match self.language {
            // `#requires` and `# SIG #` mean something to PowerShell.
            Language::PowerShell => quote::comment(&text.replace('#', "_")),
            _ => quote::comment(text),
        }
    }
}

//! Lines of scripts in the language of a server's system: `sh`, or PowerShell on Windows.

use super::file::Language;
use super::quote;
use super::sheet::Sheet;

/// The language of a server's scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    /// `sh`.
    Sh,
    /// PowerShell.
    PowerShell,
}

impl Shell {
    /// That of a server.
    pub(super) fn of(sheet: &Sheet<'_>) -> Self {
        if sheet.is_windows() { Self::PowerShell } else { Self::Sh }
    }

    /// The name of a file: `p4-configure.sh`, `p4-configure.ps1`.
    pub(super) fn file_name(self, stem: &str) -> String {
        match self {
            Self::Sh => format!("{stem}.sh"),
            Self::PowerShell => format!("{stem}.ps1"),
        }
    }

    /// What a script of p4 commands is written in.
    pub(super) fn language(self) -> Language {
        match self {
            Self::Sh => Language::P4,
            Self::PowerShell => Language::PowerShell,
        }
    }

    /// One argument of a command.
    pub(super) fn quote(self, text: &str) -> String {
        match self {
            Self::Sh => quote::shell(text),
            Self::PowerShell => quote::powershell_argument(text),
        }
    }

    /// A line that stops the script while a variable is empty.
    pub(super) fn ask(self, variable: &str, what: &str) -> String {
        match self {
            Self::Sh => {
                let what = quote::inside_double_quotes(what);
                format!(": \"${{{variable}:?set it to {what}}}\"")
            }
            Self::PowerShell => {
                let message = quote::powershell(&format!("{variable}: set it to {what}"));
                format!("if (-not $env:{variable}) {{ throw {message} }}")
            }
        }
    }

    /// A command of quoted words, whose failure stops the script: `set -e` does that for `sh`, and nothing does
    /// for PowerShell.
    pub(super) fn run(self, command: &str) -> String {
        match self {
            Self::Sh => command.to_owned(),
            Self::PowerShell => {
                let name = command.split(' ').next().unwrap_or_default();
                let message = quote::powershell(&format!("{name} failed"));
                format!("{command}; if ($LASTEXITCODE) {{ throw {message} }}")
            }
        }
    }
}

//! The scripts that gather outputs on a server.

/// For a POSIX shell.
pub const SHELL: &str = include_str!("../../../../assets/collect/collect.sh");
/// For `PowerShell`.
pub const POWERSHELL: &str = include_str!("../../../../assets/collect/collect.ps1");

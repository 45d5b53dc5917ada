//! The scripts that gather outputs on a server.

use std::sync::LazyLock;

/// What an anonymised file keeps, and names of secrets: one list for both scripts.
pub const PASSES: &str = include_str!("../../../../assets/collect/passes.txt");
/// For a POSIX shell.
pub static SHELL: LazyLock<String> = LazyLock::new(|| with_list(include_str!("../../../../assets/collect/collect.sh")));
/// For `PowerShell`.
pub static POWERSHELL: LazyLock<String> =
    LazyLock::new(|| with_list(include_str!("../../../../assets/collect/collect.ps1")));

fn with_list(script: &str) -> String {
    script.replace("@PASSES@", PASSES.trim_end())
}
